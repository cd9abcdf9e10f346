#include "stats/edivisive.h"

#include "base/random.h"
#include "stats/distribution.h"
#include "stats/summary.h"
#include "support/starve.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void fill(double *x, size_t n, double level, double deviation, struct random *random)
{
	for (size_t i = 0; i < n; i++)
		x[i] = level + deviation * random_normal(random);
}

/* Three levels, 100, 110 and 104, and two outliers; places count them. */
static void make_history(double *x, struct random *random)
{
	fill(x, 60, 100, 1, random);
	fill(x + 60, 50, 110, 1, random);
	fill(x + 110, 70, 104, 1, random);
	x[20] = 150;
	x[90] = 60;
}

static void test_history(void **state)
{
	(void)state;
	double x[180];
	struct random random;
	struct edivisive found;
	struct edivisive_options options = EDIVISIVE_DEFAULTS;
	options.confidence = 0.999;
	random_seed(&random, 1);
	make_history(x, &random);
	assert_int_equal(edivisive_find(x, 180, &options, &found), STATS_OK);
	assert_int_equal(found.outlier_count, 2);
	assert_int_equal(found.outliers[0], 20);
	assert_int_equal(found.outliers[1], 90);
	assert_int_equal(found.count, 2);
	static const size_t places[] = {60, 110};
	static const double levels[] = {100, 110, 104};
	for (size_t k = 0; k < 2; k++) {
		const struct edivisive_change *change = &found.changes[k];
		assert_int_equal(change->at, places[k]);
		assert_true(change->low <= places[k] && places[k] <= change->high && change->high - change->low < 3);
		assert_true(fabs(change->before - levels[k]) < 0.5 && fabs(change->after - levels[k + 1]) < 0.5);
		assert_close(change->size, change->after - change->before, 1e-12);
		assert_close(change->relative, change->after / change->before - 1, 1e-9);
		assert_true(change->size_interval.low < levels[k + 1] - levels[k] &&
		            levels[k + 1] - levels[k] < change->size_interval.high);
		assert_true(change->relative_interval.low < change->relative &&
		            change->relative < change->relative_interval.high);
		assert_true(change->p_value < 1e-6 && !change->gradual);
	}
	edivisive_release(&found);
	edivisive_release(&found);
}

/* Sizes from the formulas, with the factor that was found: Welch's interval widened by it. */
static void test_sizes(void **state)
{
	(void)state;
	double x[120];
	struct random random;
	struct edivisive found;
	struct edivisive_options options = EDIVISIVE_DEFAULTS;
	random_seed(&random, 3);
	fill(x, 50, 10, 0.5, &random);
	fill(x + 50, 70, 12, 1, &random);
	options.confidence = 0.9;
	assert_int_equal(edivisive_find(x, 120, &options, &found), STATS_OK);
	assert_int_equal(found.count, 1);
	size_t at = found.changes[0].at;
	struct summary a, b;
	assert_int_equal(summary_of(x, at, &a), STATS_OK);
	assert_int_equal(summary_of(x + at, 120 - at, &b), STATS_OK);
	double factor = found.longrun_factor, m1 = (double)at, m2 = 120 - m1;
	double u = factor * a.variance / m1, v = factor * b.variance / m2;
	double df = (u + v) * (u + v) / (u * u / (m1 / factor - 1) + v * v / (m2 / factor - 1));
	double half = t_quantile(0.95, df) * sqrt(u + v);
	assert_close(found.changes[0].size, b.mean - a.mean, 1e-12);
	assert_close(found.changes[0].size_interval.low, b.mean - a.mean - half, 1e-9);
	assert_close(found.changes[0].size_interval.high, b.mean - a.mean + half, 1e-9);
	edivisive_release(&found);
}

