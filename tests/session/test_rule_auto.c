/* tare's own rule for benchmarks. */
#include "session/play.h"

static void warm_up_is_left_out_of_every_run(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 1, 1);
	play.script.actors[0].warm = 8;
	play.script.actors[0].warm_times = 3;
	play_run(&play, &instrument_programs);
	const struct measurement *wall = play_metric(&play, 0, "wall");
	assert_string_equal(play.result.stopped.reason, "precision");
	assert_true(wall->skip >= 8);
	assert_close(wall->mean, 2e-6, 0.01);
	assert_close(play.last.most.target, 0.01, 1e-12);
	play_end(&play);
}

static void runs_that_differ_are_many(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 1, 1);
	play.script.actors[0].run_noise = 0.02;
	play_run(&play, &instrument_programs);
	/* Runs differ by 2 %: more of them are needed than where they do not. */
	size_t runs = play_metric(&play, 0, "wall")->series.groups[0];
	assert_true(runs > 10);
	assert_string_equal(play.result.stopped.reason, "precision");
	const struct measurement *wall = play_metric(&play, 0, "wall");
	assert_true((wall->ci.high - wall->ci.low) / 2 <= 0.0101 * wall->mean);
	play_end(&play);
}

static void a_least_number_of_runs_is_kept_to(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 1, 1);
	play.experiment.min_runs = 40;
	play_run(&play, &instrument_programs);
	assert_int_equal(play_metric(&play, 0, "wall")->series.groups[0], 40);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(warm_up_is_left_out_of_every_run),
		cmocka_unit_test(runs_that_differ_are_many),
		cmocka_unit_test(a_least_number_of_runs_is_kept_to),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
