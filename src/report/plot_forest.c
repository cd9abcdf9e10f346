/* Ratios with their intervals on one scale; whether a line leaves the margin band is the verdict. */
#include "report/plot_draw.h"

#include "report/frame.h"

#include <math.h>

struct interval plot_forest_range(const struct plot_ratio *ratios, size_t count)
{
	double reach = 0.005;
	for (size_t i = 0; i < count; i++) {
		double values[] = {ratios[i].ratio, ratios[i].low, ratios[i].high, 1 + 1.5 * ratios[i].margin};
		for (size_t k = 0; k < 4; k++)
			if (isfinite(values[k]) && fabs(values[k] - 1) > reach)
				reach = fabs(values[k] - 1);
	}
	/* The same reach on both sides keeps one in the middle, where the eye looks for it. */
	reach *= 1.05;
	return (struct interval){1 - fmin(reach, 2.0 / 3), 1 + fmin(reach, 2)};
}

static size_t column_of(struct interval range, double value, size_t width)
{
	double place = (value - range.low) / (range.high - range.low) * (double)(width - 1) + 0.5;
	return !(place > 0) ? 0 : place >= (double)width ? width - 1 : (size_t)place;
}

static void draw_interval(struct canvas *canvas, const struct canvas_area *area, const struct plot_ratio *ratio,
                          struct interval range, enum emphasis emphasis)
{
	bool open_low = !isfinite(ratio->low) || ratio->low < range.low;
	bool open_high = !isfinite(ratio->high) || ratio->high > range.high;
	size_t low = open_low ? 0 : column_of(range, ratio->low, area->width);
	size_t high = open_high ? area->width - 1 : column_of(range, ratio->high, area->width);
	for (size_t i = low; i <= high; i++)
		canvas_sign(canvas, area->x + i, area->y, "\u2500", '-', emphasis);
	canvas_sign(canvas, area->x + low, area->y, open_low ? "\u2039" : "\u251c", open_low ? '<' : '|', emphasis);
	/* Both ends may lie beyond the low end: its arrow says so. */
	if (!open_low || high > low)
		canvas_sign(canvas, area->x + high, area->y, open_high ? "\u203a" : "\u2524", open_high ? '>' : '|', emphasis);
}

static void draw_ratio(struct canvas *canvas, const struct canvas_area *area, const struct plot_ratio *ratio,
                       struct interval range)
{
	enum emphasis emphasis = ratio->emphasis;
	if (ratio->margin > 0) {
		size_t first = column_of(range, plot_margin_low(ratio->margin), area->width);
		size_t last = column_of(range, 1 + ratio->margin, area->width);
		for (size_t i = first; i <= last; i++)
			canvas_sign(canvas, area->x + i, area->y, "\u2591", '.', EMPHASIS_FAINT);
	}
	canvas_sign(canvas, area->x + column_of(range, 1, area->width), area->y, "\u250a", ':', EMPHASIS_FAINT);
	if (!isfinite(ratio->ratio))
		return;
	draw_interval(canvas, area, ratio, range, emphasis);
	if (ratio->ratio >= range.low && ratio->ratio <= range.high)
		canvas_sign(canvas, area->x + column_of(range, ratio->ratio, area->width), area->y, "\u25cf", 'o', emphasis);
}

void plot_forest_line(const struct plot_ratio *ratio, struct interval range, size_t width, enum text_charset charset,
                      struct buffer *out)
{
	struct canvas canvas;
	if (width == 0)
		return;
	if (canvas_init(&canvas, width, 1, charset, NULL) < 0) {
		out->out_of_memory = true;
		return;
	}
	struct canvas_area area = {0, 0, width, 1};
	draw_ratio(&canvas, &area, ratio, range);
	size_t start = out->length;
	canvas_write(&canvas, &(struct look){.charset = charset}, out);
	canvas_release(&canvas);
	if (out->length <= start)
		return;
	out->data[--out->length] = '\0'; /* the line end */
	buffer_repeat(out, " ", width - text_width(out->data + start, charset));
}

/* Ratios as a per cent axis: "-2", "0", "2" with the unit at the side. */
static void draw_axis(struct canvas *canvas, const struct canvas_area *inner, struct interval range)
{
	struct axis axis;
	axis_init(&axis, AXIS_LINEAR, (range.low - 1) * 100, (range.high - 1) * 100, "%", 2);
	frame_x_axis(canvas, &axis, "%", inner, inner->x, inner->x + inner->width);
	canvas_text(canvas, 0, inner->y + inner->height + 1, inner->x > 1 ? inner->x - 1 : 0, TEXT_RIGHT, "%",
	            EMPHASIS_FAINT);
}

int plot_forest(const struct plot_ratio *ratios, size_t count, const struct look *look, struct buffer *out,
                struct error *err)
{
	struct axis_range none = {0};
	if (count == 0 && !plot_has_values(&none, look, out))
		return buffer_error(out, err);
	size_t width = plot_width(look), names = 1, notes = 0;
	for (size_t i = 0; i < count; i++) {
		size_t name = text_width(ratios[i].name, look->charset);
		size_t note = ratios[i].note ? text_width(ratios[i].note, look->charset) : 0;
		names = name > names ? name : names;
		notes = note > notes ? note : notes;
	}
	names = names > width / 3 ? width / 3 : names;
	notes = notes > width / 3 ? width / 3 : notes;
	struct canvas_area inner = {names + 2, 0, width - names - 2 - (notes ? notes + 2 : 0), count};
	struct interval range = plot_forest_range(ratios, count);
	struct canvas canvas;
	if (canvas_init(&canvas, width, count + 2, look->charset, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		struct canvas_area line = {inner.x, i, inner.width, 1};
		canvas_text(&canvas, 0, i, names, TEXT_LEFT, ratios[i].name, EMPHASIS_NONE);
		draw_ratio(&canvas, &line, &ratios[i], range);
		if (ratios[i].note)
			canvas_text(&canvas, inner.x + inner.width + 2, i, notes, TEXT_LEFT, ratios[i].note, ratios[i].emphasis);
	}
	draw_axis(&canvas, &inner, range);
	return plot_finish(&canvas, NULL, "", look, out, err);
}