static void test_least_magnitude(void **state)
{
	(void)state;
	double x[180];
	struct random random;
	struct edivisive found;
	static const struct {
		double least;
		size_t count;
	} cases[] = {{0, 2}, {0.04, 2}, {0.07, 1}, {0.2, 0}};
	random_seed(&random, 1);
	make_history(x, &random);
	for (size_t k = 0; k < COUNT(cases); k++) {
		struct edivisive_options options = EDIVISIVE_DEFAULTS;
		options.min_relative = cases[k].least;
		assert_int_equal(edivisive_find(x, 180, &options, &found), STATS_OK);
		assert_int_equal(found.count, cases[k].count);
		assert_true(found.count != 1 || found.changes[0].at == 60);
		edivisive_release(&found);
	}
	/* Small steps that follow each other far apart do not add up to one. */
	for (size_t k = 0; k < 6; k++)
		fill(x + 30 * k, 30, 100 + 3 * (double)k, 0.3, &random);
	struct edivisive_options options = EDIVISIVE_DEFAULTS;
	options.min_relative = 0.05;
	assert_int_equal(edivisive_find(x, 180, &options, &found), STATS_OK);
	for (size_t k = 0; k < found.count; k++)
		assert_true(found.changes[k].gradual);
	edivisive_release(&found);
}

/* A ramp is one gradual change as long as the ramp, as high as most of it, and large enough for the least magnitude. */
static void test_ramp(void **state)
{
	(void)state;
	static double x[600];
	struct random random;
	struct edivisive found;
	struct edivisive_options options = EDIVISIVE_DEFAULTS;
	options.min_relative = 0.1;
	random_seed(&random, 5);
	fill(x, 600, 100, 1, &random);
	for (size_t i = 0; i < 600; i++)
		x[i] += 0.05 * (double)i;
	assert_int_equal(edivisive_find(x, 600, &options, &found), STATS_OK);
	assert_int_equal(found.count, 1);
	assert_true(found.changes[0].gradual);
	assert_true(found.changes[0].low < 20 && found.changes[0].high > 580);
	assert_true(found.changes[0].size > 15 && found.changes[0].size < 30);
	edivisive_release(&found);
}

/* Levels at or below 0 have no relative size; the change is reported all the same. */
static void test_signs(void **state)
{
	(void)state;
	double x[100];
	struct random random;
	struct edivisive found;
	struct edivisive_options options = EDIVISIVE_DEFAULTS;
	options.min_relative = 0.5;
	random_seed(&random, 7);
	fill(x, 50, -5, 1, &random);
	fill(x + 50, 50, 4, 1, &random);
	assert_int_equal(edivisive_find(x, 100, &options, &found), STATS_OK);
	assert_int_equal(found.count, 1);
	assert_true(isnan(found.changes[0].relative) && isnan(found.changes[0].relative_interval.low));
	assert_true(found.changes[0].size_interval.low > 7 && found.changes[0].size_interval.high < 11);
	edivisive_release(&found);
	/* A level above 0 that cannot be told from it: the ratio has no bounds. */
	fill(x, 50, 0.05, 1, &random);
	fill(x + 50, 50, 5, 1, &random);
	assert_int_equal(edivisive_find(x, 100, &options, &found), STATS_OK);
	assert_int_equal(found.count, 1);
	if (found.changes[0].before > 0)
		assert_true(isinf(found.changes[0].relative_interval.low) && isinf(found.changes[0].relative_interval.high));
	edivisive_release(&found);
}

/* An outlier beside the border may belong to either level, and the interval says so. */
static void test_outlier_at_the_border(void **state)
{
	(void)state;
	double x[100];
	struct random random;
	struct edivisive found;
	random_seed(&random, 9);
	fill(x, 50, 10, 0.1, &random);
	fill(x + 50, 50, 20, 0.1, &random);
	x[50] = 90;
	assert_int_equal(edivisive_find(x, 100, &EDIVISIVE_DEFAULTS, &found), STATS_OK);
	assert_true(found.outlier_count == 1 && found.outliers[0] == 50);
	assert_int_equal(found.count, 1);
	assert_int_equal(found.changes[0].at, 51);
	assert_int_equal(found.changes[0].low, 50);
	assert_int_equal(found.changes[0].high, 51);
	edivisive_release(&found);
}

