/* Harmonic and geometric means with intervals, for positive values.
 *
 * The critical constant c ≥ 0 is that of a mean of n values, t_{n−1} or one made for a stop rule.
 * STATS_NOT_POSITIVE for a value of 0 or below, STATS_TOO_FEW for one value. With `out` NULL only
 * the mean is computed, and one value is enough. */
#ifndef TARE_STATS_MEANS_H
#define TARE_STATS_MEANS_H

#include "stats/status.h"

/* For rates of a fixed amount of work: the mean is total work over total time. STATS_UNBOUNDED when
 * the interval of the times reaches 0: then *mean is written, and *out has its low bound and INFINITY. */
enum stats_status mean_harmonic(const double *x, size_t n, double c, double *mean, struct interval *out);

enum stats_status mean_geometric(const double *x, size_t n, double c, double *mean, struct interval *out);

#endif
