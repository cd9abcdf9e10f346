#include "stats/nested.h"

#include "base/memory.h"
#include "support/known.h"
#include "support/tree.h"

#include <math.h>

static void test_means(void **state)
{
	(void)state;
	json_t *array = json_loads("[[[1, 2], [6]], [[4, 4, 7]]]", 0, NULL);
	struct tree tree = tree_from_json(array);
	double means[3], mean;
	assert_int_equal(nested_check(&tree.view), STATS_OK);
	assert_int_equal(nested_top(&tree.view), 2);
	assert_int_equal(nested_means(&tree.view, 1, means), STATS_OK);
	assert_true(means[0] == 1.5 && means[1] == 6 && means[2] == 5);
	assert_int_equal(nested_means(&tree.view, 0, means), STATS_OK);
	assert_true(means[0] == 3.75 && means[1] == 5);
	assert_int_equal(nested_mean(&tree.view, &mean), STATS_OK);
	assert_true(mean == 4.375);
	assert_false(nested_balanced(&tree.view));
	json_decref(array);
	tree_release(&tree);
}

static void test_exact_means(void **state)
{
	(void)state;
	/* Values that share nine digits, and equal ones, keep all of theirs. */
	size_t counts[] = {3, 5};
	struct tree tree = tree_balanced(2, counts);
	double mean;
	for (size_t i = 0; i < tree.view.n; i++)
		tree.values[i] = 0.1;
	assert_int_equal(nested_mean(&tree.view, &mean), STATS_OK);
	assert_true(mean == 0.1);
	for (size_t i = 0; i < tree.view.n; i++)
		tree.values[i] = 1e9 + (double)(i % 5) / 4;
	assert_int_equal(nested_mean(&tree.view, &mean), STATS_OK);
	assert_true(mean == 1e9 + 0.5);
	assert_true(nested_balanced(&tree.view));
	tree_release(&tree);
}

static void test_bad_trees(void **state)
{
	(void)state;
	double values[] = {1, 2, 3};
	uint32_t good[] = {0, 1, 3}, empty_group[] = {0, 0, 3}, too_short[] = {0, 1, 2}, late[] = {1, 2, 3};
	struct nested data = {.depth = 2, .n = 3, .values = values, .groups = {2}, .starts = {good}};
	assert_int_equal(nested_check(&data), STATS_OK);
	const uint32_t *bad[] = {empty_group, too_short, late, NULL};
	for (int i = 0; i < 4; i++) {
		data.starts[0] = bad[i];
		assert_int_equal(nested_check(&data), STATS_BAD_ARGUMENT);
	}
	data.starts[0] = good;
	data.groups[0] = 0;
	assert_int_equal(nested_check(&data), STATS_BAD_ARGUMENT);
	data.groups[0] = 2;
	data.depth = 0;
	assert_int_equal(nested_check(&data), STATS_BAD_ARGUMENT);
	data.depth = NESTED_MAX_DEPTH + 1;
	assert_int_equal(nested_check(&data), STATS_BAD_ARGUMENT);
	data.depth = 2;
	values[1] = NAN;
	assert_int_equal(nested_check(&data), STATS_NOT_FINITE);
	data.n = 0;
	assert_int_equal(nested_check(&data), STATS_EMPTY);
}

static void test_no_memory(void **state)
{
	(void)state;
	size_t counts[] = {2, 2, 2};
	struct tree tree = tree_balanced(3, counts);
	double mean = -1;
	int n = 1;
	for (;; n++) {
		mem_fail_at(n);
		enum stats_status status = nested_mean(&tree.view, &mean);
		if (!mem_failed())
			break;
		assert_int_equal(status, STATS_NO_MEMORY);
		assert_true(mean == -1);
	}
	mem_fail_at(0);
	assert_int_equal(n, 3);
	assert_true(mean == 0);
	tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_means),
		cmocka_unit_test(test_exact_means),
		cmocka_unit_test(test_bad_trees),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
