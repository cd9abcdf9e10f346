/* The search for a rate, on overheads of known slope with and without noise. */
#include "decide/rate.h"

#include "base/random.h"
#include "support/known.h"

#include <math.h>

/* Overhead slope·f with noise of that standard error. */
static double search(double slope, double cost, double noise, uint64_t seed)
{
	struct rate_search search;
	struct random random;
	random_seed(&random, seed);
	rate_search_init(&search, 0.01, cost, 1, 1000);
	while (!search.over)
		rate_search_add(&search, slope * search.rate + noise * random_normal(&random), noise);
	return search.rate;
}

static void test_exact(void **state)
{
	(void)state;
	/* The cost is right: the first guess is the answer. */
	assert_true(fabs(search(2e-4, 2e-4, 1e-6, 1) / 50 - 1) < 0.05);
	/* The sampler has a CPU of its own: a tenth of its cost is felt, ten times the rate is allowed. */
	assert_true(fabs(search(2e-5, 2e-4, 1e-6, 1) / 500 - 1) < 0.25);
	/* It costs four times what it takes itself, by caches: a quarter of the rate. */
	assert_true(fabs(search(8e-4, 2e-4, 1e-6, 1) / 12.5 - 1) < 0.25);
	/* Nothing is felt: the highest rate. Everything is too much: the lowest. */
	assert_true(search(0, 2e-4, 1e-7, 1) == 1000);
	assert_true(search(1, 2e-4, 1e-6, 1) == 1);
	/* Nothing is known of the cost. */
	assert_true(fabs(search(1e-3, 0, 1e-6, 1) / 10 - 1) < 0.25);
	assert_true(fabs(search(1e-4, NAN, 1e-6, 1) / 100 - 1) < 0.25);
}

/* Noise of 20 % says nothing of 1 %: the answer stays near the rate that takes 1 % of a CPU. */
static void test_noise(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		double rate = search(2e-5, 2e-4, 0.2, seed);
		assert_true(rate > 20 && rate < 125);
	}
	struct rate_search silent;
	rate_search_init(&silent, 0.01, 2e-4, 1, 1000);
	rate_search_add(&silent, NAN, INFINITY);
	assert_true(silent.over && fabs(silent.rate - 50) < 1e-9);
}

/* The median and its interval: binomial tail probabilities by hand. */
static void test_overhead(void **state)
{
	(void)state;
	double overhead, low, high;
	double nine[] = {0.09, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08};
	/* n = 9: 2·P(Bin < 2) = 2·10/512 = 0.039, so the second and the eighth. */
	rate_overhead(nine, 9, &overhead, &low, &high);
	assert_true(fabs(overhead - expm1(0.05)) < 1e-12);
	assert_true(fabs(low - expm1(0.02)) < 1e-12 && fabs(high - expm1(0.08)) < 1e-12);
	/* n = 6: 2/64 = 0.031, the smallest and the largest; n = 5: 2/32 is too much. */
	double six[] = {1, 2, 3, 4, 5, 6};
	rate_overhead(six, 6, &overhead, &low, &high);
	assert_true(fabs(low - expm1(1)) < 1e-9 && fabs(high - expm1(6)) < 1e-9 && fabs(overhead - expm1(3.5)) < 1e-9);
	/* scipy.stats.binom: binom.ppf(0.025, 2000, 0.5) = 956, so that P(Bin < 956) ≤ 0.025. */
	static double many[2000];
	for (int i = 0; i < 2000; i++)
		many[i] = 1e-6 * ((i * 7 + 3) % 2000 + 1);
	rate_overhead(many, 2000, &overhead, &low, &high);
	assert_true(fabs(low - expm1(956e-6)) < 1e-12 && fabs(high - expm1(1045e-6)) < 1e-12);
	rate_overhead(six, 5, &overhead, &low, &high);
	assert_true(isinf(low) && isinf(high));
	rate_overhead(six, 0, &overhead, &low, &high);
	assert_true(isnan(overhead));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_overhead),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
