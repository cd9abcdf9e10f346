/* E-divisive with medians (EDM): the phases of a run or a session. */
#ifndef TARE_STATS_EDM_H
#define TARE_STATS_EDM_H

#include "stats/status.h"

#include <stdbool.h>

struct edm_options {
	double alpha;       /* chance of any false change in a series, 0 < alpha < 0.5 */
	size_t min_segment; /* least number of values in a phase, ≥ 2 */
	double penalty;     /* least value of the statistic of a change, ≥ 0, in squared units of the values */
};

/* 0.01, 30 as in Pilot, 0. */
#define EDM_DEFAULTS ((struct edm_options){0.01, 30, 0})

struct edm_change {
	size_t at;            /* first index of the new phase */
	size_t low, high;     /* interval of that position, 95 % */
	double p_value;       /* family-wise */
	double before, after; /* medians of the phases on both sides */
	double statistic;     /* m₁m₂/(m₁ + m₂)·(after − before)² */
	bool gradual;         /* the values around it follow a slope better than a step */
};

struct edm {
	struct edm_change *changes; /* ascending */
	size_t count;
	double longrun_factor; /* by how much autocorrelation inflates the variance of a mean, ≥ 1 */
};

/* The changes of n finite values; none in fewer than two least segments. Release the result. O(n log n), no random
 * numbers. */
enum stats_status edm_find(const double *x, size_t n, const struct edm_options *options, struct edm *out);
void edm_release(struct edm *edm);

/* The stable phase [*from, *to) of n values: the longest segment, when it holds more than half of them. */
bool edm_dominant(const struct edm *edm, size_t n, size_t *from, size_t *to);

/* The split of x[0 … n) with the largest statistic, as published (EDM-X), without any test; n ≥ 2·min_segment ≥ 2.
 * Medians are exact up to SCORE_TABLE_MAX values and to 1/SCORE_TABLE_MAX of their ranks beyond. */
enum stats_status edm_split(const double *x, size_t n, size_t min_segment, size_t *at);

#endif
