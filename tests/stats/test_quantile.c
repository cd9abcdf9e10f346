#include "stats/quantile.h"

#include "base/random.h"
#include "support/known.h"
#include "support/starve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_types(void **state)
{
	(void)state;
	json_t *known = known_load("classical.json"), *entry;
	size_t count, index, compared = 0;
	double *p = known_array(json_object_get(known, "quantile_p"), &count);
	json_array_foreach(json_object_get(known, "quantiles"), index, entry)
	{
		size_t n, values;
		double *x = known_array(json_object_get(entry, "x"), &n), mad;
		assert_int_equal(mad_of(x, n, &mad), STATS_OK);
		assert_close(mad, known_number(entry, "mad"), 1e-14);
		double *expected = known_array(json_object_get(entry, "types"), &values);
		assert_int_equal(values, 9 * count);
		sort_doubles(x, n);
		for (int type = 1; type <= 9; type++)
			for (size_t i = 0; i < count; i++, compared++)
				assert_close(quantile_sorted(x, n, p[i], type), expected[(size_t)(type - 1) * count + i], 1e-14);
		free(expected);
		free(x);
	}
	assert_int_equal(compared, 6 * 9 * 14);
	free(p);
	json_decref(known);
}

/* JMH's percentiles are at position p·(n + 1): type 6. */
static void test_jmh(void **state)
{
	(void)state;
	json_t *known = known_load("one_sample.json"), *jmh = json_object_get(known, "jmh"), *value;
	size_t n;
	const char *percent;
	double *x = known_array(json_object_get(jmh, "x"), &n);
	sort_doubles(x, n);
	json_object_foreach(json_object_get(jmh, "percentile_pos_p_times_n_plus_1"), percent, value)
		assert_true(fabs(quantile_sorted(x, n, strtod(percent, NULL) / 100, 6) - json_number_value(value)) < 0.002);
	free(x);
	json_decref(known);
}

static void test_ends(void **state)
{
	(void)state;
	double x[] = {-INFINITY, 1, 2, INFINITY};
	for (int type = 1; type <= 9; type++) {
		assert_true(quantile_sorted(x, 4, 0, type) == -INFINITY && quantile_sorted(x, 4, 1, type) == INFINITY);
		assert_true(isnan(quantile_sorted(x, 4, -0.1, type)) && isnan(quantile_sorted(x, 4, 1.1, type)));
		assert_true(isnan(quantile_sorted(x, 4, NAN, type)));
		assert_true(quantile_sorted(x + 1, 1, 0.3, type) == 1);
	}
	assert_true(quantile_sorted(x, 4, 0.5, 7) == 1.5);
	assert_true(isnan(quantile_sorted(x, 4, 0.5, 0)) && isnan(quantile_sorted(x, 4, 0.5, 10)));
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Against libc's sort, over lengths, ties and order. */
static void test_median(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 5);
	for (size_t n = 1; n <= 200; n++) {
		for (unsigned shape = 0; shape < 4; shape++) {
			double x[200], sorted[200], ours[200], median;
			for (size_t i = 0; i < n; i++) {
				const double shapes[] = {random_normal(&random), (double)random_below(&random, 4), (double)i,
				                         (double)(n - i)};
				x[i] = shapes[shape];
			}
			memcpy(sorted, x, n * sizeof(*x));
			memcpy(ours, x, n * sizeof(*x));
			qsort(sorted, n, sizeof(*sorted), by_value);
			sort_doubles(ours, n);
			assert_memory_equal(sorted, ours, n * sizeof(*x));
			double expected = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
			assert_int_equal(median_of(x, n, &median), STATS_OK);
			assert_true(median == expected);
			assert_true(median_in_place(x, n) == expected);
		}
	}
}

static void test_edges(void **state)
{
	(void)state;
	double x[] = {3, NAN}, out = 7, constant[] = {2, 2, 2, 2, 9}, large[] = {1.7e308, 1.6e308};
	assert_int_equal(median_of(x, 0, &out), STATS_EMPTY);
	assert_int_equal(mad_of(x, 0, &out), STATS_EMPTY);
	assert_int_equal(median_of(x, 2, &out), STATS_NOT_FINITE);
	assert_int_equal(mad_of(x, 2, &out), STATS_NOT_FINITE);
	assert_true(out == 7);
	assert_int_equal(mad_of(x, 1, &out), STATS_OK);
	assert_true(out == 0);
	assert_int_equal(mad_of(constant, 5, &out), STATS_OK);
	assert_true(out == 0);
	assert_int_equal(median_of(large, 2, &out), STATS_OK);
	assert_close(out, 1.65e308, 1e-15);
}

static enum stats_status try_median(void *data)
{
	double out;
	return median_of(data, 3, &out);
}

static enum stats_status try_mad(void *data)
{
	double out;
	return mad_of(data, 3, &out);
}

static void test_no_memory(void **state)
{
	(void)state;
	double x[] = {1, 2, 3};
	assert_int_equal(starve(try_median, x), 1);
	assert_int_equal(starve(try_mad, x), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_types), cmocka_unit_test(test_jmh),
	                                   cmocka_unit_test(test_ends),  cmocka_unit_test(test_median),
	                                   cmocka_unit_test(test_edges), cmocka_unit_test(test_no_memory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
