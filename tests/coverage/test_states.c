/* A small part of the table of docs/methods.md. */
#include "states.h"

#include "support/known.h"

/* 40 benchmarks of each kind: at a true rate of 97 % or more fewer than 34 are right less than once in a thousand
 * tests. */
static void test_states(void **state)
{
	(void)state;
	enum { BENCHMARKS = 40, LEAST = 34 };
	for (int kind = 0; kind < STATES_KINDS; kind++) {
		struct states_count count;
		states_count((enum states_kind)kind, BENCHMARKS, 1, &count);
		assert_int_equal(count.independent + count.initialised + count.never, BENCHMARKS);
		if (count.right < LEAST)
			fail_msg("%s: right in %d of %d", count.name, count.right, BENCHMARKS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_states),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
