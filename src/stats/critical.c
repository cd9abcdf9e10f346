/* Critical values for one look, for a precision stop and for any number of looks.
 *
 * One look:        c = t_{1−α/2, ν}, Student's quantile.
 * Precision stop:  c = t_{1−α/2, ν} · √(1 + 5/R). A stop at "short enough" catches samples whose
 *                  variance came out small; the factor pays for that. Empirical: 90.4, 95.2 and
 *                  99.1 % at nominal 90, 95 and 99 % from 5 runs on, normal data.
 * Any looks:       c solves ½·e(1) + ½·e(100) = 1/α, e(g) the e-value of stats/evalue.h: by Ville's
 *                  inequality the interval misses at any look with probability at most α. ∞ while R is
 *                  too small for the mixture to reach 1/α.
 *
 * Assumed: runs independent, their errors nearly normal or at least of the same shape on both
 * sides of a comparison. Correlated runs: multiply c by the factor of stats/runcorr.h. Skewed
 * data of one system with few runs: no constant repairs what has not been seen. */
#include "stats/critical.h"

#include "stats/distribution.h"
#include "stats/evalue.h"

#include <math.h>

static int arguments_hold(double alpha, double runs, double df)
{
	return alpha > 0 && alpha < 1 && runs >= 1 && df > 0;
}

static double precision_factor(double runs)
{
	return sqrt(1 + 5 / runs);
}

double critical_t(double alpha, double df)
{
	if (!arguments_hold(alpha, 1, df))
		return NAN;
	return -t_quantile(alpha / 2, df); /* the lower tail: 1 − α/2 would lose digits of a small α */
}

double critical_precision(double alpha, double runs, double df)
{
	if (!arguments_hold(alpha, runs, df))
		return NAN;
	return critical_t(alpha, df) * precision_factor(runs);
}

double critical_anytime(double alpha, double runs, double df)
{
	if (!arguments_hold(alpha, runs, df))
		return NAN;
	double wanted = -log(alpha);
	if (!(evalue_mixture_log(INFINITY, runs, df) > wanted))
		return INFINITY;
	/* In x = ln(1 + t²/ν) the logarithm of e is nearly straight: steps of the secant inside a bracket. */
	double low = 0, high = 1, below = evalue_mixture_log(0, runs, df) - wanted, above;
	while ((above = evalue_mixture_log(sqrt(df * expm1(high)), runs, df) - wanted) < 0) {
		low = high;
		below = above;
		high *= 2;
	}
	for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
		/* Every third step halves the bracket: a secant may creep up on one side. */
		double x = i % 3 == 2 ? (low + high) / 2 : low - below * (high - low) / (above - below);
		if (!(x > low && x < high))
			break;
		double value = evalue_mixture_log(sqrt(df * expm1(x)), runs, df) - wanted;
		if (value == 0)
			return sqrt(df * expm1(x));
		*(value < 0 ? &low : &high) = x;
		*(value < 0 ? &below : &above) = value;
	}
	return sqrt(df * expm1(-below < above ? low : high));
}

double critical_value(enum critical_rule rule, double alpha, double runs, double df)
{
	switch (rule) {
	case CRITICAL_FIXED: return arguments_hold(alpha, runs, df) ? critical_t(alpha, df) : NAN;
	case CRITICAL_PRECISION: return critical_precision(alpha, runs, df);
	case CRITICAL_ANYTIME: return critical_anytime(alpha, runs, df);
	}
	return NAN;
}

double critical_p_value(enum critical_rule rule, double t, double runs, double df)
{
	if (isnan(t) || !arguments_hold(0.5, runs, df))
		return NAN;
	switch (rule) {
	case CRITICAL_FIXED: return 2 * t_cdf(-fabs(t), df);
	case CRITICAL_PRECISION: return 2 * t_cdf(-fabs(t) / precision_factor(runs), df);
	case CRITICAL_ANYTIME: return fmin(1, exp(-evalue_mixture_log(t, runs, df)));
	}
	return NAN;
}
