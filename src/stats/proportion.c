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

double proportion_unseen(size_t n, double level)
{
	if (!(level > 0 && level < 1))
		return NAN;
	return n == 0 ? 1 : -expm1(log1p(-level) / (double)n);
}
