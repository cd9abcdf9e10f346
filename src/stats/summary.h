/* Count, mean, variance and range of a sample in one pass, and the same for a sample that grows. */
#ifndef TARE_STATS_SUMMARY_H
#define TARE_STATS_SUMMARY_H

#include "stats/status.h"

struct summary {
	size_t n;
	double mean;
	double variance; /* divided by n − 1; NaN when n is 1 */
	double sd;       /* square root of it */
	double min, max;
};

/* STATS_EMPTY, STATS_NOT_FINITE, or STATS_NOT_DEFINED when the variance overflows a double. */
enum stats_status summary_of(const double *x, size_t n, struct summary *out);

/* Mean and variance of the values so far, O(1) for each. A zeroed struct is empty. */
struct running {
	size_t n;
	double mean, mean_low;       /* their unrounded sum is the mean */
	double squares, squares_low; /* sum of squared deviations from the mean */
};

/* A value that is not finite makes the mean and the variance NaN from then on. */
void running_add(struct running *running, double x);

/* The same for n values: to rounding what adding them one by one gives, and faster where they are many. */
void running_add_all(struct running *running, const double *x, size_t n);

size_t running_count(const struct running *running);
double running_mean(const struct running *running);     /* NaN while empty */
double running_variance(const struct running *running); /* divided by n − 1; NaN below two values */

#endif
