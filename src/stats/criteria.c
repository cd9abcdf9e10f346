/* CV and RCIW of Laaber et al. (2020), section 4.2.3, for deciding when to stop.
 *
 * CV assumes little and says little: it settles when the spread is known, not the mean. RCIW is a
 * percentile bootstrap over few outermost groups: after a stop on it the interval holds 63 to 80 %
 * instead of 99 %. The rule is usable, its interval is not to be reported; report the t interval
 * over runs.
 *
 * The paper computed widths with the tool `pa`, whose indices come from a folded normal
 * distribution; here they are uniform. */
#include "stats/criteria.h"

#include "stats/bootstrap.h"

#include <math.h>

enum stats_status criteria_cv_so_far(const struct running *values, double *out)
{
	double mean = running_mean(values), variance = running_variance(values);
	if (running_count(values) == 0)
		return STATS_EMPTY;
	if (!isfinite(mean))
		return STATS_NOT_FINITE;
	if (running_count(values) < 2)
		return STATS_TOO_FEW;
	if (!(mean > 0))
		return STATS_NOT_POSITIVE;
	if (!isfinite(variance))
		return STATS_NOT_DEFINED;
	*out = sqrt(variance) / mean;
	return STATS_OK;
}

enum stats_status criteria_cv(const double *x, size_t n, double *out)
{
	struct running running = {0};
	for (size_t i = 0; i < n; i++)
		running_add(&running, x[i]);
	return criteria_cv_so_far(&running, out);
}

struct nested criteria_inside(const struct nested *data)
{
	struct nested inside = *data;
	while (inside.depth > 1 && inside.groups[0] == 1) {
		for (unsigned k = 0; k + 2 < inside.depth; k++) {
			inside.groups[k] = inside.groups[k + 1];
			inside.starts[k] = inside.starts[k + 1];
		}
		inside.depth--;
	}
	return inside;
}

enum stats_status criteria_rciw(const struct nested *data, uint64_t seed, double *out)
{
	struct interval limits;
	double mean;
	enum stats_status status = nested_mean(data, &mean);
	if (status != STATS_OK)
		return status;
	if (!(mean > 0))
		return STATS_NOT_POSITIVE;
	struct nested inside = criteria_inside(data);
	status = bootstrap_mean(&inside, CRITERIA_REPLICATES, CRITERIA_RCIW_LEVEL, seed, &limits);
	if (status == STATS_OK)
		*out = (limits.high - limits.low) / mean;
	return status;
}
