/* MSER-5 of each of the first three runs, the largest of them for all (METHODS 6), unless what it leaves out does not
 * matter. On steady noise MSER still drops a part now and then, and the largest of several runs does so often: up to half
 * of all that is measured would be thrown away. A warm-up is a property of the program and comes in every run, a
 * disturbance comes when it will, so the runs are held against each other. With b_r and a_r the means of both parts of
 * run r (each winsorised around its own median) when W of n iterations are dropped,
 *
 *	s_r = (b_r/a_r − 1)·W/n
 *
 * is by how much the dropped part would move the mean of the run. It matters when the mean of s over the runs is more
 * than 0.1 % and a t test over the runs says at 1 % that it is not 0.
 *
 * Unsettled: most runs ask for all that MSER may drop, half of the run, and it matters. */
#include "design/warmup.h"

#include "stats/critical.h"
#include "stats/mser.h"
#include "stats/quantile.h"
#include "stats/summary.h"

#include <math.h>

static const double TOO_LITTLE = 0.001, ALPHA = 0.01;

static bool is_whole(const struct warmup_run *run)
{
	for (size_t i = 0; i < run->n; i++)
		if (isnan(run->values[i]))
			return false;
	return true;
}

/* *out: the mean, winsorised at median ± 5·1.4826·MAD where that is not 0. -1: out of memory. */
static int winsorised_mean(const double *x, size_t n, double *out)
{
	double median, spread;
	struct running sum = {0};
	if (median_of(x, n, &median) != STATS_OK || mad_of(x, n, &spread) != STATS_OK)
		return -1;
	double reach = spread > 0 ? 5 * 1.4826 * spread : INFINITY;
	for (size_t i = 0; i < n; i++)
		running_add(&sum, fmin(fmax(x[i], median - reach), median + reach));
	*out = running_mean(&sum);
	return 0;
}

/* 1: yes, 0: no, -1: out of memory */
static int matters(const struct warmup_run *runs, size_t count, size_t skip)
{
	struct running shifts = {0};
	for (size_t r = 0; r < count; r++) {
		double before, after;
		if (runs[r].n <= skip || !is_whole(&runs[r]))
			continue;
		if (winsorised_mean(runs[r].values, skip, &before) != 0 ||
		    winsorised_mean(runs[r].values + skip, runs[r].n - skip, &after) != 0)
			return -1;
		running_add(&shifts, (before / after - 1) * (double)skip / (double)runs[r].n);
	}
	double n = (double)running_count(&shifts), mean = fabs(running_mean(&shifts));
	if (!(mean > TOO_LITTLE))
		return 0;
	return n < 2 || mean > critical_t(ALPHA, n - 1) * sqrt(running_variance(&shifts) / n);
}

int warmup_find(const struct warmup_run *runs, size_t count, struct warmup *out)
{
	struct warmup found = {0, false};
	size_t at_limit = 0, asked = 0, shortest = SIZE_MAX;
	for (size_t r = 0; r < count; r++) {
		size_t n = runs[r].n, skip = 0;
		shortest = n < shortest ? n : shortest;
		if (n < WARMUP_LEAST || !is_whole(&runs[r]))
			continue;
		enum stats_status status = mser_skip(runs[r].values, n, &skip);
		if (status == STATS_NO_MEMORY)
			return -1;
		asked++;
		found.skip = skip > found.skip ? skip : found.skip;
		at_limit += skip == n / MSER_BATCH / 2 * MSER_BATCH;
	}
	int needed = found.skip > 0 ? matters(runs, count, found.skip) : 0;
	if (needed < 0)
		return -1;
	found.skip = needed ? found.skip : 0;
	found.unsettled = found.skip > 0 && 2 * at_limit > asked;
	if (found.skip == 0 && count > 0 && shortest >= 4)
		found.skip = 1;
	*out = found;
	return 0;
}
