/* The parts of the SVG plots that others use: panels inside a drawing. For svg_*.c alone. */
#ifndef TARE_REPORT_SVG_DRAW_H
#define TARE_REPORT_SVG_DRAW_H

#include "report/chart.h"
#include "report/svg_panel.h"
#include "report/svg_plots.h"

enum { SVG_MARGIN = 4 }; /* around the panels of a drawing */

/* The box inside the margin. */
struct svg_box svg_inside(double width, double height);

/* The height asked for, with room for the lines of a note below. */
double svg_noted_height(const struct svg_options *options, double suitable, const char *note);

/* A drawing of one line that says that there is nothing to draw. */
int svg_nothing(const struct axis_range *range, const struct svg_options *options, const char *title,
                struct buffer *out, struct error *err);

/* Draw into a box; -1 when there is no memory. */
int svg_sequence_panel(const struct chart *chart, struct svg_box box, const char *note, double left, size_t points,
                       struct buffer *out);
int svg_lag_panel(const struct chart *chart, struct svg_box box, size_t points, struct buffer *out);
void svg_acf_panel(const struct chart *chart, struct svg_box box, struct buffer *out);

/* Values against their index from `first_x` on: points while they are at most `points`, else per stretch
 * a stroke from the smallest to the largest and a line through the middle. Values off the axis
 * are arrows. `title` writes what hovering over value i tells. */
struct svg_series {
	const double *values;
	size_t n;
	double first_x;
	const char *class_;
	size_t points;
	void (*title)(const void *context, size_t i, char *text, size_t size);
	const void *context;
	bool plain;
};
int svg_series_draw(const struct svg_series *series, const struct svg_panel *panel, struct buffer *out);

/* A cloud of points on axes of the same unit, each with its range. */
struct svg_cloud {
	const double *x, *y;
	size_t n;
	const char *unit;
	const char *heading, *x_title, *note;
	struct interval x_range, y_range;
	double diagonals[2]; /* slopes of lines through the origin: solid, broken; NaN: none */
	size_t points;
};
int svg_cloud_panel(const struct svg_cloud *cloud, struct svg_box box, struct buffer *out);

#endif
