/* The verdict over pairs and units.
 *
 * α is split, at every number of pairs alike: α/2 for the total, 3α/8 for typical, α/8 for the slow share; a total
 * without pairs has all of it. The intervals are those of stats/verdict_parts.h, with c by the number of looks
 * (stats/critical.h).
 *
 * *same*: typical or total, each at α, lies within the margin [1/(1+m), 1+m]; no part lies wholly beyond its margin,
 * and the share does not exclude 0 (at α: or lies within its margin). Scope total when the total lies within. It comes
 * before *different*: one part excludes 1, 1 or 0; the directions agree, or it is mixed.
 *
 * Where any number of looks is taken, a part that has excluded no effect once keeps that: its interval is the common
 * part of those of the last look and of the look that was plainest, both of which hold at all looks together.
 *
 * Total and typical disagree (a tail moved) when |W| > c_anytime(R, 0.01)·se(W), over units.
 *
 * Assumed: pairs independent but for what the total's widening and the inflation cover, and, when nothing differs, the
 * same shape on both sides. A tail that is rarer than about 3 in the number of pairs is not seen by any part. */
#include "stats/verdict.h"

#include "stats/verdict_parts.h"

#include <math.h>

static const double clock_weight = 0.6, warn_alpha = 0.01;
static const double most_clock_share = 0.25; /* of the margin, for typical to be of use */
static const double share_margins = 3;       /* points of slow runs for each per cent: 3 points of +25 % are 0.75 % */
static const struct verdict_part unused = {
	.estimate = NAN,
	.se = NAN,
	.c = NAN,
	.c_same = NAN,
	.interval = {NAN, NAN},
	.same_interval = {NAN, NAN},
};

struct verdict_options verdict_defaults(double alpha)
{
	return (struct verdict_options){.alpha = alpha,
	                                .margin = 0.01,
	                                .share_margin = NAN,
	                                .inflation = 1,
	                                .rule = CRITICAL_ANYTIME,
	                                .least_pairs = VERDICT_FIRST_LOOK};
}

struct verdict_options verdict_last_look(const struct verdict_options *options, size_t pairs)
{
	struct verdict_options last = *options;
	if (options->rule == CRITICAL_ANYTIME && pairs < VERDICT_FIRST_LOOK)
		last.rule = CRITICAL_FIXED;
	last.least_pairs = VERDICT_LEAST_PAIRS;
	return last;
}

size_t verdict_next_look(size_t n)
{
	if (n < VERDICT_FIRST_LOOK)
		return VERDICT_FIRST_LOOK;
	return n < 8 ? n + 1 : n + (n + 4) / 5;
}

void verdict_add_pair(struct verdict_sum *sum, double base, double new_, int side, size_t values)
{
	total_add(&sum->total, base, new_, side);
	sum->pairs += values;
}

void verdict_add_unit(struct verdict_sum *sum, const struct unit *unit)
{
	double log_ratio = unit->typical.log_ratio;
	comoment_add(&sum->units, (const double[]){unit->base, unit->new_, log_ratio}, 3);
	share_add(&sum->share, &unit->share);
	sum->counts.pairs += unit->counts.pairs;
	sum->counts.slow_base += unit->counts.slow_base;
	sum->counts.slow_new += unit->counts.slow_new;
	sum->counts.only_base += unit->counts.only_base;
	sum->counts.only_new += unit->counts.only_new;
	running_add(&sum->spread, unit->spread);
	running_add(&sum->typical, log_ratio);
	if (unit->side != 0)
		running_add(unit->side > 0 ? &sum->typical_plus : &sum->typical_minus, log_ratio);
	if (!isnan(unit->typical.order_effect))
		running_add(&sum->order_effect, unit->typical.order_effect);
	running_add(&sum->median_base, unit->share.median_base);
	running_add(&sum->median_new, unit->share.median_new);
}

/* ---- what a look sees ---- */

/* Readings that spread over the clock's step average its rounding out: of a normal spread σ each side's mean is off by
 * at most (q/π)·exp(−2π²σ²/q²), σ² without the q²/12 that the rounding itself adds (Widrow and Kollár 2008, Quantization
 * Noise). Those that do not spread hide up to a whole step. */
