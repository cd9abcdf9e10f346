#include "analysis/replay.h"

#include "base/memory.h"
#include "base/random.h"
#include "stats/critical.h"
#include "stats/fieller.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

enum { RUNS = 6, ITERATIONS = 100, VALUES = 12 };

/* Runs > iterations > invocations; level 1 after a warm-up of half as much more. */
static void fill(struct series *series, size_t runs, size_t iterations, size_t values, double run_sd)
{
	static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION, LEVEL_INVOCATION};
	struct random random;
	struct error err;
	random_seed(&random, 7);
	series_init(series, levels, values ? 3 : 2);
	for (size_t r = 0; r < runs; r++) {
		double level = 1 + run_sd * random_normal(&random);
		for (size_t i = 0; i < iterations; i++) {
			for (size_t j = 0; j < (values ? values : 1); j++) {
				double x = level * (1 + 0.5 * exp(-(double)i / 3)) * (1 + 0.01 * random_normal(&random));
				unsigned open = j > 0 ? 2 : i > 0 ? 1 : 0;
				assert_int_equal(series_append(series, open, x, &err), 0);
			}
		}
	}
}

static struct replay_outcome replay(const struct series *series, const char *name, const struct replay_options *options)
{
	struct replay_data data;
	struct replay_rule rule;
	struct replay_outcome outcome;
	struct error err;
	assert_int_equal(replay_data_init(&data, series, REPLAY_LEAST_ITERATIONS, &err), 0);
	assert_int_equal(replay_rule_parse(&rule, options, name, &err), 0);
	assert_int_equal(replay_benchmark(&data.view, &rule, options, &outcome, &err), 0);
	replay_data_release(&data);
	return outcome;
}

static double mean_between(const struct series *s, size_t per_run, size_t r, size_t first, size_t end, size_t values)
{
	double sum = 0;
	for (size_t i = (r * per_run + first) * values; i < (r * per_run + end) * values; i++)
		sum += s->values[i];
	return sum / (double)((end - first) * values);
}

/* Fixed caps make the rule's choices known: everything else follows by hand. */
static void test_bookkeeping(void **state)
{
	(void)state;
	struct series series;
	struct replay_options options;
	fill(&series, RUNS, ITERATIONS, VALUES, 0.02);
	replay_options_init(&options);
	options.start_cost = 3;
	options.bootstrap = true;
	options.stable.max_warmup = 8; /* before RCIW can hold */
	options.stable.max_runs = 4;
	options.stable.threshold[CRITERION_RCIW] = 1e-6;
	struct replay_outcome o = replay(&series, "rciw", &options);
	double means[4], full[RUNS], mean = 0, all = 0, ratio;
	for (size_t r = 0; r < RUNS; r++) {
		full[r] = mean_between(&series, ITERATIONS, r, 50, 100, VALUES);
		all += full[r] / RUNS;
	}
	for (size_t r = 0; r < 4; r++) {
		means[r] = mean_between(&series, ITERATIONS, r, 8, 18, VALUES);
		mean += means[r] / 4;
	}
	assert_int_equal(o.runs, 4);
	assert_int_equal(o.warm_runs, 0);
	assert_false(o.stable);
	assert_close(o.warmup, 8, 1e-12);
	assert_close(o.cost, 4 * (18 + 3), 1e-12);
	assert_close(o.full_cost, RUNS * (ITERATIONS + 3), 1e-12);
	assert_close(o.mean, mean, 1e-12);
	assert_close(o.full_mean, all, 1e-12);
	assert_close(o.change, fabs(mean / all - 1), 1e-12);
	struct interval interval;
	assert_int_equal(fieller_unpaired(full, RUNS, means, 4, critical_t(0.01, 3), &ratio, &interval), STATS_OK);
	assert_true(o.compared);
	assert_int_equal(o.equal, interval.low <= 1 && interval.high >= 1);
	assert_close(o.half_width, (interval.high - interval.low) / (2 * ratio), 1e-9);
	/* Whole runs before the others. */
	options.stable.warmup_runs = 2;
	o = replay(&series, "rciw", &options);
	assert_int_equal(o.runs, 4);
	assert_close(o.cost, 2 * (100 + 3) + 4 * (18 + 3), 1e-12);
	series_release(&series);
}

