/* The first iterations of a benchmark are slow (caches, branch prediction, a JIT), so the search aims a fifth above the
 * target and never trusts one time for more than a factor of ten. */
#include "measure/invocations.h"

static const double CLOCK_SHARE = 1000; /* 0.1 % */
static const double AIM_ABOVE = 1.2;

double invocations_target(double clock_cost, double clock_resolution, double wanted)
{
	double least = CLOCK_SHARE * (clock_cost + clock_resolution);
	return least > wanted ? least : wanted;
}

uint64_t invocations_for(uint64_t count, double wall, double target)
{
	double wanted = wall > 0 ? (double)count * target / wall : (double)INVOCATIONS_MAX;
	if (wanted < 1)
		return 1;
	return wanted < (double)INVOCATIONS_MAX ? (uint64_t)wanted : INVOCATIONS_MAX;
}

bool invocations_enough(uint64_t count, double wall, double target, uint64_t *next)
{
	if (wall >= target || count >= INVOCATIONS_MAX)
		return true;
	uint64_t aim = invocations_for(count, wall, AIM_ABOVE * target);
	uint64_t most = count > INVOCATIONS_MAX / INVOCATIONS_GROWTH ? INVOCATIONS_MAX : count * INVOCATIONS_GROWTH;
	if (count == 0)
		most = 1;
	if (aim > most)
		aim = most;
	*next = aim > count ? aim : count + 1;
	return false;
}
