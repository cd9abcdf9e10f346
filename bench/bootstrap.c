/* Hierarchical bootstrap against a straightforward resampler: 5 × 10 × 1000 values, 10⁴ replicates.
 *
 * Both run in this process in turns. Printed are the CPU time of each, their ratio (wanted: at
 * most 1/20) and how far the ends of the 99 % intervals are apart, in Monte Carlo standard
 * errors of that difference (wanted: under 3.5, six differences). Exit 1 when not. */
#include "bench/figure.h"
#include "base/random.h"
#include "stats/bootstrap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BUILDS = 5, RUNS = 10, ITERATIONS = 1000, VALUES = BUILDS * RUNS * ITERATIONS, REPLICATES = 10000, ROUNDS = 3 };
static const double level = 0.99;

static double cpu_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Times like a benchmark's: builds 1 %, runs 2 %, iterations 5 % lognormal, one in 500 doubled. */
static void make_values(double *values, uint64_t seed)
{
	struct random random;
	random_seed(&random, seed);
	for (int b = 0; b < BUILDS; b++) {
		double build = 1 + 0.01 * random_normal(&random);
		for (int r = 0; r < RUNS; r++) {
			double run = build * (1 + 0.02 * random_normal(&random));
			for (int i = 0; i < ITERATIONS; i++) {
				double slow = random_below(&random, 500) == 0 ? 2 : 1;
				*values++ = run * slow * exp(0.05 * random_normal(&random));
			}
		}
	}
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* What anyone would write: three nested loops of draws, a sum, a sort. */
static struct interval plain_bootstrap(const double *values, uint64_t seed, double *means)
{
	struct random random;
	random_seed(&random, seed);
	for (int replicate = 0; replicate < REPLICATES; replicate++) {
		double sum = 0;
		for (int b = 0; b < BUILDS; b++) {
			const double *build = values + random_below(&random, BUILDS) * RUNS * ITERATIONS;
			for (int r = 0; r < RUNS; r++) {
				const double *run = build + random_below(&random, RUNS) * ITERATIONS;
				for (int i = 0; i < ITERATIONS; i++)
					sum += run[random_below(&random, ITERATIONS)];
			}
		}
		means[replicate] = sum / VALUES;
	}
	qsort(means, REPLICATES, sizeof(*means), ascending);
	size_t low = 0, high = 0;
	percentile_positions(REPLICATES, level, &low, &high);
	return (struct interval){means[low], means[high]};
}

/* Standard deviation of sorted replicates from their quartiles. */
static double spread(const double *sorted)
{
	return (sorted[REPLICATES * 3 / 4] - sorted[REPLICATES / 4]) / 1.349;
}

int main(void)
{
	static double values[VALUES], means[REPLICATES];
	static uint32_t builds[BUILDS + 1], runs[BUILDS * RUNS + 1];
	for (uint32_t i = 0; i <= BUILDS; i++)
		builds[i] = i * RUNS;
	for (uint32_t i = 0; i <= BUILDS * RUNS; i++)
		runs[i] = i * ITERATIONS;
	struct nested data = {
		.depth = 3, .n = VALUES, .values = values, .groups = {BUILDS, BUILDS * RUNS}, .starts = {builds, runs}};
	double plain_time = 0, our_time = 0, worst = 0;
	for (uint64_t round = 0; round < ROUNDS; round++) {
		make_values(values, 100 + round);
		double start = cpu_seconds();
		struct interval plain = plain_bootstrap(values, 200 + round, means), ours;
		double middle = cpu_seconds();
		if (bootstrap_mean(&data, REPLICATES, level, 300 + round, &ours) != STATS_OK)
			return 1;
		double end = cpu_seconds();
		plain_time += middle - start;
		our_time += end - middle;
		/* √(p(1 − p))/φ(z_p) = 4.87 at p = 0.005, and √2 for a difference of two. */
		double error = 4.87 * sqrt(2.0 / REPLICATES) * spread(means);
		worst = fmax(worst, fmax(fabs(ours.low - plain.low), fabs(ours.high - plain.high)) / error);
		printf("bootstrap round %d: plain [%.6f, %.6f] %.0f ms, tare [%.6f, %.6f] %.2f ms\n", (int)round + 1, plain.low,
		       plain.high, 1e3 * (middle - start), ours.low, ours.high, 1e3 * (end - middle));
	}
	printf("bootstrap 5 x 10 x 1000, %d replicates: CPU time 1/%.0f of the plain resampler (wanted 1/20), "
	       "ends apart by at most %.2f Monte Carlo errors\n",
	       REPLICATES, plain_time / our_time, worst);
	bool met = plain_time >= 20 * our_time && worst < 3.5;
	figure("hierarchical bootstrap, 10^4 replicates of 5 x 10 x 1000", "ms of CPU", "plain C resampler",
	       1e3 * plain_time / ROUNDS, 1e3 * our_time / ROUNDS, "1/20", met);
	return met ? 0 : 1;
}
