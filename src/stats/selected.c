/* Conditional on selection (Zhong and Prentice 2008, Biostatistics 9:621; Ghosh, Zou and Wright 2008, AJHG 82:1064):
 * with Z normal about μ = effect/se and seen only if |Z| > c,
 *
 *	P_μ(Z ≥ z | |Z| > c) = Φ(μ − z)/(Φ(μ − c) + Φ(−μ − c)) for z ≥ c,
 *
 * which grows with μ. The limits are the μ at which it is (1 − level)/2 and (1 + level)/2. Far above c that is z ∓ the
 * usual quantile; near c the lower one falls towards 0, for a small effect that was lucky looks the same. The direction
 * is what the test has shown, so limits of the other sign are 0. */
#include "stats/selected.h"

#include "stats/distribution.h"

#include <math.h>

static double chance(double mu, double z, double c)
{
	double seen = normal_cdf(mu - c) + normal_cdf(-mu - c);
	return seen > 0 ? normal_cdf(mu - z) / seen : 0;
}

/* The μ at which the chance is p, between 0 and far above z. */
static double limit(double z, double c, double p)
{
	double low = 0, high = z + 10;
	if (chance(0, z, c) >= p)
		return 0;
	for (int i = 0; i < 80; i++) {
		double middle = (low + high) / 2;
		*(chance(middle, z, c) < p ? &low : &high) = middle;
	}
	return (low + high) / 2;
}

enum stats_status selected_interval(double estimate, double se, double critical, double level, struct interval *out)
{
	if (!(level > 0 && level < 1) || !(se > 0) || !(critical >= 0) || isinf(critical))
		return STATS_BAD_ARGUMENT;
	if (!isfinite(estimate) || isinf(se))
		return STATS_NOT_FINITE;
	double z = fmax(fabs(estimate) / se, critical), tail = (1 - level) / 2;
	struct interval found = {se * limit(z, critical, tail), se * limit(z, critical, 1 - tail)};
	*out = estimate < 0 ? (struct interval){-found.high, -found.low} : found;
	return STATS_OK;
}
