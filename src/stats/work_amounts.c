/* Li et al. 2016 (Pilot), section III-A: n rounds, each k seconds longer than the one before, the first s seconds long,
 * last T = n·s + k·n(n − 1)/2 seconds, so k = (2T − 2sn)/(n² − n). The paper divides by v where it must
 * multiply: k is a time, k·v the step in work. When k ≤ 0 the rounds are too many for T. Later rounds
 * halve the widest gaps, so that amounts stay apart however many there will be. */
#include "stats/work_amounts.h"

#include "base/memory.h"
#include "stats/quantile.h"

#include <math.h>
#include <string.h>

double work_doubled(double work, double limit)
{
	return fmin(work > 0 ? 2 * work : 1, limit);
}

enum stats_status work_plan(double session, double first, size_t rounds, struct work_plan *out)
{
	if (!(session > 0 && isfinite(session)) || !(first > 0 && isfinite(first)) || rounds < 2)
		return STATS_BAD_ARGUMENT;
	/* k > 0 needs n < T/s. */
	double most = ceil(session / first) - 1;
	if (most < 2)
		return STATS_NOT_DEFINED;
	double n = fmin(most, (double)rounds);
	*out = (struct work_plan){(size_t)n, (2 * session - 2 * first * n) / (n * n - n)};
	return STATS_OK;
}

double work_next_slice(double low, double limit, double last, double *slice)
{
	double steps = floor((last - low) / *slice) + 1;
	double next = low + fmax(steps, 1) * *slice;
	if (next < limit)
		return next;
	*slice = fmax(1, floor(*slice / 2));
	return fmin(low + *slice, limit);
}

enum stats_status work_midpoint(const double *used, size_t n, double low, double high, double *out)
{
	if (!(low < high) || !isfinite(low) || !isfinite(high))
		return STATS_BAD_ARGUMENT;
	for (size_t i = 0; i < n; i++)
		if (!(used[i] >= low && used[i] <= high))
			return STATS_BAD_ARGUMENT;
	double *points = mem_alloc(n + 2, sizeof(*points));
	if (!points)
		return STATS_NO_MEMORY;
	points[0] = low;
	points[1] = high;
	if (n > 0)
		memcpy(points + 2, used, n * sizeof(*points));
	sort_doubles(points, n + 2);
	size_t widest = 1;
	for (size_t i = 2; i < n + 2; i++)
		if (points[i] - points[i - 1] > points[widest] - points[widest - 1])
			widest = i;
	*out = points[widest - 1] + (points[widest] - points[widest - 1]) / 2;
	mem_free(points);
	return STATS_OK;
}

double work_for_readings(double required, double readings, double work_done, size_t rounds, double limit, bool whole)
{
	if (readings >= required)
		return 0;
	if (rounds == 0 || !(readings > 0) || !(work_done > 0))
		return fmin(work_done > (whole ? 1 : 0) ? work_done : 1, limit);
	double wanted = (required - readings) * 1.2 * (work_done / readings);
	double most = 5 * work_done / (double)rounds, next = fmin(wanted, most);
	return fmin(whole ? fmax(1, floor(next)) : next, limit);
}
