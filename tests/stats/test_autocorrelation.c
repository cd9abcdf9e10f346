#include "stats/autocorrelation.h"

#include "support/known.h"
#include "support/sequence.h"
#include "support/starve.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

static json_t *classical;

static void test_nist(void **state)
{
	(void)state;
	json_t *known = known_load("nist.json"), *sets = json_object_get(known, "univariate");
	const char *const names[] = {"NumAcc2", "NumAcc3", "NumAcc4"};
	double x[1001], r1;
	for (size_t s = 0; s < 3; s++) {
		const json_t *set = json_object_get(sets, names[s]);
		x[0] = strtod(json_string_value(json_object_get(set, "first")), NULL);
		for (size_t i = 1; i < 1001; i++)
			x[i] = strtod(json_string_value(json_array_get(json_object_get(set, "pair"), (i - 1) % 2)), NULL);
		double certified = known_number(json_object_get(set, "certified"), "lag1");
		double exact = known_number(json_object_get(set, "exact_of_doubles"), "lag1");
		assert_int_equal(autocorrelation_lag1(x, 1001, &r1), STATS_OK);
		assert_close(r1, exact, 1e-13);
		assert_close(r1, certified, fmax(1e-9, 1.01 * fabs(exact / certified - 1)));
	}
	double three[] = {10000001, 10000003, 10000002};
	assert_int_equal(autocorrelation_lag1(three, 3, &r1), STATS_OK);
	assert_true(r1 == -0.5);
	size_t n;
	const json_t *michelso = json_object_get(sets, "Michelso");
	double *values = known_array(json_object_get(michelso, "values"), &n);
	assert_int_equal(autocorrelation_lag1(values, n, &r1), STATS_OK);
	assert_close(r1, known_number(json_object_get(michelso, "certified"), "lag1"), 1e-11);
	free(values);
	json_decref(known);
}

static void test_r(void **state)
{
	(void)state;
	const json_t *series = json_object_get(classical, "series");
	size_t n, lags, count;
	double *x = known_array(json_object_get(series, "short"), &n),
		   *expected = known_array(json_object_get(series, "short_acf"), &lags);
	double r[59], r1;
	assert_true(n == 60 && lags == 59);
	assert_int_equal(autocorrelation(x, n, lags, r), STATS_OK);
	for (size_t k = 0; k < lags; k++)
		assert_true(fabs(r[k] - expected[k]) < 1e-12);
	assert_int_equal(autocorrelation_lag1(x, n, &r1), STATS_OK);
	assert_close(r1, expected[0], 1e-12);
	free(x);
	free(expected);

	static double longer[3000], all[2999];
	sequence_ar(longer, 3000, 42, 0.9);
	assert_int_equal(autocorrelation(longer, 3000, 2999, all), STATS_OK);
	double *at = known_array(json_object_get(series, "long_lags"), &count);
	expected = known_array(json_object_get(series, "long_acf"), &lags);
	for (size_t i = 0; i < count; i++)
		assert_true(fabs(all[(size_t)at[i] - 1] - expected[i]) < 1e-11);
	free(at);
	free(expected);
}

/* Both ways of summing, against the definition in long double, around the switch. */
static void test_fft_and_direct(void **state)
{
	(void)state;
	static double x[1500], r[1499];
	for (size_t n = 2; n < 1500; n = n * 3 / 2 + 1) {
		sequence_ar(x, n, 7, 0.5);
		for (size_t i = 0; i < n; i++)
			x[i] += 1e6;
		for (size_t lags = 1; lags < n; lags = lags * 4 + 3) {
			assert_int_equal(autocorrelation(x, n, lags, r), STATS_OK);
			long double mean = 0, squares = 0;
			for (size_t i = 0; i < n; i++)
				mean += x[i];
			mean /= (long double)n;
			for (size_t i = 0; i < n; i++)
				squares += (x[i] - mean) * (x[i] - mean);
			for (size_t k = 1; k <= lags; k++) {
				long double products = 0;
				for (size_t i = 0; i + k < n; i++)
					products += (x[i] - mean) * (x[i + k] - mean);
				assert_true(fabs(r[k - 1] - (double)(products / squares)) < 1e-11);
			}
		}
	}
}

