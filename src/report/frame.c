/* Labels decide the layout: the y labels take their width first, then x ticks are made
 * fewer until their labels stand apart. */
#include "report/frame.h"

#include "base/format.h"

#include <stdio.h>

static size_t place_in(const struct axis *axis, double value, size_t steps)
{
	double place = axis_place(axis, value);
	if (!(place > 0))
		return 0;
	return place >= 1 ? steps - 1 : (size_t)(place * (double)(steps - 1) + 0.5);
}

size_t frame_across(const struct canvas *canvas, const struct frame *frame, double x)
{
	return place_in(&frame->x, x, frame->inner.width * canvas_dots_across(canvas));
}

size_t frame_down(const struct canvas *canvas, const struct frame *frame, double y)
{
	size_t steps = frame->inner.height * canvas_dots_down(canvas);
	return steps - 1 - place_in(&frame->y, y, steps);
}

void frame_point(struct canvas *canvas, const struct frame *frame, double x, double y, enum emphasis emphasis)
{
	if (!axis_can_show(x) || !axis_can_show(y))
		return;
	size_t across = frame_across(canvas, frame, x), column = frame->inner.x + across / canvas_dots_across(canvas);
	if (y > frame->y.high)
		canvas_sign(canvas, column, frame->inner.y, "\u25b2", '^', EMPHASIS_WARN);
	else if (y < frame->y.low)
		canvas_sign(canvas, column, frame->inner.y + frame->inner.height - 1, "\u25bc", 'v', EMPHASIS_WARN);
	else
		canvas_dot(canvas, &frame->inner, across, frame_down(canvas, frame, y), emphasis);
}

/* Where the label of a tick starts, kept inside left … right. */
static size_t label_start(const struct canvas *canvas, const struct axis *axis, size_t tick,
                          const struct canvas_area *inner, size_t left, size_t right, size_t *width)
{
	size_t column = inner->x + place_in(axis, axis->ticks[tick].at, inner->width);
	*width = text_width(axis->ticks[tick].label, canvas->charset);
	size_t start = column > left + *width / 2 ? column - *width / 2 : left;
	return start + *width > right ? (right > left + *width ? right - *width : left) : start;
}

static bool labels_fit(const struct canvas *canvas, const struct axis *axis, const struct canvas_area *inner,
                       size_t left, size_t right)
{
	size_t free_from = left;
	for (size_t i = 0; i < axis->tick_count; i++) {
		size_t width, start = label_start(canvas, axis, i, inner, left, right, &width);
		if (start < free_from || start + width > right)
			return false;
		free_from = start + width + 2;
	}
	return true;
}

void frame_x_axis(struct canvas *canvas, struct axis *axis, const char *unit, const struct canvas_area *inner,
                  size_t left, size_t right)
{
	size_t most = inner->width / 6;
	for (most = most > 9 ? 9 : most; most > 2; most--) {
		axis_retick(axis, unit, most);
		if (labels_fit(canvas, axis, inner, left, right))
			break;
	}
	if (most <= 2)
		axis_retick(axis, unit, 2);
	size_t y = inner->y + inner->height, free_from = left;
	for (size_t i = 0; i < inner->width; i++)
		canvas_sign(canvas, inner->x + i, y, "\u2500", '-', EMPHASIS_FAINT);
	for (size_t i = 0; i < axis->tick_count; i++) {
		size_t column = inner->x + place_in(axis, axis->ticks[i].at, inner->width);
		size_t width, start = label_start(canvas, axis, i, inner, left, right, &width);
		canvas_sign(canvas, column, y, "\u252c", '+', EMPHASIS_FAINT);
		if (start < free_from || start + width > right)
			continue;
		canvas_text(canvas, start, y + 1, width, TEXT_LEFT, axis->ticks[i].label, EMPHASIS_NONE);
		free_from = start + width + 1;
	}
}

