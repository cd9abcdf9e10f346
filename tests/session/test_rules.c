/* What ends a session: rule_verdict.c, rule_precision.c, rule_ranking.c, rule_readings.c, rule_work.c, rule_auto.c,
 * rule_stable.c; and what is said at its end: conclude.c. */
#include "session/play.h"

#define SECONDS INT64_C(1000000000)

static const struct performance_index rate = {
	.metric = {"rate", "MB/s", BETTER_HIGHER}, .precision = NAN, .confidence = NAN, .autocorrelation = NAN};

/* ---- rule_verdict.c ---- */

static void a_difference_is_found_and_sameness_too(void **state)
{
	(void)state;
	static const double ratios[] = {1.1, 0.9, 1};
	static const enum verdict verdicts[] = {VERDICT_SLOWER, VERDICT_FASTER, VERDICT_SAME};
	for (size_t i = 0; i < 3; i++) {
		struct play play;
		play_init(&play, 2);
		play.script.actors[1].time *= ratios[i];
		play.script.actors[0].noise = play.script.actors[1].noise = 0.004;
		play_run(&play, &instrument_commands);
		assert_string_equal(play.result.stopped.reason, "verdict");
		assert_int_equal(play.result.comparisons[0].verdict, verdicts[i]);
		assert_true(isnan(play.result.comparisons[0].more_time));
		play_end(&play);
	}
}

static void a_gate_stops_when_it_is_broken_or_held(void **state)
{
	(void)state;
	for (int broken = 0; broken < 2; broken++) {
		struct play play;
		play_init(&play, 2);
		play.experiment.gate = 0.05;
		play.script.actors[1].time *= broken ? 1.2 : 1;
		play.script.actors[0].noise = play.script.actors[1].noise = 0.004;
		play_run(&play, &instrument_commands);
		assert_string_equal(play.result.stopped.reason, "verdict");
		assert_int_equal(play.result.comparisons[0].gate, broken ? GATE_BROKEN : GATE_HELD);
		play_end(&play);
	}
}

/* ---- rule_precision.c ---- */

static void more_noise_takes_more_runs(void **state)
{
	(void)state;
	size_t runs[2];
	for (size_t i = 0; i < 2; i++) {
		struct play play;
		play_init(&play, 1);
		play.script.actors[0].noise = i ? 0.05 : 0.01;
		play_run(&play, &instrument_commands);
		const struct measurement *wall = play_metric(&play, 0, "wall");
		assert_string_equal(play.result.stopped.reason, "precision");
		assert_true((wall->ci.high - wall->ci.low) / 2 <= 0.01 * wall->mean);
		runs[i] = wall->series.n;
		play_end(&play);
	}
	assert_int_equal(runs[0], 10); /* never fewer */
	assert_true(runs[1] > 50);
}

/* ---- rule_ranking.c ---- */

static void a_ranking_compares_neighbours(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 3);
	play.experiment.rank = true;
	play.script.actors[0].time = 0.03;
	play.script.actors[1].time = 0.02;
	play.script.actors[2].time = 0.025;
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	assert_int_equal(play.result.ranking_count, 3);
	assert_int_equal(play.result.ranking[0], 1);
	assert_int_equal(play.result.ranking[1], 2);
	assert_int_equal(play.result.ranking[2], 0);
	assert_int_equal(play.result.comparison_count, 2);
	assert_int_equal(play.result.comparisons[1].base, 2);
	assert_int_equal(play.result.comparisons[1].new_, 0);
	play_end(&play);
}

/* ---- rule_readings.c ---- */

static void readings_are_taken_until_they_are_precise(void **state)
{
	(void)state;
	struct performance_index pi = rate;
	for (int units = 0; units < 2; units++) {
		struct play play;
		pi.units = units;
		play_init(&play, 1);
		play.experiment.pis = &pi;
		play.experiment.pi_count = 1;
		play.experiment.preset = PRESET_QUICK;
		play.script.actors[0].reading = 100;
		play.script.actors[0].reading_noise = 0.05;
		play.script.actors[0].readings = units ? 40 : 0;
		play_run(&play, &instrument_commands);
		const struct measurement *m = play_metric(&play, 0, "rate");
		assert_string_equal(play.result.stopped.reason, "precision");
		assert_close(m->mean, 100, 0.03);
		if (units) { /* the first tenth of every round is warm-up */
			const struct measurement *all = play_metric(&play, 0, "rate.units");
			assert_true(all->phases[1].from >= 4 && all->phases[1].from <= 6);
		}
		play_end(&play);
	}
}

/* ---- rule_work.c ---- */

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

/* ---- rule_auto.c ---- */

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
	assert_close(play.last.target, 0.01, 1e-12);
	play_end(&play);
}

/* ---- rule_stable.c ---- */

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

/* ---- conclude.c ---- */

