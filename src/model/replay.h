/* What stop rules would have done with complete data: plain numbers, one benchmark and a whole suite. */
#ifndef TARE_MODEL_REPLAY_H
#define TARE_MODEL_REPLAY_H

#include <stdbool.h>
#include <stddef.h>

/* One rule on one benchmark. */
struct replay_outcome {
	double cost, full_cost; /* in iterations; starting runs counted in */
	double mean, full_mean;
	double change;                /* |mean/full_mean − 1| */
	double low, high;             /* the interval that would have been reported; NaN: one run */
	double variance;              /* of the means of runs; NaN: one run */
	double allowance;             /* part of the relative half-width that is not from them */
	double their_low, their_high; /* the paper's: bootstrap over all levels; NaN: not made, or one run */
	bool compared;                /* both have two runs or more */
	bool equal;                   /* our interval of the ratio to the full data holds 1 */
	bool equal_bootstrap;         /* the paper's own does: bootstrap over all levels */
	double half_width;            /* of our ratio interval, relative; NaN */
	size_t runs;
	size_t warm_runs; /* in which the warm-up was found to be over */
	double warmup;    /* iterations left out, mean over runs */
	bool stable;      /* the rule held after the last run; with one run never */
};

enum { REPLAY_LIMITS = 3 }; /* 1, 2, 3 % */

/* One rule over a suite. Shares are fractions; NaN: nothing to take them of. */
struct replay_row {
	const char *rule;
	size_t benchmarks;
	double saved;             /* share of the time of all full data */
	double change, change_sd; /* mean over benchmarks */
	double change_median, change_p90, change_most;
	double under[REPLAY_LIMITS]; /* share with a change below 1, 2, 3 % */
	size_t compared;             /* benchmarks with two runs on both sides */
	double equal, equal_bootstrap, half_width;
	double warm;   /* share of runs whose warm-up was found to be over */
	double stable; /* share of benchmarks that were stable before the runs were over */
	double warmup, warmup_sd, runs, runs_sd;
};

/* `rule` is not copied. -1: no memory. */
int replay_summarise(const struct replay_outcome *outcomes, size_t count, const char *rule, struct replay_row *out);

#endif
