#include "design/fit.h"
#include "support/known.h"

#include <math.h>

static const struct design_facts plain = {
	.subjects = 2, .cpus = 2, .single_threaded = true, .least_cpu_share = 1, .memory_needed = 1e6, .memory_free = 1e9};

static void every_design_suits_two_plain_programs(void **state)
{
	(void)state;
	for (int design = 0; design < DESIGN_COUNT; design++)
		assert_null(design_unfit((enum design_kind)design, &plain));
}

static void one_cpu_is_never_a_duet(void **state)
{
	(void)state;
	struct design_facts facts = plain;
	facts.cpus = 1;
	assert_non_null(design_unfit(DESIGN_DUET, &facts));
	assert_null(design_unfit(DESIGN_TURNS, &facts));
}

static void threads_and_waiting_forbid_what_distorts_them(void **state)
{
	(void)state;
	struct design_facts facts = plain;
	const char *why;
	facts.single_threaded = false;
	assert_non_null(design_unfit(DESIGN_TURNS, &facts));
	assert_non_null(design_unfit(DESIGN_DUET, &facts));
	assert_non_null(design_unfit(DESIGN_SHARED, &facts));
	assert_int_equal(design_default(&facts, &why), DESIGN_SHUFFLED);
	facts = plain;
	facts.least_cpu_share = 0.1;
	assert_non_null(design_unfit(DESIGN_DUET, &facts));
	assert_non_null(design_unfit(DESIGN_SHARED, &facts));
	assert_null(design_unfit(DESIGN_TURNS, &facts));
	facts = plain;
	facts.memory_needed = 0.6e9;
	assert_non_null(design_unfit(DESIGN_DUET, &facts));
	facts = plain;
	facts.subjects = 3;
	assert_non_null(design_unfit(DESIGN_DUET, &facts));
	assert_int_equal(design_default(&facts, &why), DESIGN_TURNS);
	facts.subjects = 1;
	assert_int_equal(design_default(&facts, &why), DESIGN_SOLO);
}

static void blocks_follow_the_time_of_a_pair(void **state)
{
	(void)state;
	assert_int_equal(design_block(0.005, INFINITY), 40);
	assert_int_equal(design_block(0.050, INFINITY), 20);
	assert_int_equal(design_block(0.200, INFINITY), 10);
	assert_int_equal(design_block(10, INFINITY), 10);
	/* at least 12 units where the budget has time for them */
	assert_int_equal(design_block(0.005, 2.4), 40);
	assert_int_equal(design_block(0.005, 2.39), 38);
	assert_int_equal(design_block(0.050, 6), 10);
	assert_int_equal(design_block(0.200, 24), 10);
	assert_int_equal(design_block(0.200, 16.5), 6);
	assert_int_equal(design_block(0.200, 9.7), 4);
	/* where it has not, they stay as they are */
	assert_int_equal(design_block(0.200, 9.5), 10);
	assert_int_equal(design_block(10, 0), 10);
	assert_int_equal(design_pilot_pairs(0.010, 2, false, 60), 30);
	assert_int_equal(design_pilot_pairs(0.500, 2, false, 60), 6); /* 6 s of 60 */
	assert_int_equal(design_pilot_pairs(0.800, 2, false, 60), 0); /* 6.4 s of 60 for four each are too dear */
	assert_int_equal(design_pilot_pairs(0.107, 1.5, true, 8), 4); /* one at once on one CPU, one on two: 0.8 s of 8 */
	assert_int_equal(design_pilot_pairs(0.107, 2, true, 8), 0);
	assert_int_equal(design_pilot_pairs(1, 1, true, 57), 5);   /* 10 + 5 s of 57 */
	assert_int_equal(design_pilot_pairs(1.5, 1, true, 57), 0); /* 15 + 6 s of 57 */
	/* One pair that was disturbed does not make a design the worse one: MAD 0.01, so 1.4826² · 1e-4. */
	double logs[] = {-0.02, -0.01, 0, -0.01, 0, 0.01, 0.02, 3};
	assert_close(design_pair_variance(logs, 8), 1.4826 * 1.4826 * 1e-4, 1e-9);
	double even[] = {1, 1, 1, 1, 1, 2};
	assert_close(design_pair_variance(even, 6), 1.0 / 6, 1e-12);
	assert_true(isnan(design_pair_variance(logs, 1)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_design_suits_two_plain_programs),
		cmocka_unit_test(one_cpu_is_never_a_duet),
		cmocka_unit_test(threads_and_waiting_forbid_what_distorts_them),
		cmocka_unit_test(blocks_follow_the_time_of_a_pair),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
