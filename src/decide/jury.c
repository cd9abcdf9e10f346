#include "decide/jury.h"

#include "base/memory.h"
#include "stats/multiple.h"

#include <math.h>
#include <string.h>

static const double told_effect = 0.2; /* of the effect: a half-width that tells its size */

int jury_init(struct jury *jury, size_t count, const struct judge_options *options, struct error *err)
{
	memset(jury, 0, sizeof(*jury));
	jury->gate = jury->precision = jury->told = NAN;
	jury->judges = mem_zalloc(count, sizeof(*jury->judges));
	jury->numbers = mem_zalloc(count, sizeof(*jury->numbers));
	jury->decided = mem_zalloc(count, sizeof(*jury->decided));
	jury->missing = mem_zalloc(count, sizeof(*jury->missing));
	jury->decided_at = mem_zalloc(count, sizeof(*jury->decided_at));
	jury->p = mem_zalloc(count, sizeof(*jury->p));
	jury->gates = mem_zalloc(count, sizeof(*jury->gates));
	jury->better = mem_zalloc(count, sizeof(*jury->better));
	if (!jury->judges || !jury->numbers || !jury->decided || !jury->missing || !jury->decided_at || !jury->p ||
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
	mem_free(jury->decided_at);
	mem_free(jury->p);
	mem_free(jury->gates);
	mem_free(jury->better);
	memset(jury, 0, sizeof(*jury));
}

bool jury_is_due(const struct jury *jury)
{
	for (size_t i = 0; i < jury->count; i++)
		if (jury->judges[i].due)
			return true;
	return false;
}

/* The number that is told: typical where it is known, unless the total alone was decided by. */
static const struct verdict_part *told_part(const struct verdict_numbers *n)
{
	bool by_total = n->decided_by && !(n->decided_by & VERDICT_TYPICAL) && (n->decided_by & VERDICT_TOTAL);
	return n->typical.used && !by_total ? &n->typical : &n->total;
}

static bool has_width(const struct verdict_part *part)
{
	return part->used && !part->unbounded && part->interval.low > 0;
}

/* The half-width of a part in logs. */
static double half_width(const struct verdict_part *part)
{
	return has_width(part) ? (log(part->interval.high) - log(part->interval.low)) / 2 : INFINITY;
}

static double same_half_width(const struct verdict_part *part)
{
	bool bounded = part->used && part->same_interval.low > 0 && isfinite(part->same_interval.high);
	return bounded ? (log(part->same_interval.high) - log(part->same_interval.low)) / 2 : INFINITY;
}

static double size_of(const struct verdict_part *part)
{
	return part->estimate > 0 ? fabs(log(part->estimate)) : 0;
}

/* By which factor a part is too wide for a verdict: to "different" the half-width must get under the estimate, to
 * "same" it must leave the margin free; whichever comes first. */
static double too_wide(const struct verdict_part *part, double margin, bool for_same)
{
	double size = size_of(part), room = log1p(margin) - size;
	double different = size > 0 ? half_width(part) / size : INFINITY;
	return for_same && room > 0 ? fmin(different, same_half_width(part) / room) : different;
}

/* The same for a gate: its limit must not lie in the interval. */
static double too_wide_for_gate(const struct verdict_part *part, double gate, enum better better)
{
	double worse = part->estimate > 0 ? log(part->estimate) * (better == BETTER_LOWER ? 1 : -1) : 0;
	double target = fabs(worse - log1p(gate));
	return target > 0 ? half_width(part) / target : INFINITY;
}

static bool has_verdict(const struct jury *jury, const struct verdict_numbers *n)
{
	if (n->verdict == RATIO_SAME)
		return n->same_total || !jury->until_total;
	return n->verdict != RATIO_UNDECIDED;
}

static bool is_told_well(const struct jury *jury, size_t i)
{
	const struct verdict_numbers *n = &jury->numbers[i];
	const struct verdict_part *part = told_part(n);
	if (isnan(jury->told) || n->runs >= 2 * jury->decided_at[i])
		return true;
	double half = has_width(part) ? (part->interval.high - part->interval.low) / 2 : INFINITY;
	return half <= fmax(jury->told * part->estimate, told_effect * fabs(part->estimate - 1));
}

static bool is_decided(struct jury *jury, size_t i)
{
	const struct verdict_numbers *n = &jury->numbers[i];
	if (n->runs < jury->judges[i].options.verdict.least_pairs)
		return false;
	if (!isnan(jury->gate))
		return jury->gates[i] > GATE_OPEN; /* before the first look it is NONE */
	if (!isnan(jury->precision))
		return n->runs >= VERDICT_FIRM_PAIRS && half_width(told_part(n)) <= log1p(jury->precision);
	if (!has_verdict(jury, n))
		return false;
	if (jury->decided_at[i] == 0)
		jury->decided_at[i] = n->runs;
	return is_told_well(jury, i);
}

/* Widths shrink with the root of the number of pairs. */
static double more_for(double factor)
{
	return fmax(factor * factor - 1, 0);
}

/* About how many more pairs comparison i needs, relative to those so far; INFINITY: not known. */
static double pairs_missing(const struct jury *jury, size_t i)
{
	const struct verdict_numbers *n = &jury->numbers[i];
	const struct verdict_options *rule = &jury->judges[i].options.verdict;
	if (n->runs < 2)
		return INFINITY;
	if (!isnan(jury->precision))
		return more_for(half_width(told_part(n)) / log1p(jury->precision));
	if (!isnan(jury->gate))
		return more_for(too_wide_for_gate(n->typical.used ? &n->typical : &n->total, jury->gate, jury->better[i]));
	double typical = n->typical.used ? too_wide(&n->typical, rule->margin, !jury->until_total) : INFINITY;
	return more_for(fmin(typical, too_wide(&n->total, rule->margin, true)));
}

double jury_forecast(const struct jury *jury, size_t i, bool *least)
{
	double more = pairs_missing(jury, i);
	*least = isfinite(more) && more > 1;
	return !isfinite(more) ? NAN : fmin(more, 1);
}

/* Among several comparisons the level of each is that of the selection. */
static int select_among(struct jury *jury, struct error *err)
{
	const struct verdict_options *rule = &jury->judges[0].options.verdict;
	size_t called;
	if (bh_called(jury->p, jury->count, rule->alpha, &called) != STATS_OK)
		return error_memory(err);
	double share = (double)(called > 0 ? called : 1) / (double)jury->count;
	for (size_t i = 0; i < jury->count; i++) {
		struct verdict_options selected = jury->judges[i].options.verdict;
		selected.alpha_same = selected.alpha;
		selected.alpha *= share;
		if (jury->numbers[i].runs > 0)
			verdict_again(&jury->numbers[i], &selected);
	}
	return 0;
}

int jury_look(struct jury *jury, struct jury_look *out, struct error *err)
{
	const struct verdict_options *rule = &jury->judges[0].options.verdict;
	*out = (struct jury_look){.missing = 0};
	for (size_t i = 0; i < jury->count; i++) {
		bool correlated;
		jury->p[i] = 1;
		memset(&jury->numbers[i], 0, sizeof(jury->numbers[i]));
		if (judge_look(&jury->judges[i], &jury->numbers[i], &correlated) == STATS_OK)
			jury->p[i] = verdict_difference_p(&jury->numbers[i]);
	}
	if (jury->count > 1 && select_among(jury, err) != 0)
		return -1;
	if (!isnan(jury->gate) &&
	    gate_of_suite(jury->numbers, rule->alpha, jury->count, jury->gate, jury->better, jury->gates, err) != 0)
		return -1;
	for (size_t i = 0; i < jury->count; i++) {
		jury->decided[i] = is_decided(jury, i);
		jury->missing[i] = jury->decided[i] ? 0 : pairs_missing(jury, i);
		if (jury->decided[i])
			continue;
		if (out->open++ == 0 || jury->missing[i] > out->missing) {
			out->worst = i;
			out->missing = jury->missing[i];
		}
	}
	return 0;
}
