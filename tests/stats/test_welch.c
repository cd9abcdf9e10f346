#include "stats/welch.h"

#include "support/known.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *known;

static void test_r(void **state)
{
	(void)state;
	json_t *classical = known_load("classical.json"), *entry;
	size_t index, compared = 0;
	json_array_foreach(json_object_get(classical, "welch"), index, entry)
	{
		size_t na, nb;
		double *a = known_array(json_object_get(entry, "a"), &na), *b = known_array(json_object_get(entry, "b"), &nb);
		struct welch welch;
		assert_int_equal(welch_test(a, na, b, nb, 0.99, &welch), STATS_OK);
		assert_close(welch.t, known_number(entry, "t"), 1e-9);
		assert_close(welch.df, known_number(entry, "df"), 1e-9);
		assert_close(welch.p, known_number(entry, "p"), 1e-9);
		assert_close(welch.interval.low, known_number(entry, "low"), 1e-9);
		assert_close(welch.interval.high, known_number(entry, "high"), 1e-9);
		compared++;
		free(a);
		free(b);
	}
	assert_int_equal(compared, 4);
	json_decref(classical);
}

static void test_speed_of_light(void **state)
{
	(void)state;
	const json_t *set = json_object_get(json_object_get(known, "welch"), "speed_of_light");
	const json_t *expected = json_object_get(set, "expected");
	size_t na, nb;
	double *a = known_array(json_object_get(set, "a"), &na), *b = known_array(json_object_get(set, "b"), &nb);
	struct welch welch;
	struct summary sa, sb;
	assert_int_equal(summary_of(a, na, &sa), STATS_OK);
	assert_int_equal(summary_of(b, nb, &sb), STATS_OK);
	assert_close(sa.variance, known_number(expected, "var_a"), 1e-12);
	assert_close(sb.variance, known_number(expected, "var_b"), 1e-12);
	assert_int_equal(welch_test(a, na, b, nb, 0.99, &welch), STATS_OK);
	assert_close(welch.df, known_number(expected, "df"), 1e-11);
	assert_close(welch.p, known_number(expected, "p_two_sided"), 1e-9);
	assert_true(fabs(welch.interval.low - known_number(expected, "ci99_left")) < 1e-5);
	assert_true(fabs(welch.interval.high - known_number(expected, "ci99_right")) < 1e-5);
	free(a);
	free(b);
}

static struct summary summary_from(double n, double mean, double variance)
{
	return (struct summary){.n = (size_t)n, .mean = mean, .variance = variance};
}

static void test_summaries(void **state)
{
	(void)state;
	const json_t *body = json_object_get(json_object_get(known, "welch"), "body_temperature_summary");
	double sd_a = known_number(body, "sd_a"), sd_b = known_number(body, "sd_b");
	struct summary a = summary_from(known_number(body, "n_a"), known_number(body, "mean_a"), sd_a * sd_a);
	struct summary b = summary_from(known_number(body, "n_b"), known_number(body, "mean_b"), sd_b * sd_b);
	const json_t *expected = json_object_get(body, "expected");
	struct welch welch;
	assert_int_equal(welch_from(&a, &b, 0.95, &welch), STATS_OK);
	assert_true(fabs(welch.p - known_number(expected, "p")) < known_number(expected, "p_tol"));
	assert_true(fabs(welch.interval.low - known_number(expected, "ci95_left")) < known_number(expected, "ci_tol"));
	assert_true(fabs(welch.interval.high - known_number(expected, "ci95_right")) < known_number(expected, "ci_tol"));
}

