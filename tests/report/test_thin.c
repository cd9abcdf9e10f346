/* What plots compute for themselves: thinning, bins, ranks and their autocorrelation. */
#include "report/bins.h"
#include "report/dependence.h"
#include "report/thin.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/known.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_kept(const size_t *kept, size_t count, size_t i)
{
	for (size_t k = 0; k < count; k++)
		if (kept[k] == i)
			return true;
	return false;
}

static void assert_ascending(const size_t *kept, size_t count)
{
	for (size_t k = 1; k < count; k++)
		assert_true(kept[k - 1] < kept[k]);
}

static void test_a_thinned_series_keeps_the_extremes_of_every_stretch(void **state)
{
	(void)state;
	enum { N = 1000, COLUMNS = 37 };
	double x[N];
	size_t kept[2 * COLUMNS];
	struct random random;
	random_seed(&random, 1);
	for (size_t i = 0; i < N; i++)
		x[i] = random_normal(&random);
	for (size_t i = 500; i < 560; i++)
		x[i] = NAN; /* two stretches and a bit without a value */
	size_t count = thin_series(x, N, COLUMNS, kept);
	assert_in_range(count, 2 * (COLUMNS - 3), 2 * COLUMNS);
	assert_ascending(kept, count);
	for (size_t column = 0; column < COLUMNS; column++) {
		size_t first = thin_border(column, N, COLUMNS), end = thin_border(column + 1, N, COLUMNS);
		double low = INFINITY, high = -INFINITY, kept_low = INFINITY, kept_high = -INFINITY;
		for (size_t i = first; i < end; i++) {
			low = fmin(low, isnan(x[i]) ? INFINITY : x[i]);
			high = fmax(high, isnan(x[i]) ? -INFINITY : x[i]);
		}
		for (size_t k = 0; k < count; k++)
			if (kept[k] >= first && kept[k] < end) {
				kept_low = fmin(kept_low, x[kept[k]]);
				kept_high = fmax(kept_high, x[kept[k]]);
			}
		assert_true(low == kept_low && high == kept_high);
	}
	assert_int_equal(thin_border(0, N, COLUMNS), 0);
	assert_int_equal(thin_border(COLUMNS, N, COLUMNS), N);
	assert_int_equal(thin_series(x, 2 * COLUMNS, COLUMNS, kept), 2 * COLUMNS);
	assert_int_equal(thin_series(x, 0, COLUMNS, kept), 0);
	assert_int_equal(thin_series(x + 500, 60, 37, kept), 0);
}

static void test_a_sample_keeps_both_ends(void **state)
{
	(void)state;
	double x[1000];
	size_t kept[102];
	for (size_t i = 0; i < 1000; i++)
		x[i] = (double)((i * 7919) % 1000);
	size_t count = thin_sample(x, 1000, 100, kept);
	assert_in_range(count, 100, 102);
	assert_ascending(kept, count);
	for (size_t i = 0; i < 1000; i++)
		if (x[i] == 0 || x[i] == 999)
			assert_true(is_kept(kept, count, i));
	assert_int_equal(thin_sample(x, 50, 100, kept), 50);
	assert_int_equal(thin_sample(x, 0, 100, kept), 0);
}

static void test_a_thinned_cloud_covers_what_the_cloud_covers(void **state)
{
	(void)state;
	enum { N = 5000, CELLS = 12 };
	static double x[N], y[N];
	size_t kept[2 * CELLS * CELLS + 4];
	unsigned char taken[CELLS * CELLS] = {0}, all[CELLS * CELLS] = {0}, some[CELLS * CELLS] = {0};
	struct random random;
	random_seed(&random, 2);
	size_t top = 0, left = 0;
	for (size_t i = 0; i < N; i++) {
		x[i] = random_normal(&random);
		y[i] = x[i] + random_normal(&random);
		top = y[i] > y[top] ? i : top;
		left = x[i] < x[left] ? i : left;
	}
	size_t count = thin_cloud(x, y, N, -4, 4, -6, 6, CELLS, taken, kept);
	assert_in_range(count, 50, sizeof(kept) / sizeof(kept[0]));
	assert_ascending(kept, count);
	assert_true(is_kept(kept, count, top) && is_kept(kept, count, left));
	for (size_t i = 0, k = 0; i < N; i++) {
		size_t cell = (size_t)((y[i] + 6) / 12 * CELLS) * CELLS + (size_t)((x[i] + 4) / 8 * CELLS);
		if (x[i] <= -4 || x[i] >= 4 || y[i] <= -6 || y[i] >= 6)
			continue;
		all[cell] = 1;
		while (k < count && kept[k] < i)
			k++;
		some[cell] |= k < count && kept[k] == i;
	}
	assert_memory_equal(all, some, sizeof(all));
}

