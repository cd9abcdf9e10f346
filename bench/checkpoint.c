/* What a checkpoint of the default stop rules costs.
 *
 * The verdict looks at numbers of pairs that grow by a fifth each, some forty times in 10 000 pairs: its goal is 50
 * microseconds. The precision of one subject is checked after every run: its goal is one. Making a unit (medians of its
 * pairs) is shown beside them. */
#include "bench/figure.h"
#include "base/random.h"
#include "stats/precision.h"
#include "stats/verdict.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { PAIRS = 20, UNITS = 2000, REPEATS = 200, ROUNDS = 7 };

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fill(struct random *random, double *base, double *new_, unsigned char *order)
{
	for (int i = 0; i < PAIRS; i++) {
		base[i] = 1 + 0.01 * random_normal(random);
		new_[i] = 1 + 0.01 * random_normal(random);
		order[i] = (unsigned char)(i % 2);
	}
}

/* Every look is at another number of units, as in an experiment. */
static double verdict_cost(struct verdict_sum *sums, const struct verdict_options *options, unsigned *kept)
{
	double start = seconds();
	for (int repeat = 0; repeat < REPEATS; repeat++) {
		for (int u = 10; u < UNITS; u += 20) {
			struct verdict_numbers numbers;
			if (verdict_look(&sums[u], options, &numbers) == STATS_OK)
				*kept += (unsigned)numbers.verdict;
		}
	}
	return (seconds() - start) / (REPEATS * ((UNITS - 10 + 19) / 20));
}

static double precision_cost(unsigned *kept)
{
	struct precision rule = precision_rule(0.05, 0.01);
	struct random random;
	struct running running = {0};
	random_seed(&random, 2);
	double start = seconds();
	for (int r = 1; r <= REPEATS * 100; r++) {
		if (r % 400 == 1)
			running = (struct running){0};
		running_add(&running, 1 + 0.1 * random_uniform(&random));
		double runs = (double)running_count(&running);
		*kept += precision_reached(&rule, running_mean(&running), sqrt(running_variance(&running) / runs), runs,
		                           runs - 1);
	}
	return (seconds() - start) / (REPEATS * 100);
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

int main(void)
{
	static struct verdict_sum sums[UNITS];
	struct verdict_options options = verdict_defaults(0.01);
	struct random random;
	unsigned kept = 0;
	double making = INFINITY, look = INFINITY, check = INFINITY;
	random_seed(&random, 1);
	for (int round = 0; round < ROUNDS; round++) {
		struct verdict_sum sum = {0};
		double spent = 0;
		for (int u = 0; u < UNITS; u++) {
			double base[PAIRS], new_[PAIRS];
			unsigned char order[PAIRS];
			struct unit unit;
			fill(&random, base, new_, order);
			double start = seconds();
			if (unit_of(base, new_, order, PAIRS, NAN, false, &unit) != STATS_OK)
				return 1;
			for (int i = 0; i < PAIRS; i++)
				verdict_add_pair(&sum, base[i], new_[i], 0, 1);
			verdict_add_unit(&sum, &unit);
			spent += seconds() - start;
			sums[u] = sum;
		}
		making = least(making, spent / UNITS);
		look = least(look, verdict_cost(sums, &options, &kept));
		check = least(check, precision_cost(&kept));
	}
	printf("checkpoint: verdict look %.2f us, precision check %.2f us (goals: below 50 and 1 us); "
	       "making a unit of %d pairs %.2f us [%u]\n",
	       1e6 * look, 1e6 * check, PAIRS, 1e6 * making, kept);
	figure("a look at the verdict", "us", NULL, NAN, 1e6 * look, "under 50", look < 50e-6);
	return look < 50e-6 && check < 1e-6 ? 0 : 1;
}