static double clock_of_total(const struct total *total, double spread, const struct verdict_options *options)
{
	double time = fmin(total->means.base, total->means.new_), least_sd = total->least_sd, quantum = options->quantum;
	if (options->kind == TOTAL_HARMONIC) { /* the clock's step is one of rates, not of their reciprocals */
		time = 1 / fmax(total->means.base, total->means.new_);
		least_sd *= time * time;
	}
	double sd = fmin(spread, least_sd) / quantum;
	if (!(quantum > 0) || !(time > 0))
		return 0;
	double own = fmax(0, sd * sd - 1.0 / 12), hidden = 2 / M_PI * exp(-2 * M_PI * M_PI * own);
	return (least_sd > 0 ? fmin(clock_weight, hidden) : 1) * quantum / time;
}

static double clock_of_typical(const struct verdict_sum *sum, double quantum)
{
	double time = fmin(running_mean(&sum->median_base), running_mean(&sum->median_new));
	return quantum > 0 ? clock_weight * quantum / time : 0;
}

static enum stats_status see_typical(const struct verdict_sum *sum, double clock, struct verdict_mean *out)
{
	double units = (double)running_count(&sum->typical);
	struct verdict_mean typical = {.known = true,
	                               .mean = running_mean(&sum->typical),
	                               .se = sqrt(running_variance(&sum->typical) / units),
	                               .runs = units,
	                               .df = units - 1,
	                               .extra = clock};
	if (running_count(&sum->typical_plus) + running_count(&sum->typical_minus) == running_count(&sum->typical)) {
		struct duet duet;
		enum stats_status status = duet_of_sides(&sum->typical_plus, &sum->typical_minus, &duet);
		if (status != STATS_OK)
			return status;
		typical.mean = duet.log_ratio;
		typical.se = duet.se;
		typical.df = duet.df;
	}
	*out = typical;
	return STATS_OK;
}

/* Counts of many looks are those of the last of its own looks: each costs a part of the level. */
static void see_share(const struct verdict_sum *sum, const struct verdict_options *options,
                      struct verdict_evidence *out)
{
	struct share_estimate share;
	if (options->runs && share_estimate(&sum->share, &share) == STATS_OK) {
		out->share_kind = SHARE_OF_RUNS;
		out->share = (struct verdict_mean){
			.known = true, .mean = share.difference, .se = share.se, .runs = share.df + 1, .df = share.df};
	} else if (!options->runs) {
		bool many = options->rule == CRITICAL_ANYTIME && sum->share_looks > 0;
		out->counts = many ? sum->looked : sum->counts;
		out->share_looks = many ? sum->share_looks : 0;
		out->share_kind = out->counts.pairs > 0 ? SHARE_COUNTED : SHARE_NONE;
	}
}

static enum stats_status see(const struct verdict_sum *sum, const struct verdict_options *options,
                             struct verdict_evidence *out, bool *coarse)
{
	struct verdict_evidence seen = {
		.rule = options->rule, .weight = options->weight, .inflation = options->inflation, .paired = true};
	size_t units = running_count(&sum->typical);
	enum stats_status status = total_of(&sum->total, options->runs, options->kind, &seen.total);
	if (status != STATS_OK)
		return status;
	double spread = units > 0 ? running_mean(&sum->spread) : INFINITY;
	seen.total_clock = clock_of_total(&seen.total, spread, options);
	*coarse = false;
	if (!options->total_alone && units > 0) {
		double clock = clock_of_typical(sum, options->quantum);
		*coarse = clock > most_clock_share * options->margin;
		if (!*coarse && units >= VERDICT_LEAST_UNITS) {
			status = see_typical(sum, clock, &seen.typical);
			see_share(sum, options, &seen);
		}
	}
	if (status == STATS_OK)
		*out = seen;
	return status;
}

static void keep_best(double p, double *log_e, const struct verdict_evidence *seen, struct verdict_evidence *at)
{
	if (!(-log(p) > *log_e))
		return;
	*log_e = -log(p);
	*at = *seen;
}

