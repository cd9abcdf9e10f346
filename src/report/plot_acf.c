/* Autocorrelations as bars from zero, with the band of independent values as two broken lines. */
#include "report/plot_draw.h"

#include <math.h>

static void draw_across(struct canvas *canvas, const struct frame *frame, double y, const char *unicode, char ascii,
                        enum emphasis emphasis)
{
	size_t row = frame->inner.y + frame_down(canvas, frame, y) / canvas_dots_down(canvas);
	for (size_t i = 0; i < frame->inner.width; i++)
		canvas_under(canvas, frame->inner.x + i, row, unicode, ascii, emphasis);
}

static void draw_bar(struct canvas *canvas, const struct frame *frame, double lag, double value, double band)
{
	size_t across = frame_across(canvas, frame, lag);
	across -= across % canvas_dots_across(canvas);
	size_t zero = frame_down(canvas, frame, 0), end = frame_down(canvas, frame, value);
	for (size_t down = zero < end ? zero : end; down <= (zero < end ? end : zero); down++)
		for (size_t i = 0; i < canvas_dots_across(canvas); i++)
			canvas_dot(canvas, &frame->inner, across + i, down, fabs(value) > band ? EMPHASIS_WARN : EMPHASIS_FIRST);
}

void plot_draw_acf(struct canvas *canvas, const struct frame *frame, const struct chart *chart)
{
	for (size_t i = 0; i < chart->lags; i++)
		if (isfinite(chart->acf[i]))
			draw_bar(canvas, frame, (double)(i + 1), chart->acf[i], chart->band);
	draw_across(canvas, frame, 0, "\u2500", '-', EMPHASIS_FAINT);
	draw_across(canvas, frame, chart->band, "\u254c", '.', EMPHASIS_WARN);
	draw_across(canvas, frame, -chart->band, "\u254c", '.', EMPHASIS_WARN);
}
