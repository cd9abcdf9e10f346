#include "stats/work_amounts.h"

#include "support/known.h"
#include "support/starve.h"

#include <math.h>
#include <stdlib.h>

static void test_pilot(void **state)
{
	(void)state;
	json_t *file = known_load("wps.json"), *known = json_object_get(file, "work_amounts"), *value;
	const json_t *slices = json_object_get(known, "wps_slices");
	struct work_plan plan;
	double work = known_number(slices, "first_round_work"), first = known_number(slices, "first_round_s");
	size_t rounds = (size_t)known_number(slices, "n");
	assert_int_equal(work_plan(known_number(slices, "desired_session_s"), first, rounds, &plan), STATS_OK);
	assert_int_equal(plan.rounds, rounds);
	assert_close(plan.step_seconds, known_number(slices, "k_s"), 1e-12);
	double slice = floor(plan.step_seconds * work / first), low = known_number(slices, "adjusted_min"),
		   limit = known_number(slices, "limit");
	assert_true(slice == known_number(slices, "slice"));
	assert_true(work_next_slice(low, limit, 10, &slice) == known_number(slices, "expected_next_after_10"));
	assert_true(work_next_slice(low, limit, 365, &slice) == known_number(slices, "after_365"));
	double next = work_next_slice(low, limit, 999, &slice);
	assert_true(next == known_number(slices, "after_999_slice_halved") && slice == 5);
	assert_true(work_next_slice(low, limit, next, &slice) == known_number(slices, "then"));

	const json_t *planner = json_object_get(known, "unit_reading_planner");
	double done = 0, required = known_number(planner, "required_unit_readings");
	size_t round;
	json_array_foreach(json_object_get(planner, "expected_work_per_round"), round, value)
	{
		double amount = work_for_readings(required, done * known_number(planner, "ur_per_work"), done, round,
		                                  known_number(planner, "work_amount_limit"), true);
		assert_true(amount == json_number_value(value));
		done += amount;
	}
	assert_true(work_for_readings(required, done, done, round, 50, true) == 0);

	const json_t *doubling = json_object_get(known, "cli_doubling");
	double amount = 0, high = json_number_value(json_array_get(json_object_get(doubling, "range"), 1));
	json_array_foreach(json_object_get(doubling, "expected_works"), round, value)
	{
		amount = round == 0 ? json_number_value(value) : work_doubled(amount, high);
		assert_true(amount == json_number_value(value));
	}
	json_decref(file);
}

/* The rounds of a plan fill the session: n·s + k·n(n − 1)/2 = T. */
static void test_plan(void **state)
{
	(void)state;
	struct work_plan plan = {.rounds = 77};
	for (double session = 2.5; session < 1000; session *= 1.7) {
		for (size_t rounds = 2; rounds < 60; rounds += 7) {
			assert_int_equal(work_plan(session, 1, rounds, &plan), STATS_OK);
			double n = (double)plan.rounds;
			assert_true(plan.rounds >= 2 && plan.rounds <= rounds && plan.step_seconds > 0);
			assert_close(n + plan.step_seconds * n * (n - 1) / 2, session, 1e-12);
			/* Fewer rounds than asked for only where one more would not fit. */
			assert_true(plan.rounds == rounds || session <= n + 1);
		}
	}
	plan.rounds = 77;
	assert_int_equal(work_plan(2, 1, 10, &plan), STATS_NOT_DEFINED);
	assert_int_equal(work_plan(60, 0, 10, &plan), STATS_BAD_ARGUMENT);
	assert_int_equal(work_plan(NAN, 1, 10, &plan), STATS_BAD_ARGUMENT);
	assert_int_equal(work_plan(60, 1, 1, &plan), STATS_BAD_ARGUMENT);
	assert_int_equal(plan.rounds, 77);
}

/* Figure 3 of Li et al. (2016): the midpoint, the quarters, the eighths from below, then a and round 4. */
static void test_midpoints(void **state)
{
	(void)state;
	const double expected[] = {8, 4, 12, 2, 6, 10, 14, 1};
	double used[8], next;
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(work_midpoint(used, i, 0, 16, &next), STATS_OK);
		assert_true(next == expected[i]);
		used[i] = next;
	}
	/* Amounts that were run anyway count. */
	double taken[] = {10, 21, 90};
	assert_int_equal(work_midpoint(taken, 3, 10, 100, &next), STATS_OK);
	assert_true(next == 55.5);
	next = 7;
	assert_int_equal(work_midpoint(taken, 3, 20, 100, &next), STATS_BAD_ARGUMENT);
	assert_int_equal(work_midpoint(taken, 0, 5, 5, &next), STATS_BAD_ARGUMENT);
	assert_int_equal(work_midpoint(taken, 0, 5, INFINITY, &next), STATS_BAD_ARGUMENT);
	assert_int_equal(work_midpoint(&(double){NAN}, 1, 5, 6, &next), STATS_BAD_ARGUMENT);
	assert_true(next == 7);
}

static void test_small(void **state)
{
	(void)state;
	assert_true(work_doubled(0, 100) == 1 && work_doubled(3, 100) == 6 && work_doubled(80, 100) == 100);
	double slice = 1;
	assert_true(work_next_slice(1, 4, 1, &slice) == 2 && work_next_slice(1, 4, 3, &slice) == 2 && slice == 1);
	slice = 50;
	assert_true(work_next_slice(10, 20, 10, &slice) == 20 && slice == 25); /* never above the limit */
	/* A round that gave no reading tells nothing: the same work again. */
	assert_true(work_for_readings(10, 0, 4, 1, 50, true) == 4 && work_for_readings(10, 0, 0, 0, 50, true) == 1);
	assert_true(work_for_readings(1000, 10, 20, 2, 30, true) == 30);
}

/* Amounts below 1 grow from where they are. */
static void test_fractions(void **state)
{
	(void)state;
	assert_true(work_doubled(0.01, 0.5) == 0.02 && work_doubled(0.3, 0.5) == 0.5 && work_doubled(0, 0.5) == 0.5);
	assert_true(work_for_readings(10, 0, 0.25, 1, 8, false) == 0.25 && work_for_readings(10, 0, 0, 0, 8, false) == 1);
	assert_true(work_for_readings(1000, 1, 0.25, 1, 8, false) == 1.25);
	assert_close(work_for_readings(10, 8, 0.5, 1, 8, false), 0.15, 1e-12);
	assert_true(work_for_readings(10, 8, 0.5, 1, 8, true) == 1);
}

static enum stats_status try_midpoint(void *data)
{
	double next;
	return work_midpoint(data, 2, 0, 10, &next);
}

static void test_no_memory(void **state)
{
	(void)state;
	double used[] = {3, 4};
	assert_int_equal(starve(try_midpoint, used), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_pilot),     cmocka_unit_test(test_plan),
	                                   cmocka_unit_test(test_midpoints), cmocka_unit_test(test_small),
	                                   cmocka_unit_test(test_fractions), cmocka_unit_test(test_no_memory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
