#include "decide/jury.h"

#include "base/memory.h"
#include "stats/multiple.h"

#include <math.h>
#include <string.h>

int jury_init(struct jury *jury, size_t count, const struct judge_options *options, struct error *err)
{
	memset(jury, 0, sizeof(*jury));
	jury->gate = jury->precision = NAN;
	jury->judges = mem_zalloc(count, sizeof(*jury->judges));
	jury->numbers = mem_zalloc(count, sizeof(*jury->numbers));
	jury->decided = mem_zalloc(count, sizeof(*jury->decided));
	jury->missing = mem_zalloc(count, sizeof(*jury->missing));
	jury->p = mem_zalloc(count, sizeof(*jury->p));
	jury->p_same = mem_zalloc(count, sizeof(*jury->p_same));
	jury->gates = mem_zalloc(count, sizeof(*jury->gates));
	jury->better = mem_zalloc(count, sizeof(*jury->better));
	if (!jury->judges || !jury->numbers || !jury->decided || !jury->missing || !jury->p || !jury->p_same ||
	    !jury->gates || !jury->better) {
		jury_release(jury);
		return error_memory(err);
	}
	jury->count = count;
	for (size_t i = 0; i < count; i++)
		judge_init(&jury->judges[i], options);
	return 0;
}

void jury_release(struct jury *jury)
{
	for (size_t i = 0; i < jury->count; i++)
		judge_release(&jury->judges[i]);
	mem_free(jury->judges);
	mem_free(jury->numbers);
	mem_free(jury->decided);
	mem_free(jury->missing);
	mem_free(jury->p);
	mem_free(jury->p_same);
	mem_free(jury->gates);
	mem_free(jury->better);
	memset(jury, 0, sizeof(*jury));
}

/* What decides a single comparison: the number that the rule waits for. */
static const struct verdict_part *waiting_part(const struct verdict_numbers *n)
{
	return n->typical.used ? &n->typical : &n->total;
}

/* The half-width of a part in logs. */
static double half_width(const struct verdict_part *part)
{
	if (!part->used || part->unbounded || !(part->interval.low > 0))
		return INFINITY;
	return (log(part->interval.high) - log(part->interval.low)) / 2;
}

/* By which factor a part is too wide: to "different" the half-width must get under the estimate, to "same" it must leave
 * the margin free; whichever comes first. */
static double too_wide(const struct verdict_part *part, double margin)
{
	double size = part->estimate > 0 ? fabs(log(part->estimate)) : 0, target = fmax(size, log1p(margin) - size);
	return target > 0 ? half_width(part) / target : INFINITY;
}

/* The same for a gate: its limit must not lie in the interval. */
static double too_wide_for_gate(const struct verdict_part *part, double gate, enum better better)
{
	double worse = part->estimate > 0 ? log(part->estimate) * (better == BETTER_LOWER ? 1 : -1) : 0;
	double target = fabs(worse - log1p(gate));
	return target > 0 ? half_width(part) / target : INFINITY;
}

/* How much longer: widths shrink with the root of the number of units. */
static double missing_for_verdict(const struct verdict_numbers *n, double factor, double share_margin)
{
	if (n->share.used && !n->share.inside && n->typical.inside && n->share.se > 0) {
		double most = fmax(fabs(n->share.same_interval.low), fabs(n->share.same_interval.high));
		factor = fmax(factor, most / share_margin);
	}
	return fmax(factor * factor - 1, 0);
}

static bool is_decided(const struct jury *jury, size_t i, double alpha)
{
	const struct verdict_numbers *n = &jury->numbers[i];
	if (n->units < jury->judges[i].options.verdict.least_units)
		return false;
	if (!isnan(jury->gate))
		return jury->gates[i] > GATE_OPEN; /* before the first look it is NONE */
	if (!isnan(jury->precision))
		return half_width(waiting_part(n)) <= log1p(jury->precision);
	if (jury->p[i] <= alpha && n->verdict != RATIO_SAME && n->verdict != RATIO_UNDECIDED)
		return true;
	return n->verdict == RATIO_SAME && jury->p_same[i] <= alpha && (n->same_total || !jury->until_total);
}

double jury_missing(const struct jury *jury, size_t i)
{
	const struct verdict_numbers *n = &jury->numbers[i];
	if (n->units < 2)
		return INFINITY;
	if (!isnan(jury->precision)) {
		double factor = half_width(waiting_part(n)) / log1p(jury->precision);
		return fmax(factor * factor - 1, 0);
	}
	const struct verdict_options *rule = &jury->judges[i].options.verdict;
	double factor = isnan(jury->gate) ? too_wide(waiting_part(n), rule->margin)
	                                  : too_wide_for_gate(waiting_part(n), jury->gate, jury->better[i]);
	if (isnan(jury->gate) && jury->until_total)
		factor = fmax(factor, too_wide(&n->total, rule->margin));
	return missing_for_verdict(n, factor, rule->share_margin);
}

int jury_look(struct jury *jury, struct jury_look *out, struct error *err)
{
	const struct verdict_options *rule = &jury->judges[0].options.verdict;
	*out = (struct jury_look){.missing = 0};
	for (size_t i = 0; i < jury->count; i++) {
		bool correlated;
		jury->p[i] = jury->p_same[i] = 1;
		memset(&jury->numbers[i], 0, sizeof(jury->numbers[i]));
		if (judge_look(&jury->judges[i], &jury->numbers[i], &correlated) != STATS_OK)
			continue;
		jury->p[i] = verdict_difference_p(&jury->numbers[i]);
		jury->p_same[i] = verdict_same_p(&jury->numbers[i], rule, jury->until_total);
	}
	if (jury->count > 1) {
		holm_adjust(jury->p, jury->count, jury->p);
		holm_adjust(jury->p_same, jury->count, jury->p_same);
	}
	if (!isnan(jury->gate) &&
	    gate_of_suite(jury->numbers, rule->alpha, jury->count, jury->gate, jury->better, jury->gates, err) != 0)
		return -1;
	for (size_t i = 0; i < jury->count; i++) {
		jury->decided[i] = is_decided(jury, i, rule->alpha);
		jury->missing[i] = jury->decided[i] ? 0 : jury_missing(jury, i);
		if (jury->decided[i])
			continue;
		if (out->open++ == 0 || jury->missing[i] > out->missing) {
			out->worst = i;
			out->missing = jury->missing[i];
		}
	}
	return 0;
}
