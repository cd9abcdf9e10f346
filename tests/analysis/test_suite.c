#include "analysis/numbers.h"
#include "analysis/suite.h"

#include "base/random.h"
#include "stats/critical.h"
#include "support/known.h"

#include <math.h>

static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};

static struct comparison *add_metric(struct result *result, const char *metric, enum better better)
{
	size_t base = result->subject_count;
	result_add_metric(result, result_add_subject(result, "benchmark"), metric, "s", better, levels, 2);
	struct comparison *c = result_add_comparison(result);
	c->metric = metric;
	c->base = base;
	return c;
}

static void fill(struct comparison *c, double log_ratio, double se, size_t units)
{
	double half = critical_t(0.01, (double)units - 1) * se;
	c->ratio = exp(log_ratio);
	c->ci = (struct confidence){.level = 0.99, .low = exp(log_ratio - half), .high = exp(log_ratio + half)};
	c->units = units;
	c->margin = 0.01;
}

static void add(struct result *result, double log_ratio, double se, size_t units)
{
	fill(add_metric(result, "wall", BETTER_LOWER), log_ratio, se, units);
}

/* The interval of the geometric mean holds the true one in 99 % (20 000 suites: error 0.07 points). */
static void the_geometric_mean_is_covered(void **state)
{
	(void)state;
	enum { SUITES = 20000, BENCHMARKS = 6, RUNS = 10 };
	struct random random;
	random_seed(&random, 5);
	size_t inside = 0;
	for (int s = 0; s < SUITES; s++) {
		struct result result;
		struct suite suite;
		double truth = 0;
		result_init(&result);
		for (int b = 0; b < BENCHMARKS; b++) {
			double effect = 0.01 * b - 0.02, sd = 0.01 * (1 + b), mean = 0, squares = 0;
			for (int r = 1; r <= RUNS; r++) {
				double x = effect + sd * random_normal(&random), delta = x - mean;
				mean += delta / r;
				squares += delta * (x - mean);
			}
			add(&result, mean, sqrt(squares / (RUNS - 1) / RUNS), RUNS);
			truth += effect / BENCHMARKS;
		}
		suite_of(&result, NO_SIDE, &suite);
		inside += suite.ci.low <= exp(truth) && exp(truth) <= suite.ci.high;
		result_release(&result);
	}
	double share = (double)inside / SUITES;
	assert_true(share > 0.99 - 3 * 0.0007);
	assert_true(share < 0.9985);
}

static void a_suite_that_moves_as_one_is_noticed(void **state)
{
	(void)state;
	struct result result;
	struct suite suite;
	result_init(&result);
	for (int b = 0; b < 10; b++)
		add(&result, 0.05 + 0.002 * (b % 3), 0.002, 10);
	suite_of(&result, NO_SIDE, &suite);
	assert_true(suite.moved_together);
	assert_close(suite.common_shift, exp(0.052), 1e-3);
	result_release(&result);

	result_init(&result);
	for (int b = 0; b < 10; b++)
		add(&result, b == 3 ? 0.30 : 0.001 * (b % 3 - 1), 0.002, 10);
	suite_of(&result, NO_SIDE, &suite);
	assert_false(suite.moved_together);
	result_release(&result);
}

static void metrics_of_different_directions_have_no_mean(void **state)
{
	(void)state;
	struct result result;
	struct suite suite;
	result_init(&result);
	for (int i = 0; i < 6; i++) { /* all slower by a tenth */
		bool rate = i % 2;
		fill(add_metric(&result, rate ? "rate" : "wall", rate ? BETTER_HIGHER : BETTER_LOWER), rate ? -0.1 : 0.1, 0.001,
		     10);
	}
	suite_of(&result, NO_SIDE, &suite);
	assert_true(isnan(suite.ratio) && isnan(suite.ci.low));
	assert_true(suite.moved_together);
	assert_close(suite.common_shift, exp(0.1), 1e-12);
	result_release(&result);

	result_init(&result);
	for (int i = 0; i < 6; i++)
		fill(add_metric(&result, "rate", BETTER_HIGHER), -0.1, 0.001, 10);
	suite_of(&result, NO_SIDE, &suite);
	assert_close(suite.ratio, exp(-0.1), 1e-12);
	assert_close(suite.common_shift, exp(-0.1), 1e-12);
	result_release(&result);
}

