/* Trial runs: what decides, how long it may take. */
#include "session/play.h"

static void the_metric_follows_from_the_trial_runs(void **state)
{
	(void)state;
	for (int kind = 0; kind < 3; kind++) {
		static const char *const expected[] = {"cpu", "net", "wall"};
		struct play play;
		play_init(&play, 2);
		play_fixed(&play, 4);
		play.script.actors[0].waits = kind == 1 ? 0.4 : 0;
		play.script.actors[1].threads = kind == 2;
		play.experiment.design = "shuffled";
		play_run(&play, &instrument_commands);
		assert_string_equal(play.result.stopped.metric, expected[kind]);
		assert_string_equal(play.result.comparisons[0].metric, expected[kind]);
		play_end(&play);
	}
}

static void slow_commands_get_more_time_and_that_is_said(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 1);
	play.script.actors[0].time = 9;
	play_run(&play, &instrument_commands);
	assert_int_equal(play_metric(&play, 0, "wall")->series.n, 10);
	assert_non_null(strstr(buffer_text(&play.notes), "10 runs of each take longer than 10 s"));
	play_end(&play);
}

/* Seconds that a session took by the clock of the script. */
static double play_with_time(struct play *play, double limit)
{
	play->experiment.max_time = (int64_t)(limit * 1e9);
	play->experiment.max_time_given = true;
	play_run(play, &instrument_commands);
	return script_now() - 1000;
}

static void a_run_longer_than_the_time_is_kept_and_that_is_said(void **state)
{
	(void)state;
	for (size_t sides = 1; sides <= 2; sides++) {
		struct play play;
		play_init(&play, sides);
		play.experiment.design = "auto";
		play.script.actors[0].time = play.script.actors[1].time = 5;
		double took = play_with_time(&play, 3);
		assert_int_equal(play.status, 0);
		assert_true(took < 5.2 * (double)sides); /* one run of each */
		for (size_t s = 0; s < sides; s++)
			assert_int_equal(play_metric(&play, s, "wall")->series.n, 1);
		assert_int_equal(play.result.design.order_count, sides == 2);
		assert_string_equal(play.result.stopped.reason, "budget");
		assert_non_null(
			strstr(buffer_text(&play.notes), "waiting for its first run, although the time, 3.0 s, is over"));
		play_end(&play);
	}
}

static void trial_runs_count_where_few_others_fit(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 1);
	play.script.actors[0].time = 1;
	assert_true(play_with_time(&play, 6.5) < 6.5);
	assert_int_equal(play_metric(&play, 0, "wall")->series.n, 6);
	assert_int_equal(play.saved, 6);
	play_end(&play);
	/* Commands that take turns on one CPU do so, as long as anything else fits. */
	play_init(&play, 2);
	play.experiment.design = "auto";
	play.script.actors[0].time = play.script.actors[1].time = 1;
	play_with_time(&play, 9);
	assert_string_equal(play.result.design.name, "turns");
	assert_int_equal(play_metric(&play, 0, "wall")->series.n, 3);
	play_end(&play);
}

static void a_failed_trial_run_that_counts_is_told(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 1);
	play.script.actors[0].time = 1;
	play.experiment.ignore_failure = true;
	play_fault(&play, 0, FAULT_IGNORED, 1, 1);
	play_with_time(&play, 3);
	assert_int_equal(play.result.subjects[0].failure_count, 1);
	assert_int_equal(play.result.subjects[0].failures[0].run, 0);
	play_end(&play);
}

static void warm_up_leaves_half_of_the_time(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 1);
	play.script.actors[0].time = 0.1;
	play.experiment.warmup = 1000;
	assert_true(play_with_time(&play, 10) < 10.1);
	assert_true(play_metric(&play, 0, "wall")->series.n > 10);
	assert_non_null(strstr(buffer_text(&play.notes), "of 1000 runs: half of --max-time"));
	play_end(&play);
}

/* Where a hook takes longer than the time: nothing is measured, or nothing more. */
static void hooks_are_part_of_a_time_that_was_given(void **state)
{
	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		struct play play;
		play_init(&play, 1);
		const char **hooks[] = {&play.subjects[0].setup, &play.subjects[0].prepare, &play.subjects[0].conclude,
		                        &play.subjects[0].cleanup};
		*hooks[kind] = "sleep 30";
		play.script.hook_time = 30;
		assert_true(play_with_time(&play, 3) < 4.1);
		assert_int_equal(play.status, -1);
		assert_int_equal(play.err.kind, ERROR_NO_DATA);
		assert_non_null(strstr(play.err.what, "ran past --max-time"));
		play_end(&play);
		/* A preset's time bounds measuring alone. */
		play_init(&play, 1);
		*hooks[kind] = "sleep 30";
		play.script.hook_time = 30;
		play.experiment.max_time = INT64_C(3000000000);
		play_run(&play, &instrument_commands);
		assert_int_equal(play.status, 0);
		assert_true(script_now() - 1000 > 30);
		play_end(&play);
	}
}

static void a_hook_that_the_end_cuts_off_leaves_what_was_measured(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 1);
	play.subjects[0].prepare = "sleep 1.2";
	play.script.hook_time = 1.2;
	play.script.actors[0].drift = -0.1;
	play.script.actors[0].time = 2;
	double took = play_with_time(&play, 9.5);
	assert_int_equal(play.status, 0);
	assert_true(took < 12.5);
	assert_true(play_metric(&play, 0, "wall")->series.n >= 2);
	assert_string_equal(play.result.stopped.reason, "budget");
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_metric_follows_from_the_trial_runs),
		cmocka_unit_test(slow_commands_get_more_time_and_that_is_said),
		cmocka_unit_test(a_run_longer_than_the_time_is_kept_and_that_is_said),
		cmocka_unit_test(trial_runs_count_where_few_others_fit),
		cmocka_unit_test(a_failed_trial_run_that_counts_is_told),
		cmocka_unit_test(warm_up_leaves_half_of_the_time),
		cmocka_unit_test(hooks_are_part_of_a_time_that_was_given),
		cmocka_unit_test(a_hook_that_the_end_cuts_off_leaves_what_was_measured),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
