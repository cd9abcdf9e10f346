/* Two panels: the values as measured, and in random order. What looks the same on both sides is chance. */
#include "report/svg_draw.h"

#include "report/frame.h"

enum { GAP = 20, NARROW = 420 };

static int draw_side(const struct chart *chart, struct svg_box box, size_t points, struct buffer *out)
{
	switch (chart->kind) {
	case PLOT_SEQUENCE: return svg_sequence_panel(chart, box, NULL, 0, points, out);
	case PLOT_LAG: return svg_lag_panel(chart, box, points, out);
	default: svg_acf_panel(chart, box, out); return 0;
	}
}

/* Two boxes in the width of the drawing; on a phone one below the other. */
static double lay_out(const struct svg_options *options, double one, struct svg_box boxes[2])
{
	double width = svg_width(options);
	boxes[0] = boxes[1] = svg_inside(width, one);
	if (width < NARROW) {
		boxes[1].y += one;
		return 2 * one;
	}
	boxes[0].width = boxes[1].width = (boxes[0].width - GAP) / 2;
	boxes[1].x += boxes[0].width + GAP;
	return one;
}

int svg_beside_shuffled(enum plot_kind kind, const struct plot_series *series, uint64_t seed,
                        const struct svg_options *options, struct buffer *out, struct error *err)
{
	struct chart_pair pair;
	struct svg_box boxes[2];
	char note[256] = "";
	double width = svg_width(options),
		   height = lay_out(options, svg_height(options, kind == PLOT_LAG ? 260 : 200), boxes);
	if (chart_pair_init(&pair, kind, series, seed, (size_t)(boxes[0].width / 8), err) != 0)
		return -1;
	if (pair.range.finite == 0)
		return svg_nothing(&pair.range, options, pair.sides[0].heading, out, err);
	if (kind != PLOT_ACF)
		frame_note(&pair.range, series->unit, note, sizeof(note));
	double notes = SVG_LINE * (double)svg_note_lines(note, width - 2 * SVG_MARGIN);
	svg_open(out, options, width, height + notes, pair.sides[0].heading,
	         "left: the values in the order in which they were measured; right: the same values in random order");
	int status = 0;
	for (size_t side = 0; side < 2 && status == 0; side++)
		status = draw_side(&pair.sides[side], boxes[side], svg_points(options) / 2, out);
	svg_note_draw(note, SVG_MARGIN, height - SVG_MARGIN, width - 2 * SVG_MARGIN, out);
	svg_close(out);
	chart_pair_release(&pair);
	return status < 0 ? error_memory(err) : buffer_error(out, err);
}