void verdict_mark(struct verdict_sum *sum, const struct verdict_options *options)
{
	struct verdict_evidence seen;
	size_t units = running_count(&sum->typical);
	bool coarse;
	if (options->rule != CRITICAL_ANYTIME || sum->total.pairs.n < VERDICT_FIRST_LOOK)
		return;
	bool share = !options->runs && units >= VERDICT_LEAST_UNITS && units >= sum->next_share_look;
	if (share) {
		sum->share_looks++;
		sum->looked = sum->counts;
		sum->next_share_look = units == VERDICT_LEAST_UNITS ? VERDICT_FIRST_LOOK : verdict_next_look(units);
	}
	if (see(sum, options, &seen, &coarse) != STATS_OK)
		return;
	keep_best(parts_total_p(&seen), &sum->best.total, &seen, &sum->best.at_total);
	keep_best(parts_typical_p(&seen), &sum->best.typical, &seen, &sum->best.at_typical);
	if (share || options->runs)
		keep_best(parts_share_p(&seen), &sum->best.share, &seen, &sum->best.at_share);
}

/* ---- from evidence to intervals ---- */

double verdict_share_margin(double share_margin, double margin)
{
	return isnan(share_margin) ? share_margins * margin : share_margin;
}

static int direction_of(struct interval interval, double no_effect)
{
	return interval.low > no_effect ? 1 : interval.high < no_effect ? -1 : 0;
}

typedef enum stats_status part_interval(const struct verdict_evidence *, double, double *, struct interval *);

/* Both intervals hold at all looks together, and so does what they have in common. */
static struct interval common(struct interval now, struct interval best)
{
	struct interval both = {fmax(now.low, best.low), fmin(now.high, best.high)};
	return both.low <= both.high ? both : best;
}

static enum stats_status fill_part(part_interval *interval_of, const struct verdict_evidence *now, double best_log_e,
                                   const struct verdict_evidence *best, double weight,
                                   const struct verdict_options *options, struct verdict_part *part)
{
	struct interval at_best;
	double alpha_same = options->alpha_same > 0 ? options->alpha_same : options->alpha, c;
	enum stats_status status = interval_of(now, weight * options->alpha, &part->c, &part->interval);
	if (status != STATS_OK && status != STATS_UNBOUNDED)
		return status;
	part->used = true;
	part->unbounded = status == STATS_UNBOUNDED;
	status = interval_of(now, alpha_same, &part->c_same, &part->same_interval);
	if (best_log_e > 0 && interval_of(best, weight * options->alpha, &c, &at_best) == STATS_OK) {
		part->interval = common(part->interval, at_best);
		part->unbounded = false;
	}
	return status == STATS_UNBOUNDED ? STATS_OK : status;
}

static bool within(struct interval interval, double low, double high)
{
	return interval.low >= low && interval.high <= high;
}

static enum stats_status fill_total(const struct verdict_options *options, struct verdict_numbers *n)
{
	const struct verdict_evidence *seen = &n->evidence;
	struct verdict_part *part = &n->total;
	struct interval ignored;
	enum stats_status status = fill_part(parts_total, seen, n->best.total, &n->best.at_total,
	                                     parts_weight_of_total(seen), options, part);
	if (status != STATS_OK)
		return status;
	total_interval(&seen->total, 0, &part->estimate, &ignored);
	if (seen->total.by_logs)
		part->se = seen->total.duet.se;
	part->direction = direction_of(part->interval, 1);
	part->inside = within(part->same_interval, 1 / (1 + options->margin), 1 + options->margin);
	return STATS_OK;
}

static void fill_typical(const struct verdict_options *options, struct verdict_numbers *n)
{
	struct verdict_part *part = &n->typical;
	if (!n->evidence.typical.known)
		return;
	fill_part(parts_typical, &n->evidence, n->best.typical, &n->best.at_typical, PARTS_WEIGHT_OF_TYPICAL, options,
	          part);
	part->estimate = exp(n->evidence.typical.mean);
	part->se = n->evidence.typical.se;
	part->direction = direction_of(part->interval, 1);
	part->inside = within(part->same_interval, 1 / (1 + options->margin), 1 + options->margin);
}

