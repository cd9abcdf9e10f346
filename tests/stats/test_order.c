#include "stats/order.h"

#include "base/random.h"
#include "stats/quantile.h"
#include "support/known.h"
#include "support/starve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3 * ORDER_LARGE + 17 };

static double x[N], sorted[N];

/* Shapes that narrow quickly, slowly and never: spread, one tight peak with far outliers, few different values,
 * negative ones, all equal, neighbouring doubles. */
static void fill(int shape, struct random *random)
{
	for (size_t i = 0; i < N; i++) {
		double normal = random_normal(random);
		double next = nextafter(1, 2) - 1;
		const double values[] = {100 + 5 * normal,
		                         i % 1000 == 0 ? exp(50 * normal) : 1 + 1e-13 * normal,
		                         (double)random_below(random, 3),
		                         -exp(10 * normal),
		                         7.25,
		                         1 + next * (double)random_below(random, 5),
		                         normal * 1e-310,
		                         i % 2 ? -0.0 : 0.0};
		x[i] = values[shape];
	}
}

static void test_against_sorting(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 8);
	for (int shape = 0; shape < 8; shape++) {
		fill(shape, &random);
		size_t ranks[ORDER_MOST] = {0, N - 1, N / 2, (N - 1) / 2, N / 4, N / 4 + 1};
		ranks[6] = random_below(&random, N);
		ranks[7] = random_below(&random, N);
		double found[ORDER_MOST];
		memcpy(sorted, x, sizeof(x));
		sort_doubles(sorted, N);
		assert_int_equal(order_statistics(x, N, ranks, ORDER_MOST, found), STATS_OK);
		for (size_t r = 0; r < ORDER_MOST; r++)
			assert_true(found[r] == sorted[ranks[r]]);
		for (size_t i = 0; i < N; i++)
			sorted[i] = fabs(x[i] - 1.5);
		sort_doubles(sorted, N);
		assert_int_equal(order_of_distances(x, N, 1.5, ranks, ORDER_MOST, found), STATS_OK);
		for (size_t r = 0; r < ORDER_MOST; r++)
			assert_true(found[r] == sorted[ranks[r]]);
	}
}

static void test_few(void **state)
{
	(void)state;
	const double few[] = {3, 1, 2};
	const size_t ranks[] = {2, 0, 1, 1};
	double found[4];
	assert_int_equal(order_statistics(few, 3, ranks, 4, found), STATS_OK);
	assert_true(found[0] == 3 && found[1] == 1 && found[2] == 2 && found[3] == 2);
	assert_int_equal(order_of_distances(few, 3, 2.5, ranks, 4, found), STATS_OK);
	assert_true(found[0] == 1.5 && found[1] == 0.5 && found[2] == 0.5);
	assert_int_equal(order_statistics(few, 3, ranks, 0, found), STATS_OK);
}

static void test_edges(void **state)
{
	(void)state;
	const double bad[] = {3, NAN, 2};
	const size_t ranks[] = {3, 0};
	double found[2] = {7, 7};
	assert_int_equal(order_statistics(bad, 0, ranks, 1, found), STATS_EMPTY);
	assert_int_equal(order_statistics(bad, 3, ranks + 1, 1, found), STATS_NOT_FINITE);
	assert_int_equal(order_statistics(bad, 1, ranks, 1, found), STATS_BAD_ARGUMENT);
	assert_int_equal(order_statistics(bad, 1, ranks + 1, ORDER_MOST + 1, found), STATS_BAD_ARGUMENT);
	assert_int_equal(order_of_distances(bad, 1, NAN, ranks + 1, 1, found), STATS_BAD_ARGUMENT);
	assert_true(found[0] == 7);
}

/* Medians, quartiles and MAD of many values are those of few. */
static void test_quantiles(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 9);
	fill(0, &random);
	const double p[] = {0.25, 0.75, 0.001, 1};
	double found[4], median, mad;
	memcpy(sorted, x, sizeof(x));
	sort_doubles(sorted, N);
	for (int type = 1; type <= 9; type++) {
		assert_int_equal(quantiles_of(x, N, p, 4, type, found), STATS_OK);
		for (int i = 0; i < 4; i++)
			assert_true(found[i] == quantile_sorted(sorted, N, p[i], type));
	}
	assert_int_equal(median_of(x, N, &median), STATS_OK);
	assert_true(median == sorted[N / 2]);
	assert_int_equal(mad_of(x, N, &mad), STATS_OK);
	for (size_t i = 0; i < N; i++)
		sorted[i] = fabs(x[i] - median);
	sort_doubles(sorted, N);
	assert_true(mad == sorted[N / 2]);
	assert_int_equal(quantiles_of(x, N, p, 5, 7, found), STATS_BAD_ARGUMENT);
	assert_int_equal(quantiles_of(x, N, p, 1, 10, found), STATS_BAD_ARGUMENT);
	assert_int_equal(quantiles_of(x, 0, p, 1, 7, found), STATS_EMPTY);
}

static enum stats_status try_order(void *data)
{
	const size_t ranks[] = {5, N / 2};
	double found[2];
	return order_statistics(data, N, ranks, 2, found);
}

static void test_no_memory(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 10);
	fill(0, &random);
	assert_true(starve(try_order, x) >= 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_sorting), cmocka_unit_test(test_few),
	                                   cmocka_unit_test(test_edges), cmocka_unit_test(test_quantiles),
	                                   cmocka_unit_test(test_no_memory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
