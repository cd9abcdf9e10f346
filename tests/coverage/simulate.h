/* Whole experiments on made-up programs: how often an interval misses the truth, or a verdict is false. */
#ifndef TARE_TESTS_COVERAGE_SIMULATE_H
#define TARE_TESTS_COVERAGE_SIMULATE_H

#include "coverage/family.h"

enum plan {
	PLAN_MEAN,         /* mean of one system, t over R runs; nothing is claimed of it for skewed shapes */
	PLAN_UNPAIRED,     /* ratio of R runs each, Fieller with t */
	PLAN_PAIRED,       /* ratio of R pairs of runs, Fieller with t */
	PLAN_LOOK,         /* one look of the three-part verdict at R units of 20 pairs */
	PLAN_PRECISION,    /* pairs of runs from R on, until the interval is short enough */
	PLAN_VERDICT,      /* units of 20 pairs, a look after each from R on, at most 100 units; A against A */
	PLAN_VERDICT_PAIR, /* pairs of runs as units, total alone, at most 100; A against A */
	PLAN_MARGIN,       /* as PLAN_VERDICT with a true difference as large as the margin: a false "same" */
	PLAN_COUNT
};

struct cell {
	enum plan plan;
	enum family family;
	size_t runs; /* R */
	double alpha;
};

struct outcome {
	size_t replications;
	size_t wrong;   /* intervals that miss, differences called that do not exist, false "same" */
	size_t decided; /* experiments that stopped before their maximum */
	double runs;    /* mean number of runs, pairs or units */
};

/* The same seed and cell give the same outcome, whatever else is simulated. */
struct outcome simulate(const struct cell *cell, size_t replications, uint64_t seed);

/* The largest rate of `wrong` that is claimed: alpha + 0.5 points for the intervals of comparisons,
 * alpha for verdicts; 1 where nothing is claimed. */
double claimed_rate(const struct cell *cell);

/* Standard error of a rate near `rate` over so many replications. */
double simulation_error(double rate, size_t replications);

/* Whether the outcome is above the claim by more than two simulation errors. */
bool breaks_claim(const struct cell *cell, const struct outcome *outcome);

#endif
