/* Kalibera and Jones 2013, eq. 4: the interval of a mean over the means of the highest level.
 *
 * S_n² is the sample variance of those means. It holds what every level below adds, in the
 * proportion in which it reaches the mean, so no other variance is needed and pooling the values
 * (which would take dependent ones for independent) is avoided.
 *
 * Assumed: outermost groups independent, their means nearly normal. libkalibera's `confidence95`
 * takes the one-sided t quantile here, which makes it a 90 % interval. */
#include "stats/level_mean.h"

#include "base/memory.h"
#include "stats/summary.h"

#include <math.h>

enum stats_status level_mean_interval(const struct nested *data, double confidence, enum critical_rule rule,
                                      double *mean, struct interval *out)
{
	struct summary summary;
	enum stats_status status = nested_check(data);
	if (status != STATS_OK)
		return status;
	if (!(confidence > 0 && confidence < 1))
		return STATS_BAD_ARGUMENT;
	size_t runs = nested_top(data);
	if (runs < 2)
		return STATS_TOO_FEW;
	double *means = mem_alloc(runs, sizeof(*means));
	if (!means)
		return STATS_NO_MEMORY;
	status = nested_means(data, 0, means);
	if (status == STATS_OK)
		status = summary_of(means, runs, &summary);
	mem_free(means);
	if (status != STATS_OK)
		return status;
	double c = critical_value(rule, 1 - confidence, (double)runs, (double)runs - 1);
	double half_width = c * sqrt(summary.variance / (double)runs);
	*mean = summary.mean;
	if (isinf(c)) {
		*out = (struct interval){-INFINITY, INFINITY};
		return STATS_UNBOUNDED;
	}
	*out = (struct interval){summary.mean - half_width, summary.mean + half_width};
	return STATS_OK;
}