/* SPL's t statistics, and JMH's decisions. */
static void test_others(void **state)
{
	(void)state;
	const json_t *spl = json_object_get(json_object_get(known, "spl"), "welch");
	size_t na, nb;
	double *a = known_array(json_object_get(spl, "a"), &na), *b = known_array(json_object_get(spl, "b"), &nb);
	struct welch welch;
	assert_int_equal(welch_test(a, na, b, nb, 0.95, &welch), STATS_OK);
	assert_true(fabs(welch.t - known_number(spl, "t")) < known_number(spl, "tol"));
	free(a);
	free(b);

	json_t *entry, *level;
	size_t index, l;
	json_array_foreach(json_object_get(json_object_get(known, "jmh_ttest"), "cases"), index, entry)
	{
		double x[20], y[20], from[4] = {0};
		sscanf(json_string_value(json_object_get(entry, "a")), "10x{%lf,%lf}", &from[0], &from[1]);
		if (sscanf(json_string_value(json_object_get(entry, "b")), "10x{%lf,%lf}", &from[2], &from[3]) != 2)
			memcpy(from + 2, from, 2 * sizeof(*from)); /* "same" */
		for (int i = 0; i < 20; i++) {
			x[i] = from[i % 2];
			y[i] = from[2 + i % 2];
		}
		json_array_foreach(json_object_get(entry, "different_at"), l, level)
		{
			assert_int_equal(welch_test(x, 20, y, 20, json_number_value(level), &welch), STATS_OK);
			assert_true(welch.p < 1 - json_number_value(level));
			assert_true(welch.interval.low > 0 || welch.interval.high < 0);
		}
		json_array_foreach(json_object_get(entry, "not_at"), l, level)
		{
			assert_int_equal(welch_test(x, 20, y, 20, json_number_value(level), &welch), STATS_OK);
			assert_true(welch.p >= 1 - json_number_value(level));
			assert_true(welch.interval.low <= 0 && welch.interval.high >= 0);
		}
		if (from[0] == from[2] && from[1] == from[3])
			assert_true(welch_test(x, 20, y, 20, 0.5, &welch) == STATS_OK && welch.p == 1);
	}
	assert_int_equal(index, 3);
}

static void test_edges(void **state)
{
	(void)state;
	json_t *entry;
	size_t index;
	json_array_foreach(json_object_get(json_object_get(known, "welch"), "no_variance"), index, entry)
	{
		size_t two;
		double *means = known_array(json_object_get(entry, "means"), &two),
			   *ci = known_array(json_object_get(entry, "ci"), &two);
		double a[10], b[10];
		for (int i = 0; i < 10; i++) {
			a[i] = means[0];
			b[i] = means[1];
		}
		struct welch welch;
		assert_int_equal(welch_test(a, 10, b, 10, 0.95, &welch), STATS_OK);
		assert_true(welch.p == known_number(entry, "p") && welch.df == 18);
		assert_true(welch.interval.low == ci[0] && welch.interval.high == ci[1]);
		free(means);
		free(ci);
	}
	struct welch welch = {.p = 7};
	double x[] = {1, 2, NAN};
	assert_int_equal(welch_test(x, 0, x, 2, 0.95, &welch), STATS_EMPTY);
	assert_int_equal(welch_test(x, 2, x, 1, 0.95, &welch), STATS_TOO_FEW);
	assert_int_equal(welch_test(x, 3, x, 2, 0.95, &welch), STATS_NOT_FINITE);
	assert_int_equal(welch_test(x, 2, x, 2, 1, &welch), STATS_BAD_ARGUMENT);
	assert_int_equal(welch_test(x, 2, x, 2, NAN, &welch), STATS_BAD_ARGUMENT);
	assert_true(welch.p == 7);
	/* Tiny variances do not underflow the degrees of freedom. */
	double tiny_a[] = {1e-140, 2e-140, 4e-140}, tiny_b[] = {7e-140, 8e-140, 9.5e-140};
	double plain_a[] = {1, 2, 4}, plain_b[] = {7, 8, 9.5};
	struct welch plain;
	assert_int_equal(welch_test(tiny_a, 3, tiny_b, 3, 0.95, &welch), STATS_OK);
	assert_int_equal(welch_test(plain_a, 3, plain_b, 3, 0.95, &plain), STATS_OK);
	assert_close(welch.df, plain.df, 1e-6);
}

int main(void)
{
	gsl_set_error_handler_off();
	known = known_load("two_samples.json");
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_r), cmocka_unit_test(test_speed_of_light),
	                                   cmocka_unit_test(test_summaries), cmocka_unit_test(test_others),
	                                   cmocka_unit_test(test_edges)};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	json_decref(known);
	return failed;
}
