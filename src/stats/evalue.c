/* The t-test e-value with a unit-information prior (g = 1) on the standardised effect:
 *
 *	E = (1 + R)^{−1/2} · ((1 + t²/ν) / (1 + t²/(ν(1 + R))))^{(ν+1)/2}
 *
 * Rouder et al. (2009), Psychon. Bull. Rev. 16:225 give the Bayes factor; that it is a valid
 * e-process for normal data of unknown variance: Wang and Ramdas (2025), arXiv:2310.03722.
 * Assumed: independent, nearly normal differences. It is bounded by (1 + R)^{ν/2}: few runs can
 * never show much. */
#include "stats/evalue.h"

#include <math.h>

double evalue_log(double t, double runs, double df)
{
	if (isnan(t) || !(runs >= 1) || !(df > 0))
		return NAN;
	double ratio = t * t / df;
	/* ln((1 + x)/(1 + x/(1+R))) → ln(1 + R) as x → ∞. */
	double gain = isfinite(ratio) ? log1p(ratio) - log1p(ratio / (1 + runs)) : log1p(runs);
	return 0.5 * ((df + 1) * gain - log1p(runs));
}

double evalue(double t, double runs, double df)
{
	return exp(evalue_log(t, runs, df));
}
