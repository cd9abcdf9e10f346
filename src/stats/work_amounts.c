/* Li et al. 2016 (Pilot), section III-A: n rounds, each k seconds longer than the one before, the first s seconds long,
 * last T = n·s + k·n(n − 1)/2 seconds, so k = (2T − 2sn)/(n² − n). The paper divides by v where it must
 * multiply: k is a time, k·v the step in work. When k ≤ 0 the rounds are too many for T. Later rounds
 * halve the widest gaps, so that amounts stay apart however many there will be. */
#include "stats/work_amounts.h"

#include <math.h>

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
