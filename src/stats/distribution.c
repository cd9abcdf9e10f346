/* GSL's distribution functions behind checks of their arguments.
 *
 * GSL ends its search for a t or beta quantile early: beyond p = 1e-6 the t quantile is off by
 * 1e-11 to 1e-5 (GSL 2.7). Both are polished here with Newton steps on GSL's distribution
 * function, which is good to about 1e-13. */
#include "stats/distribution.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

enum { NEWTON_STEPS = 8 };

double normal_cdf(double x)
{
	return isnan(x) ? NAN : gsl_cdf_ugaussian_P(x);
}

double normal_quantile(double p)
{
	if (!(p >= 0 && p <= 1))
		return NAN;
	/* The upper half through the tail, where p itself has lost the digits that count. */
	return p <= 0.5 ? gsl_cdf_ugaussian_Pinv(p) : gsl_cdf_ugaussian_Qinv(1 - p);
}

double t_cdf(double x, double df)
{
	if (isnan(x) || !(df > 0))
		return NAN;
	if (isinf(df))
		return gsl_cdf_ugaussian_P(x);
	if (isinf(x))
		return x > 0;
	return gsl_cdf_tdist_P(x, df);
}

/* t > 0 with P(T > t) = tail, 0 < tail < ½. */
static double t_upper_quantile(double tail, double df)
{
	double t = gsl_cdf_tdist_Qinv(tail, df);
	if (!isfinite(t) || t <= 0)
		return t;
	for (int i = 0; i < NEWTON_STEPS; i++) {
		double density = gsl_ran_tdist_pdf(t, df);
		double step = density > 0 ? (gsl_cdf_tdist_Q(t, df) - tail) / density : 0;
		if (!(fabs(step) < 0.5 * t))
			break;
		t += step;
		if (fabs(step) <= 1e-9 * t) /* the next step would be below 1e-16 */
			break;
	}
	return t;
}

double t_quantile(double p, double df)
{
	if (!(p >= 0 && p <= 1) || !(df > 0))
		return NAN;
	if (isinf(df))
		return normal_quantile(p);
	if (p == 0.5)
		return 0;
	if (p == 0 || p == 1)
		return p == 0 ? -INFINITY : INFINITY;
	return p < 0.5 ? -t_upper_quantile(p, df) : t_upper_quantile(1 - p, df);
}

double f_upper_tail(double f, double df1, double df2)
{
	if (isnan(f) || !(df1 > 0) || !(df2 > 0))
		return NAN;
	if (f <= 0)
		return 1;
	return isinf(f) ? 0 : gsl_cdf_fdist_Q(f, df1, df2);
}

double chi2_upper_tail(double x, double df)
{
	if (isnan(x) || !(df > 0))
		return NAN;
	if (x <= 0)
		return 1;
	return isinf(x) ? 0 : gsl_cdf_chisq_Q(x, df);
}

double beta_quantile(double p, double a, double b)
{
	if (!(p >= 0 && p <= 1) || !(a > 0) || !(b > 0))
		return NAN;
	if (p == 0 || p == 1)
		return p;
	double low = 0, high = 1, x = gsl_cdf_beta_Pinv(p, a, b);
	if (!(x > 0 && x < 1))
		x = a / (a + b);
	/* Newton inside a bracket that only shrinks; halving where a step would leave it. */
	for (int i = 0; i < 200; i++) {
		double excess = p <= 0.5 ? gsl_cdf_beta_P(x, a, b) - p : (1 - p) - gsl_cdf_beta_Q(x, a, b);
		if (excess == 0)
			break;
		if (excess > 0)
			high = x;
		else
			low = x;
		double density = gsl_ran_beta_pdf(x, a, b);
		double next = density > 0 && isfinite(density) ? x - excess / density : low;
		if (!(next > low && next < high))
			next = 0.5 * (low + high);
		if (fabs(next - x) <= 1e-15 * x || next == low || next == high)
			return next;
		x = next;
	}
	return x;
}

static int is_binomial(double k, double n, double p)
{
	return k >= 0 && k <= n && p >= 0 && p <= 1;
}

double binomial_at_least(double k, double n, double p)
{
	if (!is_binomial(k, n, p))
		return NAN;
	return k == 0 ? 1 : gsl_cdf_beta_P(p, k, n - k + 1);
}

double binomial_at_most(double k, double n, double p)
{
	if (!is_binomial(k, n, p))
		return NAN;
	return k == n ? 1 : gsl_cdf_beta_Q(p, k + 1, n - k);
}