/* Methods with a p value of their own: Benjamini and Hochberg at 1 % call two of these; what is the same stays so. */
static void other_methods_are_selected_by_their_p_values(void **state)
{
	(void)state;
	static const double p[] = {0.0001, 0.004, 0.009, 0.5, 0.6};
	struct analysis_options options;
	struct result result;
	analysis_options_init(&options);
	options.confidence = 0.99;
	result_init(&result);
	for (int i = 0; i < 5; i++) {
		struct comparison *c = result_add_comparison(&result);
		c->verdict = i < 3 ? VERDICT_SLOWER : i == 3 ? VERDICT_SAME : VERDICT_UNDECIDED;
		c->p_value = p[i];
	}
	assert_int_equal(numbers_select(&result, 0, 5, NULL, NULL, &options, NULL), 0);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(result.comparisons[i].verdict, i < 2    ? VERDICT_SLOWER
		                                                : i == 3 ? VERDICT_SAME
		                                                         : VERDICT_UNDECIDED);
	}
	/* One that was judged besides takes part: now the second is chance. */
	result.comparisons[1].verdict = VERDICT_SLOWER;
	const double beside[] = {1, 1, 1, 1, 1};
	options.beside = beside;
	options.beside_count = 5;
	assert_int_equal(numbers_select(&result, 0, 5, NULL, NULL, &options, NULL), 0);
	assert_int_equal(result.comparisons[0].verdict, VERDICT_SLOWER);
	assert_int_equal(result.comparisons[1].verdict, VERDICT_UNDECIDED);
	result_release(&result);
}

static void unknown_ratios_take_no_part(void **state)
{
	(void)state;
	struct result result;
	struct suite suite;
	result_init(&result);
	suite_of(&result, NO_SIDE, &suite);
	assert_true(isnan(suite.ratio));
	result_add_comparison(&result);
	add(&result, 0.1, 0.01, 10);
	suite_of(&result, NO_SIDE, &suite);
	assert_int_equal(suite.count, 1);
	assert_close(suite.ratio, exp(0.1), 1e-12);
	result_release(&result);
}

/* Several commands against the first share its values: their ratios are no suite. */
static void ratios_with_one_base_have_no_mean(void **state)
{
	(void)state;
	struct result result;
	struct suite suite;
	result_init(&result);
	for (int i = 0; i < 3; i++)
		add(&result, 0.1, 0.001, 10);
	suite_of(&result, NO_SIDE, &suite);
	assert_close(suite.ratio, exp(0.1), 1e-12);
	result.comparisons[2].base = result.comparisons[0].base;
	suite_of(&result, NO_SIDE, &suite);
	assert_int_equal(suite.count, 3);
	assert_true(isnan(suite.ratio) && isnan(suite.ci.low));
	result_release(&result);
}

/* 40 pairs in two units of 20: only the total has an interval, and it rests on 40 values, not on 2. */
static void an_interval_of_the_total_rests_on_pairs(void **state)
{
	(void)state;
	struct result result;
	struct suite suite;
	result_init(&result);
	for (int i = 0; i < 4; i++) {
		add(&result, 0, 0.01, 40);
		struct comparison *c = &result.comparisons[i];
		c->pairs = 40;
		c->units = 2;
		c->block = 20;
	}
	suite_of(&result, NO_SIDE, &suite);
	/* Four of a standard error of 0.01: half of it, with t at 4·39 degrees of freedom. */
	assert_close(log(suite.ci.high), critical_t(0.01, 156) * 0.005, 1e-12);
	result_release(&result);
}

/* The selection among several comparisons widens the interval of a row, not that of the mean. */
static void the_mean_has_the_confidence_that_was_asked_for(void **state)
{
	(void)state;
	struct result result;
	struct suite suite;
	result_init(&result);
	for (int i = 0; i < 3; i++) {
		add(&result, 0, 0.01, 10);
		result.comparisons[i].ci.level = i == 1 ? 0.95 : 0.98;
	}
	suite_of(&result, NO_SIDE, &suite);
	assert_close(suite.ci.level, 0.95, 1e-12);
	result.stopped.alpha = 0.1;
	suite_of(&result, NO_SIDE, &suite);
	assert_close(suite.ci.level, 0.9, 1e-12);
	for (int i = 0; i < 3; i++)
		result.comparisons[i].confidence = 0.99;
	suite_of(&result, NO_SIDE, &suite);
	assert_close(suite.ci.level, 0.99, 1e-12);
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_geometric_mean_is_covered),
		cmocka_unit_test(a_suite_that_moves_as_one_is_noticed),
		cmocka_unit_test(metrics_of_different_directions_have_no_mean),
		cmocka_unit_test(other_methods_are_selected_by_their_p_values),
		cmocka_unit_test(unknown_ratios_take_no_part),
		cmocka_unit_test(ratios_with_one_base_have_no_mean),
		cmocka_unit_test(an_interval_of_the_total_rests_on_pairs),
		cmocka_unit_test(the_mean_has_the_confidence_that_was_asked_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
