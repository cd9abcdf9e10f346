/* Holm's step-down procedure and that of Benjamini and Hochberg.
 *
 * Holm (1979), Scand. J. Stat. 6:65: with p sorted ascending, adjusted p_(k) =
 * min(1, max_{j ≤ k} (m − j + 1)·p_(j)). Controls the probability of any false call, for any dependence;
 * the p values must be valid one by one (after peeking: stats/critical.h, CRITICAL_ANYTIME).
 *
 * Benjamini and Hochberg (1995), J. R. Stat. Soc. B 57:289: with p sorted ascending, call the first k̂ = max{k :
 * p_(k) ≤ k·α/m}. Controls the false discovery rate of independent comparisons. With p = 1/e it is the e-BH procedure
 * of Wang and Ramdas (2022), J. R. Stat. Soc. B 84:822, which does so for any dependence and any stopping. Where
 * nothing differs, the chance of any call is at most α. */
#include "stats/multiple.h"

#include "base/memory.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

enum stats_status holm_adjust(const double *p, size_t m, double *adjusted)
{
	if (m == 0)
		return STATS_EMPTY;
	for (size_t i = 0; i < m; i++)
		if (!(p[i] >= 0 && p[i] <= 1))
			return STATS_BAD_ARGUMENT;
	size_t *order = mem_alloc(m, sizeof(*order));
	if (!order)
		return STATS_NO_MEMORY;
	gsl_sort_index(order, p, 1, m);
	double largest = 0;
	for (size_t k = 0; k < m; k++) {
		largest = fmax(largest, fmin(1, (double)(m - k) * p[order[k]]));
		adjusted[order[k]] = largest;
	}
	mem_free(order);
	return STATS_OK;
}

enum stats_status bh_called(const double *p, size_t m, double alpha, size_t *called)
{
	if (m == 0)
		return STATS_EMPTY;
	if (!(alpha > 0 && alpha < 1))
		return STATS_BAD_ARGUMENT;
	for (size_t i = 0; i < m; i++)
		if (!(p[i] >= 0 && p[i] <= 1))
			return STATS_BAD_ARGUMENT;
	double *sorted = mem_alloc(m, sizeof(*sorted));
	if (!sorted)
		return STATS_NO_MEMORY;
	memcpy(sorted, p, m * sizeof(*sorted));
	gsl_sort(sorted, 1, m);
	size_t k = m;
	while (k > 0 && !(sorted[k - 1] * (double)m <= (double)k * alpha))
		k--;
	*called = k;
	mem_free(sorted);
	return STATS_OK;
}
