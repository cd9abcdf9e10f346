/* Welch (1947), Biometrika 34:28, with Satterthwaite's degrees of freedom:
 *	t = (ā − b̄)/√(A + B),  A = s_a²/n_a, B = s_b²/n_b,
 *	df = (A + B)²/(A²/(n_a − 1) + B²/(n_b − 1)).
 * Assumes independent values, hence means of runs, not iterations; variances may differ. */
#include "stats/welch.h"

#include "stats/distribution.h"

#include <math.h>

static enum stats_status check(const struct summary *a, const struct summary *b, double share)
{
	if (a->n < 2 || b->n < 2)
		return a->n == 0 || b->n == 0 ? STATS_EMPTY : STATS_TOO_FEW;
	if (!isfinite(a->mean) || !isfinite(b->mean) || !(a->variance >= 0) || !(b->variance >= 0))
		return STATS_NOT_FINITE;
	return share > 0 && share < 1 ? STATS_OK : STATS_BAD_ARGUMENT;
}

/* Shares of the variance instead of squares of it, so that tiny variances do not underflow. */
static double degrees_of_freedom(double va, size_t na, double vb, size_t nb)
{
	double sum = va + vb;
	if (sum == 0)
		return (double)(na + nb - 2);
	double a = va / sum, b = vb / sum;
	return 1 / (a * a / (double)(na - 1) + b * b / (double)(nb - 1));
}

enum stats_status welch_from(const struct summary *a, const struct summary *b, double level, struct welch *out)
{
	enum stats_status status = check(a, b, level);
	if (status != STATS_OK)
		return status;
	double va = a->variance / (double)a->n, vb = b->variance / (double)b->n;
	double difference = a->mean - b->mean, se = sqrt(va + vb);
	if (!isfinite(difference) || !isfinite(se))
		return STATS_NOT_DEFINED;
	struct welch result = {.difference = difference, .df = degrees_of_freedom(va, a->n, vb, b->n)};
	if (se > 0)
		result.t = difference / se;
	else
		result.t = difference == 0 ? 0 : copysign(INFINITY, difference);
	result.p = result.t == 0 ? 1 : 2 * t_cdf(-fabs(result.t), result.df);
	double half_width = -t_quantile((1 - level) / 2, result.df) * se;
	result.interval = (struct interval){difference - half_width, difference + half_width};
	*out = result;
	return STATS_OK;
}

enum stats_status welch_test(const double *a, size_t na, const double *b, size_t nb, double level, struct welch *out)
{
	struct summary sa, sb;
	enum stats_status status = summary_of(a, na, &sa);
	if (status == STATS_OK)
		status = summary_of(b, nb, &sb);
	return status == STATS_OK ? welch_from(&sa, &sb, level, out) : status;
}