static void what_is_undecided_says_how_long_it_would_take(void **state)
{
	(void)state;
	for (int programs = 0; programs < 2; programs++) {
		struct play play;
		if (programs)
			play_init_programs(&play, 2, 1);
		else
			play_init(&play, 2);
		play.script.actors[1].time *= 1.03;
		play.script.actors[0].noise = play.script.actors[1].noise = 0.2;
		play.script.actors[0].run_noise = play.script.actors[1].run_noise = programs ? 0.1 : 0;
		play.experiment.max_time = 6 * SECONDS;
		play_run(&play, programs ? &instrument_programs : &instrument_commands);
		assert_string_equal(play.result.stopped.reason, "budget");
		assert_int_equal(play.result.comparisons[0].verdict, VERDICT_UNDECIDED);
		assert_true(play.result.comparisons[0].more_time > 0);
		play_end(&play);
	}
}

/* Commands and programs alike. */
static void uneven_interference_is_told(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.experiment.design = "duet";
	play.script.actors[1].crowd = 1.4;
	play_run(&play, &instrument_commands);
	assert_true(play_warned(&play, "interference"));
	assert_close(play.result.comparisons[0].interference_new, 1.4, 0.02);
	assert_close(play.result.comparisons[0].interference_base, 1, 0.02);
	play_end(&play);
	play_init_programs(&play, 2, 1);
	play.experiment.design = "duet";
	play.script.actors[1].crowd = 1.4;
	play_run(&play, &instrument_programs);
	assert_true(play_warned(&play, "interference"));
	assert_close(play.result.comparisons[0].interference_new, 1.4, 0.05);
	play_end(&play);
}

static void has_company(const struct play *play, double base, double new_)
{
	const struct comparison *c = &play->result.comparisons[0];
	assert_close(c->interference_base_ci.level, 0.95, 1e-9);
	assert_true(c->interference_base_ci.low < base && base < c->interference_base_ci.high);
	assert_true(c->interference_new_ci.low < new_ && new_ < c->interference_new_ci.high);
	/* They are about what was scripted, and not about everything. */
	assert_true(c->interference_new_ci.high - c->interference_new_ci.low < 0.1);
}

/* Each is measured alone next to its pairs, so that what drifts is in both. */
static void company_has_an_interval(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.experiment.design = "duet";
	play.script.actors[0].drift = play.script.actors[1].drift = 0.002;
	play.script.actors[1].crowd = 1.2;
	play.experiment.runs = 30;
	play.experiment.stop = STOP_FIXED;
	play_run(&play, &instrument_commands);
	has_company(&play, 1, 1.2);
	play_end(&play);
	play_init_programs(&play, 2, 1);
	play.experiment.design = "duet";
	play.script.actors[0].run_noise = play.script.actors[1].run_noise = 0.1;
	play.script.actors[1].crowd = 1.2;
	play_run(&play, &instrument_programs);
	has_company(&play, 1, 1.2);
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

static void wall_time_that_says_the_opposite_is_told(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.script.actors[1].time *= 1.03;
	play.script.actors[0].noise = play.script.actors[1].noise = 0.003;
	play.script.actors[0].shock = 1; /* it waits for a CPU for a tenth of its time */
	play_run(&play, &instrument_commands);
	assert_int_equal(play.result.comparisons[0].verdict, VERDICT_SLOWER);
	assert_int_equal(play.result.comparison_count, 1);
	assert_true(play_warned(&play, "wall-disagrees"));
	play_end(&play);
}

static void a_result_says_how_it_was_judged(void **state)
{
	(void)state;
	struct play play;
	play_init(&play, 2);
	play.experiment.confidence = 0.98;
	play_run(&play, &instrument_commands);
	assert_string_equal(play.result.stopped.rule, "auto");
	assert_string_equal(play.result.stopped.looks, "verdict");
	assert_string_equal(play.result.stopped.metric, "cpu");
	assert_close(play.result.stopped.alpha, 0.02, 1e-9);
	assert_int_equal(play.result.stopped.block, play.result.comparisons[0].block);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_difference_is_found_and_sameness_too),
		cmocka_unit_test(a_gate_stops_when_it_is_broken_or_held),
		cmocka_unit_test(more_noise_takes_more_runs),
		cmocka_unit_test(a_ranking_compares_neighbours),
		cmocka_unit_test(readings_are_taken_until_they_are_precise),
		cmocka_unit_test(a_line_is_found_and_a_curve_refused),
		cmocka_unit_test(warm_up_is_left_out_of_every_run),
		cmocka_unit_test(runs_end_when_they_are_stable),
		cmocka_unit_test(what_is_undecided_says_how_long_it_would_take),
		cmocka_unit_test(uneven_interference_is_told),
		cmocka_unit_test(company_has_an_interval),
		cmocka_unit_test(a_refilled_duet_keeps_the_shorter_one_busy),
		cmocka_unit_test(wall_time_that_says_the_opposite_is_told),
		cmocka_unit_test(a_result_says_how_it_was_judged),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
