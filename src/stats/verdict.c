/* The verdict over units.
 *
 * α is split: α/2 for typical, α/4 for total, α/4 for the slow share (the whole of it for a total alone).
 *
 *	typical  exp(T̄ ± (c·s_T/√R + 0.6·q/t))     q = clock step, t = the smaller median time
 *	total    Fieller, or the side-adjusted log ratio, with c
 *	share    d̄ ± c·√(v/R)
 *
 * c by the number of looks (stats/critical.h). *different*: one of the three excludes 1, 1 or 0; the
 * directions agree, or it is mixed. *same, scope typical*: not different and, at α_s = 2α, typical
 * within the margin and the share within its own; *scope total*: also total. Duet units with a side
 * each: typical and total are adjusted for the sides, ν = R − 2.
 *
 * Total and typical disagree (a tail moved) when |W| > c_anytime(R, 0.01)·se(W).
 *
 * Assumed: units independent, and, when nothing differs, the same shape on both sides. False alarms with
 * a look after every unit: at most 2.1 % at 5 %, 0.4 % at 1 %. A tail that the share cannot see (0.2 % of
 * +1000 %) is missed by scope typical; only the total covers it. */
#include "stats/verdict.h"

#include <math.h>

static const double clock_weight = 0.6;
static const double share_of_typical = 0.5, share_of_others = 0.25; /* of alpha */
static const double warn_alpha = 0.01;
static const struct verdict_part unused = {
	.estimate = NAN,
	.se = NAN,
	.t = NAN,
	.c = NAN,
	.c_same = NAN,
	.interval = {NAN, NAN},
	.same_interval = {NAN, NAN},
};

struct verdict_options verdict_defaults(double alpha)
{
	return (struct verdict_options){.alpha = alpha,
	                                .margin = 0.01,
	                                .share_margin = 0.01,
	                                .inflation = 1,
	                                .rule = CRITICAL_ANYTIME,
	                                .least_units = 10};
}

struct verdict_options verdict_last_look(const struct verdict_options *options, size_t units)
{
	struct verdict_options last = *options;
	if (units < 10) {
		last.rule = CRITICAL_FIXED;
		last.least_units = 5;
	}
	return last;
}

size_t verdict_first_look(double alpha, size_t comparisons)
{
	size_t runs = 10;
	double each = alpha / (double)comparisons, c = critical_anytime(each, (double)runs, (double)runs - 1);
	while (c >= 8) {
		double next = critical_anytime(each, (double)runs + 1, (double)runs);
		if (isfinite(c) && !(next < c))
			break;
		c = next;
		runs++;
	}
	return runs;
}

void verdict_add(struct verdict_sum *sum, const struct unit *unit)
{
	total_add(&sum->total, unit->base, unit->new_, unit->typical.log_ratio, unit->side);
	share_add(&sum->share, &unit->share);
	running_add(&sum->typical, unit->typical.log_ratio);
	if (unit->side != 0)
		running_add(unit->side > 0 ? &sum->typical_plus : &sum->typical_minus, unit->typical.log_ratio);
	if (!isnan(unit->typical.order_effect))
		running_add(&sum->order_effect, unit->typical.order_effect);
	running_add(&sum->median_base, unit->share.median_base);
	running_add(&sum->median_new, unit->share.median_new);
	sum->pairs += unit->pairs;
}

void verdict_add_pair(struct verdict_sum *sum, double base, double new_, int side)
{
	total_add(&sum->total, base, new_, 0, side);
	sum->pairs++;
}

static double constant(const struct verdict_options *options, double alpha, double runs, double df)
{
	return options->inflation * critical_value(options->rule, alpha, runs, df);
}

static int direction_of(struct interval interval, double no_effect)
{
	return interval.low > no_effect ? 1 : interval.high < no_effect ? -1 : 0;
}

/* estimate ± c·se ± extra; no bound when c is infinite, even with se = 0. */
static struct interval around(double estimate, double c, double se, double extra)
{
	double half = isinf(c) ? INFINITY : c * se + extra;
	return (struct interval){estimate - half, estimate + half};
}

/* (|estimate| − extra)/se, not below 0, with the estimate's sign. */
static double statistic(double estimate, double se, double extra)
{
	double beyond = fabs(estimate) - extra;
	if (!(beyond > 0))
		return 0;
	return copysign(se > 0 ? beyond / se : INFINITY, estimate);
}

