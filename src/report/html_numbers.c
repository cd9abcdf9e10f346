/* Numbers: every metric of every subject, and what is known of the deciding one. */
#include "report/html_parts.h"

#include "base/format.h"
#include "base/memory.h"
#include "report/indices.h"
#include "report/words.h"
#include "report/work_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SUBJECTS = 12 };

/* On paper a number and its unit stay on one line, unless the unit is a text of the user's. */
static const char *number_class(const char *unit)
{
	enum { SHORT_UNIT = 8 };
	return strlen(unit) > SHORT_UNIT ? "number long" : "number";
}

static void put_quantity(struct html *html, double value, double half, const char *unit)
{
	char number[FORMAT_MAX];
	html_element(html, "td", number_class(unit),
	             isfinite(value) ? format_quantity(number, sizeof(number), value, half, unit) : "-");
}

/* A value and its interval, in the same unit: a median of 0 may have one up to 1 ms. */
static void put_estimate(struct html *html, double value, const struct confidence *ci, const char *unit)
{
	char low[FORMAT_MAX], high[FORMAT_MAX], text[3 * FORMAT_MAX];
	double half = (ci->high - ci->low) / 2;
	struct format_scale scale = format_scale_for(value == 0 && ci->high > 0 ? ci->high : value, unit);
	html_element(html, "td", number_class(unit),
	             isfinite(value) ? format_scaled(text, sizeof(text), value, half, &scale) : "-");
	if (ci->unbounded || isnan(ci->low)) {
		html_element(html, "td", "interval", ci->unbounded ? "unbounded" : "-");
		return;
	}
	int digits = value == 0 && half == 0 ? 0 : format_decimals(value / scale.divisor, half / scale.divisor);
	snprintf(text, sizeof(text), "[%s, %s]", format_fixed(low, sizeof(low), ci->low / scale.divisor, digits),
	         format_fixed(high, sizeof(high), ci->high / scale.divisor, digits));
	html_element(html, "td", "interval", text);
}

static void put_metric(struct html *html, const char *name, const struct measurement *m)
{
	const char *unit = m->metric.unit;
	html_raw(html, "<tr><th scope=\"row\">");
	html_text(html, name);
	bool noted = m->metric.better == BETTER_HIGHER && strcmp(name, METRIC_WORK) != 0; /* that was given */
	html_raw(html, noted ? " <small>(higher is better)</small></th>" : "</th>");
	put_estimate(html, m->mean, &m->ci, unit);
	put_estimate(html, m->median, &m->described->median_ci, unit);
	put_quantity(html, m->sd, m->sd / 10, unit);
	put_quantity(html, m->min, NAN, unit);
	put_quantity(html, m->max, NAN, unit);
	buffer_printf(html->out, "<td class=\"number\">%zu</td></tr>\n", m->n);
}

static void open_table(struct html *html, const char *first)
{
	html_raw(
		html,
		"<div class=\"card scroll\" tabindex=\"0\" role=\"region\" aria-label=\"numbers\"><table class=\"numbers\">\n"
		"<thead><tr><th scope=\"col\">");
	html_text(html, first);
	html_raw(
		html,
		"</th><th scope=\"col\" class=\"number\">mean</th><th scope=\"col\">interval</th>"
		"<th scope=\"col\" class=\"number\">median</th><th scope=\"col\">interval</th>"
		"<th scope=\"col\" class=\"number\">sd</th><th scope=\"col\" class=\"number\">min</th>"
		"<th scope=\"col\" class=\"number\">max</th><th scope=\"col\" class=\"number\">values</th></tr></thead>\n<tbody>\n");
}

static void put_facts(struct html *html, const struct measurement *m)
{
	const struct description *described = m->described;
	char a[FORMAT_MAX], b[FORMAT_MAX];
	html_raw(html, "<dl class=\"facts\">\n");
	if (m->ci.method)
		html_factf(html, "interval of the mean", "%s %%, %s", format_level(a, sizeof(a), m->ci.level), m->ci.method);
	else
		html_fact(html, "interval of the mean", m->ci.why);
	if (m->units)
		html_factf(html, "units", "%zu %s%s", m->units, level_name(m->unit), m->units == 1 ? "" : "s");
	for (size_t i = 0; i < described->level_count && described->level_count > 1; i++) {
		struct buffer text = {0};
		words_level(m, i, &text);
		html_fact(html, i == 0 ? "levels" : "", buffer_text(&text));
		html_release(html, &text);
	}
	struct buffer steady = {0};
	words_steady(m, &steady);
	html_fact(html, "warm-up", buffer_text(&steady));
	html_release(html, &steady);
	if (isfinite(described->autocorrelation))
		html_factf(html, "autocorrelation", "%s", format_fixed(a, sizeof(a), described->autocorrelation, 2));
	if (described->outliers)
		html_factf(html, "outliers", "%zu, %zu of them far; none is dropped", described->outliers,
		           described->far_outliers);
	if (described->mode_count > 1)
		html_factf(
			html, "modes", "%zu, from %s to %s", described->mode_count,
			format_quantity(a, sizeof(a), described->modes[0].center, NAN, m->metric.unit),
			format_quantity(b, sizeof(b), described->modes[described->mode_count - 1].center, NAN, m->metric.unit));
	html_raw(html, "</dl>\n");
}

