/* Geyer (1992), Statistical Science 7:473, initial monotone sequence: with Γ_t = r_{2t} + r_{2t+1}
 * (r_0 = 1), sum while Γ_t is positive and let none exceed the one before;
 *	τ = 2·ΣΓ_t − 1,  ESS = n/τ.
 *
 * The sums of adjacent pairs are positive and falling for a reversible Markov chain, so the sequence
 * ends where noise begins. Assumes a stationary series: a trend or a step makes the result small,
 * which is the safe side. τ is the same for every part of such a series, so that of a very long one a
 * part is enough. Lags are computed in growing portions, so that a long series with a short
 * memory stays cheap. */
#include "stats/ess.h"

#include "base/memory.h"
#include "stats/autocorrelation.h"

#include <math.h>
#include <stdbool.h>

/* Sums Γ over the given lags; true when the sequence ended inside them. */
static bool sum_pairs(const double *r, size_t lags, double *sum)
{
	double before = INFINITY;
	*sum = 0;
	for (size_t even = 0; even + 1 <= lags; even += 2) {
		double pair = (even == 0 ? 1 : r[even - 1]) + r[even];
		if (pair <= 0)
			return true;
		before = fmin(before, pair);
		*sum += before;
	}
	return false;
}

enum stats_status effective_sample_size(const double *x, size_t n, double *out)
{
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	if (n < 4)
		return STATS_TOO_FEW;
	double sum = 0, all = (double)n;
	n = n < ESS_MOST ? n : ESS_MOST;
	bool ended = false;
	for (size_t lags = 63; !ended; lags = 8 * lags + 7) {
		ended = lags >= n - 1;
		if (ended)
			lags = n - 1;
		double *r = mem_alloc(lags, sizeof(*r));
		if (!r)
			return STATS_NO_MEMORY;
		status = autocorrelation(x, n, lags, r);
		ended = status != STATS_OK || sum_pairs(r, lags, &sum) || ended;
		mem_free(r);
	}
	if (status == STATS_OK)
		/* The first pair may be ≤ 0 for a series that alternates: worth all its n values. */
		*out = all / fmax(1, 2 * sum - 1);
	return status;
}
