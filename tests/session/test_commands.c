/* Commands as an instrument: hooks, failures. */
#include "session/play.h"

static const char *log_text(void)
{
	return buffer_text(script_log());
}

static void hooks_of_all_are_run_once_and_in_order(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play_fixed(&play, 2);
	play.experiment.warmup = 0;
	play.subjects[0].setup = play.subjects[1].setup = "make";
	play.subjects[1].cleanup = "clean";
	play.subjects[1].prepare = "sync";
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	const char *setup = strstr(log_text(), "setup: make"), *prepare = strstr(log_text(), "prepare: sync");
	assert_true(setup && prepare && setup < prepare);
	assert_null(strstr(setup + 1, "setup: make"));
	assert_true(strstr(prepare, "cleanup: clean") != NULL);
	play_end(&play);
}

static void cleanup_follows_a_failure(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 1);
	play.subjects[0].cleanup = "clean";
	play_fault(&play, 0, FAULT_EXIT, 6, 6);
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, -1);
	assert_int_equal(play.err.kind, ERROR_SUBJECT);
	assert_non_null(strstr(log_text(), "cleanup: clean"));
	assert_string_equal(play.result.stopped.reason, "failed");
	/* What was measured before is analysed. */
	assert_int_equal(play_metric(&play, 0, "wall")->n, 2);
	play_end(&play);
}

static void what_the_machine_says_and_what_is_left_behind_are_told(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 1);
	play_fixed(&play, 3);
	play.script.notes = true;
	play_fault(&play, 0, FAULT_LEFTOVER, 1, 9);
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	assert_true(play_warned(&play, "machine"));
	assert_string_equal(play_warning(&play, "left-behind"),
	                    "a left processes behind (sleep); they were killed and are not measured");
	play_end(&play);
}

static void the_rule_follows_from_what_is_asked(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 1);
	play_run(&play, &instrument_commands);
	assert_string_equal(play.result.stopped.reason, "precision");
	play_end(&play);
	play_init(&play, 2);
	play.script.actors[1].time *= 1.5;
	play_run(&play, &instrument_commands);
	assert_string_equal(play.result.stopped.reason, "verdict");
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hooks_of_all_are_run_once_and_in_order),
		cmocka_unit_test(cleanup_follows_a_failure),
		cmocka_unit_test(what_the_machine_says_and_what_is_left_behind_are_told),
		cmocka_unit_test(the_rule_follows_from_what_is_asked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
