#include "stats/duet.h"

#include "base/random.h"
#include "stats/critical.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>

static void test_worked(void **state)
{
	(void)state;
	json_t *known = known_load("duet.json");
	size_t n, count;
	double *a = known_array(json_object_get(known, "A"), &n), *b = known_array(json_object_get(known, "B"), &count);
	double *sides = known_array(json_object_get(known, "side"), &count), logs[16];
	signed char side[16];
	assert_int_equal(n, 12);
	for (size_t r = 0; r < n; r++) {
		logs[r] = log(b[r] / a[r]);
		side[r] = (signed char)sides[r];
	}
	const json_t *worked = json_object_get(known, "side_adjusted");
	struct duet duet;
	assert_int_equal(duet_of(logs, side, n, &duet), STATS_OK);
	assert_close(duet.log_ratio, known_number(worked, "estimate"), 1e-9);
	assert_close(duet.side_effect, known_number(worked, "side_effect"), 1e-9);
	assert_close(duet.se, known_number(worked, "se"), 1e-9);
	assert_close(duet.df, known_number(worked, "df"), 0);
	assert_int_equal(duet.plus, 6);
	assert_int_equal(duet.minus, 6);
	struct interval interval = duet_interval(&duet, critical_t(0.05, duet.df));
	const json_t *ci = json_object_get(worked, "ci95");
	assert_close(log(interval.low), json_number_value(json_array_get(ci, 0)), 1e-9);
	assert_close(log(interval.high), json_number_value(json_array_get(ci, 1)), 1e-9);
	free(a);
	free(b);
	free(sides);
	json_decref(known);
}

/* Adding anything to one side changes the side effect by half of it, and nothing else. */
static void test_side_effect_is_removed(void **state)
{
	(void)state;
	double logs[9] = {0.01, 0.02, -0.01, 0.03, 0.005, 0.02, 0.04, -0.02, 0.01}, shifted[9];
	signed char side[9] = {1, -1, -1, 1, 1, -1, 1, -1, 1};
	for (int r = 0; r < 9; r++)
		shifted[r] = logs[r] + 3 * side[r];
	struct duet plain, with_effect;
	assert_int_equal(duet_of(logs, side, 9, &plain), STATS_OK);
	assert_int_equal(duet_of(shifted, side, 9, &with_effect), STATS_OK);
	assert_close(with_effect.log_ratio, plain.log_ratio, 1e-12);
	assert_close(with_effect.se, plain.se, 1e-12);
	assert_close(with_effect.side_effect, plain.side_effect + 3, 1e-12);
	assert_int_equal(plain.plus, 5);
}

static void test_edges(void **state)
{
	(void)state;
	double logs[4] = {0.1, 0.1, 0.3, NAN};
	signed char side[4] = {1, -1, -1, 1}, one_side[4] = {1, 1, 1, 1}, unknown[3] = {1, 0, -1};
	struct duet duet = {.se = -1};
	assert_int_equal(duet_of(logs, side, 0, &duet), STATS_EMPTY);
	assert_int_equal(duet_of(logs, side, 2, &duet), STATS_TOO_FEW);
	assert_int_equal(duet_of(logs, side, 4, &duet), STATS_NOT_FINITE);
	assert_int_equal(duet_of(logs, one_side, 3, &duet), STATS_TOO_FEW);
	assert_int_equal(duet_of(logs, unknown, 3, &duet), STATS_BAD_ARGUMENT);
	assert_true(duet.se == -1);
	assert_int_equal(duet_of(logs, side, 3, &duet), STATS_OK);
	assert_close(duet.log_ratio, 0.15, 1e-12);
	/* v = 2·0.1² over one degree of freedom; (1 + 1/2)/4 of it */
	assert_close(duet.se, sqrt(0.02 * 1.5 / 4), 1e-12);
	struct interval interval = duet_interval(&duet, INFINITY);
	assert_true(interval.low == -INFINITY && interval.high == INFINITY);
	double constant[4] = {0.5, 0.5, 0.5, 0.5};
	assert_int_equal(duet_of(constant, side, 4, &duet), STATS_OK);
	interval = duet_interval(&duet, 3);
	assert_true(duet.se == 0 && interval.low == interval.high);
}

/* 95 % with a side effect of 2 sd, 40 000 experiments of 10 runs: simulation error 0.11 points. */
static void test_coverage(void **state)
{
	(void)state;
	enum { EXPERIMENTS = 40000, RUNS = 10 };
	struct random random;
	random_seed(&random, 20);
	double c = critical_t(0.05, RUNS - 2);
	int covered = 0;
	for (int e = 0; e < EXPERIMENTS; e++) {
		double logs[RUNS];
		signed char side[RUNS];
		for (int r = 0; r < RUNS; r += 2) {
			side[r] = random_below(&random, 2) ? 1 : -1;
			side[r + 1] = (signed char)-side[r];
		}
		for (int r = 0; r < RUNS; r++)
			logs[r] = 2 * side[r] + random_normal(&random);
		struct duet duet;
		assert_int_equal(duet_of(logs, side, RUNS, &duet), STATS_OK);
		struct interval interval = duet_interval(&duet, c);
		covered += interval.low <= 1 && 1 <= interval.high;
	}
	double rate = (double)covered / EXPERIMENTS, simulation_error = sqrt(0.95 * 0.05 / EXPERIMENTS);
	assert_true(fabs(rate - 0.95) < 3 * simulation_error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked),
		cmocka_unit_test(test_side_effect_is_removed),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_coverage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
