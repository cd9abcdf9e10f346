/* Ratios of a suite, a row each: name, interval and margin, words. */
#include "report/svg_draw.h"

#include "base/format.h"
#include "report/text_width.h"

#include <math.h>
#include <stdio.h>

enum { ROW = 22 };

static const char *class_of(enum emphasis emphasis)
{
	switch (emphasis) {
	case EMPHASIS_GOOD: return "good";
	case EMPHASIS_BAD: return "bad";
	case EMPHASIS_WARN: return "warn";
	default: return "soft";
	}
}

static void draw_interval(const struct svg_panel *panel, const struct plot_ratio *ratio, double y, struct buffer *out)
{
	const char *class_ = class_of(ratio->emphasis);
	double low = 100 * (ratio->low - 1), high = 100 * (ratio->high - 1), middle = 100 * (ratio->ratio - 1);
	bool open_low = !isfinite(low) || low < panel->x.low, open_high = !isfinite(high) || high > panel->x.high;
	double left = open_low ? panel->inner.x + 2 : svg_panel_x(panel, low);
	double right = open_high ? panel->inner.x + panel->inner.width - 2 : svg_panel_x(panel, high);
	char title[256], a[FORMAT_MAX], b[FORMAT_MAX], c[FORMAT_MAX];
	double half = isfinite(high - low) ? (high - low) / 200 : 0;
	if (isfinite(low) && isfinite(high))
		snprintf(title, sizeof(title), "%s (%s to %s)", format_percent(a, sizeof(a), ratio->ratio - 1, half, 1),
		         format_percent(b, sizeof(b), ratio->low - 1, half, 1),
		         format_percent(c, sizeof(c), ratio->high - 1, half, 1));
	else
		snprintf(title, sizeof(title), "%s, the interval has no bound",
		         format_percent(a, sizeof(a), ratio->ratio - 1, 0, 1));
	svg_line(out, class_, left, y, right, y);
	if (open_low)
		svg_arrow(out, class_, panel->inner.x + 1, y, -1, 0, title);
	else
		svg_line(out, class_, left, y - 4, left, y + 4);
	if (open_high)
		svg_arrow(out, class_, panel->inner.x + panel->inner.width - 1, y, 1, 0, title);
	else
		svg_line(out, class_, right, y - 4, right, y + 4);
	if (middle >= panel->x.low && middle <= panel->x.high)
		svg_circle(out, class_, svg_panel_x(panel, middle), y, 4, title);
}

static void draw_row(const struct svg_panel *panel, const struct plot_ratio *ratio, size_t row, double names,
                     double notes, struct buffer *out)
{
	double top = panel->inner.y + (double)(row * ROW), y = top + ROW / 2.0;
	if (ratio->margin > 0) {
		double left = svg_panel_x(panel, 100 * (plot_margin_low(ratio->margin) - 1));
		double right = svg_panel_x(panel, 100 * ratio->margin);
		svg_rect(out, "band", (struct svg_box){left, top, right - left, ROW}, NULL);
	}
	svg_text_fit(out, "name", panel->outer.x, y + 4, SVG_START, ratio->name, names);
	if (ratio->note && notes > 0)
		svg_text_fit(out, class_of(ratio->emphasis), panel->inner.x + panel->inner.width + 8, y + 4, SVG_START,
		             ratio->note, notes);
	if (isfinite(ratio->ratio))
		draw_interval(panel, ratio, y, out);
}

/* Pixels for the longest of the names or notes, at most a share of the width. */
static double room_for(const struct plot_ratio *ratios, size_t count, bool notes, double most)
{
	size_t widest = 0;
	for (size_t i = 0; i < count; i++) {
		const char *text = notes ? (ratios[i].note ? ratios[i].note : "") : ratios[i].name;
		size_t width = text_width(text, TEXT_UNICODE);
		widest = width > widest ? width : widest;
	}
	return fmin((double)widest * 0.69 * SVG_FONT + 1, most);
}

int svg_forest(const struct plot_ratio *ratios, size_t count, const struct svg_options *options, struct buffer *out,
               struct error *err)
{
	static const char title[] = "new over base";
	struct axis_range none = {0};
	if (count == 0)
		return svg_nothing(&none, options, title, out, err);
	double width = svg_width(options),
		   height = (double)(count * ROW) + SVG_LINE + 8 + 4 + 2 * SVG_LINE + 2 * SVG_MARGIN;
	struct svg_box box = svg_inside(width, height);
	double names = room_for(ratios, count, false, width * 0.34), notes = room_for(ratios, count, true, width * 0.3);
	box.width -= notes > 1 ? notes + 10 : 0;
	struct interval range = plot_forest_range(ratios, count);
	struct axis_want axis = {AXIS_LINEAR, 100 * (range.low - 1), 100 * (range.high - 1), "%"};
	struct svg_panel panel = {0};
	svg_panel_layout(&panel, box, title, "change", NULL, &axis, NULL, names + 8);
	panel.inner.height = (double)(count * ROW);
	panel.heading_width = width - 2 * SVG_MARGIN;
	size_t known = 0;
	for (size_t i = 0; i < count; i++)
		known += isfinite(ratios[i].ratio);
	char description[128];
	snprintf(description, sizeof(description), "ratios of %zu benchmarks with their intervals and margins", known);
	svg_open(out, options, width, height, title, description);
	svg_panel_draw(&panel, out);
	double one = svg_panel_x(&panel, 0);
	for (size_t i = 0; i < count; i++)
		draw_row(&panel, &ratios[i], i, names, notes, out);
	svg_line(out, "dash", one, panel.inner.y, one, panel.inner.y + panel.inner.height);
	svg_close(out);
	return buffer_error(out, err);
}
