/* Stopping benchmarks that are stable. */
#include "session/play.h"

#define SECONDS INT64_C(1000000000)

static void runs_end_when_they_are_stable(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 1, 1);
	play.experiment.stop = STOP_STABLE;
	play.experiment.bench.stability.rule = "cv";
	play.experiment.bench.iteration_time = SECONDS / 50;
	play.experiment.max_time = 20 * SECONDS;
	play_run(&play, &instrument_programs);
	assert_string_equal(play.result.stopped.reason, "stable");
	assert_string_equal(play.result.stopped.rule, "cv");
	assert_string_equal(play.result.stopped.looks, "once"); /* the rule does not look at the mean */
	assert_true(play_warned(&play, "stop-warmup"));
	play_end(&play);
}

static void what_is_never_stable_ends_with_its_cap(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 1, 1);
	play.experiment.stop = STOP_STABLE;
	play.experiment.bench.stability.rule = "cv";
	play.experiment.bench.iteration_time = SECONDS / 50;
	play.experiment.max_time = 20 * SECONDS;
	play.script.actors[0].noise = 0.8;
	play.script.actors[0].run_noise = 0.4;
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	assert_string_not_equal(play.result.stopped.reason, "stable");
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_end_when_they_are_stable),
		cmocka_unit_test(what_is_never_stable_ends_with_its_cap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
