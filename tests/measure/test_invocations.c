/* Growing counts until the clock does not matter; recomputed by a simulation of a benchmark with a known time. */
#include "measure/invocations.h"
#include "support/known.h"

static void target_keeps_the_clock_small(void **state)
{
	(void)state;
	assert_close(invocations_target(20, 5, 0), 25000, 0);
	assert_close(invocations_target(20, 5, 1e6), 1e6, 0);
	/* cost and resolution over the target */
	assert_true((20 + 5) / invocations_target(20, 5, 0) <= 0.001);
}

/* Steps of the search for a benchmark of `each` ns per invocation and a start of `fixed` ns. */
static uint64_t search(double each, double fixed, double target, unsigned *steps)
{
	uint64_t count = 1, next;
	for (*steps = 1; !invocations_enough(count, fixed + each * (double)count, target, &next); ++*steps) {
		assert_true(next > count);
		assert_true(next <= count * INVOCATIONS_GROWTH);
		count = next;
		assert_true(*steps < 200);
	}
	return count;
}

static void finds_a_count(void **state)
{
	(void)state;
	unsigned steps;
	uint64_t count = search(2, 30, 5e6, &steps);
	assert_true(2 * (double)count + 30 >= 5e6);
	assert_true((double)count <= 1.3 * 5e6 / 2);
	assert_true(steps <= 10);
	assert_int_equal(search(1e9, 0, 5e6, &steps), 1);
	assert_int_equal(steps, 1);
	count = search(1e-3, 0, 1e6, &steps); /* nearly nothing: growth carries it */
	assert_true((double)count >= 1e9);
}

static void never_ends_in_a_loop(void **state)
{
	(void)state;
	uint64_t next;
	assert_false(invocations_enough(0, 0, 1e6, &next));
	assert_int_equal(next, 1);
	assert_false(invocations_enough(1, 0, 1e6, &next)); /* a clock that stands still */
	assert_int_equal(next, 10);
	assert_false(invocations_enough(7, 0.999999999e6, 1e6, &next));
	assert_int_equal(next, 8);
	assert_true(invocations_enough(INVOCATIONS_MAX, 0, 1e6, &next));
	assert_false(invocations_enough(INVOCATIONS_MAX - 1, 0, 1e6, &next));
	assert_int_equal(next, INVOCATIONS_MAX);
}

static void counts_for_a_time(void **state)
{
	(void)state;
	assert_int_equal(invocations_for(100, 1000, 5000), 500);
	assert_int_equal(invocations_for(1, 1e9, 1e6), 1);
	assert_int_equal(invocations_for(1, 0, 1e6), INVOCATIONS_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(target_keeps_the_clock_small),
		cmocka_unit_test(finds_a_count),
		cmocka_unit_test(never_ends_in_a_loop),
		cmocka_unit_test(counts_for_a_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
