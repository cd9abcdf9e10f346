#include "stats/steady.h"

#include "base/random.h"
#include "stats/distribution.h"
#include "stats/regression.h"
#include "support/known.h"
#include "support/starve.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

static void test_reference(void **state)
{
	(void)state;
	json_t *known = known_load("single_run.json"), *expected = json_object_get(known, "steady");
	size_t n, count, skip = (size_t)known_number(known, "mser5w_start");
	double *x = known_array(json_object_get(known, "series300"), &n);
	double *means = known_array(json_object_get(expected, "batch_means"), &count);
	struct steady steady;
	assert_int_equal(count, STEADY_BATCHES);
	assert_int_equal(steady_test(x, n, skip, 0.01, &steady), STATS_OK);
	assert_int_equal(steady.batch, (size_t)known_number(expected, "batch"));
	for (size_t i = 0; i < count; i++)
		assert_close(steady.batch_means[i], means[i], 1e-12);
	assert_close(steady.split_t, known_number(expected, "sup_t"), 1e-9);
	assert_int_equal(steady.split, (size_t)known_number(expected, "split"));
	assert_close(steady.split_change, known_number(expected, "effect"), 1e-9);
	assert_close(2 * t_cdf(-fabs(steady.trend_t), 10), known_number(expected, "trend_p"), 1e-9);
	assert_true(steady.effect == 0 && !steady.unsteady);
	free(x);
	free(means);
	json_decref(known);
}

/* t of the slope is that of a fitted line; the change is its rise from the first batch to the last. */
static void test_trend(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 51);
	double x[12], index[12];
	for (int i = 0; i < 12; i++) {
		index[i] = i;
		x[i] = 10 + 0.05 * i + 0.1 * random_normal(&random);
	}
	struct steady steady;
	struct line line;
	assert_int_equal(steady_test(x, 12, 0, 0.01, &steady), STATS_OK);
	assert_int_equal(line_fit(index, x, 12, &line), STATS_OK);
	assert_close(steady.trend_t, line.slope / line.slope_se, 1e-10);
	assert_close(steady.trend_change, 11 * line.slope, 1e-10);
}

/* Share of 4000 runs of 300 values that are called unsteady when any effect counts: for white noise each part has 5 %,
 * together about 7.5 % (simulation error 0.4 points); a step of one sd halfway is always seen. */
static void test_rates(void **state)
{
	(void)state;
	enum { RUNS = 4000, N = 300 };
	struct random random;
	random_seed(&random, 52);
	int split = 0, trend = 0, both = 0, small = 0, step = 0;
	for (int r = 0; r < RUNS; r++) {
		double x[N];
		struct steady steady;
		for (int i = 0; i < N; i++)
			x[i] = 1 + 0.01 * random_normal(&random);
		assert_int_equal(steady_test(x, N, 0, 0, &steady), STATS_OK);
		split += steady.split_t > 3.353;
		trend += fabs(steady.trend_t) > 2.228;
		both += steady.unsteady;
		assert_int_equal(steady_test(x, N, 0, 0.01, &steady), STATS_OK);
		small += steady.unsteady;
		for (int i = N / 2; i < N; i++)
			x[i] += 0.01;
		assert_int_equal(steady_test(x, N, 0, 0.01, &steady), STATS_OK);
		step += steady.unsteady;
	}
	assert_true(fabs((double)split / RUNS - 0.05) < 0.0105 && fabs((double)trend / RUNS - 0.05) < 0.0105);
	assert_true((double)both / RUNS < 0.10 && both > split);
	assert_true(small < both / 4);
	assert_true(step == RUNS);
}

static enum stats_status try_steady(void *data)
{
	struct steady steady;
	return steady_test(data, 12, 0, 0.01, &steady);
}

static void test_edges(void **state)
{
	(void)state;
	double x[24], step[24];
	struct steady steady = {.split = 77};
	for (int i = 0; i < 24; i++) {
		x[i] = 0.7;
		step[i] = i < 8 ? 2 : 1;
	}
	assert_int_equal(steady_test(x, 0, 0, 0.01, &steady), STATS_EMPTY);
	assert_int_equal(steady_test(x, 11, 0, 0.01, &steady), STATS_TOO_FEW);
	assert_int_equal(steady_test(x, 24, 13, 0.01, &steady), STATS_TOO_FEW);
	assert_int_equal(steady_test(x, 24, 25, 0.01, &steady), STATS_TOO_FEW);
	assert_int_equal(steady_test(x, 24, 0, -1, &steady), STATS_BAD_ARGUMENT);
	assert_int_equal(steady_test(x, 24, 0, NAN, &steady), STATS_BAD_ARGUMENT);
	assert_int_equal(steady.split, 77);
	assert_int_equal(steady_test(x, 24, 0, 0, &steady), STATS_OK);
	assert_true(!steady.unsteady && steady.split_t == 0 && steady.trend_t == 0 && steady.effect == 0);
	/* A clean step of a noiseless series. */
	assert_int_equal(steady_test(step, 24, 0, 0.01, &steady), STATS_OK);
	assert_true(isinf(steady.split_t) && steady.split == 4 && steady.split_change == -1 && steady.unsteady);
	assert_int_equal(steady_test(step, 24, 8, 0.01, &steady), STATS_OK);
	assert_false(steady.unsteady);
	assert_int_equal(starve(try_steady, x), 2);
	x[4] = INFINITY;
	assert_int_equal(steady_test(x, 24, 0, 0, &steady), STATS_NOT_FINITE);
}

int main(void)
{
	gsl_set_error_handler_off();
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference), cmocka_unit_test(test_trend),
	                                   cmocka_unit_test(test_rates), cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
