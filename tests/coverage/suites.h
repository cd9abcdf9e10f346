/* Generated benchmarks with known truth, for replaying stop rules: runs > iterations > invocations.
 *
 * A value is level(run, iteration) × a lognormal factor with mean 1, so the truth, the mean of a run in its steady
 * state over all runs, is known exactly. Parameters of a benchmark (sizes, places, noise) come from its own random
 * stream. */
#ifndef TESTS_COVERAGE_SUITES_H
#define TESTS_COVERAGE_SUITES_H

#include "stats/nested.h"

#include <stddef.h>
#include <stdint.h>

enum suite_kind {
	SUITE_STEADY,    /* nothing but noise; the first iteration is slow */
	SUITE_CURVE,     /* warm-up that fades */
	SUITE_STEPS,     /* warm-up in one to three steps, each run's own a little earlier or later */
	SUITE_SLOWER,    /* faster at first: the later level counts */
	SUITE_MODES,     /* runs fall into one of two levels */
	SUITE_DEPENDENT, /* iterations with autocorrelation 0.6 to 0.95 */
	SUITE_RESTLESS,  /* no steady state: jumps between two levels for ever; its long-run mean counts */
	SUITE_TAIL,      /* some invocations take several times as long */
	SUITE_KINDS
};

const char *suite_kind_name(enum suite_kind kind);

struct suite_shape {
	size_t runs, iterations, invocations;
};

struct suite_benchmark {
	struct suite_shape shape;
	double truth;
	double *values;
	uint32_t *runs, *iterations;
	struct nested view;
};

/* Benchmark `index` of that kind, measured for the `repetition`th time: same parameters, other noise. False: no
 * memory. */
int suite_make(struct suite_benchmark *out, enum suite_kind kind, uint64_t seed, size_t index, size_t repetition,
               const struct suite_shape *shape);
void suite_release(struct suite_benchmark *benchmark);

#endif
