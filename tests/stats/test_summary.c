#include "stats/summary.h"

#include "base/random.h"
#include "support/known.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Within the certified value to 9 digits, or as near as the exact result of the same doubles is; and that
 * exact result to 1e-13. */
static void check_numacc(const json_t *set, const struct summary *summary)
{
	const json_t *certified = json_object_get(set, "certified"), *exact = json_object_get(set, "exact_of_doubles");
	double mean = known_number(certified, "mean"), sd = known_number(certified, "sd");
	assert_close(summary->mean, mean, 1e-15);
	assert_close(summary->sd, sd, fmax(1e-9, 1.01 * fabs(known_number(exact, "sd") / sd - 1)));
	assert_close(summary->mean, known_number(exact, "mean"), 1e-15);
	assert_close(summary->sd, known_number(exact, "sd"), 1e-13);
}

static double number_at(const json_t *array, size_t i)
{
	return strtod(json_string_value(json_array_get(array, i)), NULL);
}

static void test_nist(void **state)
{
	(void)state;
	json_t *known = known_load("nist.json"), *sets = json_object_get(known, "univariate");
	struct summary summary;
	const json_t *set = json_object_get(sets, "NumAcc1");
	double three[3];
	for (size_t i = 0; i < 3; i++)
		three[i] = number_at(json_object_get(set, "values"), i);
	assert_int_equal(summary_of(three, 3, &summary), STATS_OK);
	check_numacc(set, &summary);

	const char *const names[] = {"NumAcc2", "NumAcc3", "NumAcc4"};
	for (size_t s = 0; s < 3; s++) {
		double x[1001];
		set = json_object_get(sets, names[s]);
		x[0] = strtod(json_string_value(json_object_get(set, "first")), NULL);
		for (size_t i = 1; i < 1001; i++)
			x[i] = number_at(json_object_get(set, "pair"), (i - 1) % 2);
		assert_int_equal(summary_of(x, 1001, &summary), STATS_OK);
		check_numacc(set, &summary);
	}

	set = json_object_get(sets, "Michelso");
	size_t n;
	double *x = known_array(json_object_get(set, "values"), &n);
	assert_int_equal(n, 100);
	assert_int_equal(summary_of(x, n, &summary), STATS_OK);
	assert_close(summary.mean, known_number(json_object_get(set, "certified"), "mean"), 1e-14);
	assert_close(summary.sd, known_number(json_object_get(set, "certified"), "sd"), 1e-12);
	free(x);
	json_decref(known);
}

static void test_jmh(void **state)
{
	(void)state;
	json_t *known = known_load("one_sample.json"), *jmh = json_object_get(known, "jmh");
	size_t n;
	double *x = known_array(json_object_get(jmh, "x"), &n);
	struct summary summary;
	assert_int_equal(summary_of(x, n, &summary), STATS_OK);
	assert_int_equal(summary.n, 25);
	assert_close(summary.mean, known_number(jmh, "mean"), 1e-12);
	assert_close(summary.sd, known_number(jmh, "sd"), 1e-12);
	assert_true(fabs(summary.variance - known_number(jmh, "variance_n_minus_1")) < 1e-4);
	assert_true(summary.min == known_number(jmh, "min") && summary.max == known_number(jmh, "max"));
	free(x);
	json_decref(known);
}

/* Against two passes in long double, at offsets up to 1e12; and the incremental form at every length. */
static void test_recomputed(void **state)
{
	(void)state;
	enum { N = 500 };
	struct random random;
	random_seed(&random, 3);
	for (double offset = 1; offset < 1e13; offset *= 1e4) {
		double x[N];
		struct running running = {0};
		for (size_t n = 1; n <= N; n++) {
			x[n - 1] = offset + random_normal(&random);
			running_add(&running, x[n - 1]);
			long double mean = 0, squares = 0;
			for (size_t i = 0; i < n; i++)
				mean += (long double)x[i] / (long double)n;
			for (size_t i = 0; i < n; i++)
				squares += ((long double)x[i] - mean) * ((long double)x[i] - mean);
			struct summary summary;
			assert_int_equal(summary_of(x, n, &summary), STATS_OK);
			assert_int_equal(running_count(&running), n);
			assert_true(running_mean(&running) == summary.mean);
			assert_close(summary.mean, (double)mean, 1e-15);
			if (n == 1)
				continue;
			assert_true(running_variance(&running) == summary.variance);
			assert_close(summary.variance, (double)(squares / (long double)(n - 1)), 1e-12);
			assert_close(summary.sd * summary.sd, summary.variance, 1e-14);
		}
	}
}

