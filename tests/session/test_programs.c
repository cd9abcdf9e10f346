/* Harness programs as an instrument: programs.c, programs_suite.c, programs_try.c, programs_run.c, programs_values.c,
 * programs_trouble.c, programs_indices.c. */
#include "session/play.h"

/* ---- programs_suite.c ---- */

static void benchmarks_are_matched_by_name(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 2, 2);
	play.script.missing = 1;
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	assert_true(play.missing); /* a gate cannot hold then */
	assert_int_equal(play.result.subject_count, 2);
	assert_string_equal(play.result.subjects[1].name, "b sort/size=8");
	assert_true(play_warned(&play, "only-old"));
	play_end(&play);
}

static void some_are_chosen(void **state)
{
	(void)state;
	static const char *const values[] = {"size=4,16"};
	struct buffer names = {0};
	struct play play;
	play_init_programs(&play, 1, 3);
	play.experiment.bench.filter = "-hash";
	play.experiment.bench.values = values;
	play.experiment.bench.value_count = 1;
	script_begin(&play.script);
	assert_int_equal(session_list(&play.experiment, -1, &names, &play.err), 0);
	assert_string_equal(buffer_text(&names), "parse\n");
	buffer_release(&names);
	play_end(&play);
}

/* ---- programs_try.c ---- */

static void a_trial_is_the_run_of_what_never_had_another(void **state)
{
	(void)state;
	for (size_t sides = 1; sides <= 2; sides++) {
		struct play play;
		play_init_programs(&play, sides, 2);
		play.experiment.max_time = INT64_C(3000000000);
		for (size_t i = 0; i < 4; i++)
			play.script.actors[i] = (struct script_actor){.time = 5};
		play_run(&play, &instrument_programs);
		assert_int_equal(play.status, 0);
		assert_true(play.missing);
		assert_true(script_now() - 1000 < 5.2 * (double)sides);
		assert_int_equal(play.result.subject_count, sides);
		for (size_t s = 0; s < sides; s++)
			assert_int_equal(play_metric(&play, s, "wall")->series.n, 1);
		assert_string_equal(play.result.stopped.reason, "budget");
		assert_true(play_warned(&play, "left-out"));
		assert_non_null(strstr(buffer_text(&play.notes), "its first invocation took all of the time, 3.0 s"));
		play_end(&play);
	}
}

static void both_sides_get_the_same_invocations(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 2, 1);
	play.script.actors[1].time = 8e-6; /* four times slower: it would need a quarter of them */
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	assert_true(play.result.subjects[0].invocations == play.result.subjects[1].invocations);
	assert_true(play.result.subjects[0].invocations > 400); /* a millisecond of the faster */
	play_end(&play);
}

static void the_metric_follows_from_the_trial(void **state)
{
	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		static const char *const expected[] = {"cpu", "net", "wall", "wall"};
		struct play play;
		play_init_programs(&play, 2, 1);
		play.script.actors[0].waits = kind == 1 || kind == 3 ? 0.4 : 0;
		play.script.actors[0].threads = kind == 2;
		play.script.actors[0].untimed = play.script.actors[1].untimed = kind == 3;
		play_run(&play, &instrument_programs);
		assert_string_equal(play.result.comparisons[0].metric, expected[kind]);
		play_end(&play);
	}
}

/* Its first invocations take a millisecond, which is long enough; the later ones do not. */
static void a_delay_known_of_one_invocation_only_does_not_decide(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 2, 1);
	for (size_t s = 0; s < 2; s++) {
		struct script_actor *actor = &play.script.actors[s];
		*actor = (struct script_actor){.time = 4e-4, .waits = 0.4, .warm = 2, .warm_times = 3, .untimed = true};
	}
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	assert_true(play.result.subjects[0].invocations > 1);
	assert_string_equal(play.result.comparisons[0].metric, "wall");
	play_end(&play);
}

/* ---- programs_run.c ---- */

