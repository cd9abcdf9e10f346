/* A history: every result with its interval, the levels between changes, and where a change may lie. */
#include "report/svg_draw.h"

#include "base/format.h"
#include "base/memory.h"
#include "report/frame.h"
#include "report/history_text.h"
#include "report/svg_history.h"

#include <math.h>
#include <stdio.h>

/* The axis has to show values and the ends of their intervals; what is counted are values. */
static struct axis_range range_of(const struct history_series *series, double *space)
{
	size_t count = 0;
	for (size_t i = 0; i < series->n; i++) {
		const struct history_point *p = &series->points[i];
		space[count++] = p->value;
		if (isfinite(p->low) && isfinite(p->high)) {
			space[count++] = p->low;
			space[count++] = p->high;
		}
	}
	struct axis_range axis = axis_range_bulk(space, count);
	for (size_t i = 0; i < series->n; i++)
		space[i] = series->points[i].value;
	struct axis_range range = axis_range_all(space, series->n);
	range.low = axis.low;
	range.high = axis.high;
	axis_range_count(&range, space, series->n);
	return range;
}

/* A broken line where the change most likely is, a band over where it may be. */
static void draw_changes(const struct history_series *series, const struct svg_panel *panel, struct buffer *out)
{
	double top = panel->inner.y, height = panel->inner.height;
	for (size_t i = 0; i < series->change_count; i++) {
		const struct history_change *c = &series->changes[i];
		double left = svg_panel_x(panel, (double)c->low + 0.5), right = svg_panel_x(panel, (double)c->high + 0.5);
		struct buffer title = {0};
		history_text_change(series, c, &title);
		svg_rect(out, "band", (struct svg_box){left, top, fmax(right - left, 2), height}, buffer_text(&title));
		double at = svg_panel_x(panel, (double)c->at + 0.5);
		svg_line(out, "change", at, top, at, top + height);
		out->out_of_memory |= title.out_of_memory;
		buffer_release(&title);
	}
}

/* The level between two changes. */
static void draw_levels(const struct history_series *series, const struct svg_panel *panel, struct buffer *out)
{
	for (size_t i = 0; i <= series->change_count && series->change_count > 0; i++) {
		double level = i < series->change_count ? series->changes[i].before : series->changes[i - 1].after;
		double first = i > 0 ? (double)series->changes[i - 1].at + 0.5 : 1;
		double last = i < series->change_count ? (double)series->changes[i].at + 0.5 : (double)series->n;
		double y = svg_panel_y(panel, level);
		if (isfinite(level))
			svg_line(out, "mark", svg_panel_x(panel, first), y, svg_panel_x(panel, last), y);
	}
}

static void draw_points(const struct history_series *series, const struct svg_panel *panel, struct buffer *out)
{
	struct svg_dots dots;
	for (size_t i = 0; i < series->n && series->n <= 4 * SVG_FEW; i++) {
		const struct history_point *p = &series->points[i];
		double x = svg_panel_x(panel, (double)i + 1);
		if (isfinite(p->low) && isfinite(p->high))
			svg_line(out, "one", x, svg_panel_y(panel, p->low), x, svg_panel_y(panel, p->high));
	}
	svg_dots_begin(&dots, out, "one", series->n, false);
	for (size_t i = 0; i < series->n; i++) {
		const struct history_point *p = &series->points[i];
		struct buffer title = {0};
		char value[FORMAT_MAX];
		if (!axis_can_show(p->value))
			continue;
		if (dots.few) {
			history_text_point(p, &title);
			buffer_printf(&title, ": %s%s",
			              format_quantity(value, sizeof(value), p->value, (p->high - p->low) / 2, series->unit),
			              p->outlier ? ", apart from its neighbours" : "");
		}
		svg_panel_point(panel, &dots, (double)i + 1, p->value, buffer_text(&title));
		out->out_of_memory |= title.out_of_memory;
		buffer_release(&title);
	}
	svg_dots_end(&dots);
	for (size_t i = 0; i < series->n; i++)
		if (axis_can_show(series->points[i].value) &&
		    (series->points[i].value < panel->y.low || series->points[i].value > panel->y.high))
			svg_panel_arrow(panel, out, (double)i + 1, series->points[i].value, NULL);
}