static void put_table(struct html *html, const struct table *table, const char *first)
{
	html_raw(html, "<div class=\"card scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
	html_text(html, first);
	html_raw(html, "\"><table class=\"numbers\"><thead><tr>");
	for (size_t c = 0; c < table->column_count; c++) {
		html_raw(html,
		         table->columns[c].align == TABLE_LEFT ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"number\">");
		html_text(html, c == 0 ? first : table->columns[c].heading);
		html_raw(html, "</th>");
	}
	html_raw(html, "</tr></thead><tbody>\n");
	for (size_t r = 0; r < table->row_count; r++) {
		html_raw(html, "<tr>");
		for (size_t c = 0; c < table->column_count; c++) {
			const char *text = table_cell_at(table, r, c).text;
			html_element(html, "td", table->columns[c].align == TABLE_LEFT ? NULL : "number", text ? text : "");
		}
		html_raw(html, "</tr>\n");
	}
	html_raw(html, "</tbody></table></div>\n");
	html->out->out_of_memory |= table->out_of_memory;
}

/* What a session of performance indices, or over work amounts, was to reach, and what it reached. */
static void put_goals(struct html *html, const struct subject *subject)
{
	struct table indices = {0}, work = {0};
	if (work_any(subject)) {
		work_table(subject->work, &work);
		put_table(html, &work, "work amounts");
	}
	if (indices_any(subject)) {
		indices_table(subject, &indices);
		put_table(html, &indices, "performance index");
	}
	table_release(&work);
	table_release(&indices);
}

/* " (base)" and " (new)" where two results are compared whose subjects have the same names; "" elsewhere. In `sides`
 * by subject. */
static void find_sides(const struct result *result, const char **sides)
{
	for (size_t i = 0; i < result->subject_count; i++)
		sides[i] = "";
	for (size_t i = 0; i < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[i];
		if (strcmp(result->subjects[c->base].name, result->subjects[c->new_].name) != 0)
			continue;
		sides[c->base] = " (base)";
		sides[c->new_] = " (new)";
	}
}

static void put_name(const struct subject *subject, const char *side, struct buffer *out)
{
	buffer_clear(out);
	buffer_printf(out, "%s%s", subject->name, side);
}

static void put_subject(struct html *html, size_t index, const char *side)
{
	const struct subject *subject = &html->result->subjects[index], *whole = &html->item->result->subjects[index];
	const char *metric = html_metric(html->result);
	struct buffer name = {0};
	put_name(subject, side, &name);
	html_element(html, "h3", "name", buffer_text(&name));
	html_release(html, &name);
	if (whole->command || whole->program || whole->benchmark || whole->parameter_count || whole->failure_count) {
		html_raw(html, "<dl class=\"facts\">\n");
		html_fact_exact(html, "command", whole->command);
		html_fact_exact(html, "program", whole->program);
		html_fact(html, "benchmark", whole->benchmark);
		for (size_t i = 0; i < whole->parameter_count; i++)
			html_fact(html, whole->parameters[i].name, whole->parameters[i].value);
		for (size_t i = 0; i < whole->failure_count && i < 5; i++) {
			struct buffer failure = {0};
			buffer_printf(&failure, "run %zu: %s", whole->failures[i].run + 1, whole->failures[i].what);
			html_fact(html, "failure", buffer_text(&failure));
			html_release(html, &failure);
		}
		html_raw(html, "</dl>\n");
	}
	put_goals(html, subject);
	open_table(html, "metric");
	for (size_t i = 0; i < subject->metric_count; i++)
		if (!metric_counts_iterations(&subject->metrics[i].metric) && subject->metrics[i].n > 0)
			put_metric(html, subject->metrics[i].metric.name, &subject->metrics[i]);
	html_raw(html, "</tbody></table></div>\n");
	const struct measurement *deciding = subject_find_metric(subject, metric);
	if (deciding && deciding->n > 0)
		put_facts(html, deciding);
}

void html_numbers(struct html *html)
{
	const struct result *result = html->result;
	const char **sides = mem_alloc(result->subject_count, sizeof(*sides));
	struct buffer name = {0};
	if (!sides) {
		html->out->out_of_memory = true;
		return;
	}
	find_sides(result, sides);
	html_raw(html, "<section>\n");
	html_element(html, "h2", NULL, "Numbers");
	if (result->subject_count <= MOST_SUBJECTS) {
		for (size_t i = 0; i < result->subject_count; i++)
			put_subject(html, i, sides[i]);
	} else {
		html_raw(html, "<details class=\"fold\"><summary>every subject</summary>\n");
		open_table(html, "subject");
		for (size_t i = 0; i < result->subject_count; i++) {
			const struct subject *subject = &result->subjects[i];
			const struct measurement *m = subject_find_metric(subject, html_metric(result));
			if (!m && subject->metric_count)
				m = &subject->metrics[0];
			if (m && m->n > 0) {
				put_name(subject, sides[i], &name);
				put_metric(html, buffer_text(&name), m);
			}
		}
		html_raw(html, "</tbody></table></div></details>\n");
	}
	html_raw(html, "</section>\n");
	html_release(html, &name);
	mem_free(sides);
}