static enum stats_status judge_typical(const struct verdict_sum *sum, const struct verdict_options *options,
                                       double clock_term, struct verdict_part *part)
{
	double runs = (double)running_count(&sum->typical), df = runs - 1;
	double mean = running_mean(&sum->typical), se = sqrt(running_variance(&sum->typical) / runs);
	if (sum->total.sided == running_count(&sum->typical)) {
		struct duet duet;
		enum stats_status status = duet_of_sides(&sum->typical_plus, &sum->typical_minus, &duet);
		if (status != STATS_OK)
			return status;
		mean = duet.log_ratio;
		se = duet.se;
		df = duet.df;
	}
	double c = constant(options, share_of_typical * options->alpha, runs, df);
	double c_same = constant(options, 2 * options->alpha, runs, df);
	struct interval log_interval = around(mean, c, se, clock_term), log_same = around(mean, c_same, se, clock_term);
	double limit = log1p(options->margin);
	*part = (struct verdict_part){
		.used = true,
		.unbounded = isinf(c),
		.estimate = exp(mean),
		.se = se,
		.t = statistic(mean, se, clock_term),
		.c = c,
		.c_same = c_same,
		.interval = {exp(log_interval.low), exp(log_interval.high)},
		.same_interval = {exp(log_same.low), exp(log_same.high)},
		.direction = direction_of(log_interval, 0),
		.inside = log_same.low >= -limit && log_same.high <= limit,
	};
	return STATS_OK;
}

static enum stats_status judge_total(const struct total *total, const struct verdict_options *options, bool alone,
                                     struct verdict_part *part)
{
	struct verdict_part result = unused;
	result.used = true;
	result.c = constant(options, alone ? options->alpha : share_of_others * options->alpha, total->runs, total->df);
	result.c_same = constant(options, 2 * options->alpha, total->runs, total->df);
	enum stats_status status = total_interval(total, result.c, &result.estimate, &result.interval);
	if (status != STATS_OK && status != STATS_UNBOUNDED)
		return status;
	result.unbounded = status == STATS_UNBOUNDED;
	status = total_interval(total, result.c_same, &result.estimate, &result.same_interval);
	if (status != STATS_OK && status != STATS_UNBOUNDED)
		return status;
	result.t = total_t(total, 1);
	if (total->by_sides)
		result.se = total->duet.se;
	result.direction = direction_of(result.interval, 1);
	result.inside = result.same_interval.low >= 1 / (1 + options->margin) &&
	                result.same_interval.high <= 1 + options->margin;
	*part = result;
	return STATS_OK;
}

static enum stats_status judge_share(const struct verdict_sum *sum, const struct verdict_options *options,
                                     struct verdict_numbers *numbers)
{
	struct share_estimate share;
	enum stats_status status = share_estimate(&sum->share, &share);
	if (status != STATS_OK)
		return status;
	double runs = share.df + 1;
	struct verdict_part *part = &numbers->share;
	part->used = true;
	part->c = constant(options, share_of_others * options->alpha, runs, share.df);
	part->c_same = constant(options, 2 * options->alpha, runs, share.df);
	part->unbounded = isinf(part->c);
	part->estimate = share.difference;
	part->se = share.se;
	part->t = statistic(share.difference, share.se, 0);
	part->interval = around(share.difference, part->c, share.se, 0);
	part->same_interval = around(share.difference, part->c_same, share.se, 0);
	/* More slow iterations is a higher ratio where lower is better, and a lower one where higher is. */
	part->direction = direction_of(part->interval, 0) * (options->higher_is_better ? -1 : 1);
	part->inside = part->same_interval.low >= -options->share_margin &&
	               part->same_interval.high <= options->share_margin;
	numbers->share_base = share.base;
	numbers->share_new = share.new_;
	return STATS_OK;
}

/* From the three parts to the word. */
static void conclude(struct verdict_numbers *numbers, const struct verdict_options *options)
{
	const struct verdict_part *parts[] = {&numbers->typical, &numbers->total, &numbers->share};
	static const unsigned bits[] = {VERDICT_TYPICAL, VERDICT_TOTAL, VERDICT_SHARE};
	bool up = false, down = false, all_but_total = true;
	unsigned outside = 0;
	for (size_t i = 0; i < 3; i++) {
		if (!parts[i]->used)
			continue;
		up = up || parts[i]->direction > 0;
		down = down || parts[i]->direction < 0;
		if (parts[i]->direction != 0)
			numbers->decided_by |= bits[i];
		if (!parts[i]->inside)
			outside |= bits[i];
		if (!parts[i]->inside && bits[i] != VERDICT_TOTAL)
			all_but_total = false;
	}
	bool different = up || down;
	numbers->same_typical = numbers->typical.used && all_but_total && !different;
	numbers->same_total = !different && outside == 0;
	if (numbers->units < options->least_units) {
		numbers->same_typical = numbers->same_total = false;
		numbers->decided_by = 0;
		numbers->unresolved = VERDICT_UNITS;
	} else if (different) {
		numbers->verdict = up && down ? RATIO_MIXED : up ? RATIO_HIGHER : RATIO_LOWER;
	} else {
		numbers->unresolved = outside;
		if (numbers->same_typical || numbers->same_total)
			numbers->verdict = RATIO_SAME;
	}
}

