/* tare's own rule for one benchmark: where its warm-up ends, how long its runs are, and when there are enough of them.
 *
 * The first run scouts: it goes on until its warm-up is over (MSER-5) and what follows is steady. Later runs skip as many
 * iterations and measure as many after that as is best (paper 004) for the variation seen inside and between runs. Runs
 * are made until the interval over their means is as short as wanted (docs/methods.md). Values are means of iterations. */
#ifndef TARE_DECIDE_AUTO_RULE_H
#define TARE_DECIDE_AUTO_RULE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct auto_options {
	double precision;  /* relative half-width to reach, 0.01 */
	double confidence; /* of that interval, 0.95 */
	size_t min_runs, max_runs; /* at a target of 1 % or less at least 5; 0: no limit */
	size_t min_scout;  /* iterations of the first run; 0: by the precision */
	size_t max_length; /* iterations of any run */
	double start_cost; /* of starting a run, in iterations */
};

/* 1 %, 95 %, 10 runs or more without limit, runs of at most 100 iterations. */
void auto_options_init(struct auto_options *options);

enum auto_step {
	AUTO_ITERATION, /* one more in this run */
	AUTO_RUN,       /* a new run; its first iteration follows */
	AUTO_STOP,
};

struct auto_rule; /* one benchmark */

struct auto_rule *auto_rule_new(const struct auto_options *options); /* NULL: no memory */
void auto_rule_free(struct auto_rule *rule);

/* What to do now. After AUTO_RUN and AUTO_ITERATION the value of one iteration is added. -1: no memory. */
int auto_rule_next(struct auto_rule *rule, enum auto_step *step, struct error *err);
int auto_rule_add(struct auto_rule *rule, double value, struct error *err);

struct auto_outcome {
	size_t runs, iterations; /* iterations of all runs, warm-up with them */
	size_t skip;             /* left out of each run */
	bool settled;            /* the scout saw the end of the warm-up, and a steady rest */
	bool precise;            /* the interval is as short as wanted */
	double mean, low, high;  /* NaN below two runs */
};

void auto_rule_outcome(const struct auto_rule *rule, struct auto_outcome *out);

/* The means of the runs after their warm-up, as many as outcome.runs; the rule's own memory. */
const double *auto_rule_means(const struct auto_rule *rule);

/* The first iteration of run r that counts. */
size_t auto_rule_first(const struct auto_rule *rule, size_t r);

/* Variance of the mean of k iterations like these, times k: that of independent ones times (1 + r₁)/(1 − r₁). */
double auto_within(const double *x, size_t n);

/* Iterations worth measuring in a run: `within` the variance that the mean of k iterations has, times k; `between`, the
 * variance of the means of runs with `measured` iterations each; `overhead` what a run costs before its first measured
 * iteration, in iterations. At least 1. */
size_t auto_best_length(double within, double between, double measured, double overhead);

#endif
