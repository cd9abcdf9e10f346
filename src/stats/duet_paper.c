/* Bulej, Horký, Tůma et al., "Duet benchmarking", ICPE 2020, section 3:
 *
 *	s_{r,i} = y_{r,i}/x_{r,i},  gms_r = geometric mean of a run,  ggms = geometric mean of the gms,
 *	interval = percentiles of ggms* over resamples of the gms with replacement (10 000 replicates),
 *	positions ⌊Bα/2⌋ and ⌈B(1−α/2)⌉ − 1 of the sorted replicates, from 0.
 *
 * (The paper writes x/y for a speed-up; here the ratio is new over base throughout.)
 * Assumed: many runs. With the paper's 10 runs it gives 4 to 7 % false alarms at nominal 1 %, because
 * its half-width is z·√((R−1)/R)·s/√R; and winsorising biases a real tail away. Not our default. */
#include "stats/duet_paper.h"

#include "base/memory.h"
#include "base/random.h"
#include "stats/quantile.h"
#include "stats/winsor.h"

#include <math.h>
#include <string.h>

static const double outside = 0.2; /* of the range of the others, the paper's limit */

static bool same_shape(const struct nested *a, const struct nested *b)
{
	return a->depth == 2 && b->depth == 2 && a->n == b->n && a->groups[0] == b->groups[0] &&
	       memcmp(a->starts[0], b->starts[0], (a->groups[0] + 1) * sizeof(a->starts[0][0])) == 0;
}

static enum stats_status check_times(const struct nested *data)
{
	enum stats_status status = stats_check_finite(data->values, data->n);
	for (size_t i = 0; i < data->n && status == STATS_OK; i++)
		if (data->values[i] <= 0)
			status = STATS_NOT_POSITIVE;
	return status;
}

/* Mean logarithm of run r, after winsorising in `scratch` when asked. */
static double mean_log(const struct nested *data, size_t r, bool winsorise, double *scratch, size_t *replaced)
{
	size_t first = data->starts[0][r], n = data->starts[0][r + 1] - first;
	memcpy(scratch, data->values + first, n * sizeof(*scratch));
	if (winsorise && winsor_one(scratch, n, outside))
		++*replaced;
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += log(scratch[i]);
	return sum / (double)n;
}

static struct interval percentile(const double *logs, size_t runs, double *means, size_t replicates, double level,
                                  uint64_t seed)
{
	struct random random;
	random_seed(&random, seed);
	for (size_t b = 0; b < replicates; b++) {
		double sum = 0;
		for (size_t r = 0; r < runs; r++)
			sum += logs[random_below(&random, runs)];
		means[b] = sum / (double)runs;
	}
	sort_doubles(means, replicates);
	/* Whole numbers, so that 10 000 · 0.005 is 50 and not 49.999…; ⌈B(1−α/2)⌉ − 1 = B − 1 − ⌊Bα/2⌋. */
	const uint64_t parts = 1000000000;
	uint64_t alpha = (uint64_t)llround((1 - level) * (double)parts);
	size_t low = (size_t)((__uint128_t)replicates * alpha / (2 * parts));
	return (struct interval){exp(means[low]), exp(means[replicates - 1 - low])};
}

enum stats_status duet_paper_of(const struct nested *base, const struct nested *new_, bool winsorise, size_t replicates,
                                double level, uint64_t seed, double *run_ratios, struct duet_paper *out)
{
	if (!same_shape(base, new_) || replicates < 1 || !(level > 0 && level < 1))
		return STATS_BAD_ARGUMENT;
	enum stats_status status = check_times(base);
	if (status == STATS_OK)
		status = check_times(new_);
	if (status != STATS_OK)
		return status;
	size_t runs = base->groups[0];
	if (runs < 2)
		return STATS_TOO_FEW;
	double *logs = mem_alloc(runs, sizeof(*logs));
	double *scratch = mem_alloc(base->n > replicates ? base->n : replicates, sizeof(*scratch));
	status = STATS_NO_MEMORY;
	if (logs && scratch) {
		size_t replaced = 0;
		double sum = 0;
		for (size_t r = 0; r < runs; r++) {
			logs[r] = mean_log(new_, r, winsorise, scratch, &replaced) -
			          mean_log(base, r, winsorise, scratch, &replaced);
			sum += logs[r];
			if (run_ratios)
				run_ratios[r] = exp(logs[r]);
		}
		*out = (struct duet_paper){exp(sum / (double)runs), percentile(logs, runs, scratch, replicates, level, seed),
		                           replaced};
		status = STATS_OK;
	}
	mem_free(logs);
	mem_free(scratch);
	return status;
}
