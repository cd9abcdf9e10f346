#include "analysis/numbers.h"

#include "base/format.h"
#include "base/memory.h"
#include "stats/multiple.h"

#include <math.h>
#include <string.h>

void numbers_unknown(struct result *result, struct comparison *comparison, const char *why)
{
	struct pair_findings paired = *comparison->paired;
	comparison->verdict = VERDICT_UNDECIDED;
	comparison->ratio_why = paired.share_why = why;
	paired.order_effect_why = paired.shuffle_why = why;
	comparison->ci.why = paired.share_ci.why = why;
	comparison->unresolved = why;
	comparison_set_paired(result, comparison, &paired);
}

/* What is the same was judged by the intervals for "same", and these are shown. */
struct shown_interval {
	bool same;
	double level;
};

static struct shown_interval shown_of(const struct judged *judged)
{
	const struct verdict_options *options = &judged->rule.verdict;
	bool same = judged->numbers.verdict == RATIO_SAME;
	return (struct shown_interval){same, 1 - (same && options->alpha_same > 0 ? options->alpha_same : options->alpha)};
}

/* All pairs together may give what an earlier look has excluded: then the nearest that no look excludes. */
static double not_excluded(double estimate, struct interval interval)
{
	return fmin(fmax(estimate, interval.low), interval.high);
}

static void set_part(double *estimate, const char **why, struct confidence *ci, const struct verdict_part *part,
                     struct shown_interval shown, const char *method, const char *unused_why)
{
	struct interval interval = shown.same ? part->same_interval : part->interval;
	if (!part->used) {
		*why = ci->why = unused_why;
		return;
	}
	ci->level = shown.level;
	ci->method = method;
	ci->unbounded = shown.same ? !isfinite(interval.low) || !isfinite(interval.high) : part->unbounded;
	ci->low = ci->unbounded ? NAN : interval.low;
	ci->high = ci->unbounded ? NAN : interval.high;
	*estimate = ci->unbounded ? part->estimate : not_excluded(part->estimate, interval);
}

enum verdict numbers_verdict(enum ratio_verdict verdict, enum better better)
{
	switch (verdict) {
	case RATIO_LOWER: return better == BETTER_LOWER ? VERDICT_FASTER : VERDICT_SLOWER;
	case RATIO_HIGHER: return better == BETTER_LOWER ? VERDICT_SLOWER : VERDICT_FASTER;
	case RATIO_MIXED: return VERDICT_MIXED;
	case RATIO_SAME: return VERDICT_SAME;
	default: return VERDICT_UNDECIDED;
	}
}

static const char *join_parts(struct arena *arena, unsigned bits)
{
	char text[64] = "";
	static const char *const names[] = {"typical", "total", "share"};
	for (int i = 0; i < 3; i++) {
		if (!(bits & (1u << i)))
			continue;
		if (text[0])
			strcat(text, "+");
		strcat(text, names[i]);
	}
	return text[0] ? arena_strdup(arena, text) : NULL;
}

/* "typical includes 0 % and changes above 1 %" */
static const char *width_words(struct arena *arena, const char *name, const struct verdict_part *part, double margin)
{
	char m[FORMAT_MAX];
	if (part->unbounded)
		return arena_printf(arena, "%s has no interval yet", name);
	if (part->interval.high - part->interval.low > 2 * part->estimate)
		return arena_printf(arena, "%s is not known to within 100 %%", name);
	return arena_printf(arena, "%s includes 0 %% and changes above %s %%", name, format_level(m, sizeof(m), margin));
}

/* What is counted: pairs of single runs, or the runs, builds or machines that hold several. */
static const char *counted_name(const struct result *result, const struct comparison *c,
                                const struct verdict_numbers *n)
{
	const struct measurement *base = subject_find_metric(&result->subjects[c->base], c->metric);
	if (n->evidence.paired && n->pairs == n->runs)
		return "pair";
	/* Where the pairs of all machines decide, the machine is no unit. */
	enum level unit = base && base->unit == LEVEL_MACHINE ? base->series.levels[1] : base ? base->unit : LEVEL_RUN;
	return unit < LEVEL_ITERATION ? level_name(unit) : "run";
}

static const char *unresolved_words(struct arena *arena, const struct verdict_numbers *n, const char *counted,
                                    double margin)
{
	char m[FORMAT_MAX], points[FORMAT_MAX];
	if (n->unresolved & VERDICT_PAIRS)
		return arena_printf(arena, "%zu %s%s: too few for a verdict; use %d or more", n->runs, counted,
		                    n->runs == 1 ? "" : "s", VERDICT_FIRM_PAIRS);
	if (n->typical.inside || n->total.inside) {
		double fewer = fabs(n->share.same_interval.low), more = fabs(n->share.same_interval.high);
		return arena_printf(arena, "the usual run is the same within %s, but up to %s points %s runs may be slow",
		                    format_percent(m, sizeof(m), margin, NAN, 0),
		                    format_significant(points, sizeof(points), 100 * fmax(fewer, more), 2),
		                    more > fewer ? "more" : "fewer");
	}
	/* Enough runs for an interval, but Fieller's has no end. */
	if (n->total.unbounded && !n->typical.used && n->runs >= VERDICT_FIRM_PAIRS)
		return "the mean of the base cannot be distinguished from 0, so the ratio has no interval";
	/* What is known better says how far it is: the typical of few units is wide however many pairs they have. */
	return n->typical.used && !(n->total_times_wider < 1) ? width_words(arena, "typical", &n->typical, margin)
	                                                      : width_words(arena, "total", &n->total, margin);
}

