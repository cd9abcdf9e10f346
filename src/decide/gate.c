/* The gate decision.
 *
 * With the ratio turned so that above 1 is worse, limit G, share limit L = 3·max(G, 1 %) in percentage points:
 *	broken: the interval of typical, or of total, lies above 1 + G, or the slow share's above L;
 *	held:   not broken, and at 2α typical lies under 1 + G and the share under L; without typical: total under 1 + G at
 *	        2α; with it, total under 1 + G at α will do as well, so that more pairs never open a gate that held;
 *	open:   else, or before the least number of pairs.
 *
 * A suite: a comparison is broken when the smallest alpha at which it would be so survives Holm's correction among all
 * comparisons. Held needs no correction: that all are held is claimed only when each is shown. */
#include "decide/gate.h"

#include "base/memory.h"
#include "stats/multiple.h"
#include "stats/verdict_parts.h"

#include <math.h>

static const double least_share_limit = 0.01, share_per_limit = 3;

double gate_share_limit(double limit)
{
	return share_per_limit * fmax(limit, least_share_limit);
}

struct interval gate_turned(struct interval ratio)
{
	return (struct interval){ratio.high > 0 ? 1 / ratio.high : -INFINITY, ratio.low > 0 ? 1 / ratio.low : INFINITY};
}

/* Above 1 is worse. */
static struct interval turned(struct interval ratio, enum better better)
{
	return better == BETTER_LOWER ? ratio : gate_turned(ratio);
}

static bool is_under(const struct verdict_numbers *numbers, enum verdict_part_bit part, double alpha, double limit,
                     enum better better)
{
	return turned(verdict_interval(numbers, part, alpha), better).high < 1 + limit;
}

static bool is_held_by_typical(const struct verdict_numbers *numbers, double alpha, double limit, enum better better)
{
	return numbers->typical.used && is_under(numbers, VERDICT_TYPICAL, 2 * alpha, limit, better) &&
	       (!numbers->share.used || verdict_interval(numbers, VERDICT_SHARE, 2 * alpha).high < gate_share_limit(limit));
}

static double alpha_of_total(const struct verdict_numbers *numbers, double alpha)
{
	return numbers->typical.used ? alpha : 2 * alpha;
}

static bool is_held(const struct verdict_numbers *numbers, double alpha, double limit, enum better better)
{
	return is_held_by_typical(numbers, alpha, limit, better) ||
	       is_under(numbers, VERDICT_TOTAL, alpha_of_total(numbers, alpha), limit, better);
}

double gate_broken_p(const struct verdict_numbers *numbers, double limit, enum better better)
{
	if (numbers->runs == 0 || (numbers->unresolved & VERDICT_PAIRS))
		return 1;
	int sign = better == BETTER_LOWER ? 1 : -1;
	return verdict_beyond_p(numbers, sign, sign > 0 ? 1 + limit : 1 / (1 + limit), gate_share_limit(limit));
}

enum gate gate_corrected(const struct verdict_numbers *numbers, double corrected_p, double alpha, double limit,
                         enum better better)
{
	if (numbers->runs == 0 || (numbers->unresolved & VERDICT_PAIRS))
		return GATE_OPEN;
	if (corrected_p < alpha)
		return GATE_BROKEN;
	return is_held(numbers, alpha, limit, better) ? GATE_HELD : GATE_OPEN;
}

int gate_of_suite(const struct verdict_numbers *numbers, double alpha, size_t n, double limit,
                  const enum better *better, enum gate *gates, struct error *err)
{
	if (n == 0)
		return 0;
	double *broken = mem_alloc(n, sizeof(*broken));
	if (!broken)
		return error_memory(err);
	for (size_t i = 0; i < n; i++)
		broken[i] = gate_broken_p(&numbers[i], limit, better[i]);
	if (holm_adjust(broken, n, broken) != STATS_OK) {
		mem_free(broken);
		return error_memory(err);
	}
	for (size_t i = 0; i < n; i++)
		gates[i] = gate_corrected(&numbers[i], broken[i], alpha, limit, better[i]);
	mem_free(broken);
	return 0;
}

struct gate_interval gate_interval_of(const struct verdict_numbers *numbers, enum gate gate, double alpha, double limit,
                                      enum better better)
{
	struct gate_interval typical = {VERDICT_TYPICAL, 2 * alpha, {NAN, NAN}};
	struct gate_interval total = {VERDICT_TOTAL, alpha_of_total(numbers, alpha), {NAN, NAN}};
	struct gate_interval share = {VERDICT_SHARE, PARTS_WEIGHT_OF_SHARE * alpha, numbers->share.interval};
	struct gate_interval *chosen = numbers->typical.used ? &typical : &total;
	if (gate == GATE_BROKEN) {
		typical.alpha = PARTS_WEIGHT_OF_TYPICAL * alpha;
		total.alpha = parts_weight_of_total(&numbers->evidence) * alpha;
		bool by_typical = numbers->typical.used && turned(numbers->typical.interval, better).low > 1 + limit;
		bool by_total = turned(numbers->total.interval, better).low > 1 + limit;
		if (!by_typical && !by_total && numbers->share.used && share.ratio.low > gate_share_limit(limit))
			return share;
		chosen = by_total && !by_typical ? &total : chosen;
	} else if (!is_held_by_typical(numbers, alpha, limit, better) &&
	           (gate == GATE_HELD || is_under(numbers, VERDICT_TYPICAL, 2 * alpha, limit, better))) {
		chosen = &total; /* an open gate shows what keeps it open: where the share does, typical lies within it */
	}
	chosen->ratio = verdict_interval(numbers, chosen->part, chosen->alpha);
	/* Of what was shown at an earlier look the interval is the one that shows it. */
	if (gate == GATE_BROKEN)
		chosen->ratio = chosen->part == VERDICT_TYPICAL ? numbers->typical.interval : numbers->total.interval;
	return *chosen;
}
