/* Pairs: new against base, and their ratio in the order in which they were measured. */
#include "report/svg_draw.h"

#include "base/format.h"
#include "base/memory.h"
#include "report/frame.h"

#include <math.h>
#include <stdio.h>

/* Each side's own. */
static void ranges_of(const struct plot_pairs *pairs, struct axis_range *base, struct axis_range *new_)
{
	*base = axis_range_bulk(pairs->base, pairs->n);
	*new_ = axis_range_bulk(pairs->new_, pairs->n);
}

static bool are_apart(const struct axis_range *base, const struct axis_range *new_)
{
	return base->finite > 0 && new_->finite > 0 && (base->max < new_->min || new_->max < base->min);
}

bool svg_pairs_apart(const struct plot_pairs *pairs)
{
	struct axis_range base, new_;
	ranges_of(pairs, &base, &new_);
	return are_apart(&base, &new_);
}

/* On both axes the same, in `both`, unless that would leave the pairs in a corner; the counts in `both` are of pairs. */
static void choose_ranges(const struct plot_pairs *pairs, struct axis_range *both, struct interval *x_range,
                          struct interval *y_range)
{
	struct axis_range base, new_;
	ranges_of(pairs, &base, &new_);
	*both = (struct axis_range){.finite = base.finite < new_.finite ? base.finite : new_.finite,
	                            .lost = base.lost > new_.lost ? base.lost : new_.lost,
	                            .min = fmin(base.min, new_.min),
	                            .max = fmax(base.max, new_.max),
	                            .low = fmin(base.low, new_.low),
	                            .high = fmax(base.high, new_.high)};
	bool apart = are_apart(&base, &new_);
	*x_range = apart ? (struct interval){base.low, base.high} : (struct interval){both->low, both->high};
	*y_range = apart ? (struct interval){new_.low, new_.high} : (struct interval){both->low, both->high};
	for (size_t i = 0; i < pairs->n; i++) {
		double x = pairs->base[i], y = pairs->new_[i];
		if (!axis_can_show(x) || !axis_can_show(y))
			continue;
		both->below += x < x_range->low || y < y_range->low;
		both->above += x > x_range->high || y > y_range->high;
	}
}

int svg_pairs(const struct plot_pairs *pairs, const struct svg_options *options, struct buffer *out, struct error *err)
{
	static const char title[] = "pairs";
	struct axis_range both;
	struct interval x_range, y_range;
	choose_ranges(pairs, &both, &x_range, &y_range);
	if (both.finite == 0)
		return svg_nothing(&both, options, title, out, err);
	char note[256];
	frame_note(&both, pairs->unit, note, sizeof(note));
	double width = svg_width(options), height = svg_noted_height(options, fmin(width, 340), note);
	struct svg_cloud cloud = {.x = pairs->base,
	                          .y = pairs->new_,
	                          .n = pairs->n,
	                          .unit = pairs->unit,
	                          .heading = pairs->new_name,
	                          .x_title = pairs->base_name,
	                          .note = note,
	                          .x_range = x_range,
	                          .y_range = y_range,
	                          .diagonals = {1, pairs->ratio},
	                          .points = svg_points(options)};
	char description[128];
	snprintf(description, sizeof(description), "%zu pairs, new against base; on the line both take the same", pairs->n);
	svg_open(out, options, width, height, title, description);
	if (svg_cloud_panel(&cloud, svg_inside(width, height), out) < 0)
		return error_memory(err);
	svg_close(out);
	return buffer_error(out, err);
}

/* Bands and lines of a ratio in per cent. */
static void draw_ratio(const struct plot_pairs *pairs, const struct svg_panel *panel, struct buffer *out)
{
	double left = panel->inner.x, width = panel->inner.width;
	if (pairs->margin > 0) {
		double top = svg_panel_y(panel, 100 * pairs->margin);
		double bottom = svg_panel_y(panel, 100 * (plot_margin_low(pairs->margin) - 1));
		svg_rect(out, "band", (struct svg_box){left, top, width, bottom - top}, "the margin: within it is the same");
	}
	double zero = svg_panel_y(panel, 0);
	svg_line(out, "axis", left, zero, left + width, zero);
	if (isfinite(pairs->low) && isfinite(pairs->high)) {
		double top = svg_panel_y(panel, 100 * (pairs->high - 1)), bottom = svg_panel_y(panel, 100 * (pairs->low - 1));
		svg_rect(out, "interval", (struct svg_box){left, top, width, fmax(bottom - top, 1)}, "interval of the ratio");
	}
	if (isfinite(pairs->ratio)) {
		double y = svg_panel_y(panel, 100 * (pairs->ratio - 1));
		svg_line(out, "mark", left, y, left + width, y);
	}
}

static void title_of(const void *context, size_t i, char *title, size_t size)
{
	const double *percent = context;
	char value[FORMAT_MAX];
	snprintf(title, size, "pair %zu: %s", i + 1, format_percent(value, sizeof(value), percent[i] / 100, 0, 1));
}

static int draw_ratios(const struct plot_pairs *pairs, double *percent, const struct svg_options *options,
                       struct buffer *out, struct error *err)
{
	static const char title[] = "new over base, pair by pair";
	for (size_t i = 0; i < pairs->n; i++)
		percent[i] = pairs->base[i] > 0 ? 100 * (pairs->new_[i] / pairs->base[i] - 1) : NAN;
	struct axis_range range = axis_range_bulk(percent, pairs->n);
	if (range.finite == 0)
		return svg_nothing(&range, options, title, out, err);
	double width = svg_width(options), margin = pairs->margin > 0 ? 100 * pairs->margin : 0;
	range.low = fmin(range.low, -margin);
	range.high = fmax(range.high, margin);
	range.below = range.above = 0;
	axis_range_count(&range, percent, pairs->n);
	char note[256], description[128];
	frame_note(&range, "%", note, sizeof(note));
	double height = svg_noted_height(options, 220, note);
	snprintf(description, sizeof(description), "%zu ratios of pairs in the order in which they were measured",
	         range.finite);
	struct svg_panel panel = {0};
	svg_panel_layout(&panel, svg_inside(width, height), title, NULL, note,
	                 &(struct axis_want){AXIS_COUNT, 1, pairs->n > 1 ? (double)pairs->n : 2, ""},
	                 &(struct axis_want){AXIS_LINEAR, range.low, range.high, "%"}, 0);
	svg_open(out, options, width, height, title, description);
	svg_panel_draw(&panel, out);
	draw_ratio(pairs, &panel, out);
	struct svg_series series = {percent, pairs->n, 1, "one", svg_points(options), title_of, percent, options->plain};
	if (svg_series_draw(&series, &panel, out) < 0)
		return error_memory(err);
	svg_close(out);
	return buffer_error(out, err);
}

int svg_pair_ratios(const struct plot_pairs *pairs, const struct svg_options *options, struct buffer *out,
                    struct error *err)
{
	double *percent = mem_alloc(pairs->n, sizeof(*percent));
	int status = percent ? draw_ratios(pairs, percent, options, out, err) : error_memory(err);
	mem_free(percent);
	return status;
}
