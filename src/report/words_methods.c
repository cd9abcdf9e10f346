/* How a result came about, as a paragraph that can be copied into a paper. */
#include "report/words.h"

#include "base/format.h"
#include "report/overview.h"
#include "report/text_width.h"

#include <math.h>
#include <string.h>

static void add_design(const struct result *result, struct buffer *out)
{
	const struct design_info *design = &result->design;
	char text[FORMAT_MAX];
	if (!design->name)
		return;
	if (strcmp(design->name, "imported") == 0) {
		buffer_printf(out, "The values were measured elsewhere and read by tare %s",
		              result->version ? result->version : TARE_VERSION);
		if (design->why)
			buffer_printf(out, " (%s)", design->why);
	} else {
		buffer_printf(out, "Measured by tare %s in the design %s", result->version ? result->version : TARE_VERSION,
		              design->name);
		if (design->why)
			buffer_printf(out, " (%s)", design->why);
		if (isfinite(result->elapsed))
			buffer_printf(out, " in %s", format_duration(text, sizeof(text), (int64_t)(result->elapsed * 1e9)));
		if (result->seed)
			buffer_printf(out, ", seed %llu", (unsigned long long)result->seed);
	}
	buffer_text_add(out, ". ");
	if (design->level_count > 0) {
		buffer_text_add(out, "Levels of repetition, outermost first: ");
		for (size_t i = 0; i < design->level_count; i++)
			buffer_printf(out, "%s%s", i ? ", " : "", level_name(design->levels[i]));
		buffer_text_add(out, ". ");
	}
}

/* "25 runs of 20 iterations each", as the subject's levels say; 0: nothing is known. */
static size_t describe_repetitions(const struct measurement *m, struct buffer *out)
{
	char number[FORMAT_MAX];
	for (size_t k = 0; m && k < m->described->level_count; k++) {
		const struct level_share *level = &m->described->levels[k];
		bool whole = level->n == floor(level->n);
		buffer_printf(out, "%s%s%s %s%s", k ? " of " : "", whole ? "" : "about ",
		              format_fixed(number, sizeof(number), level->n, whole || level->n >= 10 ? 0 : 1),
		              level_name(level->level), level->n == 1 ? "" : "s");
	}
	return out->length;
}

/* "The 24 subjects were measured in 6 to 13 runs of about 25 to 40 iterations. "; nothing if they differ in levels. */
static void add_ranges(const struct result *result, const char *metric, struct buffer *out)
{
	double low[LEVEL_COUNT], high[LEVEL_COUNT];
	char a[FORMAT_MAX], b[FORMAT_MAX];
	const struct description *first = NULL;
	for (size_t s = 0; s < result->subject_count; s++) {
		const struct measurement *m = subject_find_metric(&result->subjects[s], metric);
		if (!m || m->described->level_count == 0)
			continue;
		if (first && m->described->level_count != first->level_count)
			return;
		for (size_t k = 0; k < m->described->level_count; k++) {
			double n = m->described->levels[k].n;
			low[k] = first ? fmin(low[k], n) : n;
			high[k] = first ? fmax(high[k], n) : n;
		}
		first = first ? first : m->described;
	}
	if (!first)
		return;
	buffer_printf(out, "The %zu subjects were measured in ", result->subject_count);
	for (size_t k = 0; k < first->level_count; k++) {
		bool whole = low[k] == floor(low[k]) && high[k] == floor(high[k]);
		buffer_printf(out, "%s%s%s", k ? " of " : "", whole ? "" : "about ", format_fixed(a, sizeof(a), low[k], 0));
		if (high[k] > low[k])
			buffer_printf(out, " to %s", format_fixed(b, sizeof(b), high[k], 0));
		buffer_printf(out, " %s%s", level_name(first->levels[k].level), high[k] == 1 ? "" : "s");
	}
	buffer_text_add(out, ". ");
}

