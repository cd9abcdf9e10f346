/* Generated workloads whose truth is known: set-up, warm-up by a step or an exponential approach, a stable rate,
 * cool-down, autocorrelated unit readings. */
#ifndef TARE_TESTS_COVERAGE_WORKLOADS_H
#define TARE_TESTS_COVERAGE_WORKLOADS_H

#include <stddef.h>
#include <stdint.h>

enum workload {
	WORKLOAD_STEP,        /* the first tenth of a round of 1000 units 30 % slow */
	WORKLOAD_EXPONENTIAL, /* 30 % slow at first, 2 % after a tenth */
	WORKLOAD_COOL_DOWN,   /* a step, and the last twentieth 40 % slow */
	WORKLOAD_CACHE,       /* a tenth of the units twice as fast: alpha below 0 */
	WORKLOAD_WANDER,      /* a step, on a machine whose speed wanders from round to round: sd 5 %, autoregression 0.7 */
	WORKLOAD_SLOW_AT_TIMES, /* a step and short rounds, on a machine whose speed wanders by the second: sd 10 %, memory of 10 s */
	WORKLOADS
};

const char *workload_name(enum workload workload);

struct workload_rates {
	size_t rounds, phases; /* rounds with unit readings, and those whose two borders are within 2 % of the round */
	size_t sessions, ended, speed, alpha,
		predicted;   /* over work amounts: how many ended, and what their intervals hold */
	double readings; /* median of rounds to the end */
};

/* `sessions` sessions of 10 rounds of 1000 unit readings, and as many over work amounts (normal preset, rounds of 1 s
 * and more). The truth of a prediction is one more round of twice the largest amount. */
struct workload_rates workload_sessions(enum workload workload, size_t sessions, uint64_t seed);

#endif
