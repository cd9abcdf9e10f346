#include "stats/interval.h"

#include "base/random.h"
#include "stats/distribution.h"
#include "stats/summary.h"
#include "support/known.h"
#include "support/starve.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

static void test_mean(void **state)
{
	(void)state;
	json_t *known = known_load("one_sample.json"), *jmh = json_object_get(known, "jmh");
	size_t n, two;
	double *x = known_array(json_object_get(jmh, "x"), &n), mean;
	double *expected = known_array(json_object_get(jmh, "t_ci_0.999"), &two);
	struct interval interval;
	assert_int_equal(interval_mean(x, n, t_quantile(0.9995, 24), &mean, &interval), STATS_OK);
	assert_close(mean, known_number(jmh, "mean"), 1e-12);
	assert_true(fabs(interval.low - expected[0]) < 0.002 && fabs(interval.high - expected[1]) < 0.002);
	free(x);
	free(expected);

	/* Pilot's first session: 42, 43, 44 within 10 % of the mean needs five readings. */
	double small[] = {42, 43, 44};
	const json_t *answers = json_object_get(json_object_get(known, "readings_small"), "expected");
	double t = t_quantile(0.975, 2);
	assert_int_equal(interval_mean(small, 3, t, &mean, &interval), STATS_OK);
	assert_close(interval.high - interval.low, known_number(answers, "readings_ci_width_95"), 1e-9);
	json_decref(known);
}

static void test_mean_edges(void **state)
{
	(void)state;
	double x[] = {2, 2, 2, NAN}, mean = 7;
	struct interval interval = {-1, -1};
	assert_int_equal(interval_mean(x, 0, 2, &mean, &interval), STATS_EMPTY);
	assert_int_equal(interval_mean(x, 1, 2, &mean, &interval), STATS_TOO_FEW);
	assert_int_equal(interval_mean(x, 4, 2, &mean, &interval), STATS_NOT_FINITE);
	assert_int_equal(interval_mean(x, 3, NAN, &mean, &interval), STATS_BAD_ARGUMENT);
	assert_int_equal(interval_mean(x, 3, -1, &mean, &interval), STATS_BAD_ARGUMENT);
	assert_true(mean == 7 && interval.low == -1);
	assert_int_equal(interval_mean(x, 3, 2, &mean, &interval), STATS_OK);
	assert_true(mean == 2 && interval.low == 2 && interval.high == 2);
	assert_int_equal(interval_mean(x, 3, INFINITY, &mean, &interval), STATS_UNBOUNDED);
	assert_true(mean == 2 && isinf(interval.low) && isinf(interval.high));
}

/* The order statistics must be those of R's qbinom. */
static void test_median_ranks(void **state)
{
	(void)state;
	json_t *known = known_load("classical.json"), *ranks = json_object_get(known, "median_ranks");
	size_t count;
	double *n = known_array(json_object_get(ranks, "n"), &count),
		   *level = known_array(json_object_get(ranks, "level"), &count),
		   *k = known_array(json_object_get(ranks, "k"), &count);
	static double x[10000];
	assert_true(count > 50);
	for (size_t i = 0; i < count; i++) {
		size_t size = (size_t)n[i];
		/* 1 … n in an order that is not sorted. */
		for (size_t j = 0; j < size; j++)
			x[j] = (double)((j * 7919 + 13) % size + 1);
		double median = -1;
		struct interval interval;
		enum stats_status status = interval_median(x, size, level[i], &median, &interval);
		assert_int_equal(status, k[i] == 0 ? STATS_TOO_FEW : STATS_OK);
		if (status == STATS_OK)
			assert_true(median == (n[i] + 1) / 2 && interval.low == k[i] && interval.high == n[i] + 1 - k[i]);
		else
			assert_true(median == -1);
	}
	free(n);
	free(level);
	free(k);
	json_decref(known);
}

/* 20 000 samples of 15 exponential values: the true median is inside in at least 95 % (simulation error 0.15
 * points; the exact coverage of x_(4) … x_(12) is 96.48 %). */
static void test_median_coverage(void **state)
{
	(void)state;
	enum { SAMPLES = 20000, N = 15 };
	struct random random;
	random_seed(&random, 8);
	int covered = 0;
	for (int s = 0; s < SAMPLES; s++) {
		double x[N], median;
		struct interval interval;
		for (int i = 0; i < N; i++)
			x[i] = random_exponential(&random);
		assert_int_equal(interval_median(x, N, 0.95, &median, &interval), STATS_OK);
		covered += interval.low <= M_LN2 && M_LN2 <= interval.high;
	}
	assert_true(fabs((double)covered / SAMPLES - 0.96484) < 4 * 0.0013);
}

static void test_median_edges(void **state)
{
	(void)state;
	double x[] = {1, 2, 3, 4, 5, NAN}, same[] = {3, 3, 3, 3, 3, 3}, median = 7;
	struct interval interval;
	assert_int_equal(interval_median(x, 0, 0.95, &median, &interval), STATS_EMPTY);
	assert_int_equal(interval_median(x, 1, 0.95, &median, &interval), STATS_TOO_FEW);
	assert_int_equal(interval_median(x, 5, 0.95, &median, &interval), STATS_TOO_FEW);
	assert_int_equal(interval_median(x, 6, 0.95, &median, &interval), STATS_NOT_FINITE);
	assert_int_equal(interval_median(x, 5, 0, &median, &interval), STATS_BAD_ARGUMENT);
	assert_int_equal(interval_median(x, 5, 1, &median, &interval), STATS_BAD_ARGUMENT);
	assert_int_equal(interval_median(x, 5, NAN, &median, &interval), STATS_BAD_ARGUMENT);
	assert_true(median == 7);
	assert_int_equal(interval_median(same, 6, 0.95, &median, &interval), STATS_OK);
	assert_true(median == 3 && interval.low == 3 && interval.high == 3);
	/* A level that is met exactly is met: 1 − 2/2⁶. */
	assert_int_equal(interval_median(same, 6, 0.96875, &median, &interval), STATS_OK);
	assert_int_equal(interval_median(same, 6, 0.969, &median, &interval), STATS_TOO_FEW);
}

static enum stats_status try_median(void *data)
{
	double median;
	struct interval interval;
	return interval_median(data, 7, 0.95, &median, &interval);
}

static void test_no_memory(void **state)
{
	(void)state;
	double x[] = {1, 2, 3, 4, 5, 6, 7};
	assert_int_equal(starve(try_median, x), 1);
}

int main(void)
{
	gsl_set_error_handler_off();
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_mean),         cmocka_unit_test(test_mean_edges),
	                                   cmocka_unit_test(test_median_ranks), cmocka_unit_test(test_median_coverage),
	                                   cmocka_unit_test(test_median_edges), cmocka_unit_test(test_no_memory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
