#include "report/suite_report.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/scoped.h"
#include "report/machines_text.h"
#include "report/names.h"
#include "report/overview.h"
#include "report/paper.h"
#include "report/table.h"
#include "report/text.h"
#include "report/words.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTES_ROOM = 6 }; /* lines for the notes of one comparison */

struct suite_row {
	const struct result *result;
	const struct comparison *comparison;
};

static int by_name(const void *a, const void *b)
{
	const struct suite_row *x = a, *y = b;
	return strcmp(subject_title(&x->result->subjects[x->comparison->new_]),
	              subject_title(&y->result->subjects[y->comparison->new_]));
}

/* Largest effect first; what has no ratio last. */
static int by_change(const void *a, const void *b)
{
	const struct suite_row *x = a, *y = b;
	double p = isnan(x->comparison->ratio) ? -1 : fabs(log(x->comparison->ratio));
	double q = isnan(y->comparison->ratio) ? -1 : fabs(log(y->comparison->ratio));
	return (p < q) - (p > q);
}

static bool changed(const struct comparison *c)
{
	return c->verdict == VERDICT_FASTER || c->verdict == VERDICT_SLOWER || c->verdict == VERDICT_MIXED;
}

/* Where no row is shown. What is undecided has not stayed the same. */
static void put_unchanged(const struct result *result, struct buffer *out)
{
	size_t open = 0;
	for (size_t i = 0; i < result->comparison_count; i++)
		open += result->comparisons[i].verdict == VERDICT_UNDECIDED;
	if (open > 0)
		buffer_printf(out, "No change is shown; %zu of %zu %s undecided.\n", open, result->comparison_count,
		              open == 1 ? "is" : "are");
	else
		buffer_text_add(out, result->comparison_count > 0 ? "Nothing changed.\n" : "Nothing was compared.\n");
}

enum which { ALL, CHANGED, UNCHANGED };

static struct suite_row *rows_of(const struct result *result, const struct suite_view *view, enum which which,
                                 size_t *count)
{
	struct suite_row *rows = mem_alloc(result->comparison_count, sizeof(*rows));
	*count = 0;
	for (size_t i = 0; rows && i < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[i];
		bool take = which == ALL ? !view->only_changed || changed(c) : changed(c) == (which == CHANGED);
		if (take)
			rows[(*count)++] = (struct suite_row){result, c};
	}
	if (rows && view->sort_by_name)
		qsort(rows, *count, sizeof(*rows), by_name);
	if (rows && view->sort_by_change)
		qsort(rows, *count, sizeof(*rows), by_change);
	return rows;
}

static void level_cell(struct table *table, const struct result *result, size_t subject, const char *metric,
                       bool median)
{
	char number[FORMAT_MAX];
	const struct measurement *m = subject_find_metric(&result->subjects[subject], metric);
	const struct confidence *ci = !m ? NULL : median ? &m->described->median_ci : &m->ci;
	double half = m ? (ci->high - ci->low) / 2 : NAN;
	bool known = m && m->n && !subject_is_over_work(&result->subjects[subject], m);
	table_cell(table, EMPHASIS_NONE,
	           known ? format_quantity(number, sizeof(number), median ? m->median : m->mean, half, m->metric.unit)
	                 : "-");
}

static void level_cells(struct table *table, const struct suite_row *row, bool medians)
{
	level_cell(table, row->result, row->comparison->base, row->comparison->metric, medians);
	level_cell(table, row->result, row->comparison->new_, row->comparison->metric, medians);
}

static void level_columns(struct table *table, bool medians)
{
	table_column(table, medians ? "old median" : "old", TABLE_DECIMAL, TABLE_OPTIONAL);
	table_column(table, medians ? "new median" : "new", TABLE_DECIMAL, TABLE_OPTIONAL);
}

/* Whether a metric is another than the first that was asked about; "" is none. */
static bool is_another(const char *metric, const char **first)
{
	*first = (*first)[0] ? *first : metric;
	return metric[0] && strcmp(metric, *first) != 0;
}

