/* Calibrations as an instrument. */
#include "session/calibrate.h"
#include "session/play.h"

static void every_design_gets_its_pairs(void **state)
{
	(void)state;
	struct play play;
	struct calibration found;
	struct session_observer observer;
	play_init(&play, 2);
	observer = play_observer(&play);
	struct calibrate_program program = {.name = "cpu", .experiment = &play.experiment};
	calibration_init(&found);
	script_begin(&play.script);
	assert_int_equal(session_calibrate(&program, 1, INFINITY, 130, NULL, -1, &observer, &found, &play.err), 0);
	assert_int_equal(found.program_count, 1);
	assert_int_equal(found.cpu_count, 2);
	for (size_t i = 0; i < found.programs[0].design_count; i++) {
		assert_null(found.programs[0].designs[i].left_out);
		assert_true(found.programs[0].designs[i].pairs >= 130);
	}
	calibration_release(&found);
	play_end(&play);
}

/* `seconds` of two programs, by what the script plays. */
static int calibrate(struct play *play, double seconds, size_t pairs, struct calibration *found)
{
	struct session_observer observer = play_observer(play);
	struct calibrate_program programs[] = {{.name = "cpu", .experiment = &play->experiment},
	                                       {.name = "mine", .command = "./a", .experiment = &play->experiment}};
	calibration_init(found);
	script_begin(&play->script);
	return session_calibrate(programs, 2, seconds, pairs, NULL, -1, &observer, found, &play->err);
}

static void the_time_is_shared_among_cells(void **state)
{
	(void)state;
	struct play play;
	struct calibration found;
	play_init(&play, 2);
	assert_int_equal(calibrate(&play, 60, 0, &found), 0);
	assert_close(found.elapsed, 60, 0.01);
	assert_int_equal(found.program_count, 2);
	for (size_t p = 0; p < 2; p++)
		for (size_t d = 0; d < found.programs[p].design_count; d++) {
			const struct calibration_design *design = &found.programs[p].designs[d];
			/* An eighth of what the CPUs left, which is about 55 s. */
			assert_close((double)design->pairs * design->pair_seconds, 55.0 / 8, 0.1);
		}
	assert_close(play.last.budget, 60, 1e-12);
	assert_true(play.last.pairs > 0 && strchr(play.last.phase, ','));
	calibration_release(&found);
	play_end(&play);
}

static void cpus_that_are_the_same_show_no_difference(void **state)
{
	(void)state;
	struct play play;
	struct calibration found;
	play_init(&play, 2);
	assert_int_equal(calibrate(&play, 60, 0, &found), 0);
	assert_int_equal(found.cpu_count, 2);
	for (size_t i = 0; i < 2; i++)
		assert_true(found.cpus[i].low <= 0 && found.cpus[i].high >= 0); /* the script's CPUs are the same */
	calibration_release(&found);
	play_end(&play);
}

static void threads_leave_designs_and_cpus_out(void **state)
{
	(void)state;
	struct play play;
	struct calibration found;
	play_init(&play, 2);
	play.script.actors[0].threads = play.script.actors[1].threads = true;
	assert_int_equal(calibrate(&play, 60, 0, &found), 0);
	/* Of tare's own programs it is known that they have one thread. */
	assert_int_equal(found.cpu_count, 2);
	const struct calibration_program *mine = &found.programs[1];
	size_t left_out = 0;
	for (size_t d = 0; d < mine->design_count; d++)
		left_out += mine->designs[d].left_out != NULL;
	assert_true(left_out > 0 && left_out < mine->design_count);
	calibration_release(&found);
	play_end(&play);
}

static void an_interrupt_keeps_what_there_is(void **state)
{
	(void)state;
	struct play play;
	struct calibration found;
	play_init(&play, 2);
	play.script.cancel_after = 400;
	assert_int_equal(calibrate(&play, 60, 0, &found), -1);
	assert_int_equal(play.err.kind, ERROR_INTERRUPTED);
	assert_int_equal(found.program_count, 2);
	size_t measured = 0;
	for (size_t d = 0; d < found.programs[0].design_count; d++)
		measured += !found.programs[0].designs[d].left_out;
	assert_true(measured > 0);
	assert_true(found.elapsed < 60);
	calibration_release(&found);
	play_end(&play);
}

static void no_time_for_a_cell_is_said(void **state)
{
	(void)state;
	struct play play;
	struct calibration found;
	play_init(&play, 2);
	play.script.actors[0].time = play.script.actors[1].time = 2;
	assert_int_equal(calibrate(&play, 30, 0, &found), 0);
	assert_int_equal(found.cpu_count, 0); /* eight rounds would not fit */
	size_t without = 0;
	for (size_t p = 0; p < 2; p++)
		for (size_t d = 0; d < found.programs[p].design_count; d++) {
			const char *why = found.programs[p].designs[d].left_out;
			without += why && strcmp(why, "there was no time for it") == 0;
		}
	assert_true(without > 0);
	calibration_release(&found);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_design_gets_its_pairs),
		cmocka_unit_test(the_time_is_shared_among_cells),
		cmocka_unit_test(cpus_that_are_the_same_show_no_difference),
		cmocka_unit_test(threads_leave_designs_and_cpus_out),
		cmocka_unit_test(an_interrupt_keeps_what_there_is),
		cmocka_unit_test(no_time_for_a_cell_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
