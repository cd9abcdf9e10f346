#include "stats/counts.h"

#include "stats/variance.h"
#include "support/known.h"
#include "support/tree.h"

#include <math.h>
#include <stdlib.h>

/* ---- answers from elsewhere ---- */

static void test_table_5(void **state)
{
	(void)state;
	json_t *known = known_load("counts.json"), *row, *wanted;
	size_t i;
	json_array_foreach(json_object_get(known, "table5"), i, row)
	{
		double t1 = known_number(row, "t1_pct") / 100, t2 = known_number(row, "t2_pct") / 100;
		struct count_level levels[] = {{.t2 = t2 * t2, .cost = known_number(row, "c2_s")},
		                               {.t2 = t1 * t1, .cost = known_number(row, "c1_s")}};
		size_t counts[2] = {77, 0}, runs;
		double unrounded[2];
		const char *percent;
		assert_int_equal(counts_best(levels, 2, counts, unrounded), STATS_OK);
		assert_int_equal(counts[1], (size_t)known_number(row, "r1_paper"));
		assert_close(unrounded[1], known_number(row, "r1_unrounded"), 1e-12);
		assert_int_equal(counts[0], 77);
		double variance = counts_top_variance(levels, 2, counts);
		assert_close(variance, t2 * t2 + t1 * t1 / (double)counts[1], 1e-15);
		assert_close(counts_top_cost(levels, 2, counts), levels[0].cost + levels[1].cost * (double)counts[1], 1e-15);
		json_object_foreach(json_object_get(row, "runs_for_pct"), percent, wanted)
		{
			double half_width = strtod(percent, NULL) / 100;
			assert_int_equal(counts_for_mean(variance, half_width, 0.05, CRITICAL_FIXED, &runs), STATS_OK);
			assert_int_equal(runs, (size_t)json_integer_value(wanted));
		}
	}
	assert_int_equal(i, 4);
	json_decref(known);
}

static void test_libkalibera(void **state)
{
	(void)state;
	json_t *known = known_load("libkalibera.json");
	const json_t *example = json_object_get(known, "optimal_reps"), *opt = json_object_get(example, "opt_unrounded");
	struct tree tree = tree_from_json(json_object_get(example, "data"));
	struct variance_components found;
	struct count_level levels[3];
	size_t counts[3];
	double unrounded[3];
	assert_int_equal(variance_components(&tree.view, &found), STATS_OK);
	for (int k = 0; k < 3; k++)
		levels[k] = (struct count_level){
			.t2 = found.level[k].t2,
			.cost = json_number_value(json_array_get(json_object_get(example, "costs_high_to_low"), (size_t)k))};
	assert_int_equal(counts_best(levels, 3, counts, unrounded), STATS_OK);
	assert_close(unrounded[1], known_number(opt, "2"), 1e-12);
	assert_close(unrounded[2], known_number(opt, "1"), 1e-12);
	assert_true(counts[1] == 2 && counts[2] == 5);
	tree_release(&tree);
	json_decref(known);
}

/* ---- properties ---- */

static void test_best_is_best(void **state)
{
	(void)state;
	/* No other pair of counts gives a smaller variance × cost than the unrounded optimum. */
	struct count_level levels[] = {{.t2 = 4, .cost = 60}, {.t2 = 9, .cost = 5}, {.t2 = 25, .cost = 0.1}};
	size_t counts[3];
	double best[3], variance, cost;
	assert_int_equal(counts_best(levels, 3, counts, best), STATS_OK);
	variance = 4 + 9 / best[1] + 25 / (best[1] * best[2]);
	cost = 60 + best[1] * (5 + best[2] * 0.1);
	for (size_t a = 1; a < 40; a++) {
		for (size_t b = 1; b < 80; b++) {
			size_t other[] = {0, a, b};
			assert_true(counts_top_variance(levels, 3, other) * counts_top_cost(levels, 3, other) >= variance * cost);
		}
	}
}

static void test_pilot_limits(void **state)
{
	(void)state;
	size_t counts[2];
	/* √(100/1 · 1/0.1) = 31.6 by the floor of a tenth of S², 20 by the cap of ten times 2. */
	struct count_level levels[] = {{.t2 = -0.3, .s2 = 1, .cost = 100, .pilot = 10}, {.t2 = 1, .cost = 1, .pilot = 10}};
	assert_int_equal(counts_best(levels, 2, counts, NULL), STATS_OK);
	assert_int_equal(counts[1], 32);
	levels[1].pilot = 2;
	assert_int_equal(counts_best(levels, 2, counts, NULL), STATS_OK);
	assert_int_equal(counts[1], 20);
	levels[0].t2 = 0.5; /* above the floor */
	assert_int_equal(counts_best(levels, 2, counts, NULL), STATS_OK);
	assert_int_equal(counts[1], 15);
	levels[1].t2 = -1; /* nothing to average away */
	assert_int_equal(counts_best(levels, 2, counts, NULL), STATS_OK);
	assert_int_equal(counts[1], 1);
	/* Exact squares are not rounded up. */
	struct count_level square[] = {{.t2 = 0.01, .cost = 9}, {.t2 = 0.09, .cost = 1}};
	assert_int_equal(counts_best(square, 2, counts, NULL), STATS_OK);
	assert_int_equal(counts[1], 9);
}