/* Stopped against full runs, by t and by the paper's bootstrap over all levels. */
static void test_a_against_a(void **state)
{
	(void)state;
	for (int slower = 0; slower < 2; slower++) {
		struct series series;
		struct replay_options options;
		fill(&series, RUNS, ITERATIONS, VALUES, 0.02);
		/* All that the rule keeps, and nothing of the later half. */
		for (size_t i = 0; i < series.n; i++)
			series.values[i] *= slower && i / VALUES % ITERATIONS < 20 ? 2 : 1;
		replay_options_init(&options);
		options.bootstrap = true;
		options.stable.min_warmup = options.stable.max_warmup = 8;
		struct replay_outcome o = replay(&series, "cv", &options);
		assert_true(o.compared);
		assert_int_equal(o.equal, !slower);
		assert_int_equal(o.equal_bootstrap, !slower);
		series_release(&series);
	}
}

/* A start that costs more than a run: the runs are no longer for it. */
static void test_dear_starts(void **state)
{
	(void)state;
	enum { SHORT = 60, COST = 40 };
	for (size_t runs = 3; runs < 8; runs++) {
		struct series series;
		struct replay_options options;
		fill(&series, runs, SHORT, 1, 0.02);
		replay_options_init(&options);
		options.start_cost = COST;
		struct replay_outcome o = replay(&series, "auto@0.1%", &options);
		assert_true(o.runs <= runs && o.cost <= (double)o.runs * (SHORT + COST) + 1e-9);
		series_release(&series);
	}
}

static void test_rules(void **state)
{
	(void)state;
	struct series series;
	struct replay_options options;
	fill(&series, RUNS, ITERATIONS, VALUES, 0.001);
	replay_options_init(&options);
	struct replay_outcome cv = replay(&series, "cv", &options), own = replay(&series, "auto@3%", &options);
	struct replay_outcome both = replay(&series, "rciw+kld", &options), rciw = replay(&series, "rciw", &options);
	assert_true(cv.stable && cv.warm_runs == cv.runs && cv.runs >= 2);
	assert_true(both.warmup >= rciw.warmup);
	assert_true(own.stable && own.runs >= 3 && own.warm_runs == own.runs);
	assert_true(own.change < 0.01 && own.low < own.mean && own.mean < own.high);
	/* The direct way stops at the same places. */
	options.stable.direct = true;
	struct replay_outcome direct = replay(&series, "kld", &options);
	options.stable.direct = false;
	struct replay_outcome kept = replay(&series, "kld", &options);
	assert_memory_equal(&direct, &kept, sizeof(kept));
	series_release(&series);
}

/* One value an iteration; one run; what has no iterations. */
static void test_data(void **state)
{
	(void)state;
	static const enum level flat[] = {LEVEL_RUN, LEVEL_ITERATION};
	struct series series;
	struct replay_options options;
	struct replay_data data;
	struct error err;
	replay_options_init(&options);
	fill(&series, 3, 60, 0, 0.001);
	struct replay_outcome o = replay(&series, "cv", &options);
	assert_true(o.runs >= 2 && o.compared);
	assert_close(o.full_cost, 180, 1e-12);
	assert_int_equal(replay_data_init(&data, &series, 61, &err), 1);
	series.values[70] = NAN;
	assert_int_equal(replay_data_init(&data, &series, 12, &err), 1);
	series_release(&series);

	fill(&series, 1, 60, 0, 0);
	o = replay(&series, "kld", &options);
	assert_true(o.runs == 1 && !o.compared && !o.stable && isnan(o.low));
	o = replay(&series, "auto", &options);
	assert_true(o.runs == 1 && !o.compared && !o.stable && isnan(o.low) && o.change < 0.01);
	series_release(&series);

	series_init(&series, flat, 2);
	for (int r = 0; r < 40; r++)
		assert_int_equal(series_append(&series, 0, 1, &err), 0);
	assert_int_equal(replay_data_init(&data, &series, 12, &err), 1);
	series_release(&series);

	/* Builds above runs: the runs of all builds, in their order. */
	static const enum level deep[] = {LEVEL_BUILD, LEVEL_RUN, LEVEL_ITERATION};
	series_init(&series, deep, 3);
	for (int i = 0; i < 2 * 2 * 20; i++)
		assert_int_equal(series_append(&series, i % 40 == 0 ? 0 : i % 20 == 0 ? 1 : 2, 1 + i, &err), 0);
	assert_int_equal(replay_data_init(&data, &series, 12, &err), 0);
	assert_int_equal(data.view.groups[0], 4);
	assert_int_equal(data.view.starts[0][3], 60);
	assert_int_equal(nested_check(&data.view), STATS_OK);
	replay_data_release(&data);
	series_release(&series);
}

