#include "report/history_text.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/moment.h"
#include "report/plot.h"
#include "report/text.h"
#include "report/text_width.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DAY = 86400000, WIDTH = 80, METRIC_SHOWN = 28, COMMIT_SHOWN = 9, MOST_OUTLIERS = 8, FOREST = 24 };

/* A time of the first day of 1970 is a number in a sequence. */
void history_text_when(int64_t when, struct buffer *out)
{
	char text[MOMENT_TEXT];
	if (when < DAY)
		buffer_printf(out, "#%lld", (long long)when);
	else
		buffer_printf(out, "%.10s", moment_text(when, text));
}

void history_text_commit(const struct history_point *point, struct buffer *out)
{
	char commit[COMMIT_SHOWN + 1];
	snprintf(commit, sizeof(commit), "%s", point->commit);
	text_clean(out, commit, TEXT_UNICODE);
}

void history_text_point(const struct history_point *point, struct buffer *out)
{
	if (point->id > 0)
		buffer_printf(out, "@%lld ", (long long)point->id);
	history_text_when(point->when, out);
	if (point->commit[0]) {
		buffer_char(out, ' ');
		history_text_commit(point, out);
	}
}

/* "subject  metric, 12 results from … to …"; what does not fit stands on a line of its own. */
static void put_title(const struct history_series *series, struct buffer *out)
{
	struct buffer rest = {0};
	size_t width = text_width(series->subject, TEXT_UNICODE);
	bool both = strcmp(series->subject, series->metric) != 0;
	if (both)
		text_fit(&rest, series->metric, METRIC_SHOWN, TEXT_UNICODE);
	buffer_printf(&rest, "%s%zu %s%s", both ? ", " : "", series->n, series->iterations ? "iteration" : "result",
	              series->n == 1 ? "" : "s");
	if (series->n > 0) {
		buffer_text_add(&rest, series->n > 1 ? " from " : " of ");
		history_text_when(series->points[0].when, &rest);
	}
	if (series->n > 1) {
		buffer_text_add(&rest, " to ");
		history_text_when(series->points[series->n - 1].when, &rest);
	}
	bool one = width + 2 + text_width(buffer_text(&rest), TEXT_UNICODE) <= WIDTH;
	text_fit(out, series->subject, WIDTH, TEXT_UNICODE);
	buffer_printf(out, "%s%s\n", !one ? "\n  " : both ? "  " : ", ", buffer_text(&rest));
	if (series->stratum[0]) {
		/* An import knows only its file. */
		bool imported = strncmp(series->stratum, "imported", 8) == 0;
		buffer_text_add(out, imported ? "  " : "  on ");
		text_wrap(out, series->stratum, imported ? 2 : 5, 5);
	}
	out->out_of_memory |= rest.out_of_memory;
	buffer_release(&rest);
}

/* faster, slower, or for what is neither a time nor a rate better and worse. */
static const char *direction(const struct history_series *series, const struct history_change *c)
{
	bool worse = (c->after > c->before) == (series->better == BETTER_LOWER);
	bool speed = metric_is_speed(&(struct metric){series->metric, series->unit, series->better});
	return worse ? (speed ? "slower" : "worse") : (speed ? "faster" : "better");
}

static double half_width(const struct history_change *c)
{
	return (c->relative_high - c->relative_low) / 2;
}

/* "slower: +5.3 % [+4.8 %, +5.9 %] at 95 %, from 26.7 ms to 28.1 ms"; where the level before may be 0 the size
 * itself. */
static void put_size(const struct history_series *series, const struct history_change *c, struct buffer *out)
{
	char size[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX], before[FORMAT_MAX], after[FORMAT_MAX];
	double half = (c->size_high - c->size_low) / 2, relative_half = half_width(c);
	if (isfinite(relative_half)) {
		format_percent(size, sizeof(size), c->relative, relative_half, 1);
		format_percent(low, sizeof(low), c->relative_low, relative_half, 1);
		format_percent(high, sizeof(high), c->relative_high, relative_half, 1);
	} else {
		format_quantity(size, sizeof(size), c->size, half, series->unit);
		format_quantity(low, sizeof(low), c->size_low, half, series->unit);
		format_quantity(high, sizeof(high), c->size_high, half, series->unit);
	}
	bool barely = c->size_low == 0 || c->size_high == 0;
	format_quantity(before, sizeof(before), c->before, half, series->unit);
	format_quantity(after, sizeof(after), c->after, half, series->unit);
	if (barely)
		buffer_printf(out, "%s: %s, barely seen and at most %s (95 %%), from %s to %s", direction(series, c), size,
		              c->size > 0 ? high : low, before, after);
	else
		buffer_printf(out, "%s: %s [%s, %s] at 95 %%, from %s to %s", direction(series, c), size, low, high, before,
		              after);
}

