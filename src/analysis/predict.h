/* How long future work will take, from a result: by the line over work amounts, or by unit readings. */
#ifndef TARE_ANALYSIS_PREDICT_H
#define TARE_ANALYSIS_PREDICT_H

#include "base/error.h"
#include "model/prediction.h"
#include "model/result.h"

/* `index` names a performance index with unit readings; NULL: the line if there is one, else the first such index.
 * `level` in (0, 1). ERROR_NO_DATA when the result has neither, or when its line was refused. */
int predict_basis(const struct subject *subject, const char *index, struct prediction_basis *out, struct error *err);
int predict(const struct subject *subject, const struct prediction_basis *basis, double level, double work,
            struct prediction *out, struct error *err);

#endif
