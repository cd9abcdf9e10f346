/* A trend inside one segment of a series. */
#ifndef TARE_STATS_SLOPE_H
#define TARE_STATS_SLOPE_H

#include <stddef.h>

struct slope {
	double p_value; /* two-sided, of "no slope", with autocorrelation about the line allowed for */
	double rise;    /* over all n values, in standard deviations about the line; ∞ for a perfect line */
};

/* Of n finite values; p 1 and rise 0 when they are fewer than 3 or have no slope. `places` and
 * `residuals` have room for n values. */
struct slope slope_of(const double *x, size_t n, double *places, double *residuals);

#endif
