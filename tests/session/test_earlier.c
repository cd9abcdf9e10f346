/* Going on with a result. */
#include "session/scripted.h"

static void what_was_broken_off_goes_on(void **state)
{
	(void)state;
	struct play first, second;
	play_init(&first, 2);
	first.script.actors[0].noise = first.script.actors[1].noise = 0.05;
	first.script.cancel_after = 200;
	play_run(&first, &instrument_commands);
	assert_int_equal(first.err.kind, ERROR_INTERRUPTED);
	size_t kept = play_metric(&first, 0, "cpu")->series.n;
	play_init(&second, 2);
	second.script = first.script;
	second.script.cancel_after = 0;
	second.script.actors[1].time = 0.022;
	second.experiment.earlier = &first.result;
	play_run(&second, &instrument_commands);
	assert_int_equal(second.status, 0);
	const struct series *all = &play_metric(&second, 1, "cpu")->series, *old = &play_metric(&first, 1, "cpu")->series;
	assert_true(all->n > kept);
	for (size_t i = 0; i < kept; i++)
		assert_true(all->values[i] == old->values[i]);
	assert_int_equal(second.result.design.order_count, all->n);
	assert_string_equal(second.result.stopped.looks, "verdict");
	play_end(&second);
	play_end(&first);
}

static void a_count_that_is_full_measures_nothing(void **state)
{
	(void)state;
	struct play first, second;
	play_init(&first, 2);
	play_fixed(&first, 6);
	play_run(&first, &instrument_commands);
	play_init(&second, 2);
	play_fixed(&second, 6);
	second.experiment.earlier = &first.result;
	play_run(&second, &instrument_commands);
	assert_string_equal(second.result.stopped.reason, "count");
	assert_int_equal(play_metric(&second, 0, "cpu")->series.n, 6);
	assert_string_equal(second.result.stopped.looks, "verdict"); /* it was looked at before this went on */
	play_end(&second);
	play_end(&first);
}

static double some_value(size_t question, size_t side, size_t round)
{
	return 1 + 0.05 * scripted_noise(round, side) + 0 * (double)question;
}

/* A result of six pairs, which a second session is to go on with. */
static void measure_first(struct play *first)
{
	struct scripted scripted = {.rule = &rule_verdict, .design = DESIGN_SHUFFLED, .value = some_value};
	play_init(first, 2);
	play_fixed(first, 6);
	play_scripted(first, &scripted);
	assert_int_equal(first->status, 0);
}

static void go_on(struct play *second, struct play *first, size_t sides, enum design_kind design)
{
	struct scripted scripted = {.rule = &rule_verdict, .design = design, .value = some_value};
	play_init(second, sides);
	play_fixed(second, 10);
	second->experiment.earlier = &first->result;
	play_scripted(second, &scripted);
}

static void the_rounds_before_come_first(void **state)
{
	(void)state;
	struct play first, second;
	measure_first(&first);
	go_on(&second, &first, 2, DESIGN_SHUFFLED);
	assert_int_equal(second.status, 0);
	const struct series *all = &play_metric(&second, 1, "cpu")->series;
	assert_int_equal(all->n, 10);
	assert_memory_equal(all->values, play_metric(&first, 1, "cpu")->series.values, 6 * sizeof(double));
	assert_int_equal(second.saved, 5); /* what was there, and four more */
	play_end(&second);
	play_end(&first);
}

static void check_refused(struct play *first, size_t sides, enum design_kind design, const char *why)
{
	struct play second;
	go_on(&second, first, sides, design);
	assert_int_equal(second.status, -1);
	assert_int_equal(second.err.kind, ERROR_USAGE);
	assert_non_null(strstr(second.err.what, why));
	assert_int_equal(second.saved, 0);
	play_end(&second);
}

static void another_experiment_is_refused(void **state)
{
	(void)state;
	struct play first;
	measure_first(&first);
	check_refused(&first, 3, DESIGN_SHUFFLED, "another number of commands");
	check_refused(&first, 2, DESIGN_TURNS, "another design");
	const char *name = first.result.subjects[1].name;
	first.result.subjects[1].name = "other";
	check_refused(&first, 2, DESIGN_SHUFFLED, "other commands");
	first.result.subjects[1].name = name;
	const char *metric = first.result.subjects[0].metrics[0].metric.name;
	first.result.subjects[0].metrics[0].metric.name = "other";
	check_refused(&first, 2, DESIGN_SHUFFLED, "not the metric that decides");
	first.result.subjects[0].metrics[0].metric.name = metric;
	first.result.design.order_count = 5;
	check_refused(&first, 2, DESIGN_SHUFFLED, "no order of its pairs");
	play_end(&first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_broken_off_goes_on),
		cmocka_unit_test(a_count_that_is_full_measures_nothing),
		cmocka_unit_test(the_rounds_before_come_first),
		cmocka_unit_test(another_experiment_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
