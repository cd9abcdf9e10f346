/* Lines through points on linear or logarithmic axes. */
#include "report/plot_draw.h"

#include "report/frame.h"

#include <math.h>

static const char *const signs[] = {"\u25cf", "\u25cb", "\u25c6"};
static const char ascii_signs[] = "oxd";
static const enum emphasis colours[] = {EMPHASIS_FIRST, EMPHASIS_SECOND, EMPHASIS_WARN};
enum { SIGNS = 3 };

static bool drawable(const struct plot_curves *what, double x, double y)
{
	return isfinite(x) && isfinite(y) && (x > 0 || !what->x_log) && (y > 0 || !what->y_log);
}

static void widen(struct interval *range, double value)
{
	range->low = fmin(range->low, value);
	range->high = fmax(range->high, value);
}

static size_t find_ranges(const struct plot_curves *what, struct interval *x, struct interval *y)
{
	size_t count = 0;
	*x = *y = (struct interval){NAN, NAN};
	for (size_t c = 0; c < what->count; c++)
		for (size_t i = 0; i < what->curves[c].n; i++)
			if (drawable(what, what->curves[c].x[i], what->curves[c].y[i])) {
				widen(x, what->curves[c].x[i]);
				widen(y, what->curves[c].y[i]);
				count++;
			}
	if (isfinite(what->target) && (what->target > 0 || !what->y_log))
		widen(y, what->target);
	return count;
}

/* A straight line in dots (Bresenham's, by steps along the longer side). */
static void draw_line(struct canvas *canvas, const struct frame *frame, const size_t from[2], const size_t to[2],
                      enum emphasis emphasis)
{
	double across = (double)to[0] - (double)from[0], down = (double)to[1] - (double)from[1];
	size_t steps = (size_t)fmax(fmax(fabs(across), fabs(down)), 1);
	for (size_t i = 0; i <= steps; i++) {
		double part = (double)i / (double)steps;
		canvas_dot(canvas, &frame->inner, (size_t)((double)from[0] + across * part + 0.5),
		           (size_t)((double)from[1] + down * part + 0.5), emphasis);
	}
}

static void draw_curve(struct canvas *canvas, const struct frame *frame, const struct plot_curves *what, size_t c)
{
	const struct plot_curve *curve = &what->curves[c];
	size_t before[2] = {0, 0};
	bool have = false;
	for (size_t i = 0; i < curve->n; i++) {
		if (!drawable(what, curve->x[i], curve->y[i])) {
			have = false; /* a gap is a gap */
			continue;
		}
		size_t here[2] = {frame_across(canvas, frame, curve->x[i]), frame_down(canvas, frame, curve->y[i])};
		draw_line(canvas, frame, have ? before : here, here, colours[c % SIGNS]);
		before[0] = here[0];
		before[1] = here[1];
		have = true;
	}
	/* The sign stands at the last point, which is the one that matters most. */
	if (have && what->count > 1)
		canvas_sign(canvas, frame->inner.x + before[0] / canvas_dots_across(canvas),
		            frame->inner.y + before[1] / canvas_dots_down(canvas), signs[c % SIGNS], ascii_signs[c % SIGNS],
		            colours[c % SIGNS]);
}

static void draw_target(struct canvas *canvas, const struct frame *frame, double target)
{
	size_t row = frame->inner.y + frame_down(canvas, frame, target) / canvas_dots_down(canvas);
	for (size_t i = 0; i < frame->inner.width; i++)
		canvas_under(canvas, frame->inner.x + i, row, "\u254c", '.', EMPHASIS_GOOD);
}

static void write_legend(const struct plot_curves *what, const struct look *look, size_t width, struct buffer *out)
{
	for (size_t c = 0; c < what->count && what->count > 1; c++) {
		look_begin(look, colours[c % SIGNS], out);
		if (look->charset == TEXT_ASCII)
			buffer_char(out, ascii_signs[c % SIGNS]);
		else
			buffer_text_add(out, signs[c % SIGNS]);
		look_end(look, colours[c % SIGNS], out);
		buffer_char(out, ' ');
		text_fit(out, what->curves[c].name, width - 2, look->charset);
		buffer_char(out, '\n');
	}
}

int plot_curves(const struct plot_curves *what, const struct look *look, struct buffer *out, struct error *err)
{
	struct interval x, y;
	struct axis_range range = {.finite = find_ranges(what, &x, &y)};
	if (!plot_has_values(&range, look, out))
		return buffer_error(out, err);
	struct canvas canvas;
	size_t width = plot_width(look), height = plot_height(look, 14);
	if (canvas_init(&canvas, width, height, look->charset, err) < 0)
		return -1;
	struct frame frame;
	frame_draw(&canvas, (struct canvas_area){0, 0, width, height}, what->title, what->x_title,
	           &(struct axis_want){what->x_log ? AXIS_LOG : AXIS_LINEAR, x.low, x.high, what->x_unit},
	           &(struct axis_want){what->y_log ? AXIS_LOG : AXIS_LINEAR, y.low, y.high, what->y_unit}, &frame);
	for (size_t c = 0; c < what->count; c++)
		draw_curve(&canvas, &frame, what, c);
	if (isfinite(what->target) && (what->target > 0 || !what->y_log))
		draw_target(&canvas, &frame, what->target);
	int status = plot_finish(&canvas, NULL, "", look, out, err);
	write_legend(what, look, width, out);
	return status ? status : buffer_error(out, err);
}