static struct verdict_numbers blank(void)
{
	return (struct verdict_numbers){
		.typical = unused,
		.total = unused,
		.share = unused,
		.share_base = NAN,
		.share_new = NAN,
		.order_effect = NAN,
		.side_effect = NAN,
		.disagreement = NAN,
		.disagreement_t = NAN,
		.c_warn = NAN,
		.total_times_wider = NAN,
	};
}

static bool options_hold(const struct verdict_options *options)
{
	return options->alpha > 0 && options->alpha < 0.5 && options->margin > 0 && options->share_margin > 0 &&
	       options->quantum >= 0 && options->inflation >= 1;
}

/* Typical against total: do they disagree, and how much wider is total? */
static void compare_parts(const struct verdict_sum *sum, struct verdict_numbers *numbers)
{
	double runs = (double)numbers->units;
	total_disagreement(&sum->total, &numbers->disagreement, &numbers->disagreement_t);
	numbers->c_warn = critical_anytime(warn_alpha, runs, runs - 1);
	numbers->disagree = fabs(numbers->disagreement_t) > numbers->c_warn;
	const struct verdict_part *typical = &numbers->typical, *total = &numbers->total;
	if (typical->unbounded)
		return;
	if (total->unbounded || !(total->interval.low > 0))
		numbers->total_times_wider = INFINITY;
	else
		numbers->total_times_wider = log(total->interval.high / total->interval.low) /
		                             log(typical->interval.high / typical->interval.low);
}

enum stats_status verdict_look(const struct verdict_sum *sum, const struct verdict_options *options,
                               struct verdict_numbers *out)
{
	if (!options_hold(options))
		return STATS_BAD_ARGUMENT;
	struct verdict_numbers numbers = blank();
	numbers.units = sum->total.moments.n;
	numbers.pairs = sum->pairs;
	numbers.quick = numbers.units < 10;
	numbers.inflation = options->inflation;
	numbers.rule = options->rule;
	enum stats_status status = total_of(&sum->total, &numbers.total_numbers);
	if (status != STATS_OK)
		return status;
	bool alone = options->total_alone || running_count(&sum->typical) != numbers.units;
	if (!alone) {
		numbers.clock_term = clock_weight * options->quantum /
		                     fmin(running_mean(&sum->median_base), running_mean(&sum->median_new));
		numbers.coarse_clock = numbers.clock_term > options->margin / 4;
		alone = numbers.coarse_clock;
	}
	status = judge_total(&numbers.total_numbers, options, alone, &numbers.total);
	if (status == STATS_OK && !alone)
		status = judge_typical(sum, options, numbers.clock_term, &numbers.typical);
	if (status == STATS_OK && !alone)
		status = judge_share(sum, options, &numbers);
	if (status != STATS_OK)
		return status;
	if (numbers.total_numbers.by_sides)
		numbers.side_effect = numbers.total_numbers.duet.side_effect;
	if (running_count(&sum->order_effect) > 0)
		numbers.order_effect = running_mean(&sum->order_effect);
	if (!alone)
		compare_parts(sum, &numbers);
	conclude(&numbers, options);
	*out = numbers;
	return STATS_OK;
}

enum stats_status verdict_unpaired(const struct running *base, const struct running *new_,
                                   const struct verdict_options *options, struct verdict_numbers *out)
{
	if (!options_hold(options))
		return STATS_BAD_ARGUMENT;
	struct verdict_numbers numbers = blank();
	enum stats_status status = total_unpaired(base, new_, &numbers.total_numbers);
	if (status == STATS_OK)
		status = judge_total(&numbers.total_numbers, options, true, &numbers.total);
	if (status != STATS_OK)
		return status;
	numbers.units = (size_t)numbers.total_numbers.runs;
	numbers.quick = numbers.units < 10;
	numbers.inflation = options->inflation;
	numbers.rule = options->rule;
	conclude(&numbers, options);
	*out = numbers;
	return STATS_OK;
}
