#include "model/series.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/known.h"

#include <math.h>

static const enum level two_levels[] = {LEVEL_RUN, LEVEL_ITERATION};
static const enum level three_levels[] = {LEVEL_BUILD, LEVEL_RUN, LEVEL_ITERATION};

static void append(struct series *series, unsigned open, double value)
{
	struct error err;
	assert_int_equal(series_append(series, open, value, &err), 0);
}

static void test_two_levels(void **state)
{
	(void)state;
	struct series series;
	size_t n;
	series_init(&series, two_levels, 2);
	assert_true(series.n == 0 && series.groups[0] == 0 && series.levels[1] == LEVEL_ITERATION);
	append(&series, 1, 10); /* the first value opens a run whatever it says */
	append(&series, 1, 11);
	append(&series, 0, 20);
	append(&series, 0, 30);
	append(&series, 1, NAN); /* lost */
	append(&series, 1, 32);
	assert_int_equal(series.n, 6);
	assert_int_equal(series.groups[0], 3);
	const uint32_t starts[] = {0, 2, 3, 6};
	assert_memory_equal(series.starts[0], starts, sizeof(starts));
	assert_int_equal(series_span(&series, 0, &n), 0);
	assert_int_equal(n, 2);
	assert_int_equal(series_span(&series, 2, &n), 3);
	assert_int_equal(n, 3);
	assert_true(isnan(series.values[4]) && series.values[5] == 32);
	series_release(&series);
	series_release(&series);
}

static void test_three_levels(void **state)
{
	(void)state;
	struct series series;
	size_t n;
	series_init(&series, three_levels, 3);
	const unsigned open[] = {0, 2, 1, 2, 2, 0, 1};
	for (int i = 0; i < 7; i++)
		append(&series, open[i], i);
	/* build 0: runs {0, 1}, {2, 3, 4}; build 1: runs {5}, {6} */
	const uint32_t builds[] = {0, 2, 4}, runs[] = {0, 2, 5, 6, 7};
	assert_memory_equal(series.starts[0], builds, sizeof(builds));
	assert_memory_equal(series.starts[1], runs, sizeof(runs));
	assert_int_equal(series_span(&series, 0, &n), 0);
	assert_int_equal(n, 5);
	assert_int_equal(series_span(&series, 1, &n), 5);
	assert_int_equal(n, 2);
	series_release(&series);
}

/* Random trees, against lengths that were counted beside: spans tile the values. */
static void test_many(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 3);
	struct series series;
	series_init(&series, three_levels, 3);
	size_t lengths[5000], builds = 0;
	for (int i = 0; i < 20000; i++) {
		unsigned open = (unsigned)random_below(&random, 20);
		open = open > 2 ? 2 : open;
		if (i == 0 || open == 0)
			lengths[builds++] = 0;
		lengths[builds - 1]++;
		append(&series, open, i);
	}
	assert_int_equal(series.groups[0], builds);
	size_t at = 0, n;
	for (size_t g = 0; g < builds; g++) {
		assert_int_equal(series_span(&series, g, &n), at);
		assert_int_equal(n, lengths[g]);
		at += n;
	}
	assert_int_equal(at, series.n);
	for (size_t i = 0; i < series.n; i++)
		assert_true(series.values[i] == (double)i);
	for (size_t r = 0; r < series.groups[1]; r++)
		assert_true(series.starts[1][r] < series.starts[1][r + 1]);
	assert_int_equal(series.starts[1][series.groups[1]], series.n);
	series_release(&series);
}

/* Whichever allocation fails, the value is refused, nothing before it is lost, and the next try succeeds. */
static void test_no_memory(void **state)
{
	(void)state;
	struct series series;
	struct error err;
	int failures = 0;
	series_init(&series, three_levels, 3);
	for (int i = 0; i < 500; i++) {
		for (long nth = 1;; nth++) {
			mem_fail_at(nth);
			size_t before = series.n, runs = series.groups[1];
			int result = series_append(&series, (unsigned)i % 3, i, &err);
			int failed = mem_failed();
			mem_fail_at(0);
			assert_int_equal(result, failed ? -1 : 0);
			if (!failed)
				break;
			assert_int_equal(err.kind, ERROR_MEMORY);
			assert_true(series.n == before && series.groups[1] == runs);
			failures++;
		}
	}
	assert_true(failures > 20);
	assert_int_equal(series.n, 500);
	for (int i = 0; i < 500; i++)
		assert_true(series.values[i] == i);
	series_release(&series);
}

static void test_level_names(void **state)
{
	(void)state;
	const char *const names[] = {"machine", "build", "run", "iteration", "invocation"};
	for (int level = 0; level < LEVEL_COUNT; level++) {
		assert_string_equal(level_name((enum level)level), names[level]);
		assert_int_equal(level_by_name(names[level]), level);
	}
	assert_int_equal(level_by_name("runs"), LEVEL_COUNT);
	assert_int_equal(level_by_name(""), LEVEL_COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_levels), cmocka_unit_test(test_three_levels),
	                                   cmocka_unit_test(test_many), cmocka_unit_test(test_no_memory),
	                                   cmocka_unit_test(test_level_names)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
