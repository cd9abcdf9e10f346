#include "stats/shuffle.h"

#include "stats/summary.h"
#include "support/known.h"

#include <math.h>

enum { RUNS = 6 };

static const double base[RUNS] = {10, 12, 11, 15, 9, 13}, new_[RUNS] = {10.2, 12.5, 11.1, 15.2, 9.3, 12.9};

/* Sums the variance of the log ratios over every permutation of the runs of `new_`. */
static void permute(size_t *order, size_t fixed, double *sum, size_t *count)
{
	if (fixed == RUNS) {
		double logs[RUNS];
		struct summary summary;
		for (size_t r = 0; r < RUNS; r++)
			logs[r] = log(new_[order[r]] / base[r]);
		assert_int_equal(summary_of(logs, RUNS, &summary), STATS_OK);
		*sum += summary.variance;
		++*count;
		return;
	}
	for (size_t i = fixed; i < RUNS; i++) {
		size_t keep = order[fixed];
		order[fixed] = order[i];
		order[i] = keep;
		permute(order, fixed + 1, sum, count);
		order[i] = order[fixed];
		order[fixed] = keep;
	}
}

static void test_all_permutations(void **state)
{
	(void)state;
	size_t order[RUNS] = {0, 1, 2, 3, 4, 5}, count = 0;
	double sum = 0, ratio, logs[RUNS];
	struct summary paired;
	permute(order, 0, &sum, &count);
	assert_int_equal(count, 720);
	for (size_t r = 0; r < RUNS; r++)
		logs[r] = log(new_[r] / base[r]);
	assert_int_equal(summary_of(logs, RUNS, &paired), STATS_OK);
	assert_int_equal(shuffle_width_ratio(base, new_, RUNS, &ratio), STATS_OK);
	assert_close(ratio, sqrt(sum / (double)count / paired.variance), 1e-9);
	assert_true(ratio > 5); /* the runs drift together */
}

static void test_edges(void **state)
{
	(void)state;
	double ratio = -1, negative[3] = {1, -1, 2}, lost[3] = {1, NAN, 2}, doubled[3] = {20, 24, 22};
	assert_int_equal(shuffle_width_ratio(base, new_, 0, &ratio), STATS_EMPTY);
	assert_int_equal(shuffle_width_ratio(base, new_, 2, &ratio), STATS_TOO_FEW);
	assert_int_equal(shuffle_width_ratio(base, negative, 3, &ratio), STATS_NOT_POSITIVE);
	assert_int_equal(shuffle_width_ratio(lost, base, 3, &ratio), STATS_NOT_FINITE);
	assert_int_equal(shuffle_width_ratio(base, base, 3, &ratio), STATS_CONSTANT);
	assert_true(ratio == -1);
	/* A constant ratio leaves only rounding between the pairs. */
	enum stats_status status = shuffle_width_ratio(base, doubled, 3, &ratio);
	assert_true(status == STATS_CONSTANT || (status == STATS_OK && ratio > 1e12));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_permutations), cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
