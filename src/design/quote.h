/* What the calibration of this machine says about a measurement that is to be made, and about one that was made. */
#ifndef TARE_DESIGN_QUOTE_H
#define TARE_DESIGN_QUOTE_H

#include "base/error.h"
#include "model/calibration.h"
#include "model/experiment.h"

/* Before: a warning (code "out-of-reach") in the result when the precision, margin or gate asked for cannot be reached
 * within the budget; its text, or NULL when it can or is not known. Comparisons only. */
const char *quote_reach(const struct calibration *calibration, const struct experiment *experiment,
                        struct result *result);

/* After: fills result->calibration. -1: no memory. `calibration` NULL: there is none for this machine. */
int quote_result(const struct calibration *calibration, const struct experiment *experiment, struct result *result,
                 struct error *err);

#endif
