#include "report/text.h"

#include "base/format.h"
#include "report/text_width.h"
#include "report/words.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { WIDTH = 80, LABEL = 14, MODES_SHOWN = 5 };

/* Columns of the first `bytes` bytes. */
static size_t word_width(const char *text, size_t bytes)
{
	struct text_walk walk = {.at = text};
	struct text_glyph glyph;
	size_t width = 0;
	while (walk.at < text + bytes && text_next(&walk, &glyph))
		width += glyph.width;
	return width;
}

/* Whether the word of so many bytes is a number and the next its unit: "2.012 ms,". */
static bool is_unit_behind(const char *text, size_t bytes)
{
	static const char *const units[] = {"s", "ms", "\u00b5s", "ns", "min", "B", "kB", "MB", "GB"};
	const char *next = text + bytes + (text[bytes] == ' ');
	size_t length = strcspn(next, " ,;:)]");
	if (!isdigit((unsigned char)text[0]) || !isdigit((unsigned char)text[bytes - 1]))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (length == strlen(units[i]) && strncmp(next, units[i], length) == 0)
			return true;
	return false;
}

/* Bytes that stay on one line: a word; a number and its unit or per cent sign; "× 1.9"; an interval "[-1 %, +2 %]". */
static size_t unit_bytes(const char *text)
{
	enum { LONGEST_INTERVAL = 40 };
	static const char times[] = "\u00d7 ";
	size_t bytes = strcspn(text, " ");
	bool interval = text[0] == '[' && (strchr("+-0123456789", text[1]) || strncmp(text + 1, times, strlen(times)) == 0);
	const char *end = interval ? strchr(text, ']') : NULL;
	if (end && end - text < LONGEST_INTERVAL)
		return (size_t)(end - text) + strcspn(end, " ");
	if (strncmp(text, times, strlen(times)) == 0)
		bytes = strlen(times) + strcspn(text + strlen(times), " ");
	if (strncmp(text + bytes, " %", 2) == 0 || is_unit_behind(text, bytes))
		bytes += 1 + strcspn(text + bytes + 1, " ");
	return bytes;
}

void text_wrap(struct buffer *out, const char *words, size_t column, size_t indent)
{
	struct buffer clean = {0};
	text_clean(&clean, words, TEXT_UNICODE);
	const char *text = buffer_text(&clean);
	/* What stands left of the cursor beyond the indent is a word before the first one. */
	bool begins_line = column <= indent;
	size_t blanks = 1;
	while (*text) {
		size_t bytes = unit_bytes(text);
		size_t width = word_width(text, bytes);
		if (!begins_line && column + blanks + width >= WIDTH) {
			buffer_char(out, '\n');
			buffer_repeat(out, " ", indent);
			column = indent;
		} else if (!begins_line) {
			buffer_repeat(out, " ", blanks);
			column += blanks;
		}
		begins_line = false;
		buffer_add(out, text, bytes);
		column += width;
		text += bytes;
		blanks = strspn(text, " ");
		text += blanks;
	}
	buffer_char(out, '\n');
	out->out_of_memory |= clean.out_of_memory;
	buffer_release(&clean);
}

/* "  label       text…", wrapped under the text. */
static void line(struct buffer *out, const char *label, const char *text)
{
	buffer_printf(out, "  %-*s", LABEL - 2, label);
	text_wrap(out, text, LABEL, LABEL);
}

static double half_width(const struct confidence *ci)
{
	return isnan(ci->low) ? NAN : (ci->high - ci->low) / 2;
}

static void add_interval(const struct confidence *ci, double scale_value, const char *unit, struct buffer *out)
{
	char low[FORMAT_MAX], high[FORMAT_MAX], level[FORMAT_MAX];
	if (ci->unbounded) {
		buffer_text_add(out, "unbounded");
		return;
	}
	struct format_scale scale = format_scale_for(scale_value, unit);
	double half = half_width(ci) / scale.divisor;
	int digits = format_decimals(scale_value / scale.divisor, half);
	buffer_printf(out, "%s to %s%s%s (%s %%", format_fixed(low, sizeof(low), ci->low / scale.divisor, digits),
	              format_fixed(high, sizeof(high), ci->high / scale.divisor, digits), scale.unit[0] ? " " : "",
	              scale.unit, format_level(level, sizeof(level), ci->level));
	if (ci->method)
		buffer_printf(out, ", %s", ci->method);
	buffer_char(out, ')');
}

