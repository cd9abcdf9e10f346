/* Many comparisons in one experiment: what may still be said of each. */
#ifndef TARE_STATS_MULTIPLE_H
#define TARE_STATS_MULTIPLE_H

#include "stats/status.h"

#include <stdbool.h>

/* Holm's adjusted p values: adjusted[i] ≤ alpha means that comparison i may be called at a
 * probability of at most alpha of any false call among the m. p in [0, 1], else STATS_BAD_ARGUMENT;
 * STATS_EMPTY for m = 0. `adjusted` may be `p`. */
enum stats_status holm_adjust(const double *p, size_t m, double *adjusted);

/* Benjamini and Hochberg: how many may be called when at most a share alpha of the called ones should be false, on
 * average: those with p ≤ alpha·called/m. p in [0, 1]. */
enum stats_status bh_called(const double *p, size_t m, double alpha, size_t *called);

#endif
