#include "decide/estimate.h"

#include "stats/critical.h"
#include "stats/precision.h"

#include <math.h>

void estimate_add(struct estimate *estimate, double value)
{
	if (!isnan(value))
		running_add(&estimate->sum, value);
}

/* The part of the half-width by which a precision stop is taken and reported that more values make shorter. */
static double half_width(const struct estimate *estimate, double alpha)
{
	double n = (double)estimate->sum.n;
	if (estimate->sum.n < 2)
		return NAN;
	return critical_precision(alpha, n, n - 1) * sqrt(running_variance(&estimate->sum) / n);
}

void estimate_now(const struct estimate *estimate, double alpha, double *mean, double *low, double *high)
{
	*mean = running_mean(&estimate->sum);
	double half = half_width(estimate, alpha) + estimate->allowance * fabs(*mean);
	*low = *mean - half;
	*high = *mean + half;
}

double estimate_variance(const struct estimate *estimate)
{
	return running_variance(&estimate->sum);
}

bool estimate_is_precise(const struct estimate *estimate, double alpha, double precision, size_t least)
{
	double n = (double)estimate->sum.n;
	struct precision rule = precision_rule(alpha, precision - estimate->allowance);
	return estimate->sum.n >= least && estimate->sum.n > 1 &&
	       precision_reached(&rule, running_mean(&estimate->sum), sqrt(running_variance(&estimate->sum) / n), n, n - 1);
}

double estimate_missing(const struct estimate *estimate, double alpha, double precision, size_t least)
{
	double half = half_width(estimate, alpha), n = (double)estimate->sum.n;
	if (isnan(half))
		return INFINITY;
	double target = (precision - estimate->allowance) * fabs(running_mean(&estimate->sum));
	double needed = target > 0 ? n * (half / target) * (half / target) : half > 0 ? INFINITY : n;
	return fmax(fmax(needed, (double)least) - n, 0);
}
