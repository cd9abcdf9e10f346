/* Sessions over work amounts. */
#include "session/play.h"

static void play_work(struct play *play, size_t sides)
{
	play_init(play, sides);
	play->experiment.preset = PRESET_QUICK;
	play->experiment.work = (struct experiment_work){.given = true, .low = 1, .high = 4096, .unit = "MB"};
	for (size_t s = 0; s < sides; s++) {
		play->subjects[s].command = "./a {work}";
		play->script.actors[s] = (struct script_actor){.time = 0.01, .noise = 0.01, .start = 0.3};
	}
}

/* The amount is in the command of every run, and rounds differ in it. */
static void amounts_go_into_the_command(void **state)
{
	(void)state;
	struct play play;
	play_work(&play, 1);
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	const struct work_result *work = play.result.subjects[0].work;
	assert_string_equal(work->speed_unit, "MB/s");
	assert_non_null(strstr(buffer_text(script_log()), " A(2)\n"));
	assert_non_null(strstr(buffer_text(script_log()), " A(4)\n"));
	assert_false(play.result.design.paired);
	play_end(&play);
}

static void a_metric_that_is_no_time_is_refused_before_anything_runs(void **state)
{
	(void)state;
	static const char *metrics[] = {"rss"};
	struct play play;
	play_work(&play, 1);
	play.experiment.metrics = metrics;
	play.experiment.metric_count = 1;
	play_run(&play, &instrument_commands);
	assert_int_equal(play.err.kind, ERROR_USAGE);
	assert_non_null(strstr(play.err.what, "a metric that is a time, not 'rss'"));
	assert_int_equal(script_log()->length, 0);
	play_end(&play);
}

static void where_every_run_fails_that_is_the_error(void **state)
{
	(void)state;
	struct play play;
	play_work(&play, 1);
	play_fixed(&play, 4);
	play.experiment.ignore_failure = true;
	play_fault(&play, 0, FAULT_EXIT, 1, 1000);
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, -1);
	assert_non_null(strstr(play.err.what, "every run failed, the first with: exit 1"));
	assert_string_equal(play.result.stopped.reason, "failed");
	play_end(&play);
}

static void an_amount_that_is_over_too_soon_is_told(void **state)
{
	(void)state;
	struct play play;
	play_work(&play, 1);
	play.experiment.work.high = 8;
	play.script.actors[0] = (struct script_actor){.time = 0.0001, .noise = 0.01};
	play_run(&play, &instrument_commands);
	assert_true(play_warned(&play, "short-rounds"));
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(amounts_go_into_the_command),
		cmocka_unit_test(a_metric_that_is_no_time_is_refused_before_anything_runs),
		cmocka_unit_test(where_every_run_fails_that_is_the_error),
		cmocka_unit_test(an_amount_that_is_over_too_soon_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
