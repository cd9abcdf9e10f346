/* tare's own rule for one benchmark: where its warm-up ends, how long its runs are, and when there are enough of them.
 *
 * The first run scouts: it goes on until its warm-up is over (MSER-5) and what follows is steady. Later runs skip as
 * many iterations and measure as many after that as is best (Kalibera and Jones 2013) for the variation seen inside and
 * between runs. Runs are made until the interval over their means is as short as wanted (docs/methods.md), or the
 * caller has its verdict.
 *
 * Several programs that are compared (sides) share one rule: what is left out, and how long a run is, is the same for
 * all, so that pairs stay pairs. `tare bench` and the replay both play it: begin a run, add iterations while it goes
 * on, end the run. Values are means of iterations. */
#ifndef TARE_DECIDE_AUTO_RULE_H
#define TARE_DECIDE_AUTO_RULE_H

#include "base/error.h"
#include "decide/estimate.h"

#include <stdbool.h>
#include <stddef.h>

struct auto_options {
	size_t sides;                 /* 1 */
	double precision;             /* relative half-width to reach, 0.01; what is left of a warm-up is small beside it */
	double confidence;            /* of that interval, 0.95 */
	size_t min_runs, max_runs;    /* at least ⌈3 + 3 %/target⌉, ten at most, whatever is asked for; 0: no limit */
	size_t min_scout;             /* iterations of the first run; 0: by the precision */
	size_t max_length;            /* iterations of any run */
	size_t iterations;            /* measured in each run; 0: the best number, */
	size_t least_rest, most_rest; /* within these; */
	size_t first_rest;            /* before that is known; 0: few */
	size_t resize_from;           /* runs from which on it is chosen by what they show; 3 */
	size_t min_warmup, max_warmup; /* iterations left out of each run */
	double start_cost;             /* of starting a run, in iterations */
};

/* 1 %, 95 %, 10 runs or more without limit, runs of at most 100 iterations; 4 or more measured. */
void auto_options_init(struct auto_options *options);

struct auto_rule; /* one benchmark */

struct auto_rule *auto_rule_new(const struct auto_options *options); /* NULL: no memory */
void auto_rule_free(struct auto_rule *rule);

/* A run: begin, add a value of each side, ask whether it goes on, …, end. goes_on is asked for the sides first … last −
 * 1, which have the same number of values: all of them where they take turns, one where each has its run after the
 * other's. A value that is not finite makes the run one that tells nothing of the warm-up. -1: no memory. */
void auto_rule_begin_run(struct auto_rule *rule);
int auto_rule_add(struct auto_rule *rule, size_t side, double value, struct error *err);
int auto_rule_goes_on(struct auto_rule *rule, size_t first, size_t last, bool *more, struct error *err);

/* The run is over; *length: the iterations of it that are kept, the same for every side. */
int auto_rule_end_run(struct auto_rule *rule, size_t *length, struct error *err);

bool auto_rule_is_enough(const struct auto_rule *rule); /* it is, or there are max_runs */

/* Runs that have iterations after what is left out now; a warm-up that was found to be longer may use up earlier
 * ones. */
size_t auto_rule_usable_runs(const struct auto_rule *rule);

size_t auto_rule_skip(const struct auto_rule *rule);                     /* iterations left out of each run, so far */
size_t auto_rule_next_length(const struct auto_rule *rule);              /* iterations of the next run, at least */
size_t auto_rule_later_length(const struct auto_rule *rule);             /* of those after it */
const struct estimate *auto_rule_estimate(const struct auto_rule *rule); /* means of the runs of the first side */

struct auto_outcome {
	size_t runs, iterations; /* iterations of all runs, warm-up with them */
	size_t skip;             /* left out of each run */
	bool settled;            /* the end of the warm-up was seen on every side, and a steady rest */
	bool looked;             /* the first run was long enough to look for it */
	size_t scout;            /* iterations of the first run */
	bool precise;            /* the interval is as short as wanted */
	double mean, low, high;  /* NaN below two runs */
	double allowance;        /* part of their relative half-width: what a glance may not have seen */
};

void auto_rule_outcome(const struct auto_rule *rule, struct auto_outcome *out);

/* Iterations worth measuring in a run: `within` the variance that the mean of k iterations has, times k; `between`, the
 * variance of the means of runs with `measured` iterations each; `overhead` what a run costs before its first measured
 * iteration, in iterations. At least 1. */
size_t auto_best_length(double within, double between, double measured, double overhead);

/* The same where pairs are judged: with runs of so many iterations, as many as an interval of 0.8 times `precision` at any
 * look needs take the least time, the fewest runs of a verdict allowed for. 0: no number is enough. */
size_t auto_soonest_length(const struct auto_options *options, double within, double between, double measured,
                           double overhead);

#endif