/* Days take the place of numbers; as many as have room. */
static void date_ticks(const struct history_series *series, struct svg_panel *panel)
{
	enum { LABEL = 96 };
	size_t most = (size_t)fmax(panel->inner.width / LABEL, 1), count = 0;
	for (size_t i = 0; i < most && i < series->n && count < AXIS_TICKS_MAX; i++) {
		size_t at = most > 1 && series->n > 1 ? i * (series->n - 1) / ((most < series->n ? most : series->n) - 1) : 0;
		struct axis_tick *tick = &panel->x.ticks[count++];
		struct buffer day = {0};
		history_text_when(series->points[at].when, &day);
		tick->at = (double)at + 1;
		snprintf(tick->label, sizeof(tick->label), "%s", buffer_text(&day));
		buffer_release(&day);
	}
	panel->x.tick_count = count;
}

/* Below each day the commit that was measured. */
static void draw_commits(const struct history_series *series, const struct svg_panel *panel, struct buffer *out)
{
	double y = panel->inner.y + panel->inner.height + 4 + SVG_FONT + SVG_LINE;
	for (size_t i = 0; i < panel->x.tick_count; i++) {
		const struct history_point *p = &series->points[(size_t)panel->x.ticks[i].at - 1];
		struct buffer commit = {0};
		history_text_commit(p, &commit);
		double half = fmax(svg_text_width(panel->x.ticks[i].label), svg_text_width(buffer_text(&commit))) / 2;
		double x = fmin(svg_panel_x(panel, panel->x.ticks[i].at), panel->outer.x + panel->outer.width - half);
		if (commit.length)
			svg_text(out, "tick", fmax(x, panel->outer.x + half), y, SVG_MIDDLE, buffer_text(&commit));
		buffer_release(&commit);
	}
}

/* A history of samples has no days, only places in a sequence. */
static bool has_days(const struct history_series *series)
{
	enum { DAY = 86400000 };
	return series->n > 0 && series->points[0].when >= DAY;
}

int svg_history(const struct history_series *series, const struct svg_options *options, struct buffer *out,
                struct error *err)
{
	double *space = mem_alloc(3 * series->n + 1, sizeof(*space));
	if (!space)
		return error_memory(err);
	struct axis_range range = range_of(series, space);
	mem_free(space);
	if (range.finite == 0)
		return svg_nothing(&range, options, "history", out, err);
	char note[256], description[200];
	struct buffer heading = {0};
	buffer_printf(&heading, "%s, result by result", series->metric);
	frame_note(&range, series->unit, note, sizeof(note));
	snprintf(description, sizeof(description),
	         "%zu results in the order of time, with their intervals; %zu change%s of level", series->n,
	         series->change_count, series->change_count == 1 ? "" : "s");
	bool days = has_days(series);
	double width = svg_width(options), height = svg_noted_height(options, 240, note);
	struct svg_panel panel = {0};
	svg_panel_layout(&panel, svg_inside(width, height), buffer_text(&heading), days ? "" : NULL, note,
	                 &(struct axis_want){AXIS_COUNT, 1, series->n > 1 ? (double)series->n : 2, ""},
	                 &(struct axis_want){AXIS_LINEAR, range.low, range.high, series->unit}, 0);
	if (days)
		date_ticks(series, &panel);
	svg_open(out, options, width, height, buffer_text(&heading), description);
	svg_panel_draw(&panel, out);
	if (days)
		draw_commits(series, &panel, out);
	draw_changes(series, &panel, out);
	draw_points(series, &panel, out);
	draw_levels(series, &panel, out);
	svg_close(out);
	out->out_of_memory |= heading.out_of_memory;
	buffer_release(&heading);
	return buffer_error(out, err);
}
