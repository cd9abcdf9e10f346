/* Histories on a page: what changed, newest first; then each history that changed over time; the others folded. */
#include "report/html_parts.h"

#include "base/format.h"
#include "base/memory.h"
#include "report/history_text.h"
#include "report/svg_history.h"
#include "report/text_width.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DRAWN = 60 /* without a change */, SPARK_WIDTH = 120, SPARK_HEIGHT = 26, SPARK_POINTS = 60 };

/* A change, and whose it is. */
struct told_change {
	const struct history_series *series;
	const struct history_change *change;
	size_t number; /* of the series */
};

static bool is_worse(const struct history_series *series, const struct history_change *change)
{
	return (change->after > change->before) == (series->better == BETTER_LOWER);
}

static int by_newest(const void *a, const void *b)
{
	const struct told_change *x = a, *y = b;
	int64_t then = x->series->points[x->change->at].when, later = y->series->points[y->change->at].when;
	if (then != later)
		return then < later ? 1 : -1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* ---- in a word ---- */

static const char *histories(size_t count)
{
	return count == 1 ? "history" : "histories";
}

static void put_summary(struct html *html, const struct history *history, bool alone)
{
	char text[200];
	size_t changes = 0, worse = 0, short_ = 0;
	for (size_t i = 0; i < history->count; i++) {
		const struct history_series *series = &history->series[i];
		short_ += history_is_short(series, history->min_points);
		changes += series->change_count;
		for (size_t k = 0; k < series->change_count; k++)
			worse += is_worse(series, &series->changes[k]);
	}
	char some[24];
	snprintf(some, sizeof(some), "%zu", worse);
	const char *tone = worse ? "slower" : changes ? "faster" : short_ == history->count ? "undecided" : "same";
	buffer_printf(html->out, "<section class=\"hero %s\">\n", tone);
	bool one = history->count == 1;
	struct buffer few = {0};
	if (one && short_)
		history_text_short(&history->series[0], history->min_points, &few);
	if (changes && one)
		snprintf(text, sizeof(text), "%zu change%s in %zu results, %s for the worse", changes, changes == 1 ? "" : "s",
		         history->series[0].n, worse ? some : "none");
	else if (changes)
		snprintf(text, sizeof(text), "%zu change%s in %zu %s, %s for the worse", changes, changes == 1 ? "" : "s",
		         history->count, histories(history->count), worse ? some : "none");
	else if (one && short_)
		snprintf(text, sizeof(text), "%s", buffer_text(&few));
	else if (one)
		snprintf(text, sizeof(text), "no change shown in %zu results", history->series[0].n);
	else if (short_ == history->count)
		snprintf(text, sizeof(text), "too few results to find changes in %zu %s (at least %zu)", history->count,
		         histories(history->count), history_least(history->min_points));
	else
		snprintf(text, sizeof(text), "no change shown in %zu %s", history->count - short_,
		         histories(history->count - short_));
	html_release(html, &few);
	html_element(html, alone ? "h1" : "h2", NULL, text);
	if (short_ && !one) {
		snprintf(text, sizeof(text), "%zu of %zu %s too few results to find changes (at least %zu)", short_,
		         history->count, short_ == 1 ? "has" : "have", history_least(history->min_points));
		html_element(html, "p", "quiet", text);
	}
	html_raw(html, "</section>\n");
}

/* ---- what changed ---- */

static double place(double value, double low, double high)
{
	return high > low ? (value - low) / (high - low) : 0.5;
}

void html_spark(struct html *html, const struct history_series *series, const struct history_change *change)
{
	double low = INFINITY, high = -INFINITY, inner = SPARK_HEIGHT - 4;
	size_t step = series->n / SPARK_POINTS + 1, last = series->n > 1 ? series->n - 1 : 1;
	for (size_t i = 0; i < series->n; i++)
		if (isfinite(series->points[i].value)) {
			low = fmin(low, series->points[i].value);
			high = fmax(high, series->points[i].value);
		}
	buffer_printf(html->out, "<svg class=\"tare-row spark\" width=\"%d\" height=\"%d\" aria-hidden=\"true\">",
	              SPARK_WIDTH, SPARK_HEIGHT);
	if (change) {
		double x = 2 + ((double)change->at - 0.5) / (double)last * (SPARK_WIDTH - 4);
		buffer_printf(html->out, "<line class=\"one\" x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"%d\"/>", x, x,
		              SPARK_HEIGHT);
	}
	html_raw(html, "<polyline points=\"");
	for (size_t i = 0; i < series->n; i += step) {
		double value = series->points[i].value;
		if (isfinite(value))
			buffer_printf(html->out, "%.1f,%.1f ", 2 + (double)i / (double)last * (SPARK_WIDTH - 4),
			              2 + inner * (1 - place(value, low, high)));
	}
	html_raw(html, "\"/></svg>");
}

static void cell_open(struct html *html, const char *element, const char *class_, double order)
{
	buffer_printf(html->out, "<%s class=\"%s\"", element, class_);
	if (isfinite(order))
		buffer_printf(html->out, " data-order=\"%.10g\"", order);
	html_raw(html, ">");
}

static void put_subject(struct html *html, const struct history_series *series, size_t number)
{
	struct buffer name = {0};
	text_fit(&name, series->subject, HTML_NAME, TEXT_UNICODE);
	buffer_printf(html->out, "<th scope=\"row\"><a href=\"#series-%zu\">", number);
	html_text(html, buffer_text(&name));
	html_raw(html, "</a></th>");
	buffer_clear(&name);
	text_fit(&name, series->metric, HTML_NAME, TEXT_UNICODE);
	html_element(html, "td", NULL, buffer_text(&name));
	html_release(html, &name);
}

static void put_change_row(struct html *html, const struct told_change *told)
{
	const struct history_series *series = told->series;
	const struct history_change *c = told->change;
	const struct history_point *at = &series->points[c->at];
	double half = (c->relative_high - c->relative_low) / 2, wide = (c->size_high - c->size_low) / 2;
	char size[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX], before[FORMAT_MAX], after[FORMAT_MAX];
	struct buffer words = {0};
	buffer_printf(html->out, "<tr class=\"%s\">", is_worse(series, c) ? "slower" : "faster");
	put_subject(html, series, told->number);
	if (isfinite(half))
		buffer_printf(&words, "%s [%s, %s]", format_percent(size, sizeof(size), c->relative, half, 1),
		              format_percent(low, sizeof(low), c->relative_low, half, 1),
		              format_percent(high, sizeof(high), c->relative_high, half, 1));
	else
		buffer_text_add(&words, format_quantity(size, sizeof(size), c->size, wide, series->unit));
	cell_open(html, "td", "change", isfinite(half) ? c->relative : c->size);
	html_text(html, buffer_text(&words));
	html_raw(html, "</td>");
	html_clear(html, &words);
	buffer_printf(&words, "%s → %s", format_quantity(before, sizeof(before), c->before, wide, series->unit),
	              format_quantity(after, sizeof(after), c->after, wide, series->unit));
	cell_open(html, "td", "number", c->after);
	html_text(html, buffer_text(&words));
	html_raw(html, "</td>");
	html_clear(html, &words);
	history_text_point(at, &words);
	cell_open(html, "td", "when", (double)at->when);
	html_text(html, buffer_text(&words));
	buffer_printf(html->out, "%s</td><td>",
	              c->environment ? " (most of the suite moved)"
	              : c->gradual   ? " (gradually)"
	                             : "");
	html_spark(html, series, c);
	html_raw(html, "</td></tr>\n");
	html_release(html, &words);
}

static void put_headings(struct html *html, const char *const *headings)
{
	html_raw(html, "<div class=\"card scroll\" tabindex=\"0\" role=\"region\" aria-label=\"histories\">"
	               "<table class=\"numbers sortable\"><thead><tr>");
	for (; *headings; headings++)
		buffer_printf(html->out, "<th scope=\"col\">%s</th>", *headings);
	html_raw(html, "</tr></thead><tbody>\n");
}

static void put_changes(struct html *html, const struct told_change *changes, size_t count)
{
	static const char *const headings[] = {"subject", "metric", "change (95 %)", "from → to", "since", "history", NULL};
	if (count == 0)
		return;
	html_raw(html, "<section>\n<h2>What changed, newest first</h2>\n");
	put_headings(html, headings);
	for (size_t i = 0; i < count; i++)
		put_change_row(html, &changes[i]);
	html_raw(html, "</tbody></table></div>\n</section>\n");
}

/* ---- history by history ---- */

static int draw(struct html *html, const struct history_series *series, double width, const char *class_)
{
	char id[64];
	snprintf(id, sizeof(id), "plot-%zu-%zu", html->number, ++html->figures);
	buffer_printf(html->out, "<div class=\"%s\">", class_);
	struct svg_options options = {.id = id, .width = width};
	int status = svg_history(series, &options, html->out, html->err);
	html_raw(html, "</div>\n");
	return status;
}

/* Imported results may have none. */
static bool has_intervals(const struct history_series *series)
{
	for (size_t i = 0; i < series->n; i++)
		if (isfinite(series->points[i].low))
			return true;
	return false;
}

static void put_points(struct html *html, const struct history_series *series)
{
	bool intervals = has_intervals(series);
	html_raw(
		html,
		"<details class=\"fold points\"><summary>results</summary><div class=\"card scroll\" tabindex=\"0\" role=\"region\" "
		"aria-label=\"results\"><table class=\"numbers\"><thead><tr><th scope=\"col\">result</th>"
		"<th scope=\"col\" class=\"number\">value</th>");
	if (intervals)
		html_raw(html, "<th scope=\"col\" class=\"number\">low</th><th scope=\"col\" class=\"number\">high</th>");
	html_raw(html, "</tr></thead><tbody>\n");
	for (size_t i = series->n; i-- > 0;) {
		const struct history_point *p = &series->points[i];
		const double values[] = {p->value, p->low, p->high};
		struct buffer text = {0};
		history_text_point(p, &text);
		html_raw(html, "<tr>");
		html_element(html, "th", NULL, buffer_text(&text));
		for (size_t k = 0; k < (intervals ? 3 : 1); k++) {
			char number[FORMAT_MAX];
			html_element(html, "td", "number",
			             isfinite(values[k])
			                 ? format_quantity(number, sizeof(number), values[k], (p->high - p->low) / 2, series->unit)
			                 : "-");
		}
		html_raw(html, "</tr>\n");
		html_release(html, &text);
	}
	html_raw(html, "</tbody></table></div></details>\n");
}

static void put_plot(struct html *html, const struct history_series *series)
{
	if (series->stratum[0])
		html_element(html, "p", "quiet", series->stratum);
	html_raw(html, "<div class=\"plots\"><figure class=\"plot full\" data-plot=\"history\">\n");
	html->failed |= draw(html, series, 324, "narrow") != 0 || draw(html, series, 1074, "wide") != 0;
	buffer_printf(html->out, "<figcaption>Each dot is a saved result%s.%s</figcaption></figure></div>\n",
	              has_intervals(series) ? " with its interval" : "",
	              series->change_count
	                  ? " A dashed line marks a change of level, the shaded band where it may lie; the "
	                    "thick lines are the levels."
	                  : "");
}

static void put_changed(struct html *html, const struct history_series *series, size_t number)
{
	struct buffer name = {0};
	text_fit(&name, series->subject, HTML_NAME, TEXT_UNICODE);
	buffer_text_add(&name, "  ");
	text_fit(&name, series->metric, HTML_NAME, TEXT_UNICODE);
	buffer_printf(html->out, "<h3 class=\"name\" id=\"series-%zu\">", number);
	html_text(html, buffer_text(&name));
	html_raw(html, "</h3>\n");
	html_release(html, &name);
	put_plot(html, series);
	html_raw(html, "<ul class=\"worst\">\n");
	for (size_t i = series->change_count; i-- > 0;) {
		struct buffer text = {0};
		history_text_change(series, &series->changes[i], &text);
		buffer_printf(html->out, "<li class=\"%s\">", is_worse(series, &series->changes[i]) ? "slower" : "faster");
		html_text(html, buffer_text(&text));
		html_raw(html, "</li>\n");
		html_release(html, &text);
	}
	html_raw(html, "</ul>\n");
	if (!html->listed)
		put_points(html, series);
}

/* Unfolded one at a time; open from the start where there is no other. */
static void put_unchanged(struct html *html, const struct history_series *series, size_t number, bool open)
{
	char value[FORMAT_MAX];
	struct buffer name = {0};
	const struct history_point *last = &series->points[series->n - 1];
	buffer_printf(html->out, "<details class=\"one undecided\" id=\"series-%zu\"%s><summary><b>", number,
	              open ? " open" : "");
	text_fit(&name, series->subject, HTML_NAME, TEXT_UNICODE);
	html_text(html, buffer_text(&name));
	html_raw(html, "</b> <span>");
	html_clear(html, &name);
	text_fit(&name, series->metric, HTML_NAME, TEXT_UNICODE);
	buffer_printf(&name, ", %zu result%s, last %s ", series->n, series->n == 1 ? "" : "s",
	              isfinite(last->value)
	                  ? format_quantity(value, sizeof(value), last->value, (last->high - last->low) / 2, series->unit)
	                  : "lost");
	html_text(html, buffer_text(&name));
	html_raw(html, "</span>");
	html_spark(html, series, NULL);
	html_raw(html, "</summary>\n<div>");
	html_release(html, &name);
	put_plot(html, series);
	if (!html->listed)
		put_points(html, series);
	html_raw(html, "</div></details>\n");
}

/* Those that changed are never left out; the last to change comes first. */
static void put_changed_series(struct html *html, const struct told_change *changes, size_t count)
{
	if (count == 0)
		return;
	html_raw(html, "<section>\n<h2>Histories that changed</h2>\n");
	for (size_t i = 0; i < count && !html->failed; i++) {
		bool drawn = false;
		for (size_t k = 0; k < i && !drawn; k++)
			drawn = changes[k].series == changes[i].series;
		if (!drawn)
			put_changed(html, changes[i].series, changes[i].number);
	}
	html_raw(html, "</section>\n");
}

static void put_unchanged_series(struct html *html, const struct history *history, bool all)
{
	size_t drawn = 0;
	for (size_t i = 0; i < history->count && !html->failed; i++) {
		if (history->series[i].change_count > 0 || history->series[i].n == 0)
			continue;
		if (drawn++ == 0)
			buffer_printf(html->out, "<section class=\"unchanged\">\n<h2>%s</h2>\n", all ? "Histories" : "The others");
		if (drawn <= MOST_DRAWN)
			put_unchanged(html, &history->series[i], i + 1, history->count == 1);
	}
	if (drawn > MOST_DRAWN)
		buffer_printf(html->out, "<p class=\"quiet\">%zu more without a change</p>\n", drawn - MOST_DRAWN);
	html_raw(html, drawn ? "</section>\n" : "");
}

void html_history(struct html *html, const struct history *history, bool alone)
{
	size_t count = 0, most = 0;
	for (size_t i = 0; i < history->count; i++)
		most += history->series[i].change_count;
	struct told_change *changes = mem_alloc(most + 1, sizeof(*changes));
	if (!changes) {
		html->failed = error_memory(html->err) != 0;
		return;
	}
	for (size_t i = 0; i < history->count; i++)
		for (size_t k = 0; k < history->series[i].change_count; k++)
			changes[count++] = (struct told_change){&history->series[i], &history->series[i].changes[k], i + 1};
	qsort(changes, count, sizeof(*changes), by_newest);
	html->number++;
	html->figures = 0;
	html_raw(html, "<article class=\"result history\">\n");
	put_summary(html, history, alone);
	put_changes(html, changes, count);
	put_changed_series(html, changes, count);
	put_unchanged_series(html, history, count == 0);
	html_raw(html, "</article>\n");
	mem_free(changes);
}
