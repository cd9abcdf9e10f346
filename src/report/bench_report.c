#include "report/bench_report.h"

#include "base/format.h"
#include "report/table.h"
#include "report/text.h"
#include "report/words.h"

#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

/* What the first benchmark is judged by stands in the first column for all. */
static const char *main_metric(const struct result *result)
{
	const char *metric = result->subject_count > 0 ? result->subjects[0].metric : NULL;
	return metric ? metric : "wall";
}

static double level_of(const struct result *result, const char *metric)
{
	for (size_t i = 0; i < result->subject_count; i++) {
		const struct measurement *m = subject_find_metric(&result->subjects[i], metric);
		if (m && isfinite(m->ci.level))
			return m->ci.level;
	}
	return 0.95;
}

static void quantity_cell(struct table *table, const struct measurement *m)
{
	char number[FORMAT_MAX];
	double half = m ? (m->ci.high - m->ci.low) / 2 : NAN;
	table_cell(table, EMPHASIS_NONE,
	           m && m->n ? format_quantity(number, sizeof(number), m->mean, half, m->metric.unit) : "-");
}

static void precision_cell(struct table *table, const struct measurement *m)
{
	char number[FORMAT_MAX];
	double half = m && m->n ? (m->ci.high - m->ci.low) / 2 / fabs(m->mean) : NAN;
	if (!isfinite(half))
		table_cell(table, EMPHASIS_NONE, "-");
	else
		table_cellf(table, EMPHASIS_NONE, "\xc2\xb1 %s", format_percent(number, sizeof(number), half, half / 10, 0));
}

static const struct measurement *rate_of(const struct subject *subject)
{
	const struct measurement *bytes = subject_find_metric(subject, "bytes");
	return bytes ? bytes : subject_find_metric(subject, "items");
}

static void fill(struct table *table, const struct result *result)
{
	const char *metric = main_metric(result);
	char heading[FORMAT_MAX + 2], level[FORMAT_MAX];
	bool rates = false;
	for (size_t i = 0; i < result->subject_count; i++)
		rates |= rate_of(&result->subjects[i]) != NULL;
	table_column(table, "benchmark", TABLE_LEFT, TABLE_SHRINKS);
	table_column(table, metric, TABLE_DECIMAL, TABLE_FIXED);
	snprintf(heading, sizeof(heading), "%s %%", format_level(level, sizeof(level), level_of(result, metric)));
	table_column(table, heading, TABLE_LEFT, TABLE_FIXED);
	if (strcmp(metric, "cpu") != 0)
		table_column(table, "cpu", TABLE_DECIMAL, TABLE_OPTIONAL);
	if (rates)
		table_column(table, "rate", TABLE_DECIMAL, TABLE_OPTIONAL);
	table_column(table, "runs", TABLE_RIGHT, TABLE_OPTIONAL);
	for (size_t i = 0; i < result->subject_count; i++) {
		const struct subject *subject = &result->subjects[i];
		const struct measurement *m = subject_find_metric(subject, metric);
		table_row(table);
		table_cell(table, EMPHASIS_NONE, subject->name);
		quantity_cell(table, m);
		if (subject->failure_count > 0)
			table_cell(table, EMPHASIS_BAD, "failed");
		else
			precision_cell(table, m);
		if (strcmp(metric, "cpu") != 0)
			quantity_cell(table, subject_find_metric(subject, "cpu"));
		if (rates)
			quantity_cell(table, rate_of(subject));
		table_cellf(table, EMPHASIS_NONE, "%zu", m ? measurement_runs(m) : 0);
	}
}

int bench_report(const struct result *result, const struct look *look, struct buffer *out, struct error *err)
{
	struct table table = {0};
	fill(&table, result);
	int status = look ? table_text(&table, look, out, err) : table_markdown(&table, out, err);
	table_release(&table);
	if (look) {
		if (look->verbose)
			text_levels(result, main_metric(result), out);
		text_circumstances(result, look, SIZE_MAX, out);
		return status;
	}
	struct buffer cost = {0};
	words_stop_cost(result, &cost);
	if (cost.length > 0)
		buffer_printf(out, "\n%s\n", buffer_text(&cost));
	buffer_release(&cost);
	if (result->warning_count > 0)
		buffer_char(out, '\n');
	for (size_t i = 0; i < result->warning_count; i++) {
		buffer_text_add(out, "> ");
		markdown_escape(out, result->warnings[i].text);
		buffer_char(out, '\n');
	}
	return status;
}
