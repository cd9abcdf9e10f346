#include "stats/modes.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>

static void test_data_sets(void **state)
{
	(void)state;
	json_t *known = known_load("modes.json"), *one;
	size_t i, n;
	json_array_foreach(json_object_get(known, "cases"), i, one)
	{
		double *x = known_array(json_object_get(one, "x"), &n);
		uint8_t member[300];
		struct modes modes;
		assert_int_equal(modes_find(x, n, 0, &modes, member), STATS_OK);
		if (modes.count != (size_t)known_number(one, "modes"))
			fail_msg("%s: %zu modes", json_string_value(json_object_get(one, "name")), modes.count);
		for (size_t j = 0; j < n && modes.count == 2; j++)
			assert_int_equal(member[j], x[j] > known_number(one, "split"));
		free(x);
	}
	assert_int_equal(i, 6);
	json_decref(known);
}

/* ---- size and power ---- */

enum { MOST = 200 };

static double lognormal(struct random *random)
{
	return exp(0.5 * random_normal(random));
}

static double plateau(struct random *random) /* half in a spike at its edge */
{
	return (random_next(random) & 1 ? 0.01 : 1) * random_uniform(random);
}

/* Share of samples with `wanted` modes, or with more than one when that is 0. `slow` of the n
 * values are shifted by `distance`. */
static double share(double (*value)(struct random *), size_t n, size_t slow, double distance, size_t wanted,
                    int samples, uint64_t seed)
{
	double x[MOST];
	struct random random;
	struct modes modes;
	int found = 0;
	random_seed(&random, seed);
	for (int sample = 0; sample < samples; sample++) {
		for (size_t i = 0; i < n; i++)
			x[i] = 100 + value(&random) + (i < slow ? distance : 0);
		assert_int_equal(modes_find(x, n, 1e-12, &modes, NULL), STATS_OK);
		found += wanted ? modes.count == wanted : modes.count > 1;
	}
	return (double)found / samples;
}

static void test_size(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		double (*value)(struct random *);
		double nominal; /* as the head of modes.c states it */
	} shapes[] = {{"normal", random_normal, 0.01},
	              {"lognormal", lognormal, 0.01},
	              {"exponential", random_exponential, 0.01},
	              {"uniform", random_uniform, 0.01},
	              {"spike and plateau", plateau, 0.016}};
	const size_t sizes[] = {10, 30, 100};
	enum { SAMPLES = 2000 };
	for (int s = 0; s < 5; s++) {
		for (int i = 0; i < 3; i++) {
			double alarms = share(shapes[s].value, sizes[i], 0, 0, 0, SAMPLES, (uint64_t)(10 * s + i));
			double error = sqrt(shapes[s].nominal * (1 - shapes[s].nominal) / SAMPLES);
			if (alarms > shapes[s].nominal + 2 * error)
				fail_msg("%s, n = %zu: %.2f %% false alarms", shapes[s].name, sizes[i], 100 * alarms);
		}
	}
}

static void test_power(void **state)
{
	(void)state;
	/* n, values in the second mode, distance that the head of modes.c promises in 95 % */
	static const struct {
		size_t n, slow;
		double distance;
	} cases[] = {{10, 5, 17},  {20, 10, 11}, {50, 25, 8},  {100, 50, 7}, {30, 6, 15},
	             {50, 10, 11}, {100, 20, 9}, {100, 5, 19}, {200, 10, 11}};
	enum { SAMPLES = 500 };
	for (int i = 0; i < 9; i++) {
		double found = share(random_normal, cases[i].n, cases[i].slow, cases[i].distance, 2, SAMPLES, (uint64_t)i);
		if (found < 0.95 - 2 * sqrt(0.95 * 0.05 / SAMPLES))
			fail_msg("n = %zu, %zu apart by %g sd: %.1f %% found", cases[i].n, cases[i].slow, cases[i].distance,
			         100 * found);
	}
}

/* ---- what comes with a finding ---- */