/* The unit comes from elsewhere. */
static void add_quantity(struct buffer *out, double value, double half, const char *unit)
{
	char number[FORMAT_MAX];
	text_clean(out, format_quantity(number, sizeof(number), value, half, unit), TEXT_UNICODE);
}

static void line_estimate(struct buffer *out, const char *label, double value, const struct confidence *ci,
                          const char *unit)
{
	struct buffer text = {0};
	add_quantity(&text, value, half_width(ci), unit);
	if (!isnan(ci->level) && !isnan(ci->low)) {
		buffer_text_add(&text, "   ");
		add_interval(ci, value, unit, &text);
	} else if (ci->why) {
		buffer_printf(&text, "   no interval: %s", ci->why);
	}
	/* The gap between number and interval is one word gap to text_wrap, so it is written here. */
	if (LABEL + word_width(buffer_text(&text), text.length) < WIDTH)
		buffer_printf(out, "  %-*s%s\n", LABEL - 2, label, buffer_text(&text));
	else {
		char *gap = strstr(text.data, "   no interval");
		if (gap) {
			*gap = ',';
			memmove(gap + 2, gap + 3, strlen(gap + 3) + 1);
		}
		line(out, label, buffer_text(&text));
	}
	buffer_release(&text);
}

static const double most_told = 100; /* times the mean */

/* Of the units; where these are means of several values, the range of the values is told apart. */
static void line_spread(const struct measurement *m, struct buffer *out)
{
	const struct description *described = m->described;
	struct buffer text = {0};
	char a[FORMAT_MAX], b[FORMAT_MAX];
	const char *unit = m->metric.unit;
	bool means = m->units > 1 && m->n > m->units;
	if (!isnan(m->sd)) {
		double share = m->sd / fabs(m->mean);
		buffer_printf(&text, "sd %s", format_quantity(a, sizeof(a), m->sd, m->sd / 10, unit));
		if (share < most_told) /* of a mean near 0 it says nothing */
			buffer_printf(&text, " (%s)", format_percent(b, sizeof(b), share, share / 10, 0));
	}
	if (!isnan(described->mad)) {
		struct format_scale scale = format_scale_for(described->mad > 0 ? described->mad : m->sd,
		                                             unit); /* of 0 there is none */
		buffer_printf(&text, ", MAD %s",
		              described->mad > 0 ? format_scaled(a, sizeof(a), described->mad, m->sd / 10, &scale) : "0");
		if (described->mad == 0 && scale.unit[0])
			buffer_printf(&text, " %s", scale.unit);
	}
	if (means && text.length)
		buffer_printf(&text, " of the %ss' means", level_name(m->unit));
	if (described->outliers > 0)
		buffer_printf(&text, ", %zu outlier%s (%zu far)%s", described->outliers, described->outliers == 1 ? "" : "s",
		              described->far_outliers, means ? " among them" : "");
	if (!isnan(m->min))
		buffer_printf(&text, "%smin %s, max %s%s",
		              !text.length ? ""
		              : means      ? "; "
		                           : ", ",
		              format_quantity(a, sizeof(a), m->min, NAN, unit),
		              format_quantity(b, sizeof(b), m->max, NAN, unit), means ? " of all values" : "");
	line(out, "spread", buffer_text(&text));
	buffer_release(&text);
}

static void line_levels(const struct measurement *m, struct buffer *out)
{
	struct buffer text = {0};
	for (size_t i = 0; i < m->described->level_count && m->described->level_count > 1; i++) {
		buffer_clear(&text);
		words_level(m, i, &text);
		line(out, i == 0 ? "levels" : "", buffer_text(&text));
	}
	buffer_release(&text);
}

static void line_slope(const struct measurement *m, struct buffer *out)
{
	if (isnan(m->slope->value))
		return;
	line_estimate(out, "slope", m->slope->value, &m->slope->ci, m->metric.unit);
}

