#include "stats/settle.h"

#include "base/memory.h"
#include "base/random.h"
#include "stats/mser.h"
#include "support/known.h"

#include <math.h>

enum { RUNS = 3, LENGTH = 300 };

static const uint32_t starts[] = {0, LENGTH, 2 * LENGTH, 3 * LENGTH};

static void fill(double *x, uint64_t seed)
{
	struct random random;
	random_seed(&random, seed);
	for (size_t i = 0; i < RUNS * LENGTH; i++)
		x[i] = 1 + 0.01 * random_normal(&random);
}

/* The parts are those of the tests that it is made of. */
static void test_parts(void **state)
{
	(void)state;
	double x[RUNS * LENGTH];
	struct settle found;
	size_t skip;
	fill(x, 3);
	for (size_t r = 0; r < RUNS; r++)
		for (size_t i = 0; i < 40 + r; i++)
			x[r * LENGTH + i] += 0.3;
	assert_int_equal(settle_find(x, starts, RUNS, 0.01, -1, &found), STATS_OK);
	assert_int_equal(mser_common(x, starts, RUNS, &skip), STATS_OK);
	assert_int_equal(found.from, skip);
	assert_int_equal(found.state, SETTLE_INDEPENDENT);
	assert_int_equal(found.runs, 3);
	for (size_t r = 0; r < RUNS; r++) {
		struct steady steady;
		struct independence independence;
		assert_int_equal(steady_test(x + starts[r], LENGTH, skip, 0.01, &steady), STATS_OK);
		assert_int_equal(independence_test(x + starts[r] + skip, LENGTH - skip, &independence), STATS_OK);
		assert_close(found.run[r].steady.split_t, steady.split_t, 0);
		assert_close(found.run[r].independence.ljung_box_p, independence.ljung_box_p, 0);
	}
}

/* A change that all runs have at one iteration begins a steady part; changes here and there do not. */
static void test_late_change(void **state)
{
	(void)state;
	double x[RUNS * LENGTH];
	struct settle found;
	fill(x, 4);
	for (size_t r = 0; r < RUNS; r++)
		for (size_t i = 200; i < LENGTH; i++)
			x[r * LENGTH + i] += 0.2;
	assert_int_equal(settle_find(x, starts, RUNS, 0.01, -1, &found), STATS_OK);
	assert_true(found.later_level && found.from >= 200 && found.from <= 205);
	assert_int_equal(found.state, SETTLE_INDEPENDENT);
	/* One run cannot show that others change there; a warm-up that was given is kept. */
	assert_int_equal(settle_find(x, starts, 1, 0.01, -1, &found), STATS_OK);
	assert_int_equal(found.state, SETTLE_NEVER);
	assert_int_equal(settle_find(x, starts, RUNS, 0.01, 20, &found), STATS_OK);
	assert_true(found.state == SETTLE_NEVER && found.from == 20);
	assert_int_equal(settle_find(x, starts, RUNS, 0.01, 210, &found), STATS_OK);
	assert_true(found.state == SETTLE_INDEPENDENT && found.from == 210);
	fill(x, 5);
	for (size_t r = 0; r < RUNS; r++)
		for (size_t i = 130 + 40 * r; i < LENGTH; i++)
			x[r * LENGTH + i] += 0.2;
	assert_int_equal(settle_find(x, starts, RUNS, 0.01, -1, &found), STATS_OK);
	assert_int_equal(found.state, SETTLE_NEVER);
}

static void test_edges(void **state)
{
	(void)state;
	double x[RUNS * LENGTH];
	struct settle found = {.runs = 99};
	uint32_t few[] = {0, 19, 38};
	for (size_t i = 0; i < RUNS * LENGTH; i++)
		x[i] = 5;
	assert_int_equal(settle_find(x, few, 2, 0.01, -1, &found), STATS_TOO_FEW);
	assert_int_equal(settle_find(x, starts, 0, 0.01, -1, &found), STATS_EMPTY);
	assert_int_equal(settle_find(x, starts, RUNS, 0.01, LENGTH - 5, &found), STATS_TOO_FEW);
	assert_int_equal(found.runs, 99);
	/* Constant: perfectly steady. */
	assert_int_equal(settle_find(x, starts, RUNS, 0.01, -1, &found), STATS_OK);
	assert_true(found.state == SETTLE_INDEPENDENT && found.from == 0 && found.dependent == 0);
	x[7] = NAN;
	found.runs = 99;
	assert_int_equal(settle_find(x, starts, RUNS, 0.01, -1, &found), STATS_NOT_FINITE);
	fill(x, 6);
	for (size_t i = 0; i < RUNS * LENGTH; i++)
		x[i] += i % LENGTH >= 200 ? 0.2 : 0;
	int n = 1;
	for (;; n++) {
		mem_fail_at(n);
		enum stats_status status = settle_find(x, starts, RUNS, 0.01, -1, &found);
		if (!mem_failed())
			break;
		assert_int_equal(status, STATS_NO_MEMORY);
		assert_int_equal(found.runs, 99);
	}
	mem_fail_at(0);
	assert_true(n > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_late_change),
		cmocka_unit_test(test_edges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
