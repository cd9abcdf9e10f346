#include "stats/means.h"

#include "base/random.h"
#include "stats/distribution.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>

static void test_harmonic(void **state)
{
	(void)state;
	json_t *known = known_load("one_sample.json"), *harmonic = json_object_get(known, "harmonic");
	const json_t *expected = json_object_get(harmonic, "expected");
	size_t n;
	double *x = known_array(json_object_get(harmonic, "data"), &n), mean;
	double t = t_quantile(0.975, (double)(n - 1));
	struct interval interval;
	assert_close(t, known_number(expected, "t_0.975_5"), 1e-11);
	assert_int_equal(mean_harmonic(x, n, t, &mean, &interval), STATS_OK);
	assert_close(mean, known_number(expected, "harmonic_mean"), 1e-15);
	assert_close(interval.high - interval.low, known_number(expected, "ci_width_95_via_reciprocals"), 1e-9);
	free(x);

	const json_t *infinite = json_object_get(harmonic, "infinite_case");
	x = known_array(json_object_get(infinite, "data"), &n);
	assert_string_equal(json_string_value(json_object_get(infinite, "ci_width_95_via_reciprocals")), "inf");
	assert_int_equal(mean_harmonic(x, n, t_quantile(0.975, 3), &mean, &interval), STATS_UNBOUNDED);
	assert_close(mean, 4 / (1 / 0.01 + 1 / 100. + 1 / 0.02 + 1 / 50.), 1e-14);
	assert_true(isinf(interval.high) && interval.high > 0 && interval.low > 0 && interval.low < mean);
	free(x);

	const json_t *session = json_object_get(harmonic, "session_case");
	x = known_array(json_object_get(session, "data"), &n);
	assert_int_equal(mean_harmonic(x, n, 0, &mean, NULL), STATS_OK);
	assert_true(fabs(mean - known_number(session, "harmonic_mean")) < 5e-6);
	free(x);
	json_decref(known);
}

/* exp of the mean logarithm, and the interval symmetric in logarithms. */
static void test_geometric(void **state)
{
	(void)state;
	double x[] = {1, 2, 4, 8, 16}, mean;
	struct interval interval;
	double sd = M_LN2 * sqrt(2.5), half = 2 * sd / sqrt(5);
	assert_int_equal(mean_geometric(x, 5, 2, &mean, &interval), STATS_OK);
	assert_close(mean, 4, 1e-15);
	assert_close(interval.low, 4 * exp(-half), 1e-14);
	assert_close(interval.high, 4 * exp(half), 1e-14);
	double far[] = {1e-300, 1e300};
	assert_int_equal(mean_geometric(far, 2, 12.7, &mean, &interval), STATS_UNBOUNDED);
	assert_close(mean, 1, 1e-12);
	assert_true(isinf(interval.high));
}

static void test_edges(void **state)
{
	(void)state;
	enum stats_status (*const functions[])(const double *, size_t, double, double *,
	                                       struct interval *) = {mean_harmonic, mean_geometric};
	for (size_t f = 0; f < 2; f++) {
		double x[] = {2, 2, 2, 0, -1, NAN}, mean = 7;
		struct interval interval = {-1, -1};
		assert_int_equal(functions[f](x, 0, 2, &mean, &interval), STATS_EMPTY);
		assert_int_equal(functions[f](x, 1, 2, &mean, &interval), STATS_TOO_FEW);
		assert_int_equal(functions[f](x, 4, 2, &mean, &interval), STATS_NOT_POSITIVE);
		assert_int_equal(functions[f](x + 4, 1, 2, &mean, NULL), STATS_NOT_POSITIVE);
		assert_int_equal(functions[f](x, 6, 2, &mean, &interval), STATS_NOT_FINITE);
		assert_int_equal(functions[f](x, 3, -1, &mean, &interval), STATS_BAD_ARGUMENT);
		assert_int_equal(functions[f](x, 3, NAN, &mean, &interval), STATS_BAD_ARGUMENT);
		assert_true(mean == 7 && interval.low == -1);
		assert_int_equal(functions[f](x, 1, 2, &mean, NULL), STATS_OK);
		assert_close(mean, 2, 1e-15);
		assert_int_equal(functions[f](x, 3, 2, &mean, &interval), STATS_OK);
		assert_close(interval.low, 2, 1e-15);
		assert_close(interval.high, 2, 1e-15);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_harmonic), cmocka_unit_test(test_geometric),
	                                   cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
