/* Performance indices as a rule. */
#include "session/play.h"

static const struct performance_index rate = {
	.metric = {"rate", "MB/s", BETTER_HIGHER}, .precision = NAN, .confidence = NAN, .autocorrelation = NAN};

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

static void noise_takes_more_rounds_and_the_time_ends_it(void **state)
{
	(void)state;
	size_t rounds[2];
	for (size_t i = 0; i < 2; i++) {
		struct performance_index pi = rate;
		struct play play;
		play_init(&play, 1);
		play.experiment.pis = &pi;
		play.experiment.pi_count = 1;
		play.experiment.preset = PRESET_QUICK;
		play.experiment.max_time = INT64_C(20000000000);
		play.script.actors[0].reading = 100;
		play.script.actors[0].reading_noise = i ? 5 : 0.05;
		play_run(&play, &instrument_commands);
		assert_int_equal(play.status, 0);
		rounds[i] = play_metric(&play, 0, "rate")->series.n;
		assert_string_equal(play.result.stopped.reason, i ? "budget" : "precision");
		play_end(&play);
	}
	assert_true(rounds[1] > 3 * rounds[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readings_are_taken_until_they_are_precise),
		cmocka_unit_test(noise_takes_more_rounds_and_the_time_ends_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
