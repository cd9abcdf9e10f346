/* Warm-up: how many values at the start of a run to leave out (MSER-5). */
#ifndef TARE_STATS_MSER_H
#define TARE_STATS_MSER_H

#include "stats/status.h"

#include <stdint.h>

enum { MSER_BATCH = 5 };

/* *skip = values to leave out, a multiple of 5, at most half of the batches. A run that asks for all of
 * that (skip = 5·⌊m/2⌋, m = ⌊n/5⌋) has not settled. STATS_TOO_FEW below 10 values. Allocates. */
enum stats_status mser_skip(const double *x, size_t n, size_t *skip);

#endif
