#include "design/fit.h"
#include "support/known.h"

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

/* docs/methods.md, "With pairs: typical, total, slow share" and "Which design, in which order". */
static void blocks_follow_the_time_of_a_pair(void **state)
{
	(void)state;
	assert_int_equal(design_block(0.005, 60), 40);
	assert_int_equal(design_block(0.050, 60), 20);
	assert_int_equal(design_block(0.200, 60), 10);
	assert_int_equal(design_block(1.000, 60), 1);
	assert_int_equal(design_pilot_blocks(0.005, 40, 2, 60), 8); /* 300 blocks fit: 8 each, 3.2 s of 60 */
	assert_int_equal(design_pilot_blocks(0.010, 20, 3, 31), 5); /* 155 blocks fit: 5 each, 3 s of 31 */
	assert_int_equal(design_pilot_blocks(0.010, 20, 3, 20), 0); /* 3 s of 20 are too dear */
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
