/* The answer: worded as on the terminal, with the numbers behind it. */
#include "report/html_parts.h"

#include "base/format.h"
#include "base/memory.h"
#include "report/indices.h"
#include "report/words.h"
#include "report/work_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_change(struct html *html, const char *label, double ratio, const struct confidence *ci, const char *why)
{
	struct buffer text = {0};
	html_raw(html, "<div>");
	html_element(html, "dt", NULL, label);
	if (isnan(ratio)) {
		buffer_printf(&text, "not known%s%s", why ? ": " : "", why ? why : "");
		html_element(html, "dd", "quiet", buffer_text(&text));
	} else {
		words_change(ratio, ci->low, ci->high, &text);
		html_raw(html, "<dd><b>");
		html_text(html, buffer_text(&text));
		html_raw(html, "</b> ");
		html_clear(html, &text);
		if (!isnan(ci->low) || ci->unbounded) {
			words_change_interval(ci, &text);
			html_element(html, "span", "interval", buffer_text(&text));
		}
		html_raw(html, "</dd>");
	}
	html_raw(html, "</div>\n");
	html_release(html, &text);
}

static void put_share(struct html *html, const struct comparison *c)
{
	char a[FORMAT_MAX], b[FORMAT_MAX], d[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX], text[400];
	if (isnan(c->paired->share_difference))
		return;
	html_raw(html, "<div>");
	html_element(html, "dt", NULL, "slow share");
	int digits = words_share_digits(c);
	snprintf(text, sizeof(text), "%s%s points", c->paired->share_difference > 0 ? "+" : "",
	         format_fixed(d, sizeof(d), c->paired->share_difference * 100, digits));
	html_raw(html, "<dd>");
	html_element(html, "b", NULL, text);
	html_raw(html, " ");
	snprintf(text, sizeof(text), "%s %% against %s %%", format_fixed(a, sizeof(a), c->paired->share_new * 100, digits),
	         format_fixed(b, sizeof(b), c->paired->share_base * 100, digits));
	if (!isnan(c->paired->share_ci.low))
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " [%s, %s]",
		         format_fixed(low, sizeof(low), c->paired->share_ci.low * 100, digits),
		         format_fixed(high, sizeof(high), c->paired->share_ci.high * 100, digits));
	html_element(html, "span", "interval", text);
	html_raw(html, "</dd></div>\n");
}

static void put_beside(struct html *html, const struct comparison *c)
{
	struct buffer beside = {0};
	if (c->verdict == VERDICT_UNDECIDED)
		words_reason(c, &beside);
	else
		words_reservation(c, &beside);
	if (beside.length > 0)
		buffer_char(&beside, '\n');
	words_beside(html->result, c, &beside);
	if (beside.length > 0)
		html_raw(html, "<ul class=\"beside\">\n");
	for (char *at = beside.data, *end; at && (end = strchr(at, '\n')) != NULL; at = end + 1) {
		*end = '\0';
		html_element(html, "li", NULL, at);
	}
	if (beside.length > 0)
		html_raw(html, "</ul>\n");
	html_release(html, &beside);
}

static void put_gate(struct html *html, enum gate gate)
{
	static const char *const words[] = {NULL, "gate open: undecided", "gate broken", "gate held", "gate failed"};
	static const char *const classes[] = {NULL, "chip undecided", "chip slower", "chip faster", "chip slower"};
	if (words[gate])
		html_element(html, "span", classes[gate], words[gate]);
}

static void put_one(struct html *html, const struct comparison *c)
{
	struct buffer text = {0};
	buffer_printf(html->out,
	              "<section class=\"hero %s\">\n<p class=\"word\"><span class=\"chip %s\"><span aria-hidden=\"true\">",
	              html_verdict_class(c->verdict), html_verdict_class(c->verdict));
	html_raw(html, verdict_sign(c->verdict, TEXT_UNICODE));
	html_raw(html, "</span> ");
	html_raw(html, verdict_name(c->verdict));
	html_raw(html, "</span>");
	put_gate(html, c->gate);
	html_raw(html, "</p>\n");
	words_verdict(html->result, c, &text);
	html_element(html, "h1", NULL, buffer_text(&text));
	html_clear(html, &text);
	words_effort(html->result, c, &text);
	html_element(html, "p", "effort", buffer_text(&text));
	html_raw(html, "<div class=\"answer\"><div>\n<dl class=\"key\">\n");
	bool total_alone = isnan(c->paired->share_difference);
	if (c->pairs && !total_alone)
		put_change(html, "typical", c->ratio, &c->ci, c->ratio_why);
	const struct ratio_estimate *total = comparison_total(c);
	put_change(html, words_by_ranks(c) ? "median" : "total", total->ratio, &total->ci, total->why);
	put_share(html, c);
	html_raw(html, "</dl>\n");
	put_beside(html, c);
	html_raw(html, "</div>\n");
	struct figure_source source = {html->result, c, c->new_, c->metric};
	html_figure(html, &source, FIGURE_RATIO, HTML_THIRD, 0);
	html_raw(html, "</div>\n</section>\n");
	html_release(html, &text);
	html_machines(html, c);
}

