/* The t-test e-value with the prior N(0, g) on the standardised effect:
 *
 *	e(g) = (1 + gR)^{−1/2} · ((1 + t²/ν) / (1 + t²/(ν(1 + gR))))^{(ν+1)/2}
 *
 * and the mixture ½·e(1) + ½·e(100): g = 1 serves effects of about one standard deviation, g = 100 those that are
 * many times larger and should be seen in a handful of pairs.
 *
 * Rouder et al. (2009), Psychon. Bull. Rev. 16:225 give the Bayes factor; that it is a valid
 * e-process for normal data of unknown variance: Wang and Ramdas (2025), arXiv:2310.03722. A mean of e-processes is one.
 * Assumed: independent, nearly normal differences. e(g) is bounded by (1 + gR)^{ν/2}: few runs can
 * never show much. */
#include "stats/evalue.h"

#include <math.h>

double evalue_log(double g, double t, double runs, double df)
{
	if (isnan(t) || !(g > 0) || !(runs >= 1) || !(df > 0))
		return NAN;
	double ratio = t * t / df, prior = g * runs;
	/* ln((1 + x)/(1 + x/(1+gR))) → ln(1 + gR) as x → ∞. */
	double gain = isfinite(ratio) ? log1p(ratio) - log1p(ratio / (1 + prior)) : log1p(prior);
	return 0.5 * ((df + 1) * gain - log1p(prior));
}

double evalue_mixture_log(double t, double runs, double df)
{
	double small = evalue_log(EVALUE_G_SMALL, t, runs, df), large = evalue_log(EVALUE_G_LARGE, t, runs, df);
	double most = fmax(small, large);
	return isnan(small) ? NAN : most + log((exp(small - most) + exp(large - most)) / 2);
}
