/* A small fixed part of `make replay`: the published rules in the paper's order, auto outside their frontier. */
#include "coverage/stop_suites.h"

#include "support/known.h"

#include <math.h>
#include <stdlib.h>

enum { CV, KLD, RCIW, OWN_LOOSE, OWN_TIGHT, OWN_DEFAULT, RULES };

static const struct rates_rule rules[RULES] = {{"cv", false},    {"kld", false},    {"rciw", false},
                                               {"auto@20%", true}, {"auto@4%", true}, {"auto@1%", true}};

/* 8 kinds of 4 benchmarks, the same ones at every run. The margins of the assertions are about half of what is seen
 * here; `make replay` has the numbers over hundreds. */
static void test_frontier(void **state)
{
	(void)state;
	const struct suite_shape shape = {10, 80, 6};
	struct rates *kinds = calloc((size_t)SUITE_KINDS * RULES, sizeof(*kinds)), all[RULES] = {{0}};
	assert_true(kinds && rates_run(rules, RULES, 4, 2026, &shape, kinds));
	for (size_t i = 0; i < (size_t)SUITE_KINDS * RULES; i++) {
		assert_true(rates_join(&all[i % RULES], &kinds[i]));
		rates_release(&kinds[i]);
	}
	for (size_t k = 0; k < RULES; k++)
		print_message("# %s saved %.3f error %.4f holds %.2f equal %.2f\n", rules[k].name, rates_saved(&all[k]), rates_error(&all[k]),
		              rates_held(&all[k]), rates_equal(&all[k]));
	assert_true(rates_error(&all[RCIW]) < rates_error(&all[CV]) && rates_error(&all[RCIW]) < rates_error(&all[KLD]));
	assert_true(rates_saved(&all[RCIW]) < rates_saved(&all[CV]) && rates_saved(&all[RCIW]) < rates_saved(&all[KLD]));
	/* Beside cv: hardly dearer, far nearer. Beside rciw: no farther, much cheaper. */
	assert_true(rates_error(&all[OWN_LOOSE]) < 0.8 * rates_error(&all[CV]));
	assert_true(rates_saved(&all[OWN_LOOSE]) > rates_saved(&all[CV]) - 0.03);
	assert_true(rates_error(&all[OWN_TIGHT]) < rates_error(&all[RCIW]));
	assert_true(rates_saved(&all[OWN_TIGHT]) > rates_saved(&all[RCIW]) + 0.05);
	assert_true(rates_equal(&all[OWN_TIGHT]) >= 0.95 && rates_equal(&all[OWN_DEFAULT]) >= 0.95);
	assert_true(rates_held(&all[OWN_DEFAULT]) >= 0.87); /* 95 % less two simulation errors of 32 */
	for (size_t k = 0; k < RULES; k++)
		rates_release(&all[k]);
	free(kinds);
}

/* The truth is what the means tend to: long runs, many of them, without their first half. */
static void test_truth(void **state)
{
	(void)state;
	const struct suite_shape shape = {150, 100, 5};
	for (int kind = 0; kind < SUITE_KINDS; kind++) {
		struct suite_benchmark one;
		double sum = 0, squares = 0;
		assert_true(suite_make(&one, (enum suite_kind)kind, 3, 1, 0, &shape));
		for (size_t r = 0; r < shape.runs; r++) {
			double run = 0;
			for (size_t i = (r * 100 + 60) * 5; i < (r + 1) * 100 * 5; i++)
				run += one.values[i] / 200;
			sum += run;
			squares += run * run;
		}
		double n = (double)shape.runs, mean = sum / n, se = sqrt((squares / n - mean * mean) / n);
		if (fabs(mean - one.truth) > 3.5 * se)
			fail_msg("%s: %g ± %g, truth %g", suite_kind_name((enum suite_kind)kind), mean, se, one.truth);
		suite_release(&one);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_frontier), cmocka_unit_test(test_truth)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
