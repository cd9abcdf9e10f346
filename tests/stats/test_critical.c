#include "stats/critical.h"

#include "stats/evalue.h"
#include "support/known.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The table was printed with five significant digits; the same rounding must give the same text. */
static void assert_prints(double actual, const json_t *printed, const char *what)
{
	char text[32];
	snprintf(text, sizeof(text), "%.5g", actual);
	if (json_is_null(printed)) {
		assert_string_equal(text, "inf");
		return;
	}
	double difference = fabs(strtod(text, NULL) - strtod(json_string_value(printed), NULL));
	if (difference > 0) {
		print_error("%s is %s, the table has %s\n", what, text, json_string_value(printed));
		fail();
	}
}

static void test_table(void **state)
{
	(void)state;
	json_t *known = known_load("critical.json");
	json_t *rows = json_object_get(json_object_get(known, "printed"), "rows"), *row;
	size_t i;
	json_array_foreach(rows, i, row)
	{
		double runs = json_number_value(json_array_get(row, 0)), alpha = json_number_value(json_array_get(row, 1));
		assert_prints(critical_t(alpha, runs - 1), json_array_get(row, 2), "t");
		assert_prints(critical_precision(alpha, runs, runs - 1), json_array_get(row, 3), "precision");
	}
	assert_int_equal(i, 117);
	json_decref(known);
}

/* The constant of g = 1 alone has a closed form; where it stands the e-value of g = 1 is 1/alpha. */
static void test_evalue_at_its_constant(void **state)
{
	(void)state;
	json_t *known = known_load("critical.json"), *row;
	size_t i;
	json_array_foreach(json_object_get(known, "anytime"), i, row)
	{
		double runs = json_number_value(json_array_get(row, 0)), df = json_number_value(json_array_get(row, 1));
		double alpha = json_number_value(json_array_get(row, 2));
		const json_t *c = json_array_get(row, 3);
		if (json_is_null(c))
			assert_true(evalue_log(1, INFINITY, runs, df) <= -log(alpha));
		else
			assert_close(evalue_log(1, json_number_value(c), runs, df), -log(alpha), 1e-12);
	}
	assert_int_equal(i, 70);
	const json_t *sides = json_object_get(known, "anytime_two_sides");
	assert_close(evalue_log(1, known_number(sides, "c"), known_number(sides, "runs"), known_number(sides, "df")),
	             -log(known_number(sides, "alpha")), 1e-12);
	json_decref(known);
}

static void test_anytime(void **state)
{
	(void)state;
	json_t *known = known_load("mixture.json"), *row;
	size_t i;
	json_array_foreach(json_object_get(known, "rows"), i, row)
	{
		double alpha = json_number_value(json_array_get(row, 0)), runs = json_number_value(json_array_get(row, 1));
		double df = json_number_value(json_array_get(row, 2));
		const json_t *c = json_array_get(row, 3);
		assert_close(critical_anytime(alpha, runs, df), json_is_null(c) ? INFINITY : json_number_value(c), 1e-11);
	}
	assert_int_equal(i, 306);
	json_decref(known);
	/* More runs never ask for more, and a smaller alpha never for less, as far as an experiment goes. */
	for (double alpha = 1e-6; alpha < 0.4; alpha *= 3) {
		for (double runs = 4; runs < 1e7; runs *= 1.37) {
			double c = critical_anytime(alpha, runs, runs - 1);
			assert_true(isinf(c) || c > critical_t(alpha, runs - 1));
			assert_true(critical_anytime(alpha / 2, runs, runs - 1) >= c);
		}
	}
}

static void test_rules(void **state)
{
	(void)state;
	assert_true(critical_value(CRITICAL_FIXED, 0.05, 12, 11) == critical_t(0.05, 11));
	assert_true(critical_value(CRITICAL_PRECISION, 0.05, 12, 11) == critical_precision(0.05, 12, 11));
	assert_true(critical_value(CRITICAL_ANYTIME, 0.05, 12, 11) == critical_anytime(0.05, 12, 11));
	/* The limit of many runs is the normal's (R: qnorm(0.975)); tiny alphas keep their digits. */
	assert_close(critical_t(0.05, INFINITY), 1.9599639845400545, 1e-12);
	assert_close(critical_p_value(CRITICAL_FIXED, critical_t(1e-20, 30), 31, 30), 1e-20, 1e-9);
}

/* p is where the interval just touches: c(p) = |t|. */
static void test_p_value(void **state)
{
	(void)state;
	static const enum critical_rule rules[] = {CRITICAL_FIXED, CRITICAL_PRECISION, CRITICAL_ANYTIME};
	for (size_t i = 0; i < 3; i++) {
		for (double t = 3; t < 9; t += 0.7) {
			double p = critical_p_value(rules[i], -t, 14, 13);
			assert_true(p > 0 && p < 1);
			assert_close(critical_value(rules[i], p, 14, 13), t, 1e-9);
		}
		assert_true(critical_p_value(rules[i], 0, 14, 13) == 1);
		assert_true(isnan(critical_p_value(rules[i], NAN, 14, 13)));
	}
	assert_true(critical_p_value(CRITICAL_FIXED, INFINITY, 14, 13) == 0);
	/* Five runs can never show more than the mean of (1 + gR)^(ν/2), when one may look at any time. */
	assert_close(critical_p_value(CRITICAL_ANYTIME, INFINITY, 5, 4), 2 / (36.0 + 501.0 * 501.0), 1e-12);
}

static void test_evalue(void **state)
{
	(void)state;
	json_t *known = known_load("critical.json");
	const json_t *worked = json_object_get(known, "evalue");
	double runs = known_number(worked, "runs"), df = known_number(worked, "df"), t = known_number(worked, "t");
	assert_close(evalue_log(1, t, runs, df), log(known_number(worked, "e")), 1e-9);
	assert_close(evalue_log(1, -t, runs, df), log(known_number(worked, "e")), 1e-9);
	/* No effect at all counts against a difference. */
	assert_close(evalue_log(1, 0, 24, 23), log(0.2), 1e-14);
	assert_close(evalue_mixture_log(0, 24, 23), log((0.2 + 1 / sqrt(2401)) / 2), 1e-14);
	assert_true(isfinite(evalue_mixture_log(1e200, 1e6, 1e6 - 1)));
	assert_true(isnan(evalue_log(1, NAN, 10, 9)) && isnan(evalue_log(1, 1, 0, 9)) && isnan(evalue_log(1, 1, 10, 0)));
	assert_true(isnan(evalue_log(0, 1, 10, 9)) && isnan(evalue_mixture_log(NAN, 10, 9)));
	json_decref(known);
}

static void test_outside_range(void **state)
{
	(void)state;
	static const enum critical_rule rules[] = {CRITICAL_FIXED, CRITICAL_PRECISION, CRITICAL_ANYTIME};
	static const double bad[][3] = {{0, 10, 9},     {1, 10, 9},    {-1, 10, 9},    {NAN, 10, 9},   {0.05, 0, 9},
	                                {0.05, NAN, 9}, {0.05, 10, 0}, {0.05, 10, -1}, {0.05, 10, NAN}};
	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < sizeof(bad) / sizeof(bad[0]); k++)
			assert_true(isnan(critical_value(rules[i], bad[k][0], bad[k][1], bad[k][2])));
	assert_true(isinf(critical_anytime(0.05, 2, 1)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),         cmocka_unit_test(test_anytime),
		cmocka_unit_test(test_rules),         cmocka_unit_test(test_evalue_at_its_constant),
		cmocka_unit_test(test_p_value),       cmocka_unit_test(test_evalue),
		cmocka_unit_test(test_outside_range),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
