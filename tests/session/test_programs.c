/* Harness programs as an instrument: which benchmark is next. */
#include "session/play.h"

static void the_benchmark_that_is_known_leaves_its_time(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 1, 2);
	play.script.actors[1].run_noise = 0.3; /* never precise */
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	assert_string_equal(play.result.stopped.reason, "budget");
	size_t known = play_metric(&play, 0, "wall")->series.groups[0];
	assert_true(known >= 10 && play_metric(&play, 1, "wall")->series.groups[0] > 2 * known);
	assert_int_equal(play.last.asked, 2);
	assert_int_equal(play.last.done, 1);
	play_end(&play);
}

static void what_was_not_begun_when_the_user_stops_is_told(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 2, 3);
	play.stop_in = "measuring";
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	assert_string_equal(play.result.stopped.reason, "stopped");
	assert_string_equal(play_warning(&play, "left-out"), "stopped by q: 2 benchmarks were not measured");
	assert_true(play.missing);
	play_end(&play);
}

static void designs_that_cannot_be_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *design, *why;
		size_t sides, cpus;
	} known[] = {{"shared", "have iterations to take turns with", 2, 2},
	             {"duet", "it measures two programs at once", 3, 4},
	             {"duet", "it needs two CPUs", 2, 1}};
	for (size_t i = 0; i < 3; i++) {
		struct play play;
		play_init_programs(&play, known[i].sides, 1);
		play.script.cpus = known[i].cpus;
		play.experiment.design = known[i].design;
		play_run(&play, &instrument_programs);
		assert_int_equal(play.err.kind, ERROR_USAGE);
		assert_non_null(strstr(play.err.what, known[i].why));
		play_end(&play);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_benchmark_that_is_known_leaves_its_time),
		cmocka_unit_test(what_was_not_begun_when_the_user_stops_is_told),
		cmocka_unit_test(designs_that_cannot_be_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
