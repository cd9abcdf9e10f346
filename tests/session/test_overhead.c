/* What unit readings cost. */
#include "session/play.h"

/* A command of 30 unit readings, whose cost is asked for. */
static void begin(struct play *play)
{
	static struct performance_index pi = {.metric = {"rate", "MB/s", BETTER_HIGHER},
	                                      .units = true,
	                                      .precision = NAN,
	                                      .confidence = NAN,
	                                      .autocorrelation = NAN};
	play_init(play, 1);
	play->experiment.pis = &pi;
	play->experiment.pi_count = 1;
	play->experiment.overhead = true;
	play->script.actors[0].reading = 100;
	play->script.actors[0].readings = 30;
}

static void unit_readings_are_timed_with_and_without(void **state)
{
	(void)state;
	struct play play;
	begin(&play);
	play_fixed(&play, 5);
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	const struct overhead_result *overhead = play.result.subjects[0].overhead;
	assert_int_equal(overhead->pairs, 10);
	assert_true(overhead->ci.low < 1 && overhead->ci.high > 1); /* the script takes as long either way */
	play_end(&play);
}

static void it_ends_when_the_user_wants_no_more(void **state)
{
	(void)state;
	static const struct {
		const char *phase;
		size_t pairs;
	} known[] = {{"measuring", 0}, {"what readings cost", 1}};
	for (size_t i = 0; i < 2; i++) {
		struct play play;
		begin(&play);
		play.stop_in = known[i].phase;
		play_fixed(&play, 5);
		play_run(&play, &instrument_commands);
		assert_int_equal(play.status, 0);
		assert_int_equal(play.result.subjects[0].overhead->pairs, known[i].pairs);
		play_end(&play);
	}
}

static void without_time_it_is_said_that_nothing_was_measured(void **state)
{
	(void)state;
	struct play play;
	begin(&play);
	play.experiment.max_time = INT64_C(1000000000);
	play.script.actors[0].time = 0.4;
	play_run(&play, &instrument_commands);
	assert_int_equal(play.status, 0);
	assert_null(play.result.subjects[0].overhead);
	assert_true(play_warned(&play, "overhead"));
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unit_readings_are_timed_with_and_without),
		cmocka_unit_test(without_time_it_is_said_that_nothing_was_measured),
		cmocka_unit_test(it_ends_when_the_user_wants_no_more),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