static void count_verdicts(const struct result *result, size_t counts[VERDICT_SAME + 1])
{
	memset(counts, 0, (VERDICT_SAME + 1) * sizeof(*counts));
	for (size_t i = 0; i < result->comparison_count; i++)
		counts[result->comparisons[i].verdict]++;
}

/* The changes that a reader must not miss: the worst first, then the best, at most three. */
static void put_worst(struct html *html)
{
	const struct result *result = html->result;
	size_t *order = mem_alloc(result->comparison_count, sizeof(*order)), shown = 0;
	if (!order) {
		html->failed = true;
		error_memory(html->err);
		return;
	}
	figure_sort_comparisons(result, order);
	html_raw(html, "<ul class=\"worst\">\n");
	for (size_t i = 0; i < result->comparison_count && shown < 3; i++) {
		const struct comparison *c = &result->comparisons[order[i]];
		struct buffer text = {0};
		if (c->verdict == VERDICT_SAME || c->verdict == VERDICT_UNDECIDED)
			continue;
		words_verdict(result, c, &text);
		buffer_printf(html->out, "<li class=\"%s\">", html_verdict_class(c->verdict));
		html_text(html, buffer_text(&text));
		html_raw(html, "</li>\n");
		html_release(html, &text);
		shown++;
	}
	html_raw(html, "</ul>\n");
	mem_free(order);
}

static enum verdict worst_of(const size_t counts[VERDICT_SAME + 1])
{
	static const enum verdict severity[] = {VERDICT_SLOWER, VERDICT_MIXED, VERDICT_UNDECIDED, VERDICT_FASTER,
	                                        VERDICT_SAME};
	for (size_t i = 0; i < 5; i++)
		if (counts[severity[i]])
			return severity[i];
	return VERDICT_UNDECIDED;
}

/* Of a suite in duets: how much the sides slow each other down. */
static void put_company(struct html *html)
{
	const struct result *result = html->result;
	bool any = false;
	for (size_t i = 0; i < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[i];
		struct buffer text = {0};
		if (isnan(c->interference->base) || isnan(c->interference->new_))
			continue;
		if (!any)
			html_raw(html, "<ul class=\"beside\">\n");
		any = true;
		buffer_printf(&text, "%s: ", subject_title(&result->subjects[c->new_]));
		words_company(c, "; ", &text);
		html_element(html, "li", NULL, buffer_text(&text));
		html_release(html, &text);
	}
	if (any)
		html_raw(html, "</ul>\n");
}

static void put_many(struct html *html)
{
	static const enum verdict shown[] = {VERDICT_SLOWER, VERDICT_MIXED, VERDICT_FASTER, VERDICT_SAME,
	                                     VERDICT_UNDECIDED};
	const struct result *result = html->result;
	size_t counts[VERDICT_SAME + 1];
	char text[160];
	struct buffer mean = {0};
	count_verdicts(result, counts);
	size_t changed = counts[VERDICT_SLOWER] + counts[VERDICT_FASTER] + counts[VERDICT_MIXED];
	buffer_printf(html->out, "<section class=\"hero %s\">\n<p class=\"word\">", html_verdict_class(worst_of(counts)));
	for (size_t i = 0; i < 5; i++) {
		if (!counts[shown[i]])
			continue;
		snprintf(text, sizeof(text), "%s %zu %s", verdict_sign(shown[i], TEXT_UNICODE), counts[shown[i]],
		         verdict_name(shown[i]));
		char class_[40];
		snprintf(class_, sizeof(class_), "chip %s", html_verdict_class(shown[i]));
		html_element(html, "span", class_, text);
	}
	html_raw(html, "</p>\n");
	if (changed > 0)
		snprintf(text, sizeof(text), "%zu of %zu comparisons changed", changed, result->comparison_count);
	else if (counts[VERDICT_UNDECIDED] > 0)
		snprintf(text, sizeof(text), "no change shown; %zu of %zu comparisons are undecided", counts[VERDICT_UNDECIDED],
		         result->comparison_count);
	else
		snprintf(text, sizeof(text), "all %zu are the same within their margins", result->comparison_count);
	html_element(html, "h1", NULL, text);
	if (!isnan(html->item->view.geometric_mean)) {
		buffer_text_add(&mean, "geometric mean ");
		words_change_with_interval(html->item->view.geometric_mean, &html->item->view.geometric_ci, &mean);
		html_element(html, "p", "effort", buffer_text(&mean));
	}
	if (changed > 0)
		put_worst(html);
	put_company(html);
	html_raw(html, "</section>\n");
	html_release(html, &mean);
}

