/* Counts in bins, a line each. */
#include "report/plot_draw.h"

#include "base/format.h"
#include "report/bins.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A bar in eighths of a column; what is not zero is never invisible. Returns the columns it takes. */
static size_t draw_bar(struct canvas *canvas, size_t x, size_t y, size_t width, size_t count, size_t most,
                       enum emphasis emphasis)
{
	static const char *const parts[] = {"", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"};
	size_t eighths = (size_t)((double)count / (double)most * (double)width * 8 + 0.5);
	eighths = count && !eighths ? 1 : eighths;
	if (canvas->charset == TEXT_ASCII && eighths >= 8)
		eighths = (eighths + 4) / 8 * 8;
	for (size_t i = 0; i < eighths / 8; i++)
		canvas_sign(canvas, x + i, y, "\u2588", '#', emphasis);
	if (eighths % 8)
		canvas_sign(canvas, x + eighths / 8, y, parts[eighths % 8], '|', emphasis);
	return (eighths + 7) / 8;
}

struct histogram_layout {
	struct format_scale scale;
	double size; /* largest magnitude */
	size_t labels, counts, bars;
	size_t median_bin; /* index into counts, SIZE_MAX: none */
};

static void edge_label(const struct bins *bins, const struct histogram_layout *layout, size_t i, char *label,
                       size_t size)
{
	char number[AXIS_LABEL_MAX];
	/* Outside the bins the label is the edge that all of its values lie beyond. */
	bool below = i == 0;
	double edge = (bins->start + bins->width * (double)(below ? 0 : i - 1)) / layout->scale.divisor;
	axis_label(number, edge, bins->width / layout->scale.divisor, layout->size / layout->scale.divisor);
	snprintf(label, size, "%s%s", below ? "< " : i == bins->count + 1 ? "\u2265 " : "", number);
}

static void lay_out(const struct canvas *canvas, const struct bins *bins, const struct plot_series *series,
                    double median, const struct axis_range *range, struct histogram_layout *layout)
{
	layout->size = fmax(fabs(range->low), fabs(range->high));
	layout->scale = format_scale_for(layout->size, series->unit);
	layout->labels = 0;
	for (size_t i = 0; i < bins->count + 2; i++) {
		char label[AXIS_LABEL_MAX + 8];
		if ((i == 0 || i == bins->count + 1) && !bins->counts[i])
			continue;
		edge_label(bins, layout, i, label, sizeof(label));
		size_t width = text_width(label, canvas->charset);
		layout->labels = width > layout->labels ? width : layout->labels;
	}
	char count[FORMAT_MAX];
	layout->counts = (size_t)snprintf(count, sizeof(count), "%zu", bins->most);
	bool marked = isfinite(median) && median >= range->low && median <= range->high;
	layout->counts += marked ? strlen(" median") : 0;
	layout->labels = layout->labels > canvas->width / 2 ? canvas->width / 2 : layout->labels;
	size_t used = layout->labels + 1 + 1 + layout->counts;
	layout->bars = canvas->width > used + 4 ? canvas->width - used : 4;
	double place = floor((median - bins->start) / bins->width + 1e-9);
	layout->median_bin = !marked ? SIZE_MAX : place >= (double)bins->count ? bins->count : (size_t)fmax(place, 0) + 1;
}

static void draw_lines(struct canvas *canvas, const struct bins *bins, const struct histogram_layout *layout)
{
	size_t y = 1;
	for (size_t i = 0; i < bins->count + 2; i++) {
		bool outside = i == 0 || i == bins->count + 1;
		if (outside && !bins->counts[i])
			continue;
		char text[AXIS_LABEL_MAX + 8];
		edge_label(bins, layout, i, text, sizeof(text));
		canvas_text(canvas, 0, y, layout->labels, TEXT_RIGHT, text, EMPHASIS_NONE);
		canvas_sign(canvas, layout->labels, y, "\u2502", '|', EMPHASIS_FAINT);
		size_t length = draw_bar(canvas, layout->labels + 1, y, layout->bars, bins->counts[i], bins->most,
		                         outside ? EMPHASIS_WARN : EMPHASIS_FIRST);
		snprintf(text, sizeof(text), "%zu%s", bins->counts[i], i == layout->median_bin ? " median" : "");
		canvas_text(canvas, layout->labels + 2 + length, y, layout->counts, TEXT_LEFT, text, EMPHASIS_FAINT);
		y++;
	}
}

int plot_histogram(const struct plot_series *series, double median, const struct look *look, struct buffer *out,
                   struct error *err)
{
	struct axis_range range = axis_range_bulk(series->values, series->n);
	if (!plot_has_values(&range, look, out))
		return buffer_error(out, err);
	size_t most = plot_height(look, 16) - 1 - (range.below > 0) - (range.above > 0);
	struct bins bins;
	struct canvas canvas;
	if (bins_fill(&bins, series->values, series->n, &range, most) < 0)
		return error_memory(err);
	size_t lines = 1 + bins.count + (range.below > 0) + (range.above > 0);
	if (canvas_init(&canvas, plot_width(look), lines, look->charset, err) < 0) {
		bins_release(&bins);
		return -1;
	}
	struct histogram_layout layout;
	lay_out(&canvas, &bins, series, median, &range, &layout);
	char title[128];
	snprintf(title, sizeof(title), "%s%s%s", series->title ? series->title : "values in bins",
	         layout.scale.unit[0] ? ", " : "", layout.scale.unit);
	canvas_text(&canvas, 0, 0, canvas.width, TEXT_LEFT, title, EMPHASIS_STRONG);
	draw_lines(&canvas, &bins, &layout);
	bins_release(&bins);
	return plot_finish(&canvas, &range, series->unit, look, out, err);
}
