#include "stats/approach.h"

#include "base/random.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>

static void agrees_with_scipy(void **state)
{
	(void)state;
	json_t *known = known_load("approach.json"), *entry;
	size_t i;
	json_array_foreach(json_object_get(known, "cases"), i, entry)
	{
		size_t n;
		double *x = known_array(json_object_get(entry, "x"), &n);
		struct approach a;
		assert_int_equal(approach_fit(x, n, &a), STATS_OK);
		assert_close(a.level, known_number(entry, "level"), 1e-4);
		assert_close(a.reach, known_number(entry, "reach"), 1e-3);
		assert_close(a.time, known_number(entry, "time"), 1e-3);
		assert_close(a.squares, known_number(entry, "squares"), 1e-6);
		assert_true(a.gain > 25);
		free(x);
	}
	json_decref(known);
}

static void ends_where_the_rest_is_small(void **state)
{
	(void)state;
	struct approach a = {.level = 100, .reach = -30, .time = 10};
	assert_close(approach_end(&a, 0.02), 10 * log(15), 1e-12);
	assert_close(approach_end(&a, 0.5), 0, 0);
}

/* Noise alone: a gain of 25 is rare, also where neighbours are alike. */
static void noise_is_no_approach(void **state)
{
	(void)state;
	struct random random;
	double x[300];
	int clear = 0;
	random_seed(&random, 9);
	for (int round = 0; round < 300; round++) {
		double z = random_normal(&random);
		for (size_t i = 0; i < 300; i++) {
			x[i] = 10 + z;
			z = 0.5 * z + random_normal(&random);
		}
		struct approach a;
		assert_int_equal(approach_fit(x, 300, &a), STATS_OK);
		clear += a.gain > 25;
	}
	assert_true(clear <= 3);
}

static void odd_input(void **state)
{
	(void)state;
	double x[20] = {0};
	struct approach a;
	assert_int_equal(approach_fit(x, 0, &a), STATS_EMPTY);
	assert_int_equal(approach_fit(x, 9, &a), STATS_TOO_FEW);
	assert_int_equal(approach_fit(x, 20, &a), STATS_CONSTANT);
	x[3] = NAN;
	assert_int_equal(approach_fit(x, 20, &a), STATS_NOT_FINITE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_scipy),
		cmocka_unit_test(ends_where_the_rest_is_small),
		cmocka_unit_test(noise_is_no_approach),
		cmocka_unit_test(odd_input),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