static size_t widest_label(const struct canvas *canvas, const struct axis *axis)
{
	size_t widest = 0;
	for (size_t i = 0; i < axis->tick_count; i++) {
		size_t width = text_width(axis->ticks[i].label, canvas->charset);
		widest = width > widest ? width : widest;
	}
	return widest;
}

static void draw_y_axis(struct canvas *canvas, const struct frame *frame, size_t left)
{
	const struct canvas_area *inner = &frame->inner;
	for (size_t i = 0; i < inner->height; i++)
		canvas_sign(canvas, inner->x - 1, inner->y + i, "\u2502", '|', EMPHASIS_FAINT);
	canvas_sign(canvas, inner->x - 1, inner->y + inner->height, "\u2514", '+', EMPHASIS_FAINT);
	size_t last = SIZE_MAX;
	for (size_t i = 0; i < frame->y.tick_count; i++) {
		size_t row = frame_down(canvas, frame, frame->y.ticks[i].at) / canvas_dots_down(canvas);
		canvas_sign(canvas, inner->x - 1, inner->y + row, "\u2524", '+', EMPHASIS_FAINT);
		if (row != last)
			canvas_text(canvas, left, inner->y + row, inner->x - 1 - left, TEXT_RIGHT, frame->y.ticks[i].label,
			            EMPHASIS_NONE);
		last = row;
	}
}

void frame_draw(struct canvas *canvas, struct canvas_area area, const char *title, const char *x_title,
                const struct axis_want *x, const struct axis_want *y, struct frame *frame)
{
	size_t rows = area.height - 3;
	axis_init(&frame->x, x->scale, x->low, x->high, x->unit, 2);
	axis_init(&frame->y, y->scale, y->low, y->high, y->unit, 2);
	axis_retick(&frame->y, y->unit, rows * 2 / 3 > 7 ? 7 : rows * 2 / 3);
	size_t labels = widest_label(canvas, &frame->y);
	if (labels > area.width / 2)
		labels = area.width / 2;
	frame->inner = (struct canvas_area){area.x + labels + 1, area.y + 1, area.width - labels - 1, rows};
	char unit[2 + sizeof(frame->y.unit)], caption[64];
	snprintf(unit, sizeof(unit), "%s%s", frame->y.unit[0] ? ", " : "", frame->y.unit);
	size_t shown = text_width(title, canvas->charset), more = text_width(unit, canvas->charset);
	more = more > area.width / 2 ? area.width / 2 : more;
	shown = shown + more > area.width ? area.width - more : shown;
	canvas_text(canvas, area.x, area.y, shown, TEXT_LEFT, title, EMPHASIS_STRONG);
	canvas_text(canvas, area.x + shown, area.y, more, TEXT_LEFT, unit, EMPHASIS_STRONG);
	snprintf(caption, sizeof(caption), "%s \u2192", x_title ? x_title : "");
	size_t used = shown + more + 2, needed = text_width(caption, canvas->charset);
	if (x_title && used + needed <= area.width)
		canvas_text(canvas, area.x + area.width - needed, area.y, needed, TEXT_LEFT, caption, EMPHASIS_FAINT);
	draw_y_axis(canvas, frame, area.x);
	frame_x_axis(canvas, &frame->x, x->unit, &frame->inner, area.x, area.x + area.width);
}

int frame_note(const struct axis_range *range, const char *unit, char *note, size_t size)
{
	char value[FORMAT_MAX];
	size_t used = 0;
	note[0] = '\0';
	if (range->above)
		used += (size_t)snprintf(note + used, size - used, "%zu above, up to %s; ", range->above,
		                         format_quantity(value, sizeof(value), range->max, 0, unit));
	if (range->below && used < size)
		used += (size_t)snprintf(note + used, size - used, "%zu below, down to %s; ", range->below,
		                         format_quantity(value, sizeof(value), range->min, 0, unit));
	if (range->lost && used < size)
		used += (size_t)snprintf(note + used, size - used, "%zu lost; ", range->lost);
	if (used >= 2 && used < size)
		note[used - 2] = '\0';
	return used > 0;
}
