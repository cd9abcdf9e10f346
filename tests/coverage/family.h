/* Made-up programs whose true ratio is known: the shapes of noise that benchmarks meet.
 *
 * Values are relative to a time of 1. Two programs of a source have the same shape; new is
 * `ratio` times base. */
#ifndef TARE_TESTS_COVERAGE_FAMILY_H
#define TARE_TESTS_COVERAGE_FAMILY_H

#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>

enum family {
	FAMILY_NORMAL,     /* sd 2 % */
	FAMILY_LOGNORMAL,  /* sigma 0.5 */
	FAMILY_BIMODAL_50, /* that share of processes is 30 % slower; sd 1 % besides */
	FAMILY_BIMODAL_20,
	FAMILY_BIMODAL_5,
	FAMILY_AR_IN_RUNS,   /* iterations: first-order autoregression 0.8, sd 5 %; runs differ by 1 % */
	FAMILY_HEAVY_TAILED, /* Student's t with 3 degrees of freedom, scale 2 % */
	FAMILY_SHARED_DRIFT, /* both sides of a pair move by 20 %, autoregression 0.95 over pairs; private sd 1 % */
	FAMILY_CONTAMINATED, /* 2 % of values take 1 + exponential(5) times as long; sd 1 % besides */
	FAMILY_GAMMA,        /* shape 4 */
	FAMILY_WEIBULL,      /* shape 1.5 */
	FAMILY_THREE_MODES,  /* 50, 30 and 20 % of processes at 1, 1.2 and 1.6; sd 1 % besides */
	FAMILY_PARETO_18,    /* index 1.8: no variance */
	FAMILY_PARETO_25,
	FAMILY_CLOCK_1, /* sd 2 %, read by a clock with steps of 1, 5 and 20 % of the value */
	FAMILY_CLOCK_5,
	FAMILY_CLOCK_20,
	FAMILY_TAIL_RARE, /* 0.1 % of processes take 20 times as long; sd 1 % besides */
	FAMILY_TAIL_ONE,  /* 1 %, 5 times */
	FAMILY_TAIL_FIVE, /* 5 %, twice */
	FAMILY_STATES,    /* the machine is 30 % slower for 20 pairs on average, then not; sd 1 % besides */
	/* From here on a side depends on its own past: nothing is claimed. */
	FAMILY_AR_OWN,     /* each side: first-order autoregression 0.5 over pairs, sd 2 % */
	FAMILY_STATES_OWN, /* each side: 10 % slower for 20 pairs on average, then not; sd 1 % besides */
	FAMILY_COUNT
};

/* Whether the pairs of the family are independent, or depend on each other on both sides alike. */
bool family_is_exchangeable(enum family family);

const char *family_name(enum family family);

/* The true mean of base. */
double family_mean(enum family family);

/* The step of its clock; 0: none that matters. */
double family_clock(enum family family);

/* The sd of new − base of one pair of runs, roughly: for choosing a precision that takes some runs. */
double family_pair_sd(enum family family);

struct source {
	struct random random;
	enum family family;
	double ratio;
	double drift;
	double own[2];                  /* the states of the sides, where each has its own */
	double tail_share, tail_factor; /* of new alone: that share of its processes takes so many times as long */
	bool new_first_next;            /* second half of an ABBA or BAAB group */
	bool second_half;
};

/* A stream of its own for every (seed, stream). */
void source_init(struct source *source, enum family family, double ratio, uint64_t seed, unsigned stream);

/* Starts a new experiment: the drift is drawn afresh. */
void source_restart(struct source *source);

/* The means of one run of each program. */
void source_runs(struct source *source, double *base, double *new_);

/* A unit of n pairs: processes one after the other, or (FAMILY_AR_IN_RUNS) iterations of two runs. */
void source_unit(struct source *source, size_t n, double *base, double *new_, unsigned char *order);

#endif
