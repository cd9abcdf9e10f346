/* Steps of each benchmark; with -DMORE every third takes one per cent more. */
#include "bench/suite_pairs_suite.h"

#ifdef MORE
#define THREE(steps) steps, steps * 2, steps * 4 + steps / 25
#else
#define THREE(steps) steps, steps * 2, steps * 4
#endif

const uint32_t suite_steps[30] = {
	THREE(500), THREE(500), THREE(500), THREE(500), THREE(500),
	THREE(500), THREE(500), THREE(500), THREE(500), THREE(500),
};
