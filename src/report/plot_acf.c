/* Autocorrelations as bars from zero. Of independent values 95 % of the bars lie inside
 * ±1.96/√n (Box and Jenkins), which is drawn as two broken lines. */
#include "report/plot_draw.h"

#include "report/frame.h"

#include <math.h>

void plot_acf_range(const double *acf, size_t lags, size_t n, double *low, double *high)
{
	double band = n > 0 ? fmin(1, 1.96 / sqrt((double)n)) : 1;
	*low = -1.3 * band;
	*high = 1.3 * band;
	for (size_t i = 0; i < lags; i++) {
		*low = acf[i] < *low ? acf[i] : *low;
		*high = acf[i] > *high ? acf[i] : *high;
	}
	*low = fmax(*low, -1);
	*high = fmin(*high, 1);
}

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

void plot_draw_acf(struct canvas *canvas, struct canvas_area area, const char *title, const double *acf, size_t lags,
                   size_t n, double low, double high)
{
	struct frame frame;
	frame_draw(canvas, area, title, "lag", &(struct axis_want){AXIS_COUNT, 0, (double)lags + 1, ""},
	           &(struct axis_want){AXIS_LINEAR, low, high, ""}, &frame);
	double band = n > 0 ? fmin(1, 1.96 / sqrt((double)n)) : 1;
	for (size_t i = 0; i < lags; i++)
		if (isfinite(acf[i]))
			draw_bar(canvas, &frame, (double)(i + 1), acf[i], band);
	draw_across(canvas, &frame, 0, "\u2500", '-', EMPHASIS_FAINT);
	draw_across(canvas, &frame, band, "\u254c", '.', EMPHASIS_WARN);
	draw_across(canvas, &frame, -band, "\u254c", '.', EMPHASIS_WARN);
}

int plot_acf(const double *acf, size_t lags, size_t n, const struct look *look, struct buffer *out, struct error *err)
{
	struct axis_range range = axis_range_all(acf, lags);
	if (!plot_has_values(&range, look, out))
		return buffer_error(out, err);
	struct canvas canvas;
	size_t width = plot_width(look), height = plot_height(look, 12);
	if (canvas_init(&canvas, width, height, look->charset, err) < 0)
		return -1;
	double low, high;
	plot_acf_range(acf, lags, n, &low, &high);
	plot_draw_acf(&canvas, (struct canvas_area){0, 0, width, height}, "autocorrelation", acf, lags, n, low, high);
	return plot_finish(&canvas, NULL, "", look, out, err);
}
