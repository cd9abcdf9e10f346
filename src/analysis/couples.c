/* Which subjects are compared with which; the selection and the gate over all of them. */
#include "analysis/comparison.h"
#include "analysis/numbers.h"
#include "base/format.h"
#include "base/memory.h"
#include "decide/gate.h"
#include "stats/multiple.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum better better_of(const struct result *result, const struct comparison *c)
{
	const struct measurement *m = subject_find_metric(&result->subjects[c->base], c->metric);
	return m ? m->metric.better : BETTER_LOWER;
}

/* A comparison that was judged by another method goes by its interval. */
static enum gate gate_by_interval(const struct result *result, const struct comparison *c, double limit)
{
	if (isnan(c->ci.low) || c->ci.unbounded || c->units < 2)
		return GATE_OPEN;
	struct interval ratio = {c->ci.low, c->ci.high};
	if (better_of(result, c) == BETTER_HIGHER)
		ratio = gate_turned(ratio);
	return ratio.low > 1 + limit ? GATE_BROKEN : ratio.high < 1 + limit ? GATE_HELD : GATE_OPEN;
}

/* There is no ratio beyond the limit to show then. */
static const char *why_broken_by_share(struct result *result, const struct comparison *c,
                                       const struct gate_interval *share, double limit)
{
	char estimate[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX], allowed[FORMAT_MAX];
	return arena_printf(&result->arena, "%s has %s percentage points more slow runs (%s to %s); the gate allows %s",
	                    subject_title(&result->subjects[c->new_]),
	                    format_fixed(estimate, sizeof(estimate), 100 * c->paired->share_difference, 1),
	                    format_fixed(low, sizeof(low), 100 * share->ratio.low, 1),
	                    format_fixed(high, sizeof(high), 100 * share->ratio.high, 1),
	                    format_level(allowed, sizeof(allowed), gate_share_limit(limit)));
}

/* `broken`: the smallest alpha at which it is, corrected for the number of comparisons. */
static int set_gate_of_machines(struct result *result, struct comparison *c, struct gate_findings *gated, double broken,
                                const struct analysis_options *options, struct error *err)
{
	const struct machines_result *machines = c->machines;
	bool is_broken = broken < 1 - options->confidence;
	c->gate = is_broken ? GATE_BROKEN : machines->holds ? GATE_HELD : GATE_OPEN;
	gated->ci = is_broken ? machines->broken_ci : machines->open_ci;
	if (!is_broken || !isnan(machines->broken_ci.low))
		return 0;
	const struct gate_interval share = {VERDICT_SHARE, NAN, {c->paired->share_ci.low, c->paired->share_ci.high}};
	c->gate_why = gated->ci.why = why_broken_by_share(result, c, &share, options->gate);
	return c->gate_why ? 0 : error_memory(err);
}

static int set_gate(struct result *result, struct comparison *c, const struct judged *judged, double broken,
                    const struct analysis_options *options, struct error *err)
{
	const struct verdict_numbers *numbers = &judged->numbers;
	struct gate_findings *gated = comparison_own_gate(result, c);
	if (!gated)
		return error_memory(err);
	gated->limit = options->gate;
	if (c->machines)
		return set_gate_of_machines(result, c, gated, broken, options, err);
	if (numbers->runs == 0) {
		c->gate = gate_by_interval(result, c, options->gate);
		gated->ci = c->ci;
		return 0;
	}
	enum better better = better_of(result, c);
	enum gate gate = gate_corrected(numbers, broken, 1 - options->confidence, options->gate, better);
	struct gate_interval by = gate_interval_of(numbers, gate, 1 - options->confidence, options->gate, better);
	/* Whatever the interval says: the reason is how few they are. */
	if (numbers->unresolved & VERDICT_PAIRS)
		c->gate_why = c->unresolved;
	bool bounded = isfinite(by.ratio.low) && isfinite(by.ratio.high);
	c->gate = gate;
	if (by.part == VERDICT_SHARE) {
		c->gate_why = why_broken_by_share(result, c, &by, options->gate);
		gated->ci.why = c->gate_why;
		return c->gate_why ? 0 : error_memory(err);
	}
	gated->ci = (struct confidence){.level = 1 - by.alpha,
	                                .low = bounded ? by.ratio.low : NAN,
	                                .high = bounded ? by.ratio.high : NAN,
	                                .unbounded = !bounded,
	                                .method = by.part == VERDICT_TYPICAL ? "typical" : "total"};
	return 0;
}

/* Comparisons that are looked at together: what each was judged by is large, so it is found again. */
struct together {
	struct result *result;
	const struct couple *couples;
	const struct analysis_options *options;
	size_t first; /* comparison of couples[0] */
	bool *judged; /* by the verdict rule */
	double
		*broken; /* the smallest alpha at which the gate is, corrected for the number of comparisons; NULL: no gate */
};

static int judge_again(void *context, size_t i, struct judged *judged, struct error *err)
{
	struct together *all = context;
	const struct analysis_options *options = all->options;
	struct comparison *c = &all->result->comparisons[all->first + i];
	*judged = (struct judged){0};
	if (all->judged[i] && comparison_again(all->result, c, all->couples[i].judge, options, judged, err) != 0)
		return -1;
	return all->broken ? set_gate(all->result, c, judged, all->broken[i], options, err) : 0;
}

