/* F = (Σ n_g·(ȳ_g − ȳ)²/(g − 1)) / (ΣΣ (y − ȳ_g)²/(n − g)).
 *
 * Group means and the grand mean are kept as two doubles each (stats/summary.h), so that differences
 * of means survive thirteen equal leading digits (NIST SmLs07 … 09); what is lost then was already
 * lost when the values became doubles. Assumes independent normal values of one variance. */
#include "stats/anova.h"

#include "stats/distribution.h"
#include "stats/summary.h"

#include <math.h>

static void add_all(struct running *sums, const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		running_add(sums, x[i]);
}

enum stats_status anova_one_way(const double *values, const uint32_t *starts, size_t groups, struct anova *out)
{
	if (groups == 0)
		return STATS_EMPTY;
	const double *x = values + starts[0];
	size_t n = starts[groups] - starts[0];
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	if (groups < 2 || n <= groups)
		return STATS_TOO_FEW;
	struct running all = {0};
	add_all(&all, x, n);
	double between = 0, within = 0;
	for (size_t g = 0; g < groups; g++) {
		size_t size = starts[g + 1] - starts[g];
		if (size == 0)
			return STATS_BAD_ARGUMENT;
		struct running group = {0};
		add_all(&group, values + starts[g], size);
		double distance = (group.mean - all.mean) + (group.mean_low - all.mean_low);
		between += (double)size * distance * distance;
		within += group.squares + group.squares_low;
	}
	if (!isfinite(between) || !isfinite(within))
		return STATS_NOT_DEFINED;
	if (between + within == 0)
		return STATS_CONSTANT;
	struct anova result = {between, within, (double)(groups - 1), (double)(n - groups), 0, 0, 0, 0};
	result.f = within > 0 ? between / result.between_df / (within / result.within_df) : INFINITY;
	result.p = f_upper_tail(result.f, result.between_df, result.within_df);
	result.r_squared = between / (between + within);
	result.residual_sd = sqrt(within / result.within_df);
	*out = result;
	return STATS_OK;
}
