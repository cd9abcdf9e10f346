/* What is said at the end. */
#include "session/scripted.h"

#define SECONDS INT64_C(1000000000)

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
	assert_close(play.result.comparisons[0].interference->new_, 1.4, 0.02);
	assert_close(play.result.comparisons[0].interference->base, 1, 0.02);
	play_end(&play);
	play_init_programs(&play, 2, 1);
	play.experiment.design = "duet";
	play.script.actors[1].crowd = 1.4;
	play_run(&play, &instrument_programs);
	assert_true(play_warned(&play, "interference"));
	assert_close(play.result.comparisons[0].interference->new_, 1.4, 0.05);
	play_end(&play);
}

static void has_company(const struct play *play, double base, double new_)
{
	const struct comparison *c = &play->result.comparisons[0];
	assert_close(c->interference->base_ci.level, 0.95, 1e-9);
	assert_true(c->interference->base_ci.low < base && base < c->interference->base_ci.high);
	assert_true(c->interference->new_ci.low < new_ && new_ < c->interference->new_ci.high);
	/* They are about what was scripted, and not about everything. */
	assert_true(c->interference->new_ci.high - c->interference->new_ci.low < 0.1);
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

static double pair_value(size_t question, size_t side, size_t round)
{
	return (side ? 1.1 : 1) * (1 + 0.02 * scripted_noise(round, side) + 0 * (double)question);
}

/* The comparison is the one that the rule stopped by: the same pairs, units and options. */
static void the_verdict_is_that_of_the_rule_and_nothing_is_judged_twice(void **state)
{
	(void)state;
	struct play play;
	struct scripted scripted = {.rule = &rule_verdict, .design = DESIGN_SHUFFLED, .budget = 500, .value = pair_value};
	play_init(&play, 2);
	play_scripted(&play, &scripted);
	const struct comparison *c = &play.result.comparisons[0];
	assert_string_equal(play.result.stopped.reason, "verdict");
	assert_int_equal(c->verdict, VERDICT_SLOWER);
	assert_int_equal(c->pairs, scripted.all_rounds);
	assert_close(play.last.most.estimate, c->ratio, 1e-12); /* what was last told on the way */
	assert_close(play.last.most.low, c->ci.low, 1e-12);
	assert_close(play.last.most.high, c->ci.high, 1e-12);
	play_end(&play);
}

static void a_fixed_count_is_looked_at_once(void **state)
{
	(void)state;
	struct play play;
	struct scripted scripted = {.rule = &rule_verdict, .design = DESIGN_SHUFFLED, .value = pair_value};
	play_init(&play, 2);
	play_fixed(&play, 30);
	play_scripted(&play, &scripted);
	assert_string_equal(play.result.stopped.looks, "once");
	assert_int_equal(play.result.stopped.checks, 0);
	assert_int_equal(play.result.comparisons[0].verdict, VERDICT_SLOWER);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_undecided_says_how_long_it_would_take),
		cmocka_unit_test(uneven_interference_is_told),
		cmocka_unit_test(company_has_an_interval),
		cmocka_unit_test(wall_time_that_says_the_opposite_is_told),
		cmocka_unit_test(a_result_says_how_it_was_judged),
		cmocka_unit_test(the_verdict_is_that_of_the_rule_and_nothing_is_judged_twice),
		cmocka_unit_test(a_fixed_count_is_looked_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