/* How often each level was repeated; subject by subject if a few differ. */
static void add_repetitions(const struct result *result, const char *metric, struct buffer *out)
{
	enum { MOST = 6 };
	struct buffer first = {0}, other = {0};
	bool same = true;
	for (size_t s = 0; s < result->subject_count; s++) {
		buffer_clear(&other);
		describe_repetitions(subject_find_metric(&result->subjects[s], metric), s ? &other : &first);
		same &= s == 0 || strcmp(buffer_text(&first), buffer_text(&other)) == 0;
	}
	if (same && first.length > 0)
		buffer_printf(out, "%s measured in %s. ", result->subject_count > 1 ? "Each subject was" : "It was",
		              buffer_text(&first));
	else if (!same && result->subject_count > MOST)
		add_ranges(result, metric, out);
	for (size_t s = 0; s < result->subject_count && result->subject_count <= MOST && !same; s++) {
		buffer_clear(&other);
		if (describe_repetitions(subject_find_metric(&result->subjects[s], metric), &other) == 0)
			continue;
		text_clean(out, subject_title(&result->subjects[s]), TEXT_UNICODE);
		buffer_printf(out, " was measured in %s. ", buffer_text(&other));
	}
	buffer_release(&first);
	buffer_release(&other);
}

/* The warm-up of the first subject that has one; the others have the same, or their numbers show theirs. */
static void add_warmup(const struct result *result, const char *metric, struct buffer *out)
{
	for (size_t s = 0; s < result->subject_count; s++) {
		const struct measurement *m = subject_find_metric(&result->subjects[s], metric);
		if (!m || (m->skip == 0 && m->steady == STEADY_UNKNOWN))
			continue;
		/* Runs may have warm-ups of their own; the longest is told then. */
		const char *first = m->skip_count > 0 ? "Up to the first" : "The first";
		if (m->skip == 1)
			buffer_printf(out, "%s iteration of each run was left out as warm-up. ", first);
		else if (m->skip > 1)
			buffer_printf(out, "%s %zu iterations of each run were left out as warm-up. ", first, m->skip);
		if (m->iteration > 0)
			buffer_printf(out, "Iterations are not independent: iteration %u of each run is used. ", m->iteration);
		return;
	}
}

static void add_machine(const struct result *result, struct buffer *out)
{
	const struct host_info *host = &result->host;
	if (!host->cpu && !host->kernel)
		return;
	buffer_text_add(out, "Machine: ");
	if (host->cpu)
		text_clean(out, host->cpu, TEXT_UNICODE);
	if (host->cpus > 0)
		buffer_printf(out, "%s%ld CPU%s", host->cpu ? ", " : "", host->cpus, host->cpus == 1 ? "" : "s");
	if (host->virtual_ && host->virtual_[0] && strcmp(host->virtual_, "none") != 0)
		buffer_printf(out, ", virtual (%s)", host->virtual_);
	if (host->os)
		buffer_printf(out, ", %s", host->os);
	if (host->kernel)
		buffer_printf(out, ", kernel %s", host->kernel);
	buffer_text_add(out, ". ");
}

static void add_estimates(const struct result *result, struct buffer *out)
{
	const char *metric = overview_metric(result);
	const struct measurement *m = result->subject_count ? subject_find_metric(&result->subjects[0], metric) : NULL;
	char level[FORMAT_MAX];
	if (!m || isnan(m->ci.level) || !m->ci.method)
		return;
	buffer_printf(out, "Intervals of single subjects are at %s %% (%s); their unit is the %s. ",
	              format_level(level, sizeof(level), m->ci.level), m->ci.method, level_name(m->unit));
}

