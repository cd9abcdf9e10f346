/* Each value against an earlier one: independent values make a cloud, dependent ones a line or clusters. */
#include "report/plot_draw.h"

#include "report/frame.h"

#include <stdio.h>

void plot_draw_lag(struct canvas *canvas, struct canvas_area area, const struct plot_series *series, size_t lag,
                   const struct axis_range *range)
{
	char title[64];
	snprintf(title, sizeof(title), lag == 1 ? "value after value" : "value %zu after value", lag);
	struct axis_want axis = {AXIS_LINEAR, range->low, range->high, series->unit};
	struct frame frame;
	frame_draw(canvas, area, series->title ? series->title : title, NULL, &axis, &axis, &frame);
	size_t runs = series->starts ? series->run_count : 1;
	for (size_t run = 0; run < runs; run++) {
		size_t first = series->starts ? series->starts[run] : 0;
		size_t end = series->starts ? series->starts[run + 1] : series->n;
		for (size_t i = first + lag; i < end; i++)
			frame_point(canvas, &frame, series->values[i - lag], series->values[i], EMPHASIS_FIRST);
	}
}

int plot_lag(const struct plot_series *series, size_t lag, const struct look *look, struct buffer *out,
             struct error *err)
{
	struct axis_range range = axis_range_bulk(series->values, series->n);
	if (!plot_has_values(&range, look, out))
		return buffer_error(out, err);
	struct canvas canvas;
	size_t height = plot_height(look, 14), width = plot_width(look);
	/* About square: a cell is twice as high as wide. */
	width = width > 2 * height + 12 ? 2 * height + 12 : width;
	if (canvas_init(&canvas, width, height, look->charset, err) < 0)
		return -1;
	plot_draw_lag(&canvas, (struct canvas_area){0, 0, width, height}, series, lag, &range);
	return plot_finish(&canvas, &range, series->unit, look, out, err);
}
