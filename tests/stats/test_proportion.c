#include "stats/proportion.h"

#include "support/known.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static void test_r(void **state)
{
	(void)state;
	json_t *known = known_load("classical.json"), *entry;
	size_t index, two, compared = 0;
	json_array_foreach(json_object_get(known, "proportions"), index, entry)
	{
		size_t successes = (size_t)known_number(entry, "successes"), n = (size_t)known_number(entry, "n");
		double level = known_number(entry, "level");
		double *exact = known_array(json_object_get(entry, "clopper_pearson"), &two);
		double *wilson = known_array(json_object_get(entry, "wilson"), &two);
		struct interval interval;
		assert_int_equal(proportion_clopper_pearson(successes, n, level, &interval), STATS_OK);
		assert_close(interval.low, exact[0], 1e-10);
		assert_close(interval.high, exact[1], 1e-10);
		assert_int_equal(proportion_wilson(successes, n, level, &interval), STATS_OK);
		assert_close(interval.low, wilson[0], 1e-10);
		assert_close(interval.high, wilson[1], 1e-10);
		free(exact);
		free(wilson);
		compared++;
	}
	assert_int_equal(compared, 24);
	json_decref(known);
}

static double binomial_probability(unsigned k, unsigned n, double p)
{
	return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1.0) + k * log(p) + (n - k) * log1p(-p));
}

/* The exact coverage at 20 trials over a grid of probabilities: never under 95 % for Clopper and Pearson, near
 * 95 % on average for Wilson. */
static void test_coverage(void **state)
{
	(void)state;
	enum { N = 20, GRID = 199 };
	double mean = 0;
	for (int g = 1; g <= GRID; g++) {
		double p = g / (GRID + 1.), exact = 0, wilson = 0;
		for (unsigned k = 0; k <= N; k++) {
			struct interval interval;
			assert_int_equal(proportion_clopper_pearson(k, N, 0.95, &interval), STATS_OK);
			exact += interval.low <= p && p <= interval.high ? binomial_probability(k, N, p) : 0;
			assert_int_equal(proportion_wilson(k, N, 0.95, &interval), STATS_OK);
			wilson += interval.low <= p && p <= interval.high ? binomial_probability(k, N, p) : 0;
		}
		assert_true(exact >= 0.95);
		mean += wilson / GRID;
	}
	assert_true(fabs(mean - 0.95) < 0.005);
}

static void test_unseen(void **state)
{
	(void)state;
	assert_close(proportion_unseen(10, 0.95), 1 - pow(0.05, 0.1), 1e-14);
	assert_true(fabs(proportion_unseen(10, 0.95) - 0.26) < 0.005 && fabs(proportion_unseen(30, 0.95) - 0.095) < 0.0005);
	/* It is the upper Clopper-Pearson bound of "none of n", one-sided. */
	struct interval interval;
	assert_int_equal(proportion_clopper_pearson(0, 12, 0.9, &interval), STATS_OK);
	assert_close(proportion_unseen(12, 0.95), interval.high, 1e-12);
	assert_true(proportion_unseen(0, 0.95) == 1 && isnan(proportion_unseen(3, 0)) && isnan(proportion_unseen(3, 1)));
}

static void test_edges(void **state)
{
	(void)state;
	enum stats_status (*const functions[])(size_t, size_t, double, struct interval *) = {proportion_wilson,
	                                                                                     proportion_clopper_pearson};
	for (size_t f = 0; f < 2; f++) {
		struct interval interval = {-1, -1};
		assert_int_equal(functions[f](0, 0, 0.95, &interval), STATS_EMPTY);
		assert_int_equal(functions[f](3, 2, 0.95, &interval), STATS_BAD_ARGUMENT);
		assert_int_equal(functions[f](1, 2, 0, &interval), STATS_BAD_ARGUMENT);
		assert_int_equal(functions[f](1, 2, 1, &interval), STATS_BAD_ARGUMENT);
		assert_int_equal(functions[f](1, 2, NAN, &interval), STATS_BAD_ARGUMENT);
		assert_true(interval.low == -1);
		assert_int_equal(functions[f](30, 30, 0.95, &interval), STATS_OK);
		assert_true(interval.high == 1 && interval.low > 0.85 && interval.low < 0.9);
		assert_int_equal(functions[f](0, 30, 0.95, &interval), STATS_OK);
		assert_true(interval.low == 0 && interval.high < 0.15 && interval.high > 0.1);
	}
}

/* The exact coverage of the ratio at 40 trials a side, over a grid of probabilities; where the interval is unbounded it
 * holds everything. */
static void test_ratio(void **state)
{
	(void)state;
	enum { N = 40 };
	double sum = 0, least = 1, ratio;
	struct interval interval;
	for (double base = 0.2; base < 0.99; base += 0.15) {
		for (double new_ = 0.2; new_ < 0.99; new_ += 0.15) {
			double held = 0;
			for (unsigned a = 0; a <= N; a++) {
				for (unsigned b = 0; b <= N; b++) {
					enum stats_status status = proportion_ratio(a, N, b, N, 0.95, &ratio, &interval);
					bool holds = status == STATS_UNBOUNDED ||
					             (interval.low <= new_ / base && new_ / base <= interval.high);
					held += holds * binomial_probability(a, N, base) * binomial_probability(b, N, new_);
				}
			}
			sum += held / 36;
			least = fmin(least, held);
		}
	}
	assert_true(sum > 0.945 && sum < 0.965);
	assert_true(least > 0.92);
	assert_int_equal(proportion_ratio(0, N, 3, N, 0.95, &ratio, &interval), STATS_UNBOUNDED);
	/* R 4.2.2: the roots of p1 - x p2 -+ sqrt((p1 - l1)^2 + x^2 (u2 - p2)^2), and with the other ends, by uniroot(). Two
	 * of 20 are surely not none. */
	assert_int_equal(proportion_ratio(20, 40, 30, 40, 0.95, &ratio, &interval), STATS_OK);
	assert_close(interval.low, 1.06263862553, 1e-10);
	assert_close(interval.high, 2.18079724235, 1e-10);
	assert_int_equal(proportion_ratio(2, 20, 10, 20, 0.95, &ratio, &interval), STATS_OK);
	assert_close(interval.low, 1.45410015125, 1e-10);
	assert_close(interval.high, 18.48180358333, 1e-10);
	assert_int_equal(proportion_ratio(5, 10, 0, 10, 0.95, &ratio, &interval), STATS_OK);
	assert_true(ratio == 0 && interval.low == 0 && interval.high > 0 && interval.high < 1);
	assert_int_equal(proportion_ratio(30, 30, 30, 30, 0.95, &ratio, &interval), STATS_OK);
	assert_true(ratio == 1 && interval.low < 0.9 && interval.high > 1.1);
	assert_int_equal(proportion_ratio(3, 2, 1, 2, 0.95, &ratio, &interval), STATS_BAD_ARGUMENT);
}

int main(void)
{
	gsl_set_error_handler_off();
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_r), cmocka_unit_test(test_coverage),
	                                   cmocka_unit_test(test_unseen), cmocka_unit_test(test_edges),
	                                   cmocka_unit_test(test_ratio)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
