#include "decide/estimate.h"

#include "stats/critical.h"
#include "stats/precision.h"

#include <math.h>

void estimate_add(struct estimate *estimate, double value)
{
	enum mean_kind kind = estimate->kind;
	if (isnan(value))
		return;
	estimate->unfit |= kind != MEAN_ARITHMETIC && !(value > 0);
	runcorr_add(&estimate->order, value);
	running_add(&estimate->sum, kind == MEAN_HARMONIC ? 1 / value : kind == MEAN_GEOMETRIC ? log(value) : value);
}

/* What a relative half-width is relative to: that of a mean of logarithms is one already. */
static double scale_of(const struct estimate *estimate)
{
	return estimate->kind == MEAN_GEOMETRIC ? 1 : fabs(running_mean(&estimate->sum));
}

/* The standard error of what is summed, with the correlation in time allowed for as the conclusion does. */
static double standard_error(const struct estimate *estimate)
{
	return runcorr_now(&estimate->order) * sqrt(running_variance(&estimate->sum) / (double)estimate->sum.n);
}

/* The part of the half-width by which a precision stop is taken and reported that more values make shorter. */
static double half_width(const struct estimate *estimate, double alpha)
{
	double n = (double)estimate->sum.n;
	if (estimate->sum.n < 2)
		return NAN;
	return critical_precision(alpha, n, n - 1) * standard_error(estimate);
}

void estimate_now(const struct estimate *estimate, double alpha, double *mean, double *low, double *high)
{
	double m = estimate->unfit ? NAN : running_mean(&estimate->sum);
	double half = half_width(estimate, alpha) + estimate->allowance * scale_of(estimate);
	bool harmonic = estimate->kind == MEAN_HARMONIC, geometric = estimate->kind == MEAN_GEOMETRIC;
	*mean = harmonic ? 1 / m : geometric ? exp(m) : m;
	*low = harmonic ? 1 / (m + half) : geometric ? exp(m - half) : m - half;
	*high = harmonic ? (half >= m ? INFINITY : 1 / (m - half)) : geometric ? exp(m + half) : m + half;
}

double estimate_variance(const struct estimate *estimate)
{
	return running_variance(&estimate->sum);
}

bool estimate_is_precise(const struct estimate *estimate, double alpha, double precision, size_t least)
{
	double n = (double)estimate->sum.n;
	struct precision rule = precision_rule(alpha, precision - estimate->allowance);
	return !estimate->unfit && estimate->sum.n >= least && estimate->sum.n > 1 &&
	       precision_reached(&rule, scale_of(estimate), standard_error(estimate), n, n - 1);
}

double estimate_missing(const struct estimate *estimate, double alpha, double precision, size_t least)
{
	double half = half_width(estimate, alpha), n = (double)estimate->sum.n;
	if (isnan(half) || estimate->unfit)
		return INFINITY;
	double target = (precision - estimate->allowance) * scale_of(estimate);
	double needed = target > 0 ? n * (half / target) * (half / target) : half > 0 ? INFINITY : n;
	return fmax(fmax(needed, (double)least) - n, 0);
}
