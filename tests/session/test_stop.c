/* A session stops when the conclusion will be able to say what the stop rule saw: with values that are put into its
 * series, nothing is run. */
#include "base/memory.h"
#include "base/random.h"
#include "session/state.h"
#include "support/known.h"

#include <math.h>

enum { UNITS = 20, PAIRS = 20 };

static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};

/* 10 % apart, and now and then far above: medians see the one, means drown in the other. */
static double draw(struct random *random, double low, bool whole)
{
	if (random_below(random, 33) == 0)
		return low * 40;
	return low + (whole ? (double)random_below(random, 3) : 2 * random_uniform(random));
}

/* How a session of two sides, judged by a number of theirs, stands after so many units at most. With blocks each run is
 * a pair, as of commands; else a run has the pairs of a unit, as of programs. */
static enum session_end end_after(bool whole, size_t block)
{
	struct experiment experiment;
	struct error err = {0};
	struct result result;
	struct random random;
	size_t metric[2] = {0, 0}, order[2] = {0, 1};
	struct question question = {
		.name = block ? NULL : "b", .rule = &rule_verdict, .sides = 2, .has_subjects = true, .metric = metric};
	experiment_init(&experiment);
	experiment.gate = 0.02;
	result_init(&result);
	result.design.paired = true;
	static const struct instrument none;
	struct session session = {.experiment = &experiment,
	                          .instrument = &none,
	                          .result = &result,
	                          .sides = 2,
	                          .last = 2,
	                          .questions = &question,
	                          .count = 1,
	                          .design = DESIGN_SHUFFLED,
	                          .block = block};
	for (size_t s = 0; s < 2; s++) {
		struct subject *subject = result_add_subject(&result, "b");
		assert_non_null(subject);
		assert_non_null(result_add_metric(&result, subject, "lag", "ms", BETTER_LOWER, levels, 2));
	}
	assert_int_equal(session_seat_jury(&session, &err), 0);
	random_seed(&random, 7);
	while (question.end == SESSION_GO_ON && question.runs < UNITS * (block ? PAIRS : 1)) {
		for (unsigned i = 0; i < (block ? 1 : PAIRS); i++)
			for (size_t s = 0; s < 2; s++)
				assert_int_equal(series_append(&result.subjects[s].metrics[0].series, i > 0,
				                               draw(&random, s == 0 ? 50 : 55, whole), &err),
				                 0);
		assert_int_equal(session_add_order(&session, order, &err), 0);
		question.runs++;
		assert_int_equal(rule_verdict.feed(&session, &question, &err), 0);
		assert_int_equal(rule_verdict.look(&session, &question, &err), 0);
	}
	jury_release(&session.jury);
	mem_free(session.orders);
	result_release(&result);
	experiment_release(&experiment);
	return question.end;
}

static void commands_with_a_coarse_clock_go_on(void **state)
{
	(void)state;
	assert_int_equal(end_after(false, PAIRS), SESSION_DECIDED);
	assert_int_equal(end_after(true, PAIRS), SESSION_GO_ON);
}

static void benchmarks_with_a_coarse_clock_go_on(void **state)
{
	(void)state;
	assert_int_equal(end_after(false, 0), SESSION_DECIDED);
	assert_int_equal(end_after(true, 0), SESSION_GO_ON);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_with_a_coarse_clock_go_on),
		cmocka_unit_test(benchmarks_with_a_coarse_clock_go_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
