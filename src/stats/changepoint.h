/* Change points of the level of a series, each with a family-wise p value; what EDM and E-divisive share.
 *
 * A change point is the first index of a new level, 1 … n − 1. */
#ifndef TARE_STATS_CHANGEPOINT_H
#define TARE_STATS_CHANGEPOINT_H

#include "stats/status.h"

#include <stdbool.h>

struct changepoint_options {
	double alpha;       /* chance of any false change point in a series, 0 < alpha < 0.5 */
	size_t min_segment; /* least number of values between change points and from the ends, ≥ 2 */
};

struct changepoint {
	size_t at;
	size_t low, high; /* the position's interval, both inclusive, 95 % */
	double p_value;   /* family-wise: compare it with alpha as it is */
	bool gradual;     /* the values around it follow a slope better than a step */
};

struct changepoints {
	struct changepoint *points; /* ascending */
	size_t count;
	double longrun_factor; /* by how much autocorrelation inflates the variance of a mean, ≥ 1 */
};

/* Whether alpha and min_segment are in their ranges. */
bool changepoint_options_hold(const struct changepoint_options *options);

/* Finds the change points of n finite values. `hints` are places to try besides its own, ascending, or NULL. No
 * change, fewer than two least segments of values and a constant series all give STATS_OK with count 0. Needs
 * O(n log n) time. Deterministic: no random numbers. */
enum stats_status changepoint_find(const double *x, size_t n, const struct changepoint_options *options,
                                   const size_t *hints, size_t hint_count, struct changepoints *out);

/* A zeroed list is empty. */
void changepoints_release(struct changepoints *list);

#endif
