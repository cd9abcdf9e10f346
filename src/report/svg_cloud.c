/* Clouds of points: a value against an earlier one, new against base. */
#include "report/svg_draw.h"

#include "base/format.h"
#include "base/memory.h"
#include "report/thin.h"

#include <math.h>
#include <stdio.h>

/* The part of the line y = slope·x that both axes show. */
static void draw_diagonal(const struct svg_panel *panel, double slope, const char *class_, struct buffer *out)
{
	if (!isfinite(slope) || slope <= 0)
		return;
	double first = fmax(panel->x.low, panel->y.low / slope), last = fmin(panel->x.high, panel->y.high / slope);
	if (first < last)
		svg_line(out, class_, svg_panel_x(panel, first), svg_panel_y(panel, slope * first), svg_panel_x(panel, last),
		         svg_panel_y(panel, slope * last));
}

static bool inside(const struct svg_panel *panel, double x, double y)
{
	return x >= panel->x.low && x <= panel->x.high && y >= panel->y.low && y <= panel->y.high;
}

static void draw_points(const struct svg_cloud *cloud, const struct svg_panel *panel, const size_t *kept, size_t count,
                        struct buffer *out)
{
	struct svg_dots dots;
	char title[192] = "", x[FORMAT_MAX], y[FORMAT_MAX];
	svg_dots_begin(&dots, out, "one", count, false);
	for (size_t i = 0; i < count; i++) {
		double at_x = cloud->x[kept[i]], at_y = cloud->y[kept[i]];
		if (!inside(panel, at_x, at_y))
			continue;
		if (dots.few)
			snprintf(title, sizeof(title), "pair %zu: %s, %s", kept[i] + 1,
			         format_quantity(x, sizeof(x), at_x, 0, cloud->unit),
			         format_quantity(y, sizeof(y), at_y, 0, cloud->unit));
		svg_panel_point(panel, &dots, at_x, at_y, title);
	}
	svg_dots_end(&dots);
	for (size_t i = 0; i < count; i++)
		if (!inside(panel, cloud->x[kept[i]], cloud->y[kept[i]]))
			svg_panel_arrow(panel, out, cloud->x[kept[i]], cloud->y[kept[i]], NULL);
}

int svg_cloud_panel(const struct svg_cloud *cloud, struct svg_box box, struct buffer *out)
{
	struct svg_panel panel = {0};
	struct axis_want x = {AXIS_LINEAR, cloud->x_range.low, cloud->x_range.high, cloud->unit};
	struct axis_want y = {AXIS_LINEAR, cloud->y_range.low, cloud->y_range.high, cloud->unit};
	svg_panel_layout(&panel, box, cloud->heading, cloud->x_title, cloud->note, &x, &y, 0);
	size_t cells = (size_t)sqrt((double)cloud->points) + 1, most = 2 * cells * cells + 4;
	bool thin = cloud->n > most;
	most = thin ? most : cloud->n;
	size_t *kept = mem_alloc(most, sizeof(*kept));
	unsigned char *taken = kept ? mem_zalloc(thin ? cells * cells : 1, 1) : NULL;
	if (!taken) {
		mem_free(kept);
		return -1;
	}
	size_t count = 0;
	if (thin)
		count = thin_cloud(cloud->x, cloud->y, cloud->n, panel.x.low, panel.x.high, panel.y.low, panel.y.high, cells,
		                   taken, kept);
	for (size_t i = 0; i < cloud->n && !thin; i++)
		if (axis_can_show(cloud->x[i]) && axis_can_show(cloud->y[i]))
			kept[count++] = i;
	svg_panel_draw(&panel, out);
	draw_diagonal(&panel, cloud->diagonals[0], "axis", out);
	draw_points(cloud, &panel, kept, count, out);
	draw_diagonal(&panel, cloud->diagonals[1], "dash", out);
	mem_free(taken);
	mem_free(kept);
	return 0;
}

int svg_lag_panel(const struct chart *chart, struct svg_box box, size_t points, struct buffer *out)
{
	const struct plot_series *series = &chart->series;
	/* Pairs that cross the border of two runs are left in: they are few, and a cloud does not show order. */
	size_t pairs = series->n > chart->lag ? series->n - chart->lag : 0;
	struct svg_cloud cloud = {.x = series->values,
	                          .y = series->values + (pairs ? chart->lag : 0),
	                          .n = pairs,
	                          .unit = series->unit,
	                          .heading = chart->heading,
	                          .x_title = chart->x_title,
	                          .x_range = {chart->x.low, chart->x.high},
	                          .y_range = {chart->x.low, chart->x.high},
	                          .diagonals = {NAN, NAN},
	                          .points = points};
	return svg_cloud_panel(&cloud, box, out);
}
