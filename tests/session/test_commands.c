/* Commands as an instrument: commands.c, commands_round.c, commands_try.c, pilot.c, earlier.c, overhead.c, dry_run.c. */
#include "session/play.h"

static const char *log_text(void)
{
	return buffer_text(script_log());
}

/* ---- commands.c ---- */

static void hooks_of_all_are_run_once_and_in_order(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play_fixed(&play, 2);
	play.experiment.warmup = 0;
	play.subjects[0].setup = play.subjects[1].setup = "make";
	play.subjects[1].cleanup = "clean";
	play.subjects[1].prepare = "sync";
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	const char *setup = strstr(log_text(), "setup: make"), *prepare = strstr(log_text(), "prepare: sync");
	assert_true(setup && prepare && setup < prepare);
	assert_null(strstr(setup + 1, "setup: make"));
	assert_true(strstr(prepare, "cleanup: clean") != NULL);
	play_end(&play);
}

static void cleanup_follows_a_failure(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 1);
	play.subjects[0].cleanup = "clean";
	play_fault(&play, 0, FAULT_EXIT, 6, 6);
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, -1);
	assert_int_equal(play.err.kind, ERROR_SUBJECT);
	assert_non_null(strstr(log_text(), "cleanup: clean"));
	assert_string_equal(play.result.stopped.reason, "failed");
	/* What was measured before is analysed. */
	assert_int_equal(play_metric(&play, 0, "wall")->n, 2);
	play_end(&play);
}

/* ---- commands_round.c ---- */

static void a_run_that_fails_is_lost_for_its_pair(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play_fixed(&play, 5);
	play.experiment.warmup = 0; /* the design takes one run of each all the same */
	play.experiment.ignore_failure = true;
	play_fault(&play, 1, FAULT_SIGNAL, 3, 3);
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	for (size_t s = 0; s < 2; s++) {
		const struct series *wall = &play_metric(&play, s, "wall")->series;
		assert_int_equal(wall->n, 5);
		assert_true(isnan(wall->values[1]) && !isnan(wall->values[0]) && !isnan(wall->values[2]));
	}
	assert_int_equal(play.result.subjects[1].failure_count, 1);
	assert_int_equal(play.result.subjects[1].failures[0].run, 1);
	assert_int_equal(play.result.subjects[0].failure_count, 0);
	play_end(&play);
}

static void designs_place_runs(void **state)
{
	(void)state;
	static const struct {
		const char *design, *line;
	} known[] = {{"turns", " A0\n"}, {"shared", " A0 B0\n"}, {"duet", " A0 B1\n"}, {"shuffled", " A\n"}};
	for (size_t i = 0; i < 4; i++) {
		struct play play;
		play_init(&play, 2);
		play_fixed(&play, 8);
		play.experiment.design = known[i].design;
		play_run(&play, &instrument_commands);
		assert_int_equal(play.status, 0);
		assert_non_null(strstr(log_text(), known[i].line));
		play_end(&play);
	}
}

static void a_duet_keeps_how_long_both_ran(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play_fixed(&play, 4);
	play.experiment.design = "duet";
	play.script.actors[1].time = 0.03;
	play_run(&play, &instrument_commands);
	const struct series *overlap = &play_metric(&play, 1, "overlap")->series;
	assert_int_equal(overlap->n, 4);
	for (size_t i = 0; i < 4; i++)
		assert_close(overlap->values[i], play_metric(&play, 0, "wall")->series.values[i], 1e-6);
	play_end(&play);
}

/* ---- commands_try.c ---- */

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
		assert_non_null(strstr(buffer_text(&play.notes), "its first run goes on, though the time, 3.0 s, is over"));
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

/* ---- pilot.c ---- */

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
	assert_non_null(strstr(play.result.design.why, "least variance per second of turns, duet"));
	play_end(&play);
}

/* ---- earlier.c ---- */

static void what_was_broken_off_goes_on(void **state)
{
	(void)state;
	struct play first, second;
	play_init(&first, 2);
	first.script.actors[0].noise = first.script.actors[1].noise = 0.05;
	first.script.cancel_after = 200;
	play_run(&first, &instrument_commands);
	assert_int_equal(first.err.kind, ERROR_INTERRUPTED);
	size_t kept = play_metric(&first, 0, "cpu")->series.n;
	play_init(&second, 2);
	second.script = first.script;
	second.script.cancel_after = 0;
	second.script.actors[1].time = 0.022;
	second.experiment.earlier = &first.result;
	play_run(&second, &instrument_commands);
	assert_int_equal(second.status, 0);
	const struct series *all = &play_metric(&second, 1, "cpu")->series, *old = &play_metric(&first, 1, "cpu")->series;
	assert_true(all->n > kept);
	for (size_t i = 0; i < kept; i++)
		assert_true(all->values[i] == old->values[i]);
	assert_int_equal(second.result.design.order_count, all->n);
	assert_string_equal(second.result.stopped.looks, "verdict");
	play_end(&second);
	play_end(&first);
}