/* The last result that was surely before, and the first that surely was after: what lies between is to be looked at. */
static void put_place(const struct history_series *series, const struct history_change *c, struct buffer *out)
{
	size_t results = c->high - c->low + 1;
	buffer_text_add(out, c->gradual ? "gradually, between " : "after ");
	history_text_point(&series->points[c->low > 0 ? c->low - 1 : 0], out);
	buffer_text_add(out, c->gradual ? " and " : " and not later than ");
	history_text_point(&series->points[c->high], out);
	if (results > 1 && !c->gradual) {
		buffer_printf(out, " (%zu results; most likely ", results);
		history_text_point(&series->points[c->at], out);
		buffer_char(out, ')');
	}
}

static void put_environment(const struct history_change *c, struct buffer *out)
{
	buffer_printf(
		out,
		"%zu of %zu histories of this machine moved the same way then: more likely the machine or the suite than a commit",
		c->moved, c->of);
}

void history_text_change(const struct history_series *series, const struct history_change *change, struct buffer *out)
{
	put_size(series, change, out);
	buffer_text_add(out, "; ");
	put_place(series, change, out);
	if (change->environment) {
		buffer_text_add(out, "; ");
		put_environment(change, out);
	}
}

static void put_change(const struct history_series *series, const struct history_change *c, struct buffer *out)
{
	struct buffer words = {0};
	put_size(series, c, &words);
	buffer_text_add(out, "  ");
	text_wrap(out, buffer_text(&words), 2, 4);
	buffer_text_add(out, "    ");
	buffer_clear(&words);
	put_place(series, c, &words);
	text_wrap(out, buffer_text(&words), 4, 4);
	if (c->environment) {
		buffer_clear(&words);
		put_environment(c, &words);
		buffer_text_add(out, "    ");
		text_wrap(out, buffer_text(&words), 4, 4);
	}
	buffer_release(&words);
}

static void put_outliers(const struct history_series *series, struct buffer *out)
{
	struct buffer words = {0};
	size_t count = 0;
	for (size_t i = 0; i < series->n; i++) {
		if (!series->points[i].outlier)
			continue;
		if (count < MOST_OUTLIERS) {
			buffer_text_add(&words, count ? ", " : "");
			history_text_point(&series->points[i], &words);
		}
		count++;
	}
	if (count > 0) {
		struct buffer line = {0};
		buffer_printf(&line, "%zu single outlier%s, no change: %s%s", count, count > 1 ? "s" : "", buffer_text(&words),
		              count > MOST_OUTLIERS ? ", \xe2\x80\xa6" : "");
		buffer_text_add(out, "  ");
		text_wrap(out, buffer_text(&line), 2, 4);
		buffer_release(&line);
	}
	buffer_release(&words);
}

static void put_pattern(const struct history_series *series, struct buffer *out)
{
	bool one = series->change_count == 1;
	const char *words = NULL;
	if (series->pattern == PATTERN_WANDERS && one)
		words = "the level also wanders before or after this change: it may be slow drift of the machine rather than a "
				"step of the program";
	else if (series->pattern == PATTERN_WANDERS)
		words = "the level also wanders between these changes: they may be slow drift of the machine rather than steps "
				"of the program";
	else if (series->pattern == PATTERN_CYCLES)
		words = "the level goes up and down at even distances: this may be a long cycle of the machine rather than "
				"steps of the program";
	if (!words)
		return;
	buffer_text_add(out, "  ");
	text_wrap(out, words, 2, 4);
}

void history_text_short(const struct history_series *series, size_t min_points, struct buffer *out)
{
	size_t n = history_values(series);
	buffer_printf(out, "only %zu result%s: too few to find changes (at least %zu)", n, n == 1 ? "" : "s",
	              history_least(min_points));
}

