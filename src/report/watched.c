#include "report/watched.h"

#include "base/memory.h"
#include "report/frame.h"
#include "report/plot.h"
#include "report/svg_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_saturated(const struct monitoring *m, const struct trace *trace)
{
	for (size_t i = 0; i < m->saturation_count; i++)
		if (strcmp(m->saturations[i].component, trace->component) == 0 &&
		    strcmp(m->saturations[i].quantity, trace->quantity) == 0)
			return true;
	return false;
}

/* A CPU by itself says something where it was near its limit; else all of them together say it. */
static bool is_worth_it(const struct monitoring *m, const struct trace *trace, bool saturated)
{
	bool single = strncmp(trace->component, "cpu", 3) == 0 && trace->component[3] >= '0' && trace->component[3] <= '9';
	return trace->kind == GAUGE_USE && is_saturated(m, trace) == saturated && (saturated || !single);
}

size_t watched_choose(const struct monitoring *m, size_t *out, size_t most)
{
	size_t count = 0;
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < m->trace_count && count < most; i++)
			if (is_worth_it(m, &m->traces[i], round == 0))
				out[count++] = i;
	return count;
}

/* The mean of the slots that a stretch of time touches, by how much of each it touches. */
static double mean_between(const struct monitoring *m, const struct trace *trace, double from, double to)
{
	double sum = 0, weight = 0;
	if (!(m->slot > 0) || !(to > from))
		return NAN;
	for (size_t s = (size_t)fmax(0, floor(from / m->slot)); s < m->slots && (double)s * m->slot < to; s++) {
		double overlap = fmin(to, (double)(s + 1) * m->slot) - fmax(from, (double)s * m->slot);
		if (isnan(trace->values[s]) || overlap <= 0)
			continue;
		sum += trace->values[s] * overlap;
		weight += overlap;
	}
	return weight > 0 ? sum / weight : NAN;
}

void watched_by_run(const struct monitoring *m, const struct trace *trace, size_t first, size_t count, double *out)
{
	for (size_t i = 0; i < count; i++) {
		size_t run = first + i;
		double to = run + 1 < m->run_count ? m->runs[run + 1] : (double)m->slots * m->slot;
		out[i] = run < m->run_count ? mean_between(m, trace, m->runs[run], to) : NAN;
	}
}

size_t watched_first_run(const struct result *result, size_t subject, const struct measurement *m)
{
	const struct monitoring *monitoring = &result->monitoring;
	size_t runs = m->series.depth >= 2 ? m->series.groups[0] : 0, before = 0;
	if (runs == 0 || runs != m->series.n)
		return SIZE_MAX;
	if (runs == monitoring->run_count)
		return 0;
	/* Solo: one subject after the other. */
	for (size_t s = 0; s < subject; s++)
		before += result->subjects[s].metric_count ? result->subjects[s].metrics[0].series.n : 0;
	return result->design.name && strcmp(result->design.name, "solo") == 0 && before + runs <= monitoring->run_count
	           ? before
	           : SIZE_MAX;
}

/* Title of a trace. */
static void title_of(const struct trace *trace, bool by_run, char *title, size_t size)
{
	snprintf(title, size, "%s %s in %%%s", trace->component, trace->quantity, by_run ? " in these runs" : " over time");
}

/* What to draw of a trace: values by run, or by slot; shares in per cent. NULL: out of memory. */
static double *values_of(const struct result *result, size_t subject, const struct measurement *m,
                         const struct trace *trace, size_t *count, bool *by_run)
{
	const struct monitoring *monitoring = &result->monitoring;
	size_t first = watched_first_run(result, subject, m);
	*by_run = first != SIZE_MAX;
	*count = *by_run ? m->series.n : monitoring->slots;
	double *values = mem_alloc(*count + 1, sizeof(*values));
	if (!values)
		return NULL;
	if (*by_run)
		watched_by_run(monitoring, trace, first, *count, values);
	else if (*count)
		memcpy(values, trace->values, *count * sizeof(*values));
	for (size_t i = 0; i < *count; i++)
		values[i] *= 100;
	return values;
}

