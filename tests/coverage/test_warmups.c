/* A small part of the table of docs/methods.md. */
#include "warmups.h"

#include "support/known.h"

/* 60 runs of each kind in white noise and, but for hyperbolas, in AR(0.6): at a true rate of 97 % or more fewer than 53 are right less than
 * once in a thousand tests. */
static void test_cuts(void **state)
{
	(void)state;
	enum { BENCHMARKS = 6, LEAST = 53 };
	for (int kind = 0; kind < WARMUPS_KINDS; kind++) {
		for (size_t noise = 0; noise <= (kind == WARMUPS_SLOW_CURVE ? 0 : 2); noise += 2) {
			struct warmups_count count;
			warmups_count((enum warmups_kind)kind, noise, BENCHMARKS, 1, &count);
			assert_int_equal(count.runs, BENCHMARKS * WARMUPS_RUNS);
			if (count.right < LEAST)
				fail_msg("%s, noise %zu: right in %d of %d", count.name, noise, count.right, count.runs);
			if (kind == WARMUPS_NOTHING)
				assert_true(count.cut <= 0.01);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cuts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
