/* The order of several as a rule. */
#include "session/scripted.h"

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

static double ranked_value(size_t question, size_t side, size_t round)
{
	static const double levels[] = {3, 1, 2};
	return levels[side] * (1 + 0.01 * scripted_noise(round, side) + 0 * (double)question);
}

static void rank(struct play *play, const char *unit)
{
	struct scripted scripted = {
		.rule = &rule_ranking, .design = DESIGN_SHUFFLED, .budget = 500, .unit = unit, .value = ranked_value};
	play_init(play, 3);
	play->experiment.rank = true;
	play_scripted(play, &scripted);
	assert_int_equal(play->status, 0);
	assert_string_equal(play->result.stopped.reason, "verdict");
}

static void best_is_least_or_most(void **state)
{
	(void)state;
	struct play play;
	static const size_t least[] = {1, 2, 0}, most[] = {0, 2, 1};
	rank(&play, NULL);
	assert_memory_equal(play.result.ranking, least, sizeof(least));
	assert_int_equal(play.result.comparisons[0].verdict, VERDICT_SLOWER);
	assert_close(play.result.comparisons[0].ratio, 2, 0.05);
	play_end(&play);
	rank(&play, "MB/s");
	assert_memory_equal(play.result.ranking, most, sizeof(most));
	play_end(&play);
}

static void every_pair_has_one_judge(void **state)
{
	(void)state;
	struct experiment experiment = {.subject_count = 5};
	struct session session = {.experiment = &experiment, .sides = 5};
	bool seen[5][5] = {{false}};
	experiment.rank = true;
	assert_int_equal(session_pair_sides(&session, NULL), 0);
	assert_int_equal(session.pair_count, 10);
	for (size_t judge = 0; judge < 10; judge++) {
		size_t base = session.pairs[judge].base, new_ = session.pairs[judge].new_;
		assert_true(base < new_ && new_ < 5 && !seen[base][new_]);
		seen[base][new_] = true;
	}
	arena_release(&session.arena);
}

static void a_result_of_another_day_takes_part(void **state)
{
	(void)state;
	struct play before, play;
	struct scripted scripted = {.rule = &rule_precision, .design = DESIGN_SOLO, .value = ranked_value};
	play_init(&before, 1);
	play_fixed(&before, 20);
	play_scripted(&before, &scripted);
	struct scripted now = {.rule = &rule_ranking, .design = DESIGN_SHUFFLED, .budget = 500, .value = ranked_value};
	play_init(&play, 2);
	play.experiment.rank = true;
	play.experiment.rivals = &before.result;
	play_scripted(&play, &now);
	assert_int_equal(play.status, 0);
	assert_int_equal(play.result.ranking_count, 3);
	assert_int_equal(play.result.ranking[0], 1);
	assert_string_equal(play.result.subjects[2].name, "a (earlier)");
	play_end(&play);
	play_end(&before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ranking_compares_neighbours),
		cmocka_unit_test(best_is_least_or_most),
		cmocka_unit_test(every_pair_has_one_judge),
		cmocka_unit_test(a_result_of_another_day_takes_part),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
