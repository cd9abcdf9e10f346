#include "stats/winsor_mad.h"

#include "support/known.h"
#include "support/starve.h"

#include <math.h>

static void test_copy(void **state)
{
	(void)state;
	/* R: median(x) is 5, mad(x, constant = 1) is 2 */
	double x[] = {5, 4, 7, 3, 100, 6, 9, -50, 2}, out[9];
	size_t moved;
	struct interval limits;
	assert_int_equal(winsor_mad_limits(x, 9, 5, &limits), STATS_OK);
	assert_close(limits.low, 5 - 5 * 1.4826 * 2, 1e-15);
	assert_close(limits.high, 5 + 5 * 1.4826 * 2, 1e-15);
	assert_int_equal(winsor_mad_copy(x, 9, 5, out, &moved), STATS_OK);
	assert_int_equal(moved, 2);
	for (int i = 0; i < 9; i++)
		assert_true(out[i] == (x[i] == 100 ? limits.high : x[i] == -50 ? limits.low : x[i]));
	/* In place, and again: what is inside stays. */
	assert_int_equal(winsor_mad_copy(x, 9, 5, x, NULL), STATS_OK);
	assert_memory_equal(x, out, sizeof(x));
}

static void test_edges(void **state)
{
	(void)state;
	double x[] = {2, 2, 2, 9, NAN}, out[4] = {7, 7, 7, 7};
	size_t moved = 77;
	assert_int_equal(winsor_mad_copy(x, 0, 5, out, &moved), STATS_EMPTY);
	assert_int_equal(winsor_mad_copy(x, 5, 5, out, &moved), STATS_NOT_FINITE);
	assert_int_equal(winsor_mad_copy(x, 4, 0, out, &moved), STATS_BAD_ARGUMENT);
	assert_int_equal(winsor_mad_copy(x, 4, NAN, out, &moved), STATS_BAD_ARGUMENT);
	assert_true(out[0] == 7 && moved == 77);
	/* More than half are equal: the one that differs is left alone. */
	assert_int_equal(winsor_mad_copy(x, 4, 5, out, &moved), STATS_OK);
	assert_true(moved == 0 && out[3] == 9);
	assert_int_equal(winsor_mad_copy(x, 1, 5, out, &moved), STATS_OK);
	assert_true(moved == 0 && out[0] == 2);
}

static enum stats_status try_copy(void *data)
{
	double out[3];
	return winsor_mad_copy(data, 3, 5, out, NULL);
}

static void test_no_memory(void **state)
{
	(void)state;
	double x[] = {1, 2, 3};
	assert_int_equal(starve(try_copy, x), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_copy), cmocka_unit_test(test_edges),
	                                   cmocka_unit_test(test_no_memory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
