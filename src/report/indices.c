#include "report/indices.h"

#include "base/format.h"
#include "base/memory.h"
#include "report/plot.h"
#include "report/text.h"
#include "report/text_width.h"
#include "report/words.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 20, BAR = 24 /* columns */ };

static bool is_index(const struct measurement *m)
{
	return !isnan(m->index->autocorrelation_limit);
}

bool indices_any(const struct subject *subject)
{
	for (size_t i = 0; i < subject->metric_count; i++)
		if (is_index(&subject->metrics[i]))
			return true;
	return false;
}

static void mean_cells(struct table *table, const struct measurement *m)
{
	char number[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX];
	double half = isnan(m->ci.low) ? NAN : (m->ci.high - m->ci.low) / 2;
	struct format_scale scale = table_scale(table, m->mean, m->metric.unit);
	table_cell(table, EMPHASIS_NONE,
	           isnan(m->mean) ? "-" : format_scaled(number, sizeof(number), m->mean, half, &scale));
	if (isnan(half)) {
		table_cell(table, EMPHASIS_NONE, m->ci.unbounded ? "unbounded" : "-");
		table_cell(table, EMPHASIS_NONE, "-");
		return;
	}
	int digits = format_decimals(m->mean / scale.divisor, half / scale.divisor);
	table_cellf(table, EMPHASIS_NONE, "[%s, %s]", format_fixed(low, sizeof(low), m->ci.low / scale.divisor, digits),
	            format_fixed(high, sizeof(high), m->ci.high / scale.divisor, digits));
	double relative = half / fabs(m->mean);
	table_cell(table, EMPHASIS_NONE,
	           m->mean != 0 ? format_percent(number, sizeof(number), relative, relative / 10, 0) : "-");
}

static bool any_target(const struct subject *subject)
{
	for (size_t i = 0; i < subject->metric_count; i++)
		if (is_index(&subject->metrics[i]) && !isnan(subject->metrics[i].index->wanted))
			return true;
	return false;
}

void indices_table(const struct subject *subject, struct table *table)
{
	char text[FORMAT_MAX], heading[80] = "interval";
	bool targets = any_target(subject);
	for (size_t i = 0; i < subject->metric_count; i++)
		if (is_index(&subject->metrics[i]) && !isnan(subject->metrics[i].ci.level))
			snprintf(heading, sizeof(heading), "%s %% interval",
			         format_level(text, sizeof(text), subject->metrics[i].ci.level));
	table_column(table, "", TABLE_LEFT, TABLE_SHRINKS);
	table_column(table, "mean", TABLE_DECIMAL, TABLE_FIXED);
	table_column(table, heading, TABLE_LEFT, TABLE_FIXED);
	table_column(table, "\xc2\xb1", TABLE_DECIMAL, TABLE_FIXED);
	if (targets)
		table_column(table, "target", TABLE_DECIMAL, TABLE_FIXED);
	table_column(table, "kind", TABLE_LEFT, TABLE_OPTIONAL);
	table_column(table, "r1", TABLE_DECIMAL, TABLE_OPTIONAL);
	table_column(table, "runs", TABLE_RIGHT, TABLE_FIXED);
	for (size_t i = 0; i < subject->metric_count; i++) {
		const struct measurement *m = &subject->metrics[i];
		if (!is_index(m))
			continue;
		table_row(table);
		table_cell(table, EMPHASIS_NONE, m->metric.name);
		mean_cells(table, m);
		if (targets)
			table_cell(table, EMPHASIS_NONE,
			           isnan(m->index->wanted)
			               ? "-"
			               : format_percent(text, sizeof(text), m->index->wanted, m->index->wanted, 0));
		table_cell(table, EMPHASIS_NONE, mean_kind_name(m->mean_kind));
		table_cell(table, EMPHASIS_NONE,
		           isnan(m->described->autocorrelation)
		               ? "-"
		               : format_fixed(text, sizeof(text), m->described->autocorrelation, 2));
		if (m->index->skip_runs)
			table_cellf(table, EMPHASIS_NONE, "%zu of %zu", m->series.n - m->index->skip_runs, m->series.n);
		else
			table_cellf(table, EMPHASIS_NONE, "%zu", m->series.n);
	}
}