static void line_steady(const struct measurement *m, struct buffer *out)
{
	struct buffer text = {0};
	words_steady(m, &text);
	if (text.length)
		line(out, "warm-up", buffer_text(&text));
	buffer_release(&text);
}

static void line_dependence(const struct measurement *m, struct buffer *out)
{
	const struct description *described = m->described;
	struct buffer text = {0};
	char number[FORMAT_MAX];
	if (isnan(described->autocorrelation))
		return;
	buffer_printf(&text, "autocorrelation %s", format_fixed(number, sizeof(number), described->autocorrelation, 2));
	if (!isnan(described->effective_size))
		buffer_printf(&text, ", a run is worth %s independent values",
		              format_significant(number, sizeof(number), described->effective_size, 3));
	if (described->subsession > 1)
		buffer_printf(&text, ", independent in groups of %zu", described->subsession);
	line(out, "dependence", buffer_text(&text));
	buffer_release(&text);
}

static void line_modes(const struct measurement *m, struct buffer *out)
{
	const struct description *described = m->described;
	struct buffer text = {0};
	char number[FORMAT_MAX];
	if (described->mode_count > MODES_SHOWN) {
		char last[FORMAT_MAX];
		buffer_printf(&text, "%zu between %ss, at %s to %s", described->mode_count, level_name(m->unit),
		              format_quantity(number, sizeof(number), described->modes[0].center, NAN, m->metric.unit),
		              format_quantity(last, sizeof(last), described->modes[described->mode_count - 1].center, NAN,
		                              m->metric.unit));
	} else if (described->mode_count > 1) {
		buffer_printf(&text, "%zu between %ss:", described->mode_count, level_name(m->unit));
		for (size_t i = 0; i < described->mode_count; i++)
			buffer_printf(&text, "%s %s (%zu)", i ? "," : "",
			              format_quantity(number, sizeof(number), described->modes[i].center, NAN, m->metric.unit),
			              described->modes[i].count);
	}
	if (described->inner_modes > 1)
		buffer_printf(&text, "%s%zu inside a run", text.length ? "; " : "", described->inner_modes);
	if (text.length)
		line(out, "modes", buffer_text(&text));
	buffer_clear(&text);
	/* For a single run the warning says it. */
	if (!isnan(described->unseen_mode) && m->unit < LEVEL_ITERATION) {
		buffer_printf(&text, "slow %ss rarer than %s may have been missed", level_name(m->unit),
		              format_percent(number, sizeof(number), described->unseen_mode, described->unseen_mode / 10, 0));
		line(out, "unseen", buffer_text(&text));
	}
	buffer_release(&text);
}

/* "name  metric, 5 runs, 25 values"; what does not fit stands on a line of its own. */
static void add_heading(const struct subject *subject, const struct measurement *m, struct buffer *out)
{
	struct buffer name = {0}, rest = {0};
	size_t counted = m->units ? m->units : m->n;
	text_clean(&name, subject_title(subject), TEXT_UNICODE);
	if (strcmp(m->metric.name, "value") != 0) {
		text_clean(&rest, m->metric.name, TEXT_UNICODE);
		buffer_text_add(&rest, m->metric.better == BETTER_HIGHER ? " (higher is better), " : ", ");
	}
	buffer_printf(&rest, "%zu %s%s", counted, m->units ? level_name(m->unit) : "value", counted == 1 ? "" : "s");
	if (m->units && m->n > m->units)
		buffer_printf(&rest, ", %zu values", m->n);
	size_t width = word_width(buffer_text(&name), name.length), more = word_width(buffer_text(&rest), rest.length);
	if (width + 2 + more < WIDTH) {
		buffer_printf(out, "%s  %s\n", buffer_text(&name), buffer_text(&rest));
	} else {
		text_wrap(out, buffer_text(&name), 0, 0);
		buffer_text_add(out, "  ");
		text_wrap(out, buffer_text(&rest), 2, 2);
	}
	buffer_release(&name);
	buffer_release(&rest);
}

