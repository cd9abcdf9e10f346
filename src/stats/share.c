/* The slow share of a unit, its mean over units of many iterations, and its count over pairs of single runs.
 *
 * Units of iterations:
 *	d_r = (#{y_i > 1.25·med y} − #{x_i > 1.25·med x})/n
 *	d̄ ± c·√(v/R),   v = max(s_d², (S + 1)/(R·n²)),   S = slow iterations seen on both sides
 *
 * The second term is the variance that counts of this size have at least; without it a few units
 * without any slow iteration would claim certainty. For units of unequal size 1/n² is its mean.
 *
 * Pairs of single runs: b of n are slow on new alone, c on base alone; pairs that are slow on both sides are the
 * machine's. The difference (b − c)/n lies in [L(b) − U(c), U(b) − L(c)], L and U Clopper and Pearson's bounds at half
 * the level each, which needs no large n. The median is that of both sides together, new's values divided by the typical
 * ratio: of two equal halves of fast and slow runs each side's own median may be either, and the sides would seem to
 * differ by half of their runs. It excludes 0 at alpha where L(b) > U(c): the two meet at the share v with
 * P(Bin(n, v) ≥ b) = P(Bin(n, v) ≤ c) = alpha/4.
 *
 * It guards the typical ratio against a real tail: 2 % of iterations that take twice as long are found
 * in 10 to 28 pairs of runs. A tail too rare to be counted (0.2 % of +1000 %) shows only in the total. */
#include "stats/share.h"

#include "base/memory.h"
#include "stats/distribution.h"
#include "stats/proportion.h"
#include "stats/quantile.h"

#include <math.h>
#include <string.h>

static const double slow_factor = 1.25;

static bool is_slow(double x, double median, bool higher_is_better)
{
	return higher_is_better ? slow_factor * x < median : x > slow_factor * median;
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
	struct share share = {.n = n, .median_base = median_base, .median_new = median_new};
	for (size_t i = 0; i < n; i++) {
		share.slow_base += is_slow(base[i], median_base, higher_is_better);
		share.slow_new += is_slow(new_[i], median_new, higher_is_better);
	}
	share.difference = ((double)share.slow_new - (double)share.slow_base) / (double)n;
	*out = share;
	return STATS_OK;
}

enum stats_status share_count(struct share_counts *counts, const double *base, const double *new_, size_t n,
                              double log_ratio, bool higher_is_better)
{
	double *both = mem_alloc(2 * n, sizeof(*both)), ratio = exp(log_ratio);
	if (!both)
		return STATS_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		both[i] = base[i];
		both[n + i] = new_[i] / ratio;
	}
	double median = median_in_place(both, 2 * n);
	mem_free(both);
	for (size_t i = 0; i < n; i++) {
		bool slow_base = is_slow(base[i], median, higher_is_better);
		bool slow_new = is_slow(new_[i] / ratio, median, higher_is_better);
		counts->slow_base += slow_base;
		counts->slow_new += slow_new;
		counts->only_base += slow_base && !slow_new;
		counts->only_new += slow_new && !slow_base;
	}
	counts->pairs += n;
	return STATS_OK;
}

enum stats_status share_exact(const struct share_counts *counts, double alpha, struct interval *out)
{
	struct interval base, new_;
	enum stats_status status = proportion_clopper_pearson(counts->only_base, counts->pairs, 1 - alpha / 2, &base);
	if (status == STATS_OK)
		status = proportion_clopper_pearson(counts->only_new, counts->pairs, 1 - alpha / 2, &new_);
	if (status == STATS_OK)
		*out = (struct interval){new_.low - base.high, new_.high - base.low};
	return status;
}

double share_exact_p(const struct share_counts *counts)
{
	size_t more = counts->only_new > counts->only_base ? counts->only_new : counts->only_base;
	size_t fewer = counts->only_new + counts->only_base - more;
	double n = (double)counts->pairs, low = (double)fewer / n, high = (double)more / n, tail = 1;
	if (counts->pairs == 0 || more == fewer)
		return 1;
	/* One tail falls with the share v, the other rises: they meet between the two shares that were seen. */
	for (int i = 0; i < 60; i++) {
		double v = (low + high) / 2;
		double at_least = binomial_at_least((double)more, n, v), at_most = binomial_at_most((double)fewer, n, v);
		tail = fmax(at_least, at_most);
		*(at_least < at_most ? &low : &high) = v; /* at_least rises with v */
	}
	return fmin(1, 4 * tail);
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
