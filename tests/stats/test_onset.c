#include "stats/onset.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/known.h"

#include <math.h>

/* How often it is right is the simulation's matter (tests/coverage/warmups.c); here is what it says of plain cases. */
enum { LENGTH = 600 };

static const struct onset_options usual = {.precision = 0.01}, warmed = {.precision = 0.01, .warmed = true};

static void fill(double *x, size_t n, uint64_t seed)
{
	struct random random;
	random_seed(&random, seed);
	for (size_t i = 0; i < n; i++)
		x[i] = 1 + 0.01 * random_normal(&random);
}

static void scale(double *x, size_t from, size_t to, double factor)
{
	for (size_t i = from; i < to; i++)
		x[i] *= factor;
}

static void test_steps(void **state)
{
	(void)state;
	double x[LENGTH];
	struct onset found;
	fill(x, LENGTH, 1);
	assert_int_equal(onset_find(x, LENGTH, &usual, &found), STATS_OK);
	assert_true(found.kind == ONSET_NONE && found.from == 0 && found.late == 0);
	scale(x, 0, 34, 1.5);
	assert_int_equal(onset_find(x, LENGTH, &usual, &found), STATS_OK);
	assert_true(found.kind == ONSET_STEP && found.from == 34);
	assert_close(found.ratio, 1 / 1.5, 0.01);
	/* Two steps, and the start faster than the end. */
	scale(x, 0, 100, 0.5);
	assert_int_equal(onset_find(x, LENGTH, &usual, &found), STATS_OK);
	assert_true(found.kind == ONSET_STEP && found.from == 100 && found.ratio > 1);
	/* A change of less than half the precision is none. */
	fill(x, LENGTH, 2);
	for (size_t i = 0; i < LENGTH; i++)
		x[i] = 1 + (x[i] - 1) / 100;
	scale(x, 0, 100, 1.004);
	assert_int_equal(onset_find(x, LENGTH, &usual, &found), STATS_OK);
	assert_int_equal(found.from, 0);
	scale(x, 0, 100, 1.004);
	assert_int_equal(onset_find(x, LENGTH, &usual, &found), STATS_OK);
	assert_int_equal(found.from, 100);
}

/* An excursion does not end the steady part; a level near the end that is too short does not begin one. */
static void test_levels_that_do_not_last(void **state)
{
	(void)state;
	double x[LENGTH];
	struct onset found;
	fill(x, LENGTH, 3);
	scale(x, 0, 20, 2);
	scale(x, 400, 450, 1.2);
	assert_int_equal(onset_find(x, LENGTH, &usual, &found), STATS_OK);
	assert_true(found.kind == ONSET_STEP && found.from == 20);
	fill(x, LENGTH, 4);
	scale(x, 0, 20, 2);
	scale(x, 500, LENGTH, 1.3);
	assert_int_equal(onset_find(x, LENGTH, &usual, &found), STATS_OK);
	assert_true(found.kind == ONSET_NEVER && found.from == 20 && found.late == 500);
	assert_close(found.late_ratio, 1.3, 0.01);
	/* Ever slower. */
	fill(x, LENGTH, 5);
	for (size_t i = 0; i < LENGTH; i++)
		x[i] *= 1 + (double)i / LENGTH;
	assert_int_equal(onset_find(x, LENGTH, &usual, &found), STATS_OK);
	assert_int_equal(found.kind, ONSET_NEVER);
}

static void test_curves_and_first_values(void **state)
{
	(void)state;
	double x[LENGTH];
	struct onset found;
	fill(x, LENGTH, 6);
	for (size_t i = 0; i < LENGTH; i++)
		x[i] += 0.5 * exp(-(double)i / 20);
	assert_int_equal(onset_find(x, LENGTH, &usual, &found), STATS_OK);
	assert_int_equal(found.kind, ONSET_CURVE);
	assert_in_range(found.from, 82, 102); /* 20·ln 100 = 92 */
	/* The first iteration of a process, also before a curve; who has warmed up has none. */
	fill(x, LENGTH, 7);
	x[0] = 30;
	assert_int_equal(onset_find(x, LENGTH, &usual, &found), STATS_OK);
	assert_true(found.kind == ONSET_STEP && found.from == 1);
	assert_close(found.ratio, 1 / 30., 0.01);
	assert_int_equal(onset_find(x, LENGTH, &warmed, &found), STATS_OK);
	assert_int_equal(found.from, 0);
	scale(x, 0, 50, 1.2);
	assert_int_equal(onset_find(x, LENGTH, &warmed, &found), STATS_OK);
	assert_int_equal(found.from, 50);
}

/* Long runs are searched by means of neighbours, and the step is placed among the values. */
static void test_long_run(void **state)
{
	(void)state;
	enum { LONG = 100000 };
	static double x[LONG];
	struct onset found;
	fill(x, LONG, 8);
	scale(x, 0, 31234, 1.1);
	assert_int_equal(onset_find(x, LONG, &usual, &found), STATS_OK);
	assert_int_equal(found.kind, ONSET_STEP);
	assert_in_range(found.from, 31230, 31238);
}

static void test_edges(void **state)
{
	(void)state;
	double x[LENGTH];
	struct onset found = {.from = 99};
	for (size_t i = 0; i < LENGTH; i++)
		x[i] = 5;
	assert_int_equal(onset_find(x, ONSET_LEAST - 1, &usual, &found), STATS_TOO_FEW);
	assert_int_equal(onset_find(x, LENGTH, &(struct onset_options){.precision = -1}, &found), STATS_BAD_ARGUMENT);
	assert_int_equal(found.from, 99);
	assert_int_equal(onset_find(x, LENGTH, &usual, &found), STATS_OK);
	assert_true(found.kind == ONSET_NONE && found.from == 0);
	x[3] = NAN;
	assert_int_equal(onset_find(x, LENGTH, &usual, &found), STATS_NOT_FINITE);
	fill(x, LENGTH, 9);
	scale(x, 0, 34, 1.5);
	found.from = 99;
	int n = 1;
	for (;; n++) {
		mem_fail_at(n);
		enum stats_status status = onset_find(x, LENGTH, &usual, &found);
		if (!mem_failed())
			break;
		assert_int_equal(status, STATS_NO_MEMORY);
		assert_int_equal(found.from, 99);
	}
	mem_fail_at(0);
	assert_true(n > 5 && found.from == 34);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_levels_that_do_not_last),
		cmocka_unit_test(test_curves_and_first_values),
		cmocka_unit_test(test_long_run),
		cmocka_unit_test(test_edges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