void html_add_estimate(double value, const struct confidence *ci, const char *unit, struct buffer *out)
{
	char text[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX], level[FORMAT_MAX];
	double half = isnan(ci->low) ? NAN : (ci->high - ci->low) / 2;
	struct format_scale scale = format_scale_for(value, unit);
	int digits = format_decimals(value / scale.divisor, half / scale.divisor);
	buffer_text_add(out, format_scaled(text, sizeof(text), value, half, &scale));
	if (!isnan(half))
		buffer_printf(out, " (%s to %s%s%s, %s %%)", format_fixed(low, sizeof(low), ci->low / scale.divisor, digits),
		              format_fixed(high, sizeof(high), ci->high / scale.divisor, digits), scale.unit[0] ? " " : "",
		              scale.unit, format_level(level, sizeof(level), ci->level));
}

static void put_effort(struct html *html, const struct measurement *m)
{
	char text[FORMAT_MAX];
	html_raw(html, "<p class=\"effort\">");
	buffer_printf(html->out, "%zu %s%s", m->units ? m->units : m->n, m->units ? level_name(m->unit) : "value",
	              (m->units ? m->units : m->n) == 1 ? "" : "s");
	if (isfinite(html->result->elapsed))
		buffer_printf(html->out, " in %s", format_duration(text, sizeof(text), (int64_t)(html->result->elapsed * 1e9)));
	if (isnan(m->ci.low) && m->ci.why) {
		html_raw(html, "; no interval: ");
		html_text(html, m->ci.why);
	}
	html_raw(html, "</p>\n");
}

/* "copy: stable speed 1.23 GB/s (1.20 to 1.26 GB/s, 95 %)": times of different work amounts have no mean. */
static void put_speed(struct html *html, const struct subject *subject)
{
	const struct work_result *work = subject->work;
	bool known = work_any(subject) && !work->refused;
	struct buffer text = {0};
	buffer_printf(&text, "%s: %s", subject->name, known ? "stable speed " : "no stable speed");
	if (known)
		html_add_estimate(work->speed, &work->speed_ci, work->speed_unit, &text);
	html_element(html, "h1", NULL, buffer_text(&text));
	html_clear(html, &text);
	if (work_any(subject)) {
		work_words(work, &text);
		html_element(html, "p", "effort", buffer_text(&text));
	}
	html_release(html, &text);
}

/* "ls: mean wall 1.23 ms (1.20 to 1.26 ms, 95 %)" */
static void put_mean(struct html *html, const struct subject *subject)
{
	const char *metric = html_metric(html->result);
	const struct measurement *m = subject_find_metric(subject, metric);
	struct buffer text = {0};
	if (!m || m->n == 0) {
		buffer_printf(&text, "%s: no values", subject->name);
	} else {
		buffer_printf(&text, "%s: mean %s ", subject->name, metric);
		html_add_estimate(m->mean, &m->ci, m->metric.unit, &text);
	}
	html_element(html, "h1", NULL, buffer_text(&text));
	html_release(html, &text);
	if (m)
		put_effort(html, m);
}

static void put_alone(struct html *html)
{
	const struct result *result = html->result;
	const struct subject *subject = result->subjects;
	char text[60];
	html_raw(html, "<section class=\"hero plain\">\n");
	if (result->subject_count != 1) {
		snprintf(text, sizeof(text), "%zu %s measured", result->subject_count, html_kind(result));
		html_element(html, "h1", NULL, text);
	} else if (subject->work && !indices_any(subject)) {
		put_speed(html, subject);
	} else {
		put_mean(html, subject);
	}
	html_raw(html, "</section>\n");
}

void html_verdict(struct html *html)
{
	struct buffer gate = {0};
	words_gate(html->result, &gate);
	if (gate.length > 0)
		html_element(html, "p", "gate", buffer_text(&gate));
	html_release(html, &gate);
	if (html->result->comparison_count == 1)
		put_one(html, &html->result->comparisons[0]);
	else if (html->result->comparison_count > 1)
		put_many(html);
	else
		put_alone(html);
}
