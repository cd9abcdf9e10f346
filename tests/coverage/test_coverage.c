/* A small part of `make coverage` with a fixed seed: each cell must not be above its claim by more than two
 * simulation errors. */
#include "coverage/simulate.h"

#include "support/known.h"

static const double alphas[] = {0.05, 0.01};

static void check(enum plan plan, size_t runs, size_t replications)
{
	for (size_t a = 0; a < 2; a++) {
		for (int f = 0; f < FAMILY_COUNT; f++) {
			struct cell cell = {plan, (enum family)f, runs, alphas[a]};
			struct outcome outcome = simulate(&cell, replications, 1);
			if (breaks_claim(&cell, &outcome)) {
				print_error("%s, R = %zu: %.2f %% wrong, claimed %.2f %%, simulation error %.2f\n",
				            family_name(cell.family), runs, 100 * outcome.wrong / (double)replications,
				            100 * claimed_rate(&cell), 100 * simulation_error(claimed_rate(&cell), replications));
				fail();
			}
		}
	}
}

/* Simulation error 0.36 points at 5.5 %, 0.19 at 1.5 %. */
static void test_fixed_pairs(void **state)
{
	(void)state;
	check(PLAN_PAIRED, 5, 4000);
	check(PLAN_PAIRED, 10, 4000);
}

static void test_fixed_unpaired(void **state)
{
	(void)state;
	check(PLAN_UNPAIRED, 5, 4000);
}

/* Simulation error 0.59 points at 5.5 %, 0.31 at 1.5 %. */
static void test_precision_stop(void **state)
{
	(void)state;
	check(PLAN_PRECISION, 5, 1500);
}

/* Simulation error 1.8 to 2.8 points at 5 %, 0.8 to 1.3 at 1 %. */
static void test_verdict_stop(void **state)
{
	(void)state;
	check(PLAN_LIVE, 100, 150);
	check(PLAN_MARGIN_LIVE, 100, 60);
	check(PLAN_RUNS, 12, 100);
	check(PLAN_PHASES, 60, 150);
}

/* Simulation error 0.9 to 2.8 points at 5 %, 0.4 to 1.3 at 1 %. */
static void test_one_look(void **state)
{
	(void)state;
	check(PLAN_LOOK, 10, 600);
	check(PLAN_LOOK, 100, 150);
	check(PLAN_MARGIN, 100, 150);
	check(PLAN_TAIL, 300, 60);
}

/* Simulation error 4.4 points at 5 %, 2 at 1 %; that an interval contradicts its row may not happen once. */
static void test_suites(void **state)
{
	(void)state;
	check(PLAN_SUITE_EQUAL, 12, 25);
	check(PLAN_SUITE_LOOK, 30, 25);
	check(PLAN_SUITE_LIVE, 30, 25);
}

static double rate_of(enum plan plan, enum family family, size_t pairs, size_t replications)
{
	struct cell cell = {plan, family, pairs, 0.01};
	return (double)simulate(&cell, replications, 1).decided / (double)replications;
}

/* More pairs never take much away: not at 100, where an earlier rule fell from 79 to 16 %, nor at 140, where another fell
 * from 88 to 61 % for programs of two speeds, nor elsewhere. Simulation error of a difference: 3.5 points at most. */
static void test_nothing_jumps(void **state)
{
	(void)state;
	static const enum family families[] = {FAMILY_NORMAL,     FAMILY_HEAVY_TAILED, FAMILY_TAIL_ONE,
	                                       FAMILY_BIMODAL_50, FAMILY_BIMODAL_20,   FAMILY_THREE_MODES};
	static const size_t pairs[] = {9, 10, 14, 15, 29, 30, 50, 99, 100, 120, 130, 139, 140, 199, 200, 300, 500};
	for (size_t f = 0; f < sizeof(families) / sizeof(families[0]); f++)
		for (int same = 0; same < 2; same++) {
			enum plan plan = same ? PLAN_LOOK : PLAN_POWER;
			double most = 0;
			for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
				double rate = rate_of(plan, families[f], pairs[i], 400);
				assert_true(rate > most - 3 * 0.035);
				most = rate > most ? rate : most;
			}
		}
}

/* The simulation itself can tell: a t interval for the mean of a rare slow mode misses far too often. */
static void test_can_fail(void **state)
{
	(void)state;
	struct cell cell = {PLAN_MEAN, FAMILY_BIMODAL_5, 10, 0.05};
	struct outcome outcome = simulate(&cell, 2000, 1);
	assert_true(outcome.wrong / 2000 > 0.3);
	cell.family = FAMILY_NORMAL;
	outcome = simulate(&cell, 4000, 1);
	assert_true(outcome.wrong > 0.04 * 4000 && outcome.wrong < 0.06 * 4000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed_pairs),    cmocka_unit_test(test_fixed_unpaired),
		cmocka_unit_test(test_precision_stop), cmocka_unit_test(test_verdict_stop),
		cmocka_unit_test(test_one_look),       cmocka_unit_test(test_suites),
		cmocka_unit_test(test_nothing_jumps),  cmocka_unit_test(test_can_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
