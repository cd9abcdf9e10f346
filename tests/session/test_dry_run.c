/* What a session would do. */
#include "session/play.h"

static const char *log_text(void)
{
	return buffer_text(script_log());
}

static void a_dry_run_keeps_nothing(void **state)
{
	(void)state;
	struct play play;
	struct buffer text = {0};
	play_init(&play, 2);
	play_fixed(&play, 100);
	play.subjects[0].setup = "make";
	script_begin(&play.script);
	assert_int_equal(session_dry_run(&instrument_commands, &play.experiment, NULL, -1, &text, &play.err), 0);
	assert_non_null(strstr(buffer_text(&text), "rounds    100, about "));
	assert_non_null(strstr(log_text(), "setup: make"));
	buffer_release(&text);
	play_end(&play);
}

static char *plan_of(struct play *play, struct buffer *text)
{
	script_begin(&play->script);
	assert_int_equal(session_dry_run(&instrument_commands, &play->experiment, NULL, -1, text, &play->err), 0);
	return (char *)(uintptr_t)buffer_text(text);
}

static void a_time_cuts_a_count(void **state)
{
	(void)state;
	struct play play;
	struct buffer text = {0};
	play_init(&play, 2);
	play_fixed(&play, 100);
	play.experiment.max_time = INT64_C(1000000000);
	assert_non_null(strstr(plan_of(&play, &text), " of 100, as many as fit into 1.0 s"));
	assert_non_null(strstr(buffer_text(&text), "judged by cpu\n"));
	assert_non_null(strstr(buffer_text(&text), "design    turns\n"));
	assert_non_null(strstr(buffer_text(&text), "  round 8:"));
	buffer_release(&text);
	play_end(&play);
}

static void work_amounts_are_planned_without_a_trial(void **state)
{
	(void)state;
	struct play play;
	struct buffer text = {0};
	play_init(&play, 2);
	play.experiment.work = (struct experiment_work){.given = true, .low = 1, .high = 64, .unit = "MB"};
	play.subjects[0].command = play.subjects[1].command = "./a {work}";
	assert_non_null(strstr(plan_of(&play, &text), "work      1 to 64 MB, doubled from the least until a round takes "));
	assert_non_null(strstr(buffer_text(&text), " rounds of each of 2 commands\n"));
	assert_int_equal(script_log()->length, 0);
	buffer_release(&text);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dry_run_keeps_nothing),
		cmocka_unit_test(a_time_cuts_a_count),
		cmocka_unit_test(work_amounts_are_planned_without_a_trial),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
