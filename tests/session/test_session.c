/* A session around the loop: sides one after the other, the end. */
#include "session/scripted.h"

static void what_the_first_of_a_solo_leaves_is_for_the_second(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.experiment.design = "solo";
	play.experiment.max_time = INT64_C(4000000000);
	play.script.actors[1].noise = 0.5; /* never precise */
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	assert_string_equal(play.result.stopped.reason, "budget");
	/* The first is precise after some tenths of a second: nearly all of the 4 s are for the second. */
	assert_true(play_metric(&play, 0, "wall")->series.n < 20);
	assert_true(play_metric(&play, 1, "wall")->series.n > 130);
	assert_string_equal(play.last.most.subject, "b");
	play_end(&play);
}

static void kept_orders_do_not_depend_on_trial_runs(void **state)
{
	(void)state;
	struct play few, many;
	play_init(&few, 2);
	play_init(&many, 2);
	play_fixed(&few, 12);
	play_fixed(&many, 12);
	few.experiment.warmup = 0;
	many.experiment.warmup = 7;
	play_run(&few, &instrument_commands);
	play_run(&many, &instrument_commands);
	assert_int_equal(few.result.design.order_count, 12);
	for (size_t i = 0; i < 12; i++)
		assert_string_equal(few.result.design.order[i], many.result.design.order[i]);
	play_end(&few);
	play_end(&many);
}

static double fast_or_slow(size_t question, size_t side, size_t round)
{
	return 1 + (double)side + 0.05 * scripted_noise(side, round) + 0 * (double)question;
}

static void each_side_of_a_solo_has_the_stage_to_itself(void **state)
{
	(void)state;
	struct play play;
	struct scripted scripted = {.rule = &rule_precision, .design = DESIGN_SOLO, .value = fast_or_slow};
	play_init(&play, 2);
	play_fixed(&play, 4);
	play_scripted(&play, &scripted);
	assert_int_equal(play.status, 0);
	assert_int_equal(scripted.all_rounds, 8);
	for (size_t s = 0; s < 2; s++) {
		const struct measurement *m = play_metric(&play, s, "cpu");
		assert_int_equal(m->series.n, 4);
		assert_close(m->mean, 1 + (double)s, 0.05);
	}
	assert_string_equal(play.result.stopped.reason, "count");
	play_end(&play);
}

static void the_end_comes_also_after_a_failure_and_what_was_kept_is_analysed(void **state)
{
	(void)state;
	struct play play;
	struct scripted scripted = {.rule = &rule_precision, .design = DESIGN_SOLO, .fails_at = 4, .value = fast_or_slow};
	play_init(&play, 1);
	play_scripted(&play, &scripted);
	assert_int_equal(play.status, -1);
	assert_int_equal(play.err.kind, ERROR_SUBJECT);
	assert_int_equal(scripted.ended, 1);
	assert_int_equal(play_metric(&play, 0, "cpu")->n, 3);
	assert_close(play_metric(&play, 0, "cpu")->mean, 1, 0.05);
	assert_string_equal(play.result.stopped.reason, "failed");
	assert_close(play.result.elapsed, 4, 1e-9);
	play_end(&play);
}

static void refilling_needs_two_at_once(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.experiment.refill = true;
	assert_int_equal(session_check(&instrument_commands, &play.experiment, &play.err), -1);
	assert_int_equal(play.err.kind, ERROR_USAGE);
	play.experiment.design = "duet";
	assert_int_equal(session_check(&instrument_commands, &play.experiment, &play.err), 0);
	play.experiment.design = "auto"; /* commands may come to a duet by themselves, programs do not */
	assert_int_equal(session_check(&instrument_commands, &play.experiment, &play.err), 0);
	assert_int_equal(session_check(&instrument_programs, &play.experiment, &play.err), -1);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_first_of_a_solo_leaves_is_for_the_second),
		cmocka_unit_test(kept_orders_do_not_depend_on_trial_runs),
		cmocka_unit_test(each_side_of_a_solo_has_the_stage_to_itself),
		cmocka_unit_test(the_end_comes_also_after_a_failure_and_what_was_kept_is_analysed),
		cmocka_unit_test(refilling_needs_two_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
