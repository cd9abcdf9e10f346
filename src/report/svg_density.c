/* Density and strip: per subject a smooth curve of where its values lie and the values below it.
 *
 * The density is a Gaussian kernel over a fine grid of counts, with Silverman's bandwidth
 * 0.9·min(sd, IQR/1.34)·n^(−1/5); both are taken from the spread of the middle nine
 * tenths, which is 3.29 sd of normal values and does not mind a few far ones. */
#include "report/svg_draw.h"

#include "base/format.h"
#include "report/frame.h"
#include "report/thin.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GRID = 160, NAME = SVG_LINE, HUMP = 38, STRIP = 16, ROW = NAME + HUMP + STRIP };

static const char *const classes[] = {"one", "two", "three"};

static struct axis_range range_of_all(const struct plot_strip *strips, size_t count)
{
	struct axis_range all = {.min = NAN, .max = NAN, .low = NAN, .high = NAN};
	for (size_t i = 0; i < count; i++) {
		struct axis_range one = axis_range_bulk(strips[i].values, strips[i].n);
		all.finite += one.finite;
		all.lost += one.lost;
		all.min = fmin(all.min, one.min);
		all.max = fmax(all.max, one.max);
		all.low = fmin(all.low, one.low);
		all.high = fmax(all.high, one.high);
	}
	for (size_t i = 0; i < count; i++)
		axis_range_count(&all, strips[i].values, strips[i].n);
	return all;
}

/* Heights on a grid from low to high, the largest 1; false when there is nothing to smooth. */
static bool density_of(const struct plot_strip *strip, double low, double high, double heights[GRID])
{
	struct axis_range range = axis_range_bulk(strip->values, strip->n);
	double spread = range.spread > 0 ? range.spread : range.max - range.min;
	if (range.finite < 2 || !(spread > 0))
		return false;
	double counts[GRID] = {0}, cell = (high - low) / (GRID - 1);
	for (size_t i = 0; i < strip->n; i++)
		if (axis_can_show(strip->values[i]) && strip->values[i] >= low && strip->values[i] <= high)
			counts[(size_t)((strip->values[i] - low) / cell + 0.5)]++;
	double bandwidth = fmax(0.9 * spread / 3.29 * pow((double)range.finite, -0.2) / cell, 0.7), most = 0;
	size_t reach = (size_t)fmin(4 * bandwidth + 1, GRID);
	for (size_t i = 0; i < GRID; i++) {
		heights[i] = 0;
		for (size_t k = i > reach ? i - reach : 0; k < GRID && k <= i + reach; k++) {
			double z = ((double)i - (double)k) / bandwidth;
			heights[i] += counts[k] * exp(-z * z / 2);
		}
		most = fmax(most, heights[i]);
	}
	for (size_t i = 0; i < GRID && most > 0; i++)
		heights[i] /= most;
	return most > 0;
}

static void draw_hump(const struct svg_panel *panel, const struct plot_strip *strip, double base, const char *class_,
                      struct buffer *out)
{
	double heights[GRID];
	if (!density_of(strip, panel->x.low, panel->x.high, heights))
		return;
	buffer_printf(out, "<path class=\"area %s\" d=\"M", class_);
	double left = svg_panel_x(panel, panel->x.low), right = svg_panel_x(panel, panel->x.high);
	svg_number(out, left);
	buffer_char(out, ' ');
	svg_number(out, base);
	for (size_t i = 0; i < GRID; i++) {
		buffer_char(out, 'L');
		svg_number(out, left + (right - left) * (double)i / (GRID - 1));
		buffer_char(out, ' ');
		svg_number(out, base - (HUMP - 4) * heights[i]);
	}
	buffer_char(out, 'L');
	svg_number(out, right);
	buffer_char(out, ' ');
	svg_number(out, base);
	buffer_text_add(out, "Z\"/>\n");
}

