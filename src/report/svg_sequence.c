/* Values against their index, with warm-up, changes and the borders of runs. */
#include "report/svg_draw.h"

#include "base/format.h"
#include "report/frame.h"
#include "report/svg_plots.h"

#include <math.h>
#include <stdio.h>

struct svg_box svg_inside(double width, double height)
{
	return (struct svg_box){SVG_MARGIN, SVG_MARGIN, width - 2 * SVG_MARGIN, height - 2 * SVG_MARGIN};
}

double svg_noted_height(const struct svg_options *options, double suitable, const char *note)
{
	double lines = (double)svg_note_lines(note, svg_width(options) - 2 * SVG_MARGIN);
	return svg_height(options, suitable) + SVG_LINE * lines;
}

int svg_nothing(const struct axis_range *range, const struct svg_options *options, const char *title,
                struct buffer *out, struct error *err)
{
	char text[96] = "no values to plot";
	if (range->lost)
		snprintf(text, sizeof(text), "no values to plot (%zu lost)", range->lost);
	svg_open(out, options, svg_width(options), 2 * SVG_LINE, title, text);
	svg_text(out, "soft", SVG_MARGIN, SVG_LINE + 4, SVG_START, text);
	svg_close(out);
	return buffer_error(out, err);
}

/* The warm-up is a shaded region from the start of its run, or from the end of its set-up, which is one too. */
static void draw_warmup(const struct plot_series *series, const struct svg_panel *panel, const struct plot_mark *mark,
                        const char *name, struct buffer *out)
{
	size_t index = mark->index, run = index > 0 ? chart_run_of(series, index - 1) : 0;
	size_t first = series->starts && !series->overlaid ? series->starts[run] : 0;
	if (mark > series->marks && mark[-1].kind == PLOT_SETUP)
		first = mark[-1].index;
	double left = first == 0 ? panel->inner.x : svg_panel_x(panel, (double)first + 0.5);
	double right = svg_panel_x(panel, (double)index + 0.5);
	char title[64];
	snprintf(title, sizeof(title), "%s: %zu values", name, index - first);
	svg_rect(out, "band", (struct svg_box){left, panel->inner.y, fmax(right - left, 1), panel->inner.height}, title);
	if (mark->kind == PLOT_SETUP)
		svg_line(out, "axis", right, panel->inner.y, right, panel->inner.y + panel->inner.height);
	/* Where the first values are not: of times they are mostly the largest, of rates the smallest. */
	bool low = svg_panel_y(panel, series->values[first]) > panel->inner.y + panel->inner.height / 2;
	double y = low ? panel->inner.y + SVG_FONT + 2 : panel->inner.y + panel->inner.height - 5;
	if (right - left > svg_text_width(name) + 4)
		svg_text(out, "soft", left + 4, y, SVG_START, name);
}

static void draw_behind(const struct plot_series *series, const struct svg_panel *panel, struct buffer *out)
{
	double top = panel->inner.y, bottom = top + panel->inner.height;
	size_t runs = series->starts && !series->overlaid ? series->run_count : 1;
	for (size_t run = 1; run < runs && runs <= 100; run++) {
		double x = svg_panel_x(panel, (double)series->starts[run] + 0.5);
		svg_line(out, "axis", x, top, x, bottom);
	}
	for (size_t i = 0; i < series->mark_count; i++) {
		double x = svg_panel_x(panel, (double)series->marks[i].index + 0.5);
		if (series->marks[i].kind != PLOT_CHANGE)
			draw_warmup(series, panel, &series->marks[i], series->marks[i].kind == PLOT_SETUP ? "set-up" : "warm-up",
			            out);
		else
			svg_line(out, "change", x, top, x, bottom);
	}
}

struct hover {
	const struct plot_series *series;
	size_t first; /* index of value 0 */
};

static void title_of(const void *context, size_t i, char *title, size_t size)
{
	const struct hover *hover = context;
	const struct plot_series *series = hover->series;
	size_t index = hover->first + i, run = chart_run_of(series, index);
	char value[FORMAT_MAX];
	format_quantity(value, sizeof(value), series->values[index], 0, series->unit);
	if (series->starts && series->run_count > 1)
		snprintf(title, size, "run %zu, value %zu: %s", run + 1, index - series->starts[run] + 1, value);
	else
		snprintf(title, size, "value %zu: %s", index + 1, value);
}

/* Runs that lie over each other share the points. */
static size_t lines_of(const struct plot_series *series)
{
	return series->overlaid && series->starts ? series->run_count : 1;
}

static size_t points_of_line(const struct plot_series *series, size_t points)
{
	return points / lines_of(series) + 8;
}

bool svg_sequence_has_strokes(const struct plot_series *series, const struct svg_options *options)
{
	size_t lines = lines_of(series), longest = lines > 1 ? 0 : series->n;
	for (size_t i = 0; i < lines && lines > 1; i++) {
		size_t n = series->starts[i + 1] - series->starts[i];
		longest = n > longest ? n : longest;
	}
	return svg_series_has_strokes(longest, points_of_line(series, svg_points(options)));
}

int svg_sequence_panel(const struct chart *chart, struct svg_box box, const char *note, double left, size_t points,
                       struct buffer *out)
{
	const struct plot_series *series = &chart->series;
	struct svg_panel panel = {0};
	svg_panel_layout(&panel, box, chart->heading, chart->x_title, note, &chart->x, &chart->y, left);
	svg_panel_draw(&panel, out);
	draw_behind(series, &panel, out);
	static const char *const classes[] = {"one", "two", "three"};
	bool overlaid = series->overlaid && series->starts;
	for (size_t run = 0; run < lines_of(series); run++) {
		size_t first = overlaid ? series->starts[run] : 0, end = overlaid ? series->starts[run + 1] : series->n;
		struct hover hover = {series, first};
		struct svg_series one = {series->values + first,         end - first, 1,      classes[run % 3],
		                         points_of_line(series, points), title_of,    &hover, false};
		if (svg_series_draw(&one, &panel, out) < 0)
			return -1;
	}
	return 0;
}

int svg_sequence(const struct plot_series *series, const struct svg_options *options, struct buffer *out,
                 struct error *err)
{
	struct axis_range range = axis_range_bulk(series->values, series->n);
	struct chart chart;
	chart_sequence(&chart, series, &range);
	if (range.finite == 0)
		return svg_nothing(&range, options, chart.heading, out, err);
	double width = svg_width(options);
	char description[256], low[FORMAT_MAX], high[FORMAT_MAX], note[256];
	snprintf(description, sizeof(description), "%zu values between %s and %s in the order in which they were measured",
	         range.finite, format_quantity(low, sizeof(low), range.min, 0, series->unit),
	         format_quantity(high, sizeof(high), range.max, 0, series->unit));
	frame_note(&range, series->unit, note, sizeof(note));
	double height = svg_noted_height(options, 220, note);
	svg_open(out, options, width, height, chart.heading, description);
	if (svg_sequence_panel(&chart, svg_inside(width, height), note, 0, svg_points(options), out) < 0)
		return error_memory(err);
	svg_close(out);
	return buffer_error(out, err);
}
