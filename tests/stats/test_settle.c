#include "stats/settle.h"

#include "base/memory.h"
#include "base/random.h"
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

static const struct settle_options found_by_tare = {.precision = 0.01, .skip = -1};

static enum stats_status settle(const double *x, size_t runs, long skip, size_t *cuts, struct settle *out)
{
	struct settle_options options = found_by_tare;
	options.skip = skip;
	return settle_find(x, starts, runs, &options, cuts, out);
}

/* The parts are those of the tests that it is made of, each run with its own warm-up. */
static void test_parts(void **state)
{
	(void)state;
	double x[RUNS * LENGTH];
	struct settle found;
	size_t cuts[RUNS];
	fill(x, 3);
	for (size_t r = 0; r < RUNS; r++)
		for (size_t i = 0; i < 40 + 20 * r; i++)
			x[r * LENGTH + i] += 0.3;
	assert_int_equal(settle(x, RUNS, -1, cuts, &found), STATS_OK);
	assert_int_equal(found.state, SETTLE_INDEPENDENT);
	assert_int_equal(found.runs, 3);
	assert_int_equal(found.from, cuts[2]);
	for (size_t r = 0; r < RUNS; r++) {
		struct steady steady;
		struct independence independence;
		assert_int_equal(cuts[r], 40 + 20 * r);
		assert_int_equal(steady_test(x + starts[r], LENGTH, cuts[r], 0.01, &steady), STATS_OK);
		assert_int_equal(independence_test(x + starts[r] + cuts[r], LENGTH - cuts[r], &independence), STATS_OK);
		assert_close(found.run[r].steady.split_t, steady.split_t, 0);
		assert_close(found.run[r].independence.ljung_box_p, independence.ljung_box_p, 0);
	}
	assert_true(found.warmup.runs == 3 && found.warmup.first == 40 && found.warmup.last == 80);
	assert_close(found.warmup.ratio, 1 / 1.3, 0.01);
	assert_int_equal(found.late.runs, 0);
}

/* A late change that all runs have at one iteration begins the steady part; one that leaves too little, or that comes
 * here and there, does not. */
static void test_late_change(void **state)
{
	(void)state;
	double x[RUNS * LENGTH];
	struct settle found;
	size_t cuts[RUNS];
	fill(x, 4);
	for (size_t r = 0; r < RUNS; r++)
		for (size_t i = 220; i < LENGTH; i++)
			x[r * LENGTH + i] += 0.2;
	assert_int_equal(settle(x, RUNS, -1, cuts, &found), STATS_OK);
	assert_true(found.later_level && found.from == 220);
	assert_int_equal(found.state, SETTLE_INDEPENDENT);
	assert_true(found.warmup.runs == 3 && found.warmup.ratio > 1.15 && found.late.runs == 0);
	/* One run cannot show that others change there; a warm-up that was given is kept. */
	assert_int_equal(settle(x, 1, -1, cuts, &found), STATS_OK);
	assert_true(found.state == SETTLE_NEVER && cuts[0] == 0 && found.never == 1);
	assert_true(found.late.runs == 1 && found.late.first == 220 && found.late.ratio > 1.15);
	assert_int_equal(settle(x, RUNS, 20, cuts, &found), STATS_OK);
	assert_true(found.state == SETTLE_NEVER && found.from == 20 && cuts[2] == 20);
	assert_int_equal(settle(x, RUNS, 230, cuts, &found), STATS_OK);
	assert_true(found.state == SETTLE_INDEPENDENT && found.from == 230);
	fill(x, 5);
	for (size_t r = 0; r < RUNS; r++)
		for (size_t i = 210 + 30 * r; i < LENGTH; i++)
			x[r * LENGTH + i] += 0.2;
	assert_int_equal(settle(x, RUNS, -1, cuts, &found), STATS_OK);
	assert_true(found.state == SETTLE_NEVER && found.never == 3 && found.late.runs == 3);
	assert_true(found.late.first == 210 && found.late.last == 270);
}

static void test_edges(void **state)
{
	(void)state;
	double x[RUNS * LENGTH];
	struct settle found = {.runs = 99};
	size_t cuts[RUNS];
	uint32_t few[] = {0, 19, 38};
	for (size_t i = 0; i < RUNS * LENGTH; i++)
		x[i] = 5;
	assert_int_equal(settle_find(x, few, 2, &found_by_tare, cuts, &found), STATS_TOO_FEW);
	assert_int_equal(settle(x, 0, -1, cuts, &found), STATS_EMPTY);
	assert_int_equal(settle(x, RUNS, LENGTH - 5, cuts, &found), STATS_TOO_FEW);
	assert_int_equal(found.runs, 99);
	/* Constant: perfectly steady. */
	assert_int_equal(settle(x, RUNS, -1, cuts, &found), STATS_OK);
	assert_true(found.state == SETTLE_INDEPENDENT && found.from == 0 && found.dependent == 0);
	x[7] = NAN;
	found.runs = 99;
	assert_int_equal(settle(x, RUNS, -1, cuts, &found), STATS_NOT_FINITE);
	fill(x, 6);
	for (size_t i = 0; i < RUNS * LENGTH; i++)
		x[i] += i % LENGTH >= 200 ? 0.2 : 0;
	int n = 1;
	for (;; n++) {
		mem_fail_at(n);
		enum stats_status status = settle(x, RUNS, -1, cuts, &found);
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
