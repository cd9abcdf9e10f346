#include "stats/regression.h"

#include "base/random.h"
#include "support/known.h"
#include "support/starve.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

static void test_norris(void **state)
{
	(void)state;
	json_t *known = known_load("nist.json"), *norris = json_object_get(known, "norris");
	const json_t *certified = json_object_get(norris, "certified");
	size_t n;
	double *x = known_array(json_object_get(norris, "x"), &n), *y = known_array(json_object_get(norris, "y"), &n);
	struct line line;
	assert_int_equal(n, 36);
	assert_int_equal(line_fit(x, y, n, &line), STATS_OK);
	assert_close(line.intercept, known_number(certified, "intercept"), 1e-10);
	assert_close(line.slope, known_number(certified, "slope"), 1e-12);
	assert_close(line.intercept_se, known_number(certified, "intercept_se"), 1e-10);
	assert_close(line.slope_se, known_number(certified, "slope_se"), 1e-10);
	assert_close(line.residual_sd, known_number(certified, "residual_sd"), 1e-10);
	assert_close(line.residual_squares, known_number(certified, "residual_squares"), 1e-10);
	assert_close(line.r_squared, known_number(certified, "r_squared"), 1e-12);
	free(x);
	free(y);
	json_decref(known);
}

static void assert_interval(struct interval actual, const json_t *expected, double tolerance)
{
	assert_close(actual.low, json_number_value(json_array_get(expected, 0)), tolerance);
	assert_close(actual.high, json_number_value(json_array_get(expected, 1)), tolerance);
}

static void test_r(void **state)
{
	(void)state;
	json_t *known = known_load("classical.json"), *expected = json_object_get(known, "line");
	size_t n;
	double *x = known_array(json_object_get(expected, "x"), &n), *y = known_array(json_object_get(expected, "y"), &n);
	double c = known_number(expected, "critical"), p;
	struct line line;
	assert_int_equal(line_fit(x, y, n, &line), STATS_OK);
	assert_close(line.intercept, known_number(expected, "intercept"), 1e-12);
	assert_close(line.slope, known_number(expected, "slope"), 1e-12);
	assert_interval(line_intercept_interval(&line, c), json_object_get(expected, "intercept_interval"), 1e-11);
	assert_interval(line_slope_interval(&line, c), json_object_get(expected, "slope_interval"), 1e-11);
	assert_int_equal(line_curvature(x, y, n, &p), STATS_OK);
	assert_close(p, known_number(expected, "curvature_p"), 1e-9);
	double slope, se;
	assert_int_equal(line_through_origin(x, y, n, &slope, &se), STATS_OK);
	assert_close(slope, known_number(expected, "origin_slope"), 1e-14);
	assert_close(se, known_number(expected, "origin_se"), 1e-13);
	/* The same rounds in other units have the same curvature. */
	for (size_t i = 0; i < n; i++) {
		x[i] = 1e9 + 1e6 * x[i];
		y[i] *= 1e-9;
	}
	assert_int_equal(line_curvature(x, y, n, &p), STATS_OK);
	assert_close(p, known_number(expected, "curvature_p"), 1e-6);
	free(x);
	free(y);
	json_decref(known);
}

/* Straight lines are called curved in 1 % at 1 % (10 000 of 12 points: simulation error 0.1 points), a bow of 4 sd in
 * nearly all. */
static void test_curvature_rate(void **state)
{
	(void)state;
	enum { LINES = 10000, N = 12 };
	struct random random;
	random_seed(&random, 61);
	int straight = 0, bowed = 0;
	for (int l = 0; l < LINES; l++) {
		double x[N], y[N], p;
		for (int i = 0; i < N; i++) {
			x[i] = 10 + i;
			y[i] = 3 + 2 * x[i] + random_normal(&random);
		}
		assert_int_equal(line_curvature(x, y, N, &p), STATS_OK);
		straight += p < 0.01;
		for (int i = 0; i < N; i++)
			y[i] += 4 * (i - 5.5) * (i - 5.5) / 5.5 / 5.5;
		assert_int_equal(line_curvature(x, y, N, &p), STATS_OK);
		bowed += p < 0.01;
	}
	assert_true(fabs((double)straight / LINES - 0.01) < 0.004);
	assert_true((double)bowed / LINES > 0.75);
}

static enum stats_status try_curvature(void *data)
{
	double *x = data, p;
	return line_curvature(x, x + 4, 4, &p);
}

static void test_edges(void **state)
{
	(void)state;
	double x[] = {1, 2, 3, 4, 5, 7, 9, 10.5}, y[] = {3, 5, 7, 9}, same[] = {2, 2, 2, 2}, two[] = {1, 1, 2, 2},
		   lost[] = {1, NAN, 3}, p = 7;
	struct line line = {.n = 77};
	assert_int_equal(line_fit(x, y, 0, &line), STATS_EMPTY);
	assert_int_equal(line_fit(x, y, 2, &line), STATS_TOO_FEW);
	assert_int_equal(line_fit(same, y, 4, &line), STATS_CONSTANT);
	assert_int_equal(line_fit(lost, y, 3, &line), STATS_NOT_FINITE);
	assert_int_equal(line_fit(x, lost, 3, &line), STATS_NOT_FINITE);
	assert_int_equal(line.n, 77);
	assert_int_equal(line_curvature(x, y, 3, &p), STATS_TOO_FEW);
	assert_int_equal(line_curvature(same, y, 4, &p), STATS_CONSTANT);
	assert_int_equal(line_curvature(two, y, 4, &p), STATS_NOT_DEFINED);
	assert_true(p == 7);
	assert_int_equal(line_fit(x, y, 4, &line), STATS_OK);
	assert_close(line.slope, 2, 1e-14);
	assert_close(line.intercept, 1, 1e-13);
	assert_true(line.residual_sd < 1e-14 && line_at(&line, 10) > 20.99);
	assert_int_equal(line_fit(x, same, 4, &line), STATS_OK);
	assert_true(line.slope == 0 && line.r_squared == 1);
	/* A perfect line is not curved, though its residuals are nothing but rounding. */
	for (int i = 0; i < 4; i++)
		y[i] = 0.1 + 0.3 * x[i];
	assert_int_equal(line_curvature(x, y, 4, &p), STATS_OK);
	assert_true(p == 1);
	/* A perfect parabola is. */
	for (int i = 0; i < 4; i++)
		y[i] = x[i] * x[i];
	assert_int_equal(line_curvature(x, y, 4, &p), STATS_OK);
	assert_true(p < 1e-6);
	assert_int_equal(starve(try_curvature, x), 1);
}

int main(void)
{
	gsl_set_error_handler_off();
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_norris), cmocka_unit_test(test_r),
	                                   cmocka_unit_test(test_curvature_rate), cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
