/* Two panels: the values as measured, and in random order. What looks the same on both sides is chance. */
#include "report/svg_draw.h"

#include "base/memory.h"
#include "base/random.h"
#include "report/dependence.h"
#include "report/frame.h"
#include "report/plot_draw.h"

#include <math.h>
#include <string.h>

enum { GAP = 20, NARROW = 420 };

static const char *const headings[][2] = {
	[PLOT_SEQUENCE] = {"values in order", "shuffled"},
	[PLOT_LAG] = {"value after value", "shuffled"},
	[PLOT_ACF] = {"autocorrelation of ranks", "shuffled"},
};

static void draw_acf_pair(const struct plot_series pair[2], const struct svg_box boxes[2], struct buffer *out)
{
	double acf[2][DEPENDENCE_LAGS_MAX], low[2], high[2];
	size_t n = pair[0].n, lags = dependence_lags(n, (size_t)(boxes[0].width / 8));
	for (size_t side = 0; side < 2; side++) {
		dependence_acf(&pair[side], acf[side], lags);
		plot_acf_range(acf[side], lags, n, &low[side], &high[side]);
	}
	for (size_t side = 0; side < 2; side++)
		svg_acf_panel(acf[side], lags, n, fmin(low[0], low[1]), fmax(high[0], high[1]), headings[PLOT_ACF][side],
		              boxes[side], out);
}

static int draw_side(enum plot_kind kind, const struct plot_series *series, const struct axis_range *range,
                     struct svg_box box, const char *heading, size_t points, struct buffer *out)
{
	if (kind == PLOT_SEQUENCE)
		return svg_sequence_panel(series, range, box, heading, NULL, 0, points, out);
	size_t pairs = series->n > 1 ? series->n - 1 : 0;
	struct svg_cloud cloud = {
		series->values, series->values + (pairs ? 1 : 0), pairs,      series->unit, heading, "value before",
		NULL,           {range->low, range->high},        {NAN, NAN}, points};
	return svg_cloud_panel(&cloud, box, out);
}

static int draw_both(enum plot_kind kind, const struct plot_series pair[2], const struct axis_range *range,
                     const struct svg_options *options, struct buffer *out)
{
	double width = svg_width(options), one = svg_height(options, kind == PLOT_LAG ? 260 : 200);
	char note[256] = "";
	if (kind != PLOT_ACF)
		frame_note(range, pair[0].unit, note, sizeof(note));
	double notes = SVG_LINE * (double)svg_note_lines(note, width - 2 * SVG_MARGIN);
	/* On a phone one below the other. */
	bool stacked = width < NARROW;
	struct svg_box boxes[2];
	boxes[0] = boxes[1] = svg_inside(width, one);
	boxes[1].y += stacked ? one : 0;
	if (!stacked) {
		boxes[0].width = boxes[1].width = (boxes[0].width - GAP) / 2;
		boxes[1].x += boxes[0].width + GAP;
	}
	double height = (stacked ? 2 * one : one) + notes;
	svg_open(out, options, width, height, headings[kind][0],
	         "left: the values in the order in which they were measured; right: the same values in random order");
	if (kind == PLOT_ACF)
		draw_acf_pair(pair, boxes, out);
	for (size_t side = 0; side < 2 && kind != PLOT_ACF; side++)
		if (draw_side(kind, &pair[side], range, boxes[side], headings[kind][side], svg_points(options) / 2, out) < 0)
			return -1;
	svg_note_draw(note, SVG_MARGIN, height - notes - SVG_MARGIN, width - 2 * SVG_MARGIN, out);
	svg_close(out);
	return 0;
}

int svg_beside_shuffled(enum plot_kind kind, const struct plot_series *series, uint64_t seed,
                        const struct svg_options *options, struct buffer *out, struct error *err)
{
	struct axis_range range = axis_range_bulk(series->values, series->n);
	if (range.finite == 0)
		return svg_nothing(&range, options, headings[kind][0], out, err);
	double *space = mem_alloc(series->n, 2 * sizeof(*space));
	if (!space)
		return error_memory(err);
	double *values = space, *shuffled = space + series->n;
	memcpy(values, series->values, series->n * sizeof(*values));
	if (kind == PLOT_ACF)
		dependence_ranks(series->values, series->n, values, shuffled);
	memcpy(shuffled, values, series->n * sizeof(*values));
	struct random random;
	random_seed(&random, seed);
	random_shuffle(&random, shuffled, series->n, sizeof(*shuffled));
	struct plot_series pair[2] = {*series, *series};
	pair[0].values = values;
	pair[1].values = shuffled;
	pair[1].mark_count = 0;
	int status = draw_both(kind, pair, &range, options, out);
	mem_free(space);
	return status < 0 ? error_memory(err) : buffer_error(out, err);
}
