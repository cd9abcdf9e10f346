/* A session stops when the conclusion will be able to say what the stop rule saw: with values that are put into its
 * series, nothing is run. */
#include "base/memory.h"
#include "base/random.h"
#include "session/bench_state.h"
#include "session/state.h"
#include "support/known.h"
#include "support/spawner.h"

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

static void open_jury(struct jury *jury, size_t block)
{
	struct judge_options options = {.verdict = verdict_defaults(0.01), .block = block};
	struct error err = {0};
	options.verdict.least_units = verdict_first_look(0.01, 1);
	if (jury_init(jury, 1, &options, &err) != 0)
		fail_msg("%s", err.what);
	jury->gate = 0.02;
	jury->better[0] = BETTER_LOWER;
}

/* How the session of two commands, judged by a number of theirs, stands after so many units at most. */
static enum session_end end_of_commands(bool whole)
{
	struct experiment_subject subjects[] = {{.name = "a", .command = "true"}, {.name = "b", .command = "true"}};
	struct performance_index pi = {.metric = {"lag", "ms", BETTER_LOWER}, .source = PI_COLUMN, .pattern = "1"};
	struct experiment experiment;
	struct error err = {0};
	struct result result;
	struct random random;
	experiment_init(&experiment);
	experiment.subjects = subjects;
	experiment.subject_count = 2;
	experiment.pis = &pi;
	experiment.pi_count = 1;
	experiment.gate = 0.02;
	result_init(&result);
	struct session session = {.experiment = &experiment,
	                          .result = &result,
	                          .design = DESIGN_SHUFFLED,
	                          .block = PAIRS,
	                          .deciding = SOURCE_BUILT_IN,
	                          .budget = INFINITY,
	                          .source = source_new(&experiment, spawner, -1, &err)};
	if (!session.source || session_open(&session, &err) != 0)
		fail_msg("%s", err.what);
	open_jury(&session.jury, PAIRS);
	random_seed(&random, 7);
	enum session_end end = SESSION_GO_ON;
	while (end == SESSION_GO_ON && session.rounds < (size_t)UNITS * PAIRS) {
		double base = draw(&random, 50, whole), new_ = draw(&random, 55, whole);
		assert_int_equal(series_append(&result.subjects[0].metrics[session.deciding].series, 0, base, &err), 0);
		assert_int_equal(series_append(&result.subjects[1].metrics[session.deciding].series, 0, new_, &err), 0);
		assert_int_equal(judge_add(&session.jury.judges[0], base, new_, 0, &err), 0);
		session.rounds++;
		end = session_look(&session);
	}
	session_close(&session);
	result_release(&result);
	experiment_release(&experiment);
	return end;
}

static void commands_with_a_coarse_clock_go_on(void **state)
{
	(void)state;
	assert_int_equal(end_of_commands(false), SESSION_DECIDED);
	assert_int_equal(end_of_commands(true), SESSION_GO_ON);
}

/* The same for a benchmark inside two programs, whose runs are the units. */
static enum bench_stage stage_of_benchmark(bool whole)
{
	struct experiment experiment;
	struct error err = {0};
	struct result result;
	struct random random;
	struct bench_columns columns[2] = {{.metric = {0}}, {.metric = {0}}};
	struct benchmark benchmark = {
		.name = "b", .has_subjects = true, .columns = columns, .deciding = COLUMN_OWN, .stage = BENCH_OPEN};
	experiment_init(&experiment);
	experiment.gate = 0.02;
	result_init(&result);
	struct bench_session session = {.experiment = &experiment,
	                                .result = &result,
	                                .sides = 2,
	                                .last = 2,
	                                .benchmarks = &benchmark,
	                                .count = 1,
	                                .design = DESIGN_SHUFFLED,
	                                .comparisons = 1};
	assert_int_equal(schedule_init(&session.schedule, 2, 7, &err), 0);
	assert_non_null(result_add_subject(&result, "b"));
	assert_non_null(result_add_subject(&result, "b"));
	for (size_t s = 0; s < 2; s++)
		assert_non_null(result_add_metric(&result, &result.subjects[s], "lag", "ms", BETTER_LOWER, levels, 2));
	open_jury(&session.jury, 0);
	random_seed(&random, 7);
	while (benchmark.stage == BENCH_OPEN && benchmark.runs < UNITS) {
		for (unsigned i = 0; i < PAIRS; i++)
			for (size_t s = 0; s < 2; s++)
				assert_int_equal(series_append(&result.subjects[s].metrics[0].series, i > 0,
				                               draw(&random, s == 0 ? 50 : 55, whole), &err),
				                 0);
		benchmark.runs++;
		assert_int_equal(bench_take_run(&session, &benchmark, &err), 0);
	}
	jury_release(&session.jury);
	schedule_release(&session.schedule);
	mem_free(session.orders);
	result_release(&result);
	experiment_release(&experiment);
	return benchmark.stage;
}

static void benchmarks_with_a_coarse_clock_go_on(void **state)
{
	(void)state;
	assert_int_equal(stage_of_benchmark(false), BENCH_DECIDED);
	assert_int_equal(stage_of_benchmark(true), BENCH_OPEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_with_a_coarse_clock_go_on),
		cmocka_unit_test(benchmarks_with_a_coarse_clock_go_on),
	};
	return cmocka_run_group_tests(tests, open_spawner, close_spawner);
}
