/* A suite: one row a comparison with its interval drawn beside its numbers, from worst to best; a box to filter by name
 * and one to see only what changed. Below, folded, the plots of each.
 *
 * The drawings of the rows share one scale. Their places are per cent of the cell's width, so that the same row serves
 * a wide screen and a phone. */
#include "report/html_parts.h"

#include "base/format.h"
#include "base/memory.h"
#include "report/axis.h"
#include "report/plot.h"
#include "report/words.h"

#include <math.h>
#include <stdio.h>

enum {
	EDGE = 3,         /* per cent of the width kept free at each end of the scale */
	DRAWN_MOST = 1000 /* benchmarks with plots of their own: a page of more would be too large to open */
};

static struct plot_ratio ratio_of(const struct result *result, const struct comparison *c)
{
	struct told_number told = words_told(c);
	return (struct plot_ratio){.name = result->subjects[c->new_].name,
	                           .ratio = told.ratio,
	                           .low = told.ci->low,
	                           .high = told.ci->high,
	                           .margin = c->margin,
	                           .emphasis = verdict_emphasis(c->verdict)};
}

static int scale_of(const struct result *result, struct axis *axis)
{
	struct plot_ratio *ratios = mem_alloc(result->comparison_count, sizeof(*ratios));
	if (!ratios)
		return -1;
	for (size_t i = 0; i < result->comparison_count; i++)
		ratios[i] = ratio_of(result, &result->comparisons[i]);
	struct interval range = plot_forest_range(ratios, result->comparison_count);
	axis_init(axis, AXIS_LINEAR, 100 * (range.low - 1), 100 * (range.high - 1), "%", 5);
	mem_free(ratios);
	return 0;
}

/* Per cent of the width, on the scale; outside it the edge. */
static double place(const struct axis *axis, double ratio)
{
	double at = axis_place(axis, 100 * (ratio - 1));
	at = isnan(at) || at < 0 ? 0 : at > 1 ? 1 : at;
	return EDGE + at * (100 - 2 * EDGE);
}

static void put_axis(struct html *html, const struct axis *axis)
{
	html_raw(html, "<svg class=\"tare-row axis\" width=\"100%\" height=\"20\" aria-hidden=\"true\">");
	for (size_t i = 0; i < axis->tick_count; i++) {
		double at = place(axis, axis->ticks[i].at / 100 + 1);
		const char *anchor = at < 12 ? "start" : at > 88 ? "end" : "middle";
		buffer_printf(html->out, "<text x=\"%.1f%%\" y=\"14\" text-anchor=\"%s\">",
		              at < 12   ? fmax(at - 2, 0)
		              : at > 88 ? fmin(at + 2, 100)
		                        : at,
		              anchor);
		html_text(html, axis->ticks[i].label);
		html_raw(html, i + 1 == axis->tick_count ? " %</text>" : "</text>");
	}
	html_raw(html, "</svg>");
}

static void put_arrow(struct html *html, bool right)
{
	buffer_printf(html->out, "<svg x=\"%s\" overflow=\"visible\"><path class=\"mark\" d=\"M0 12l%d -4v8z\"/></svg>",
	              right ? "99.5%" : "0.5%", right ? -7 : 7);
}

static void put_drawing(struct html *html, const struct axis *axis, const struct comparison *c)
{
	struct buffer title = {0};
	struct told_number told = words_told(c);
	words_change_with_interval(told.ratio, told.ci, &title);
	buffer_printf(html->out, "<svg class=\"tare-row %s\" width=\"100%%\" height=\"24\" role=\"img\"><title>",
	              html_verdict_class(c->verdict));
	html_text(html, buffer_text(&title));
	html_raw(html, "</title>");
	html_release(html, &title);
	if (c->margin > 0)
		buffer_printf(html->out, "<rect class=\"band\" x=\"%.1f%%\" y=\"0\" width=\"%.1f%%\" height=\"24\"/>",
		              place(axis, 1 - c->margin), place(axis, 1 + c->margin) - place(axis, 1 - c->margin));
	buffer_printf(html->out, "<line class=\"one\" x1=\"%.1f%%\" x2=\"%.1f%%\" y1=\"0\" y2=\"24\"/>", place(axis, 1),
	              place(axis, 1));
	double low = 100 * (told.ci->low - 1), high = 100 * (told.ci->high - 1), middle = 100 * (told.ratio - 1);
	bool open_low = !isfinite(low) || low < axis->low, open_high = !isfinite(high) || high > axis->high;
	if (isfinite(told.ratio)) {
		double left = open_low ? 1 : place(axis, told.ci->low), right = open_high ? 99 : place(axis, told.ci->high);
		buffer_printf(html->out, "<line class=\"mark\" x1=\"%.1f%%\" x2=\"%.1f%%\" y1=\"12\" y2=\"12\"/>", left, right);
		if (open_low)
			put_arrow(html, false);
		if (open_high)
			put_arrow(html, true);
		if (middle >= axis->low && middle <= axis->high)
			buffer_printf(html->out, "<circle class=\"mark\" cx=\"%.1f%%\" cy=\"12\" r=\"4\"/>",
			              place(axis, told.ratio));
	}
	html_raw(html, "</svg>");
}