/* Dots below the curve, spread in height by a fixed rule so that equal values can be seen. */
static int draw_dots(const struct svg_panel *panel, const struct plot_strip *strip, const char *unit, double base,
                     const char *class_, const struct svg_options *options, struct buffer *out)
{
	size_t points = svg_points(options), *kept = mem_alloc(points + 2, sizeof(*kept));
	if (!kept)
		return -1;
	size_t count = thin_sample(strip->values, strip->n, points, kept);
	struct svg_dots dots;
	char title[160] = "", value[FORMAT_MAX];
	svg_dots_begin(&dots, out, class_, count, options->plain);
	for (size_t i = 0; i < count; i++) {
		double x = strip->values[kept[i]];
		if (x < panel->x.low || x > panel->x.high)
			continue;
		if (dots.few)
			snprintf(title, sizeof(title), "value %zu: %s", kept[i] + 1,
			         format_quantity(value, sizeof(value), x, 0, unit));
		svg_dot(&dots, svg_panel_x(panel, x), base + 4 + (double)(i * 7 % 10) * 0.9, title);
	}
	svg_dots_end(&dots);
	for (size_t i = 0; i < count; i++) {
		double x = strip->values[kept[i]];
		if (x > panel->x.high)
			svg_arrow(out, "warn", panel->inner.x + panel->inner.width - 1, base + STRIP / 2.0, 1, 0, NULL);
		else if (x < panel->x.low)
			svg_arrow(out, "warn", panel->inner.x + 1, base + STRIP / 2.0, -1, 0, NULL);
	}
	mem_free(kept);
	return 0;
}

static void draw_middle(const struct svg_panel *panel, const struct plot_strip *strip, const char *unit, double base,
                        struct buffer *out)
{
	char title[256], median[FORMAT_MAX], low[FORMAT_MAX], high[FORMAT_MAX];
	if (!axis_can_show(strip->median))
		return;
	double half = axis_can_show(strip->low) && axis_can_show(strip->high) ? (strip->high - strip->low) / 2 : 0;
	format_quantity(median, sizeof(median), strip->median, half, unit);
	snprintf(title, sizeof(title), "median %s", median);
	if (half > 0) {
		double left = svg_panel_x(panel, strip->low), right = svg_panel_x(panel, strip->high);
		snprintf(title, sizeof(title), "median %s, interval %s to %s", median,
		         format_quantity(low, sizeof(low), strip->low, half, unit),
		         format_quantity(high, sizeof(high), strip->high, half, unit));
		svg_rect(out, "band", (struct svg_box){left, base - HUMP + 2, fmax(right - left, 1), HUMP + STRIP - 4}, title);
	}
	double x = svg_panel_x(panel, strip->median);
	svg_line(out, "mark", x, base - HUMP + 2, x, base + STRIP - 2);
}

static int draw_row(const struct svg_panel *panel, const struct plot_strip *strip, const char *unit, size_t row,
                    const struct svg_options *options, struct buffer *out)
{
	double top = panel->inner.y + (double)(row * ROW), base = top + NAME + HUMP;
	const char *class_ = classes[row % 3];
	char label[FORMAT_MAX];
	struct axis_range range = axis_range_all(strip->values, strip->n);
	snprintf(label, sizeof(label), "n = %zu", range.finite);
	svg_text_fit(out, "name", panel->inner.x + 2, top + SVG_FONT, SVG_START, strip->name, panel->inner.width - 80);
	svg_text(out, "soft", panel->inner.x + panel->inner.width, top + SVG_FONT, SVG_END, label);
	draw_hump(panel, strip, base, class_, out);
	int status = draw_dots(panel, strip, unit, base, class_, options, out);
	draw_middle(panel, strip, unit, base, out);
	return status;
}

int svg_density(const struct plot_strip *strips, size_t count, const char *unit, const struct svg_options *options,
                struct buffer *out, struct error *err)
{
	const char *title = options->title ? options->title : "distribution";
	struct axis_range range = range_of_all(strips, count);
	if (range.finite == 0)
		return svg_nothing(&range, options, title, out, err);
	char note[256], description[160], low[FORMAT_MAX], high[FORMAT_MAX];
	frame_note(&range, unit, note, sizeof(note));
	snprintf(description, sizeof(description), "density and single values of %zu subjects, from %s to %s", count,
	         format_quantity(low, sizeof(low), range.min, 0, unit),
	         format_quantity(high, sizeof(high), range.max, 0, unit));
	struct svg_panel panel = {0};
	double width = svg_width(options);
	/* Rows, not the caller, give the height. */
	double height = (double)(count * ROW) + SVG_LINE + 4 + 4 + 2 * SVG_LINE + 2 * SVG_MARGIN +
	                SVG_LINE * (double)svg_note_lines(note, width - 2 * SVG_MARGIN);
	struct axis_want axis = {AXIS_LINEAR, range.low, range.high, unit};
	svg_panel_layout(&panel, svg_inside(width, height), title, "value", note, &axis, NULL, 1);
	svg_open(out, options, width, height, title, description);
	svg_panel_draw(&panel, out);
	for (size_t i = 0; i < count; i++)
		if (draw_row(&panel, &strips[i], unit, i, options, out) < 0)
			return error_memory(err);
	svg_close(out);
	return buffer_error(out, err);
}
