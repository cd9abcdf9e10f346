/* A sign test of first iterations.
 *
 * Where the iterations of a run are exchangeable, the first of m is the largest with probability 1/m, and the smallest
 * with the same. In R runs, of which the shortest has m iterations, the number K of runs whose first iteration is larger
 * than all others is then at most binomial, and
 *
 *	p = P(Bin(R, 1/m) ≥ K)
 *
 * needs no assumption about the shape of the noise. Ties do not count and make it smaller. Each direction is tested at
 * 1 %, so that at most 2 % of series without warm-up are called apart; two runs of ten iterations are just enough. A
 * drift over the whole run makes its first iteration an extreme one too. Positive autocorrelation makes the ends of a
 * run extreme more often: 4.5 % of series of 2 runs of 10 AR(0.8) iterations are called apart, none of 10 000 of 10 runs
 * (tests/stats/test_first.c). */
#include "stats/first.h"

#include "base/memory.h"
#include "stats/distribution.h"
#include "stats/quantile.h"
#include "stats/summary.h"

#include <math.h>

static const double alpha = 0.01;        /* of each direction */
static const double rounding = 1 + 1e-9; /* 1/10 twice is 1 %, and no more */
static const double nearly_all = 0.9;

static bool is_beyond(const double *x, size_t n, bool above)
{
	for (size_t i = 1; i < n; i++)
		if (above ? x[0] <= x[i] : x[0] >= x[i])
			return false;
	return true;
}

static size_t count_beyond(const double *values, const uint32_t *starts, size_t runs, bool above)
{
	size_t count = 0;
	for (size_t r = 0; r < runs; r++)
		count += is_beyond(values + starts[r], starts[r + 1] - starts[r], above);
	return count;
}

/* ratios[r] and effects[r] of every run. */
static enum stats_status measure(const double *values, const uint32_t *starts, size_t runs, double *ratios,
                                 double *effects)
{
	for (size_t r = 0; r < runs; r++) {
		struct running others = {0};
		double n = starts[r + 1] - starts[r], first = values[starts[r]];
		running_add_all(&others, values + starts[r] + 1, starts[r + 1] - starts[r] - 1);
		double mean = running_mean(&others);
		if (!(mean > 0))
			return STATS_NOT_POSITIVE;
		ratios[r] = first / mean;
		effects[r] = (ratios[r] - 1) / n;
	}
	return STATS_OK;
}

enum stats_status first_test(const double *values, const uint32_t *starts, size_t runs, double precision,
                             struct first *out)
{
	struct first found = {0};
	size_t shortest = SIZE_MAX;
	for (size_t r = 0; r < runs; r++)
		if (starts[r + 1] - starts[r] < shortest)
			shortest = starts[r + 1] - starts[r];
	if (runs == 0 || shortest < 2)
		return STATS_TOO_FEW;
	enum stats_status status = stats_check_finite(values + starts[0], starts[runs] - starts[0]);
	if (status != STATS_OK)
		return status;
	double *ratios = mem_alloc(runs, sizeof(*ratios)), *effects = mem_alloc(runs, sizeof(*effects));
	status = ratios && effects ? measure(values, starts, runs, ratios, effects) : STATS_NO_MEMORY;
	if (status == STATS_OK) {
		size_t above = count_beyond(values, starts, runs, true), below = count_beyond(values, starts, runs, false);
		found.above = above >= below;
		found.runs = found.above ? above : below;
		found.p_value = binomial_at_least((double)found.runs, (double)runs, 1 / (double)shortest);
		median_of(ratios, runs, &found.ratio);
		median_of(effects, runs, &found.effect);
		found.apart = found.p_value <= alpha * rounding && (double)found.runs >= nearly_all * (double)runs &&
		              fabs(found.effect) >= precision / 2;
		*out = found;
	}
	mem_free(ratios);
	mem_free(effects);
	return status;
}