static void test_edges(void **state)
{
	(void)state;
	double x[40];
	struct edivisive found;
	static const struct edivisive_options bad[] = {{0, 5, 0, 0.95},      {0.01, 1, 0, 0.95}, {0.01, 5, -1, 0.95},
	                                               {0.01, 5, NAN, 0.95}, {0.01, 5, 0, 1},    {0.01, 5, 0, 0}};
	for (size_t i = 0; i < 40; i++)
		x[i] = 2;
	for (size_t k = 0; k < COUNT(bad); k++)
		assert_int_equal(edivisive_find(x, 40, &bad[k], &found), STATS_BAD_ARGUMENT);
	assert_int_equal(edivisive_find(x, 0, &EDIVISIVE_DEFAULTS, &found), STATS_EMPTY);
	static const size_t lengths[] = {1, 2, 9, 10, 40};
	for (size_t k = 0; k < COUNT(lengths); k++) {
		assert_int_equal(edivisive_find(x, lengths[k], &EDIVISIVE_DEFAULTS, &found), STATS_OK);
		assert_true(found.count == 0 && found.outlier_count == 0);
		edivisive_release(&found);
	}
	/* A step without noise: no width, and no doubt about the place. */
	for (size_t i = 20; i < 40; i++)
		x[i] = 3;
	assert_int_equal(edivisive_find(x, 40, &EDIVISIVE_DEFAULTS, &found), STATS_OK);
	assert_int_equal(found.count, 1);
	assert_true(found.changes[0].low == 20 && found.changes[0].high == 20 && found.changes[0].relative == 0.5);
	assert_true(found.changes[0].size_interval.low == 1 && found.changes[0].size_interval.high == 1);
	edivisive_release(&found);
	x[3] = NAN;
	assert_int_equal(edivisive_find(x, 40, &EDIVISIVE_DEFAULTS, &found), STATS_NOT_FINITE);
}

static enum stats_status find(void *data)
{
	struct edivisive_options options = EDIVISIVE_DEFAULTS;
	struct edivisive found = {0};
	options.min_relative = 0.01;
	enum stats_status status = edivisive_find(data, 180, &options, &found);
	edivisive_release(&found);
	return status;
}

static void test_no_memory(void **state)
{
	(void)state;
	double x[180];
	struct random random;
	random_seed(&random, 1);
	make_history(x, &random);
	assert_true(starve(find, x) >= 20);
}

/* A step of 20 sd in the middle: nine of ten are found in 24 values, hardly any in 14. What is said of short histories
 * (model/history.h) rests on it. Without a step none is found. */
static void test_short(void **state)
{
	(void)state;
	enum { SERIES = 300, LONGEST = 24 };
	static const struct {
		size_t n, least, most; /* of the series, in which the step is found */
	} cases[] = {{12, 0, 0}, {14, 0, 40}, {20, 240, 300}, {24, 264, 300}};
	const struct edivisive_options options = EDIVISIVE_DEFAULTS;
	struct random random;
	random_seed(&random, 20261118);
	for (size_t k = 0; k < COUNT(cases); k++) {
		size_t found = 0, wrong = 0, n = cases[k].n;
		for (size_t s = 0; s < SERIES; s++) {
			double x[LONGEST];
			struct edivisive result;
			fill(x, n, 100, 1, &random);
			assert_int_equal(edivisive_find(x, n, &options, &result), STATS_OK);
			wrong += result.count > 0;
			edivisive_release(&result);
			for (size_t i = n / 2; i < n; i++)
				x[i] += 20;
			assert_int_equal(edivisive_find(x, n, &options, &result), STATS_OK);
			found += result.count > 0;
			edivisive_release(&result);
		}
		print_message("# %zu values: a step of 20 sd found in %.0f %%, %.1f %% false alarms\n", n,
		              100.0 * (double)found / SERIES, 100.0 * (double)wrong / SERIES);
		assert_in_range(found, cases[k].least, cases[k].most);
		assert_in_range(wrong, 0, SERIES / 50);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_history), cmocka_unit_test(test_sizes),     cmocka_unit_test(test_least_magnitude),
		cmocka_unit_test(test_ramp),    cmocka_unit_test(test_signs),     cmocka_unit_test(test_outlier_at_the_border),
		cmocka_unit_test(test_edges),   cmocka_unit_test(test_no_memory), cmocka_unit_test(test_short),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
