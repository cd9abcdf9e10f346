/* The y labels take their width first; x ticks become fewer until their labels stand apart. */
#include "report/svg_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GAP = 8 /* between labels */ };

static double widest_label(const struct axis *axis)
{
	double widest = 0;
	for (size_t i = 0; i < axis->tick_count; i++)
		widest = fmax(widest, svg_text_width(axis->ticks[i].label));
	return widest;
}

static double x_of(const struct svg_panel *panel, double value)
{
	double place = axis_place(&panel->x, value);
	place = place < 0 || isnan(place) ? 0 : place > 1 ? 1 : place;
	double low = panel->flush && !panel->has_y ? 0 : SVG_PAD;
	return panel->inner.x + low + place * (panel->inner.width - low - SVG_PAD);
}

double svg_panel_x(const struct svg_panel *panel, double x)
{
	return x_of(panel, x);
}

double svg_panel_y(const struct svg_panel *panel, double y)
{
	double place = axis_place(&panel->y, y);
	place = place < 0 || isnan(place) ? 0 : place > 1 ? 1 : place;
	double low = panel->flush ? 0 : SVG_PAD;
	return panel->inner.y + panel->inner.height - low - place * (panel->inner.height - low - SVG_PAD);
}

/* The middle of the label of a tick: at the tick, or as near as the panel's edges allow. */
static double label_middle(const struct svg_panel *panel, size_t tick)
{
	double half = svg_text_width(panel->x.ticks[tick].label) / 2;
	double middle = x_of(panel, panel->x.ticks[tick].at);
	middle = fmin(middle, panel->outer.x + panel->outer.width - half);
	return fmax(middle, panel->outer.x + half);
}

/* Rows of labels need their height; on a log axis ticks are not evenly spread. */
static bool y_labels_fit(const struct svg_panel *panel)
{
	for (size_t i = 1; i < panel->y.tick_count; i++)
		if (svg_panel_y(panel, panel->y.ticks[i - 1].at) - svg_panel_y(panel, panel->y.ticks[i].at) < SVG_FONT + 2)
			return false;
	return true;
}

static bool x_labels_fit(const struct svg_panel *panel)
{
	double free_from = panel->outer.x;
	for (size_t i = 0; i < panel->x.tick_count; i++) {
		double half = svg_text_width(panel->x.ticks[i].label) / 2, middle = label_middle(panel, i);
		if (middle - half < free_from)
			return false;
		free_from = middle + half + GAP;
	}
	return true;
}

/* The bytes of the first line: as many parts ("…; ") as fit, at least one. */
static size_t first_line(const char *note, double width)
{
	size_t fits = 0;
	for (size_t end = 0; note[end];) {
		const char *more = strstr(note + end, "; ");
		end = more ? (size_t)(more - note) + 2 : strlen(note);
		if (fits > 0 && (double)end * 0.68 * SVG_FONT > width)
			break;
		fits = end;
	}
	return fits;
}

size_t svg_note_lines(const char *note, double width)
{
	size_t lines = 0;
	for (; *note; note += first_line(note, width))
		lines++;
	return lines;
}

void svg_note_draw(const char *note, double x, double top, double width, struct buffer *out)
{
	for (double y = top + SVG_FONT; *note; y += SVG_LINE) {
		char line[256];
		size_t length = first_line(note, width);
		snprintf(line, sizeof(line), "%.*s", (int)length, note);
		svg_text_fit(out, "note", x, y, SVG_START, line, width);
		note += length;
	}
}

void svg_panel_layout(struct svg_panel *panel, struct svg_box outer, const char *heading, const char *x_title,
                      const char *note, const struct axis_want *x, const struct axis_want *y, double left)
{
	panel->outer = outer;
	panel->heading = heading;
	panel->x_title = x_title;
	snprintf(panel->note, sizeof(panel->note), "%s", note ? note : "");
	panel->has_y = y != NULL;
	double above = heading ? SVG_LINE + 4 : 4;
	double below = 4 + SVG_LINE + (x_title ? SVG_LINE : 0) +
	               SVG_LINE * (double)svg_note_lines(panel->note, outer.width);
	panel->inner.y = outer.y + above;
	panel->inner.height = fmax(outer.height - above - below, 4 * SVG_PAD);
	axis_init(&panel->x, x->scale, x->low, x->high, x->unit, 2);
	if (y) {
		double most = floor(panel->inner.height / 22);
		axis_init(&panel->y, y->scale, y->low, y->high, y->unit, 2);
		for (size_t ticks = most > 8 ? 8 : (size_t)fmax(most, 2); ticks >= 2; ticks--) {
			axis_retick(&panel->y, y->unit, ticks);
			if (y_labels_fit(panel))
				break;
		}
		left = fmax(left, widest_label(&panel->y) + 6);
	}
	left = fmin(left, outer.width * 0.6);
	panel->inner.x = outer.x + left;
	panel->inner.width = outer.width - left - 2;
	for (size_t most = 10; most >= 2; most--) {
		axis_retick(&panel->x, x->unit, most);
		if (x_labels_fit(panel))
			break;
	}
}