/* Which of the columns that only some methods fill are needed; the metric where it is not the same for all. */
struct shown {
	bool interval, p, metric;
};

static struct shown columns_of(const struct suite_row *rows, size_t count)
{
	struct shown shown = {false, false, false};
	const char *metric = "";
	for (size_t i = 0; i < count; i++) {
		shown.metric |= is_another(rows[i].comparison->metric, &metric);
		shown.interval |= !isnan(rows[i].comparison->ci.low) || rows[i].comparison->ci.unbounded;
		shown.p |= !isnan(rows[i].comparison->p_value);
	}
	shown.interval |= !shown.p;
	return shown;
}

static void change_cells(struct table *table, double ratio, const struct confidence *ci, struct shown shown)
{
	struct buffer text = {0};
	words_change(ratio, ci->low, ci->high, &text);
	table_cell(table, EMPHASIS_NONE, buffer_text(&text));
	buffer_clear(&text);
	words_change_interval(ci, &text);
	if (shown.interval)
		table_cell(table, EMPHASIS_NONE, buffer_text(&text));
	buffer_release(&text);
}

static void p_cell(struct table *table, double p)
{
	char number[FORMAT_MAX];
	table_cell(table, EMPHASIS_NONE,
	           isnan(p)    ? "-"
	           : p < 0.001 ? "<0.001"
	                       : format_fixed(number, sizeof(number), p, 3));
}

/* A benchmark of two programs is called by its own name, one of more by its program's too. */
const char *suite_label(const struct result *result, const struct comparison *comparison)
{
	const struct subject *subject = &result->subjects[comparison->new_];
	return subject->side == 1 && result_sides(result) == 2 && subject->benchmark ? subject->benchmark
	                                                                             : subject_title(subject);
}

static void share_cell(struct table *table, const struct comparison *c)
{
	char low[FORMAT_MAX], high[FORMAT_MAX];
	if (isnan(c->paired->share_ci.low))
		table_cell(table, EMPHASIS_NONE, "-");
	else
		table_cellf(table, EMPHASIS_NONE, "[%s, %s]", format_fixed(low, sizeof(low), c->paired->share_ci.low * 100, 1),
		            format_fixed(high, sizeof(high), c->paired->share_ci.high * 100, 1));
}

static void total_cell(struct table *table, const struct comparison *c)
{
	struct buffer text = {0};
	words_change_interval(&comparison_total(c)->ci, &text);
	table_cell(table, EMPHASIS_NONE, buffer_text(&text));
	buffer_release(&text);
}

/* A mean is of the comparisons that have a ratio; of how many, unless that is all. "": of fewer than two. */
static const char *mean_name(const struct result *result, char text[FORMAT_MAX])
{
	size_t n = 0;
	for (size_t i = 0; i < result->comparison_count; i++)
		n += result->comparisons[i].ratio > 0 && isfinite(result->comparisons[i].ratio);
	if (n == result->comparison_count)
		return "geometric mean";
	snprintf(text, FORMAT_MAX, "geometric mean of %zu", n);
	return n < 2 ? "" : text;
}

