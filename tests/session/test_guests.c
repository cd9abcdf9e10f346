/* Suites of other frameworks, as the script plays them. */
#include "adapters/adapter.h"
#include "session/play.h"

static const struct adapter google = {
	.name = "google", .framework = "Google Benchmark", .repetitions = 5, .reports_cpu = true};
static const struct adapter plain = {.name = "plain", .framework = "Plain", .repetitions = 1};

static void play_guests(struct play *play, size_t sides, const struct adapter *adapter)
{
	play_init_programs(play, sides, 2);
	play->script.adapter = adapter;
	for (size_t i = 0; i < sides * 2; i++)
		play->script.actors[i].warm = 0;
}

static void processes_of_a_framework_with_cpu_time_share_a_cpu(void **state)
{
	(void)state;
	struct play play;
	play_guests(&play, 2, &google);
	play.experiment.max_time *= 4;
	play.script.actors[2].time *= 1.2; /* the first benchmark, of the second program */
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	assert_string_equal(play.result.design.name, "shared");
	assert_non_null(strstr(buffer_text(script_log()), "guest A:"));
	assert_int_equal(play.result.comparison_count, 2);
	const struct comparison *c = &play.result.comparisons[0];
	assert_int_equal(c->verdict, VERDICT_SLOWER);
	assert_true(c->ci.low < 1.2 && 1.2 < c->ci.high);
	assert_string_equal(c->metric, "cpu-turns"); /* the size is that in turns */
	assert_int_equal(play.result.comparisons[1].verdict, VERDICT_SAME);
	play_end(&play);
}

static void a_size_that_turns_had_no_time_for_is_told(void **state)
{
	(void)state;
	struct play play;
	play_guests(&play, 2, &google);
	play.script.actors[2].time *= 1.2;
	play_run(&play, &instrument_programs); /* 10 s are over with the runs at once */
	assert_int_equal(play.result.comparisons[0].verdict, VERDICT_SLOWER);
	assert_string_equal(play.result.comparisons[0].metric, "cpu");
	assert_true(play_warned(&play, "size-unconfirmed"));
	play_end(&play);
}

static void without_cpu_time_they_run_one_after_the_other(void **state)
{
	(void)state;
	struct play play;
	play_guests(&play, 2, &plain);
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	assert_string_equal(play.result.design.name, "shuffled");
	assert_string_equal(play.result.comparisons[0].metric, "wall");
	play_end(&play);
	play_guests(&play, 2, &plain);
	play.experiment.design = "turns";
	play_run(&play, &instrument_programs);
	assert_int_equal(play.err.kind, ERROR_USAGE);
	assert_non_null(strstr(play.err.what, "turns cannot be done with suites of other frameworks"));
	play_end(&play);
}

/* One that crashes takes the process with it: each is then measured on its own, and the other is none the worse. */
static void one_that_crashes_leaves_the_others(void **state)
{
	(void)state;
	struct play play;
	play_guests(&play, 1, &google);
	play_fault(&play, 0, FAULT_SIGNAL, 4, 1000);
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, -1);
	assert_int_equal(play.err.kind, ERROR_SUBJECT);
	assert_string_equal(play.result.subjects[0].failures[0].what, "signal 11 (Segmentation fault)");
	assert_true(play_metric(&play, 1, "cpu")->series.groups[0] >= 10);
	play_end(&play);
}

static void a_name_that_is_there_twice_is_left_out(void **state)
{
	(void)state;
	struct play play;
	play_guests(&play, 1, &google);
	play.script.doubles = true;
	play_run(&play, &instrument_programs);
	assert_true(play.missing);
	assert_true(play_warned(&play, "left-out"));
	play_end(&play);
}

static void several_short_ones_are_in_one_process(void **state)
{
	(void)state;
	struct play play;
	play_guests(&play, 1, &google);
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	assert_non_null(strstr(buffer_text(script_log()), "A:sort/size=8,hash"));
	play_end(&play);
}

static void a_suite_beside_something_else_is_refused(void **state)
{
	(void)state;
	struct play play;
	play_guests(&play, 2, &google);
	play.script.one_guest = true;
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, -1);
	assert_int_equal(play.err.kind, ERROR_USAGE);
	assert_non_null(strstr(play.err.what, "is a suite of Google Benchmark, and"));
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_of_a_framework_with_cpu_time_share_a_cpu),
		cmocka_unit_test(a_size_that_turns_had_no_time_for_is_told),
		cmocka_unit_test(without_cpu_time_they_run_one_after_the_other),
		cmocka_unit_test(one_that_crashes_leaves_the_others),
		cmocka_unit_test(a_name_that_is_there_twice_is_left_out),
		cmocka_unit_test(a_suite_beside_something_else_is_refused),
		cmocka_unit_test(several_short_ones_are_in_one_process),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
