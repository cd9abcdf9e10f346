/* Critical values for one look, for a precision stop and for any number of looks.
 *
 * One look:        c = t_{1−α/2, ν}, Student's quantile.
 * Precision stop:  c = t_{1−α/2, ν} · √(1 + 5/R). A stop at "short enough" catches samples whose
 *                  variance came out small; the factor pays for that. Empirical: 90.4, 95.2 and
 *                  99.1 % at nominal 90, 95 and 99 % from 5 runs on, normal data.
 * Any looks:       K = ((1 + R)/α²)^{1/(ν+1)},  c = √(ν(K − 1)/(1 − K/(1 + R))), ∞ if K ≥ 1 + R.
 *                  It is the t at which the e-value of stats/evalue.h reaches 1/α, so by Ville's
 *                  inequality the interval misses at any look with probability at most α.
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
	/* K − 1 by expm1: K nears 1 as ν grows. */
	double log_k = (log1p(runs) - 2 * log(alpha)) / (df + 1);
	double denominator = 1 - exp(log_k) / (1 + runs);
	return denominator > 0 ? sqrt(df * expm1(log_k) / denominator) : INFINITY;
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
	case CRITICAL_ANYTIME: return fmin(1, exp(-evalue_log(t, runs, df)));
	}
	return NAN;
}