static int judge_together(struct together *all, size_t count, struct error *err)
{
	const struct analysis_options *options = all->options;
	struct judged judged;
	int status = 0;
	if (all->broken && holm_adjust(all->broken, count, all->broken) != STATS_OK)
		return error_memory(err);
	if (options->selection && count + options->beside_count > 1)
		return numbers_select(all->result, all->first, count, judge_again, all, options, err);
	for (size_t i = 0; status == 0 && all->broken && i < count; i++)
		status = judge_again(all, i, &judged, err);
	return status;
}

static double broken_p(const struct result *result, const struct comparison *c, const struct judged *judged,
                       const struct analysis_options *options)
{
	return c->machines ? c->machines->broken_p : gate_broken_p(&judged->numbers, options->gate, better_of(result, c));
}

int analyse_machine_gates(struct result *result, const struct analysis_options *options, struct error *err)
{
	static const struct judged none;
	size_t count = result->comparison_count;
	if (isnan(options->gate) || count == 0)
		return 0;
	double *broken = mem_alloc(count, sizeof(*broken));
	int status = broken ? 0 : error_memory(err);
	for (size_t i = 0; status == 0 && i < count; i++)
		broken[i] = broken_p(result, &result->comparisons[i], &none, options);
	if (status == 0 && holm_adjust(broken, count, broken) != STATS_OK)
		status = error_memory(err);
	for (size_t i = 0; status == 0 && i < count; i++)
		status = set_gate(result, &result->comparisons[i], &none, broken[i], options, err);
	mem_free(broken);
	return status;
}

int analyse_couples(struct result *result, const struct couple *couples, size_t count,
                    const struct analysis_options *options, struct error *err)
{
	bool gate = !isnan(options->gate);
	struct together all = {.result = result,
	                       .couples = couples,
	                       .options = options,
	                       .first = result->comparison_count,
	                       .judged = mem_alloc(count, sizeof(*all.judged)),
	                       .broken = gate ? mem_alloc(count, sizeof(*all.broken)) : NULL};
	int status = all.judged && (!gate || all.broken) ? 0 : error_memory(err);
	for (size_t i = 0; status == 0 && i < count; i++) {
		struct judged judged = {0};
		status = comparison_of_couple(result, couples[i], options, &judged, err);
		all.judged[i] = judged.numbers.runs > 0;
		if (status == 0 && gate)
			all.broken[i] = broken_p(result, &result->comparisons[all.first + i], &judged, options);
	}
	if (status == 0 && count > 0)
		status = judge_together(&all, count, err);
	mem_free(all.judged);
	mem_free(all.broken);
	return status;
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Subjects that are no benchmarks are alternatives to each other; benchmarks are compared with themselves. */
static bool measures_the_same(const struct subject *a, const struct subject *b)
{
	if (!a->benchmark || !b->benchmark)
		return !a->benchmark && !b->benchmark;
	return same_text(a->benchmark, b->benchmark) && !same_text(a->program, b->program) && subject_same_parameters(a, b);
}

static int by_benchmark(const void *a, const void *b)
{
	const struct subject *const *x = a, *const *y = b;
	const char *p = (*x)->benchmark, *q = (*y)->benchmark;
	int order = strcmp(p ? p : "", q ? q : "");
	return order ? order : (*x > *y) - (*x < *y);
}

/* base[i]: what subject i is compared with, or SIZE_MAX. */
static int find_bases(const struct result *result, size_t *base, struct error *err)
{
	size_t n = result->subject_count;
	const struct subject **sorted = mem_alloc(n, sizeof(const struct subject *));
	if (!sorted)
		return error_memory(err);
	for (size_t i = 0; i < n; i++)
		sorted[i] = &result->subjects[i];
	qsort(sorted, n, sizeof(const struct subject *), by_benchmark);
	for (size_t i = 0, first = 0; i < n; i++) {
		if (!same_text(sorted[i]->benchmark, sorted[first]->benchmark))
			first = i;
		size_t *found = &base[sorted[i] - result->subjects];
		*found = SIZE_MAX;
		for (size_t j = first; j < i && *found == SIZE_MAX; j++)
			if (measures_the_same(sorted[j], sorted[i]))
				*found = (size_t)(sorted[j] - result->subjects);
	}
	mem_free(sorted);
	return 0;
}

static bool have_common_metric(const struct result *result, size_t base, size_t new_,
                               const struct analysis_options *options)
{
	return comparison_metric(&result->subjects[base], &result->subjects[new_], options->deciding) != NULL;
}

int analyse_comparisons(struct result *result, const struct analysis_options *options, struct error *err)
{
	size_t count = 0, n = result->subject_count;
	struct couple *couples = mem_alloc(n, sizeof(*couples));
	size_t *base = mem_alloc(n, sizeof(*base));
	int status = couples && base ? 0 : error_memory(err);
	for (size_t i = 0; status == 0 && i < n; i++)
		base[i] = i == options->reference ? SIZE_MAX : options->reference;
	if (status == 0 && options->by_benchmark && n > 0)
		status = find_bases(result, base, err);
	for (size_t i = 0; status == 0 && i < n; i++)
		if (base[i] != SIZE_MAX && (!options->by_benchmark || have_common_metric(result, base[i], i, options)))
			couples[count++] = (struct couple){.base = base[i], .new_ = i};
	if (status == 0)
		status = analyse_couples(result, couples, count, options, err);
	mem_free(couples);
	mem_free(base);
	return status;
}
