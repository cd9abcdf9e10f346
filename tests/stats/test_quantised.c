#include "stats/quantised.h"

#include "base/random.h"
#include "support/known.h"
#include "support/starve.h"

#include <math.h>
#include <stdlib.h>

static double quantum_of(const double *x, size_t n)
{
	struct quantised found;
	assert_int_equal(quantised_of(x, n, &found), STATS_OK);
	return found.quantum;
}

/* Lognormal times rounded to clocks of many steps, read as decimal numbers are: the step comes back. */
static void test_clocks(void **state)
{
	(void)state;
	enum { N = 400 };
	const double steps[] = {1e-9, 1e-6, 1e-3, 0.01, 0.015625, 1. / 3579545, 100e-9, 1e-9 / 3};
	struct random random;
	random_seed(&random, 31);
	for (size_t s = 0; s < sizeof(steps) / sizeof(steps[0]); s++) {
		for (double scale = 3; scale < 1e6; scale *= 10) {
			double x[N];
			for (int i = 0; i < N; i++)
				x[i] = nearbyint(scale * exp(0.5 * random_normal(&random)) * 20) * steps[s];
			assert_close(quantum_of(x, N), steps[s], 1e-6);
			/* A few thousandths of the values off the grid are enough to refute it, or to make it finer. */
			x[N / 2] += 0.37 * steps[s];
			assert_true(quantum_of(x, N) < 0.05 * steps[s]);
		}
	}
}

/* Only every third tick occurs in the distances, but not in all: 2 and 3 have the step 1. */
static void test_divisor(void **state)
{
	(void)state;
	double x[] = {100, 102, 105, 109.0, 100}, coarse[] = {10, 40, 100, 70, 40};
	assert_true(quantum_of(x, 5) == 1);
	assert_true(quantum_of(coarse, 5) == 30);
	/* Sums that round differently are the same place on the grid: 0.1 + 0.2 and 0.3. */
	double rounded[] = {0.1 + 0.2, 0.3, 0.7, 0.1, 0.8, 0.9};
	struct quantised found;
	assert_int_equal(quantised_of(rounded, 6, &found), STATS_OK);
	assert_close(found.quantum, 0.1, 1e-12);
	assert_int_equal(found.distinct, 5);
	assert_close(found.ties, 2 / 6., 1e-15);
}

/* Values without a grid have none: 2000 samples of every length from 3 to 100. */
static void test_continuous(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 32);
	int wrong = 0;
	for (int trial = 0; trial < 2000; trial++) {
		double x[100];
		size_t n = 4 + (size_t)trial % 97;
		for (size_t i = 0; i < n; i++)
			x[i] = exp(random_normal(&random));
		wrong += quantum_of(x, n) > 0;
	}
	/* Chance: four values share a grid of 1000 roundings in about 1 of 10⁶ samples. */
	assert_int_equal(wrong, 0);
}

static enum stats_status try_quantised(void *data)
{
	struct quantised found;
	return quantised_of(data, 3, &found);
}

static void test_edges(void **state)
{
	(void)state;
	double x[] = {1, NAN}, constant[] = {5, 5, 5}, pair[] = {1, 2}, ticks[] = {0.01, 0.02, 0.01};
	struct quantised found = {.distinct = 77};
	assert_int_equal(quantised_of(x, 0, &found), STATS_EMPTY);
	assert_int_equal(quantised_of(x, 2, &found), STATS_NOT_FINITE);
	assert_int_equal(found.distinct, 77);
	assert_int_equal(quantised_of(constant, 3, &found), STATS_OK);
	assert_true(found.quantum == 0 && found.distinct == 1);
	assert_true(found.ties == 1);
	assert_int_equal(quantised_of(constant, 1, &found), STATS_OK);
	assert_true(found.quantum == 0 && found.distinct == 1 && found.ties == 0);
	assert_true(quantum_of(pair, 2) == 0);
	assert_close(quantum_of(ticks, 3), 0.01, 1e-15);
	double zeros[] = {0, 0, 0}, negative[] = {-4, -2, 6, 8};
	assert_true(quantum_of(zeros, 3) == 0);
	assert_true(quantum_of(negative, 4) == 2);
	assert_int_equal(starve(try_quantised, ticks), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_clocks), cmocka_unit_test(test_divisor),
	                                   cmocka_unit_test(test_continuous), cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
