/* Which design is taken. */
#include "session/play.h"

static const char *log_text(void)
{
	return buffer_text(script_log());
}

static void designs_that_cannot_be_are_refused(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 3);
	play.experiment.design = "duet";
	play_run(&play, &instrument_commands);
	assert_int_equal(play.err.kind, ERROR_USAGE);
	assert_false(result_has_samples(&play.result));
	play_end(&play);
}

static void the_design_of_least_variance_is_taken(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.experiment.design = "auto";
	play.script.actors[0].time = play.script.actors[1].time = 0.001;
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	assert_non_null(strstr(play.result.design.why, "least variance per second; tried: turns, duet"));
	play_end(&play);
}

static void what_the_first_pairs_decide_needs_no_other_design(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.experiment.design = "auto";
	play.script.actors[1].time *= 2;
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	assert_string_equal(play.result.design.name, "turns");
	assert_int_equal(play.result.comparisons[0].verdict, VERDICT_SLOWER);
	assert_close(play.result.stopped.weight, 0.25, 1e-12);
	/* What was measured is kept, and nothing ran at once with another. */
	size_t pairs = play_metric(&play, 0, "cpu")->series.n;
	assert_true(pairs >= 6 && pairs <= 20 && play.result.design.order_count == pairs);
	assert_null(strstr(log_text(), "A0 B"));
	assert_null(strstr(log_text(), "B0 A"));
	play_end(&play);
}

/* The time that they took is gone, but their units stay as they are. */
static void the_recorded_units_are_those_of_the_first_pairs(void **state)
{
	(void)state;
	for (double time = 0.01; time < 0.3; time *= 1.1) {
		struct play play;
		play_init(&play, 2);
		play.experiment.design = "auto";
		play.experiment.max_time = INT64_C(60000000000);
		play.script.actors[0].time = time;
		play.script.actors[1].time = 2 * time;
		play_run(&play, &instrument_commands);
		assert_int_equal(play.status, 0);
		assert_string_equal(play.result.design.why, "the first pairs decided");
		assert_int_equal(play.result.stopped.block, play.result.comparisons[0].block);
		play_end(&play);
	}
}

static void what_they_do_not_decide_leaves_them_out(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.experiment.design = "auto";
	play.experiment.stop = STOP_VERDICT;
	play.experiment.max_runs = 12;
	play.script.actors[0].noise = play.script.actors[1].noise = 0.3;
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	assert_close(play.result.stopped.weight, 0.75, 1e-12);
	assert_int_equal(play_metric(&play, 0, "cpu")->series.n, 12);
	assert_int_equal(play.result.design.order_count, 12);
	assert_int_equal(play.result.comparisons[0].pairs, 12);
	play_end(&play);
}

static void the_user_may_end_it_at_any_time(void **state)
{
	(void)state;
	static const struct {
		const char *phase, *why;
	} known[] = {{"first pairs", "stopped during the first pairs"},
	             {"trying duet", "least variance per second; tried: turns, duet"}};
	for (size_t i = 0; i < 2; i++) {
		struct play play;
		play_init(&play, 2);
		play.experiment.design = "auto";
		play.experiment.stop = STOP_VERDICT;
		play.script.actors[0].time = play.script.actors[1].time = 0.001;
		play.script.actors[0].noise = play.script.actors[1].noise = 0.3;
		play.stop_in = known[i].phase;
		play_run(&play, &instrument_commands);
		assert_int_equal(play.status, 0);
		assert_int_equal(play.told_since, 1); /* the pair that is kept */
		assert_string_equal(play.result.stopped.reason, "stopped");
		assert_string_equal(play.result.design.name, "turns");
		assert_string_equal(play.result.design.why, known[i].why);
		/* The first pairs are kept where nothing else was begun. */
		assert_int_equal(play_metric(&play, 0, "cpu")->series.n, i == 0 ? 2 : 1);
		play_end(&play);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(designs_that_cannot_be_are_refused),
		cmocka_unit_test(the_design_of_least_variance_is_taken),
		cmocka_unit_test(what_the_first_pairs_decide_needs_no_other_design),
		cmocka_unit_test(the_recorded_units_are_those_of_the_first_pairs),
		cmocka_unit_test(what_they_do_not_decide_leaves_them_out),
		cmocka_unit_test(the_user_may_end_it_at_any_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