/* Added at once, in blocks and a rest: the same, whatever the offset and wherever the blocks begin. */
static void test_many(void **state)
{
	(void)state;
	enum { N = 5000 };
	static double x[N];
	struct random random;
	random_seed(&random, 4);
	for (double offset = 1; offset < 1e13; offset *= 1e4) {
		long double mean = 0, squares = 0;
		for (size_t i = 0; i < N; i++) {
			x[i] = offset + (i < N / 3 ? 3 : 0) + random_normal(&random);
			mean += (long double)x[i] / N;
		}
		for (size_t i = 0; i < N; i++)
			squares += ((long double)x[i] - mean) * ((long double)x[i] - mean);
		for (size_t single = 0; single < N; single += 617) {
			struct running running = {0};
			for (size_t i = 0; i < single; i++)
				running_add(&running, x[i]);
			running_add_all(&running, x + single, N - single);
			assert_int_equal(running_count(&running), N);
			assert_close(running_mean(&running), (double)mean, 1e-15);
			assert_close(running_variance(&running), (double)(squares / (N - 1)), 1e-13);
		}
	}
	/* A sum that overflows although the values and their spread do not. */
	struct running large = {0};
	for (size_t i = 0; i < N; i++)
		x[i] = 1e308;
	running_add_all(&large, x, N);
	assert_true(running_mean(&large) == 1e308 && running_variance(&large) == 0);
}

static void test_edges(void **state)
{
	(void)state;
	struct summary summary = {.n = 77};
	double x[] = {4, NAN, 1}, infinite[] = {1, INFINITY}, large[] = {1e200, -1e200}, huge[] = {1e308, 1.5e308};
	assert_int_equal(summary_of(x, 0, &summary), STATS_EMPTY);
	assert_int_equal(summary_of(x, 3, &summary), STATS_NOT_FINITE);
	assert_int_equal(summary_of(infinite, 2, &summary), STATS_NOT_FINITE);
	assert_int_equal(summary_of(large, 2, &summary), STATS_NOT_DEFINED);
	assert_int_equal(summary_of(huge, 2, &summary), STATS_NOT_DEFINED);
	assert_int_equal(summary.n, 77);

	assert_int_equal(summary_of(x, 1, &summary), STATS_OK);
	assert_true(summary.n == 1 && summary.mean == 4 && summary.min == 4 && summary.max == 4);
	assert_true(isnan(summary.variance) && isnan(summary.sd));

	double constant[1000], negative[] = {-3, -1, -2};
	for (size_t i = 0; i < 1000; i++)
		constant[i] = 0.1;
	assert_int_equal(summary_of(constant, 1000, &summary), STATS_OK);
	assert_true(summary.mean == 0.1 && summary.variance == 0 && summary.sd == 0);
	assert_int_equal(summary_of(negative, 3, &summary), STATS_OK);
	assert_true(summary.mean == -2 && summary.variance == 1 && summary.min == -3 && summary.max == -1);

	struct running running = {0};
	assert_true(isnan(running_mean(&running)) && isnan(running_variance(&running)));
	running_add(&running, 2);
	assert_true(running_mean(&running) == 2 && isnan(running_variance(&running)));
	running_add(&running, NAN);
	running_add(&running, 2);
	assert_true(isnan(running_mean(&running)) && isnan(running_variance(&running)));
	struct running endless = {0};
	running_add(&endless, INFINITY);
	running_add(&endless, 2);
	assert_true(isnan(running_mean(&endless)) && isnan(running_variance(&endless)));
}

/* Many values are looked at in blocks: one that is not finite is seen wherever it is. */
static void test_finite(void **state)
{
	(void)state;
	enum { MOST = 150 };
	static const double odd[] = {NAN, INFINITY, -INFINITY}, fine[] = {DBL_MAX, -DBL_MAX, DBL_MIN, 0, -0.0};
	double x[MOST] = {0};
	assert_int_equal(stats_check_finite(x, 0), STATS_EMPTY);
	for (size_t n = 1; n <= MOST; n++) {
		for (size_t i = 0; i < n; i++)
			x[i] = fine[i % 5];
		assert_int_equal(stats_check_finite(x, n), STATS_OK);
		for (size_t i = 0; i < n; i++) {
			double before = x[i];
			x[i] = odd[i % 3];
			assert_int_equal(stats_check_finite(x, n), STATS_NOT_FINITE);
			x[i] = before;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_finite), cmocka_unit_test(test_nist),
	                                   cmocka_unit_test(test_jmh),    cmocka_unit_test(test_recomputed),
	                                   cmocka_unit_test(test_many),   cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