void text_levels(const struct result *result, const char *metric, struct buffer *out)
{
	enum { MOST = 4 };
	bool first = true;
	for (size_t s = 0; s < result->subject_count && result->subject_count <= MOST; s++) {
		const struct measurement *m = subject_find_metric(&result->subjects[s], metric);
		if (!m || m->n == 0 || m->described->level_count < 2)
			continue;
		buffer_text_add(out, first ? "\nwhere the variation comes from, " : "");
		if (first) {
			text_clean(out, metric, TEXT_UNICODE);
			buffer_text_add(out, ":\n");
		}
		first = false;
		for (size_t i = 0; i < m->described->level_count; i++) {
			struct buffer text = {0};
			words_level(m, i, &text);
			if (i == 0) {
				text_clean(out, subject_title(&result->subjects[s]), TEXT_UNICODE);
				buffer_char(out, '\n');
			}
			buffer_text_add(out, "  ");
			text_wrap(out, buffer_text(&text), 2, 4);
			buffer_release(&text);
		}
	}
}

void text_measurement(const struct result *result, const struct subject *subject, const struct measurement *m,
                      struct buffer *out)
{
	char number[FORMAT_MAX];
	(void)result;
	add_heading(subject, m, out);
	if (m->n == 0) {
		line(out, "", m->ci.why ? m->ci.why : "no values");
		return;
	}
	if (m->n == 1) {
		line(out, "value", format_quantity(number, sizeof(number), m->mean, NAN, m->metric.unit));
		return;
	}
	line_estimate(out, "mean", m->mean, &m->ci, m->metric.unit);
	if (!isnan(m->median))
		line_estimate(out, "median", m->median, &m->described->median_ci, m->metric.unit);
	line_slope(m, out);
	line_spread(m, out);
	line_levels(m, out);
	line_steady(m, out);
	line_dependence(m, out);
	line_modes(m, out);
}

static bool has_single_values(const struct subject *subject)
{
	for (size_t i = 0; i < subject->metric_count; i++)
		if (subject->metrics[i].n != 1)
			return false;
	return subject->metric_count > 1;
}

/* Room for the longest name of the metrics, so that their values stand below each other. */
static int name_room(const struct subject *subject)
{
	enum { MOST = 32 };
	size_t room = LABEL - 4;
	for (size_t i = 0; i < subject->metric_count; i++) {
		const char *name = subject->metrics[i].metric.name;
		size_t width = word_width(name, strlen(name));
		room = width > room && width <= MOST ? width : room;
	}
	return (int)room;
}

void text_subject(const struct result *result, const struct subject *subject, struct buffer *out)
{
	bool single = has_single_values(subject);
	if (single) {
		struct buffer name = {0};
		text_clean(&name, subject_title(subject), TEXT_UNICODE);
		buffer_text_add(&name, ", one value of each:");
		text_wrap(out, buffer_text(&name), 0, 0);
		buffer_release(&name);
	}
	for (size_t i = 0; i < subject->metric_count; i++) {
		const struct measurement *m = &subject->metrics[i];
		if (metric_counts_iterations(&m->metric))
			continue;
		if (single) {
			struct buffer name = {0};
			text_clean(&name, m->metric.name, TEXT_UNICODE);
			buffer_printf(out, "  %-*s  ", name_room(subject), buffer_text(&name));
			add_quantity(out, m->mean, NAN, m->metric.unit);
			buffer_char(out, '\n');
			buffer_release(&name);
			continue;
		}
		if (i > 0)
			buffer_char(out, '\n');
		text_measurement(result, subject, m, out);
	}
}

bool text_subject_in_brief(const struct result *result, const struct subject *subject, const char *metric,
                           struct buffer *out)
{
	enum { FEW_METRICS = 3 };
	const struct measurement *main = subject_find_metric(subject, metric);
	if (!main || subject->metric_count <= FEW_METRICS || has_single_values(subject))
		return false;
	text_measurement(result, subject, main, out);
	struct buffer others = {0};
	for (size_t i = 0; i < subject->metric_count; i++) {
		const struct measurement *m = &subject->metrics[i];
		if (m == main || metric_counts_iterations(&m->metric) || m->n == 0)
			continue;
		buffer_text_add(&others, others.length ? ", " : "");
		text_clean(&others, m->metric.name, TEXT_UNICODE);
		buffer_char(&others, ' ');
		add_quantity(&others, m->mean, NAN, m->metric.unit);
	}
	if (others.length)
		line(out, "other means", buffer_text(&others));
	out->out_of_memory |= others.out_of_memory;
	buffer_release(&others);
	return true;
}