static void test_three_modes(void **state)
{
	(void)state;
	double x[92];
	uint8_t member[92];
	struct random random;
	struct modes modes;
	random_seed(&random, 6);
	for (int i = 0; i < 90; i++)
		x[i] = (i % 3) * 12 + random_normal(&random);
	/* Two outliers beyond the last mode belong to it and hide nothing. */
	x[90] = 90;
	x[91] = 300;
	assert_int_equal(modes_find(x, 92, 0, &modes, member), STATS_OK);
	assert_int_equal(modes.count, 3);
	for (int i = 0; i < 90; i++)
		assert_int_equal(member[i], i % 3);
	assert_true(member[90] == 2 && member[91] == 2);
	assert_true(modes.mode[0].count == 30 && modes.mode[2].count == 32);
	for (int m = 0; m < 3; m++)
		assert_true(fabs(modes.mode[m].median - 12 * m) < 1);
	assert_true(fabs(modes.mode[1].mean - 12) < 1 && modes.mode[2].high == 300);
	assert_true(modes.mode[0].high < modes.mode[1].low && modes.mode[1].high < modes.mode[2].low);
}

static void test_coarse_clock(void **state)
{
	(void)state;
	double x[60];
	struct random random;
	struct modes modes;
	random_seed(&random, 8);
	/* One normal mode on a grid of half its sd: ties everywhere, still one mode. */
	for (int i = 0; i < 60; i++)
		x[i] = 0.5 * nearbyint(2 * (20 + random_normal(&random)));
	assert_int_equal(modes_find(x, 60, 0, &modes, NULL), STATS_OK);
	assert_int_equal(modes.count, 1);
	assert_int_equal(modes_find(x, 60, 0.5, &modes, NULL), STATS_OK);
	assert_int_equal(modes.count, 1);
	/* Two modes of a counter, each of one value: a matter of the step. */
	for (int i = 0; i < 60; i++)
		x[i] = i % 2 ? 118 : 102;
	assert_int_equal(modes_find(x, 60, 1, &modes, NULL), STATS_OK);
	assert_int_equal(modes.count, 2);
	assert_int_equal(modes_find(x, 60, 16, &modes, NULL), STATS_OK);
	assert_int_equal(modes.count, 1);
}

static void test_edges(void **state)
{
	(void)state;
	double x[64] = {1, 1, 1, 9, 9};
	uint8_t member[64];
	struct modes modes = {.count = 77};
	assert_int_equal(modes_find(x, 0, 0, &modes, NULL), STATS_EMPTY);
	assert_int_equal(modes_find(x, 5, -1, &modes, NULL), STATS_BAD_ARGUMENT);
	assert_int_equal(modes_find(x, 5, NAN, &modes, NULL), STATS_BAD_ARGUMENT);
	for (int n = 1;; n++) {
		mem_fail_at(n);
		enum stats_status status = modes_find(x, 5, 0, &modes, NULL);
		if (!mem_failed())
			break;
		assert_int_equal(status, STATS_NO_MEMORY);
		assert_int_equal(modes.count, 77);
	}
	mem_fail_at(0);
	for (size_t n = 1; n <= 5; n++) {
		assert_int_equal(modes_find(x, n, 1e-3, &modes, member), STATS_OK);
		assert_int_equal(modes.count, 1);
		assert_true(modes.mode[0].count == n && member[n - 1] == 0 && modes.mode[0].low == 1);
	}
	x[2] = INFINITY;
	assert_int_equal(modes_find(x, 5, 0, &modes, NULL), STATS_NOT_FINITE);
	for (int i = 0; i < 64; i++)
		x[i] = 0.1;
	assert_int_equal(modes_find(x, 64, 0, &modes, NULL), STATS_OK);
	assert_true(modes.count == 1 && modes.mode[0].mean == 0.1);
	/* More modes than there is room for: the last takes the rest, none is lost. */
	double many[400];
	size_t total = 0;
	for (int i = 0; i < 400; i++)
		many[i] = (i / 20) * 1000 + i % 20;
	assert_int_equal(modes_find(many, 400, 1e-3, &modes, NULL), STATS_OK);
	assert_int_equal(modes.count, MODES_MOST);
	for (size_t i = 0; i < modes.count; i++)
		total += modes.mode[i].count;
	assert_int_equal(total, 400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_data_sets),   cmocka_unit_test(test_size),         cmocka_unit_test(test_power),
		cmocka_unit_test(test_three_modes), cmocka_unit_test(test_coarse_clock), cmocka_unit_test(test_edges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
