/* The weighted line over work amounts, against R. */
#include "stats/work_line.h"

#include "support/known.h"
#include "support/starve.h"

#include <math.h>
#include <stdlib.h>

static void like_r(void **state)
{
	(void)state;
	json_t *known = known_load("work_line.json"), *entry;
	size_t index, n;
	json_array_foreach(json_object_get(known, "cases"), index, entry)
	{
		double *work = known_array(json_object_get(entry, "work"), &n),
			   *seconds = known_array(json_object_get(entry, "seconds"), &n);
		struct work_line line;
		assert_int_equal(work_line_fit(work, seconds, n, &line), STATS_OK);
		assert_int_equal(line.n, n);
		assert_close(line.intercept, known_number(entry, "intercept"), 1e-10);
		assert_close(line.slope, known_number(entry, "slope"), 1e-10);
		assert_close(line.intercept_variance, known_number(entry, "intercept_variance"), 1e-9);
		assert_close(line.slope_variance, known_number(entry, "slope_variance"), 1e-9);
		assert_close(line.covariance, known_number(entry, "covariance"), 1e-9);
		assert_close(line.intercept_se, known_number(entry, "intercept_se"), 1e-9);
		assert_close(line.slope_se, known_number(entry, "slope_se"), 1e-9);
		assert_close(line.relative_sd, known_number(entry, "relative_sd"), 1e-9);
		assert_close(line.leverage, known_number(entry, "leverage"), 1e-10);
		assert_close(line.intercept_factor, known_number(entry, "intercept_factor"), 1e-9);
		assert_close(line.slope_factor, known_number(entry, "slope_factor"), 1e-9);
		assert_close(line.curvature_p, known_number(entry, "curvature_p"), 1e-7);
		assert_close(work_line_error(&line, 100), known_number(entry, "error_at_100"), 1e-9);
		free(work);
		free(seconds);
	}
	json_decref(known);
}

static void odd_input(void **state)
{
	(void)state;
	double work[] = {1, 2, 3, 4, 5, 6}, straight[] = {3, 5, 7, 9, 11, 13}, same[] = {2, 2, 2, 2, 2, 2};
	double two[] = {1, 1, 1, 4, 4, 4}, zero[] = {3, 5, 0, 9, 11, 13}, lost[] = {3, 5, NAN, 9, 11, 13};
	struct work_line line;
	assert_int_equal(work_line_fit(work, straight, 0, &line), STATS_TOO_FEW);
	assert_int_equal(work_line_fit(work, straight, 2, &line), STATS_TOO_FEW);
	assert_int_equal(work_line_fit(same, straight, 6, &line), STATS_CONSTANT);
	assert_int_equal(work_line_fit(work, zero, 6, &line), STATS_NOT_POSITIVE);
	assert_int_equal(work_line_fit(work, lost, 6, &line), STATS_NOT_FINITE);
	assert_int_equal(work_line_fit(work, straight, 6, &line), STATS_OK);
	assert_close(line.slope, 2, 1e-12);
	assert_close(line.intercept, 1, 1e-12);
	assert_true(line.slope_se < 1e-12 && line.curvature_p > 0.01);
	assert_int_equal(work_line_fit(two, straight, 6, &line), STATS_OK);
	assert_true(isnan(line.curvature_p)); /* two amounts show no bend */
	assert_int_equal(work_line_fit(work, same, 6, &line), STATS_OK);
	assert_close(line.slope, 0, 1e-12);
}

static enum stats_status try_fit(void *data)
{
	static const double work[] = {1, 2, 3, 4, 5}, seconds[] = {1, 2.1, 2.9, 4.2, 5};
	struct work_line line;
	(void)data;
	return work_line_fit(work, seconds, 5, &line);
}

static void out_of_memory(void **state)
{
	(void)state;
	assert_int_equal(starve(try_fit, NULL), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(like_r),
		cmocka_unit_test(odd_input),
		cmocka_unit_test(out_of_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
