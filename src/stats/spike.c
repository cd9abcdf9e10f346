/* Isolated outliers of a series with levels.
 *
 *	d_i = distance of x_i from [min(l, r), max(l, r)],  l and r the medians of up to five values on each side
 *	limit = max(6, 1.2·Φ⁻¹(1 − 0.005/n)) · 1.4826 · median |x_i − median of its neighbours|
 *
 * Both medians, because at a change of level a point belongs to one side and is far from the other (a filter
 * about one running median calls the first points of a new level outliers). Six standard deviations of normal
 * noise are never reached by chance; a heavy tail reaches them often, hence the limit on their number. Two
 * neighbours that stand apart in the same direction are not single; a short level is the change-point search's. */
#include "stats/spike.h"

#include "base/memory.h"
#include "stats/distribution.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { HALF = 5 };

static double median_around(const double *x, size_t from, size_t to, size_t except)
{
	double near[2 * HALF];
	size_t count = 0;
	for (size_t i = from; i < to; i++)
		if (i != except)
			near[count++] = x[i];
	return median_in_place(near, count);
}

/* Signed distance outside the two medians, 0 between them; 0 < i < n − 1. */
static double distance_outside(const double *x, size_t n, size_t i)
{
	double left = median_around(x, i < HALF ? 0 : i - HALF, i, n);
	double right = median_around(x, i + 1, n - i <= HALF ? n : i + HALF + 1, n);
	double low = fmin(left, right), high = fmax(left, right);
	if (x[i] > high)
		return x[i] - high;
	return x[i] < low ? x[i] - low : 0;
}

/* |x_i − median of its neighbours| in away[], and the limit from their median; `room` is as long. */
static double noise_limit(const double *x, size_t n, double *away, double *room)
{
	for (size_t i = 0; i < n; i++)
		away[i] = fabs(x[i] - median_around(x, i < HALF ? 0 : i - HALF, n - i <= HALF ? n : i + HALF + 1, i));
	memcpy(room, away, n * sizeof(*room));
	double spread = 1.4826 * median_in_place(room, n);
	return fmax(6, -1.2 * normal_quantile(0.005 / (double)n)) * spread;
}

/* A neighbour that is nearer to x[i] than x[i] is to the medians keeps it company. */
static bool is_isolated(const double *x, size_t i, double outside)
{
	double near = fabs(outside) / 2;
	return fabs(x[i - 1] - x[i]) > near && fabs(x[i + 1] - x[i]) > near;
}

enum stats_status spike_points(const double *x, size_t n, size_t **places, size_t *count)
{
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	double *away = mem_alloc(n, sizeof(*away)), *room = mem_alloc(n, sizeof(*room));
	size_t *found = mem_alloc(n, sizeof(*found)), number = 0, most = n / 50 < 2 ? 2 : n / 50;
	if (!away || !room || !found) {
		mem_free(away);
		mem_free(room);
		mem_free(found);
		return STATS_NO_MEMORY;
	}
	if (n >= 3) {
		double limit = noise_limit(x, n, away, room);
		for (size_t i = 1; i + 1 < n; i++) {
			if (away[i] <= limit) /* their median lies between the two */
				continue;
			double outside = distance_outside(x, n, i);
			if (fabs(outside) > limit && is_isolated(x, i, outside))
				found[number++] = i;
		}
	}
	mem_free(away);
	mem_free(room);
	if (number == 0 || number > most) {
		mem_free(found);
		found = NULL;
		number = 0;
	}
	*places = found;
	*count = number;
	return STATS_OK;
}
