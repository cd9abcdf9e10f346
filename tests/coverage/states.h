/* Iterations of made-up benchmarks whose state is known, and how often it is found (docs/methods.md, "Warm-up and
 * steady state"). */
#ifndef TARE_TESTS_COVERAGE_STATES_H
#define TARE_TESTS_COVERAGE_STATES_H

#include <stddef.h>
#include <stdint.h>

enum { STATES_RUNS = 3, STATES_LENGTH = 300 };

enum states_kind {
	STATES_STEADY,       /* independent from the first iteration */
	STATES_WARMUP_STEP,  /* slower until iteration k */
	STATES_WARMUP_CURVE, /* approaches its level */
	STATES_LATE,         /* slower from iteration k on, past the middle */
	STATES_SLOWER,       /* slower from iteration k on, before the middle */
	STATES_ODD_EVEN,
	STATES_PERIODIC, /* every k-th iteration is slow */
	STATES_AR50,
	STATES_AR70,
	STATES_AR80,
	STATES_AR90,
	STATES_AR95,
	STATES_AR99,
	STATES_ABRUPT, /* two levels, changed at random */
	STATES_DRIFT,  /* a random walk */
	STATES_TREND,
	STATES_KINDS
};

struct states_count {
	const char *name, *answer; /* of the kind, and what is right of it */
	int independent, initialised, never;
	int right;           /* state, and the iteration where it says from which */
	int georges, dacapo; /* a window of these rules that is not in a steady part; -1: they have no word for it */
};

/* Makes `benchmarks` of a kind and asks. */
void states_count(enum states_kind kind, int benchmarks, uint64_t seed, struct states_count *out);

#endif