static const char *method_name(enum critical_rule rule, bool typical)
{
	switch (rule) {
	case CRITICAL_ANYTIME:
		return typical ? "order-stratified median, any number of looks" : "Fieller, any number of looks";
	case CRITICAL_PRECISION: return typical ? "order-stratified median, precision stop" : "Fieller, precision stop";
	default: return typical ? "order-stratified median, t" : "Fieller, t";
	}
}

static int fill_intervals(struct result *result, struct comparison *comparison, struct pair_findings *paired,
                          const struct judged *judged)
{
	const struct verdict_numbers *n = &judged->numbers;
	struct shown_interval shown = shown_of(judged);
	enum critical_rule rule = n->evidence.rule;
	const char *none = n->coarse_clock      ? "the clock is too coarse for medians"
	                   : n->evidence.paired ? "too few pairs"
	                                        : "the data has no pairs";
	/* Without a typical part the total is what is shown. */
	struct ratio_estimate *total = n->typical.used ? comparison_own_total(result, comparison) : &comparison->shown;
	if (!total)
		return -1;
	set_part(&total->ratio, &total->why, &total->ci, &n->total, shown,
	         judged->method ? judged->method : method_name(rule, false), "not known");
	set_part(&paired->share_difference, &paired->share_why, &paired->share_ci, &n->share, shown,
	         n->evidence.share_kind == SHARE_COUNTED ? "Clopper-Pearson" : "units", none);
	if (n->typical.used)
		set_part(&comparison->ratio, &comparison->ratio_why, &comparison->ci, &n->typical, shown,
		         method_name(rule, true), none);
	return 0;
}

int numbers_fill(struct result *result, struct comparison *comparison, const struct judged *judged, struct error *err)
{
	const struct verdict_numbers *n = &judged->numbers;
	const struct measurement *m = subject_find_metric(&result->subjects[comparison->base], comparison->metric);
	struct pair_findings paired = *comparison->paired;
	if (fill_intervals(result, comparison, &paired, judged) != 0)
		return error_memory(err);
	comparison->rule = VERDICT_RULE;
	paired.share_base = n->share_base;
	paired.share_new = n->share_new;
	comparison->verdict = numbers_verdict(n->verdict, m->metric.better);
	comparison->scope = n->verdict != RATIO_SAME ? SCOPE_NONE : n->same_total ? SCOPE_TOTAL : SCOPE_TYPICAL;
	comparison->decided_by = n->verdict == RATIO_SAME || n->verdict == RATIO_UNDECIDED
	                             ? NULL
	                             : join_parts(&result->arena, n->decided_by);
	comparison->quick = n->quick;
	paired.order_effect = n->order_effect;
	paired.order_half = n->order_half;
	if (isnan(n->order_effect))
		paired.order_effect_why = "the order inside pairs is not known or does not matter";
	paired.total_over_typical = n->total_times_wider;
	if (comparison_set_paired(result, comparison, &paired) != 0)
		return error_memory(err);
	comparison->p_difference = verdict_difference_p(n);
	comparison->p_same_typical = verdict_same_p(n, &judged->rule.verdict, false);
	comparison->p_same_total = verdict_same_p(n, &judged->rule.verdict, true);
	comparison->unresolved = NULL;
	if (n->verdict == RATIO_UNDECIDED) {
		comparison->unresolved = unresolved_words(&result->arena, n, counted_name(result, comparison, n),
		                                          judged->rule.verdict.margin);
		if (!comparison->unresolved)
			return error_memory(err);
	}
	return 0;
}

/* The interval is what all looks leave; the pairs of all of them may lie elsewhere. */
static void warn_of_moved(struct result *result, const char *title, const char *metric, const char *name,
                          const struct verdict_part *part)
{
	char now[FORMAT_MAX];
	double half = (part->interval.high - part->interval.low) / 2;
	if (part->used && !part->unbounded && not_excluded(part->estimate, part->interval) != part->estimate)
		result_about_warn(
			result, "moved", title,
			"later pairs moved the %s of %s to %s, outside the interval of the earlier ones; measure again", name,
			metric, format_percent(now, sizeof(now), part->estimate - 1, half, 1));
}

