/* The KLD criterion of Laaber et al. (2020), after He et al. (2019), as the code behind its numbers has it.
 *
 *	P = 2^(−KL(a‖b)) · 2^(−KL(b‖a)),  KL(p‖q) = Σ p·ln(p/q)·Δ
 * over 1000 grid points from lo to hi, both included, Δ = (hi − lo)/999; p and q are the kernel
 * densities of stats/kde.h, not normalised on the grid; points where either is 0 are left out.
 * lo, hi: the smaller q₁ − 1.5·IQR and the larger q₃ + 1.5·IQR of the two samples (quartiles of
 * type 6), each lo at least 0. No point in common: P = 0. A bandwidth of 0: P = 1.
 *
 * What it assumes: nothing about shape; but the logarithm is natural while the power is of 2, and
 * two samples of one distribution give 0.993 ± 0.004, so the usual threshold of 0.99 lies in its
 * noise. It says "alike so far", never "the same". */
#include "stats/kld.h"

#include "base/memory.h"
#include "stats/kde.h"
#include "stats/quantile.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>

static struct interval tukey_range(const double *sorted, size_t n)
{
	double q1 = quantile_sorted(sorted, n, 0.25, 6), q3 = quantile_sorted(sorted, n, 0.75, 6);
	return (struct interval){fmax(q1 - 1.5 * (q3 - q1), 0), q3 + 1.5 * (q3 - q1)};
}

/* Σ p·ln(p/q)·Δ where both are positive; INFINITY when nowhere. */
static double divergence(const double *p, const double *q, double step)
{
	double sum = 0;
	int common = 0;
	for (int j = 0; j < KLD_POINTS; j++) {
		if (p[j] > 0 && q[j] > 0) {
			sum += p[j] * log(p[j] / q[j]);
			common = 1;
		}
	}
	return common ? sum * step : INFINITY;
}

typedef enum stats_status density_function(const double *sorted, size_t n, double h, double low, double step,
                                           size_t points, double *density);

static enum stats_status plain_density(const double *sorted, size_t n, double h, double low, double step, size_t points,
                                       double *density)
{
	kde_on_grid(sorted, n, h, low, step, points, density);
	return STATS_OK;
}

/* densities has room for two grids. */
static enum stats_status compare(const struct kld_sample *a, const struct kld_sample *b, density_function *density,
                                 double *densities, struct kld *out)
{
	struct interval range_a = tukey_range(a->sorted, a->n), range_b = tukey_range(b->sorted, b->n);
	struct kld kld = {.probability = 1,
	                  .low = fmin(range_a.low, range_b.low),
	                  .high = fmax(range_a.high, range_b.high),
	                  .bandwidth_a = kde_bandwidth(a->sorted, a->n, a->sd),
	                  .bandwidth_b = kde_bandwidth(b->sorted, b->n, b->sd)};
	if (kld.high < kld.low)
		return STATS_NOT_POSITIVE;
	double step = (kld.high - kld.low) / (KLD_POINTS - 1);
	if (!isfinite(step) || !isfinite(kld.bandwidth_a) || !isfinite(kld.bandwidth_b))
		return STATS_NOT_DEFINED;
	if (kld.bandwidth_a > 0 && kld.bandwidth_b > 0 && step > 0) {
		enum stats_status status = density(a->sorted, a->n, kld.bandwidth_a, kld.low, step, KLD_POINTS, densities);
		if (status == STATS_OK)
			status = density(b->sorted, b->n, kld.bandwidth_b, kld.low, step, KLD_POINTS, densities + KLD_POINTS);
		if (status != STATS_OK)
			return status;
		kld.divergence_ab = divergence(densities, densities + KLD_POINTS, step);
		kld.divergence_ba = divergence(densities + KLD_POINTS, densities, step);
		kld.probability = exp2(-kld.divergence_ab) * exp2(-kld.divergence_ba);
	}
	*out = kld;
	return STATS_OK;
}

enum stats_status kld_of_sorted(const struct kld_sample *a, const struct kld_sample *b, struct kld *out)
{
	double densities[2 * KLD_POINTS];
	return compare(a, b, kde_by_cells, densities, out);
}

static double sd_of(const double *x, size_t n)
{
	struct summary summary;
	return summary_of(x, n, &summary) == STATS_OK ? summary.sd : NAN;
}

enum stats_status kld_similarity(const double *a, size_t na, const double *b, size_t nb, struct kld *out)
{
	enum stats_status status = stats_check_finite(a, na);
	if (status == STATS_OK)
		status = stats_check_finite(b, nb);
	if (status != STATS_OK)
		return status;
	if (na < 2 || nb < 2)
		return STATS_TOO_FEW;
	double *room = mem_alloc(na + nb + 2 * KLD_POINTS, sizeof(*room));
	if (!room)
		return STATS_NO_MEMORY;
	double *sorted_a = room, *sorted_b = room + na;
	memcpy(sorted_a, a, na * sizeof(*a));
	memcpy(sorted_b, b, nb * sizeof(*b));
	sort_doubles(sorted_a, na);
	sort_doubles(sorted_b, nb);
	const struct kld_sample side_a = {sorted_a, na, sd_of(sorted_a, na)}, side_b = {sorted_b, nb, sd_of(sorted_b, nb)};
	status = compare(&side_a, &side_b, plain_density, sorted_b + nb, out);
	mem_free(room);
	return status;
}
