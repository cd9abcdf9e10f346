/* Changes of level in a history of results: E-divisive with a significance test, outliers set aside, position and size
 * with intervals. */
#ifndef TARE_STATS_EDIVISIVE_H
#define TARE_STATS_EDIVISIVE_H

#include "stats/status.h"

#include <stdbool.h>

struct edivisive_options {
	double alpha;        /* chance of any false change in a series, 0 < alpha < 0.5 */
	size_t min_segment;  /* least number of values at a level, ≥ 2 */
	double min_relative; /* least change, as a fraction of the level before (0.05: 5 %), ≥ 0 */
	double confidence;   /* of the intervals of sizes, 0 < confidence < 1 */
};

/* 0.01, 5, 0, 0.95. */
#define EDIVISIVE_DEFAULTS ((struct edivisive_options){0.01, 5, 0, 0.95})

/* Indices are those of the series as it was given, outliers counted. */
struct edivisive_change {
	size_t at;                         /* first index of the new level */
	size_t low, high;                  /* where that index may lie, 95 %; of a gradual change, all of its length */
	double p_value;                    /* family-wise: compare it with alpha as it is */
	bool gradual;                      /* a slope, not a step: no single place */
	double before, after;              /* mean levels on both sides, up to the next change, without outliers */
	double size;                       /* after − before */
	struct interval size_interval;     /* one end is 0 where the change is barely seen: it may be as small as that */
	double relative;                   /* size over before; NaN when before is not above 0 */
	struct interval relative_interval; /* −∞ … ∞ when before cannot be distinguished from 0; NaN with relative */
};

struct edivisive {
	struct edivisive_change *changes; /* ascending */
	size_t count;
	size_t *outliers; /* ascending; single points that were set aside */
	size_t outlier_count;
	double longrun_factor; /* by how much autocorrelation inflates the variance of a mean, ≥ 1 */
	double correlation;    /* of neighbours, in what the levels leave; 0 where they leave nothing */
	double memory;         /* the mean correlation of values 4 to 8 places apart in what the levels leave; 0 likewise */
	double drift_p; /* small: the levels themselves move slowly, so that steps do not describe them; 1: unknown */
};

/* The changes of n finite values in order of time. None is STATS_OK with count 0, also for a constant series and for
 * one too short to have two levels. Release the result. O(n log n), no random numbers.
 *
 * min_relative drops the smallest change below it, then sees what is left; how large a change is is told from at most
 * 30 values on each side, so that small changes or a drift farther away do not add up to one. A change from a level
 * that is not above 0 has no relative size and is kept. */
enum stats_status edivisive_find(const double *x, size_t n, const struct edivisive_options *options,
                                 struct edivisive *out);
void edivisive_release(struct edivisive *result);

#endif
