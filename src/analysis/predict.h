/* How long future work will take, from a result: by the line over work amounts, or by unit readings. */
#ifndef TARE_ANALYSIS_PREDICT_H
#define TARE_ANALYSIS_PREDICT_H

#include "base/error.h"
#include "model/result.h"

#include <stdbool.h>

enum prediction_source { PREDICT_BY_LINE, PREDICT_BY_UNITS };

struct prediction {
	double work;
	double seconds, low, high;        /* of one more run with that work, in the basis' metric */
	double wall, wall_low, wall_high; /* the same in wall time, where that is another metric; NaN: not known */
	bool beyond;                      /* more than twice the largest amount measured: the line may not go on so far */
};

struct prediction_basis {
	enum prediction_source source;
	const char *unit;    /* of work; "" a count of units */
	const char *metric;  /* the time that is predicted: "wall", "cpu", … */
	const char *index;   /* of PREDICT_BY_UNITS */
	double speed, alpha; /* work per second in the stable phase; seconds besides; NaN: not known */
	bool stable_only;    /* set-up and warm-up are not in it: their time is not known */
	size_t rounds;
};

/* `index` names a performance index with unit readings; NULL: the line if there is one, else the first such index.
 * `level` in (0, 1). ERROR_NO_DATA when the result has neither, or when its line was refused. */
int predict_basis(const struct subject *subject, const char *index, struct prediction_basis *out, struct error *err);
int predict(const struct subject *subject, const struct prediction_basis *basis, double level, double work,
            struct prediction *out, struct error *err);

#endif
