/* Several subjects on one axis, a line each: the height of a sign tells how many of the
 * subject's values lie in its column; the median and its interval stand on top. */
#include "report/plot_draw.h"

#include "base/memory.h"
#include "report/frame.h"

#include <math.h>
#include <string.h>

static const char *const heights[] = {" ",      "\u2581", "\u2582", "\u2583", "\u2584",
                                      "\u2585", "\u2586", "\u2587", "\u2588"};
static const char ascii_heights[] = " ..::+*#@";

struct axis_range plot_strips_range(const struct plot_strip *strips, size_t count)
{
	struct axis_range all = {.min = NAN, .max = NAN, .low = NAN, .high = NAN};
	for (size_t i = 0; i < count; i++) {
		struct axis_range one = axis_range_bulk(strips[i].values, strips[i].n);
		all.finite += one.finite;
		all.lost += one.lost;
		all.min = fmin(all.min, one.min);
		all.max = fmax(all.max, one.max);
		all.low = fmin(all.low, one.low);
		all.high = fmax(all.high, one.high);
	}
	for (size_t i = 0; i < count; i++)
		axis_range_count(&all, strips[i].values, strips[i].n);
	return all;
}

static size_t column_of(const struct axis *axis, double value, size_t width)
{
	double place = axis_place(axis, value) * (double)(width - 1) + 0.5;
	return place < 0 ? 0 : place > (double)(width - 1) ? width - 1 : (size_t)place;
}

static void draw_strip(struct canvas *canvas, const struct canvas_area *inner, const struct axis *axis,
                       const struct plot_strip *strip, size_t row, size_t *counts)
{
	size_t most = 1, y = inner->y + row;
	memset(counts, 0, inner->width * sizeof(*counts));
	for (size_t i = 0; i < strip->n; i++) {
		if (!axis_can_show(strip->values[i]))
			continue;
		size_t *count = &counts[column_of(axis, strip->values[i], inner->width)];
		if (strip->values[i] >= axis->low && strip->values[i] <= axis->high)
			most = ++*count > most ? *count : most;
	}
	enum emphasis emphasis = strip->emphasis ? strip->emphasis : EMPHASIS_FIRST;
	for (size_t i = 0; i < inner->width; i++) {
		size_t height = (counts[i] * 8 + most - 1) / most;
		if (height)
			canvas_sign(canvas, inner->x + i, y, heights[height], ascii_heights[height], emphasis);
	}
	for (size_t i = 0; i < strip->n; i++) {
		if (strip->values[i] > axis->high && axis_can_show(strip->values[i]))
			canvas_sign(canvas, inner->x + inner->width - 1, y, "\u203a", '>', EMPHASIS_WARN);
		if (strip->values[i] < axis->low && axis_can_show(strip->values[i]))
			canvas_sign(canvas, inner->x, y, "\u2039", '<', EMPHASIS_WARN);
	}
	if (isfinite(strip->low) && isfinite(strip->high)) {
		canvas_sign(canvas, inner->x + column_of(axis, strip->low, inner->width), y, "[", '[', EMPHASIS_STRONG);
		canvas_sign(canvas, inner->x + column_of(axis, strip->high, inner->width), y, "]", ']', EMPHASIS_STRONG);
	}
	if (isfinite(strip->median))
		canvas_sign(canvas, inner->x + column_of(axis, strip->median, inner->width), y, "\u2503", '|', EMPHASIS_STRONG);
}

static size_t name_width(const struct plot_strip *strips, size_t count, size_t most, enum text_charset charset)
{
	size_t widest = 1;
	for (size_t i = 0; i < count; i++) {
		size_t one = text_width(strips[i].name, charset);
		widest = one > widest ? one : widest;
	}
	return widest > most ? most : widest;
}

static void draw_all(struct canvas *canvas, const struct plot_strip *strips, size_t count, const char *unit,
                     const struct axis_range *range, size_t *counts)
{
	size_t most = canvas->width / 3, names = name_width(strips, count, most, canvas->charset);
	struct axis axis;
	axis_init(&axis, AXIS_LINEAR, range->low, range->high, unit, 2);
	/* A little air on both sides keeps the outermost values off the edge signs. */
	double air = (axis.high - axis.low) / (double)(canvas->width - names - 2);
	axis_init(&axis, AXIS_LINEAR, range->below ? axis.low : axis.low - air, range->above ? axis.high : axis.high + air,
	          unit, 2);
	/* Below the names stands the unit. */
	size_t needed = text_width(axis.unit, canvas->charset);
	names = needed > names ? (needed > most ? most : needed) : names;
	struct canvas_area inner = {names + 2, 0, canvas->width - names - 2, count};
	for (size_t i = 0; i < count; i++) {
		canvas_text(canvas, 0, i, names, TEXT_LEFT, strips[i].name, EMPHASIS_NONE);
		draw_strip(canvas, &inner, &axis, &strips[i], i, counts);
	}
	frame_x_axis(canvas, &axis, unit, &inner, inner.x, canvas->width);
	canvas_text(canvas, 0, count + 1, names, TEXT_RIGHT, axis.unit, EMPHASIS_FAINT);
}

int plot_strips(const struct plot_strip *strips, size_t count, const char *unit, const struct look *look,
                struct buffer *out, struct error *err)
{
	struct axis_range range = plot_strips_range(strips, count);
	if (!plot_has_values(&range, look, out))
		return buffer_error(out, err);
	size_t width = plot_width(look);
	size_t *counts = mem_alloc(width, sizeof(*counts));
	struct canvas canvas;
	if (!counts)
		return error_memory(err);
	if (canvas_init(&canvas, width, count + 2, look->charset, err) < 0) {
		mem_free(counts);
		return -1;
	}
	draw_all(&canvas, strips, count, unit, &range, counts);
	mem_free(counts);
	return plot_finish(&canvas, &range, unit, look, out, err);
}
