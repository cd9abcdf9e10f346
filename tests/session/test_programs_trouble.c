/* Benchmarks that fail. */
#include "session/play.h"

static void one_that_crashes_leaves_the_others(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 1, 2);
	play_fault(&play, 1, FAULT_SIGNAL, 3, 3);
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, -1);
	assert_int_equal(play.err.kind, ERROR_SUBJECT);
	assert_true(play_warned(&play, "failed"));
	assert_string_equal(play.result.subjects[1].failures[0].what, "crashed: Segmentation fault");
	assert_true(play_metric(&play, 0, "wall")->series.groups[0] >= 10);
	play_end(&play);
}

static void what_hangs_is_a_time_out(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 1, 2);
	play_fault(&play, 1, FAULT_TIMEOUT, 3, 3);
	play_run(&play, &instrument_programs);
	assert_int_equal(play.err.kind, ERROR_TIMEOUT);
	play_end(&play);
}

static void what_skips_itself_is_missing_and_no_failure(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 2, 2);
	play_fault(&play, 3, FAULT_SKIPPED, 1, 1000); /* the second benchmark, of the second program */
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	assert_true(play.missing);
	assert_int_equal(play.result.comparison_count, 1);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_that_crashes_leaves_the_others),
		cmocka_unit_test(what_hangs_is_a_time_out),
		cmocka_unit_test(what_skips_itself_is_missing_and_no_failure),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
