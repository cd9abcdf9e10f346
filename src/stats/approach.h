/* A series that approaches its level: x_i = level + reach·r(i/time) + noise, r(u) = exp(−u), 1/(1 + u) or max(1 − u, 0). */
#ifndef TARE_STATS_APPROACH_H
#define TARE_STATS_APPROACH_H

#include "stats/status.h"

enum approach_shape { APPROACH_EXPONENTIAL, APPROACH_HYPERBOLIC, APPROACH_STRAIGHT };

struct approach {
	enum approach_shape shape;
	double level;   /* in the end */
	double reach;   /* how far off it begins */
	double time;    /* in values: the rest after it is 1/e, a half, or nothing */
	double squares; /* sum of squared residuals */
	double noise;   /* their variance, with their lag-1 autocorrelation allowed for */
	double gain;    /* by how much that is less than about a mean, over the variance of the residuals with their lag-1
	                  autocorrelation allowed for; for noise alone about χ² with 1 to 2 degrees of freedom */
};

/* Exponential, by least squares over times from 2 values to n/2. STATS_TOO_FEW below 10 values, STATS_CONSTANT without variance.
 * Allocates nothing. */
enum stats_status approach_fit(const double *x, size_t n, struct approach *out);

/* The shape that fits best, with the lag-1 autocorrelation of the residuals taken out of the values before. */
enum stats_status approach_fit_any(const double *x, size_t n, struct approach *out);

/* The first place from which on the rest is at most `share` (> 0) of the level; 0 when it always is. */
double approach_end(const struct approach *approach, double share);

#endif
