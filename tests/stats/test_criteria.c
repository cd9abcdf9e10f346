#include "stats/criteria.h"

#include "base/memory.h"
#include "base/random.h"
#include "stats/bootstrap.h"
#include "stats/criteria_data.h"
#include "support/known.h"
#include "support/tree.h"

#include <math.h>
#include <stdlib.h>

/* ---- values ---- */

static void test_cv(void **state)
{
	(void)state;
	json_t *known = known_load("criteria.json"), *one;
	size_t i, n;
	double cv = -1;
	json_array_foreach(json_object_get(known, "cov"), i, one)
	{
		double *x = known_array(json_object_get(one, "x"), &n);
		if (n >= 2) {
			assert_int_equal(criteria_cv(x, n, &cv), STATS_OK);
			assert_close(cv, known_number(one, "cov"), 1e-12);
		}
		free(x);
	}
	assert_int_equal(i, 3);
	json_decref(known);
	double x[] = {3, 3, 3}, negative[] = {-1, -2}, none[] = {-1, 1};
	assert_int_equal(criteria_cv(x, 3, &cv), STATS_OK);
	assert_true(cv == 0);
	assert_int_equal(criteria_cv(x, 1, &cv), STATS_TOO_FEW);
	assert_int_equal(criteria_cv(x, 0, &cv), STATS_EMPTY);
	assert_int_equal(criteria_cv(negative, 2, &cv), STATS_NOT_POSITIVE);
	assert_int_equal(criteria_cv(none, 2, &cv), STATS_NOT_POSITIVE);
	x[1] = INFINITY;
	assert_int_equal(criteria_cv(x, 3, &cv), STATS_NOT_FINITE);
	assert_true(cv == 0);
}

static void test_rciw(void **state)
{
	(void)state;
	size_t counts[] = {1, 12, 30}, runs[] = {12, 30};
	struct tree one_run = tree_balanced(3, counts), iterations = tree_balanced(2, runs);
	struct random random;
	struct interval limits;
	double inside, width;
	random_seed(&random, 4);
	for (size_t i = 0; i < iterations.view.n; i++)
		one_run.values[i] = iterations.values[i] = 100 + (double)(i / 30) / 4 + random_normal(&random);
	assert_int_equal(criteria_rciw(&iterations.view, 6, &width), STATS_OK);
	assert_int_equal(bootstrap_mean(&iterations.view, 1000, 0.99, 6, &limits), STATS_OK);
	double mean;
	assert_int_equal(nested_mean(&iterations.view, &mean), STATS_OK);
	assert_close(width, (limits.high - limits.low) / mean, 1e-14);
	/* Exact variance of a two-stage resample: between the 12 means over 12, plus within over 360.
	 * The simulation error of a 99 % width from 1000 replicates is 4 %. */
	double means[12], between = 0, within = 0;
	assert_int_equal(nested_means(&iterations.view, 0, means), STATS_OK);
	for (size_t i = 0; i < 360; i++) {
		between += pow(means[i / 30] - mean, 2) / 360;
		within += pow(iterations.values[i] - means[i / 30], 2) / 360;
	}
	assert_close(width, 2 * 2.576 * sqrt(between / 12 + within / 360) / mean, 0.12);
	/* One run alone is resampled inside. */
	assert_int_equal(criteria_rciw(&one_run.view, 6, &inside), STATS_OK);
	assert_true(inside == width);
	one_run.view.n = iterations.view.n = 0;
	assert_int_equal(criteria_rciw(&iterations.view, 6, &width), STATS_EMPTY);
	tree_release(&one_run);
	tree_release(&iterations);
	size_t single[] = {1, 1};
	struct tree lonely = tree_balanced(2, single);
	lonely.values[0] = 3;
	assert_int_equal(criteria_rciw(&lonely.view, 6, &width), STATS_TOO_FEW);
	lonely.values[0] = -3;
	assert_int_equal(criteria_rciw(&lonely.view, 6, &width), STATS_NOT_POSITIVE);
	tree_release(&lonely);
}

/* ---- data ---- */

static void test_filter(void **state)
{
	(void)state;
	json_t *known = known_load("criteria.json"), *one;
	size_t i, n, expected, kept;
	json_array_foreach(json_object_get(known, "outlier10"), i, one)
	{
		double *x = known_array(json_object_get(one, "x"), &n), out[16];
		double *inlier = known_array(json_object_get(one, "inlier"), &expected);
		assert_int_equal(criteria_filter(x, NULL, n, out, NULL, &kept), STATS_OK);
		assert_int_equal(kept, expected);
		assert_memory_equal(out, inlier, kept * sizeof(*out));
		free(x);
		free(inlier);
	}
	assert_int_equal(i, 1);
	json_decref(known);
	/* The ends belong to the inside: the median of 1, 10, 100 is 10. */
	double x[] = {100, 1, 10}, out[3];
	uint64_t counts[] = {1, 1, 1}, out_counts[3];
	assert_int_equal(criteria_filter(x, NULL, 3, out, NULL, &kept), STATS_OK);
	assert_int_equal(kept, 3);
	/* By weight the median is 100, or between 1 and 10. */
	counts[0] = 3;
	assert_int_equal(criteria_filter(x, counts, 3, out, out_counts, &kept), STATS_OK);
	assert_true(kept == 2 && out[0] == 100 && out[1] == 10 && out_counts[0] == 3 && out_counts[1] == 1);
	uint64_t even[] = {1, 3, 2}; /* 1 1 1 10 10 100: the median is 5.5 */
	assert_int_equal(criteria_filter(x, even, 3, out, out_counts, &kept), STATS_OK);
	assert_true(kept == 2 && out[0] == 1 && out[1] == 10 && out_counts[0] == 3 && out_counts[1] == 2);
	even[1] = 0;
	assert_int_equal(criteria_filter(x, even, 3, out, out_counts, &kept), STATS_BAD_ARGUMENT);
	x[2] = -10;
	assert_int_equal(criteria_filter(x, NULL, 3, out, NULL, &kept), STATS_OK);
	x[1] = -2;
	assert_int_equal(criteria_filter(x, NULL, 3, out, NULL, &kept), STATS_NOT_POSITIVE);
	assert_int_equal(criteria_filter(x, NULL, 0, out, NULL, &kept), STATS_EMPTY);
}

