/* The search that EDM and E-divisive share; how often it is right is in tests/coverage/test_changes.c. */
#include "stats/changepoint.h"

#include "base/random.h"
#include "support/starve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct changepoint_options DEFAULTS = {0.01, 5};

struct level {
	size_t count;
	double mean;
};

/* Levels with normal noise of that deviation; returns the number of values. */
static size_t fill(double *x, const struct level *levels, size_t count, double deviation, uint64_t seed)
{
	struct random random;
	size_t n = 0;
	random_seed(&random, seed);
	for (size_t k = 0; k < count; k++)
		for (size_t i = 0; i < levels[k].count; i++)
			x[n++] = levels[k].mean + deviation * random_normal(&random);
	return n;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Finds exactly the borders of the levels, to `tolerance` places, and each interval holds its border. */
static void assert_finds(const struct level *levels, size_t count, double deviation, size_t tolerance)
{
	static double x[20000];
	struct changepoints found;
	size_t n = fill(x, levels, count, deviation, 7), border = 0;
	assert_int_equal(changepoint_find(x, n, &DEFAULTS, NULL, 0, &found), STATS_OK);
	assert_int_equal(found.count, count - 1);
	for (size_t k = 0; k + 1 < count; k++) {
		const struct changepoint *point = &found.points[k];
		border += levels[k].count;
		assert_in_range(point->at, border - tolerance, border + tolerance);
		assert_true(point->low <= border && border <= point->high);
		assert_true(point->p_value >= 0 && point->p_value <= 0.01 && !point->gradual);
	}
	assert_true(found.longrun_factor >= 1);
	changepoints_release(&found);
}

static void test_levels(void **state)
{
	(void)state;
	const struct level one[] = {{80, 10}}, two[] = {{60, 10}, {90, 13}}, bump[] = {{120, 5}, {10, 12}, {170, 5}},
					   short_end[] = {{300, 1}, {6, 11}},
					   stairs[] = {{40, 0}, {40, 6}, {40, 0}, {40, -6}, {40, 0}, {40, 9}};
	assert_finds(one, COUNT(one), 1, 0);
	assert_finds(two, COUNT(two), 1, 2);
	assert_finds(bump, COUNT(bump), 1, 1);
	assert_finds(short_end, COUNT(short_end), 1, 0);
	assert_finds(stairs, COUNT(stairs), 1, 1);
	/* Without noise every border is exact. */
	assert_finds(two, COUNT(two), 0, 0);
	assert_finds(bump, COUNT(bump), 0, 0);
	assert_finds(stairs, COUNT(stairs), 0, 0);
}

/* A bump of six values is found wherever it lies, read from either end: most intervals that hold one end of it hold the
 * other as well. */
static void test_short_bump(void **state)
{
	(void)state;
	enum { SERIES = 100 };
	const struct level forward[] = {{23, 0}, {20, 4}, {6, -6}, {11, 4}}, back[] = {{11, 4}, {6, -6}, {20, 4}, {23, 0}};
	const struct level *const levels[] = {forward, back};
	for (size_t way = 0; way < 2; way++) {
		size_t all = 0;
		for (uint64_t seed = 1; seed <= SERIES; seed++) {
			double x[60];
			struct changepoints found;
			size_t n = fill(x, levels[way], 4, 1, seed);
			assert_int_equal(changepoint_find(x, n, &DEFAULTS, NULL, 0, &found), STATS_OK);
			all += found.count == 3;
			changepoints_release(&found);
		}
		print_message("# all three changes found in %zu of %d series\n", all, SERIES);
		assert_in_range(all, 90, SERIES);
	}
}

static void test_many_levels(void **state)
{
	(void)state;
	struct level levels[100];
	for (size_t k = 0; k < 100; k++)
		levels[k] = (struct level){100 + k, (double)(k * 7 % 10) * 3};
	for (size_t k = 1; k < 100; k++)
		assert_true(levels[k].mean != levels[k - 1].mean);
	assert_finds(levels, 100, 0.5, 1);
}

/* The same whatever the unit and the zero of the values, and mirrored when they are. */
static void test_scale(void **state)
{
	(void)state;
	const struct level levels[] = {{50, 3}, {70, 5}, {60, 4}};
	double x[180], y[180];
	struct changepoints first, other;
	size_t n = fill(x, levels, 3, 0.7, 3);
	static const struct {
		double scale, offset;
	} maps[] = {{1e-9, 0}, {1e9, 0}, {-1, 0}, {0.5, 1e6}};
	assert_int_equal(changepoint_find(x, n, &DEFAULTS, NULL, 0, &first), STATS_OK);
	assert_int_equal(first.count, 2);
	for (size_t m = 0; m < COUNT(maps); m++) {
		for (size_t i = 0; i < n; i++)
			y[i] = maps[m].scale * x[i] + maps[m].offset;
		assert_int_equal(changepoint_find(y, n, &DEFAULTS, NULL, 0, &other), STATS_OK);
		assert_int_equal(other.count, first.count);
		for (size_t k = 0; k < first.count; k++) {
			assert_int_equal(other.points[k].at, first.points[k].at);
			assert_close(other.points[k].p_value, first.points[k].p_value, 1e-4);
		}
		changepoints_release(&other);
	}
	for (size_t i = 0; i < n; i++)
		y[i] = x[n - 1 - i];
	assert_int_equal(changepoint_find(y, n, &DEFAULTS, NULL, 0, &other), STATS_OK);
	assert_int_equal(other.count, 2);
	assert_int_equal(n - other.points[1].at, first.points[0].at);
	changepoints_release(&first);
	changepoints_release(&other);
}

static void test_autocorrelation_is_seen(void **state)
{
	(void)state;
	static double x[3000];
	struct random random;
	struct changepoints found;
	random_seed(&random, 2);
	double value = 0;
	for (size_t i = 0; i < 3000; i++) {
		value = 0.8 * value + 0.6 * random_normal(&random);
		x[i] = value + (i < 1000 ? 0 : 3);
	}
	assert_int_equal(changepoint_find(x, 3000, &DEFAULTS, NULL, 0, &found), STATS_OK);
	assert_true(found.longrun_factor > 7 && found.longrun_factor < 12); /* true: 9 */
	assert_int_equal(found.count, 1);
	assert_in_range(found.points[0].at, 980, 1020);
	changepoints_release(&found);
}

/* A ramp is said to be one, whether it is short over its noise or long; a straight line too. */
static void test_ramps(void **state)
{
	(void)state;
	static double x[2000];
	static const double heights[] = {5, 20, 200};
	struct random random;
	random_seed(&random, 4);
	for (size_t h = 0; h < 4; h++) {
		struct changepoints found;
		for (size_t i = 0; i < 2000; i++)
			x[i] = h < 3 ? heights[h] * (double)i / 2000 + random_normal(&random) : (double)i;
		assert_int_equal(changepoint_find(x, 2000, &DEFAULTS, NULL, 0, &found), STATS_OK);
		assert_true(found.count > 0);
		for (size_t k = 0; k < found.count; k++)
			assert_true(found.points[k].gradual);
		changepoints_release(&found);
	}
}

/* Cycles are no changes, whether their period is two values, a week or forty. */
static void test_cycles(void **state)
{
	(void)state;
	double x[400];
	static const double periods[] = {2, 7, 40};
	struct random random;
	random_seed(&random, 6);
	for (size_t p = 0; p < 3; p++) {
		struct changepoints found;
		for (size_t i = 0; i < 400; i++)
			x[i] = 2 * cos(2 * M_PI * (double)i / periods[p]) + random_normal(&random);
		assert_int_equal(changepoint_find(x, 400, &DEFAULTS, NULL, 0, &found), STATS_OK);
		assert_int_equal(found.count, 0);
		changepoints_release(&found);
	}
}

static void test_hints(void **state)
{
	(void)state;
	const struct level levels[] = {{100, 0}, {100, 2}};
	static double x[200];
	struct changepoints found;
	const size_t hints[] = {3, 37, 99, 150, 198};
	size_t n = fill(x, levels, 2, 1, 9);
	assert_int_equal(changepoint_find(x, n, &DEFAULTS, hints, COUNT(hints), &found), STATS_OK);
	assert_int_equal(found.count, 1);
	assert_in_range(found.points[0].at, 98, 102);
	changepoints_release(&found);
}

static void test_edges(void **state)
{
	(void)state;
	double x[200];
	struct changepoints found = {.count = 99};
	for (size_t i = 0; i < 200; i++)
		x[i] = 3.25;
	assert_int_equal(changepoint_find(x, 0, &DEFAULTS, NULL, 0, &found), STATS_EMPTY);
	assert_int_equal(found.count, 99);
	for (size_t n = 1; n <= 200; n = n * 3 + 1) {
		assert_int_equal(changepoint_find(x, n, &DEFAULTS, NULL, 0, &found), STATS_OK);
		assert_true(found.count == 0 && found.points == NULL && found.longrun_factor == 1);
	}
	/* One value apart from a constant is no level. */
	x[150] = 7;
	assert_int_equal(changepoint_find(x, 200, &DEFAULTS, NULL, 0, &found), STATS_OK);
	assert_int_equal(found.count, 0);
	changepoints_release(&found);
	x[9] = NAN;
	assert_int_equal(changepoint_find(x, 200, &DEFAULTS, NULL, 0, &found), STATS_NOT_FINITE);
	assert_int_equal(changepoint_find(x, 9, &DEFAULTS, NULL, 0, &found), STATS_OK);
	x[9] = -INFINITY;
	assert_int_equal(changepoint_find(x, 200, &DEFAULTS, NULL, 0, &found), STATS_NOT_FINITE);
	x[9] = 1e300;
	assert_int_equal(changepoint_find(x, 200, &DEFAULTS, NULL, 0, &found), STATS_NOT_DEFINED);
	changepoints_release(&found);
	changepoints_release(&found);
}

static void test_options(void **state)
{
	(void)state;
	const struct level levels[] = {{20, 0}, {20, 10}};
	static double x[40];
	struct changepoints found;
	static const struct changepoint_options bad[] = {{0, 5}, {0.5, 5}, {-1, 5}, {NAN, 5}, {0.01, 1}, {0.01, 0}};
	size_t n = fill(x, levels, 2, 1, 9);
	for (size_t k = 0; k < COUNT(bad); k++)
		assert_int_equal(changepoint_find(x, n, &bad[k], NULL, 0, &found), STATS_BAD_ARGUMENT);
	assert_int_equal(changepoint_find(x, n, &(struct changepoint_options){0.01, 20}, NULL, 0, &found), STATS_OK);
	assert_int_equal(found.count, 1);
	changepoints_release(&found);
	assert_int_equal(changepoint_find(x, n, &(struct changepoint_options){0.01, 21}, NULL, 0, &found), STATS_OK);
	assert_int_equal(found.count, 0);
	/* As strict as asked for. */
	assert_int_equal(changepoint_find(x, n, &(struct changepoint_options){1e-12, 5}, NULL, 0, &found), STATS_OK);
	assert_int_equal(found.count, 0);
	changepoints_release(&found);
}

static enum stats_status find(void *data)
{
	struct changepoints found = {0};
	enum stats_status status = changepoint_find(data, 180, &DEFAULTS, NULL, 0, &found);
	changepoints_release(&found);
	return status;
}

static void test_no_memory(void **state)
{
	(void)state;
	const struct level levels[] = {{50, 3}, {70, 5}, {60, 1}};
	double x[180];
	fill(x, levels, 3, 0.5, 3);
	assert_true(starve(find, x) >= 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels),      cmocka_unit_test(test_short_bump),
		cmocka_unit_test(test_many_levels), cmocka_unit_test(test_scale),
		cmocka_unit_test(test_ramps),       cmocka_unit_test(test_autocorrelation_is_seen),
		cmocka_unit_test(test_cycles),      cmocka_unit_test(test_hints),
		cmocka_unit_test(test_edges),       cmocka_unit_test(test_options),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
