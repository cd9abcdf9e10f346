/* A chart in a part of a canvas, and two of them side by side. */
#include "report/plot_draw.h"

enum { GAP = 3 };

/* Pairs inside a run. */
static void draw_lag(struct canvas *canvas, const struct frame *frame, const struct chart *chart)
{
	const struct plot_series *series = &chart->series;
	for (size_t run = 0; run < chart_runs(series); run++)
		for (size_t i = chart_run_start(series, run) + chart->lag; i < chart_run_start(series, run + 1); i++)
			frame_point(canvas, frame, series->values[i - chart->lag], series->values[i], EMPHASIS_FIRST);
}

void plot_chart(struct canvas *canvas, struct canvas_area area, const struct chart *chart)
{
	struct frame frame;
	/* A cloud has the unit at both axes, and no room for more words. */
	frame_draw(canvas, area, chart->heading, chart->kind == PLOT_LAG ? NULL : chart->x_title, &chart->x, &chart->y,
	           &frame);
	switch (chart->kind) {
	case PLOT_SEQUENCE: plot_draw_sequence(canvas, area, &frame, chart); break;
	case PLOT_LAG: draw_lag(canvas, &frame, chart); break;
	case PLOT_ACF: plot_draw_acf(canvas, &frame, chart); break;
	}
}

int plot_beside_shuffled(enum plot_kind kind, const struct plot_series *series, uint64_t seed, const struct look *look,
                         struct buffer *out, struct error *err)
{
	size_t width = plot_width(look) < 2 * PLOT_LEAST_WIDTH + GAP ? 2 * PLOT_LEAST_WIDTH + GAP : plot_width(look);
	size_t one = (width - GAP) / 2, height = plot_height(look, 12);
	struct chart_pair pair;
	struct canvas canvas;
	if (chart_pair_init(&pair, kind, series, seed, one / 2, err) != 0)
		return -1;
	if (!plot_has_values(&pair.range, look, out))
		return buffer_error(out, err);
	int status = canvas_init(&canvas, width, height, look->charset, err);
	if (status == 0) {
		plot_chart(&canvas, (struct canvas_area){0, 0, one, height}, &pair.sides[0]);
		plot_chart(&canvas, (struct canvas_area){width - one, 0, one, height}, &pair.sides[1]);
		status = plot_finish(&canvas, kind == PLOT_ACF ? NULL : &pair.range, series->unit, look, out, err);
	}
	chart_pair_release(&pair);
	return status < 0 ? -1 : status;
}
