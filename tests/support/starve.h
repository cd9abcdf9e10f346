/* Out of memory, one allocation at a time. */
#ifndef TARE_TESTS_SUPPORT_STARVE_H
#define TARE_TESTS_SUPPORT_STARVE_H

#include "base/memory.h"
#include "stats/status.h"
#include "support/known.h"

/* Calls `attempt` with its 1st, 2nd, … allocation failing until one call needs no more: every starved call must
 * return STATS_NO_MEMORY, the last one STATS_OK. Returns how many allocations were failed. */
static inline long starve(enum stats_status (*attempt)(void *data), void *data)
{
	for (long failed = 0;; failed++) {
		mem_fail_at(failed + 1);
		enum stats_status status = attempt(data);
		int starved = mem_failed();
		mem_fail_at(0);
		assert_int_equal(status, starved ? STATS_NO_MEMORY : STATS_OK);
		if (!starved)
			return failed;
	}
}

#endif
