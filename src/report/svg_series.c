/* Many values against their index. A hundred thousand points on six hundred pixels are a band;
 * it is drawn as one, with its edges exact and a line where most values lie. */
#include "report/svg_draw.h"

#include "base/memory.h"
#include "report/svg_plots.h"
#include "report/thin.h"
#include "stats/quantile.h"

#include <math.h>

static void title_of(const struct svg_series *series, size_t i, char *text, size_t size)
{
	text[0] = '\0';
	if (series->title)
		series->title(series->context, i, text, size);
}

static bool off_axis(const struct svg_panel *panel, double y)
{
	return y < panel->y.low || y > panel->y.high;
}

static double x_at(const struct svg_series *series, const struct svg_panel *panel, double index)
{
	return svg_panel_x(panel, series->first_x + index);
}

static void draw_points(const struct svg_series *series, const struct svg_panel *panel, const size_t *kept,
                        size_t count, struct buffer *out)
{
	struct svg_dots dots;
	char title[192] = "";
	svg_dots_begin(&dots, out, series->class_, count, series->plain);
	for (size_t i = 0; i < count; i++) {
		if (dots.few)
			title_of(series, kept[i], title, sizeof(title));
		svg_panel_point(panel, &dots, series->first_x + (double)kept[i], series->values[kept[i]], title);
	}
	svg_dots_end(&dots);
}

static void move_to(struct buffer *out, char command, double x, double y)
{
	buffer_char(out, command);
	svg_number(out, x);
	buffer_char(out, ' ');
	svg_number(out, y);
}

/* From the smallest to the largest value of each stretch that lies on the axis. */
static void draw_band(const struct svg_series *series, const struct svg_panel *panel, size_t columns,
                      struct buffer *out)
{
	double across = x_at(series, panel, (double)series->n) - x_at(series, panel, 0);
	buffer_printf(out, "<path class=\"range %s\" style=\"stroke-width:", series->class_);
	svg_number(out, across / (double)columns + 0.2);
	buffer_text_add(out, "\" d=\"");
	for (size_t column = 0; column < columns; column++) {
		size_t first = thin_border(column, series->n, columns), end = thin_border(column + 1, series->n, columns);
		double low = NAN, high = NAN;
		for (size_t i = first; i < end; i++)
			if (axis_can_show(series->values[i]) && !off_axis(panel, series->values[i])) {
				low = fmin(low, series->values[i]);
				high = fmax(high, series->values[i]);
			}
		if (isnan(low))
			continue;
		move_to(out, 'M', x_at(series, panel, (double)(first + end - 1) / 2), svg_panel_y(panel, high) - 0.5);
		buffer_char(out, 'V');
		svg_number(out, svg_panel_y(panel, low) + 0.5);
	}
	buffer_text_add(out, "\"/>\n");
}

/* The median of up to nine values at even distances stands for the middle of a stretch. */
static bool middle_of(const double *values, size_t n, double *middle)
{
	double sample[9];
	size_t count = 0;
	for (size_t k = 0; k < 9; k++) {
		double value = values[(size_t)((double)n * ((double)k + 0.5) / 9)];
		if (axis_can_show(value))
			sample[count++] = value;
	}
	if (count == 0)
		return false;
	*middle = median_in_place(sample, count);
	return true;
}

static void draw_middle(const struct svg_series *series, const struct svg_panel *panel, size_t columns,
                        struct buffer *out)
{
	bool joined = false;
	columns = columns / 2 + 1; /* a calmer line than the band */
	buffer_printf(out, "<path class=\"curve %s\" d=\"", series->class_);
	for (size_t column = 0; column < columns; column++) {
		size_t first = thin_border(column, series->n, columns), end = thin_border(column + 1, series->n, columns);
		double middle;
		if (!middle_of(series->values + first, end - first, &middle) || off_axis(panel, middle))
			continue;
		move_to(out, joined ? 'L' : 'M', x_at(series, panel, (double)(first + end - 1) / 2),
		        svg_panel_y(panel, middle));
		joined = true;
	}
	buffer_text_add(out, "\"/>\n");
}

static size_t columns_of(size_t points)
{
	return points / 2 + 1;
}

bool svg_series_has_strokes(size_t n, size_t points)
{
	return n > 2 * columns_of(points);
}

int svg_series_draw(const struct svg_series *series, const struct svg_panel *panel, struct buffer *out)
{
	size_t columns = columns_of(series->points);
	size_t *kept = mem_alloc(2 * columns, sizeof(*kept));
	if (!kept)
		return -1;
	size_t count = thin_series(series->values, series->n, columns, kept);
	if (svg_series_has_strokes(series->n, series->points)) {
		draw_band(series, panel, columns, out);
		draw_middle(series, panel, columns, out);
	} else {
		draw_points(series, panel, kept, count, out);
	}
	for (size_t i = 0; i < count; i++) {
		char title[192];
		if (!off_axis(panel, series->values[kept[i]]))
			continue;
		title_of(series, kept[i], title, sizeof(title));
		svg_panel_arrow(panel, out, series->first_x + (double)kept[i], series->values[kept[i]], title);
	}
	mem_free(kept);
	return 0;
}
