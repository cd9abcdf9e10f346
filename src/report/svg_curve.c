/* Lines through points, with a legend below. */
#include "report/svg_draw.h"

#include "base/format.h"

#include <math.h>
#include <stdio.h>

static const char *const classes[] = {"one", "two", "three"};

static bool drawable(const struct plot_curves *what, double x, double y)
{
	return axis_can_show(x) && axis_can_show(y) && (x > 0 || !what->x_log) && (y > 0 || !what->y_log);
}

static size_t find_ranges(const struct plot_curves *what, struct interval *x, struct interval *y)
{
	size_t count = 0;
	*x = *y = (struct interval){NAN, NAN};
	for (size_t c = 0; c < what->count; c++)
		for (size_t i = 0; i < what->curves[c].n; i++) {
			double at_x = what->curves[c].x[i], at_y = what->curves[c].y[i];
			if (!drawable(what, at_x, at_y))
				continue;
			*x = (struct interval){fmin(x->low, at_x), fmax(x->high, at_x)};
			*y = (struct interval){fmin(y->low, at_y), fmax(y->high, at_y)};
			count++;
		}
	if (isfinite(what->target) && (what->target > 0 || !what->y_log))
		*y = (struct interval){fmin(y->low, what->target), fmax(y->high, what->target)};
	return count;
}

static void draw_curve(const struct plot_curves *what, size_t c, const struct svg_panel *panel, struct buffer *out)
{
	const struct plot_curve *curve = &what->curves[c];
	const char *class_ = classes[c % 3];
	bool joined = false;
	buffer_printf(out, "<path class=\"curve %s\" d=\"", class_);
	for (size_t i = 0; i < curve->n; i++) {
		if (!drawable(what, curve->x[i], curve->y[i])) {
			joined = false; /* a gap is a gap */
			continue;
		}
		buffer_char(out, joined ? 'L' : 'M');
		svg_number(out, svg_panel_x(panel, curve->x[i]));
		buffer_char(out, ' ');
		svg_number(out, svg_panel_y(panel, curve->y[i]));
		joined = true;
	}
	buffer_text_add(out, "\"/>\n");
	if (curve->n > SVG_FEW)
		return;
	struct svg_dots dots;
	svg_dots_begin(&dots, out, class_, curve->n, false);
	for (size_t i = 0; i < curve->n; i++) {
		char title[192], x[FORMAT_MAX], y[FORMAT_MAX];
		if (!drawable(what, curve->x[i], curve->y[i]))
			continue;
		snprintf(title, sizeof(title), "%s: %s", format_quantity(x, sizeof(x), curve->x[i], 0, what->x_unit),
		         format_quantity(y, sizeof(y), curve->y[i], 0, what->y_unit));
		svg_panel_point(panel, &dots, curve->x[i], curve->y[i], title);
	}
	svg_dots_end(&dots);
}

static void draw_legend(const struct plot_curves *what, double top, double width, struct buffer *out)
{
	for (size_t c = 0; c < what->count && what->count > 1; c++) {
		double y = top + (double)(c * SVG_LINE);
		buffer_printf(out, "<path class=\"curve %s\" d=\"M%d ", classes[c % 3], SVG_MARGIN);
		svg_number(out, y + 8);
		buffer_text_add(out, "h18\"/>\n");
		svg_text_fit(out, "name", SVG_MARGIN + 24, y + SVG_FONT, SVG_START, what->curves[c].name, width - 30);
	}
}

int svg_curves(const struct plot_curves *what, const struct svg_options *options, struct buffer *out, struct error *err)
{
	struct interval x, y;
	struct axis_range range = {.finite = find_ranges(what, &x, &y)};
	if (range.finite == 0)
		return svg_nothing(&range, options, what->title, out, err);
	double width = svg_width(options), plot = svg_height(options, 240);
	double height = plot + (what->count > 1 ? (double)(what->count * SVG_LINE) + 4 : 0);
	struct svg_panel panel = {0};
	svg_panel_layout(&panel, svg_inside(width, plot), what->title, what->x_title, NULL,
	                 &(struct axis_want){what->x_log ? AXIS_LOG : AXIS_LINEAR, x.low, x.high, what->x_unit},
	                 &(struct axis_want){what->y_log ? AXIS_LOG : AXIS_LINEAR, y.low, y.high, what->y_unit}, 0);
	char description[128];
	snprintf(description, sizeof(description), "%zu curves through %zu points", what->count, range.finite);
	svg_open(out, options, width, height, what->title, description);
	svg_panel_draw(&panel, out);
	if (isfinite(what->target) && (what->target > 0 || !what->y_log)) {
		double at = svg_panel_y(&panel, what->target);
		svg_line(out, "dash", panel.inner.x, at, panel.inner.x + panel.inner.width, at);
	}
	for (size_t c = 0; c < what->count; c++)
		draw_curve(what, c, &panel, out);
	draw_legend(what, plot, width, out);
	svg_close(out);
	return buffer_error(out, err);
}
