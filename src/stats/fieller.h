/* Intervals for a ratio of two means, new over base, by Fieller's theorem.
 *
 * All return STATS_UNBOUNDED, with the ratio written and the interval −∞ … ∞, when the mean of
 * the base cannot be distinguished from 0 at this c: the two numbers that the formula gives then are not
 * an interval. STATS_NOT_DEFINED: the mean of the base is 0, or so small that the ratio overflows.
 * STATS_BAD_ARGUMENT: c is negative or NaN. c = INFINITY is unbounded. */
#ifndef TARE_STATS_FIELLER_H
#define TARE_STATS_FIELLER_H

#include "stats/comoment.h"
#include "stats/status.h"

/* Two means and the variances and covariance of these means (s²/R, not s²). */
struct fieller {
	double base, new_;
	double base_variance, new_variance, covariance;
};

/* Of two quantities measured together, by their places in `moments`. */
struct fieller fieller_of(const struct comoment *moments, unsigned base, unsigned new_);

enum stats_status fieller_interval(const struct fieller *means, double c, double *ratio, struct interval *out);

/* The t statistic of "the ratio is theta"; the interval holds the theta with |t| ≤ c. 0 when
 * the means agree exactly with theta, ±∞ when they do not and there is no spread. */
double fieller_t(const struct fieller *means, double theta);

/* Pairs a[i], b[i] of n ≥ 2 runs or units: b over a. */
enum stats_status fieller_paired(const double *a, const double *b, size_t n, double c, double *ratio,
                                 struct interval *out);

/* Independent runs, at least 2 each, with the same c for both sides (K&J: c = t at the smaller
 * count − 1). */
enum stats_status fieller_unpaired(const double *base, size_t base_n, const double *new_, size_t new_n, double c,
                                   double *ratio, struct interval *out);

/* The same from means and half-widths ≥ 0 of their intervals (K&J eq. 5). */
enum stats_status fieller_half_widths(double base, double base_half, double new_, double new_half, double *ratio,
                                      struct interval *out);

#endif
