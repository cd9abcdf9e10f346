/* Predictions for a terminal: a row for each amount of work, and what they are known by. */
#ifndef TARE_REPORT_PREDICTION_TEXT_H
#define TARE_REPORT_PREDICTION_TEXT_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/prediction.h"
#include "report/look.h"

int prediction_text(const struct prediction_list *predictions, const struct look *look, struct buffer *out,
                    struct error *err);

#endif
