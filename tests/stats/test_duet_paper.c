#include "stats/duet_paper.h"

#include "base/memory.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>

static const uint32_t starts[] = {0, 3, 6, 9};

static struct nested runs_of(const double *values, size_t runs)
{
	return (struct nested){.depth = 2, .n = starts[runs], .values = values, .groups = {runs}, .starts = {starts}};
}

/* All 27 resamples are known, so each percentile is one of them; the levels are chosen at least
 * 10 standard errors of 10 000 replicates away from a step. */
static void test_worked(void **state)
{
	(void)state;
	json_t *known = known_load("duet.json");
	size_t n, count;
	double *x = known_array(json_object_get(known, "x"), &n), *y = known_array(json_object_get(known, "y"), &n);
	double *means = known_array(json_object_get(known, "run_means"), &count), run_ratios[3];
	double *resamples = known_array(json_object_get(known, "resamples"), &count);
	struct nested new_ = runs_of(x, 3), base = runs_of(y, 3);
	static const struct {
		double level;
		size_t low, high;
	} percentiles[] = {{0.99, 0, 26}, {0.82, 2, 24}, {0.6, 5, 21}};
	for (size_t i = 0; i < 3; i++) {
		struct duet_paper duet;
		assert_int_equal(duet_paper_of(&base, &new_, false, 10000, percentiles[i].level, 1 + i, run_ratios, &duet),
		                 STATS_OK);
		assert_close(duet.ratio, known_number(known, "grand_mean"), 1e-9);
		assert_close(duet.interval.low, resamples[percentiles[i].low], 1e-9);
		assert_close(duet.interval.high, resamples[percentiles[i].high], 1e-9);
		assert_int_equal(duet.replaced, 0);
	}
	for (size_t r = 0; r < 3; r++)
		assert_close(run_ratios[r], means[r], 1e-9);
	free(x);
	free(y);
	free(means);
	free(resamples);
	json_decref(known);
}

static void test_winsorised(void **state)
{
	(void)state;
	static const uint32_t by_five[] = {0, 5, 10};
	double base_times[10] = {1, 1.02, 1.2, 1.38, 1.4, 2, 2.02, 2.2, 2.38, 2.4};
	double new_times[10] = {2, 2.02, 50, 2.2, 2.3, 0.1, 3.1, 3.2, 3.3, 3.31};
	struct nested base = {.depth = 2, .n = 10, .values = base_times, .groups = {2}, .starts = {by_five}}, new_ = base;
	new_.values = new_times;
	struct duet_paper plain, winsorised;
	assert_int_equal(duet_paper_of(&base, &new_, false, 100, 0.9, 1, NULL, &plain), STATS_OK);
	assert_int_equal(duet_paper_of(&base, &new_, true, 100, 0.9, 1, NULL, &winsorised), STATS_OK);
	/* By hand: 50 becomes 2.3 and 0.1 becomes 3.1; every other end lies near its neighbour. */
	double base_product = 1 * 1.02 * 1.2 * 1.38 * 1.4 * 2 * 2.02 * 2.2 * 2.38 * 2.4;
	double new_product = 2 * 2.02 * 2.3 * 2.2 * 2.3 * 3.1 * 3.1 * 3.2 * 3.3 * 3.31;
	assert_close(winsorised.ratio, pow(new_product / base_product, 0.1), 1e-12);
	assert_int_equal(winsorised.replaced, 2);
	assert_close(plain.ratio, pow(new_product / base_product * 50 / 2.3 * 0.1 / 3.1, 0.1), 1e-12);
	assert_true(new_times[2] == 50); /* raw data stay */
}

static void test_seed(void **state)
{
	(void)state;
	double a[9] = {1, 1.2, 1.1, 1.3, 0.9, 1, 1.4, 1.1, 1.2}, b[9] = {1.1, 1, 1.2, 1.5, 1, 0.8, 1.1, 1.6, 1.2};
	struct nested base = runs_of(a, 3), new_ = runs_of(b, 3);
	struct duet_paper first, second;
	assert_int_equal(duet_paper_of(&base, &new_, false, 10000, 0.99, 5, NULL, &first), STATS_OK);
	assert_int_equal(duet_paper_of(&base, &new_, false, 10000, 0.99, 5, NULL, &second), STATS_OK);
	assert_memory_equal(&first, &second, sizeof(first));
}

static void test_edges(void **state)
{
	(void)state;
	double good[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, zero[9] = {1, 1, 0, 1, 1, 1, 1, 1, 1}, lost[9] = {1, NAN};
	struct nested base = runs_of(good, 3), other = runs_of(zero, 3);
	struct duet_paper out = {.ratio = -1};
	assert_int_equal(duet_paper_of(&base, &other, true, 100, 0.9, 1, NULL, &out), STATS_NOT_POSITIVE);
	other = runs_of(lost, 3);
	assert_int_equal(duet_paper_of(&other, &base, true, 100, 0.9, 1, NULL, &out), STATS_NOT_FINITE);
	other = runs_of(good, 2);
	assert_int_equal(duet_paper_of(&base, &other, true, 100, 0.9, 1, NULL, &out), STATS_BAD_ARGUMENT);
	assert_int_equal(duet_paper_of(&base, &base, true, 0, 0.9, 1, NULL, &out), STATS_BAD_ARGUMENT);
	assert_int_equal(duet_paper_of(&base, &base, true, 100, 1, 1, NULL, &out), STATS_BAD_ARGUMENT);
	other = runs_of(good, 1);
	assert_int_equal(duet_paper_of(&other, &other, true, 100, 0.9, 1, NULL, &out), STATS_TOO_FEW);
	other = runs_of(good, 0);
	assert_int_equal(duet_paper_of(&other, &other, true, 100, 0.9, 1, NULL, &out), STATS_EMPTY);
	for (long nth = 1; nth <= 2; nth++) {
		mem_fail_at(nth);
		assert_int_equal(duet_paper_of(&base, &base, true, 100, 0.9, 1, NULL, &out), STATS_NO_MEMORY);
		assert_true(mem_failed());
	}
	mem_fail_at(0);
	assert_true(out.ratio == -1);
	assert_int_equal(duet_paper_of(&base, &base, true, 100, 0.9, 1, NULL, &out), STATS_OK);
	assert_true(out.ratio == 1 && out.interval.low == 1 && out.interval.high == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_worked), cmocka_unit_test(test_winsorised),
	                                   cmocka_unit_test(test_seed), cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
