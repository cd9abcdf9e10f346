/* What an iteration gives, as values of metrics. */
#include "session/play.h"

static void numbers_of_the_program_are_metrics(void **state)
{
	(void)state;
	struct play play;
	play_init_programs(&play, 1, 1);
	play.script.actors[0].reading = 100;
	play_fixed(&play, 3);
	play_run(&play, &instrument_programs);
	assert_close(play_metric(&play, 0, "rate")->mean, 100, 1e-9);
	/* Ten items an invocation of 2 µs. */
	assert_close(play_metric(&play, 0, "items")->mean, 10 / play_metric(&play, 0, "wall")->mean, 0.01);
	assert_close(play_metric(&play, 0, "wall")->mean, 2e-6, 0.01);
	play_end(&play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_the_program_are_metrics),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
