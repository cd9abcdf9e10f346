/* Each benchmark of a suite of another framework is tried. */
#include "adapters/adapter.h"
#include "session/play.h"

static const struct adapter google = {
	.name = "google", .framework = "Google Benchmark", .repetitions = 5, .reports_cpu = true};

static void play_guests(struct play *play, size_t sides)
{
	play_init_programs(play, sides, 2);
	play->script.adapter = &google;
}

/* Half of its time or more on a CPU: CPU time is each one's own. */
static void what_decides_follows_from_the_trial(void **state)
{
	(void)state;
	for (int waits = 0; waits < 2; waits++) {
		struct play play;
		play_guests(&play, 2);
		for (size_t i = 0; i < 4; i++)
			play.script.actors[i].waits = waits ? 0.9 : 0;
		play_run(&play, &instrument_programs);
		assert_int_equal(play.status, 0);
		assert_string_equal(play.result.stopped.metric, waits ? "wall" : "cpu");
		play_end(&play);
	}
}

static void a_long_one_has_fewer_repetitions(void **state)
{
	(void)state;
	struct play play;
	play_guests(&play, 1);
	play_fixed(&play, 3);
	play.script.actors[1].time = 0.4; /* two of them fit into twice half a second */
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	const struct series *quick = &play_metric(&play, 0, "cpu")->series, *slow = &play_metric(&play, 1, "cpu")->series;
	assert_int_equal(quick->n / quick->groups[0], 5);
	assert_int_equal(slow->n / slow->groups[0], 2);
	play_end(&play);
}

static void what_fails_when_tried_is_lost_alone(void **state)
{
	(void)state;
	struct play play;
	play_guests(&play, 1);
	play_fault(&play, 0, FAULT_SIGNAL, 1, 1000);
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, -1);
	/* First together, then each by itself. */
	assert_non_null(strstr(buffer_text(script_log()), "guest A:hash\n"));
	bool measured = false;
	for (size_t i = 0; i < play.result.subject_count; i++) {
		const struct measurement *cpu = subject_find_metric(&play.result.subjects[i], "cpu");
		measured |= cpu && cpu->series.n > 0;
	}
	assert_true(measured);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_decides_follows_from_the_trial),
		cmocka_unit_test(a_long_one_has_fewer_repetitions),
		cmocka_unit_test(what_fails_when_tried_is_lost_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
