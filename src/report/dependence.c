/* Ranks, because a single far value would hide every dependence of the others. */
#include "report/dependence.h"

#include "report/axis.h"
#include "stats/quantile.h"

#include <math.h>

/* How many of the ascending values lie below x, or below or at x. */
static size_t count_below(const double *sorted, size_t n, double x, bool or_at)
{
	size_t low = 0, high = n;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (sorted[middle] < x || (or_at && sorted[middle] == x))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void dependence_ranks(const double *x, size_t n, double *ranks, double *space)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		if (axis_can_show(x[i]))
			space[count++] = x[i];
	sort_doubles(space, count);
	for (size_t i = 0; i < n; i++) {
		double below = (double)count_below(space, count, x[i], false);
		double up_to = (double)count_below(space, count, x[i], true);
		ranks[i] = axis_can_show(x[i]) ? (below + 1 + up_to) / 2 : NAN;
	}
}

void dependence_acf(const struct plot_series *series, double *acf, size_t lags)
{
	const double *x = series->values;
	double sum = 0, squares = 0;
	size_t count = 0;
	for (size_t i = 0; i < series->n; i++)
		if (axis_can_show(x[i])) {
			sum += x[i];
			count++;
		}
	double mean = count ? sum / (double)count : 0;
	for (size_t i = 0; i < series->n; i++)
		if (axis_can_show(x[i]))
			squares += (x[i] - mean) * (x[i] - mean);
	for (size_t lag = 1; lag <= lags; lag++) {
		double products = 0;
		for (size_t run = 0; run < (series->starts ? series->run_count : 1); run++) {
			size_t first = series->starts ? series->starts[run] : 0;
			size_t end = series->starts ? series->starts[run + 1] : series->n;
			for (size_t i = first + lag; i < end; i++)
				if (axis_can_show(x[i]) && axis_can_show(x[i - lag]))
					products += (x[i] - mean) * (x[i - lag] - mean);
		}
		acf[lag - 1] = squares > 0 ? products / squares : NAN;
	}
}

size_t dependence_lags(size_t n, size_t columns)
{
	size_t lags = columns < DEPENDENCE_LAGS_MAX ? columns : DEPENDENCE_LAGS_MAX;
	lags = lags > n / 4 ? n / 4 : lags;
	return lags ? lags : 1;
}
