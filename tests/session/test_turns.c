/* Differences of runs that share a CPU, sized in turns. */
#include "adapters/adapter.h"
#include "analysis/whole.h"
#include "session/play.h"

static const struct adapter google = {
	.name = "google", .framework = "Google Benchmark", .repetitions = 5, .reports_cpu = true};

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

/* The time is over with the runs at once. */
static void a_size_that_was_not_confirmed_says_so(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.experiment.design = "shared";
	play.experiment.max_time = INT64_C(800000000);
	play.script.actors[1].time *= 1.3;
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	assert_int_equal(play.result.comparisons[0].verdict, VERDICT_SLOWER);
	assert_string_equal(play.result.comparisons[0].metric, "cpu");
	assert_true(play_warned(&play, "size-unconfirmed"));
	play_end(&play);
}

/* While they are measured, the progress is theirs. */
static void the_progress_says_that_the_size_is_confirmed(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.experiment.design = "shared";
	play.experiment.max_time = INT64_C(3000000000);
	play.script.actors[1].time *= 1.02;
	play.script.actors[1].crowd = 1.3;
	play.script.actors[0].noise = play.script.actors[1].noise = 0.05;
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	assert_true(play_warned(&play, "size-unconfirmed"));
	assert_string_equal(play.phase, "confirming the size in turns");
	assert_int_equal(play.last.pairs, play_metric(&play, 0, "cpu-turns")->series.n);
	assert_true(play.last.most.estimate < 1.15);
	play_end(&play);
}

/* So many at once, and where that does not confirm the size so many in turns, of commands and of a suite; a time that is
 * long enough changes nothing. */
static void a_fixed_number_of_runs_is_kept_to(void **state)
{
	(void)state;
	for (int timed = 0; timed < 2; timed++) {
		struct play play;
		play_init(&play, 2);
		play.experiment.design = "shared";
		play.experiment.max_time = timed * INT64_C(60000000000);
		play_fixed(&play, 11);
		play.script.actors[1].time *= 1.02;
		play.script.actors[1].crowd = 1.3;
		play.script.actors[0].noise = play.script.actors[1].noise = 0.05;
		play_run(&play, &instrument_commands);
		assert_int_equal(play.status, 0);
		assert_int_equal(play_metric(&play, 0, "cpu")->series.n, 11);
		assert_int_equal(play_metric(&play, 0, "cpu-turns")->series.n, 11);
		assert_string_equal(play.result.stopped.reason, "count");
		assert_non_null(strstr(play_warning(&play, "size-unconfirmed"), "that number of runs is too small"));
		play_end(&play);
	}
	struct play play;
	play_init_programs(&play, 2, 1);
	play.script.adapter = &google;
	play.experiment.max_time = 0;
	play_fixed(&play, 8);
	play.script.actors[1].time *= 1.02;
	play.script.actors[1].crowd = 1.3;
	play.script.actors[0].run_noise = play.script.actors[1].run_noise = 0.05;
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	assert_int_equal(play_metric(&play, 0, "cpu")->series.groups[0], 8);
	assert_int_equal(play_metric(&play, 0, "cpu-turns")->series.groups[0], 8);
	play_end(&play);
}

/* The last pair at once is not among those that the turns replace. */
static void a_last_pair_that_was_lost_is_not_sought_in_turns(void **state)
{
	enum { TRIALS = 3, RUNS = 25 };
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.experiment.design = "shared";
	play.experiment.ignore_failure = true;
	play_fixed(&play, RUNS);
	play.script.actors[1].time *= 1.3;
	play_fault(&play, 1, FAULT_SIGNAL, TRIALS + RUNS, TRIALS + RUNS);
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	assert_int_equal(play.result.subjects[1].failure_count, 1);
	assert_int_equal(play.result.subjects[1].failures[0].run, RUNS - 1);
	const struct comparison *c = &play.result.comparisons[0];
	assert_string_equal(c->metric, "cpu-turns");
	assert_in_range(c->pairs, 1, RUNS - 1);
	assert_int_equal(c->pairs, play_metric(&play, 0, "cpu-turns")->series.n);
	assert_true(c->ci.low < 1.3 && 1.3 < c->ci.high);
	play_end(&play);
}

