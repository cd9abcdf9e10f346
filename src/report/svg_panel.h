/* A panel: heading, axes, and the box in which data are drawn. Layout first, then drawing.
 *
 * The heading tells the unit of the y axis too ("values in order, ms"). Data are placed at
 * least SVG_PAD pixels inside the box, so that no mark crosses the axes. A panel is zeroed
 * before its layout. */
#ifndef TARE_REPORT_SVG_PANEL_H
#define TARE_REPORT_SVG_PANEL_H

#include "report/axis.h"
#include "report/svg.h"

enum { SVG_PAD = 5 };

struct svg_panel {
	struct svg_box outer;
	struct svg_box inner;
	const char *heading, *x_title; /* the caller's, or NULL; x_title stands below the ticks; "": a line left free */
	char note[256];                /* "" : none; at the very bottom, broken into lines at "; " */
	double heading_width;          /* 0: that of the outer box; set before drawing */
	bool has_y;
	bool flush; /* bars stand on the axis: no padding at its low end; set before the layout */
	struct axis x, y;
};

/* Finds the box and the ticks: as many as their labels leave room for. y NULL: no y axis, as for rows of names. `left`
 * is what is kept free at the left, and more where the labels of a y axis need it. heading and x_title must outlive the
 * panel; they and the note may be NULL. */
void svg_panel_layout(struct svg_panel *panel, struct svg_box outer, const char *heading, const char *x_title,
                      const char *note, const struct axis_want *x, const struct axis_want *y, double left);

/* Grid, axes, labels, heading and note. */
void svg_panel_draw(const struct svg_panel *panel, struct buffer *out);

/* Where a value lies in pixels; what lies outside the axis is at its edge. */
double svg_panel_x(const struct svg_panel *panel, double x);
double svg_panel_y(const struct svg_panel *panel, double y);

/* Lines that a note takes in this width, and the note drawn from `top` on. */
size_t svg_note_lines(const char *note, double width);
void svg_note_draw(const char *note, double x, double top, double width, struct buffer *out);

/* A point where it lies on the axes, an arrow at the edge where it lies outside: for the two of them a
 * plot goes over its values twice, because a path of points cannot hold an arrow. */
void svg_panel_point(const struct svg_panel *panel, struct svg_dots *dots, double x, double y, const char *title);
void svg_panel_arrow(const struct svg_panel *panel, struct buffer *out, double x, double y, const char *title);

#endif