int plots_watched(const struct result *result, size_t subject, const struct measurement *m, const struct look *look,
                  struct buffer *out, struct error *err)
{
	size_t chosen[WATCHED_TRACES], count = watched_choose(&result->monitoring, chosen, WATCHED_TRACES);
	struct look low = *look;
	low.height = 7;
	for (size_t i = 0; i < count; i++) {
		const struct trace *trace = &result->monitoring.traces[chosen[i]];
		struct plot_series plot = {.unit = ""};
		char title[2 * GAUGE_NAME];
		bool by_run;
		double *values = values_of(result, subject, m, trace, &plot.n, &by_run);
		if (!values)
			return error_memory(err);
		title_of(trace, by_run, title, sizeof(title));
		plot.title = title;
		plot.values = values;
		int status = plot_sequence(&plot, &low, out, err);
		mem_free(values);
		if (status != 0)
			return -1;
	}
	return 0;
}

/* LABELS: room for those of any of the panels, so that a run stands at the same place in all. */
enum { SEQUENCE_HEIGHT = 200, TRACE_HEIGHT = 110, LABELS = 52 };

static int draw_trace(const struct result *result, size_t subject, const struct measurement *m,
                      const struct trace *trace, struct svg_box box, size_t points, struct buffer *out,
                      struct error *err)
{
	struct plot_series plot = {.unit = "%"};
	char title[2 * GAUGE_NAME];
	bool by_run;
	double *values = values_of(result, subject, m, trace, &plot.n, &by_run);
	if (!values)
		return error_memory(err);
	snprintf(title, sizeof(title), "%s %s%s", trace->component, trace->quantity, by_run ? "" : ", over time");
	plot.values = values;
	/* From nothing to all of it, so that the panels can be compared. */
	struct axis_range range = axis_range_all(values, plot.n);
	range.low = 0;
	range.high = fmax(100, range.max);
	plot.title = title;
	struct chart chart;
	chart_sequence(&chart, &plot, &range);
	int status = range.finite ? svg_sequence_panel(&chart, box, NULL, LABELS, points, out) : 0;
	mem_free(values);
	return status == 0 ? 0 : error_memory(err);
}

int svg_watched(const struct result *result, size_t subject, const struct measurement *m,
                const struct plot_series *series, const struct svg_options *options, struct buffer *out,
                struct error *err)
{
	size_t chosen[WATCHED_TRACES], count = watched_choose(&result->monitoring, chosen, WATCHED_TRACES);
	struct axis_range range = axis_range_bulk(series->values, series->n);
	const char *title = options->title ? options->title : "values in order, and what the machine did meanwhile";
	char description[256], note[256];
	if (range.finite == 0)
		return svg_nothing(&range, options, title, out, err);
	frame_note(&range, series->unit, note, sizeof(note));
	double width = svg_width(options);
	double top = SEQUENCE_HEIGHT + SVG_LINE * (double)svg_note_lines(note, width - 2 * SVG_MARGIN);
	double height = top + (double)count * TRACE_HEIGHT;
	snprintf(description, sizeof(description),
	         "%zu values of %s in the order in which they were measured, above how busy %zu components were",
	         range.finite, m->metric.name, count);
	svg_open(out, options, width, height, title, description);
	struct svg_box box = {SVG_MARGIN, SVG_MARGIN, width - 2 * SVG_MARGIN, top - 2 * SVG_MARGIN};
	struct plot_series named = *series;
	struct chart chart;
	named.title = m->metric.name;
	chart_sequence(&chart, &named, &range);
	if (svg_sequence_panel(&chart, box, note, LABELS, svg_points(options), out) < 0)
		return error_memory(err);
	for (size_t i = 0; i < count; i++) {
		box.y = top + (double)i * TRACE_HEIGHT + SVG_MARGIN;
		box.height = TRACE_HEIGHT - 2 * SVG_MARGIN;
		if (draw_trace(result, subject, m, &result->monitoring.traces[chosen[i]], box, svg_points(options), out, err) !=
		    0)
			return -1;
	}
	svg_close(out);
	return buffer_error(out, err);
}