static void fill_share(const struct verdict_options *options, struct verdict_numbers *n)
{
	const struct verdict_evidence *seen = &n->evidence;
	struct verdict_part *part = &n->share;
	if (seen->share_kind == SHARE_NONE)
		return;
	fill_part(parts_share, seen, n->best.share, &n->best.at_share, PARTS_WEIGHT_OF_SHARE, options, part);
	bool counted = seen->share_kind == SHARE_COUNTED;
	const struct share_counts *counts = &seen->counts;
	part->estimate = counted ? ((double)counts->only_new - (double)counts->only_base) / (double)counts->pairs
	                         : seen->share.mean;
	part->se = counted ? NAN : seen->share.se;
	/* More slow iterations is a higher ratio where lower is better, and a lower one where higher is. */
	part->direction = direction_of(part->interval, 0) * (options->higher_is_better ? -1 : 1);
	part->inside = within(part->same_interval, -verdict_share_margin(options->share_margin, options->margin),
	                      verdict_share_margin(options->share_margin, options->margin));
}

/* ---- from intervals to the word ---- */

static bool beyond(const struct verdict_part *part, double low, double high)
{
	return part->used && (part->interval.low > high || part->interval.high < low);
}

/* A share that excludes 0 at alpha, and is not shown to be small, may be a tail that typical does not see. */
static bool share_permits_same(const struct verdict_part *share)
{
	return !share->used || (share->direction == 0 && (share->inside || direction_of(share->same_interval, 0) == 0));
}

static void conclude(struct verdict_numbers *n, const struct verdict_options *options)
{
	const struct verdict_part *parts[] = {&n->typical, &n->total, &n->share};
	static const unsigned bits[] = {VERDICT_TYPICAL, VERDICT_TOTAL, VERDICT_SHARE};
	double margin = 1 + options->margin;
	bool up = false, down = false;
	n->verdict = RATIO_UNDECIDED;
	n->same_typical = n->same_total = false;
	n->decided_by = n->unresolved = 0;
	if (n->runs < options->least_pairs) {
		n->unresolved = VERDICT_PAIRS;
		return;
	}
	for (size_t i = 0; i < 3; i++) {
		up = up || parts[i]->direction > 0;
		down = down || parts[i]->direction < 0;
		if (parts[i]->direction != 0)
			n->decided_by |= bits[i];
		if (parts[i]->used && !parts[i]->inside)
			n->unresolved |= bits[i];
	}
	bool far = beyond(&n->typical, 1 / margin, margin) || beyond(&n->total, 1 / margin, margin) ||
	           beyond(&n->share, -verdict_share_margin(options->share_margin, options->margin),
	                  verdict_share_margin(options->share_margin, options->margin));
	bool inside = n->typical.inside || n->total.inside;
	if (inside && !far && share_permits_same(&n->share)) {
		n->verdict = RATIO_SAME;
		n->same_typical = n->typical.inside;
		n->same_total = n->total.inside;
	} else if (up || down) {
		n->verdict = up && down ? RATIO_MIXED : up ? RATIO_HIGHER : RATIO_LOWER;
		n->unresolved = 0;
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
		.order_half = NAN,
		.disagreement = NAN,
		.disagreement_t = NAN,
		.c_warn = NAN,
		.total_times_wider = NAN,
	};
}

static bool options_hold(const struct verdict_options *options)
{
	return options->alpha > 0 && options->alpha < 0.5 && options->alpha_same >= 0 && options->alpha_same < 0.5 &&
	       options->margin > 0 && verdict_share_margin(options->share_margin, options->margin) > 0 &&
	       options->quantum >= 0 && options->inflation >= 1 && options->weight >= 0 && options->weight <= 1;
}

static void compare_widths(struct verdict_numbers *n)
{
	const struct verdict_part *typical = &n->typical, *total = &n->total;
	n->total_times_wider = NAN;
	if (!typical->used || typical->unbounded)
		return;
	if (total->unbounded || !(total->interval.low > 0))
		n->total_times_wider = INFINITY;
	else
		n->total_times_wider = log(total->interval.high / total->interval.low) /
		                       log(typical->interval.high / typical->interval.low);
}

