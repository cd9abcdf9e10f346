/* Made-up histories that step, walk or cycle, and how often their changes are marked as wandering or a cycle. */
#ifndef TARE_TESTS_COVERAGE_PATTERNS_H
#define TARE_TESTS_COVERAGE_PATTERNS_H

#include "base/random.h"

enum pattern_kind {
	MADE_STEP,      /* one true step of four standard deviations in the middle */
	MADE_WALK,      /* a random walk and white noise with the standard deviation of its steps */
	MADE_PART_CYCLE /* one and a half periods of a sine of amplitude 4, and white noise */
};

struct pattern_case {
	enum pattern_kind kind;
	double rho; /* of the noise about a step, AR(1) of variance 1 */
	size_t n;
};

struct pattern_rates {
	size_t series;
	size_t found;  /* any change */
	size_t marked; /* of those: as wandering or as a cycle */
};

/* Ends the program without memory. */
struct pattern_rates patterns_simulate(const struct pattern_case *pattern, size_t series, uint64_t seed);

#endif
