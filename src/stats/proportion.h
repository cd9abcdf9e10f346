/* Intervals for a proportion: `successes` of n trials, level in (0, 1).
 *
 * STATS_EMPTY for no trials, STATS_BAD_ARGUMENT for more successes than trials or another level. */
#ifndef TARE_STATS_PROPORTION_H
#define TARE_STATS_PROPORTION_H

#include "stats/status.h"

/* Close to the stated coverage on average; may be a little under it. */
enum stats_status proportion_wilson(size_t successes, size_t n, double level, struct interval *out);

/* Never under the stated coverage. */
enum stats_status proportion_clopper_pearson(size_t successes, size_t n, double level, struct interval *out);

/* The ratio of two proportions, `new_successes` of `new_n` over those of the base: by the Wilson limits of both.
 * STATS_UNBOUNDED where the base has none. */
enum stats_status proportion_ratio(size_t base_successes, size_t base_n, size_t new_successes, size_t new_n,
                                   double level, double *ratio, struct interval *out);

/* The largest share of runs that may be of a kind that none of n runs was, at `level`: 1 − (1 − level)^(1/n).
 * 1 for n = 0; NaN for a level outside (0, 1). */
double proportion_unseen(size_t n, double level);

#endif
