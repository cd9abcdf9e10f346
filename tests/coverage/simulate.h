/* Whole experiments on made-up programs: how often an interval misses the truth, or a verdict is false. */
#ifndef TARE_TESTS_COVERAGE_SIMULATE_H
#define TARE_TESTS_COVERAGE_SIMULATE_H

#include "coverage/family.h"

enum plan {
	PLAN_MEAN,      /* mean of one system, t over R runs; nothing is claimed of it for skewed shapes */
	PLAN_UNPAIRED,  /* ratio of R runs each, Fieller with t */
	PLAN_UNEQUAL,   /* verdict of R runs of base and 30 of new, without pairs; A against A */
	PLAN_PAIRED,    /* ratio of R pairs of runs, Fieller with t */
	PLAN_PRECISION, /* pairs of runs from R on, until the interval is short enough */
	PLAN_LOOK,      /* one look of the verdict rule at R pairs of single runs; A against A */
	PLAN_LIVE,      /* looks at numbers of pairs that grow by a fifth, up to R or a verdict; A against A */
	PLAN_RUNS,      /* the same for R pairs of runs of 20 iterations */
	PLAN_MARGIN,    /* as PLAN_LOOK with a true difference as large as the margin: a false "same" */
	PLAN_MARGIN_LIVE,
	PLAN_TAIL, /* as PLAN_LOOK; 5/R of new's runs, one per cent at least, cost 5 margins: a false "same" of scope total */
	PLAN_PHASES, /* as PLAN_LIVE after a first phase of ten pairs with a quarter of the level, which are then left out */
	PLAN_SUITE_EQUAL, /* a suite of 10 comparisons up to R pairs each, nothing changed: any call is false */
	PLAN_SUITE_LOOK,  /* one look at a suite in which every third is changed: the share of false ones among the called;
	                     `decided` counts suites whose intervals exclude "no effect" exactly where a row is changed */
	PLAN_SUITE_LIVE,  /* the same, live; what is decided rests */
	PLAN_POWER, /* as PLAN_LOOK with a difference of 2.5 %; `decided` counts what is called different; nothing is claimed */
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
	double wrong;   /* intervals that miss, differences called that do not exist, false "same", shares of false calls */
	size_t decided; /* experiments that stopped before their maximum, or ended with the verdict that is right */
	double runs;    /* mean number of runs, pairs or units */
};

/* The same seed and cell give the same outcome, whatever else is simulated. */
struct outcome simulate(const struct cell *cell, size_t replications, uint64_t seed);

/* The largest rate of `wrong` that is claimed: alpha + 0.5 points for the intervals of comparisons,
 * alpha for verdicts, 1 % for a false "same"; 1 where nothing is claimed. */
double claimed_rate(const struct cell *cell);

/* Standard error of a rate near `rate` over so many replications. */
double simulation_error(double rate, size_t replications);

/* Whether the outcome is above the claim by more than two simulation errors. */
bool breaks_claim(const struct cell *cell, const struct outcome *outcome);

#endif