void history_text_changes(const struct history *history, size_t min_points, struct buffer *out)
{
	size_t quiet = 0, short_ = 0, shown = 0;
	for (size_t i = 0; i < history->count; i++) {
		const struct history_series *series = &history->series[i];
		if (series->change_count == 0) {
			*(history_is_short(series, min_points) ? &short_ : &quiet) += 1;
			continue;
		}
		if (shown++ > 0)
			buffer_char(out, '\n');
		put_title(series, out);
		for (size_t k = 0; k < series->change_count; k++)
			put_change(series, &series->changes[k], out);
		put_pattern(series, out);
		put_outliers(series, out);
	}
	if (shown > 0 && quiet + short_ > 0)
		buffer_char(out, '\n');
	if (quiet > 0 && history->count == 1)
		buffer_printf(out, "no change shown in %zu values\n", history->series[0].n);
	else if (quiet > 0)
		buffer_printf(out, "%zu of %zu histories show no change\n", quiet, history->count);
	if (short_ > 0 && history->count == 1)
		history_text_short(&history->series[0], min_points, out);
	else if (short_ > 0)
		buffer_printf(out, "%zu of %zu histories %s too few results to find changes (at least %zu)", short_,
		              history->count, short_ == 1 ? "has" : "have", history_least(min_points));
	if (short_ > 0)
		buffer_char(out, '\n');
}

void history_text_table(const struct history *history, struct table *table)
{
	static const char *const headings[] = {"subject",  "metric",  "machine",      "id",          "commit",
	                                       "first_id", "last_id", "first_commit", "last_commit", "gradual",
	                                       "before",   "after",   "change",       "low",         "high",
	                                       "p",        "moved",   "of",           "environment"};
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		table_column(table, headings[i], TABLE_LEFT, TABLE_FIXED);
	for (size_t i = 0; i < history->count; i++) {
		const struct history_series *s = &history->series[i];
		for (size_t k = 0; k < s->change_count; k++) {
			const struct history_change *c = &s->changes[k];
			const double numbers[] = {c->before, c->after, c->relative, c->relative_low, c->relative_high, c->p_value};
			const struct history_point *first = &s->points[c->low], *last = &s->points[c->high],
									   *at = &s->points[c->at];
			char text[FORMAT_MAX];
			table_row(table);
			table_cell(table, EMPHASIS_NONE, s->subject);
			table_cell(table, EMPHASIS_NONE, s->metric);
			table_cell(table, EMPHASIS_NONE, s->stratum);
			table_cellf(table, EMPHASIS_NONE, "%lld", (long long)at->id);
			table_cell(table, EMPHASIS_NONE, at->commit);
			table_cellf(table, EMPHASIS_NONE, "%lld", (long long)first->id);
			table_cellf(table, EMPHASIS_NONE, "%lld", (long long)last->id);
			table_cell(table, EMPHASIS_NONE, first->commit);
			table_cell(table, EMPHASIS_NONE, last->commit);
			table_cell(table, EMPHASIS_NONE, c->gradual ? "1" : "0");
			for (size_t j = 0; j < sizeof(numbers) / sizeof(numbers[0]); j++)
				table_cell(table, EMPHASIS_NONE,
				           isfinite(numbers[j]) ? format_exact(text, sizeof(text), numbers[j]) : "");
			table_cellf(table, EMPHASIS_NONE, "%zu", c->moved);
			table_cellf(table, EMPHASIS_NONE, "%zu", c->of);
			table_cell(table, EMPHASIS_NONE, c->environment ? "1" : "0");
		}
	}
}

void history_text_row(const struct history_series *series, size_t i, struct table *table)
{
	const struct history_point *point = &series->points[i];
	const double numbers[] = {point->value, point->low, point->high};
	char text[FORMAT_MAX], when[MOMENT_TEXT];
	table_row(table);
	table_cell(table, EMPHASIS_NONE, series->subject);
	table_cell(table, EMPHASIS_NONE, series->metric);
	table_cell(table, EMPHASIS_NONE, series->unit);
	table_cell(table, EMPHASIS_NONE, series->stratum);
	table_cellf(table, EMPHASIS_NONE, "%lld", (long long)point->id);
	if (point->when < DAY)
		table_cellf(table, EMPHASIS_NONE, "%lld", (long long)point->when);
	else
		table_cell(table, EMPHASIS_NONE, moment_text(point->when, when));
	table_cell(table, EMPHASIS_NONE, point->commit);
	for (size_t j = 0; j < 3; j++)
		table_cell(table, EMPHASIS_NONE, isfinite(numbers[j]) ? format_exact(text, sizeof(text), numbers[j]) : "");
	table_cell(table, EMPHASIS_NONE, point->outlier ? "1" : "0");
}

