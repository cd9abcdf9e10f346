/* Precision as a rule. */
#include "session/scripted.h"

static void more_noise_takes_more_runs(void **state)
{
	(void)state;
	size_t runs[2];
	for (size_t i = 0; i < 2; i++) {
		struct play play;
		play_init(&play, 1);
		play.script.actors[0].noise = i ? 0.05 : 0.01;
		play_run(&play, &instrument_commands);
		const struct measurement *wall = play_metric(&play, 0, "wall");
		assert_string_equal(play.result.stopped.reason, "precision");
		assert_true((wall->ci.high - wall->ci.low) / 2 <= 0.01 * wall->mean);
		runs[i] = wall->series.n;
		play_end(&play);
	}
	assert_int_equal(runs[0], 10); /* never fewer */
	assert_true(runs[1] > 50);
}

/* Up and down by a twentieth: the standard deviation is known. */
static double up_and_down(size_t question, size_t side, size_t round)
{
	(void)question;
	(void)side;
	return round % 2 ? 1.05 : 0.95;
}

static void the_width_is_what_was_asked_for(void **state)
{
	(void)state;
	static const double wanted[] = {0.05, 0.02, 0.01};
	size_t before = 0;
	for (size_t i = 0; i < 3; i++) {
		struct play play;
		struct scripted scripted = {
			.rule = &rule_precision, .design = DESIGN_SOLO, .budget = 1000, .value = up_and_down};
		play_init(&play, 1);
		play.experiment.precision = wanted[i];
		play_scripted(&play, &scripted);
		const struct measurement *m = play_metric(&play, 0, "cpu");
		assert_string_equal(play.result.stopped.reason, "precision");
		/* Never before a plain interval is as narrow, and a look at every run costs something. */
		double n = (double)m->series.n, plain = 1.96 * 0.05 / sqrt(n);
		assert_true(plain <= wanted[i] * m->mean);
		assert_true((m->ci.high - m->ci.low) / 2 <= wanted[i] * m->mean);
		assert_true(m->series.n > before);
		assert_int_equal(play.result.stopped.checks, m->series.n);
		assert_close(play.last.most.target, wanted[i], 1e-12);
		before = m->series.n;
		play_end(&play);
	}
}

static void what_never_changes_takes_the_least_number(void **state)
{
	(void)state;
	for (size_t least = 0; least <= 25; least += 25) {
		struct play play;
		struct scripted scripted = {.rule = &rule_precision, .design = DESIGN_SOLO};
		play_init(&play, 1);
		play.experiment.min_runs = least;
		play_scripted(&play, &scripted);
		assert_int_equal(play_metric(&play, 0, "cpu")->series.n, least ? least : 10);
		play_end(&play);
	}
}

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
		cmocka_unit_test(more_noise_takes_more_runs),
		cmocka_unit_test(the_width_is_what_was_asked_for),
		cmocka_unit_test(what_never_changes_takes_the_least_number),
		cmocka_unit_test(an_index_must_be_precise_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
