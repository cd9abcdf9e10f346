/* What taking unit readings costs: times with and without them, in pairs. */
#ifndef TARE_DECIDE_OVERHEAD_H
#define TARE_DECIDE_OVERHEAD_H

#include "model/result.h"

#include <stddef.h>

/* The ratio with/without over n ≥ 2 pairs of times, by paired Fieller at `level`. What cannot be said is NaN with a
 * reason. */
void overhead_of(const double *without, const double *with, size_t n, double level, struct overhead_result *out);

#endif
