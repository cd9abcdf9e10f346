/* A small part of workload-rates with a fixed seed: 20 sessions each. At a true rate of 95 %, 16 or fewer of 20 happen
 * once in 60; on the wandering machine, where rounds resemble their neighbours and the rate is 93 %, 15 or fewer once
 * in 75. Phases are 200 rounds, of which 95 % must be right. */
#include "coverage/workloads.h"

#include "support/known.h"

static void truth_is_held(void **state)
{
	(void)state;
	for (int w = 0; w < WORKLOAD_SLOW_AT_TIMES; w++) {
		struct workload_rates r = workload_sessions((enum workload)w, 20, 2);
		const char *name = workload_name((enum workload)w);
		size_t least = w == WORKLOAD_WANDER ? 16 : 17;
		if (100 * r.phases < 95 * r.rounds)
			fail_msg("%s: phases right in %zu of %zu rounds", name, r.phases, r.rounds);
		if (r.ended != r.sessions || r.speed < least || r.alpha < least || r.predicted < least)
			fail_msg("%s: %zu ended, speed %zu, alpha %zu, predicted %zu", name, r.ended, r.speed, r.alpha,
			         r.predicted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(truth_is_held),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
