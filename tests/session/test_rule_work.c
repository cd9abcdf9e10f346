/* The line over work amounts as a rule. */
#include "session/play.h"

static void a_line_is_found_and_a_curve_refused(void **state)
{
	(void)state;
	for (int curved = 0; curved < 2; curved++) {
		struct play play;
		play_init(&play, 1);
		play.subjects[0].command = "./a {work}";
		play.experiment.preset = PRESET_QUICK;
		play.experiment.work = (struct experiment_work){.given = true, .low = 1, .high = 4096, .unit = "MB"};
		play.script.actors[0] = (struct script_actor){
			.time = 0.01, .noise = 0.01, .start = 0.3, .curve = curved ? 0.0005 : 0};
		play_run(&play, &instrument_commands);
		const struct work_result *work = play.result.subjects[0].work;
		if (curved) {
			assert_non_null(work->refused);
			assert_true(play_warned(&play, "no-line"));
		} else {
			assert_string_equal(play.result.stopped.reason, "precision");
			assert_true(work->speed_ci.low < 100 && work->speed_ci.high > 100);
			assert_true(work->alpha_ci.low < 0.3 && work->alpha_ci.high > 0.29);
		}
		play_end(&play);
	}
}

static void speeds_of_two_are_compared(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.experiment.preset = PRESET_QUICK;
	play.experiment.work = (struct experiment_work){.given = true, .low = 1, .high = 4096, .unit = "MB"};
	for (size_t s = 0; s < 2; s++) {
		play.subjects[s].command = "./a {work}";
		play.script.actors[s] = (struct script_actor){.time = s ? 0.015 : 0.01, .noise = 0.01, .start = s ? 0.1 : 0.5};
	}
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	/* The line tells them apart, though the faster one begins later. */
	assert_int_equal(play.result.comparison_count, 1);
	assert_int_equal(play.result.comparisons[0].verdict, VERDICT_SLOWER);
	assert_true(play.result.comparisons[0].ci.low < 1.5 && 1.5 < play.result.comparisons[0].ci.high);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_found_and_a_curve_refused),
		cmocka_unit_test(speeds_of_two_are_compared),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
