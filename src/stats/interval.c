/* Mean: ȳ ± c·s/√n (Kalibera & Jones eq. 4 with the values of the highest level). Assumes
 * independent values; the mean of few and very skewed ones is covered less often than stated.
 *
 * Median: order statistics x_(k) and x_(n+1−k), k the largest with 2·P(B ≤ k − 1) ≤ 1 − level for
 * B ~ Bin(n, ½) (Conover, Practical Nonparametric Statistics, section 3.2). Assumes independence
 * and nothing about the shape; with ties the coverage is higher. */
#include "stats/interval.h"

#include "stats/order.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdint.h>

enum stats_status interval_of_summary(const struct summary *summary, double c, struct interval *out)
{
	if (!(c >= 0))
		return STATS_BAD_ARGUMENT;
	if (summary->n < 2)
		return STATS_TOO_FEW;
	if (isinf(c)) {
		*out = (struct interval){-INFINITY, INFINITY};
		return STATS_UNBOUNDED;
	}
	double half_width = c * summary->sd / sqrt((double)summary->n);
	*out = (struct interval){summary->mean - half_width, summary->mean + half_width};
	return STATS_OK;
}

enum stats_status interval_mean(const double *x, size_t n, double c, double *mean, struct interval *out)
{
	struct summary summary;
	if (!(c >= 0))
		return STATS_BAD_ARGUMENT;
	enum stats_status status = summary_of(x, n, &summary);
	if (status == STATS_OK)
		status = interval_of_summary(&summary, c, out);
	if (status == STATS_OK || status == STATS_UNBOUNDED)
		*mean = summary.mean;
	return status;
}

/* The largest k with P(B ≤ k − 1) ≤ tail, 0 when there is none; the probability grows with k. */
static size_t symmetric_rank(size_t n, double tail)
{
	size_t reached = 0, beyond = n / 2 + 1;
	while (beyond - reached > 1) {
		size_t middle = reached + (beyond - reached) / 2;
		if (gsl_cdf_binomial_P((unsigned)(middle - 1), 0.5, (unsigned)n) <= tail)
			reached = middle;
		else
			beyond = middle;
	}
	return reached;
}

enum stats_status interval_median(const double *x, size_t n, double level, double *median, struct interval *out)
{
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	if (!(level > 0 && level < 1) || n > UINT32_MAX)
		return STATS_BAD_ARGUMENT;
	/* The guard keeps 1 − 0.96875, a whole power of ½, on the right side of its own rounding. */
	size_t k = symmetric_rank(n, (1 - level) / 2 * (1 + 1e-12));
	if (k == 0)
		return STATS_TOO_FEW;
	const size_t ranks[] = {k - 1, n - k, (n - 1) / 2, n / 2};
	double found[4];
	status = order_statistics(x, n, ranks, 4, found);
	if (status != STATS_OK)
		return status;
	*out = (struct interval){found[0], found[1]};
	*median = found[2] == found[3] ? found[2] : 0.5 * found[2] + 0.5 * found[3];
	return STATS_OK;
}
