#include "stats/fieller.h"

#include "base/random.h"
#include "stats/critical.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>

static json_t *known;
static double *a, *b;
static size_t n;

static int load(void **state)
{
	(void)state;
	size_t count;
	known = known_load("fieller.json");
	a = known_array(json_object_get(known, "A"), &n);
	b = known_array(json_object_get(known, "B"), &count);
	return count == n ? 0 : -1;
}

static int unload(void **state)
{
	(void)state;
	free(a);
	free(b);
	json_decref(known);
	return 0;
}

static void assert_interval(struct interval actual, const json_t *expected)
{
	assert_close(actual.low, json_number_value(json_array_get(expected, 0)), 1e-9);
	assert_close(actual.high, json_number_value(json_array_get(expected, 1)), 1e-9);
}

static void test_half_widths(void **state)
{
	(void)state;
	size_t i;
	json_t *worked;
	json_array_foreach(json_object_get(known, "half_widths"), i, worked)
	{
		double base = known_number(worked, "Y"), base_half = known_number(worked, "h");
		double new_ = known_number(worked, "Y2"), new_half = known_number(worked, "h2"), ratio;
		struct interval interval;
		assert_int_equal(fieller_half_widths(base, base_half, new_, new_half, &ratio, &interval), STATS_OK);
		assert_close(ratio, known_number(worked, "ratio"), 1e-12);
		assert_interval(interval, json_object_get(worked, "ci"));
	}
	assert_int_equal(i, 5);
}

static void test_unbounded(void **state)
{
	(void)state;
	size_t i;
	json_t *worked;
	json_array_foreach(json_object_get(known, "unbounded"), i, worked)
	{
		double ratio;
		struct interval interval;
		assert_int_equal(
			fieller_half_widths(known_number(worked, "Y"), known_number(worked, "h"), 3, 0.1, &ratio, &interval),
			STATS_UNBOUNDED);
		assert_close(ratio, 1.5, 1e-15);
		assert_true(interval.low == -INFINITY && interval.high == INFINITY);
	}
	assert_int_equal(i, 2);
	double ratio;
	struct interval interval;
	assert_int_equal(fieller_paired(a, b, n, INFINITY, &ratio, &interval), STATS_UNBOUNDED);
	assert_close(ratio, known_number(known, "ratio"), 1e-12);
	assert_int_equal(fieller_paired(a, b, n, 1e200, &ratio, &interval), STATS_UNBOUNDED);
}

static void test_paired(void **state)
{
	(void)state;
	size_t i;
	json_t *worked;
	json_array_foreach(json_object_get(known, "paired"), i, worked)
	{
		double ratio;
		struct interval interval;
		assert_int_equal(fieller_paired(a, b, n, known_number(worked, "c"), &ratio, &interval), STATS_OK);
		assert_close(ratio, known_number(known, "ratio"), 1e-9);
		assert_interval(interval, json_object_get(worked, "interval"));
	}
	assert_int_equal(i, 5);
}

static struct fieller moments_of(const double *x, const double *y, size_t count)
{
	struct comoment moments = {0};
	for (size_t i = 0; i < count; i++)
		comoment_add(&moments, (const double[]){x[i], y[i]}, 2);
	return fieller_of(&moments, 0, 1);
}

static void test_t(void **state)
{
	(void)state;
	struct fieller means = moments_of(a, b, n);
	assert_close(fieller_t(&means, 1), known_number(known, "t_at_1"), 1e-9);
	assert_true(fieller_t(&(struct fieller){2, 3, 0, 0, 0}, 1.5) == 0);
	assert_true(fieller_t(&(struct fieller){2, 3, 0, 0, 0}, 1) == INFINITY);
	assert_true(fieller_t(&(struct fieller){2, 3, 0, 0, 0}, 2) == -INFINITY);
}

/* The ends of an interval are where |t| reaches c: inversion instead of the formula. */
static void test_ends_by_inversion(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 7);
	for (int repeat = 0; repeat < 200; repeat++) {
		double x[8], y[8], scale = exp(20 * random_normal(&random)), spread = 0.2 * random_uniform(&random);
		for (int i = 0; i < 8; i++) {
			double shared = random_normal(&random);
			x[i] = scale * (1 + spread * (shared + random_normal(&random)));
			y[i] = -0.7 * scale * (1 + spread * (shared + 0.5 * random_normal(&random)));
		}
		double ratio, c = 0.5 + 2 * random_uniform(&random);
		struct interval interval;
		enum stats_status status = fieller_paired(x, y, 8, c, &ratio, &interval);
		if (status == STATS_UNBOUNDED)
			continue;
		assert_int_equal(status, STATS_OK);
		assert_true(interval.low <= ratio && ratio <= interval.high);
		struct fieller means = moments_of(x, y, 8);
		/* base > 0: above the estimate, new − θ·base is negative */
		double sign = means.base > 0 ? 1 : -1;
		assert_close(sign * fieller_t(&means, interval.low), c, 1e-7);
		assert_close(sign * fieller_t(&means, interval.high), -c, 1e-7);
	}
}

