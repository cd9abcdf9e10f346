/* Counts in bins, a line each. The width of a bin is that of Freedman and Diaconis (1981),
 * 2·IQR·n^(−1/3), made round and wide enough for the lines there are. */
#include "report/plot_draw.h"

#include "base/format.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct bins {
	double start, width; /* bin i holds start + i·width ≤ x < start + (i + 1)·width, the last one its upper end too */
	size_t count;
	size_t *counts;      /* with one more in front (below) and behind (above) */
};

static void choose_bins(const struct axis_range *range, size_t n, size_t most, struct bins *bins)
{
	double span = range->high - range->low;
	double size = fmax(fabs(range->low), fabs(range->high));
	bins->count = 1;
	bins->start = range->low;
	bins->width = size > 0 ? size * 1e-3 : 1;
	if (!(span > 1e-9 * size) || size < 1e-290)
		return;
	/* From the 5 % to the 95 % point it is about 2.4 IQR of normal values. */
	double spread = range->spread > 0 ? range->spread : span;
	bins->width = axis_round_up(fmax(2 * spread / 2.4 / cbrt((double)n), span / (double)most));
	for (;;) {
		double first = floor(range->low / bins->width + 1e-9), last = ceil(range->high / bins->width - 1e-9);
		if (last - first <= (double)most && last > first) {
			bins->start = first * bins->width;
			bins->count = (size_t)(last - first);
			return;
		}
		bins->width = axis_round_up(bins->width * 1.5);
	}
}

/* What lies outside the bins is counted apart; the range then says so of exactly those. */
static void count_values(const struct plot_series *series, struct axis_range *range, struct bins *bins)
{
	bool cut_low = range->below > 0, cut_high = range->above > 0;
	for (size_t i = 0; i < series->n; i++) {
		double x = series->values[i];
		if (!axis_can_show(x))
			continue;
		double place = floor((x - bins->start) / bins->width + 1e-9);
		if (place < 0)
			bins->counts[cut_low ? 0 : 1]++;
		else if (place >= (double)bins->count)
			bins->counts[cut_high ? bins->count + 1 : bins->count]++;
		else
			bins->counts[(size_t)place + 1]++;
	}
	range->below = bins->counts[0];
	range->above = bins->counts[bins->count + 1];
}

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
	size_t labels, counts, bars, most;
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
	layout->labels = layout->most = 0;
	for (size_t i = 0; i < bins->count + 2; i++) {
		char label[AXIS_LABEL_MAX + 8];
		layout->most = bins->counts[i] > layout->most ? bins->counts[i] : layout->most;
		if ((i == 0 || i == bins->count + 1) && !bins->counts[i])
			continue;
		edge_label(bins, layout, i, label, sizeof(label));
		size_t width = text_width(label, canvas->charset);
		layout->labels = width > layout->labels ? width : layout->labels;
	}
	char count[FORMAT_MAX];
	layout->counts = (size_t)snprintf(count, sizeof(count), "%zu", layout->most);
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
		size_t length = draw_bar(canvas, layout->labels + 1, y, layout->bars, bins->counts[i], layout->most,
		                         outside ? EMPHASIS_WARN : EMPHASIS_FIRST);
		snprintf(text, sizeof(text), "%zu%s", bins->counts[i], i == layout->median_bin ? " median" : "");
		canvas_text(canvas, layout->labels + 2 + length, y, layout->counts, TEXT_LEFT, text,
		            EMPHASIS_FAINT);
		y++;
	}
}

int plot_histogram(const struct plot_series *series, double median, const struct look *look, struct buffer *out,
                   struct error *err)
{
	struct axis_range range = axis_range_bulk(series->values, series->n);
	if (!plot_has_values(&range, look, out))
		return buffer_error(out, err);
	struct bins bins = {0};
	choose_bins(&range, range.finite, plot_height(look, 16) - 1 - (range.below > 0) - (range.above > 0), &bins);
	bins.counts = mem_zalloc(bins.count + 2, sizeof(*bins.counts));
	struct canvas canvas;
	if (!bins.counts)
		return error_memory(err);
	count_values(series, &range, &bins);
	size_t lines = 1 + bins.count + (range.below > 0) + (range.above > 0);
	if (canvas_init(&canvas, plot_width(look), lines, look->charset, err) < 0) {
		mem_free(bins.counts);
		return -1;
	}
	struct histogram_layout layout;
	lay_out(&canvas, &bins, series, median, &range, &layout);
	char title[128];
	snprintf(title, sizeof(title), "%s%s%s", series->title ? series->title : "values in bins",
	         layout.scale.unit[0] ? ", " : "", layout.scale.unit);
	canvas_text(&canvas, 0, 0, canvas.width, TEXT_LEFT, title, EMPHASIS_STRONG);
	draw_lines(&canvas, &bins, &layout);
	mem_free(bins.counts);
	return plot_finish(&canvas, &range, series->unit, look, out, err);
}
