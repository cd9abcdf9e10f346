/* Histories on a page: each metric of each subject over time, and where its level changed. */
#include "report/html_parts.h"

#include "base/format.h"
#include "report/history_text.h"
#include "report/svg_history.h"
#include "report/text_width.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DRAWN = 60, MOST_SAID = 3 };

static size_t count_changes(const struct history *history)
{
	size_t count = 0;
	for (size_t i = 0; i < history->count; i++)
		count += history->series[i].change_count;
	return count;
}

static bool is_worse(const struct history_series *series, const struct history_change *change)
{
	return (change->after > change->before) == (series->better == BETTER_LOWER);
}

static void put_name(struct html *html, const struct history_series *series)
{
	struct buffer name = {0};
	text_fit(&name, series->subject, HTML_NAME, TEXT_UNICODE);
	buffer_text_add(&name, "  ");
	text_fit(&name, series->metric, HTML_NAME, TEXT_UNICODE);
	html_element(html, "h3", "name", buffer_text(&name));
	html_release(html, &name);
}

static void put_change(struct html *html, const struct history_series *series, const struct history_change *change,
                       bool named)
{
	struct buffer text = {0};
	if (named) {
		text_fit(&text, series->subject, HTML_NAME, TEXT_UNICODE);
		buffer_text_add(&text, ": ");
	}
	history_text_change(series, change, &text);
	buffer_printf(html->out, "<li class=\"%s\">", is_worse(series, change) ? "slower" : "faster");
	html_text(html, buffer_text(&text));
	html_raw(html, "</li>\n");
	html_release(html, &text);
}

/* The latest change of each history, worst news first. */
static void put_latest(struct html *html, const struct history *history)
{
	size_t said = 0;
	html_raw(html, "<ul class=\"worst\">\n");
	for (int worse = 1; worse >= 0; worse--)
		for (size_t i = 0; i < history->count && said < MOST_SAID; i++) {
			const struct history_series *series = &history->series[i];
			const struct history_change *last = series->change_count ? &series->changes[series->change_count - 1]
			                                                         : NULL;
			if (!last || is_worse(series, last) != worse)
				continue;
			put_change(html, series, last, true);
			said++;
		}
	html_raw(html, "</ul>\n");
}

static void put_summary(struct html *html, const struct history *history, bool alone)
{
	char text[160];
	size_t changes = count_changes(history), worse = 0;
	for (size_t i = 0; i < history->count; i++)
		for (size_t k = 0; k < history->series[i].change_count; k++)
			worse += is_worse(&history->series[i], &history->series[i].changes[k]);
	buffer_printf(html->out, "<section class=\"hero %s\">\n", worse ? "slower" : changes ? "faster" : "same");
	if (changes)
		snprintf(text, sizeof(text), "%zu change%s in %zu histor%s, %zu for the worse", changes,
		         changes == 1 ? "" : "s", history->count, history->count == 1 ? "y" : "ies", worse);
	else
		snprintf(text, sizeof(text), "no change shown in %zu histor%s", history->count,
		         history->count == 1 ? "y" : "ies");
	html_element(html, alone ? "h1" : "h2", NULL, text);
	if (changes)
		put_latest(html, history);
	html_raw(html, "</section>\n");
}

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

static void put_points(struct html *html, const struct history_series *series)
{
	html_raw(
		html,
		"<details class=\"fold\"><summary>results</summary><div class=\"card scroll\" tabindex=\"0\" role=\"region\" "
		"aria-label=\"results\"><table class=\"numbers\"><thead><tr><th scope=\"col\">result</th>"
		"<th scope=\"col\" class=\"number\">value</th><th scope=\"col\" class=\"number\">low</th>"
		"<th scope=\"col\" class=\"number\">high</th></tr></thead><tbody>\n");
	for (size_t i = series->n; i-- > 0;) {
		const struct history_point *p = &series->points[i];
		const double values[] = {p->value, p->low, p->high};
		struct buffer text = {0};
		history_text_point(p, &text);
		html_raw(html, "<tr>");
		html_element(html, "th", NULL, buffer_text(&text));
		for (size_t k = 0; k < 3; k++) {
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

static void put_series(struct html *html, const struct history_series *series)
{
	put_name(html, series);
	if (series->stratum[0])
		html_element(html, "p", "quiet", series->stratum);
	html_raw(html, "<div class=\"plots\"><figure class=\"plot full\" data-plot=\"history\">\n");
	html->failed |= draw(html, series, 324, "narrow") != 0 || draw(html, series, 1074, "wide") != 0;
	html_element(html, "figcaption", NULL,
	             "Each dot is a saved result with its interval. A broken line marks a change of level, the shaded "
	             "band where it may lie; the thick lines are the levels.");
	html_raw(html, "</figure></div>\n<ul class=\"worst\">\n");
	for (size_t i = 0; i < series->change_count; i++)
		put_change(html, series, &series->changes[i], false);
	html_raw(html, "</ul>\n");
	put_points(html, series);
}

void html_history(struct html *html, const struct history *history, bool alone)
{
	html->number++;
	html->figures = 0;
	html_raw(html, "<article class=\"result history\">\n");
	put_summary(html, history, alone);
	html_raw(html, "<section>\n");
	html_element(html, "h2", NULL, "History");
	/* Those that changed are never left out. */
	size_t drawn = 0;
	for (size_t i = 0; i < history->count && !html->failed; i++)
		if (history->series[i].change_count > 0 || drawn < MOST_DRAWN) {
			put_series(html, &history->series[i]);
			drawn++;
		}
	if (drawn < history->count)
		buffer_printf(html->out, "<p class=\"quiet\">%zu more without a change</p>\n", history->count - drawn);
	html_raw(html, "</section>\n</article>\n");
}
