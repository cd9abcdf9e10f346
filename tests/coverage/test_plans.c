/* A small part of the table of docs/methods.md. */
#include "plans.h"

#include "support/known.h"

/* 60 experiments of each system with two levels: coverage of 95 % gives fewer than 50 once in ten thousand tests, and
 * the cost is within 25 % of the best, which the whole table has at 3 %. */
static void test_plans(void **state)
{
	(void)state;
	enum { EXPERIMENTS = 60, CELLS = 4 };
	for (size_t i = 0; i < CELLS; i++) {
		struct plans_outcome out;
		plans_simulate(&plans_cells[i], EXPERIMENTS, 1, &out);
		assert_true(out.covered * EXPERIMENTS >= 50);
		assert_true(out.reached == 1);
		if (out.cost > 1.25 * out.best)
			fail_msg("%s: %.1f instead of %.1f s", plans_cells[i].name, out.cost, out.best);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plans),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
