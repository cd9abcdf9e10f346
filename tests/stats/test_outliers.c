#include "stats/outliers.h"

#include "support/known.h"
#include "support/starve.h"

#include <math.h>

static void test_fences(void **state)
{
	(void)state;
	/* R: quantile(c(1:9, x)) has quartiles 3.25 and 7.75 for x = 10: fences −3.5, 14.5 and −10.25, 21.25 */
	double x[] = {10, 2, 3, 4, 5, 6, 7, 8, 9, 1};
	struct outliers found;
	signed char marks[14];
	assert_int_equal(outliers_of(x, 10, marks, &found), STATS_OK);
	assert_true(found.inner.low == -3.5 && found.inner.high == 14.5);
	assert_true(found.outer.low == -10.25 && found.outer.high == 21.25);
	assert_true(found.low_severe + found.low_mild + found.high_mild + found.high_severe == 0 &&
	            marks[0] == OUTLIER_NONE);
	assert_int_equal(outlier_of(&found, 14.5), OUTLIER_NONE);
	assert_int_equal(outlier_of(&found, 14.6), OUTLIER_HIGH_MILD);
	assert_int_equal(outlier_of(&found, 21.25), OUTLIER_HIGH_MILD);
	assert_int_equal(outlier_of(&found, 21.3), OUTLIER_HIGH_SEVERE);
	assert_int_equal(outlier_of(&found, -3.6), OUTLIER_LOW_MILD);
	assert_int_equal(outlier_of(&found, -11), OUTLIER_LOW_SEVERE);

	/* R: quantile of these 14 is 4.25, 5.5, 6.75: fences 0.5, 10.5 and −3.25, 14.25 */
	double mixed[] = {5, 4, 6, 5, 30, 0.1, -9, 7, 11, 5, 6, 4, 6, 8};
	const signed char expected[] = {0, 0, 0, 0, 2, -1, -2, 0, 1, 0, 0, 0, 0, 0};
	assert_int_equal(outliers_of(mixed, 14, marks, &found), STATS_OK);
	assert_close(found.inner.low, 0.5, 1e-15);
	assert_close(found.outer.high, 14.25, 1e-15);
	assert_memory_equal(marks, expected, sizeof(expected));
	assert_true(found.low_severe == 1 && found.low_mild == 1 && found.high_mild == 1 && found.high_severe == 1);
}

static enum stats_status try_outliers(void *data)
{
	struct outliers found;
	return outliers_of(data, 5, NULL, &found);
}

static void test_edges(void **state)
{
	(void)state;
	double x[] = {1, 2, NAN, 3, 4}, constant[] = {2, 2, 2, 2, 5};
	struct outliers found = {.low_mild = 77};
	assert_int_equal(outliers_of(x, 0, NULL, &found), STATS_EMPTY);
	assert_int_equal(outliers_of(constant, 3, NULL, &found), STATS_TOO_FEW);
	assert_int_equal(outliers_of(x, 5, NULL, &found), STATS_NOT_FINITE);
	assert_int_equal(found.low_mild, 77);
	assert_int_equal(outliers_of(constant, 4, NULL, &found), STATS_OK);
	assert_true(found.high_severe == 0 && found.low_mild == 0);
	assert_int_equal(outliers_of(constant, 5, NULL, &found), STATS_OK);
	assert_int_equal(found.high_severe, 1);
	assert_int_equal(starve(try_outliers, constant), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_fences), cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
