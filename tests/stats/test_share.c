#include "stats/share.h"

#include "base/memory.h"
#include "stats/unit.h"
#include "support/known.h"

#include <math.h>

static void test_unit(void **state)
{
	(void)state;
	double base[8] = {4, 4, 4, 4, 5, 5.01, 4, 3}, new_[8] = {8, 8, 8, 10.1, 30, 11, 8, 6.3};
	struct share share;
	assert_int_equal(share_of(base, new_, 8, false, &share), STATS_OK);
	assert_true(share.median_base == 4 && share.median_new == 8 && share.n == 8);
	assert_int_equal(share.slow_base, 1); /* 5 is exactly 1.25 times: not slow */
	assert_int_equal(share.slow_new, 3);
	assert_close(share.difference, 0.25, 1e-15);
	/* Rates: slow is low. */
	assert_int_equal(share_of(base, new_, 8, true, &share), STATS_OK);
	assert_int_equal(share.slow_base, 1); /* 3 < 4/1.25 */
	assert_int_equal(share.slow_new, 1);  /* 6.3 < 8/1.25 */
	assert_true(share.difference == 0);
}

static void test_over_units(void **state)
{
	(void)state;
	struct share_sum sum = {0};
	struct share_estimate estimate = {.se = -1};
	assert_int_equal(share_estimate(&sum, &estimate), STATS_EMPTY);
	share_add(&sum, &(struct share){.n = 10, .slow_base = 0, .slow_new = 0, .difference = 0});
	assert_int_equal(share_estimate(&sum, &estimate), STATS_TOO_FEW);
	assert_true(estimate.se == -1);
	for (int r = 1; r < 4; r++)
		share_add(&sum, &(struct share){.n = 10});
	/* Nothing slow seen: the floor (0 + 1)/(4·10²) keeps the interval open. */
	assert_int_equal(share_estimate(&sum, &estimate), STATS_OK);
	assert_close(estimate.se, sqrt(1.0 / 400 / 4), 1e-12);
	assert_true(estimate.difference == 0 && estimate.df == 3);
	share_add(&sum, &(struct share){.n = 10, .slow_base = 1, .slow_new = 6, .difference = 0.5});
	assert_int_equal(share_estimate(&sum, &estimate), STATS_OK);
	/* Differences 0, 0, 0, 0, 0.5: variance 0.05, above the floor (7 + 1)/(5·100) = 0.016. */
	assert_close(estimate.se, 0.1, 1e-12);
	assert_close(estimate.difference, 0.1, 1e-12);
	assert_close(estimate.base, 0.02, 1e-12);
	assert_close(estimate.new_, 0.12, 1e-12);
}

static void test_edges(void **state)
{
	(void)state;
	double good[3] = {1, 2, 3}, lost[3] = {1, NAN, 3}, zero[3] = {1, 0, 3};
	struct share share = {.difference = -1};
	struct unit unit = {.pairs = 77};
	assert_int_equal(share_of(good, good, 0, false, &share), STATS_EMPTY);
	assert_int_equal(share_of(good, lost, 3, false, &share), STATS_NOT_FINITE);
	assert_int_equal(unit_of(good, good, NULL, 0, false, &unit), STATS_EMPTY);
	assert_int_equal(unit_of(good, zero, NULL, 3, false, &unit), STATS_NOT_POSITIVE);
	mem_fail_at(1);
	assert_int_equal(share_of(good, good, 3, false, &share), STATS_NO_MEMORY);
	for (long nth = 1; nth <= 2; nth++) {
		mem_fail_at(nth);
		assert_int_equal(unit_of(good, good, NULL, 3, false, &unit), STATS_NO_MEMORY);
	}
	mem_fail_at(0);
	assert_true(share.difference == -1 && unit.pairs == 77);
	assert_int_equal(unit_of(good, good, NULL, 1, false, &unit), STATS_OK);
	assert_true(unit.pairs == 1 && unit.base == 1 && unit.typical.log_ratio == 0 && unit.share.difference == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_unit), cmocka_unit_test(test_over_units),
	                                   cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