/* "a 20.0 MB/s ± 0.5 %" */
static void put_mean(const struct subject *subject, const struct measurement *m, struct buffer *out)
{
	char number[FORMAT_MAX];
	double half = (m->ci.high - m->ci.low) / 2;
	buffer_printf(out, "%s %s", subject_title(subject),
	              isnan(m->mean) ? "-" : format_quantity(number, sizeof(number), m->mean, half, m->metric.unit));
	if (half >= 0 && m->mean != 0)
		buffer_printf(out, " \u00b1 %s",
		              format_percent(number, sizeof(number), half / fabs(m->mean), half / fabs(m->mean) / 10, 0));
}

void indices_brief(const struct result *result, const char *metric, struct buffer *out)
{
	const struct subject *first = &result->subjects[0];
	char number[FORMAT_MAX];
	for (size_t i = 0; i < first->metric_count; i++) {
		const struct measurement *m = &first->metrics[i];
		struct buffer line = {0};
		if (!is_index(m) || (strcmp(m->metric.name, metric) == 0 && isnan(m->index->wanted)))
			continue;
		buffer_printf(&line, "%s: ", m->metric.name);
		for (size_t s = 0; s < result->subject_count; s++) {
			const struct measurement *own = subject_find_metric(&result->subjects[s], m->metric.name);
			buffer_text_add(&line, s && own ? ", " : "");
			if (own)
				put_mean(&result->subjects[s], own, &line);
		}
		if (!isnan(m->ci.level))
			buffer_printf(&line, " (%s %%)", format_level(number, sizeof(number), m->ci.level));
		if (!isnan(m->index->wanted))
			buffer_printf(&line, ", target \u00b1 %s",
			              format_percent(number, sizeof(number), m->index->wanted, m->index->wanted, 0));
		text_wrap(out, buffer_text(&line), 0, 2);
		out->out_of_memory |= line.out_of_memory;
		buffer_release(&line);
	}
}

/* The medians over runs. */
bool indices_usual_phases(const struct measurement *m, struct usual_phases *out)
{
	double *begins = mem_alloc(3 * m->phase_count, sizeof(*begins)), *ends = begins + m->phase_count,
		   *works = ends + m->phase_count;
	size_t count = 0;
	for (size_t r = 0; begins && r < m->phase_count && r < m->series.groups[0]; r++) {
		size_t n, from = m->phases[r].from, to = m->phases[r].to;
		series_span(&m->series, r, &n);
		to = to < n ? to : n;
		if (from >= to)
			continue;
		works[count] = (double)m->phases[r].set_up / (double)n;
		begins[count] = (double)from / (double)n;
		ends[count++] = (double)to / (double)n;
	}
	bool found = count > 0 && median_of(begins, count, &out->from) == STATS_OK &&
	             median_of(ends, count, &out->to) == STATS_OK && median_of(works, count, &out->set_up) == STATS_OK;
	mem_free(begins);
	return found;
}

static void bar(struct buffer *out, const struct look *look, const struct usual_phases *usual, size_t width)
{
	bool plain = look->charset == TEXT_ASCII;
	size_t work = (size_t)lround(usual->set_up * (double)width), begin = (size_t)lround(usual->from * (double)width);
	size_t end = (size_t)lround(usual->to * (double)width);
	/* A part that exists gets at least one column, however short it is. */
	work = work == 0 && usual->set_up > 0 ? 1 : work > width - 3 ? width - 3 : work;
	size_t least = work + (usual->from > usual->set_up);
	begin = begin < least ? least : begin > width - 2 ? width - 2 : begin;
	end = end <= begin ? begin + 1 : end == width && usual->to < 1 ? width - 1 : end;
	buffer_repeat(out, plain ? "_" : "\xc2\xb7", work);
	buffer_repeat(out, plain ? "." : "\xe2\x96\x91", begin - work);
	buffer_repeat(out, plain ? "#" : "\xe2\x96\x88", end - begin);
	buffer_repeat(out, plain ? "." : "\xe2\x96\x91", width - end);
}