/* Of a suite the gate is corrected for its number of benchmarks: in turns too, or what ended there would be open. */
static void a_gate_that_turns_have_confirmed_is_that_of_the_suite(void **state)
{
	enum { BENCHMARKS = 4 };
	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct play play;
		play_init_programs(&play, 2, BENCHMARKS);
		play.script.adapter = &google;
		play.script.seed = seed;
		play.experiment.max_time *= 24;
		play.experiment.gate = 0.02;
		play.script.actors[BENCHMARKS].time *= 1.04;
		for (size_t i = 0; i < 2 * BENCHMARKS; i++)
			play.script.actors[i].run_noise = 0.01;
		play_run(&play, &instrument_programs);
		assert_int_equal(play.status, 0);
		const struct comparison *c = &play.result.comparisons[0];
		assert_string_equal(c->metric, "cpu-turns");
		assert_int_equal(c->gate, GATE_BROKEN);
		assert_true(play.result.elapsed < 0.75 * play.experiment.max_time / 1e9);
		play_end(&play);
	}
}

/* Also an exit code that is ignored: on one side alone no gate holds with it. */
static void what_fails_in_turns_is_a_failure(void **state)
{
	static const enum script_fault_kind kinds[] = {FAULT_SIGNAL, FAULT_IGNORED};
	enum { TRIALS = 3, RUNS = 25, FAILED = 5 }; /* the first in turns */
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct play play;
		play_init(&play, 2);
		play.experiment.design = "shared";
		play.experiment.ignore_failure = true;
		play.experiment.gate = 2;
		play_fixed(&play, RUNS);
		play.script.actors[1].time *= 1.3;
		play_fault(&play, 1, kinds[i], TRIALS + RUNS + 1, TRIALS + RUNS + FAILED);
		play_run(&play, &instrument_commands);
		assert_int_equal(play.status, 0);
		assert_string_equal(play.result.comparisons[0].metric, "cpu-turns");
		assert_int_equal(play.result.subjects[0].failure_count, 0);
		assert_int_equal(play.result.subjects[1].failure_count, FAILED);
		for (size_t k = 0; k < FAILED; k++)
			assert_int_equal(play.result.subjects[1].failures[k].run, RUNS + k);
		assert_true(play_warned(&play, "failures"));
		const struct whole_options whole = {.limit = 2, .welcome = {.alike = true}};
		assert_int_equal(whole_settle(&play.result, &whole, NULL), 0);
		assert_int_equal(play.result.gate.state, GATE_FAILED);
		play_end(&play);
	}
}

static void what_is_the_same_needs_no_turns(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.experiment.design = "shared";
	play.script.actors[0].noise = play.script.actors[1].noise = 0.002;
	play_run(&play, &instrument_commands);
	assert_int_equal(play.result.comparisons[0].verdict, VERDICT_SAME);
	assert_null(subject_find_metric(&play.result.subjects[0], "cpu-turns"));
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_both_on_one_cpu_show_is_sized_by_turns),
		cmocka_unit_test(a_size_that_was_not_confirmed_says_so),
		cmocka_unit_test(the_progress_says_that_the_size_is_confirmed),
		cmocka_unit_test(a_fixed_number_of_runs_is_kept_to),
		cmocka_unit_test(a_last_pair_that_was_lost_is_not_sought_in_turns),
		cmocka_unit_test(a_gate_that_turns_have_confirmed_is_that_of_the_suite),
		cmocka_unit_test(what_fails_in_turns_is_a_failure),
		cmocka_unit_test(what_is_the_same_needs_no_turns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