static void test_unpaired(void **state)
{
	(void)state;
	double ratio;
	struct interval interval;
	assert_int_equal(fieller_unpaired(a, n, b, n, critical_t(0.05, (double)n - 1), &ratio, &interval), STATS_OK);
	assert_close(ratio, known_number(known, "ratio"), 1e-9);
	assert_interval(interval, json_object_get(known, "unpaired95"));
}

/* Times near 1e9 with a spread of 1, strongly shared: the textbook form of the discriminant has no
 * digit left here. Expected: shifting both by 2^30 exactly changes r·spread in a known way. */
static void test_keeps_digits(void **state)
{
	(void)state;
	double x[6] = {1, 3, 2, 5, 4, 3}, y[6] = {2, 3, 3, 6, 5, 5}, x_far[6], y_far[6];
	const double shift = 1073741824;
	for (int i = 0; i < 6; i++) {
		x_far[i] = x[i] + shift;
		y_far[i] = y[i] + shift;
	}
	struct fieller near = moments_of(x, y, 6), far = moments_of(x_far, y_far, 6);
	assert_close(far.base_variance, near.base_variance, 1e-12);
	assert_close(far.new_variance, near.new_variance, 1e-12);
	assert_close(far.covariance, near.covariance, 1e-12);
	double ratio;
	struct interval interval;
	assert_int_equal(fieller_interval(&far, 2, &ratio, &interval), STATS_OK);
	/* First order: width = 2·c·sd(y − x)/shift, relative error 1e-8. */
	double sd = sqrt(near.base_variance + near.new_variance - 2 * near.covariance);
	assert_close(interval.high - interval.low, 4 * sd / shift, 1e-6);
}

static void test_edges(void **state)
{
	(void)state;
	double ratio = -1, constant[3] = {2, 2, 2}, triple[3] = {6, 6, 6}, zero[3] = {0, 0, 0};
	double with_nan[3] = {1, NAN, 2}, with_inf[3] = {1, INFINITY, 2}, sign[3] = {-1, 0, 1};
	struct interval interval = {-1, -1};
	assert_int_equal(fieller_paired(a, b, 0, 2, &ratio, &interval), STATS_EMPTY);
	assert_int_equal(fieller_paired(a, b, 1, 2, &ratio, &interval), STATS_TOO_FEW);
	assert_int_equal(fieller_paired(with_nan, constant, 3, 2, &ratio, &interval), STATS_NOT_FINITE);
	assert_int_equal(fieller_paired(constant, with_inf, 3, 2, &ratio, &interval), STATS_NOT_FINITE);
	assert_int_equal(fieller_paired(zero, constant, 3, 2, &ratio, &interval), STATS_NOT_DEFINED);
	assert_int_equal(fieller_paired(sign, constant, 3, 2, &ratio, &interval), STATS_NOT_DEFINED);
	assert_int_equal(fieller_paired(a, b, n, -1, &ratio, &interval), STATS_BAD_ARGUMENT);
	assert_int_equal(fieller_paired(a, b, n, NAN, &ratio, &interval), STATS_BAD_ARGUMENT);
	assert_int_equal(fieller_half_widths(1, -1, 1, 1, &ratio, &interval), STATS_BAD_ARGUMENT);
	assert_int_equal(fieller_half_widths(1, NAN, 1, 1, &ratio, &interval), STATS_NOT_FINITE);
	assert_int_equal(fieller_unpaired(a, n, b, 0, 2, &ratio, &interval), STATS_EMPTY);
	assert_int_equal(fieller_unpaired(a, 1, b, n, 2, &ratio, &interval), STATS_TOO_FEW);
	assert_true(ratio == -1 && interval.low == -1); /* nothing written on failure */

	assert_int_equal(fieller_paired(constant, triple, 3, 4.3, &ratio, &interval), STATS_OK);
	assert_true(ratio == 3 && interval.low == 3 && interval.high == 3);
	assert_int_equal(fieller_unpaired(constant, 3, zero, 3, 4.3, &ratio, &interval), STATS_OK);
	assert_true(ratio == 0 && interval.low == 0 && interval.high == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_half_widths),
		cmocka_unit_test(test_unbounded),
		cmocka_unit_test(test_paired),
		cmocka_unit_test(test_t),
		cmocka_unit_test(test_ends_by_inversion),
		cmocka_unit_test(test_unpaired),
		cmocka_unit_test(test_keeps_digits),
		cmocka_unit_test(test_edges),
	};
	return cmocka_run_group_tests(tests, load, unload);
}