static void fill(struct table *table, const struct suite_row *rows, size_t count, const struct suite_view *view)
{
	struct shown shown = columns_of(rows, count);
	bool medians = !shown.interval; /* a test by ranks speaks of medians */
	table_column(table, "benchmark", TABLE_LEFT, TABLE_SHRINKS);
	if (shown.metric)
		table_column(table, "metric", TABLE_LEFT, TABLE_SHRINKS);
	level_columns(table, medians);
	table_column(table, "change", TABLE_DECIMAL, TABLE_FIXED);
	if (shown.interval)
		table_column(table, "interval", TABLE_LEFT, TABLE_FIXED);
	if (shown.p)
		table_column(table, "p", TABLE_DECIMAL, TABLE_FIXED);
	table_column(table, "verdict", TABLE_LEFT, TABLE_FIXED);
	if (view->all_numbers) {
		/* The first to go where the line is short. */
		table_column(table, "total", TABLE_LEFT, TABLE_OPTIONAL);
		table_column(table, "slow share, points", TABLE_LEFT, TABLE_OPTIONAL);
	}
	for (size_t i = 0; i < count; i++) {
		const struct comparison *c = rows[i].comparison;
		table_row(table);
		table_cell(table, EMPHASIS_NONE, suite_label(rows[i].result, rows[i].comparison));
		if (shown.metric)
			table_cell(table, EMPHASIS_NONE, c->metric[0] ? c->metric : "-");
		level_cells(table, &rows[i], medians);
		struct told_number told = words_told(c);
		if (shown.interval && isnan(told.ratio) && c->pairs == 1) {
			table_cell(table, EMPHASIS_NONE, "-");
			table_cell(table, EMPHASIS_NONE, "one value of each");
		} else {
			change_cells(table, told.ratio, told.ci, shown);
		}
		if (shown.p)
			p_cell(table, c->p_value);
		table_cellf(table, verdict_emphasis(c->verdict), "%s%s", verdict_name(c->verdict), told.in);
		if (view->all_numbers) {
			total_cell(table, c);
			share_cell(table, c);
		}
	}
	char text[FORMAT_MAX];
	const char *mean = count > 1 && !isnan(view->geometric_mean) ? mean_name(rows[0].result, text) : "";
	if (*mean) {
		table_rule(table);
		table_row(table);
		table_cell(table, EMPHASIS_STRONG, mean);
		if (shown.metric)
			table_cell(table, EMPHASIS_NONE, "");
		for (int i = 0; i < 2; i++)
			table_cell(table, EMPHASIS_NONE, "");
		change_cells(table, view->geometric_mean, &view->geometric_ci, shown);
	}
}

/* Whether a row is undecided and its interval does not show why: it has none, or excludes 0 %. */
static bool wants_reason(const struct comparison *c)
{
	const struct confidence *ci = words_told(c).ci;
	return c->verdict == VERDICT_UNDECIDED && c->unresolved &&
	       (isnan(ci->low) || ci->unbounded || ci->low > 1 || ci->high < 1 || words_says_nothing(ci));
}

static bool is_told_above(const struct suite_row *rows, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (wants_reason(rows[k].comparison) &&
		    strcmp(rows[k].comparison->unresolved, rows[i].comparison->unresolved) == 0)
			return true;
	return false;
}

/* "undecided: 2 runs: too few for a verdict; use 10 or more (sort; merge; find and 4 more)", each reason once. */
static void put_reasons(const struct suite_row *rows, size_t count, struct buffer *out)
{
	enum { NAMES_MOST = 3 };
	for (size_t i = 0; i < count; i++) {
		SCOPED(buffer) struct buffer text = {0};
		size_t named = 0;
		if (!wants_reason(rows[i].comparison) || is_told_above(rows, i))
			continue;
		buffer_printf(&text, "undecided: %s (", rows[i].comparison->unresolved);
		for (size_t k = i; k < count; k++) {
			const struct comparison *c = rows[k].comparison;
			if (!wants_reason(c) || strcmp(c->unresolved, rows[i].comparison->unresolved) != 0)
				continue;
			if (named++ < NAMES_MOST)
				buffer_printf(&text, "%s%s", named > 1 ? "; " : "", suite_label(rows[k].result, c));
		}
		if (named > NAMES_MOST)
			buffer_printf(&text, " and %zu more", named - NAMES_MOST);
		buffer_char(&text, ')');
		text_wrap(out, buffer_text(&text), 0, 2);
	}
}

/* "judged by net", where all are; wall time and the only metric go without saying. */
static void add_metric(const struct result *result, struct buffer *out)
{
	const char *metric = "";
	bool alone = true;
	for (size_t i = 0; i < result->comparison_count; i++) {
		const struct subject *subject = &result->subjects[result->comparisons[i].base];
		if (is_another(result->comparisons[i].metric, &metric))
			return;
		for (size_t m = 0; m < subject->metric_count && metric[0]; m++)
			alone &= metric_counts_iterations(&subject->metrics[m].metric) ||
			         strcmp(subject->metrics[m].metric.name, metric) == 0;
	}
	if (!alone && metric[0] && strcmp(metric, "wall") != 0)
		buffer_printf(out, "judged by %s", metric);
}