static void test_ljung_box(void **state)
{
	(void)state;
	const json_t *series = json_object_get(classical, "series");
	json_t *entry;
	size_t n, index;
	double *x = known_array(json_object_get(series, "short"), &n), r[100];
	json_array_foreach(json_object_get(series, "short_box"), index, entry)
	{
		size_t lags = (size_t)known_number(entry, "lags");
		assert_true(lags <= 100);
		assert_int_equal(autocorrelation(x, n, lags, r), STATS_OK);
		assert_close(ljung_box_statistic(r, lags, n), known_number(entry, "statistic"), 1e-11);
	}
	free(x);
	static double longer[3000];
	sequence_ar(longer, 3000, 42, 0.9);
	json_array_foreach(json_object_get(series, "long_box"), index, entry)
	{
		size_t lags = (size_t)known_number(entry, "lags");
		assert_true(lags <= 100);
		assert_int_equal(autocorrelation(longer, 3000, lags, r), STATS_OK);
		assert_close(ljung_box_statistic(r, lags, 3000), known_number(entry, "statistic"), 1e-11);
	}
}

static void test_edges(void **state)
{
	(void)state;
	double x[] = {1, 2, NAN}, constant[] = {0.1, 0.1, 0.1, 0.1}, r[3] = {7, 7, 7};
	assert_int_equal(autocorrelation(x, 0, 1, r), STATS_EMPTY);
	assert_int_equal(autocorrelation(x, 1, 1, r), STATS_TOO_FEW);
	assert_int_equal(autocorrelation(x, 3, 1, r), STATS_NOT_FINITE);
	assert_int_equal(autocorrelation(x, 2, 2, r), STATS_BAD_ARGUMENT);
	assert_int_equal(autocorrelation(x, 2, 0, r), STATS_BAD_ARGUMENT);
	assert_int_equal(autocorrelation(constant, 4, 2, r), STATS_CONSTANT);
	assert_int_equal(autocorrelation_lag1(constant, 4, r), STATS_CONSTANT);
	assert_int_equal(autocorrelation_lag1(x, 1, r), STATS_TOO_FEW);
	assert_true(r[0] == 7);
	assert_int_equal(autocorrelation(x, 2, 1, r), STATS_OK);
	assert_true(r[0] == -0.5);
	/* Sizes that squares would not survive. */
	double large[] = {1e200, 2e200, 4e200, 3e200}, small[] = {1e-200, 2e-200, 4e-200, 3e-200}, plain[] = {1, 2, 4, 3};
	double expected, actual;
	assert_int_equal(autocorrelation_lag1(plain, 4, &expected), STATS_OK);
	assert_int_equal(autocorrelation_lag1(large, 4, &actual), STATS_OK);
	assert_close(actual, expected, 1e-12);
	assert_int_equal(autocorrelation_lag1(small, 4, &actual), STATS_OK);
	assert_close(actual, expected, 1e-12);
}

static enum stats_status try_direct(void *data)
{
	double r[2];
	return autocorrelation(data, 4, 2, r);
}

static enum stats_status try_fft(void *data)
{
	(void)data;
	static double x[3000], r[2999];
	sequence_ar(x, 3000, 1, 0.1);
	return autocorrelation(x, 3000, 2999, r);
}

static void test_no_memory(void **state)
{
	(void)state;
	double x[] = {1, 2, 4, 3};
	assert_int_equal(starve(try_direct, x), 1);
	assert_int_equal(starve(try_fft, NULL), 1);
}

int main(void)
{
	gsl_set_error_handler_off();
	classical = known_load("classical.json");
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_nist),           cmocka_unit_test(test_r),
	                                   cmocka_unit_test(test_fft_and_direct), cmocka_unit_test(test_ljung_box),
	                                   cmocka_unit_test(test_edges),          cmocka_unit_test(test_no_memory)};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	json_decref(classical);
	return failed;
}
