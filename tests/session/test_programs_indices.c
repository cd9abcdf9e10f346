/* Numbers of the program that must be precise too. */
#include "session/play.h"

static void an_index_must_be_precise_too(void **state)
{
	(void)state;
	size_t runs[2];
	for (size_t i = 0; i < 2; i++) {
		struct performance_index pi = {
			.metric = {"rate", "MB/s", BETTER_HIGHER}, .precision = 0.01, .confidence = NAN, .autocorrelation = NAN};
		struct play play;
		play_init_programs(&play, 1, 1);
		play.script.actors[0].reading = 100;
		play.script.actors[0].reading_noise = 0.3;
		play.experiment.pis = &pi;
		play.experiment.pi_count = i;
		play_run(&play, &instrument_programs);
		runs[i] = play_metric(&play, 0, "wall")->series.groups[0];
		play_end(&play);
	}
	assert_true(runs[1] > runs[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_index_must_be_precise_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
