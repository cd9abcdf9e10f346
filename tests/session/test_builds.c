/* Builds as an instrument. */
#include "session/builds.h"
#include "session/play.h"

#define SECONDS INT64_C(1000000000)

static struct buffer printed;

static void take_log(const struct buffer *text)
{
	buffer_text_add(&printed, buffer_text(text));
}

static void run_builds(struct play *play, size_t count, struct builds *builds)
{
	static char nobody; /* a spawner that is never asked */
	struct session_observer observer = play_observer(play);
	*builds = (struct builds){
		.wanted = true, .count = count ? count : BUILDS_USUAL, .given = count > 0, .print = take_log};
	for (size_t i = 0; i < 2; i++)
		play->subjects[i].directory = "/";
	play->subjects[0].build = "make";
	play->subjects[1].build = "make new";
	script_begin(&play->script);
	play->status = session_run_builds(builds, &instrument_commands, &play->experiment,
	                                  (struct spawner *)(void *)&nobody, -1, &observer, false, &play->result,
	                                  &play->missing, &play->err);
}

static void every_build_has_its_seed_and_its_runs(void **state)
{
	(void)state;
	struct play play;
	struct builds builds;
	play_init(&play, 2);
	play.experiment.runs = 3;
	run_builds(&play, 4, &builds);
	assert_int_equal(play.status, 0);
	assert_string_equal(play.result.stopped.reason, "count");
	assert_string_equal(play.result.stopped.looks, "once");
	const struct subject *first = &play.result.subjects[0];
	assert_int_equal(first->build_count, 4);
	assert_int_equal(play_metric(&play, 0, "cpu")->series.groups[0], 4);
	assert_int_equal(play_metric(&play, 0, "cpu")->series.n, 12);
	for (size_t i = 1; i < 4; i++)
		assert_true(first->builds[i].seed != first->builds[0].seed);
	assert_int_equal(play.saved, 12); /* after every run of every build */
	builds_release(&builds);
	play_end(&play);
}

static void builds_go_on_until_they_are_precise(void **state)
{
	(void)state;
	struct play play;
	struct builds builds;
	play_init(&play, 2);
	play.experiment.stop = STOP_PRECISION;
	run_builds(&play, 0, &builds);
	assert_string_equal(play.result.stopped.reason, "precision");
	assert_true(play.result.subjects[0].build_count >= 10);
	assert_int_equal(play.result.stopped.checks, play.result.subjects[0].build_count);
	builds_release(&builds);
	play_end(&play);
}

static void as_many_as_fit_into_the_time(void **state)
{
	(void)state;
	struct play play;
	struct builds builds;
	play_init(&play, 2);
	play.experiment.max_time = 20 * SECONDS;
	run_builds(&play, 40, &builds);
	assert_string_equal(play.result.stopped.reason, "budget");
	assert_non_null(strstr(buffer_text(&play.notes), "4 of 40 builds fit into 20 s"));
	builds_release(&builds);
	play_end(&play);
}

static void a_build_that_fails_is_told_with_its_log(void **state)
{
	(void)state;
	struct play play;
	struct builds builds;
	play_init(&play, 2);
	play.script.build_fails = 5; /* the first tree of the third build */
	run_builds(&play, 6, &builds);
	assert_int_equal(play.err.kind, ERROR_SUBJECT);
	assert_non_null(strstr(play.err.what, "build 3 of 6 failed"));
	assert_string_equal(buffer_text(&printed), "undefined reference\n");
	assert_int_equal(play.result.subjects[0].build_count, 2); /* what there is is concluded */
	buffer_release(&printed);
	builds_release(&builds);
	play_end(&play);
}

static void builds_are_part_of_a_time_that_was_given(void **state)
{
	(void)state;
	struct play play;
	struct builds builds;
	play_init(&play, 1);
	play.experiment.runs = 100;
	play.experiment.max_time = 10 * SECONDS;
	play.experiment.max_time_given = true;
	play.script.actors[0].time = 0.5;
	run_builds(&play, 4, &builds);
	assert_int_equal(play.status, 0);
	assert_true(script_now() - 1000 < 10.6);
	assert_int_equal(play.result.subjects[0].build_count, 2);
	assert_string_equal(play.result.stopped.reason, "budget");
	assert_non_null(strstr(buffer_text(&play.notes), "2 of 4 builds fit into 10 s"));
	builds_release(&builds);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_build_has_its_seed_and_its_runs),
		cmocka_unit_test(builds_go_on_until_they_are_precise),
		cmocka_unit_test(as_many_as_fit_into_the_time),
		cmocka_unit_test(a_build_that_fails_is_told_with_its_log),
		cmocka_unit_test(builds_are_part_of_a_time_that_was_given),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
