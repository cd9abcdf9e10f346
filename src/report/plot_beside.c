/* A plot beside the same plot of the same values in random order: what looks the same on
 * both sides is chance (Kalibera and Jones 2013, section 6). */
#include "report/plot_draw.h"

#include "base/memory.h"
#include "base/random.h"
#include "report/dependence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GAP = 3 };

static void draw_acf_pair(struct canvas *canvas, const struct canvas_area sides[2], const struct plot_series pair[2])
{
	double acf[2][DEPENDENCE_LAGS_MAX], low[2], high[2];
	size_t n = pair[0].n, lags = dependence_lags(n, sides[0].width / 2);
	for (size_t side = 0; side < 2; side++) {
		dependence_acf(&pair[side], acf[side], lags);
		plot_acf_range(acf[side], lags, n, &low[side], &high[side]);
	}
	for (size_t side = 0; side < 2; side++)
		plot_draw_acf(canvas, sides[side], pair[side].title, acf[side], lags, n, fmin(low[0], low[1]),
		              fmax(high[0], high[1]));
}

static void draw_pair(struct canvas *canvas, enum plot_kind kind, const struct plot_series pair[2],
                      const struct axis_range *range)
{
	size_t left = (canvas->width - GAP) / 2;
	struct canvas_area sides[2] = {
		{0, 0, left, canvas->height},
		{canvas->width - left, 0, left, canvas->height},
	};
	if (kind == PLOT_ACF) {
		draw_acf_pair(canvas, sides, pair);
		return;
	}
	for (size_t side = 0; side < 2; side++) {
		if (kind == PLOT_SEQUENCE)
			plot_draw_sequence(canvas, sides[side], &pair[side], range);
		else
			plot_draw_lag(canvas, sides[side], &pair[side], pair[side].lag ? pair[side].lag : 1, range);
	}
}

static int beside(enum plot_kind kind, const struct plot_series *series, double *shuffled,
                  const struct axis_range *range, uint64_t seed, const struct look *look, struct buffer *out,
                  struct error *err)
{
	static const char *const titles[] = {
		[PLOT_SEQUENCE] = "values in order", [PLOT_LAG] = "value after value", [PLOT_ACF] = "autocorrelation of ranks"};
	size_t width = plot_width(look) < 2 * PLOT_LEAST_WIDTH + GAP ? 2 * PLOT_LEAST_WIDTH + GAP : plot_width(look);
	struct canvas canvas;
	if (canvas_init(&canvas, width, plot_height(look, 12), look->charset, err) < 0)
		return -1;
	memcpy(shuffled, series->values, series->n * sizeof(*shuffled));
	struct random random;
	random_seed(&random, seed);
	random_shuffle(&random, shuffled, series->n, sizeof(*shuffled));
	struct plot_series pair[2] = {*series, *series};
	char later[64];
	snprintf(later, sizeof(later), "value %zu after value", series->lag);
	pair[0].title = series->title ? series->title : kind == PLOT_LAG && series->lag > 1 ? later : titles[kind];
	pair[1].title = "shuffled";
	pair[1].values = shuffled;
	pair[1].mark_count = 0;
	draw_pair(&canvas, kind, pair, range);
	return plot_finish(&canvas, kind == PLOT_ACF ? NULL : range, series->unit, look, out, err);
}

int plot_beside_shuffled(enum plot_kind kind, const struct plot_series *series, uint64_t seed, const struct look *look,
                         struct buffer *out, struct error *err)
{
	struct axis_range range = axis_range_bulk(series->values, series->n);
	if (!plot_has_values(&range, look, out))
		return buffer_error(out, err);
	double *shuffled = mem_alloc(series->n, sizeof(*shuffled));
	double *ranks = kind == PLOT_ACF && shuffled ? mem_alloc(series->n, sizeof(*ranks)) : NULL;
	struct plot_series shown = *series;
	if (!shuffled || (kind == PLOT_ACF && !ranks)) {
		mem_free(shuffled);
		return error_memory(err);
	}
	if (kind == PLOT_ACF) {
		dependence_ranks(series->values, series->n, ranks, shuffled);
		shown.values = ranks;
	}
	int status = beside(kind, &shown, shuffled, &range, seed, look, out, err);
	mem_free(ranks);
	mem_free(shuffled);
	return status;
}