/* Of a duet: each benchmark's, or that of the one which suffers most. */
static void put_company(const struct result *result, bool each, struct buffer *out)
{
	if (!each) {
		struct buffer most = {0};
		words_company_most(result, &most);
		if (most.length > 0)
			text_wrap(out, buffer_text(&most), 0, 0);
		buffer_release(&most);
		return;
	}
	for (size_t i = 0; i < result->comparison_count; i++) {
		if (isnan(result->comparisons[i].interference->base))
			continue;
		text_wrap(out, subject_title(&result->subjects[result->comparisons[i].new_]), 0, 0);
		text_company(&result->comparisons[i], out);
	}
}

static int tell(const struct result *result, const struct suite_view *view, const struct look *look, struct buffer *out,
                struct error *err)
{
	int status = 0;
	text_twins(result, out);
	if (result->comparison_count == 1) {
		text_answer(result, &result->comparisons[0], look, out);
		if (look->verbose)
			text_numbers(result, &result->comparisons[0], out);
		else
			text_company(&result->comparisons[0], out);
		if (result->subject_count == 2 && !result->subjects[0].work) {
			buffer_char(out, '\n');
			status = overview_subjects_text(result, look, out, err);
		}
	} else {
		struct table table = {0};
		size_t count;
		struct suite_row *rows = rows_of(result, view, ALL, &count);
		if (!rows)
			return error_memory(err);
		fill(&table, rows, count, view);
		status = table_text(&table, look, out, err);
		table_release(&table);
		put_reasons(rows, count, out);
		mem_free(rows);
		if (count == 0)
			put_unchanged(result, out);
		machines_suite_text(result, out);
		put_company(result, look->verbose, out);
	}
	struct buffer metric = {0};
	/* One that is told in full says so itself where tare chose it. */
	if (result->comparison_count != 1 || !result->design.metric_why)
		add_metric(result, &metric);
	if (metric.length > 0)
		text_wrap(out, buffer_text(&metric), 0, 0);
	buffer_release(&metric);
	if (look->verbose)
		text_levels(result, overview_metric(result), out);
	text_circumstances(result, look, result->comparison_count == 1 ? NOTES_ROOM : SIZE_MAX, out);
	return status;
}

int suite_report_text(const struct result *result, const struct suite_view *view, const struct look *look,
                      struct buffer *out, struct error *err)
{
	struct arena arena = {0};
	struct result shown;
	int status = names_shorten(result, NAMES_TEXT, look->charset, &arena, &shown) == 0
	                 ? tell(&shown, view, look, out, err)
	                 : error_memory(err);
	arena_release(&arena);
	return status;
}

static int markdown_rows(const struct result *result, const struct suite_view *view, enum which which,
                         struct buffer *out, size_t *count, struct error *err)
{
	struct table table = {0};
	struct suite_view plain = *view;
	struct suite_row *rows = rows_of(result, view, which, count);
	if (!rows)
		return error_memory(err);
	if (which != ALL)
		plain.geometric_mean = NAN;
	fill(&table, rows, *count, &plain);
	int status = *count ? table_markdown(&table, out, err) : 0;
	table_release(&table);
	mem_free(rows);
	return status;
}