static void line_change(struct buffer *out, const char *label, double ratio, const struct confidence *ci,
                        const char *why)
{
	struct buffer text = {0};
	if (isnan(ratio)) {
		buffer_printf(&text, "not known%s%s", why ? ": " : "", why ? why : "");
	} else {
		words_change_with_interval(ratio, ci, &text);
	}
	line(out, label, buffer_text(&text));
	buffer_release(&text);
}

static void line_share(const struct comparison *comparison, struct buffer *out)
{
	struct buffer text = {0};
	char a[FORMAT_MAX], b[FORMAT_MAX], c[FORMAT_MAX], d[FORMAT_MAX];
	if (isnan(comparison->paired->share_difference)) {
		line_change(out, "slow share", NAN, &comparison->paired->share_ci, comparison->paired->share_why);
		return;
	}
	int digits = words_share_digits(comparison);
	buffer_printf(&text, "%s %% against %s %%, %s points",
	              format_fixed(a, sizeof(a), comparison->paired->share_new * 100, digits),
	              format_fixed(b, sizeof(b), comparison->paired->share_base * 100, digits),
	              format_fixed(c, sizeof(c), comparison->paired->share_difference * 100, digits));
	if (!isnan(comparison->paired->share_ci.low))
		buffer_printf(&text, " [%s, %s]", format_fixed(c, sizeof(c), comparison->paired->share_ci.low * 100, digits),
		              format_fixed(d, sizeof(d), comparison->paired->share_ci.high * 100, digits));
	line(out, "slow share", buffer_text(&text));
	buffer_release(&text);
}

static void line_test(const struct comparison *comparison, struct buffer *out)
{
	char number[FORMAT_MAX];
	struct buffer text = {0};
	if (comparison->p_value < 1e-4)
		buffer_text_add(&text, "p under 0.0001");
	else
		buffer_printf(&text, "p %s", format_significant(number, sizeof(number), comparison->p_value, 2));
	if (comparison->ci.method)
		buffer_printf(&text, " (%s)", comparison->ci.method);
	line(out, "test", buffer_text(&text));
	buffer_release(&text);
}

/* Each line wrapped; the buffer is released. */
static void indented_lines(struct buffer *lines, struct buffer *out)
{
	for (char *at = lines->data, *line_end; at && (line_end = strchr(at, '\n')) != NULL; at = line_end + 1) {
		*line_end = '\0';
		buffer_text_add(out, "  ");
		text_wrap(out, at, 2, 2);
	}
	buffer_release(lines);
}

void text_numbers(const struct result *result, const struct comparison *comparison, struct buffer *out)
{
	if (isnan(comparison->ratio))
		return;
	/* Single pairs, or a clock too coarse for medians: the total alone was judged. */
	bool total_alone = isnan(comparison->paired->share_difference);
	if (comparison->pairs && !total_alone)
		line_change(out, "typical", comparison->ratio, &comparison->ci, comparison->ratio_why);
	const struct ratio_estimate *total = comparison_total(comparison);
	line_change(out, words_by_ranks(comparison) ? "median" : "total", total->ratio, &total->ci, total->why);
	if (!isnan(comparison->p_value))
		line_test(comparison, out);
	if (comparison->pairs && !total_alone)
		line_share(comparison, out);
	struct buffer beside = {0};
	words_beside(result, comparison, &beside);
	indented_lines(&beside, out);
}

void text_company(const struct comparison *comparison, struct buffer *out)
{
	struct buffer company = {0};
	words_company(comparison, "; ", &company);
	indented_lines(&company, out);
}

void text_comparison(const struct result *result, const struct comparison *comparison, const struct look *look,
                     struct buffer *out)
{
	text_answer(result, comparison, look, out);
	text_numbers(result, comparison, out);
}
