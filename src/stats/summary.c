/* Welford's update with a compensated mean and a compensated sum of squares.
 *
 *	δ = x − m,  m ← m + δ/n,  M ← M + δ·(x − m)      variance = M/(n − 1)
 *
 * Welford (1962), Technometrics 4:419; error-free sums after Knuth and Neumaier.
 * The mean is kept as two doubles whose sum is exact to about 2⁻¹⁰⁰, so δ is the
 * distance from the true running mean even when all values share their first
 * nine digits (NIST NumAcc3 and 4). No sum of squares and no second pass. The relative
 * error of the variance is a few units in the last place whatever the mean; what is left
 * is the rounding of the values themselves. Many values are summed in blocks, each about its
 * own mean, and the blocks joined: no division for each value. */
#include "stats/summary.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

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

enum { BLOCK = 512, LANES = 4 }; /* powers of two: dividing by BLOCK is exact */

/* Sums that do not wait for each other. */
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

static inline void add_lanes_exactly(lanes *high, lanes *low, const lanes *x)
{
	lanes sum = *high + *x, part = sum - *high;
	*low += (*high - (sum - part)) + (*x - part);
	*high = sum;
}

static inline void join_lanes(const lanes *sums, const lanes *lost, double *high, double *low)
{
	*high = *low = 0;
	for (size_t lane = 0; lane < LANES; lane++) {
		add_exactly(high, low, (*sums)[lane]);
		*low += (*lost)[lane];
	}
}

/* The sum of a block as two doubles. */
static void sum_block(const double *x, double *high, double *low)
{
	lanes sums = {0}, lost = {0}, values;
	for (size_t i = 0; i < BLOCK; i += LANES) {
		memcpy(&values, x + i, sizeof(values));
		add_lanes_exactly(&sums, &lost, &values);
	}
	join_lanes(&sums, &lost, high, low);
}

static double square_block(const double *x, double mean, double mean_low)
{
	lanes sums = {0}, lost = {0}, values;
	double high, low;
	for (size_t i = 0; i < BLOCK; i += LANES) {
		memcpy(&values, x + i, sizeof(values));
		values = (values - mean) - mean_low;
		values *= values;
		add_lanes_exactly(&sums, &lost, &values);
	}
	join_lanes(&sums, &lost, &high, &low);
	return high + low;
}

/* Chan, Golub and LeVeque (1983), American Statistician 37:242: two samples joined. False when a sum
 * overflows: one by one the values may still be added. */
static bool add_block(struct running *running, const double *x)
{
	double mean, mean_low, before = (double)running->n;
	sum_block(x, &mean, &mean_low);
	mean /= BLOCK;
	mean_low /= BLOCK;
	double squares = square_block(x, mean, mean_low);
	if (!isfinite(mean) || !isfinite(squares))
		return false;
	if (running->n == 0) {
		*running = (struct running){BLOCK, mean, mean_low, squares, 0};
		return true;
	}
	double delta = (mean - running->mean) + (mean_low - running->mean_low), share = BLOCK / (before + BLOCK);
	double between = delta * delta * before * share;
	if (!isfinite(between))
		return false;
	add_exactly(&running->mean, &running->mean_low, delta * share);
	add_exactly(&running->squares, &running->squares_low, squares);
	add_exactly(&running->squares, &running->squares_low, between);
	running->n += BLOCK;
	return true;
}

void running_add_all(struct running *running, const double *x, size_t n)
{
	size_t done = 0;
	while (n - done >= BLOCK && add_block(running, x + done))
		done += BLOCK;
	for (; done < n; done++)
		running_add(running, x[done]);
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
	}
	running_add_all(&running, x, n);
	double mean = running_mean(&running), variance = running_variance(&running);
	if (!isfinite(mean) || (n > 1 && !isfinite(variance)))
		return STATS_NOT_DEFINED;
	*out = (struct summary){n, mean, variance, sqrt(variance), min, max};
	return STATS_OK;
}
