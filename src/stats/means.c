/* Harmonic mean: y = 1/x, H = 1/ȳ, interval [1/(ȳ + d), 1/(ȳ − d)] with d = c·s_y/√n; no finite
 * upper bound when d ≥ ȳ. (The delta method's symmetric H ± c·H²·s_y/√n is too short above.)
 *
 * Geometric mean: l = ln x, exp(l̄ ± c·s_l/√n).
 *
 * Both assume independent values whose transform is not far from normal. */
#include "stats/means.h"

#include "stats/summary.h"

#include <math.h>

static double reciprocal(double x)
{
	return 1 / x;
}

/* Mean and variance of f(x). */
static enum stats_status transformed(const double *x, size_t n, double (*f)(double), struct running *sums)
{
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	*sums = (struct running){0};
	for (size_t i = 0; i < n; i++) {
		if (x[i] <= 0)
			return STATS_NOT_POSITIVE;
		running_add(sums, f(x[i]));
	}
	return isfinite(running_mean(sums)) ? STATS_OK : STATS_NOT_DEFINED;
}

static double half_width_of(const struct running *sums, double c)
{
	return c * sqrt(running_variance(sums) / (double)sums->n);
}

static enum stats_status check_interval(size_t n, double c)
{
	if (!(c >= 0))
		return STATS_BAD_ARGUMENT;
	return n < 2 ? STATS_TOO_FEW : STATS_OK;
}

enum stats_status mean_harmonic(const double *x, size_t n, double c, double *mean, struct interval *out)
{
	struct running sums;
	enum stats_status status = transformed(x, n, reciprocal, &sums);
	if (status == STATS_OK && out)
		status = check_interval(n, c);
	if (status != STATS_OK)
		return status;
	double y = running_mean(&sums);
	*mean = 1 / y;
	if (!out)
		return STATS_OK;
	double d = half_width_of(&sums, c);
	if (!(d < y)) {
		*out = (struct interval){isfinite(d) ? 1 / (y + d) : 0, INFINITY};
		return STATS_UNBOUNDED;
	}
	*out = (struct interval){1 / (y + d), 1 / (y - d)};
	return STATS_OK;
}

enum stats_status mean_geometric(const double *x, size_t n, double c, double *mean, struct interval *out)
{
	struct running sums;
	enum stats_status status = transformed(x, n, log, &sums);
	if (status == STATS_OK && out)
		status = check_interval(n, c);
	if (status != STATS_OK)
		return status;
	double l = running_mean(&sums);
	*mean = exp(l);
	if (!out)
		return STATS_OK;
	double d = half_width_of(&sums, c);
	if (!isfinite(exp(l + d))) {
		*out = (struct interval){isfinite(d) ? exp(l - d) : 0, INFINITY};
		return STATS_UNBOUNDED;
	}
	*out = (struct interval){exp(l - d), exp(l + d)};
	return STATS_OK;
}
