/* Intervals for the mean and the median of one sample. */
#ifndef TARE_STATS_INTERVAL_H
#define TARE_STATS_INTERVAL_H

#include "stats/status.h"
#include "stats/summary.h"

/* mean ± c·sd/√n with the given critical constant c ≥ 0 (t_{n−1}, or one made for a stop rule).
 * STATS_TOO_FEW below two values, STATS_UNBOUNDED when c is infinite. Equal values have an
 * interval of width 0. */
enum stats_status interval_mean(const double *x, size_t n, double c, double *mean, struct interval *out);

/* The same from a summary. */
enum stats_status interval_of_summary(const struct summary *summary, double c, struct interval *out);

/* The median with the interval [x_(k), x_(n+1−k)] whose coverage is at least `level` (0 < level < 1) for
 * any continuous distribution. STATS_TOO_FEW when no pair of order statistics reaches it: 95 % needs
 * 6 values, 99 % needs 8. Allocates. */
enum stats_status interval_median(const double *x, size_t n, double level, double *median, struct interval *out);

#endif