int suite_report_markdown(const struct result *result, const struct suite_view *view, struct buffer *out,
                          struct error *err)
{
	size_t count;
	struct buffer rest = {0};
	if (markdown_rows(result, view, CHANGED, out, &count, err) != 0)
		return -1;
	if (count == 0)
		put_unchanged(result, out);
	struct buffer metric = {0};
	add_metric(result, &metric);
	if (metric.length > 0) {
		buffer_char(out, '\n');
		markdown_escape(out, buffer_text(&metric));
		buffer_char(out, '\n');
	}
	buffer_release(&metric);
	char text[FORMAT_MAX];
	const char *mean = result->comparison_count > 1 && !isnan(view->geometric_mean) ? mean_name(result, text) : "";
	if (*mean) {
		buffer_printf(out, "\nG%s: ", mean + 1);
		words_change_with_interval(view->geometric_mean, &view->geometric_ci, out);
		buffer_char(out, '\n');
	}
	int status = view->only_changed ? 0 : markdown_rows(result, view, UNCHANGED, &rest, &count, err);
	if (status == 0 && rest.length > 0)
		buffer_printf(out, "\n<details><summary>%zu same or undecided</summary>\n\n%s\n</details>\n", count,
		              buffer_text(&rest));
	buffer_release(&rest);
	for (size_t i = 0; i < result->warning_count; i++) {
		buffer_text_add(out, i ? "> " : "\n> ");
		markdown_escape(out, result->warnings[i].text);
		buffer_text_add(out, "\n");
	}
	paper_methods_markdown(result, out);
	return status;
}

static void exact_cell(struct table *table, double value)
{
	char number[FORMAT_MAX];
	table_cell(table, EMPHASIS_NONE, isfinite(value) ? format_exact(number, sizeof(number), value) : "");
}

int suite_report_csv(const struct result *result, const struct suite_view *view, struct buffer *out, struct error *err)
{
	static const char *const headings[] = {"benchmark",
	                                       "metric",
	                                       "unit",
	                                       "old",
	                                       "new",
	                                       "ratio",
	                                       "low",
	                                       "high",
	                                       "confidence",
	                                       "verdict",
	                                       "scope",
	                                       "decided_by",
	                                       "units",
	                                       "pairs",
	                                       "total",
	                                       "total_low",
	                                       "total_high",
	                                       "slow_share_difference",
	                                       "slow_share_low",
	                                       "slow_share_high"};
	struct table table = {0};
	size_t count;
	struct suite_row *rows = rows_of(result, view, ALL, &count);
	if (!rows)
		return error_memory(err);
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		table_column(&table, headings[i], TABLE_LEFT, TABLE_FIXED);
	for (size_t i = 0; i < count; i++) {
		const struct comparison *c = rows[i].comparison;
		const struct measurement *a = subject_find_metric(&result->subjects[c->base], c->metric);
		const struct measurement *b = subject_find_metric(&result->subjects[c->new_], c->metric);
		table_row(&table);
		table_cell(&table, EMPHASIS_NONE, subject_title(&result->subjects[c->new_]));
		table_cell(&table, EMPHASIS_NONE, c->metric);
		table_cell(&table, EMPHASIS_NONE, a ? a->metric.unit : "");
		exact_cell(&table, a && !subject_is_over_work(&result->subjects[c->base], a) ? a->mean : NAN);
		exact_cell(&table, b && !subject_is_over_work(&result->subjects[c->new_], b) ? b->mean : NAN);
		exact_cell(&table, c->ratio);
		exact_cell(&table, c->ci.low);
		exact_cell(&table, c->ci.high);
		exact_cell(&table, c->ci.level);
		table_cell(&table, EMPHASIS_NONE, verdict_name(c->verdict));
		table_cell(&table, EMPHASIS_NONE, scope_name(c->scope) ? scope_name(c->scope) : "");
		table_cell(&table, EMPHASIS_NONE, c->decided_by ? c->decided_by : "");
		table_cellf(&table, EMPHASIS_NONE, "%zu", c->units);
		table_cellf(&table, EMPHASIS_NONE, "%zu", c->pairs);
		const struct ratio_estimate *total = comparison_total(c);
		const double more[] = {total->ratio,
		                       total->ci.low,
		                       total->ci.high,
		                       c->paired->share_difference,
		                       c->paired->share_ci.low,
		                       c->paired->share_ci.high};
		for (size_t k = 0; k < sizeof(more) / sizeof(more[0]); k++)
			exact_cell(&table, more[k]);
	}
	int status = table_csv(&table, out, err);
	table_release(&table);
	mem_free(rows);
	return status;
}
