#include "stats/fleet.h"

#include "support/known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

static size_t read_case(const json_t *entry, struct fleet_machine *machines)
{
	size_t n, other;
	double *mean = known_array(json_object_get(entry, "mean"), &n),
		   *df = known_array(json_object_get(entry, "df"), &other);
	double *variance = known_array(json_object_get(entry, "variance"), &other);
	double *stratum = known_array(json_object_get(entry, "stratum"), &other);
	for (size_t i = 0; i < n && i < MOST; i++)
		machines[i] = (struct fleet_machine){mean[i], variance[i], df[i], (size_t)stratum[i]};
	free(mean);
	free(df);
	free(variance);
	free(stratum);
	return n;
}

static void check_interval(struct interval found, const json_t *entry, const char *key)
{
	size_t n;
	double *expected = known_array(json_object_get(entry, key), &n);
	assert_int_equal(n, 2);
	assert_close(found.low, expected[0], 1e-9);
	assert_close(found.high, expected[1], 1e-9);
	free(expected);
}

static void check_strata(const struct fleet *fleet, const struct fleet_machine *machines, const json_t *entry)
{
	size_t n;
	double *mean = known_array(json_object_get(entry, "strata"), &n);
	double *half = known_array(json_object_get(entry, "strata_half"), &n);
	assert_int_equal(fleet->strata, n);
	for (size_t s = 0; s < n; s++) {
		struct fleet_stratum stratum;
		assert_int_equal(fleet_stratum(fleet, machines, s, 0.01, &stratum), STATS_OK);
		assert_close(stratum.mean, mean[s], 1e-12);
		assert_close((stratum.interval.high - stratum.interval.low) / 2, half[s], 1e-9);
	}
	free(mean);
	free(half);
}

static void test_known(void **state)
{
	(void)state;
	json_t *known = known_load("fleet.json"), *entry;
	size_t index;
	json_array_foreach(json_object_get(known, "cases"), index, entry)
	{
		struct fleet_machine machines[MOST];
		struct fleet fleet;
		struct interval interval;
		struct fleet_interaction interaction;
		struct fleet_odd odd;
		size_t n = read_case(entry, machines);
		assert_int_equal(fleet_of(machines, n, &fleet), STATS_OK);
		assert_int_equal(fleet_pool(&fleet, CRITICAL_FIXED, 0.01, &interval), STATS_OK);
		check_interval(interval, entry, "pool");
		assert_int_equal(fleet_these(&fleet, 0.01, &interval), STATS_OK);
		check_interval(interval, entry, "these");
		assert_int_equal(fleet_next(&fleet, 0.01, &interval), STATS_OK);
		check_interval(interval, entry, "next");
		check_strata(&fleet, machines, entry);
		assert_int_equal(fleet_interaction(&fleet, 0.95, &interaction), STATS_OK);
		assert_close(interaction.sd, known_number(entry, "sd"), 1e-9);
		check_interval(interaction.interval, entry, "sd_interval");
		assert_close(interaction.f, known_number(entry, "f"), 1e-9);
		assert_close(interaction.p, known_number(entry, "p"), 1e-9);
		assert_int_equal(fleet_odd(&fleet, machines, &odd), STATS_OK);
		assert_int_equal(odd.machine, (size_t)known_number(entry, "odd"));
		assert_close(odd.t, known_number(entry, "odd_t"), 1e-8);
		assert_close(odd.p, known_number(entry, "odd_p"), 1e-7);
	}
	assert_int_equal(index, 4);
	json_decref(known);
}

/* Machines for ± 1 % at 99 % with 20 runs of sd 1 %, by interaction: worked out by hand from t tables. With costs, the
 * cheapest of all counts that are tried one by one. */
static void test_plan(void **state)
{
	(void)state;
	static const double sd[] = {0.1, 0.3, 0.5, 1, 2};
	static const size_t machines[] = {4, 5, 6, 11, 31};
	struct fleet_needs needs = {.run_sd = 1,
	                            .runs = 20,
	                            .machines_least = 2,
	                            .strata = 1,
	                            .rule = CRITICAL_FIXED,
	                            .alpha = 0.01,
	                            .half_width = 1,
	                            .machine_cost = NAN,
	                            .run_cost = NAN};
	struct fleet_counts counts;
	for (size_t i = 0; i < 5; i++) {
		needs.machine_sd = sd[i];
		assert_int_equal(fleet_plan(&needs, &counts), STATS_OK);
		assert_int_equal(counts.machines, machines[i]);
		assert_int_equal(counts.runs, 20);
	}
	needs.machine_cost = 30;
	needs.run_cost = 0.5;
	for (size_t i = 0; i < 5; i++) {
		double best = INFINITY;
		struct fleet_counts found = {0, 0};
		needs.machine_sd = sd[i];
		for (size_t k = 2; k < 100; k++)
			for (size_t r = 1; r < 1000; r++) {
				double n = (double)k, half = critical_t(0.01, n - 1) * sqrt((sd[i] * sd[i] + 1 / (double)r) / n);
				if (half <= 1 && n * (30 + 0.5 * (double)r) < best) {
					best = n * (30 + 0.5 * (double)r);
					found = (struct fleet_counts){k, r};
				}
			}
		assert_int_equal(fleet_plan(&needs, &counts), STATS_OK);
		assert_int_equal(counts.machines, found.machines);
		assert_int_equal(counts.runs, found.runs);
	}
	needs.machine_sd = 100;
	assert_int_equal(fleet_plan(&needs, &counts), STATS_UNBOUNDED);
	needs.half_width = 0;
	assert_int_equal(fleet_plan(&needs, &counts), STATS_BAD_ARGUMENT);
}

