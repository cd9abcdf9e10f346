#include "stats/share.h"

#include "base/memory.h"
#include "stats/proportion.h"
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

/* Clopper and Pearson's own intervals are tested in test_proportion.c. */
static void test_counts(void **state)
{
	(void)state;
	struct share_counts counts = {.pairs = 100, .slow_base = 2, .slow_new = 9, .only_base = 1, .only_new = 8};
	struct interval interval, base, new_;
	assert_int_equal(share_exact(&counts, 0.01, &interval), STATS_OK);
	assert_int_equal(proportion_clopper_pearson(1, 100, 0.995, &base), STATS_OK);
	assert_int_equal(proportion_clopper_pearson(8, 100, 0.995, &new_), STATS_OK);
	assert_close(interval.low, new_.low - base.high, 1e-12);
	assert_close(interval.high, new_.high - base.low, 1e-12);
	/* At the p value it just excludes 0. */
	counts.only_new = 20;
	double p = share_exact_p(&counts);
	assert_true(p > 1e-6 && p < 0.01);
	assert_int_equal(share_exact(&counts, p * 1.0001, &interval), STATS_OK);
	assert_true(interval.low > 0);
	assert_int_equal(share_exact(&counts, p * 0.9999, &interval), STATS_OK);
	assert_true(interval.low < 0);
	counts.only_base = counts.only_new;
	assert_true(share_exact_p(&counts) == 1);
	assert_true(share_exact_p(&(struct share_counts){0}) == 1);
	assert_int_equal(share_exact(&(struct share_counts){0}, 0.01, &interval), STATS_EMPTY);
}

/* Half of the runs are slow on both sides: whichever half the medians fall in, the sides do not differ. */
static void test_counts_of_two_modes(void **state)
{
	(void)state;
	double base[8] = {1, 1, 1, 1, 1, 1.3, 1.3, 1.3}, new_[8] = {1.3, 1.3, 1.3, 1.3, 1.3, 1, 1, 1};
	struct share_counts counts = {0};
	struct share share;
	assert_int_equal(share_of(base, new_, 8, false, &share), STATS_OK);
	assert_true(share.slow_base == 3 && share.slow_new == 0); /* by medians of their own they seem to */
	assert_int_equal(share_count(&counts, base, new_, 8, 0, false), STATS_OK);
	assert_true(counts.pairs == 8 && counts.only_base + counts.only_new <= 8);
	assert_true(counts.slow_base + counts.slow_new == 0 || (counts.slow_base == 3 && counts.slow_new == 5));
	/* A ratio is taken off first. */
	for (int i = 0; i < 8; i++)
		new_[i] = 2 * base[i];
	counts = (struct share_counts){0};
	assert_int_equal(share_count(&counts, base, new_, 8, log(2), false), STATS_OK);
	assert_true(counts.only_base == 0 && counts.only_new == 0);
	mem_fail_at(1);
	assert_int_equal(share_count(&counts, base, new_, 8, 0, false), STATS_NO_MEMORY);
	mem_fail_at(0);
}

static void test_edges(void **state)
{
	(void)state;
	double good[3] = {1, 2, 3}, lost[3] = {1, NAN, 3}, zero[3] = {1, 0, 3};
	struct share share = {.difference = -1};
	struct unit unit = {.pairs = 77};
	assert_int_equal(share_of(good, good, 0, false, &share), STATS_EMPTY);
	assert_int_equal(share_of(good, lost, 3, false, &share), STATS_NOT_FINITE);
	assert_int_equal(unit_of(good, good, NULL, 0, NAN, false, &unit), STATS_EMPTY);
	assert_int_equal(unit_of(good, zero, NULL, 3, NAN, false, &unit), STATS_NOT_POSITIVE);
	mem_fail_at(1);
	assert_int_equal(share_of(good, good, 3, false, &share), STATS_NO_MEMORY);
	for (long nth = 1; nth <= 5; nth++) {
		mem_fail_at(nth);
		assert_int_equal(unit_of(good, good, NULL, 3, NAN, false, &unit), STATS_NO_MEMORY);
	}
	mem_fail_at(0);
	assert_true(share.difference == -1 && unit.pairs == 77);
	assert_int_equal(unit_of(good, good, NULL, 1, NAN, false, &unit), STATS_OK);
	assert_true(unit.pairs == 1 && unit.base == 1 && unit.typical.log_ratio == 0 && unit.share.difference == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_unit), cmocka_unit_test(test_over_units),
	                                   cmocka_unit_test(test_counts), cmocka_unit_test(test_counts_of_two_modes),
	                                   cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
