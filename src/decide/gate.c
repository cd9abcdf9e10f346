/* The gate decision.
 *
 * With the ratio turned so that above 1 is worse, limit G, share limit max(G, one percentage point):
 *	broken: the interval of typical, or of total, lies above 1 + G, or the slow share's above its limit;
 *	held:   not broken, and at α_s typical lies under 1 + G and the share under its limit (without typical:
 *	        total under 1 + G);
 *	open:   else, or before the least number of units.
 *
 * A suite: a comparison is broken, or held, when the smallest alpha at which it would be so survives
 * Holm's correction among all comparisons; the two questions are corrected apart. */
#include "decide/gate.h"

#include "base/memory.h"
#include "stats/multiple.h"

#include <math.h>

static const double least_share_limit = 0.01;

static double share_limit_of(double limit)
{
	return fmax(limit, least_share_limit);
}

struct interval gate_turned(struct interval ratio)
{
	return (struct interval){ratio.high > 0 ? 1 / ratio.high : -INFINITY, ratio.low > 0 ? 1 / ratio.low : INFINITY};
}

/* Above 1 is worse. */
static struct interval turned(struct interval ratio, bool unbounded, enum better better)
{
	if (unbounded)
		return (struct interval){-INFINITY, INFINITY};
	return better == BETTER_LOWER ? ratio : gate_turned(ratio);
}

static bool is_broken(const struct verdict_numbers *numbers, double limit, enum better better)
{
	const struct verdict_part *typical = &numbers->typical, *total = &numbers->total, *share = &numbers->share;
	return (typical->used && turned(typical->interval, typical->unbounded, better).low > 1 + limit) ||
	       (total->used && turned(total->interval, total->unbounded, better).low > 1 + limit) ||
	       (share->used && share->interval.low > share_limit_of(limit));
}

static bool is_held(const struct verdict_numbers *numbers, double limit, enum better better)
{
	const struct verdict_part *typical = &numbers->typical, *total = &numbers->total;
	if (typical->used)
		return turned(typical->same_interval, false, better).high < 1 + limit &&
		       numbers->share.same_interval.high < share_limit_of(limit);
	return turned(total->same_interval, false, better).high < 1 + limit;
}

enum gate gate_of(const struct verdict_numbers *numbers, double limit, enum better better)
{
	if (numbers->unresolved & VERDICT_UNITS)
		return GATE_OPEN;
	if (is_broken(numbers, limit, better))
		return GATE_BROKEN;
	return is_held(numbers, limit, better) ? GATE_HELD : GATE_OPEN;
}

int gate_of_suite(const struct verdict_numbers *numbers, double alpha, size_t n, double limit,
                  const enum better *better, enum gate *gates, struct error *err)
{
	if (n == 0)
		return 0;
	double *broken = mem_alloc(n, sizeof(*broken)), *held = mem_alloc(n, sizeof(*held));
	int result = -1;
	if (!broken || !held)
		goto done;
	for (size_t i = 0; i < n; i++) {
		int worse = better[i] == BETTER_LOWER ? 1 : -1;
		double ratio = worse > 0 ? 1 + limit : 1 / (1 + limit);
		bool ready = !(numbers[i].unresolved & VERDICT_UNITS);
		broken[i] = ready ? verdict_beyond_p(&numbers[i], worse, ratio, share_limit_of(limit)) : 1;
		held[i] = ready ? verdict_short_of_p(&numbers[i], worse, ratio, share_limit_of(limit)) : 1;
	}
	if (holm_adjust(broken, n, broken) != STATS_OK || holm_adjust(held, n, held) != STATS_OK)
		goto done;
	for (size_t i = 0; i < n; i++)
		gates[i] = broken[i] < alpha ? GATE_BROKEN : held[i] < alpha ? GATE_HELD : GATE_OPEN;
	result = 0;
done:
	mem_free(broken);
	mem_free(held);
	return result == 0 ? 0 : error_memory(err);
}

enum gate gate_worst(const enum gate *gates, size_t n)
{
	bool open = false;
	for (size_t i = 0; i < n; i++) {
		if (gates[i] == GATE_BROKEN)
			return GATE_BROKEN;
		open = open || gates[i] == GATE_OPEN;
	}
	return open ? GATE_OPEN : GATE_HELD;
}
