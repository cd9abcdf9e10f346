/* A round of commands in each design. */
#include "session/play.h"

static const char *log_text(void)
{
	return buffer_text(script_log());
}

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_that_fails_is_lost_for_its_pair),
		cmocka_unit_test(designs_place_runs),
		cmocka_unit_test(a_duet_keeps_how_long_both_ran),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