static void put_level(struct html *html, const char *label, const struct subject *subject, const char *metric)
{
	char number[FORMAT_MAX];
	const struct measurement *m = subject_find_metric(subject, metric);
	double half = m ? (m->ci.high - m->ci.low) / 2 : NAN;
	buffer_printf(html->out, "<td class=\"level\" data-label=\"%s\">", label);
	html_text(html, m && m->n ? format_quantity(number, sizeof(number), m->mean, half, m->metric.unit) : "-");
	html_raw(html, "</td>");
}

static void put_row(struct html *html, const struct axis *axis, const struct comparison *c, size_t index)
{
	struct buffer text = {0};
	const char *class_ = html_verdict_class(c->verdict);
	bool changed = c->verdict != VERDICT_SAME && c->verdict != VERDICT_UNDECIDED;
	buffer_printf(html->out, "<tr class=\"%s\"%s><th scope=\"row\"><a href=\"#r%zu-c%zu\">", class_,
	              changed ? " data-changed" : "", html->number, index);
	html_text(html, suite_label(html->result, c));
	html_raw(html, "</a></th>");
	put_level(html, "base", &html->result->subjects[c->base], c->metric);
	put_level(html, "new", &html->result->subjects[c->new_], c->metric);
	struct told_number told = words_told(c);
	words_change(told.ratio, told.ci->low, told.ci->high, &text);
	html_element(html, "td", "change", buffer_text(&text));
	html_raw(html, "<td class=\"drawing\">");
	put_drawing(html, axis, c);
	buffer_printf(html->out, "</td><td class=\"verdict\"><span class=\"chip %s\">", class_);
	html_raw(html, verdict_sign(c->verdict, TEXT_UNICODE));
	html_raw(html, " ");
	html_raw(html, verdict_name(c->verdict));
	html_raw(html, told.in);
	html_raw(html, "</span></td></tr>\n");
	html_release(html, &text);
}

static void put_tools(struct html *html, size_t count)
{
	buffer_printf(html->out,
	              "<div class=\"tools\"><label>filter <input type=\"search\" data-filter=\"%zu\" "
	              "placeholder=\"part of a name\" autocomplete=\"off\" spellcheck=\"false\"></label>",
	              html->number);
	buffer_printf(html->out, "<label><input type=\"checkbox\" data-only-changed=\"%zu\"> only changed</label>",
	              html->number);
	buffer_printf(html->out, "<output data-count=\"%zu\" aria-live=\"polite\">%zu shown</output></div>\n", html->number,
	              count);
}