static void test_parse(void **state)
{
	(void)state;
	struct replay_options options;
	struct replay_rule rule;
	struct error err;
	replay_options_init(&options);
	assert_int_equal(options.auto_.min_runs, 3);
	assert_int_equal(replay_rule_parse(&rule, &options, "auto@2.5%", &err), 0);
	assert_true(rule.own && fabs(rule.auto_.precision - 0.025) < 1e-15);
	assert_int_equal(replay_rule_parse(&rule, &options, "auto", &err), 0);
	assert_close(rule.auto_.precision, 0.01, 1e-15);
	assert_int_equal(replay_rule_parse(&rule, &options, "kld@0.9", &err), 0);
	assert_true(!rule.own && rule.stable.threshold[CRITERION_KLD] == 0.9);
	static const char *const wrong[] = {"auto@", "auto@x", "auto@0%", "autos", "mean", ""};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(replay_rule_parse(&rule, &options, wrong[i], &err), -1);
}

static void test_summary(void **state)
{
	(void)state;
	const struct replay_outcome outcomes[] = {
		{.cost = 10,
	     .full_cost = 100,
	     .change = 0.005,
	     .compared = true,
	     .equal = true,
	     .half_width = 0.01,
	     .runs = 2,
	     .warm_runs = 2,
	     .warmup = 5,
	     .stable = true},
		{.cost = 30,
	     .full_cost = 100,
	     .change = 0.015,
	     .compared = true,
	     .half_width = 0.03,
	     .runs = 4,
	     .warm_runs = 1,
	     .warmup = 15},
		{.cost = 20, .full_cost = 100, .change = 0.04, .runs = 1, .warmup = 10, .stable = true},
	};
	struct replay_row row;
	assert_int_equal(replay_summarise(outcomes, 3, "x", &row), 0);
	assert_close(row.saved, 0.8, 1e-12);
	assert_close(row.change, 0.02, 1e-12);
	assert_close(row.change_sd, 0.01802775637731995, 1e-12);
	assert_close(row.change_median, 0.015, 1e-12);
	assert_close(row.change_p90, 0.035, 1e-12);
	assert_close(row.change_most, 0.04, 1e-12);
	assert_close(row.under[0], 1 / 3., 1e-12);
	assert_close(row.under[1], 2 / 3., 1e-12);
	assert_close(row.under[2], 2 / 3., 1e-12);
	assert_int_equal(row.compared, 2);
	assert_close(row.equal, 0.5, 1e-12);
	assert_close(row.half_width, 0.02, 1e-12);
	assert_close(row.warm, 3 / 7., 1e-12);
	assert_close(row.stable, 2 / 3., 1e-12);
	assert_close(row.warmup, 10, 1e-12);
	assert_close(row.warmup_sd, 5, 1e-12);
	assert_close(row.runs, 7 / 3., 1e-12);
	assert_int_equal(replay_summarise(outcomes, 0, "x", &row), 0);
	assert_true(isnan(row.change) && isnan(row.equal) && row.benchmarks == 0);
	mem_fail_at(1);
	assert_int_equal(replay_summarise(outcomes, 3, "x", &row), -1);
	mem_fail_at(0);
}

static void test_no_memory(void **state)
{
	(void)state;
	struct series series;
	struct replay_options options;
	fill(&series, 3, 16, 3, 0.001);
	replay_options_init(&options);
	static const char *const names[] = {"cv+kld", "auto@5%"};
	for (int k = 0; k < 2; k++) {
		long failed = 0;
		for (long nth = 1; nth < 2000; nth++) {
			struct replay_data data;
			struct replay_rule rule;
			struct replay_outcome outcome;
			struct error err;
			assert_int_equal(replay_rule_parse(&rule, &options, names[k], &err), 0);
			mem_fail_at(nth);
			int status = replay_data_init(&data, &series, 12, &err);
			if (status == 0)
				status = replay_benchmark(&data.view, &rule, &options, &outcome, &err);
			bool hit = mem_failed();
			mem_fail_at(0);
			replay_data_release(&data);
			if (!hit)
				break;
			assert_int_equal(status, -1);
			failed++;
		}
		assert_true(failed > 10 && failed < 1999);
	}
	series_release(&series);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bookkeeping), cmocka_unit_test(test_a_against_a), cmocka_unit_test(test_dear_starts),
		cmocka_unit_test(test_rules),       cmocka_unit_test(test_data),        cmocka_unit_test(test_parse),
		cmocka_unit_test(test_summary),     cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
