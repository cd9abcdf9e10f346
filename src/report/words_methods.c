/* How a result came about, as a paragraph that can be copied into a paper. */
#include "report/words.h"

#include "base/format.h"
#include "report/overview.h"

#include <math.h>
#include <string.h>

static void add_design(const struct result *result, struct buffer *out)
{
	const struct design_info *design = &result->design;
	char text[FORMAT_MAX];
	if (!design->name)
		return;
	if (strcmp(design->name, "imported") == 0) {
		buffer_printf(out, "The values were measured elsewhere and read by tare %s", result->version ? result->version : TARE_VERSION);
		if (design->why)
			buffer_printf(out, " (%s)", design->why);
	} else {
		buffer_printf(out, "Measured by tare %s in the design %s", result->version ? result->version : TARE_VERSION, design->name);
		if (design->why)
			buffer_printf(out, " (%s)", design->why);
		if (isfinite(result->elapsed))
			buffer_printf(out, " in %s", format_duration(text, sizeof(text), (int64_t)(result->elapsed * 1e9)));
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

static void add_estimates(const struct result *result, struct buffer *out)
{
	const char *metric = overview_metric(result);
	const struct measurement *m = result->subject_count ? subject_find_metric(&result->subjects[0], metric) : NULL;
	char level[FORMAT_MAX];
	if (!m || isnan(m->ci.level) || !m->ci.method)
		return;
	buffer_printf(out, "Intervals of single subjects are at %s %% (%s); their unit is the %s. ",
	              format_significant(level, sizeof(level), m->ci.level * 100, m->ci.level > 0.99 ? 4 : 2), m->ci.method,
	              level_name(m->unit));
}

static void add_comparison(const struct result *result, struct buffer *out)
{
	const struct comparison *c = result->comparison_count ? &result->comparisons[0] : NULL;
	char text[FORMAT_MAX];
	if (!c)
		return;
	buffer_printf(out, "Ratios are new over base of %s. ", c->metric);
	if (c->pairs)
		buffer_text_add(out, "Values taken together are pairs. Typical is the mean over units of the median log ratio of their "
		                     "pairs, each order apart; total is the ratio of the sums; the slow share counts iterations far above "
		                     "the median. ");
	else
		buffer_text_add(out, "There are no pairs; total is the ratio of the means over units. ");
	if (!isnan(c->ci.level))
		buffer_printf(out, "Intervals are at %s %%%s%s. ",
		              format_significant(text, sizeof(text), c->ci.level * 100, c->ci.level > 0.99 ? 4 : 2),
		              c->ci.method ? ", " : "", c->ci.method ? c->ci.method : "");
	if (!isnan(c->margin))
		buffer_printf(out, "\xe2\x80\x9cSame\xe2\x80\x9d is said where the interval lies within a margin of %s. ",
		              format_percent(text, sizeof(text), c->margin, NAN, 0));
	if (result->comparison_count > 1)
		buffer_text_add(out, "Verdicts are corrected by Holm\xe2\x80\x99s method over all comparisons. ");
}

void words_methods(const struct result *result, struct buffer *out)
{
	add_design(result, out);
	add_estimates(result, out);
	add_comparison(result, out);
	if (result->stopped.reason) {
		buffer_printf(out, "It stopped by %s", result->stopped.reason);
		if (result->stopped.rule)
			buffer_printf(out, " (rule %s)", result->stopped.rule);
		if (result->stopped.checks > 0)
			buffer_printf(out, " after %ld checks", result->stopped.checks);
		buffer_text_add(out, ". ");
	}
	buffer_text_add(out, "Formulas and evidence: man tare-methods.");
}