static void add_comparison(const struct result *result, struct buffer *out)
{
	const struct comparison *c = result->comparison_count ? &result->comparisons[0] : NULL;
	char text[FORMAT_MAX];
	if (!c)
		return;
	buffer_printf(out, "Ratios are %s of new over base. ", c->metric);
	if (words_by_ranks(c))
		buffer_text_add(out, "The ratio is that of the medians over units, and the test that of Mann and Whitney, by "
		                     "ranks; pairs are not used. ");
	else if (c->pairs)
		buffer_text_add(
			out,
			"Values taken together are pairs. Typical is the mean over units of the median log ratio of their "
			"pairs, each order separately; total is the ratio of the sums; the slow share counts iterations far above "
			"the median. ");
	else
		buffer_text_add(out, "There are no pairs; total is the ratio of the means over units. ");
	if (!isnan(c->ci.level))
		buffer_printf(out, "Intervals are at %s %%%s%s. ", format_level(text, sizeof(text), c->ci.level),
		              c->ci.method ? ", " : "", c->ci.method ? c->ci.method : "");
	if (!isnan(c->margin))
		buffer_printf(out, "\xe2\x80\x9cSame\xe2\x80\x9d means that the interval lies within a margin of %s. ",
		              format_percent(text, sizeof(text), c->margin, NAN, 0));
	if (result->comparison_count > 1)
		buffer_text_add(out,
		                "Changes among several comparisons are selected by the procedure of Benjamini and Hochberg. ");
}

static void add_cost(const struct stopped *stopped, const char *between, struct buffer *out)
{
	char share[FORMAT_MAX];
	buffer_printf(out, "%ld check%s%s%s %% of the time", stopped->checks, stopped->checks == 1 ? "" : "s", between,
	              format_significant(share, sizeof(share), 100 * stopped->cost, 2));
}

void words_stop_cost(const struct result *result, struct buffer *out)
{
	if (!(result->stopped.cost > 0 && result->stopped.checks > 0))
		return;
	buffer_printf(out, "stop rule %s: ", result->stopped.rule ? result->stopped.rule : "");
	add_cost(&result->stopped, ", ", out);
}

/* What a gate asks may be decided while the size of a change is not. */
static bool is_gate_alone_decided(const struct result *result)
{
	bool open = false;
	for (size_t i = 0; i < result->comparison_count; i++)
		open |= result->comparisons[i].verdict == VERDICT_UNDECIDED;
	return open && !isnan(result->gate.limit);
}

static void add_stop(const struct result *result, struct buffer *out)
{
	const struct stopped *stopped = &result->stopped;
	static const char *const words[][2] = {
		{"precision", "the requested precision was reached"},
		{"verdict", "every verdict was decided"},
		{"stable", "the values were stable"},
		{"budget", "the time was over"},
		{"count", "the number of runs was reached"},
		{"stopped", "the user ended it"},
		{"interrupted", "it was interrupted"},
		{"failed", "a run failed"},
	};
	const char *when = stopped->reason;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i][0], stopped->reason) == 0)
			when = words[i][1];
	if (strcmp(stopped->reason, "verdict") == 0 && is_gate_alone_decided(result))
		when = "the gate was decided";
	buffer_printf(out, "Measuring ended when %s", when);
	if (stopped->rule)
		buffer_printf(out, " (rule %s)", stopped->rule);
	if (stopped->checks > 0 && stopped->cost > 0) {
		buffer_text_add(out, ", after ");
		add_cost(stopped, ", which took ", out);
	} else if (stopped->checks > 0) {
		buffer_printf(out, ", after %ld check%s", stopped->checks, stopped->checks == 1 ? "" : "s");
	}
	buffer_text_add(out, ". ");
}

void words_methods(const struct result *result, struct buffer *out)
{
	add_design(result, out);
	add_machine(result, out);
	add_repetitions(result, overview_metric(result), out);
	add_warmup(result, overview_metric(result), out);
	add_estimates(result, out);
	add_comparison(result, out);
	if (result->stopped.reason)
		add_stop(result, out);
	buffer_text_add(out, "Formulas and evidence: man tare-methods.");
}