static void draw_x_ticks(const struct svg_panel *panel, struct buffer *out)
{
	double bottom = panel->inner.y + panel->inner.height, free_from = panel->outer.x;
	for (size_t i = 0; i < panel->x.tick_count; i++) {
		double at = x_of(panel, panel->x.ticks[i].at), half = svg_text_width(panel->x.ticks[i].label) / 2;
		double middle = label_middle(panel, i);
		svg_line(out, "rule", at, panel->inner.y, at, bottom);
		svg_line(out, "axis", at, bottom, at, bottom + 4);
		if (middle - half < free_from)
			continue;
		svg_text(out, "tick", middle, bottom + 4 + SVG_FONT, SVG_MIDDLE, panel->x.ticks[i].label);
		free_from = middle + half;
	}
}

static void draw_y_ticks(const struct svg_panel *panel, struct buffer *out)
{
	double free_below = INFINITY;
	for (size_t i = 0; i < panel->y.tick_count; i++) {
		double at = svg_panel_y(panel, panel->y.ticks[i].at);
		svg_line(out, "rule", panel->inner.x, at, panel->inner.x + panel->inner.width, at);
		if (at + SVG_FONT > free_below)
			continue;
		svg_text(out, "tick", panel->inner.x - 5, at + 4, SVG_END, panel->y.ticks[i].label);
		free_below = at;
	}
	svg_line(out, "axis", panel->inner.x, panel->inner.y, panel->inner.x, panel->inner.y + panel->inner.height);
}

/* "heading, unit" in what room there is. */
static void draw_title(const char *class_, double x, double y, enum svg_anchor anchor, const char *words,
                       const char *unit, double width, struct buffer *out)
{
	struct buffer title = {0};
	buffer_printf(&title, "%s%s%s", words, unit[0] ? ", " : "", unit);
	svg_text_fit(out, class_, x, y, anchor, buffer_text(&title), width);
	out->out_of_memory |= title.out_of_memory;
	buffer_release(&title);
}

void svg_panel_draw(const struct svg_panel *panel, struct buffer *out)
{
	const struct svg_box *inner = &panel->inner;
	double bottom = inner->y + inner->height;
	draw_x_ticks(panel, out);
	if (panel->has_y)
		draw_y_ticks(panel, out);
	svg_line(out, "axis", inner->x, bottom, inner->x + inner->width, bottom);
	if (panel->heading)
		draw_title("head", panel->outer.x, panel->outer.y + SVG_FONT, SVG_START, panel->heading,
		           panel->has_y ? panel->y.unit : "",
		           panel->heading_width > 0 ? panel->heading_width : panel->outer.width, out);
	double line = bottom + 4 + SVG_FONT;
	/* A log axis has its units on the labels, others tell them here. */
	if (panel->x_title && !panel->x_title[0])
		line += SVG_LINE; /* a line that the caller fills */
	else if (panel->x_title)
		draw_title("soft", inner->x + inner->width, line += SVG_LINE, SVG_END, panel->x_title, panel->x.unit,
		           inner->width, out);
	if (panel->note[0])
		svg_note_draw(panel->note, panel->outer.x, line + 4, panel->outer.width, out);
}

static int side(const struct axis *axis, double value)
{
	return value > axis->high ? 1 : value < axis->low ? -1 : 0;
}

void svg_panel_point(const struct svg_panel *panel, struct svg_dots *dots, double x, double y, const char *title)
{
	if (!side(&panel->x, x) && !side(&panel->y, y))
		svg_dot(dots, x_of(panel, x), svg_panel_y(panel, y), title);
}

void svg_panel_arrow(const struct svg_panel *panel, struct buffer *out, double x, double y, const char *title)
{
	const struct svg_box *inner = &panel->inner;
	if (side(&panel->y, y))
		svg_arrow(out, "warn", x_of(panel, x), y > panel->y.high ? inner->y + 1 : inner->y + inner->height - 1, 0,
		          -side(&panel->y, y), title);
	else if (side(&panel->x, x))
		svg_arrow(out, "warn", x > panel->x.high ? inner->x + inner->width - 1 : inner->x + 1, svg_panel_y(panel, y),
		          side(&panel->x, x), 0, title);
}
