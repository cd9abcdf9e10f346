/* Counts in bins as bars. */
#include "report/svg_draw.h"

#include "base/format.h"
#include "report/bins.h"
#include "report/frame.h"

#include <math.h>
#include <stdio.h>

static void draw_bars(const struct svg_panel *panel, const struct bins *bins, const char *unit, struct buffer *out)
{
	double bottom = panel->inner.y + panel->inner.height;
	for (size_t i = 0; i < bins->count; i++) {
		if (bins->counts[i + 1] == 0)
			continue;
		double low = bins->start + bins->width * (double)i, high = low + bins->width;
		double left = svg_panel_x(panel, low), right = svg_panel_x(panel, high);
		double top = svg_panel_y(panel, (double)bins->counts[i + 1]);
		char title[256], from[FORMAT_MAX], to[FORMAT_MAX];
		snprintf(title, sizeof(title), "%zu from %s to %s", bins->counts[i + 1],
		         format_quantity(from, sizeof(from), low, bins->width, unit),
		         format_quantity(to, sizeof(to), high, bins->width, unit));
		/* A pixel between the bars, and never a bar too low to be seen. */
		top = fmin(top, bottom - 1.5);
		svg_rect(out, "bar one", (struct svg_box){left + 0.5, top, fmax(right - left - 1, 0.5), bottom - top}, title);
	}
}

int svg_histogram(const struct plot_series *series, double median, const struct svg_options *options,
                  struct buffer *out, struct error *err)
{
	const char *title = series->title ? series->title : "histogram";
	struct axis_range range = axis_range_bulk(series->values, series->n);
	if (range.finite == 0)
		return svg_nothing(&range, options, title, out, err);
	double width = svg_width(options);
	struct bins bins;
	if (bins_fill(&bins, series->values, series->n, &range, (size_t)(width / 12)) < 0)
		return error_memory(err);
	char note[256], description[256], middle[FORMAT_MAX];
	frame_note(&range, series->unit, note, sizeof(note));
	double height = svg_noted_height(options, 200, note);
	snprintf(description, sizeof(description), "histogram of %zu values in %zu bins, median %s", range.finite,
	         bins.count, format_quantity(middle, sizeof(middle), median, 0, series->unit));
	svg_open(out, options, width, height, title, description);
	struct svg_panel panel = {.flush = true};
	double end = bins.start + bins.width * (double)bins.count;
	char x_title[] = "value";
	svg_panel_layout(&panel, svg_inside(width, height), title, x_title, note,
	                 &(struct axis_want){AXIS_LINEAR, bins.start, end, series->unit},
	                 &(struct axis_want){AXIS_COUNT, 0, (double)(bins.most ? bins.most : 1), ""}, 0);
	svg_panel_draw(&panel, out);
	draw_bars(&panel, &bins, series->unit, out);
	if (median >= bins.start && median <= end) {
		double x = svg_panel_x(&panel, median);
		svg_line(out, "mark", x, panel.inner.y, x, panel.inner.y + panel.inner.height);
	}
	bins_release(&bins);
	svg_close(out);
	return buffer_error(out, err);
}