static void orders_are_of_pairs_or_of_runs(void **state)
{
	(void)state;
	static const char *const designs[] = {"turns", "duet", "shuffled"};
	for (size_t i = 0; i < 3; i++) {
		struct play play;
		play_init_programs(&play, 2, 1);
		play_fixed(&play, 4);
		play.experiment.bench.iterations = 10;
		play.experiment.design = designs[i];
		play_run(&play, &instrument_programs);
		assert_int_equal(play.status, 0);
		assert_true(play.result.design.order_of_runs == (i > 0));
		const struct series *series = &play_metric(&play, 0, "wall")->series;
		assert_true(play.result.design.order_count >= (i > 0 ? series->groups[0] : series->n));
		assert_int_equal(play_metric(&play, 1, "wall")->series.n, series->n);
		play_end(&play);
	}
}

static void a_first_run_that_is_broken_off_is_kept(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 1, 1);
	play.script.cancel_after = 40;
	play.script.cancel_within = true;
	play_run(&play, &instrument_programs);
	assert_int_equal(play.err.kind, ERROR_INTERRUPTED);
	assert_int_equal(play_metric(&play, 0, "wall")->series.groups[0], 1);
	play_end(&play);
}

/* ---- programs_values.c ---- */

static void numbers_of_the_program_are_metrics(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 1, 1);
	play.script.actors[0].reading = 100;
	play_fixed(&play, 3);
	play_run(&play, &instrument_programs);
	assert_close(play_metric(&play, 0, "rate")->mean, 100, 1e-9);
	/* Ten items an invocation of 2 µs. */
	assert_close(play_metric(&play, 0, "items")->mean, 10 / play_metric(&play, 0, "wall")->mean, 0.01);
	assert_close(play_metric(&play, 0, "wall")->mean, 2e-6, 0.01);
	play_end(&play);
}

/* ---- programs_trouble.c ---- */

static void one_that_crashes_leaves_the_others(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 1, 2);
	play_fault(&play, 1, FAULT_SIGNAL, 3, 3);
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, -1);
	assert_int_equal(play.err.kind, ERROR_SUBJECT);
	assert_true(play_warned(&play, "failed"));
	assert_string_equal(play.result.subjects[1].failures[0].what, "crashed: Segmentation fault");
	assert_true(play_metric(&play, 0, "wall")->series.groups[0] >= 10);
	play_end(&play);
}

static void what_hangs_is_a_time_out(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 1, 2);
	play_fault(&play, 1, FAULT_TIMEOUT, 3, 3);
	play_run(&play, &instrument_programs);
	assert_int_equal(play.err.kind, ERROR_TIMEOUT);
	play_end(&play);
}

/* ---- programs_indices.c ---- */

static void an_index_must_be_precise_too(void **state)
{
	(void)state;
	size_t runs[2];
	for (size_t i = 0; i < 2; i++) {
		struct performance_index pi = {
			.metric = {"rate", "MB/s", BETTER_HIGHER}, .precision = 0.01, .confidence = NAN, .autocorrelation = NAN};
		struct play play;
		play_init_programs(&play, 1, 1);
		play.script.actors[0].reading = 100;
		play.script.actors[0].reading_noise = 0.3;
		play.experiment.pis = &pi;
		play.experiment.pi_count = i;
		play_run(&play, &instrument_programs);
		runs[i] = play_metric(&play, 0, "wall")->series.groups[0];
		play_end(&play);
	}
	assert_true(runs[1] > runs[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(benchmarks_are_matched_by_name),
		cmocka_unit_test(some_are_chosen),
		cmocka_unit_test(both_sides_get_the_same_invocations),
		cmocka_unit_test(the_metric_follows_from_the_trial),
		cmocka_unit_test(a_delay_known_of_one_invocation_only_does_not_decide),
		cmocka_unit_test(orders_are_of_pairs_or_of_runs),
		cmocka_unit_test(a_first_run_that_is_broken_off_is_kept),
		cmocka_unit_test(numbers_of_the_program_are_metrics),
		cmocka_unit_test(one_that_crashes_leaves_the_others),
		cmocka_unit_test(what_hangs_is_a_time_out),
		cmocka_unit_test(an_index_must_be_precise_too),
		cmocka_unit_test(a_trial_is_the_run_of_what_never_had_another),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
