#include "analysis/numbers.h"

#include "base/format.h"
#include "base/memory.h"
#include "stats/multiple.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t place_of(const char *order, size_t subject)
{
	if (strchr(order, ',')) {
		size_t place = 0;
		for (const char *at = order; at; at = strchr(at, ','), at = at ? at + 1 : NULL, place++)
			if (strtoul(at, NULL, 10) == subject)
				return place;
		return SIZE_MAX;
	}
	const char *at = subject < 26 ? strchr(order, 'A' + (int)subject) : NULL;
	return at ? (size_t)(at - order) : SIZE_MAX;
}

bool numbers_before(const char *order, size_t a, size_t b)
{
	return place_of(order, a) <= place_of(order, b);
}

void numbers_unknown(struct comparison *comparison, const char *why)
{
	comparison->verdict = VERDICT_UNDECIDED;
	comparison->ratio_why = comparison->total_why = comparison->share_why = why;
	comparison->order_effect_why = comparison->shuffle_why = why;
	comparison->ci.why = comparison->total_ci.why = comparison->share_ci.why = why;
	comparison->unresolved = why;
}

static void set_part(double *estimate, const char **why, struct confidence *ci, const struct verdict_part *part,
                     double level, const char *method, const char *unused_why)
{
	if (!part->used) {
		*why = ci->why = unused_why;
		return;
	}
	*estimate = part->estimate;
	ci->level = level;
	ci->method = method;
	ci->unbounded = part->unbounded;
	ci->low = part->unbounded ? NAN : part->interval.low;
	ci->high = part->unbounded ? NAN : part->interval.high;
}

/* "faster" always means better. */
static enum verdict verdict_of(enum ratio_verdict verdict, enum better better)
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

