#include "report/chart.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- runs ---- */

size_t chart_runs(const struct plot_series *series)
{
	return series->starts ? series->run_count : 1;
}

size_t chart_run_start(const struct plot_series *series, size_t run)
{
	return series->starts ? series->starts[run] : run * series->n;
}

size_t chart_run_of(const struct plot_series *series, size_t index)
{
	size_t run = 0;
	while (run + 1 < chart_runs(series) && chart_run_start(series, run + 1) <= index)
		run++;
	return run;
}

static size_t longest_run(const struct plot_series *series)
{
	size_t longest = 0;
	for (size_t run = 0; run < chart_runs(series); run++) {
		size_t length = chart_run_start(series, run + 1) - chart_run_start(series, run);
		longest = length > longest ? length : longest;
	}
	return longest;
}

/* ---- the kinds ---- */

static const char *const own_headings[] = {
	[PLOT_SEQUENCE] = "values in order", [PLOT_LAG] = "value after value", [PLOT_ACF] = "autocorrelation of ranks"};

static void head(struct chart *chart, const char *own)
{
	snprintf(chart->own, sizeof(chart->own), "%s", own);
	chart->heading = chart->series.title ? chart->series.title : chart->own;
}

void chart_sequence(struct chart *chart, const struct plot_series *series, const struct axis_range *range)
{
	bool overlaid = series->overlaid && chart_runs(series) > 1;
	size_t length = series->overlaid ? longest_run(series) : series->n;
	*chart = (struct chart){.kind = PLOT_SEQUENCE, .series = *series};
	chart->x = (struct axis_want){AXIS_COUNT, 1, length > 1 ? (double)length : 2, ""};
	chart->y = (struct axis_want){AXIS_LINEAR, range->low, range->high, series->unit};
	head(chart, overlaid && series->by_machine ? "values of each machine in order"
	            : overlaid                     ? "values of all runs by iteration"
	                                           : own_headings[PLOT_SEQUENCE]);
}

/* Independent values make a cloud, dependent ones a line or clusters. */
static void lag_chart(struct chart *chart, const struct plot_series *series, const struct axis_range *range)
{
	char own[40];
	*chart = (struct chart){
		.kind = PLOT_LAG, .series = *series, .lag = series->lag ? series->lag : 1, .x_title = "value before"};
	chart->x = chart->y = (struct axis_want){AXIS_LINEAR, range->low, range->high, series->unit};
	snprintf(own, sizeof(own), "value %zu after value", chart->lag);
	head(chart, chart->lag > 1 ? own : own_headings[PLOT_LAG]);
}

static void acf_chart(struct chart *chart, const struct plot_series *series, size_t lags)
{
	*chart = (struct chart){.kind = PLOT_ACF, .series = *series, .lags = lags, .x_title = "lag"};
	dependence_acf(series, chart->acf, lags);
	chart->band = series->n > 0 ? fmin(1, 1.96 / sqrt((double)series->n)) : 1;
	double low = -1.3 * chart->band, high = 1.3 * chart->band;
	for (size_t i = 0; i < lags; i++) {
		low = chart->acf[i] < low ? chart->acf[i] : low;
		high = chart->acf[i] > high ? chart->acf[i] : high;
	}
	chart->x = (struct axis_want){AXIS_COUNT, 0, (double)lags + 1, ""};
	chart->y = (struct axis_want){AXIS_LINEAR, fmax(low, -1), fmin(high, 1), ""};
	head(chart, own_headings[PLOT_ACF]);
}

/* ---- beside shuffled ---- */

static void shuffle(double *values, size_t n, uint64_t seed)
{
	struct random random;
	random_seed(&random, seed);
	random_shuffle(&random, values, n, sizeof(*values));
}

int chart_pair_init(struct chart_pair *pair, enum plot_kind kind, const struct plot_series *series, uint64_t seed,
                    size_t columns, struct error *err)
{
	*pair = (struct chart_pair){.range = axis_range_bulk(series->values, series->n)};
	pair->sides[0].heading = own_headings[kind];
	if (pair->range.finite == 0)
		return 0;
	pair->space = mem_alloc(series->n, 2 * sizeof(*pair->space));
	if (!pair->space)
		return error_memory(err);
	double *values = pair->space, *shuffled = pair->space + series->n;
	memcpy(values, series->values, series->n * sizeof(*values));
	if (kind == PLOT_ACF)
		dependence_ranks(series->values, series->n, values, shuffled);
	memcpy(shuffled, values, series->n * sizeof(*values));
	shuffle(shuffled, series->n, seed);
	struct plot_series both[2] = {*series, *series};
	both[0].values = values;
	both[1].values = shuffled;
	both[1].title = "shuffled";
	both[1].mark_count = 0;
	for (size_t side = 0; side < 2; side++)
		if (kind == PLOT_ACF)
			acf_chart(&pair->sides[side], &both[side], dependence_lags(series->n, columns));
		else if (kind == PLOT_LAG)
			lag_chart(&pair->sides[side], &both[side], &pair->range);
		else
			chart_sequence(&pair->sides[side], &both[side], &pair->range);
	/* The same height on both sides. */
	struct axis_want *y[2] = {&pair->sides[0].y, &pair->sides[1].y};
	y[0]->low = y[1]->low = fmin(y[0]->low, y[1]->low);
	y[0]->high = y[1]->high = fmax(y[0]->high, y[1]->high);
	return 0;
}

void chart_pair_release(struct chart_pair *pair)
{
	mem_free(pair->space);
}