void numbers_warn(struct result *result, const struct comparison *comparison, const struct judged *judged)
{
	const struct verdict_numbers *n = &judged->numbers;
	const char *title = subject_title(&result->subjects[comparison->new_]);
	if (n->coarse_clock)
		result_warn(result, "coarse-clock", "%s: the clock is too coarse for medians; only the total is judged",
		            comparison->metric);
	if (n->verdict != RATIO_SAME) {
		warn_of_moved(result, title, comparison->metric, "usual run", &n->typical);
		warn_of_moved(result, title, comparison->metric, "total", &n->total);
	}
	if (n->disagree)
		result_about_warn(result, "disagreement", title,
		                  "the total moved differently from the usual run; look at the slow runs (--plot)");
	if (judged->correlated)
		result_about_warn(result, "dependent-units", title,
		                  "consecutive runs are correlated; the interval was widened");
	if (judged->skewed)
		result_about_warn(result, "skew", title,
		                  "the difference is small beside the spread of single pairs: skewed noise alone can move a "
		                  "median by as much");
}

void numbers_by_method(struct result *result, struct comparison *comparison, const char *method, double level,
                       double ratio, struct interval interval, bool lower, enum stats_status status, enum better better)
{
	if (status != STATS_OK && status != STATS_UNBOUNDED) {
		numbers_unknown(result, comparison, stats_status_text(status));
		return;
	}
	if (!isfinite(ratio)) {
		numbers_unknown(result, comparison, "the base is 0: there is no ratio");
		return;
	}
	comparison->ratio = ratio;
	comparison->ci = (struct confidence){.level = level, .low = interval.low, .high = interval.high, .method = method};
	comparison->ci.unbounded = status == STATS_UNBOUNDED;
	if (isnan(interval.low) && !comparison->ci.unbounded) {
		comparison->ci.level = NAN;
		comparison->ci.why = "this test gives a p value and no interval";
	}
	struct pair_findings paired = *comparison->paired;
	paired.share_why = paired.order_effect_why = paired.shuffle_why = "not part of this method";
	comparison_set_paired(result, comparison, &paired);
	bool excluded = isnan(comparison->p_value) ? interval.low > 1 || interval.high < 1
	                                           : comparison->p_value < 1 - level;
	if (excluded) {
		comparison->verdict = lower == (better == BETTER_LOWER) ? VERDICT_FASTER : VERDICT_SLOWER;
		comparison->decided_by = "total";
	} else {
		comparison->unresolved = "this method shows no difference, which does not prove that there is none";
	}
}

/* The p value of a comparison by whichever rule; 1 where there is none. */
static double p_of(const struct comparison *c)
{
	double p = isnan(c->p_value) ? c->p_difference : c->p_value;
	return isnan(p) ? 1 : fmin(1, p);
}

/* By another method there is an interval at the level asked for and perhaps a p value; nothing can be computed anew. */
static void select_by_method(struct comparison *c, double alpha)
{
	bool known = !isnan(c->p_value) || !isnan(c->p_difference);
	if (c->verdict == VERDICT_UNDECIDED || c->verdict == VERDICT_SAME || !known || p_of(c) <= alpha)
		return;
	c->verdict = VERDICT_UNDECIDED;
	c->scope = SCOPE_NONE;
	c->decided_by = NULL;
	c->unresolved = "on its own it would count as a difference; among this many comparisons it may be chance";
}

static int select_level(const struct result *result, size_t first, size_t count, const struct analysis_options *options,
                        double *alpha, struct error *err)
{
	size_t m = count + options->beside_count, called;
	double *p = mem_alloc(m, sizeof(*p));
	if (!p)
		return error_memory(err);
	for (size_t i = 0; i < count; i++)
		p[i] = p_of(&result->comparisons[first + i]);
	for (size_t i = 0; i < options->beside_count; i++)
		p[count + i] = options->beside[i];
	enum stats_status status = bh_called(p, m, 1 - options->confidence, &called);
	mem_free(p);
	if (status == STATS_NO_MEMORY)
		return error_memory(err);
	*alpha = (1 - options->confidence) * (double)(called > 0 ? called : 1) / (double)m;
	return 0;
}

int numbers_select(struct result *result, size_t first, size_t count, judged_again *again, void *context,
                   const struct analysis_options *options, struct error *err)
{
	size_t without_p = 0;
	double alpha;
	if (count + options->beside_count < 2)
		return 0;
	if (select_level(result, first, count, options, &alpha, err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		struct comparison *c = &result->comparisons[first + i];
		struct judged judged = {0};
		without_p += isnan(c->p_value) && isnan(c->p_difference) && c->verdict != VERDICT_UNDECIDED;
		if (again && again(context, i, &judged, err) != 0)
			return -1;
		if (judged.numbers.runs == 0) {
			select_by_method(c, alpha);
			continue;
		}
		judged.rule.verdict.alpha_same = judged.rule.verdict.alpha;
		judged.rule.verdict.alpha = alpha;
		verdict_again(&judged.numbers, &judged.rule.verdict);
		if (numbers_fill(result, c, &judged, err) != 0)
			return -1;
	}
	if (without_p > 0)
		result_warn(
			result, "many",
			"this method has no p value: among %zu comparisons some differences will be chance (--confidence 99.9)",
			count);
	return 0;
}