static void test_ratio(void **state)
{
	(void)state;
	size_t runs, more;
	/* Eq. 6: against itself a system needs √2 times the width, about twice the runs. */
	assert_int_equal(counts_for_ratio(1e-4, 1e-4, 0.002, 0.05, CRITICAL_FIXED, &runs), STATS_OK);
	assert_int_equal(counts_for_mean(2e-4, 0.002, 0.05, CRITICAL_FIXED, &more), STATS_OK);
	assert_true(runs >= more && runs <= more + 1);
	/* Wide intervals: the half-width must be that of Fieller's at that number of runs. */
	assert_int_equal(counts_for_ratio(0.09, 0.04, 0.5, 0.05, CRITICAL_FIXED, &runs), STATS_OK);
	double width[2];
	for (int less = 0; less < 2; less++) {
		double r = (double)runs - less, t = critical_t(0.05, r - 1);
		double h = 3 * t * sqrt(0.09 / r), g = 5 * t * sqrt(0.04 / r); /* means 3 and 5 */
		double root = sqrt(225 - (9 - h * h) * (25 - g * g)) / (9 - h * h);
		width[less] = root / (5 / 3.);
	}
	assert_true(width[0] <= 0.5 && width[1] > 0.5);
}

static void test_rules(void **state)
{
	(void)state;
	enum critical_rule rules[] = {CRITICAL_FIXED, CRITICAL_PRECISION, CRITICAL_ANYTIME};
	size_t last = 0, runs;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(counts_for_mean(4e-4, 0.01, 0.01, rules[i], &runs), STATS_OK);
		assert_true(runs > last);
		last = runs;
		double r = (double)runs;
		assert_true(critical_value(rules[i], 0.01, r, r - 1) * sqrt(4e-4 / r) <= 0.01);
		assert_false(critical_value(rules[i], 0.01, r - 1, r - 2) * sqrt(4e-4 / (r - 1)) <= 0.01);
	}
}

static void test_edges(void **state)
{
	(void)state;
	struct count_level levels[] = {{.t2 = 0, .cost = 1}, {.t2 = 1, .cost = 1}};
	size_t counts[2] = {7, 7}, runs = 7;
	assert_int_equal(counts_best(levels, 2, counts, NULL), STATS_UNBOUNDED);
	assert_int_equal(counts_best(levels, 0, counts, NULL), STATS_BAD_ARGUMENT);
	assert_int_equal(counts_best(levels, 1, counts, NULL), STATS_OK);
	levels[1].cost = 0;
	assert_int_equal(counts_best(levels, 2, counts, NULL), STATS_BAD_ARGUMENT);
	levels[1] = (struct count_level){.t2 = NAN, .cost = 1};
	assert_int_equal(counts_best(levels, 2, counts, NULL), STATS_BAD_ARGUMENT);
	assert_true(counts[0] == 7 && counts[1] == 7);
	assert_int_equal(counts_for_mean(1, 0, 0.05, CRITICAL_FIXED, &runs), STATS_BAD_ARGUMENT);
	assert_int_equal(counts_for_mean(-1, 0.1, 0.05, CRITICAL_FIXED, &runs), STATS_BAD_ARGUMENT);
	assert_int_equal(counts_for_mean(NAN, 0.1, 0.05, CRITICAL_FIXED, &runs), STATS_BAD_ARGUMENT);
	assert_int_equal(counts_for_mean(1, 0.1, 1, CRITICAL_FIXED, &runs), STATS_BAD_ARGUMENT);
	assert_int_equal(counts_for_ratio(1, -1, 0.1, 0.05, CRITICAL_FIXED, &runs), STATS_BAD_ARGUMENT);
	assert_int_equal(counts_for_mean(1, 1e-6, 0.05, CRITICAL_FIXED, &runs), STATS_UNBOUNDED);
	assert_int_equal(runs, 7);
	assert_int_equal(counts_for_mean(0, 1e-6, 0.05, CRITICAL_FIXED, &runs), STATS_OK);
	assert_int_equal(runs, 2);
	assert_int_equal(counts_for_ratio(0, 0, 1e-6, 0.05, CRITICAL_ANYTIME, &runs), STATS_OK);
	assert_int_equal(runs, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_5),      cmocka_unit_test(test_libkalibera), cmocka_unit_test(test_best_is_best),
		cmocka_unit_test(test_pilot_limits), cmocka_unit_test(test_ratio),       cmocka_unit_test(test_rules),
		cmocka_unit_test(test_edges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