static void put_table(struct html *html, const size_t *order, const struct axis *axis)
{
	const struct result *result = html->result;
	buffer_printf(html->out, "<div class=\"card\"><table class=\"forest\" id=\"rows-%zu\">\n", html->number);
	html_raw(html, "<thead><tr><th scope=\"col\">benchmark</th><th scope=\"col\" class=\"level\">base</th>"
	               "<th scope=\"col\" class=\"level\">new</th><th scope=\"col\" class=\"change\">change</th>"
	               "<th scope=\"col\" class=\"drawing\"><span class=\"hidden\">interval</span>");
	put_axis(html, axis);
	html_raw(html, "</th><th scope=\"col\" class=\"verdict\">verdict</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < result->comparison_count; i++)
		put_row(html, axis, &result->comparisons[order[i]], order[i]);
	html_raw(html, "</tbody>\n</table></div>\n");
}

static void say_drawn(struct html *html, const char *which, size_t count)
{
	struct buffer text = {0};
	if (count <= DRAWN_MOST)
		return;
	buffer_printf(&text, "%d of %zu have plots: %s.", DRAWN_MOST, count, which);
	html_element(html, "p", "effort", buffer_text(&text));
	html_release(html, &text);
}

static void put_details(struct html *html, const size_t *order)
{
	const struct result *result = html->result;
	size_t count = result->comparison_count;
	say_drawn(html, "the largest changes for the worse and for the better", count);
	buffer_printf(html->out, "<div id=\"details-%zu\">\n", html->number);
	for (size_t i = 0; i < result->comparison_count && !html->failed; i++) {
		const struct comparison *c = &result->comparisons[order[i]];
		struct buffer text = {0};
		bool changed = c->verdict != VERDICT_SAME && c->verdict != VERDICT_UNDECIDED;
		buffer_printf(html->out, "<details class=\"one %s\"%s><summary>", html_verdict_class(c->verdict),
		              changed ? " data-changed" : "");
		html_element(html, "b", "hidden", suite_label(result, c)); /* for the filter: the sentence has it too */
		words_verdict(result, c, &text);
		html_element(html, "span", NULL, buffer_text(&text));
		buffer_printf(html->out, "</summary>\n<div id=\"r%zu-c%zu\">\n", html->number, order[i]);
		html_clear(html, &text);
		words_effort(result, c, &text);
		html_element(html, "p", "effort", buffer_text(&text));
		html_clear(html, &text);
		if (c->verdict == VERDICT_UNDECIDED)
			words_reason(c, &text);
		if (text.length)
			html_element(html, "p", "effort", buffer_text(&text));
		if (i < DRAWN_MOST / 2 || count - i <= DRAWN_MOST / 2)
			html_comparison_plots(html, c);
		html_raw(html, "</div></details>\n");
		html_release(html, &text);
	}
	html_raw(html, "</div>\n");
}

static void put_comparisons(struct html *html)
{
	const struct result *result = html->result;
	size_t *order = mem_alloc(result->comparison_count, sizeof(*order));
	struct axis axis;
	if (!order || scale_of(result, &axis) != 0) {
		mem_free(order);
		html->failed = true;
		error_memory(html->err);
		return;
	}
	figure_sort_comparisons(result, order);
	html_raw(html, "<section>\n");
	html_element(html, "h2", NULL, "Comparisons");
	put_tools(html, result->comparison_count);
	put_table(html, order, &axis);
	html_element(html, "h2", NULL, "One by one");
	put_details(html, order);
	html_raw(html, "</section>\n");
	mem_free(order);
}

static void put_subjects(struct html *html)
{
	const struct result *result = html->result;
	const char *metric = html_metric(result);
	html_raw(html, "<section>\n");
	html_element(html, "h2", NULL, "One by one");
	put_tools(html, result->subject_count);
	say_drawn(html, "the first", result->subject_count);
	buffer_printf(html->out, "<div id=\"details-%zu\">\n", html->number);
	for (size_t i = 0; i < result->subject_count && !html->failed; i++) {
		const struct subject *subject = &result->subjects[i];
		const struct measurement *m = subject_find_metric(subject, metric);
		const char *own = m ? metric : subject->metric_count ? subject->metrics[0].metric.name : metric;
		m = m ? m : subject_find_metric(subject, own);
		html_raw(html, "<details class=\"one plain\"><summary>");
		html_element(html, "b", NULL, subject->name);
		struct buffer mean = {0};
		if (m && m->n)
			html_add_estimate(m->mean, &m->ci, m->metric.unit, &mean);
		html_element(html, "span", NULL, m && m->n ? buffer_text(&mean) : "no values");
		html_release(html, &mean);
		html_raw(html, "</summary>\n");
		if (i < DRAWN_MOST)
			html_subject_plots(html, i, own);
		html_raw(html, "</details>\n");
	}
	html_raw(html, "</div>\n</section>\n");
}

void html_benchmarks(struct html *html)
{
	if (html->result->comparison_count > 1)
		put_comparisons(html);
	else if (html->result->comparison_count == 0 && html->result->subject_count > 1)
		put_subjects(html);
}
