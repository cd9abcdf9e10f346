/* A run of a benchmark on every side. */
#include "session/play.h"

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

/* Tried on a quick stretch, twenty times slower afterwards: the first run leaves time for others. */
static void a_first_run_that_is_late_ends_early(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 1, 1);
	play.experiment.bench.first = true;
	play.experiment.max_time = INT64_C(20000000000);
	play.script.actors[0].warm = 300;
	play.script.actors[0].warm_times = 0.05;
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	assert_in_range(play_metric(&play, 0, "wall")->series.groups[0], 2, 100);
	play_end(&play);
}

/* Iterations in the last run of benchmark "one" on side `side`, by the log. */
static size_t iterations_of(const char *log, char side)
{
	size_t count = 0;
	for (const char *line = log; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		char name[20], who;
		size_t iterations;
		if (sscanf(line, "%*f %19s %c %zu of", name, &who, &iterations) == 3 && who == side)
			count = iterations;
	}
	return count;
}

/* The one that takes a third of the time does two more thirds, in steps of a sixteenth; those are not in its series. */
static void a_refilled_duet_keeps_the_shorter_one_busy(void **state)
{
	(void)state;
	struct play play;
	for (int refill = 0; refill < 2; refill++) {
		play_init_programs(&play, 2, 1);
		play.experiment.design = "duet";
		play.experiment.refill = refill;
		play.script.actors[1].time *= 3;
		play_run(&play, &instrument_programs);
		const char *log = buffer_text(script_log());
		size_t a = iterations_of(log, 'A'), b = iterations_of(log, 'B');
		if (refill)
			assert_in_range(a, 25 * b, 40 * b);
		else
			assert_int_equal(a, b);
		assert_int_equal(play.result.subjects[0].metrics[0].series.n, play.result.subjects[1].metrics[0].series.n);
		assert_int_equal(play.result.comparisons[0].verdict, VERDICT_SLOWER);
		play_end(&play);
	}
}

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

static void what_skips_itself_is_missing_and_no_failure(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 2, 2);
	play_fault(&play, 3, FAULT_SKIPPED, 1, 1000); /* the second benchmark, of the second program */
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	assert_true(play.missing);
	assert_int_equal(play.result.comparison_count, 1);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_are_of_pairs_or_of_runs),
		cmocka_unit_test(a_first_run_that_is_broken_off_is_kept),
		cmocka_unit_test(a_first_run_that_is_late_ends_early),
		cmocka_unit_test(a_refilled_duet_keeps_the_shorter_one_busy),
		cmocka_unit_test(one_that_crashes_leaves_the_others),
		cmocka_unit_test(what_hangs_is_a_time_out),
		cmocka_unit_test(what_skips_itself_is_missing_and_no_failure),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
