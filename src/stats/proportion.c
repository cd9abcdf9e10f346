/* Wilson (1927), JASA 22:209: the proportions that a score test does not reject,
 *	(p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n).
 * Clopper and Pearson (1934), Biometrika 26:404: those that neither exact tail test rejects,
 *	[B⁻¹(α/2; k, n−k+1), B⁻¹(1−α/2; k+1, n−k)] with the beta quantile.
 * Both assume independent trials of one probability. A Wald interval, also with a t quantile,
 * says ± 0 for 30 of 30 and is not offered. */
#include "stats/proportion.h"

#include "stats/distribution.h"

#include <math.h>

static enum stats_status check(size_t successes, size_t n, double level)
{
	if (n == 0)
		return STATS_EMPTY;
	return successes > n || !(level > 0 && level < 1) ? STATS_BAD_ARGUMENT : STATS_OK;
}

enum stats_status proportion_wilson(size_t successes, size_t n, double level, struct interval *out)
{
	enum stats_status status = check(successes, n, level);
	if (status != STATS_OK)
		return status;
	double count = (double)n, p = (double)successes / count, q = (double)(n - successes) / count;
	double z = -normal_quantile((1 - level) / 2), zz = z * z / count;
	double centre = p + zz / 2, half = sqrt(zz * (p * q + zz / 4));
	/* At the ends the bound is 0 or 1 exactly; rounding must not leave it beside. */
	*out = (struct interval){successes == 0 ? 0 : (centre - half) / (1 + zz),
	                         successes == n ? 1 : (centre + half) / (1 + zz)};
	return STATS_OK;
}

enum stats_status proportion_clopper_pearson(size_t successes, size_t n, double level, struct interval *out)
{
	enum stats_status status = check(successes, n, level);
	if (status != STATS_OK)
		return status;
	double k = (double)successes, failures = (double)(n - successes), tail = (1 - level) / 2;
	*out = (struct interval){successes == 0 ? 0 : beta_quantile(tail, k, failures + 1),
	                         successes == n ? 1 : 1 - beta_quantile(tail, failures, k + 1)};
	return STATS_OK;
}

/* Donner and Zou (2012), Stat Methods Med Res 21:347: with limits (l₁, u₁) of p₁ and (l₂, u₂) of p₂ the limits of p₁/p₂
 * are (p₁p₂ ∓ √((p₁p₂)² − l₁u₂(2p₁ − l₁)(2p₂ − u₂)))/(u₂(2p₂ − u₂)) and the same with the other ends. The lower one is
 * written as l₁(2p₁ − l₁)/(p₁p₂ + √(…)), for a rare success may have u₂ ≥ 2p₂. */
enum stats_status proportion_ratio(size_t base_successes, size_t base_n, size_t new_successes, size_t new_n,
                                   double level, double *ratio, struct interval *out)
{
	struct interval base, new_;
	enum stats_status status = proportion_wilson(base_successes, base_n, level, &base);
	if (status == STATS_OK)
		status = proportion_wilson(new_successes, new_n, level, &new_);
	if (status != STATS_OK)
		return status;
	double p1 = (double)new_successes / (double)new_n, p2 = (double)base_successes / (double)base_n, both = p1 * p2;
	double below = base.high * (2 * p2 - base.high), above = base.low * (2 * p2 - base.low);
	double lower = new_.low * (2 * p1 - new_.low), upper = new_.high * (2 * p1 - new_.high);
	if (!(above > 0))
		return STATS_UNBOUNDED;
	*ratio = p1 / p2;
	*out = (struct interval){lower > 0 ? lower / (both + sqrt(fmax(both * both - lower * below, 0))) : 0,
	                         (both + sqrt(fmax(both * both - upper * above, 0))) / above};
	return STATS_OK;
}

double proportion_unseen(size_t n, double level)
{
	if (!(level > 0 && level < 1))
		return NAN;
	return n == 0 ? 1 : -expm1(log1p(-level) / (double)n);
}
