#include "stats/mser.h"

#include "base/random.h"
#include "stats/winsor_mad.h"
#include "support/known.h"
#include "support/starve.h"

#include <math.h>
#include <stdlib.h>

static void test_reference(void **state)
{
	(void)state;
	json_t *known = known_load("single_run.json");
	size_t n, skip;
	double *x = known_array(json_object_get(known, "series300"), &n);
	assert_int_equal(mser_skip(x, n, &skip), STATS_OK);
	assert_int_equal(skip, (size_t)known_number(known, "mser5w_start"));
	free(x);
	json_decref(known);
}

/* The definition, candidate by candidate. */
static size_t skip_by_definition(const double *x, size_t n)
{
	double *copy = malloc(n * sizeof(*copy)), best = INFINITY;
	size_t batches = n / 5, skip = 0;
	assert_int_equal(winsor_mad_copy(x, n, 5, copy, NULL), STATS_OK);
	for (size_t d = 0; d <= batches / 2; d++) {
		double mean = 0, squares = 0, count = (double)(batches - d);
		for (size_t i = 5 * d; i < 5 * batches; i++)
			mean += copy[i] / (5 * count);
		for (size_t j = d; j < batches; j++) {
			double z = (copy[5 * j] + copy[5 * j + 1] + copy[5 * j + 2] + copy[5 * j + 3] + copy[5 * j + 4]) / 5;
			squares += (z - mean) * (z - mean);
		}
		if (squares / (count * count) < best) {
			best = squares / (count * count);
			skip = 5 * d;
		}
	}
	free(copy);
	return skip;
}

static void test_recomputed(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 41);
	for (int trial = 0; trial < 300; trial++) {
		double x[333];
		size_t n = 10 + random_below(&random, 324), skip;
		double warm = (double)random_below(&random, 100) + 1;
		for (size_t i = 0; i < n; i++)
			x[i] = 10 + 3 * exp(-(double)i / warm) + 0.2 * random_normal(&random) +
			       (random_below(&random, 100) == 0 ? 40 : 0);
		assert_int_equal(mser_skip(x, n, &skip), STATS_OK);
		assert_int_equal(skip, skip_by_definition(x, n));
	}
}

/* Shapes of warm-up, three runs each with 1 % noise and a late outlier: the mean of what is kept is within 0.2 % of the
 * steady level (100 experiments: simulation error 0.003 %). */
static void test_bias(void **state)
{
	(void)state;
	enum { N = 1000, EXPERIMENTS = 100, SHAPES = 6 };
	static double x[3 * N];
	struct random random;
	random_seed(&random, 42);
	for (int shape = 0; shape < SHAPES; shape++) {
		double bias = 0;
		for (int e = 0; e < EXPERIMENTS; e++) {
			for (int place = 0; place < 3 * N; place++) {
				int i = place % N;
				const double levels[SHAPES] = {0,
				                               i < 40 ? 2 : 0,
				                               3 * exp(-i / 30.),
				                               i < 300 ? 0.3 : 0,
				                               i == 0 ? 20 : 0,
				                               i < 100 ? 1 - i / 100. : 0};
				x[place] = 1 + levels[shape] + 0.01 * random_normal(&random) + (i == N - 10 ? 8 : 0);
			}
			size_t skip = 0, own;
			for (int run = 0; run < 3; run++) {
				assert_int_equal(mser_skip(x + run * N, N, &own), STATS_OK);
				skip = own > skip ? own : skip;
			}
			for (size_t i = skip; i < N - 10; i++)
				bias += (x[i] - 1) / (double)(N - 10 - skip) / EXPERIMENTS;
		}
		assert_true(fabs(bias) < 0.002);
	}
}

static enum stats_status try_skip(void *data)
{
	size_t skip;
	return mser_skip(data, 10, &skip);
}

static void test_edges(void **state)
{
	(void)state;
	double x[20], ramp[200];
	size_t skip = 77;
	for (int i = 0; i < 20; i++)
		x[i] = 3;
	for (int i = 0; i < 200; i++)
		ramp[i] = i;
	assert_int_equal(mser_skip(x, 0, &skip), STATS_EMPTY);
	assert_int_equal(mser_skip(x, 9, &skip), STATS_TOO_FEW);
	assert_int_equal(skip, 77);
	assert_int_equal(mser_skip(x, 20, &skip), STATS_OK);
	assert_int_equal(skip, 0);
	assert_int_equal(mser_skip(ramp, 200, &skip), STATS_OK);
	assert_int_equal(skip, 100); /* never settles: the limit */
	assert_int_equal(starve(try_skip, x), 2);
	x[3] = NAN;
	skip = 77;
	assert_int_equal(mser_skip(x, 20, &skip), STATS_NOT_FINITE);
	assert_int_equal(skip, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference), cmocka_unit_test(test_recomputed),
	                                   cmocka_unit_test(test_bias), cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
