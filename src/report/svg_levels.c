/* Variance by level: a bar for each level's share of the sum. */
#include "report/svg_draw.h"

#include "base/format.h"
#include "report/text_width.h"

#include <math.h>

enum { ROW = 24 };

static bool known(const struct plot_level *level)
{
	return axis_can_show(level->variance) && level->variance >= 0;
}

static void draw_level(const struct svg_panel *panel, const struct plot_level *level, size_t row, double sum,
                       double names, struct buffer *out)
{
	double top = panel->inner.y + (double)(row * ROW), middle = top + ROW / 2.0 + 4, left = panel->inner.x;
	char label[FORMAT_MAX] = "not known";
	svg_text_fit(out, "name", panel->outer.x, middle, SVG_START, level->name, names);
	double share = known(level) && sum > 0 ? level->variance / sum : 0, end = svg_panel_x(panel, 100 * share);
	if (known(level)) {
		format_percent(label, sizeof(label), share, 0.02, 0);
		svg_rect(out, "bar one", (struct svg_box){left, top + 4, fmax(end - left, 1), ROW - 8}, label);
	}
	svg_text(out, known(level) ? "head" : "soft", end + 6, middle, SVG_START, label);
}

int svg_levels(const struct plot_level *levels, size_t count, const struct svg_options *options, struct buffer *out,
               struct error *err)
{
	static const char title[] = "where the variation comes from";
	struct axis_range range = {0};
	double sum = 0, names = 0;
	for (size_t i = 0; i < count; i++) {
		range.finite += known(&levels[i]);
		range.lost += !known(&levels[i]);
		sum += known(&levels[i]) ? levels[i].variance : 0;
		names = fmax(names, (double)text_width(levels[i].name, TEXT_UNICODE) * 0.69 * SVG_FONT + 1);
	}
	if (range.finite == 0)
		return svg_nothing(&range, options, title, out, err);
	double width = svg_width(options),
		   height = (double)(count * ROW) + SVG_LINE + 8 + 4 + 2 * SVG_LINE + 2 * SVG_MARGIN;
	names = fmin(names, width * 0.34);
	struct svg_box box = svg_inside(width, height);
	box.width -= 64; /* for the label beside a full bar */
	struct svg_panel panel = {.flush = true};
	svg_panel_layout(&panel, box, title, "of the variance", NULL, &(struct axis_want){AXIS_LINEAR, 0, 100, "%"}, NULL,
	                 names + 8);
	panel.inner.height = (double)(count * ROW);
	panel.heading_width = width - 2 * SVG_MARGIN;
	svg_open(out, options, width, height, title, "share of each level of repetition in the variance");
	svg_panel_draw(&panel, out);
	for (size_t i = 0; i < count; i++)
		draw_level(&panel, &levels[i], i, sum, names, out);
	svg_close(out);
	return buffer_error(out, err);
}