static const char *unresolved_words(struct arena *arena, const struct verdict_numbers *n, double margin)
{
	char m[FORMAT_MAX], a[FORMAT_MAX], b[FORMAT_MAX];
	format_percent(m, sizeof(m), margin, NAN, 0);
	if (n->unresolved & VERDICT_UNITS)
		return arena_printf(arena, "%zu units are too few for a verdict", n->units);
	if (n->unresolved == VERDICT_SHARE && n->typical.inside) {
		double fewer = fabs(n->share.same_interval.low), more = fabs(n->share.same_interval.high);
		return arena_printf(arena,
		                    "the usual run is the same within %s; up to %s percentage points %s slow runs are not "
		                    "excluded: the slow share alone is unresolved",
		                    m, format_significant(a, sizeof(a), 100 * fmax(fewer, more), 2),
		                    more > fewer ? "more" : "fewer");
	}
	const struct verdict_part *part = n->unresolved & VERDICT_TYPICAL ? &n->typical : &n->total;
	const char *name = n->unresolved & VERDICT_TYPICAL ? "typical" : "total";
	if (!(n->unresolved & (VERDICT_TYPICAL | VERDICT_TOTAL)))
		return arena_printf(arena, "the slow share is unresolved");
	if (part->unbounded)
		return arena_printf(arena, "%s is unresolved: its interval has no bound yet", name);
	return arena_printf(arena, "%s is unresolved: %s to %s includes both 0 %% and changes above %s", name,
	                    format_percent(a, sizeof(a), fmax(part->interval.low, 0) - 1, NAN, 1),
	                    format_percent(b, sizeof(b), fmax(part->interval.high, 0) - 1, NAN, 1), m);
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

int numbers_into_comparison(struct result *result, struct comparison *comparison, const struct verdict_numbers *n,
                            const struct judge_options *options, struct error *err)
{
	struct arena *arena = &result->arena;
	double level = 1 - options->verdict.alpha;
	const struct measurement *m = subject_find_metric(&result->subjects[comparison->base], comparison->metric);
	const char *none = n->coarse_clock ? "the clock is too coarse for medians"
	                   : n->pairs      ? "too few pairs"
	                                   : "the data has no pairs";
	set_part(&comparison->total, &comparison->total_why, &comparison->total_ci, &n->total, level,
	         method_name(n->rule, false), "not known");
	set_part(&comparison->share_difference, &comparison->share_why, &comparison->share_ci, &n->share, level, "units",
	         none);
	if (n->typical.used) {
		set_part(&comparison->ratio, &comparison->ratio_why, &comparison->ci, &n->typical, level,
		         method_name(n->rule, true), none);
	} else {
		comparison->ratio = comparison->total;
		comparison->ci = comparison->total_ci;
		comparison->ratio_why = comparison->total_why;
	}
	comparison->share_base = n->share_base;
	comparison->share_new = n->share_new;
	comparison->verdict = verdict_of(n->verdict, m->metric.better);
	comparison->scope = n->verdict != RATIO_SAME ? SCOPE_NONE : n->same_total ? SCOPE_TOTAL : SCOPE_TYPICAL;
	comparison->decided_by = n->verdict == RATIO_SAME || n->verdict == RATIO_UNDECIDED
	                             ? NULL
	                             : join_parts(arena, n->decided_by);
	comparison->quick = n->quick;
	comparison->order_effect = n->order_effect;
	if (isnan(n->order_effect))
		comparison->order_effect_why = "the order inside pairs is not known or has no part";
	comparison->total_over_typical = n->total_times_wider;
	comparison->p_difference = verdict_difference_p(n);
	comparison->p_same_typical = verdict_same_p(n, &options->verdict, false);
	comparison->p_same_total = verdict_same_p(n, &options->verdict, true);
	if (n->verdict == RATIO_UNDECIDED) {
		comparison->unresolved = unresolved_words(arena, n, options->verdict.margin);
		if (!comparison->unresolved)
			return error_memory(err);
	}
	if (n->coarse_clock)
		result_warn(result, "coarse-clock", "%s: the clock is too coarse for medians; the total alone is judged",
		            comparison->metric);
	if (n->disagree)
		result_about_warn(result, "disagreement", subject_title(&result->subjects[comparison->new_]),
		                  "the total moved otherwise than the usual run; look at the slow runs (--plot)");
	return 0;
}

void numbers_by_method(struct comparison *comparison, const char *method, double level, double ratio,
                       struct interval interval, bool lower, enum stats_status status, enum better better)
{
	if (status != STATS_OK && status != STATS_UNBOUNDED) {
		numbers_unknown(comparison, stats_status_text(status));
		return;
	}
	if (!isfinite(ratio)) {
		numbers_unknown(comparison, "the base is 0: there is no ratio");
		return;
	}
	comparison->ratio = comparison->total = ratio;
	comparison->ci = (struct confidence){.level = level, .low = interval.low, .high = interval.high, .method = method};
	comparison->ci.unbounded = status == STATS_UNBOUNDED;
	if (isnan(interval.low) && !comparison->ci.unbounded) {
		comparison->ci.level = NAN;
		comparison->ci.why = "this test gives a p value and no interval";
	}
	comparison->total_ci = comparison->ci;
	comparison->share_why = "not part of this method";
	comparison->order_effect_why = comparison->shuffle_why = "not part of this method";
	bool excluded = isnan(comparison->p_value) ? interval.low > 1 || interval.high < 1
	                                           : comparison->p_value < 1 - level;
	if (excluded) {
		comparison->verdict = lower == (better == BETTER_LOWER) ? VERDICT_FASTER : VERDICT_SLOWER;
		comparison->decided_by = "total";
	} else {
		comparison->unresolved = "this method shows no difference; that is not the same as none";
	}
}

int numbers_holm(struct result *result, double alpha, struct error *err)
{
	size_t m = result->comparison_count, without_p = 0;
	double *p = mem_alloc(3 * m, sizeof(*p));
	if (!p)
		return error_memory(err);
	double *typical = p + m, *total = p + 2 * m;
	for (size_t i = 0; i < m; i++) {
		const struct comparison *c = &result->comparisons[i];
		double d = isnan(c->p_value) ? c->p_difference : c->p_value;
		p[i] = isnan(d) ? 1 : d;
		typical[i] = isnan(c->p_same_typical) ? 1 : c->p_same_typical;
		total[i] = isnan(c->p_same_total) ? 1 : c->p_same_total;
		without_p += isnan(d) && c->verdict != VERDICT_UNDECIDED;
	}
	if (m > 1) {
		holm_adjust(p, m, p);
		holm_adjust(typical, m, typical);
		holm_adjust(total, m, total);
	}
	for (size_t i = 0; i < m && m > 1; i++) {
		struct comparison *c = &result->comparisons[i];
		bool known = !isnan(c->p_value) || !isnan(c->p_difference);
		bool holds = !known || (c->verdict == VERDICT_SAME ? typical[i] <= alpha : p[i] <= alpha);
		/* The usual run is the same for certain, all runs together only if nothing else were asked. */
		if (known && holds && c->scope == SCOPE_TOTAL && c->verdict == VERDICT_SAME && total[i] > alpha)
			c->scope = SCOPE_TYPICAL;
		if (c->verdict == VERDICT_UNDECIDED || holds)
			continue;
		c->verdict = VERDICT_UNDECIDED;
		c->scope = SCOPE_NONE;
		c->decided_by = NULL;
		c->unresolved = "alone it would be called, among this many comparisons it may be chance";
	}
	mem_free(p);
	if (m > 1 && without_p > 0)
		result_warn(
			result, "many",
			"this method has no p value: among %zu comparisons some differences will be chance (--confidence 99.9)", m);
	return 0;
}
