#include "stats/winsor.h"

#include "support/known.h"

#include <stdlib.h>

static void test_worked(void **state)
{
	(void)state;
	json_t *known = known_load("duet.json"), *worked;
	size_t i, n, count;
	json_array_foreach(json_object_get(known, "winsor"), i, worked)
	{
		double *x = known_array(json_object_get(worked, "in"), &n);
		double *expected = known_array(json_object_get(worked, "out"), &count);
		assert_true(winsor_one(x, n, 0.2));
		assert_memory_equal(x, expected, n * sizeof(*x));
		assert_false(winsor_one(expected, 0, 0.2));
		free(x);
		free(expected);
	}
	assert_int_equal(i, 3);
	json_decref(known);
}

static void test_edges(void **state)
{
	(void)state;
	double near[4] = {10, 11, 12, 12.3}, keep[4] = {10, 11, 12, 12.3};
	assert_false(winsor_one(near, 4, 1));
	assert_memory_equal(near, keep, sizeof(keep));
	double two[2] = {1, 100};
	assert_false(winsor_one(two, 2, 0.2));
	double equal[3] = {4, 4, 4};
	assert_false(winsor_one(equal, 3, 0.2));
	/* Others without any range: a different value is far. */
	double one_off[4] = {4, 4, 4.1, 4}, flat[4] = {4, 4, 4, 4};
	assert_true(winsor_one(one_off, 4, 0.2));
	assert_memory_equal(one_off, flat, sizeof(flat));
	/* Both ends qualify: only the farther one goes. */
	double both[5] = {-50, 10, 11, 12, 100}, high_gone[5] = {-50, 10, 11, 12, 12};
	assert_true(winsor_one(both, 5, 0.2));
	assert_memory_equal(both, high_gone, sizeof(both));
	double other[5] = {-200, 10, 11, 12, 100}, low_gone[5] = {10, 10, 11, 12, 100};
	assert_true(winsor_one(other, 5, 0.2));
	assert_memory_equal(other, low_gone, sizeof(other));
	/* Two equal extremes protect each other. */
	double twice[5] = {10, 11, 12, 100, 100};
	assert_false(winsor_one(twice, 5, 0.2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_worked), cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