static void test_bins_count_every_value_once(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 3);
	for (int round = 0; round < 3000; round++) {
		double x[120];
		size_t n = 1 + random_below(&random, 120), most = 1 + random_below(&random, 20), total = 0, largest = 0;
		double size = pow(10, random_uniform(&random) * 30 - 15);
		for (size_t i = 0; i < n; i++)
			x[i] = round % 3 ? size * (5 + random_normal(&random)) : size * (double)random_below(&random, 4);
		if (round % 5 == 0)
			x[0] = size * 1e6;
		struct axis_range range = axis_range_bulk(x, n);
		struct bins bins;
		assert_int_equal(bins_fill(&bins, x, n, &range, most), 0);
		assert_true(bins.count >= 1 && bins.width > 0);
		assert_true(bins.count <= (most < 2 ? 2 : most));
		for (size_t k = 0; k < bins.count + 2; k++) {
			total += bins.counts[k];
			largest = bins.counts[k] > largest ? bins.counts[k] : largest;
		}
		assert_int_equal(total, n);
		assert_int_equal(largest, bins.most);
		assert_int_equal(range.below, bins.counts[0]);
		assert_int_equal(range.above, bins.counts[bins.count + 1]);
		/* Naive recount of the first bin, with room for values on its border. */
		size_t inside = 0, near = 0;
		for (size_t i = 0; i < n; i++) {
			double place = (x[i] - bins.start) / bins.width;
			inside += place >= 1e-6 && place < 1 - 1e-6;
			near += place >= -1e-6 && place <= 1 + 1e-6;
		}
		assert_in_range(bins.counts[1], inside, near);
		bins_release(&bins);
	}
}

static void test_bins_without_memory(void **state)
{
	(void)state;
	double x[] = {1, 2};
	struct axis_range range = axis_range_all(x, 2);
	struct bins bins;
	mem_fail_at(1);
	assert_int_equal(bins_fill(&bins, x, 2, &range, 5), -1);
	mem_fail_at(0);
}

static void test_ranks_and_autocorrelation_as_in_r(void **state)
{
	(void)state;
	json_t *known = known_load("dependence.json");
	size_t n, count;
	double *x = known_array(json_object_get(known, "x"), &n);
	double *ranks = known_array(json_object_get(known, "ranks"), &count);
	double *acf = known_array(json_object_get(known, "acf"), &count);
	double ours[64], space[64], found[8];
	dependence_ranks(x, n, ours, space);
	for (size_t i = 0; i < n; i++)
		assert_close(ours[i], ranks[i], 0);
	struct plot_series series = {.values = ours, .n = n, .unit = ""};
	dependence_acf(&series, found, count);
	for (size_t i = 0; i < count; i++)
		assert_close(found[i], acf[i], 1e-12);
	x[3] = NAN;
	dependence_ranks(x, n, ours, space);
	assert_true(isnan(ours[3]));
	assert_close(ours[12], 15, 0);
	free(x);
	free(ranks);
	free(acf);
	json_decref(known);
}

static void test_autocorrelation_stays_inside_runs(void **state)
{
	(void)state;
	double x[] = {1, 2, 1, 2, 9, 9}, acf[3];
	uint32_t starts[] = {0, 2, 4, 6};
	struct plot_series series = {.values = x, .n = 6, .unit = "", .starts = starts, .run_count = 3};
	dependence_acf(&series, acf, 3);
	double mean = 4, squares = 9 + 4 + 9 + 4 + 25 + 25;
	assert_close(acf[0], ((1 - mean) * (2 - mean) * 2 + 25) / squares, 1e-12);
	assert_close(acf[1], 0, 1e-12);
	double same[] = {3, 3, 3};
	series = (struct plot_series){.values = same, .n = 3, .unit = ""};
	dependence_acf(&series, acf, 2);
	assert_true(isnan(acf[0]));
	assert_int_equal(dependence_lags(1000, 30), 30);
	assert_int_equal(dependence_lags(1000, 300), 40);
	assert_int_equal(dependence_lags(3, 30), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_thinned_series_keeps_the_extremes_of_every_stretch),
		cmocka_unit_test(test_a_sample_keeps_both_ends),
		cmocka_unit_test(test_a_thinned_cloud_covers_what_the_cloud_covers),
		cmocka_unit_test(test_bins_count_every_value_once),
		cmocka_unit_test(test_bins_without_memory),
		cmocka_unit_test(test_ranks_and_autocorrelation_as_in_r),
		cmocka_unit_test(test_autocorrelation_stays_inside_runs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
