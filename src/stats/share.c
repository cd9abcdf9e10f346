/* The slow share of a unit and its mean over units.
 *
 *	d_r = (#{y_i > 1.25·med y} − #{x_i > 1.25·med x})/n
 *	d̄ ± c·√(v/R),   v = max(s_d², (S + 1)/(R·n²)),   S = slow iterations seen on both sides
 *
 * The second term is the variance that counts of this size have at least; without it a few units
 * without any slow iteration would claim certainty. For units of unequal size 1/n² is its mean.
 *
 * It guards the typical ratio against a real tail: 2 % of iterations that take twice as long are found
 * in 10 to 28 pairs of runs. A tail too rare to be counted (0.2 % of +1000 %) shows only in the total. */
#include "stats/share.h"

#include "base/memory.h"
#include "stats/quantile.h"

#include <math.h>
#include <string.h>

static const double slow_factor = 1.25;

static size_t count_slow(const double *x, size_t n, double median, bool higher_is_better)
{
	size_t slow = 0;
	for (size_t i = 0; i < n; i++)
		slow += higher_is_better ? slow_factor * x[i] < median : x[i] > slow_factor * median;
	return slow;
}

enum stats_status share_of(const double *base, const double *new_, size_t n, bool higher_is_better, struct share *out)
{
	enum stats_status status = stats_check_finite(base, n);
	if (status == STATS_OK)
		status = stats_check_finite(new_, n);
	if (status != STATS_OK)
		return status;
	double *copy = mem_alloc(n, sizeof(*copy));
	if (!copy)
		return STATS_NO_MEMORY;
	memcpy(copy, base, n * sizeof(*copy));
	double median_base = median_in_place(copy, n);
	memcpy(copy, new_, n * sizeof(*copy));
	double median_new = median_in_place(copy, n);
	mem_free(copy);
	size_t slow_base = count_slow(base, n, median_base, higher_is_better);
	size_t slow_new = count_slow(new_, n, median_new, higher_is_better);
	*out = (struct share){n,           slow_base, slow_new, ((double)slow_new - (double)slow_base) / (double)n,
	                      median_base, median_new};
	return STATS_OK;
}

void share_add(struct share_sum *sum, const struct share *unit)
{
	double n = (double)unit->n;
	running_add(&sum->difference, unit->difference);
	running_add(&sum->base, (double)unit->slow_base / n);
	running_add(&sum->new_, (double)unit->slow_new / n);
	sum->slow += (double)(unit->slow_base + unit->slow_new);
	sum->inverse_squares += 1 / (n * n);
}

enum stats_status share_estimate(const struct share_sum *sum, struct share_estimate *out)
{
	size_t units = running_count(&sum->difference);
	if (units < 2)
		return units == 0 ? STATS_EMPTY : STATS_TOO_FEW;
	double r = (double)units;
	double least = (sum->slow + 1) / r * (sum->inverse_squares / r);
	double variance = fmax(running_variance(&sum->difference), least);
	*out = (struct share_estimate){running_mean(&sum->base), running_mean(&sum->new_), running_mean(&sum->difference),
	                               sqrt(variance / r), r - 1};
	return STATS_OK;
}
