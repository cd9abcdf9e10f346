/* Tables of links. What two results of a subject show side by side is chosen by the reader: the page holds every
 * result's estimate, and what comparisons of neighbours and with baselines showed. */
#include "report/html_explorer.h"

#include "base/format.h"
#include "base/moment.h"
#include "report/history_text.h"
#include "report/html_parts.h"
#include "report/text_width.h"

#include <math.h>
#include <stdio.h>

static void put_cell(struct html *html, const char *text)
{
	struct buffer fitted = {0};
	text_fit(&fitted, text, HTML_NAME, TEXT_UNICODE);
	html_element(html, "td", NULL, buffer_text(&fitted));
	html_release(html, &fitted);
}

static void put_link(struct html *html, const char *folder, int64_t number, const char *text)
{
	struct buffer fitted = {0};
	text_fit(&fitted, text, HTML_NAME, TEXT_UNICODE);
	buffer_printf(html->out, "<a href=\"%s%lld.html\">", folder, (long long)number);
	html_text(html, buffer_text(&fitted));
	html_raw(html, "</a>");
	html_release(html, &fitted);
}

/* A section with a box that filters the rows of its table. Headings end with NULL; one that begins with '#' is of
 * numbers, for one that begins with '?' the script makes a list to choose from. */
static void open_table(struct html *html, const char *title, const char *id, const char *label,
                       const char *const *headings)
{
	buffer_printf(
		html->out,
		"<section>\n<h2>%s</h2>\n"
		"<div class=\"tools\" data-rows=\"%s\"><label>filter <input type=\"search\" placeholder=\"words\"></label> "
		"<output></output></div>\n<div class=\"card scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">"
		"<table class=\"numbers sortable\" id=\"%s\"><thead><tr>",
		title, id, label, id);
	for (; *headings; headings++) {
		const char *text = *headings, *kind = text[0] == '#'   ? " class=\"number\""
		                                      : text[0] == '?' ? " data-choose"
		                                                       : "";
		buffer_printf(html->out, "<th scope=\"col\"%s>%s</th>", kind, kind[0] ? text + 1 : text);
	}
	html_raw(html, "</tr></thead><tbody>\n");
}

static void close_table(struct html *html)
{
	html_raw(html, "</tbody></table></div>\n</section>\n");
}

static void put_estimate(struct html *html, const struct history_series *series, const struct history_point *p)
{
	char value[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX];
	double half = (p->high - p->low) / 2;
	struct buffer words = {0};
	buffer_text_add(&words,
	                isfinite(p->value) ? format_quantity(value, sizeof(value), p->value, half, series->unit) : "lost");
	if (isfinite(half))
		buffer_printf(&words, " [%s, %s]", format_quantity(low, sizeof(low), p->low, half, series->unit),
		              format_quantity(high, sizeof(high), p->high, half, series->unit));
	buffer_printf(html->out, "<td class=\"number\" data-order=\"%.10g\">", isfinite(p->value) ? p->value : 0);
	html_text(html, buffer_text(&words));
	html_raw(html, "</td>");
	html_release(html, &words);
}

static void put_subjects(struct html *html, const struct history *history)
{
	static const char *const headings[] = {"subject",  "?metric", "?machine", "#results",
	                                       "#changes", "#last",   "history",  NULL};
	open_table(html, "Subjects", "subjects", "subjects", headings);
	for (size_t i = 0; i < history->count; i++) {
		const struct history_series *series = &history->series[i];
		html_raw(html, "<tr><th scope=\"row\">");
		put_link(html, "s/", (int64_t)i + 1, series->subject);
		html_raw(html, "</th>");
		put_cell(html, series->metric);
		put_cell(html, series->stratum);
		buffer_printf(html->out, "<td class=\"number\">%zu</td><td class=\"number\">%zu</td>", series->n,
		              series->change_count);
		put_estimate(html, series, &series->points[series->n - 1]);
		html_raw(html, "<td>");
		html_spark(html, series, series->change_count ? &series->changes[series->change_count - 1] : NULL);
		html_raw(html, "</td></tr>\n");
	}
	close_table(html);
}

static void put_results(struct html *html, const struct explorer *explorer)
{
	static const char *const headings[] = {"result", "started (UTC)", "experiment", "?metric", "commit",
	                                       "?tags",  "?machine",      "?state",     NULL};
	open_table(html, "Results, newest first", "results", "results", headings);
	for (size_t i = 0; i < explorer->count; i++) {
		const struct explorer_row *row = &explorer->rows[i];
		char id[32], when[MOMENT_TEXT], more[48] = "", commit[10];
		struct buffer name = {0};
		snprintf(id, sizeof(id), "@%lld", (long long)row->id);
		buffer_printf(html->out, "<tr><th scope=\"row\" data-order=\"%lld\">", (long long)row->id);
		if (row->has_page)
			put_link(html, "r/", row->id, id);
		else
			html_text(html, id);
		html_raw(html, "</th>");
		html_element(html, "td", NULL, moment_short(row->started, when));
		if (row->subjects > 1)
			snprintf(more, sizeof(more), " and %lld more", (long long)row->subjects - 1);
		buffer_printf(&name, "%s%s%s%s", row->name, row->name[0] ? ": " : "", row->subject, more);
		put_cell(html, buffer_text(&name));
		put_cell(html, row->metric);
		snprintf(commit, sizeof(commit), "%s", row->commit);
		put_cell(html, commit);
		put_cell(html, row->tags);
		put_cell(html, row->stratum);
		put_cell(html, row->state);
		html_raw(html, "</tr>\n");
		html_release(html, &name);
	}
	close_table(html);
}

