#include "stats/level_mean.h"

#include "base/memory.h"
#include "support/known.h"
#include "support/tree.h"

#include <math.h>

static void test_libkalibera(void **state)
{
	(void)state;
	const char *names[] = {"worked_3_level", "worked_2_level", "optimal_reps"};
	json_t *known = known_load("libkalibera.json");
	for (int i = 0; i < 3; i++) {
		const json_t *example = json_object_get(known, names[i]);
		struct tree tree = tree_from_json(json_object_get(example, "data"));
		double mean;
		struct interval limits;
		assert_int_equal(level_mean_interval(&tree.view, 0.95, CRITICAL_FIXED, &mean, &limits), STATS_OK);
		assert_close(mean, known_number(example, "grand_mean"), 1e-15);
		assert_close((limits.high - limits.low) / 2, known_number(example, "ci95_halfwidth_t975"), 1e-9);
		assert_close((limits.high + limits.low) / 2, mean, 1e-14);
		tree_release(&tree);
	}
	json_decref(known);
}

static void test_rules_and_edges(void **state)
{
	(void)state;
	size_t counts[] = {3, 2};
	struct tree tree = tree_balanced(2, counts);
	double mean = -1;
	struct interval limits = {-1, -1}, wider;
	for (size_t i = 0; i < 6; i++)
		tree.values[i] = (double)(i * i);
	assert_int_equal(level_mean_interval(&tree.view, 0.95, CRITICAL_FIXED, &mean, &limits), STATS_OK);
	assert_int_equal(level_mean_interval(&tree.view, 0.95, CRITICAL_PRECISION, &mean, &wider), STATS_OK);
	assert_close((wider.high - wider.low) / (limits.high - limits.low), sqrt(1 + 5 / 3.), 1e-13);
	mean = -1;
	assert_int_equal(level_mean_interval(&tree.view, 0.9999, CRITICAL_ANYTIME, &mean, &wider), STATS_UNBOUNDED);
	assert_close(mean, 55 / 6., 1e-14);
	assert_true(wider.low == -INFINITY && wider.high == INFINITY);
	limits = (struct interval){-1, -1};
	mean = -1;
	assert_int_equal(level_mean_interval(&tree.view, 1, CRITICAL_FIXED, &mean, &limits), STATS_BAD_ARGUMENT);
	for (int n = 1; n <= 1; n++) {
		mem_fail_at(n);
		assert_int_equal(level_mean_interval(&tree.view, 0.95, CRITICAL_FIXED, &mean, &limits), STATS_NO_MEMORY);
		assert_true(mem_failed());
	}
	mem_fail_at(0);
	tree.values[3] = NAN;
	assert_int_equal(level_mean_interval(&tree.view, 0.95, CRITICAL_FIXED, &mean, &limits), STATS_NOT_FINITE);
	tree_release(&tree);
	counts[0] = 1;
	tree = tree_balanced(2, counts);
	assert_int_equal(level_mean_interval(&tree.view, 0.95, CRITICAL_FIXED, &mean, &limits), STATS_TOO_FEW);
	assert_true(mean == -1 && limits.low == -1);
	tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_libkalibera),
		cmocka_unit_test(test_rules_and_edges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