static void test_sample_all_or_some(void **state)
{
	(void)state;
	enum { N = 5000, MOST = 1000 };
	static double x[N], out[MOST], again[MOST];
	size_t kept;
	for (int i = 0; i < N; i++)
		x[i] = i;
	/* Never more than there is. */
	assert_int_equal(criteria_sample(x, NULL, 300, MOST, 1, out, &kept), STATS_OK);
	assert_int_equal(kept, 300);
	assert_memory_equal(out, x, 300 * sizeof(*x));
	size_t sizes[] = {MOST, MOST + 1, 2 * MOST - 1, 2 * MOST, N};
	for (int i = 0; i < 5; i++) {
		assert_int_equal(criteria_sample(x, NULL, sizes[i], MOST, 7, out, &kept), STATS_OK);
		assert_int_equal(kept, MOST);
		for (size_t j = 1; j < kept; j++)
			assert_true(out[j] > out[j - 1]); /* in order, none twice */
		assert_true(out[kept - 1] < (double)sizes[i]);
	}
	assert_int_equal(criteria_sample(x, NULL, N, MOST, 7, again, &kept), STATS_OK);
	assert_memory_equal(out, again, sizeof(out));
	assert_int_equal(criteria_sample(x, NULL, N, MOST, 8, again, &kept), STATS_OK);
	assert_memory_not_equal(out, again, sizeof(out));
}

static void test_sample_by_weight(void **state)
{
	(void)state;
	/* 10 of 100 occurrences, 10 000 times: hypergeometric means 1, 3, 6 of each value, and
	 * variance 10·p(1 − p)·90/99. */
	double x[] = {1, 2, 3}, out[10];
	uint64_t counts[] = {10, 30, 60};
	double seen[3] = {0}, squares = 0;
	size_t kept;
	for (uint64_t seed = 0; seed < 10000; seed++) {
		int threes = 0;
		assert_int_equal(criteria_sample(x, counts, 3, 10, seed, out, &kept), STATS_OK);
		assert_int_equal(kept, 10);
		for (size_t i = 0; i < 10; i++) {
			seen[(int)out[i] - 1] += 1e-4;
			threes += out[i] == 3;
		}
		squares += 1e-4 * (threes - 6) * (threes - 6);
	}
	assert_true(fabs(seen[0] - 1) < 4 * 0.01 && fabs(seen[1] - 3) < 4 * 0.014 && fabs(seen[2] - 6) < 4 * 0.015);
	assert_close(squares, 10 * 0.24 * 90 / 99, 4 * sqrt(2e-4));
	/* More wanted than half: the others are drawn. */
	seen[0] = 0;
	double most[90];
	for (uint64_t seed = 0; seed < 2000; seed++) {
		assert_int_equal(criteria_sample(x, counts, 3, 90, seed, most, &kept), STATS_OK);
		assert_int_equal(kept, 90);
		for (size_t i = 0; i < 90; i++)
			seen[0] += most[i] == 1;
	}
	assert_true(fabs(seen[0] / 2000 - 9) < 4 * 0.02);
}

static void test_data_edges(void **state)
{
	(void)state;
	double x[] = {1, 2, 3}, out[3];
	uint64_t counts[] = {1, UINT64_MAX, 1}, out_counts[3];
	size_t kept = 77;
	assert_int_equal(criteria_sample(x, NULL, 3, 0, 1, out, &kept), STATS_BAD_ARGUMENT);
	assert_int_equal(criteria_sample(x, counts, 3, 2, 1, out, &kept), STATS_BAD_ARGUMENT);
	assert_int_equal(criteria_sample(x, NULL, 0, 2, 1, out, &kept), STATS_EMPTY);
	mem_fail_at(1);
	assert_int_equal(criteria_sample(x, NULL, 3, 2, 1, out, &kept), STATS_NO_MEMORY);
	mem_fail_at(1);
	assert_int_equal(criteria_filter(x, NULL, 3, out, NULL, &kept), STATS_NO_MEMORY);
	counts[1] = 1;
	mem_fail_at(1);
	assert_int_equal(criteria_filter(x, counts, 3, out, out_counts, &kept), STATS_NO_MEMORY);
	mem_fail_at(0);
	assert_int_equal(kept, 77);
	/* Huge counts are as good as small ones. */
	counts[1] = UINT64_MAX / 2;
	assert_int_equal(criteria_sample(x, counts, 3, 2, 1, out, &kept), STATS_OK);
	assert_true(kept == 2 && out[0] == 2 && out[1] == 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cv),
		cmocka_unit_test(test_rciw),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_sample_all_or_some),
		cmocka_unit_test(test_sample_by_weight),
		cmocka_unit_test(test_data_edges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