static void test_few(void **state)
{
	(void)state;
	struct fleet_machine one = {0.5, NAN, 0, 0}, alike[3] = {{0.5, 0, 3, 0}, {0.5, 0, 3, 0}, {0.5, 0, 3, 0}};
	struct fleet_machine apart[2] = {{0.1, 1, 3, 0}, {0.2, 1, 3, 1}}, gap[2] = {{0.1, 1, 3, 0}, {0.2, 1, 3, 2}};
	struct fleet_machine bad = {NAN, 1, 1, 0};
	struct fleet fleet;
	struct interval interval;
	struct fleet_interaction interaction;
	struct fleet_odd odd;
	assert_int_equal(fleet_of(NULL, 0, &fleet), STATS_EMPTY);
	assert_int_equal(fleet_of(&bad, 1, &fleet), STATS_NOT_FINITE);
	assert_int_equal(fleet_of(gap, 2, &fleet), STATS_BAD_ARGUMENT);
	assert_int_equal(fleet_of(&one, 1, &fleet), STATS_OK);
	assert_int_equal(fleet_pool(&fleet, CRITICAL_FIXED, 0.01, &interval), STATS_TOO_FEW);
	assert_int_equal(fleet_these(&fleet, 0.01, &interval), STATS_TOO_FEW);
	assert_int_equal(fleet_next(&fleet, 0.01, &interval), STATS_TOO_FEW);
	assert_int_equal(fleet_interaction(&fleet, 0.95, &interaction), STATS_TOO_FEW);
	assert_int_equal(fleet_odd(&fleet, &one, &odd), STATS_TOO_FEW);
	assert_int_equal(fleet_of(apart, 2, &fleet), STATS_OK); /* a stratum each: no spread inside one */
	assert_int_equal(fleet_pool(&fleet, CRITICAL_FIXED, 0.01, &interval), STATS_TOO_FEW);
	assert_int_equal(fleet_these(&fleet, 0.01, &interval), STATS_OK);
	assert_int_equal(fleet_of(alike, 3, &fleet), STATS_OK);
	assert_int_equal(fleet_pool(&fleet, CRITICAL_ANYTIME, 0.0001, &interval), STATS_UNBOUNDED);
	assert_int_equal(fleet_these(&fleet, 0.01, &interval), STATS_OK);
	assert_true(interval.low == 0.5 && interval.high == 0.5);
	assert_int_equal(fleet_odd(&fleet, alike, &odd), STATS_CONSTANT);
	assert_int_equal(fleet_interaction(&fleet, 0.95, &interaction), STATS_NOT_DEFINED);
	assert_int_equal(fleet_pool(&fleet, CRITICAL_FIXED, 2, &interval), STATS_BAD_ARGUMENT);
}

/* All but one are equal: that one is infinitely odd. */
static void test_odd_among_equals(void **state)
{
	(void)state;
	struct fleet_machine machines[5] = {{1, NAN, 0, 0}, {1, NAN, 0, 0}, {2, NAN, 0, 0}, {1, NAN, 0, 0}, {1, NAN, 0, 0}};
	struct fleet fleet;
	struct fleet_odd odd;
	assert_int_equal(fleet_of(machines, 5, &fleet), STATS_OK);
	assert_int_equal(fleet_odd(&fleet, machines, &odd), STATS_OK);
	assert_int_equal(odd.machine, 2);
	assert_true(odd.p < 1e-9);
}

static void test_looks(void **state)
{
	(void)state;
	bool open[5] = {false, false, true, false, false};
	size_t machines = 0, waves[6];
	assert_int_equal(fleet_prefix(open, 5), 2);
	assert_int_equal(fleet_prefix(open + 3, 2), 2);
	assert_int_equal(fleet_prefix(open, 0), 0);
	for (size_t i = 0; i < 6; i++)
		waves[i] = machines = fleet_wave(machines, 40);
	const size_t expected[] = {8, 12, 16, 24, 36, 40};
	assert_memory_equal(waves, expected, sizeof(waves));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_plan),
		cmocka_unit_test(test_looks),
		cmocka_unit_test(test_odd_among_equals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
