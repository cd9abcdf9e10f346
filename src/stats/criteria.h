/* Values of two criteria of Laaber et al. (2020): coefficient of variation, and relative width of a
 * bootstrap interval. (The third, KLD, is in stats/kld.h.) */
#ifndef TARE_STATS_CRITERIA_H
#define TARE_STATS_CRITERIA_H

#include "stats/nested.h"
#include "stats/summary.h"

enum { CRITERIA_REPLICATES = 1000 };
#define CRITERIA_RCIW_LEVEL 0.99

/* sd (n − 1) over mean. STATS_TOO_FEW below two values, STATS_NOT_POSITIVE unless the mean is. */
enum stats_status criteria_cv(const double *x, size_t n, double *out);

/* The same from values added one by one: a check costs nothing, however many there are. */
enum stats_status criteria_cv_so_far(const struct running *values, double *out);

/* Width of the 99 % hierarchical bootstrap interval of the mean over that mean, 1000 replicates.
 * A single outermost group (the first iteration, the first run) is resampled inside.
 * STATS_TOO_FEW where that leaves nothing to resample; else as criteria_cv() and bootstrap_mean(). */
enum stats_status criteria_rciw(const struct nested *data, uint64_t seed, double *out);

/* The view without outermost levels of a single group. */
struct nested criteria_inside(const struct nested *data);

#endif
