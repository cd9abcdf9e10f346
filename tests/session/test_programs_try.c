/* Every benchmark is tried. */
#include "session/play.h"

static void a_trial_is_the_run_of_what_never_had_another(void **state)
{
	(void)state;
	for (size_t sides = 1; sides <= 2; sides++) {
		struct play play;
		play_init_programs(&play, sides, 2);
		play.experiment.max_time = INT64_C(3000000000);
		for (size_t i = 0; i < 4; i++)
			play.script.actors[i] = (struct script_actor){.time = 5};
		play_run(&play, &instrument_programs);
		assert_int_equal(play.status, 0);
		assert_true(play.missing);
		assert_true(script_now() - 1000 < 5.2 * (double)sides);
		assert_int_equal(play.result.subject_count, sides);
		for (size_t s = 0; s < sides; s++)
			assert_int_equal(play_metric(&play, s, "wall")->series.n, 1);
		assert_string_equal(play.result.stopped.reason, "budget");
		assert_true(play_warned(&play, "left-out"));
		assert_non_null(strstr(buffer_text(&play.notes), "the time is over after its first invocation"));
		play_end(&play);
	}
}

static void both_sides_get_the_same_invocations(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 2, 1);
	play.script.actors[1].time = 8e-6; /* four times slower: it would need a quarter of them */
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	assert_true(play.result.subjects[0].loop->invocations == play.result.subjects[1].loop->invocations);
	assert_true(play.result.subjects[0].loop->invocations > 400); /* a millisecond of the faster */
	play_end(&play);
}

static void the_metric_follows_from_the_trial(void **state)
{
	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		static const char *const expected[] = {"cpu", "net", "wall", "wall"};
		struct play play;
		play_init_programs(&play, 2, 1);
		play.script.actors[0].waits = kind == 1 || kind == 3 ? 0.4 : 0;
		play.script.actors[0].threads = kind == 2;
		play.script.actors[0].untimed = play.script.actors[1].untimed = kind == 3;
		play_run(&play, &instrument_programs);
		assert_string_equal(play.result.comparisons[0].metric, expected[kind]);
		play_end(&play);
	}
}

/* Each by its own; what is asked of all comes after that. */
static void a_benchmark_may_have_a_metric_of_its_own(void **state)
{
	static const struct parameter deciding = {"hash", "wall"};
	static const char *metrics[] = {"net"};
	(void)state;
	for (size_t asked = 0; asked < 2; asked++) {
		struct play play;
		play_init_programs(&play, 2, 2);
		play.experiment.bench.deciding = &deciding;
		play.experiment.bench.deciding_count = 1;
		play.experiment.metrics = metrics;
		play.experiment.metric_count = asked;
		play_run(&play, &instrument_programs);
		assert_string_equal(play.result.comparisons[0].metric, asked ? "net" : "cpu");
		assert_string_equal(play.result.comparisons[1].metric, "wall");
		play_end(&play);
	}
}

/* Its first invocations take a millisecond, which is long enough; the later ones do not. */
static void a_delay_known_of_one_invocation_only_does_not_decide(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 2, 1);
	for (size_t s = 0; s < 2; s++) {
		struct script_actor *actor = &play.script.actors[s];
		*actor = (struct script_actor){.time = 4e-4, .waits = 0.4, .warm = 2, .warm_times = 3, .untimed = true};
	}
	play_run(&play, &instrument_programs);
	assert_int_equal(play.status, 0);
	assert_true(play.result.subjects[0].loop->invocations > 1);
	assert_string_equal(play.result.comparisons[0].metric, "wall");
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_trial_is_the_run_of_what_never_had_another),
		cmocka_unit_test(both_sides_get_the_same_invocations),
		cmocka_unit_test(the_metric_follows_from_the_trial),
		cmocka_unit_test(a_benchmark_may_have_a_metric_of_its_own),
		cmocka_unit_test(a_delay_known_of_one_invocation_only_does_not_decide),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
