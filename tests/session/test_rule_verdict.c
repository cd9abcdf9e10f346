/* The verdict as a rule. */
#include "base/memory.h"
#include "session/scripted.h"

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

/* Twice the time is told, and told well, sooner than ten runs of each and three seconds of each are over. */
static void twice_the_time_is_told_at_once(void **state)
{
	(void)state;
	static const double times[] = {0.045, 0.45}, within[] = {6, 13.5};
	static const char *const designs[] = {"turns", "auto"};
	for (size_t i = 0; i < 4; i++) {
		struct play play;
		play_init(&play, 2);
		play.experiment.design = designs[i / 2];
		play.script.actors[0].time = times[i % 2];
		play.script.actors[1].time = 2 * times[i % 2];
		play.script.actors[0].noise = play.script.actors[1].noise = 0.02;
		play_run(&play, &instrument_commands);
		const struct comparison *c = &play.result.comparisons[0];
		assert_string_equal(play.result.stopped.reason, "verdict");
		assert_int_equal(c->verdict, VERDICT_SLOWER);
		assert_true(play.result.elapsed < within[i % 2]);
		assert_true(comparison_total(c)->ci.low < 2 && 2 < comparison_total(c)->ci.high &&
		            comparison_total(c)->ci.high - comparison_total(c)->ci.low < 0.6);
		assert_true(fabs(comparison_total(c)->ratio - 2) < 0.2);
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

enum { UNITS = 20, PAIRS = 20 };

static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};

/* 10 % apart, and now and then far above: medians see the one, means drown in the other. */
static double draw(struct random *random, double low, bool whole)
{
	if (random_below(random, 33) == 0)
		return low * 40;
	return low + (whole ? (double)random_below(random, 3) : 2 * random_uniform(random));
}

/* How a session of two sides, judged by a number of theirs, stands after so many units at most. With blocks each run is
 * a pair, as of commands; else a run has the pairs of a unit, as of programs. */
static enum session_end end_after(bool whole, size_t block)
{
	struct experiment experiment;
	struct error err = {0};
	struct result result;
	struct random random;
	size_t metric[2] = {0, 0}, order[2] = {0, 1};
	struct question question = {
		.name = block ? NULL : "b", .rule = &rule_verdict, .sides = 2, .has_subjects = true, .metric = metric};
	experiment_init(&experiment);
	experiment.gate = 0.02;
	result_init(&result);
	result.design.paired = true;
	static const struct instrument none;
	struct session session = {.experiment = &experiment,
	                          .instrument = &none,
	                          .result = &result,
	                          .sides = 2,
	                          .last = 2,
	                          .questions = &question,
	                          .count = 1,
	                          .design = DESIGN_SHUFFLED,
	                          .block = block};
	for (size_t s = 0; s < 2; s++) {
		struct subject *subject = result_add_subject(&result, "b");
		assert_non_null(subject);
		assert_non_null(result_add_metric(&result, subject, "lag", "ms", BETTER_LOWER, levels, 2));
	}
	assert_int_equal(session_pair_sides(&session, &err), 0);
	assert_int_equal(session_seat_jury(&session, &err), 0);
	random_seed(&random, 7);
	while (question.end == SESSION_GO_ON && question.runs < UNITS * (block ? PAIRS : 1)) {
		for (unsigned i = 0; i < (block ? 1 : PAIRS); i++)
			for (size_t s = 0; s < 2; s++)
				assert_int_equal(series_append(&result.subjects[s].metrics[0].series, i > 0,
				                               draw(&random, s == 0 ? 50 : 55, whole), &err),
				                 0);
		assert_int_equal(session_add_order(&session, order, &err), 0);
		question.runs++;
		assert_int_equal(rule_verdict.feed(&session, &question, &err), 0);
		assert_int_equal(rule_verdict.look(&session, &question, &err), 0);
	}
	jury_release(&session.jury);
	arena_release(&session.arena);
	mem_free(session.orders);
	result_release(&result);
	experiment_release(&experiment);
	return question.end;
}

static void commands_with_a_coarse_clock_go_on(void **state)
{
	(void)state;
	assert_int_equal(end_after(false, PAIRS), SESSION_DECIDED);
	assert_int_equal(end_after(true, PAIRS), SESSION_GO_ON);
}

static void benchmarks_with_a_coarse_clock_go_on(void **state)
{
	(void)state;
	assert_int_equal(end_after(false, 0), SESSION_DECIDED);
	assert_int_equal(end_after(true, 0), SESSION_GO_ON);
}

static double more, noise; /* relative: the second side is so much slower, and each value is so far off */

static double side_value(size_t question, size_t side, size_t round)
{
	double level = 1 + (side == 1 ? more : 0);
	return level * (1 + noise * scripted_noise(round + 7 * question, side));
}

static void a_question_that_is_decided_leaves_the_others(void **state)
{
	(void)state;
	struct play play;
	struct scripted scripted = {
		.questions = 2, .rule = &rule_verdict, .design = DESIGN_SHUFFLED, .budget = 200, .value = side_value};
	play_init(&play, 2);
	more = 0.3;
	noise = 0.01;
	play_scripted(&play, &scripted);
	assert_string_equal(play.result.stopped.reason, "verdict");
	assert_int_equal(play.result.comparison_count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct comparison *c = &play.result.comparisons[i];
		assert_int_equal(c->verdict, VERDICT_SLOWER);
		assert_true(c->ci.low < 1.3 && 1.3 < c->ci.high);
		assert_int_equal(c->base, 2 * i);
		assert_int_equal(c->new_, 2 * i + 1);
	}
	play_end(&play);
}

static void more_is_better_where_the_metric_says_so(void **state)
{
	(void)state;
	struct play play;
	struct scripted scripted = {
		.rule = &rule_verdict, .design = DESIGN_SHUFFLED, .budget = 200, .unit = "MB/s", .value = side_value};
	play_init(&play, 2);
	more = 0.3;
	noise = 0.01;
	play_scripted(&play, &scripted);
	assert_int_equal(play.result.comparisons[0].verdict, VERDICT_FASTER);
	play_end(&play);
}

static void the_reference_is_the_base(void **state)
{
	(void)state;
	struct play play;
	struct scripted scripted = {.rule = &rule_verdict, .design = DESIGN_SHUFFLED, .budget = 200, .value = side_value};
	play_init(&play, 2);
	play.experiment.reference = 1;
	more = 0.3;
	noise = 0.01;
	play_scripted(&play, &scripted);
	assert_int_equal(play.result.comparisons[0].base, 1);
	assert_int_equal(play.result.comparisons[0].verdict, VERDICT_FASTER);
	assert_string_equal(play.last.most.subject, "a");
	play_end(&play);
}

static void what_is_too_small_to_tell_takes_all_of_the_time(void **state)
{
	(void)state;
	struct play play;
	struct scripted scripted = {.rule = &rule_verdict, .design = DESIGN_SHUFFLED, .budget = 30, .value = side_value};
	play_init(&play, 2);
	more = 0.01;
	noise = 0.1;
	play_scripted(&play, &scripted);
	assert_string_equal(play.result.stopped.reason, "budget");
	assert_int_equal(scripted.all_rounds, 30);
	assert_int_equal(play.result.comparisons[0].verdict, VERDICT_UNDECIDED);
	assert_true(play.result.comparisons[0].more_time > 0);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_difference_is_found_and_sameness_too),
		cmocka_unit_test(twice_the_time_is_told_at_once),
		cmocka_unit_test(a_gate_stops_when_it_is_broken_or_held),
		cmocka_unit_test(commands_with_a_coarse_clock_go_on),
		cmocka_unit_test(benchmarks_with_a_coarse_clock_go_on),
		cmocka_unit_test(a_question_that_is_decided_leaves_the_others),
		cmocka_unit_test(more_is_better_where_the_metric_says_so),
		cmocka_unit_test(the_reference_is_the_base),
		cmocka_unit_test(what_is_too_small_to_tell_takes_all_of_the_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
