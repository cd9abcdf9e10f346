/* Welford's update with a compensated mean and a compensated sum of squares.
 *
 *	δ = x − m,  m ← m + δ/n,  M ← M + δ·(x − m)      variance = M/(n − 1)
 *
 * Welford (1962), Technometrics 4:419; error-free sums after Knuth and Neumaier.
 * The mean is kept as two doubles whose sum is exact to about 2⁻¹⁰⁰, so δ is the
 * distance from the true running mean even when all values share their first
 * nine digits (NIST NumAcc3 and 4). No sum of squares and no second pass. The relative
 * error of the variance is a few units in the last place whatever the mean; what is left
 * is the rounding of the values themselves. */
#include "stats/summary.h"

#include <math.h>

/* *high + *low + x, the sum rounded into *high, what was lost kept in *low. */
static void add_exactly(double *high, double *low, double x)
{
	double sum = *high + x;
	double part = sum - *high;
	*low += (*high - (sum - part)) + (x - part);
	*high = sum;
}

void running_add(struct running *running, double x)
{
	double mean = running->mean;
	double delta = x - mean;
	double part = delta - x;
	double lost = (x - (delta - part)) - (mean + part);
	delta += lost - running->mean_low;
	double step = delta / (double)++running->n;
	add_exactly(&running->mean, &running->mean_low, step);
	add_exactly(&running->squares, &running->squares_low, delta * (delta - step));
}

size_t running_count(const struct running *running)
{
	return running->n;
}

double running_mean(const struct running *running)
{
	return running->n == 0 ? NAN : running->mean + running->mean_low;
}

double running_variance(const struct running *running)
{
	if (running->n < 2)
		return NAN;
	/* All values equal: rounding must not turn "no spread" into a tiny one. */
	double squares = running->squares + running->squares_low;
	return squares > 0 || isnan(squares) ? squares / (double)(running->n - 1) : 0;
}

enum stats_status summary_of(const double *x, size_t n, struct summary *out)
{
	if (n == 0)
		return STATS_EMPTY;
	struct running running = {0};
	double min = x[0], max = x[0];
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]))
			return STATS_NOT_FINITE;
		if (x[i] < min)
			min = x[i];
		if (x[i] > max)
			max = x[i];
		running_add(&running, x[i]);
	}
	double mean = running_mean(&running), variance = running_variance(&running);
	if (!isfinite(mean) || (n > 1 && !isfinite(variance)))
		return STATS_NOT_DEFINED;
	*out = (struct summary){n, mean, variance, sqrt(variance), min, max};
	return STATS_OK;
}