static int put_plot(const struct history_series *series, const struct look *look, struct buffer *out, struct error *err)
{
	double *values = mem_alloc(series->n + 1, sizeof(*values));
	struct plot_mark *marks = mem_alloc(series->change_count + 1, sizeof(*marks));
	int status = values && marks ? 0 : error_memory(err);
	if (status == 0) {
		for (size_t i = 0; i < series->n; i++)
			values[i] = series->points[i].value;
		for (size_t k = 0; k < series->change_count; k++)
			marks[k] = (struct plot_mark){series->changes[k].at, PLOT_CHANGE};
		struct plot_series plot = {.title = series->metric,
		                           .values = values,
		                           .n = series->n,
		                           .unit = series->unit,
		                           .marks = marks,
		                           .mark_count = series->change_count};
		status = plot_sequence(&plot, look, out, err);
	}
	mem_free(values);
	mem_free(marks);
	return status;
}

/* The range of ratios to the first of the points shown that holds them all. */
static struct interval ratio_range(const struct history_point *points, size_t n, double base)
{
	struct interval range = {1, 1};
	for (size_t i = 0; i < n; i++) {
		const double values[] = {points[i].value / base, points[i].low / base, points[i].high / base};
		for (size_t k = 0; k < 3; k++) {
			if (!isfinite(values[k]))
				continue;
			range.low = fmin(range.low, values[k]);
			range.high = fmax(range.high, values[k]);
		}
	}
	range.low = fmax(range.low, 0.01);
	range.high = fmin(fmax(range.high, range.low * 1.001), 100);
	return range;
}

static void put_row(struct table *table, const struct history_series *series, size_t i, double base,
                    struct interval range, const struct look *look)
{
	const struct history_point *point = &series->points[i];
	struct buffer text = {0};
	char value[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX];
	double half = isfinite(point->high - point->low) ? (point->high - point->low) / 2 : NAN;
	struct plot_ratio ratio = {.ratio = point->value / base, .low = point->low / base, .high = point->high / base};
	table_row(table);
	history_text_point(point, &text);
	table_cell(table, EMPHASIS_NONE, buffer_text(&text));
	table_cell(table, EMPHASIS_STRONG, format_quantity(value, sizeof(value), point->value, half, series->unit));
	if (isfinite(half))
		table_cellf(table, EMPHASIS_NONE, "[%s, %s]", format_quantity(low, sizeof(low), point->low, half, series->unit),
		            format_quantity(high, sizeof(high), point->high, half, series->unit));
	else
		table_cell(table, EMPHASIS_FAINT, "-");
	buffer_clear(&text);
	if (!isfinite(half))
		ratio.low = ratio.high = ratio.ratio;
	if (base > 0)
		plot_forest_line(&ratio, range, FOREST, look->charset, &text);
	table_cell(table, EMPHASIS_NONE, buffer_text(&text));
	const char *note = point->outlier ? "outlier" : "";
	for (size_t k = 0; k < series->change_count; k++)
		if (series->changes[k].at == i)
			note = direction(series, &series->changes[k]);
	table_cell(table, EMPHASIS_WARN, note);
	buffer_release(&text);
}

int history_text_trend(const struct history_series *series, size_t rows, const struct look *look, struct buffer *out,
                       struct error *err)
{
	struct table table = {0};
	size_t from = series->n > rows ? series->n - rows : 0;
	double base = series->n > 0 ? series->points[from].value : NAN;
	put_title(series, out);
	for (size_t k = 0; k < series->change_count; k++)
		put_change(series, &series->changes[k], out);
	put_pattern(series, out);
	put_outliers(series, out);
	buffer_char(out, '\n');
	int status = series->n > 1 ? put_plot(series, look, out, err) : 0;
	table_column(&table, "result", TABLE_LEFT, TABLE_SHRINKS);
	table_column(&table, series->metric, TABLE_RIGHT, TABLE_FIXED);
	table_column(&table, "interval", TABLE_LEFT, TABLE_FIXED);
	table_column(&table, "", TABLE_LEFT, TABLE_OPTIONAL);
	table_column(&table, "", TABLE_LEFT, TABLE_FIXED);
	struct interval range = ratio_range(series->points + from, series->n - from, base);
	for (size_t i = from; i < series->n; i++)
		put_row(&table, series, i, base, range, look);
	if (status == 0 && series->n > 0) {
		buffer_char(out, '\n');
		status = table_text(&table, look, out, err);
	}
	table_release(&table);
	return status;
}
