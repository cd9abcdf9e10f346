/* Quantiles after Hyndman and Fan (1996), American Statistician 50:361, with the guard of
 * R's quantile(): a position within 4 ε of a whole number is that number, so that rounding
 * in n·p does not pick the neighbour.
 *
 * Types 1 … 3 choose an order statistic (inverse of the step function, its average at the
 * steps, the nearest even one); types 4 … 9 interpolate at position a + p(n + 1 − a − b). */
#include "stats/quantile.h"

#include "base/memory.h"
#include "stats/order.h"

#include <float.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

void sort_doubles(double *x, size_t n)
{
	gsl_sort(x, 1, n);
}

/* Where a quantile lies: x_(below) and x_(below + 1), 1-based, the second with this weight. */
struct place {
	double below, weight;
};

static struct place place_of(size_t n, double p, int type)
{
	static const double a[] = {0, 0.5, 0, 1, 1 / 3., 3 / 8.}, b[] = {1, 0.5, 0, 1, 1 / 3., 3 / 8.};
	double count = (double)n, fuzz = 4 * DBL_EPSILON, position;
	if (type <= 3)
		position = type == 3 ? count * p - 0.5 : count * p;
	else
		position = a[type - 4] + p * (count + 1 - a[type - 4] - b[type - 4]);
	double below = floor(position + fuzz);
	double weight = position - below;
	bool whole = fabs(weight) < fuzz;
	if (type == 1)
		weight = !whole;
	else if (type == 2)
		weight = whole ? 0.5 : 1;
	else if (type == 3)
		weight = !whole || fmod(below, 2) != 0;
	else if (whole)
		weight = 0;
	return (struct place){below, weight};
}

/* The 0-based index of x_(j), with the ends repeated. */
static size_t index_of(double j, size_t n)
{
	if (j < 1)
		return 0;
	return j >= (double)n ? n - 1 : (size_t)j - 1;
}

static double between(double low, double high, double weight)
{
	/* The ends first: 0 · ∞ would be NaN. */
	if (weight == 0 || low == high)
		return low;
	return weight == 1 ? high : (1 - weight) * low + weight * high;
}

static bool is_quantile(double p, int type)
{
	return p >= 0 && p <= 1 && type >= 1 && type <= 9;
}

double quantile_sorted(const double *sorted, size_t n, double p, int type)
{
	if (!is_quantile(p, type))
		return NAN;
	struct place place = place_of(n, p, type);
	return between(sorted[index_of(place.below, n)], sorted[index_of(place.below + 1, n)], place.weight);
}

enum stats_status quantiles_of(const double *x, size_t n, const double *p, size_t count, int type, double *out)
{
	size_t ranks[2 * QUANTILES_MOST] = {0};
	double values[2 * QUANTILES_MOST];
	if (count > QUANTILES_MOST)
		return STATS_BAD_ARGUMENT;
	for (size_t i = 0; i < count; i++) {
		if (!is_quantile(p[i], type))
			return STATS_BAD_ARGUMENT;
		struct place place = place_of(n, p[i], type);
		ranks[2 * i] = n > 0 ? index_of(place.below, n) : 0;
		ranks[2 * i + 1] = n > 0 ? index_of(place.below + 1, n) : 0;
	}
	enum stats_status status = order_statistics(x, n, ranks, 2 * count, values);
	for (size_t i = 0; i < count && status == STATS_OK; i++)
		out[i] = between(values[2 * i], values[2 * i + 1], place_of(n, p[i], type).weight);
	return status;
}

double median_in_place(double *x, size_t n)
{
	double high = gsl_stats_select(x, 1, n, n / 2);
	if (n % 2 == 1)
		return high;
	/* The selection leaves the smaller half in front. */
	double low = x[0];
	for (size_t i = 1; i < n / 2; i++)
		if (x[i] > low)
			low = x[i];
	return low == high ? low : 0.5 * low + 0.5 * high;
}

static double *copy_of(const double *x, size_t n)
{
	double *copy = mem_alloc(n, sizeof(*copy));
	if (copy)
		memcpy(copy, x, n * sizeof(*copy));
	return copy;
}

enum stats_status median_of(const double *x, size_t n, double *out)
{
	if (n > ORDER_LARGE)
		return quantiles_of(x, n, (const double[]){0.5}, 1, 7, out);
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	double *copy = copy_of(x, n);
	if (!copy)
		return STATS_NO_MEMORY;
	*out = median_in_place(copy, n);
	mem_free(copy);
	return STATS_OK;
}

enum stats_status mad_about(const double *x, size_t n, double centre, double *out)
{
	if (n > ORDER_LARGE) {
		const size_t middle[] = {(n - 1) / 2, n / 2};
		double around[2];
		enum stats_status status = order_of_distances(x, n, centre, middle, 2, around);
		if (status == STATS_OK)
			*out = between(around[0], around[1], 0.5);
		return status;
	}
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	double *copy = mem_alloc(n, sizeof(*copy));
	if (!copy)
		return STATS_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		copy[i] = fabs(x[i] - centre);
	*out = median_in_place(copy, n);
	mem_free(copy);
	return STATS_OK;
}

enum stats_status mad_of(const double *x, size_t n, double *out)
{
	double median;
	enum stats_status status = median_of(x, n, &median);
	return status == STATS_OK ? mad_about(x, n, median, out) : status;
}