static enum stats_status judge(const struct verdict_options *options, struct verdict_numbers *n)
{
	n->typical = n->total = n->share = unused;
	enum stats_status status = fill_total(options, n);
	if (status != STATS_OK)
		return status;
	fill_typical(options, n);
	fill_share(options, n);
	compare_widths(n);
	conclude(n, options);
	return STATS_OK;
}

void verdict_again(struct verdict_numbers *numbers, const struct verdict_options *options)
{
	judge(options, numbers);
}

/* Typical against total over units: do they disagree? */
static void compare_parts(const struct verdict_sum *sum, struct verdict_numbers *n)
{
	double units = (double)n->units;
	total_disagreement(&sum->units, &n->disagreement, &n->disagreement_t);
	n->c_warn = critical_anytime(warn_alpha, units, units - 1);
	n->disagree = fabs(n->disagreement_t) > n->c_warn;
}

static void describe_share(const struct verdict_sum *sum, struct verdict_numbers *n)
{
	struct share_estimate share;
	if (n->evidence.share_kind == SHARE_COUNTED) {
		n->share_base = (double)n->evidence.counts.slow_base / (double)n->evidence.counts.pairs;
		n->share_new = (double)n->evidence.counts.slow_new / (double)n->evidence.counts.pairs;
	} else if (n->evidence.share_kind == SHARE_OF_RUNS && share_estimate(&sum->share, &share) == STATS_OK) {
		n->share_base = share.base;
		n->share_new = share.new_;
	}
}

/* What the first place, or the first CPU of a duet, adds: over units that hold both orders, else between the sides. */
static void describe_order(const struct verdict_sum *sum, const struct verdict_options *options,
                           struct verdict_numbers *n)
{
	double units = (double)running_count(&sum->order_effect), se;
	const struct duet *duet = &n->evidence.total.duet;
	if (units > 0) {
		n->order_effect = running_mean(&sum->order_effect);
		if (units < 2)
			return;
		se = sqrt(running_variance(&sum->order_effect) / units);
		n->order_half = critical_t(options->alpha, units - 1) * se;
	} else if (sum->total.sided == n->runs) {
		n->order_effect = duet->side_effect;
		n->order_half = critical_t(options->alpha, duet->df) * duet->se;
	}
}

enum stats_status verdict_look(const struct verdict_sum *sum, const struct verdict_options *options,
                               struct verdict_numbers *out)
{
	if (!options_hold(options))
		return STATS_BAD_ARGUMENT;
	struct verdict_numbers numbers = blank();
	enum stats_status status = see(sum, options, &numbers.evidence, &numbers.coarse_clock);
	if (status != STATS_OK)
		return status;
	numbers.units = running_count(&sum->typical);
	numbers.pairs = sum->pairs;
	numbers.runs = sum->total.pairs.n;
	numbers.quick = numbers.runs < VERDICT_FIRM_PAIRS;
	if (options->rule == CRITICAL_ANYTIME)
		numbers.best = sum->best;
	status = judge(options, &numbers);
	if (status != STATS_OK)
		return status;
	describe_order(sum, options, &numbers);
	if (numbers.typical.used)
		compare_parts(sum, &numbers);
	describe_share(sum, &numbers);
	*out = numbers;
	return STATS_OK;
}

enum stats_status verdict_unpaired(const struct running *base, const struct running *new_,
                                   const struct verdict_options *options, struct verdict_numbers *out)
{
	if (!options_hold(options))
		return STATS_BAD_ARGUMENT;
	struct verdict_numbers numbers = blank();
	numbers.evidence = (struct verdict_evidence){
		.rule = options->rule, .weight = options->weight, .inflation = options->inflation};
	enum stats_status status = total_unpaired(base, new_, options->kind, &numbers.evidence.total);
	if (status != STATS_OK)
		return status;
	numbers.evidence.total_clock = clock_of_total(&numbers.evidence.total, INFINITY, options);
	numbers.units = numbers.runs = (size_t)numbers.evidence.total.runs;
	numbers.quick = numbers.runs < VERDICT_FIRM_PAIRS;
	status = judge(options, &numbers);
	if (status == STATS_OK)
		*out = numbers;
	return status;
}