int html_explorer_index(const struct explorer *explorer, struct buffer *out, struct error *err)
{
	struct html html = {.out = out, .number = 1, .err = err};
	const struct html_page page = {.title = "what was measured"};
	size_t changes = 0;
	for (size_t i = 0; i < explorer->history->count; i++)
		changes += explorer->history->series[i].change_count;
	html_begin(out, &page);
	html_raw(&html, "<article class=\"result\">\n<section class=\"hero plain\">\n");
	buffer_printf(out, "<h1>%zu result%s of %zu subject%s</h1>\n", explorer->count, explorer->count == 1 ? "" : "s",
	              explorer->history->count, explorer->history->count == 1 ? "" : "s");
	if (explorer->history->count)
		buffer_printf(
			out,
			"<p><a href=\"changes.html\">What changed</a>: %zu change%s of level. "
			"<a href=\"#subjects\">Subjects</a>: the history of each, and any two results side by side.</p>\n",
			changes, changes == 1 ? "" : "s");
	html_raw(&html, "</section>\n");
	put_results(&html, explorer);
	if (explorer->history->count)
		put_subjects(&html, explorer->history);
	html_raw(&html, "</article>\n");
	html_end(out);
	return buffer_error(out, err);
}

static void put_verdict(struct html *html, const struct explorer_verdict *verdict)
{
	buffer_printf(html->out, "<span class=\"%s\" data-against=\"%lld\">", html_verdict_class(verdict->verdict),
	              (long long)verdict->old);
	if (verdict->words)
		buffer_printf(html->out, "<span class=\"chip\">%s</span> ", verdict_name(verdict->verdict));
	struct buffer words = {0};
	buffer_printf(&words, verdict->words ? "%s against " : "%s with ",
	              verdict->words ? verdict->words : "too few values to compare");
	if (verdict->baseline)
		buffer_printf(&words, "the baseline %s, ", verdict->baseline);
	buffer_printf(&words, "@%lld", (long long)verdict->old);
	html_text(html, buffer_text(&words));
	html_raw(html, "</span> ");
	html_release(html, &words);
}

/* Newest first; `end` is behind the verdicts of this series, which are in the order of its points. */
static void put_points(struct html *html, const struct explorer *explorer, const struct history_series *series,
                       size_t first, size_t end)
{
	static const char *const headings[] = {"result", "day", "commit", "#estimate", "compared", NULL};
	open_table(html, "Results, newest first", "points", "results", headings);
	for (size_t i = series->n; i-- > 0;) {
		const struct history_point *p = &series->points[i];
		char id[32];
		struct buffer text = {0};
		snprintf(id, sizeof(id), "@%lld", (long long)p->id);
		buffer_printf(html->out, "<tr data-id=\"%lld\"><th scope=\"row\" data-order=\"%lld\">", (long long)p->id,
		              (long long)p->id);
		put_link(html, "../r/", p->id, id);
		html_raw(html, "</th>");
		history_text_when(p->when, &text);
		html_element(html, "td", NULL, buffer_text(&text));
		html_clear(html, &text);
		history_text_commit(p, &text);
		html_element(html, "td", NULL, buffer_text(&text));
		html_release(html, &text);
		put_estimate(html, series, p);
		html_raw(html, "<td class=\"compared\">");
		while (end > first && explorer->verdicts[end - 1].point > i)
			end--;
		for (size_t v = end; v > first && explorer->verdicts[v - 1].point == i; v--)
			put_verdict(html, &explorer->verdicts[v - 1]);
		html_raw(html, "</td></tr>\n");
	}
	close_table(html);
}

/* Two lists and what is known of the two; the script fills it. */
static void put_chooser(struct html *html)
{
	html_raw(html, "<section data-side-by-side hidden>\n<h2>Side by side</h2>\n<div class=\"tools\">"
	               "<label>old <select data-old></select></label> <label>new <select data-new></select></label></div>\n"
	               "<div class=\"card\" data-answer aria-live=\"polite\"></div>\n</section>\n");
}

int html_explorer_series(const struct explorer *explorer, size_t number, struct buffer *out, struct error *err)
{
	struct html html = {.out = out, .number = 1, .listed = true, .err = err};
	const struct history_series *series = &explorer->history->series[number];
	const struct history one = {
		.series = (struct history_series *)series, .count = 1, .min_points = explorer->history->min_points};
	struct buffer title = {0};
	size_t first = 0, end;
	buffer_printf(&title, "%s, %s", series->subject, series->metric);
	const struct html_page page = {.title = buffer_text(&title), .home = "../index.html"};
	while (first < explorer->verdict_count && explorer->verdicts[first].series < number)
		first++;
	for (end = first; end < explorer->verdict_count && explorer->verdicts[end].series == number;)
		end++;
	html_begin(out, &page);
	html_element(&html, "h1", NULL, buffer_text(&title));
	html_history(&html, &one, false);
	html_raw(&html, "<article class=\"result\">\n");
	put_chooser(&html);
	put_points(&html, explorer, series, first, end);
	html_raw(&html, "</article>\n");
	html_end(out);
	html_release(&html, &title);
	return html.failed ? -1 : buffer_error(out, err);
}
