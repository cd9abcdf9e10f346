#include "stats/score.h"

#include "stats/distribution.h"
#include "support/sequence.h"
#include "support/starve.h"

#include <math.h>
#include <stdlib.h>

static void test_against_r(void **state)
{
	(void)state;
	json_t *known = known_load("changepoint.json"), *scores = json_object_get(known, "scores");
	size_t n, queries, expected;
	double *sample = known_array(json_object_get(scores, "sample"), &n),
		   *u = known_array(json_object_get(scores, "u"), &queries);
	double *score = known_array(json_object_get(scores, "score"), &expected);
	struct score_table table = {0};
	assert_int_equal(score_table_build(&table, sample, n), STATS_OK);
	assert_int_equal(queries, expected);
	for (size_t k = 0; k < queries; k++)
		assert_close(score_of(&table, u[k]), score[k], 1e-9);
	assert_false(table.tied);
	score_table_release(&table);
	free(sample);
	free(u);
	free(score);
	json_decref(known);
}

/* Mid-ranks by counting, over a sample whose tails are far out, on and between its values. */
static void test_by_counting(void **state)
{
	(void)state;
	enum { N = 700 };
	static double x[N];
	struct score_table table = {0};
	sequence_uniform(x, N, 3);
	for (size_t i = 0; i < N; i++)
		x[i] = tan(3.1 * (x[i] - 0.5));
	for (size_t i = 0; i < N; i += 5)
		x[i] = round(x[i]);
	assert_int_equal(score_table_build(&table, x, N), STATS_OK);
	for (size_t q = 0; q < 3 * N; q++) {
		double u = q < N       ? x[q]
		           : q < 2 * N ? (x[q - N] + x[(q + 1) % N]) / 2
		                       : 1e-3 * (double)(q - 2 * N) - 0.35,
			   rank = 0;
		for (size_t i = 0; i < N; i++)
			rank += (x[i] < u) + 0.5 * (x[i] == u);
		rank = fmin(fmax(rank, 0.5), N - 0.5);
		assert_close(score_of(&table, u), normal_quantile(rank / N), 1e-12);
	}
	double shifted[3] = {x[1] + 7, x[2] + 7, x[3] + 7}, y[3];
	score_all(&table, shifted, 3, 7, y);
	for (size_t i = 0; i < 3; i++)
		assert_true(y[i] == score_of(&table, shifted[i] - 7));
	score_table_release(&table);
}

static void test_outside(void **state)
{
	(void)state;
	const double x[] = {-2, -1, 0, 1, 4}, positive[] = {1, 2, 3}, equal[] = {0, 0, 0, 0};
	struct score_table table = {0};
	double extreme = normal_quantile(0.9);
	assert_int_equal(score_table_build(&table, x, 5), STATS_OK);
	assert_close(score_of(&table, 4), extreme, 1e-12);
	assert_close(score_of(&table, 12), 3 * extreme, 1e-12);
	assert_close(score_of(&table, -3), -1.5 * extreme, 1e-12);
	assert_close(score_of(&table, 1e9), 1000 * extreme, 1e-12);
	/* Below a sample that is all above 0 there is no noise to compare with. */
	assert_int_equal(score_table_build(&table, positive, 3), STATS_OK);
	assert_close(score_of(&table, -1e-9), 1000 * normal_quantile(1. / 6), 1e-12);
	assert_close(score_of(&table, 0.5), normal_quantile(1. / 6), 1e-12);
	assert_int_equal(score_table_build(&table, equal, 4), STATS_OK);
	assert_true(table.tied && score_of(&table, 0) == 0);
	assert_close(score_of(&table, 1), 1000 * normal_quantile(0.875), 1e-12);
	assert_int_equal(score_table_build(&table, x, 1), STATS_OK);
	assert_true(score_of(&table, -2) == 0 && !table.tied);
	score_table_release(&table);
}

static void test_ties(void **state)
{
	(void)state;
	double x[10] = {0};
	struct score_table table = {0};
	for (size_t ones = 0; ones <= 10; ones++) {
		for (size_t i = 0; i < 10; i++)
			x[i] = i < ones;
		assert_int_equal(score_table_build(&table, x, 10), STATS_OK);
		assert_int_equal(table.tied, ones != 5);
		assert_int_equal(score_bin(&table, 0.5), ones < 10);
	}
	score_table_release(&table);
}

/* A long sample is thinned: the median stays within 1/2048 of its rank, and memory bounded. */
static void test_long_sample(void **state)
{
	(void)state;
	enum { N = 100000 };
	double *x = malloc(N * sizeof(*x));
	struct score_table table = {0};
	sequence_uniform(x, N, 17);
	assert_int_equal(score_table_build(&table, x, N), STATS_OK);
	assert_int_equal(table.n, SCORE_TABLE_MAX);
	/* Ranks of 2048 of them vary by 0.011. */
	for (double p = 0.05; p < 1; p += 0.05)
		assert_true(fabs(normal_cdf(score_of(&table, p)) - p) < 0.03);
	score_table_release(&table);
	free(x);
}

static enum stats_status build(void *data)
{
	struct score_table table = {0};
	enum stats_status status = score_table_build(&table, data, 6);
	score_table_release(&table);
	return status;
}

static void test_no_memory(void **state)
{
	(void)state;
	double x[] = {3, 1, 2, 6, 5, 4};
	assert_int_equal(starve(build, x), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_r), cmocka_unit_test(test_by_counting), cmocka_unit_test(test_outside),
		cmocka_unit_test(test_ties),      cmocka_unit_test(test_long_sample), cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