/* The name of the performance index: that of its unit readings without their ending. */
static void put_name(const struct measurement *m, const struct look *look, struct buffer *out)
{
	struct buffer name = {0};
	int length = (int)strlen(m->metric.name) - (int)strlen(METRIC_UNITS);
	buffer_printf(&name, "%.*s", length > 0 ? length : 0, m->metric.name);
	text_fit(out, buffer_text(&name), NAME, look->charset);
	out->out_of_memory |= name.out_of_memory;
	buffer_release(&name);
}

static void share(struct buffer *out, const char *name, double part)
{
	char text[FORMAT_MAX];
	if (part > 0)
		buffer_printf(out, "%s%s %s", out->length ? ", " : "", name, format_percent(text, sizeof(text), part, 0.1, 0));
}

void indices_phases(const struct subject *subject, const struct look *look, struct buffer *out)
{
	for (size_t i = 0; i < subject->metric_count; i++) {
		const struct measurement *m = &subject->metrics[i];
		struct usual_phases usual;
		if (!m->phases || m->phase_count == 0)
			continue;
		size_t start = out->length;
		put_name(m, look, out);
		if (!indices_usual_phases(m, &usual)) {
			buffer_text_add(out, "  no run has a phase that lasts for more than half of it\n");
			continue;
		}
		size_t used = text_width(buffer_text(out) + start, look->charset) + 2 + BAR + 2;
		buffer_text_add(out, "  ");
		bar(out, look, &usual, BAR);
		struct buffer shares = {0};
		share(&shares, "set-up", usual.set_up);
		share(&shares, "warm-up", usual.from - usual.set_up);
		share(&shares, "stable", usual.to - usual.from);
		share(&shares, "cool-down", 1 - usual.to);
		buffer_printf(out, "%s  %s\n", used + shares.length < look_width(look) ? "" : "\n", buffer_text(&shares));
		out->out_of_memory |= shares.out_of_memory;
		buffer_release(&shares);
	}
}

size_t indices_marks(const struct usual_phases *usual, size_t longest, struct plot_mark *marks)
{
	size_t count = 0;
	if (usual->set_up > 0)
		marks[count++] = (struct plot_mark){(size_t)lround(usual->set_up * (double)longest), PLOT_SETUP};
	if (usual->from > usual->set_up)
		marks[count++] = (struct plot_mark){(size_t)lround(usual->from * (double)longest), PLOT_WARMUP};
	if (usual->to < 1)
		marks[count++] = (struct plot_mark){(size_t)lround(usual->to * (double)longest), PLOT_CHANGE};
	return count;
}

int indices_plots(const struct subject *subject, const struct look *look, struct buffer *out, struct error *err)
{
	for (size_t i = 0; i < subject->metric_count; i++) {
		const struct measurement *m = &subject->metrics[i];
		size_t longest = 0;
		struct usual_phases usual;
		struct plot_mark marks[USUAL_MARKS];
		if (!m->phases || m->series.n == 0 || !indices_usual_phases(m, &usual))
			continue;
		for (size_t g = 0; g < m->series.groups[0]; g++) {
			size_t n;
			series_span(&m->series, g, &n);
			longest = n > longest ? n : longest;
		}
		struct plot_series plot = {.title = m->metric.name,
		                           .values = m->series.values,
		                           .n = m->series.n,
		                           .unit = m->metric.unit,
		                           .starts = m->series.starts[0],
		                           .run_count = m->series.groups[0],
		                           .overlaid = true,
		                           .marks = marks,
		                           .mark_count = indices_marks(&usual, longest, marks)};
		buffer_char(out, '\n');
		if (plot_sequence(&plot, look, out, err) != 0)
			return -1;
	}
	return 0;
}

void indices_overhead(const struct subject *subject, struct buffer *out)
{
	const struct overhead_result *overhead = subject->overhead;
	struct buffer change = {0}, interval = {0};
	if (!overhead || isnan(overhead->ratio))
		return;
	words_change(overhead->ratio, overhead->ci.low, overhead->ci.high, &change);
	if (!isnan(overhead->ci.low) || overhead->ci.unbounded) {
		buffer_char(&interval, ' ');
		words_change_interval(&overhead->ci, &interval);
	}
	buffer_printf(out, "unit readings cost %s of the time%s, %zu pairs\n", buffer_text(&change), buffer_text(&interval),
	              overhead->pairs);
	buffer_release(&change);
	buffer_release(&interval);
}