static void a_count_that_is_full_measures_nothing(void **state)
{
	(void)state;
	struct play first, second;
	play_init(&first, 2);
	play_fixed(&first, 6);
	play_run(&first, &instrument_commands);
	play_init(&second, 2);
	play_fixed(&second, 6);
	second.experiment.earlier = &first.result;
	play_run(&second, &instrument_commands);
	assert_string_equal(second.result.stopped.reason, "count");
	assert_int_equal(play_metric(&second, 0, "cpu")->series.n, 6);
	assert_string_equal(second.result.stopped.looks, "verdict"); /* it was looked at before this went on */
	play_end(&second);
	play_end(&first);
}

/* ---- overhead.c, dry_run.c ---- */

static void unit_readings_are_timed_with_and_without(void **state)
{
	(void)state;
	struct performance_index pi = {.metric = {"rate", "MB/s", BETTER_HIGHER},
	                               .units = true,
	                               .precision = NAN,
	                               .confidence = NAN,
	                               .autocorrelation = NAN};
	struct play play;
	play_init(&play, 1);
	play.experiment.pis = &pi;
	play.experiment.pi_count = 1;
	play.experiment.overhead = true;
	play.script.actors[0].reading = 100;
	play.script.actors[0].readings = 30;
	play_fixed(&play, 5);
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	const struct overhead_result *overhead = play.result.subjects[0].overhead;
	assert_int_equal(overhead->pairs, 10);
	assert_true(overhead->ci.low < 1 && overhead->ci.high > 1); /* the script takes as long either way */
	play_end(&play);
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

/* ---- pilot.c, turns.c ---- */

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

/* At once the second is a quarter slower, alone a twentieth: the twentieth is told. */
static void what_both_on_one_cpu_show_is_sized_by_turns(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.experiment.design = "shared";
	play.script.actors[1].time *= 1.05;
	play.script.actors[1].crowd = 1.2;
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	const struct comparison *c = &play.result.comparisons[0];
	assert_string_equal(c->metric, "cpu-turns");
	assert_true(c->ci.low > 1 && c->ci.high < 1.1);
	assert_int_equal(c->pairs, play_metric(&play, 0, "cpu-turns")->series.n);
	bool told = false;
	for (size_t i = 0; i < play.result.warning_count; i++)
		told |= strcmp(play.result.warnings[i].code, "cache-company") == 0;
	assert_true(told);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hooks_of_all_are_run_once_and_in_order),
		cmocka_unit_test(cleanup_follows_a_failure),
		cmocka_unit_test(a_run_that_fails_is_lost_for_its_pair),
		cmocka_unit_test(designs_place_runs),
		cmocka_unit_test(a_duet_keeps_how_long_both_ran),
		cmocka_unit_test(the_metric_follows_from_the_trial_runs),
		cmocka_unit_test(slow_commands_get_more_time_and_that_is_said),
		cmocka_unit_test(designs_that_cannot_be_are_refused),
		cmocka_unit_test(the_design_of_least_variance_is_taken),
		cmocka_unit_test(what_the_first_pairs_decide_needs_no_other_design),
		cmocka_unit_test(what_they_do_not_decide_leaves_them_out),
		cmocka_unit_test(what_both_on_one_cpu_show_is_sized_by_turns),
		cmocka_unit_test(what_was_broken_off_goes_on),
		cmocka_unit_test(a_count_that_is_full_measures_nothing),
		cmocka_unit_test(unit_readings_are_timed_with_and_without),
		cmocka_unit_test(a_dry_run_keeps_nothing),
		cmocka_unit_test(a_run_longer_than_the_time_is_kept_and_that_is_said),
		cmocka_unit_test(trial_runs_count_where_few_others_fit),
		cmocka_unit_test(a_failed_trial_run_that_counts_is_told),
		cmocka_unit_test(warm_up_leaves_half_of_the_time),
		cmocka_unit_test(hooks_are_part_of_a_time_that_was_given),
		cmocka_unit_test(a_hook_that_the_end_cuts_off_leaves_what_was_measured),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
