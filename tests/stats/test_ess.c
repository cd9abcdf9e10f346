#include "stats/ess.h"

#include "base/random.h"
#include "stats/autocorrelation.h"
#include "support/known.h"
#include "support/starve.h"

#include <math.h>
#include <stdlib.h>

static void test_reference(void **state)
{
	(void)state;
	json_t *known = known_load("single_run.json"), *run = json_object_get(known, "single_run");
	size_t n;
	double *x = known_array(json_object_get(known, "series300"), &n), ess;
	size_t skip = (size_t)known_number(known, "mser5w_start");
	assert_int_equal(effective_sample_size(x + skip, n - skip, &ess), STATS_OK);
	assert_close(ess, known_number(run, "geyer_ess"), 1e-9);
	free(x);
	json_decref(known);
}

/* The definition with all lags at once, however the portions fall. */
static void test_portions(void **state)
{
	(void)state;
	enum { N = 6000 };
	static double x[N], r[N - 1];
	struct random random;
	random_seed(&random, 4);
	for (double phi = 0; phi < 1; phi += 0.111) {
		double last = 0, sum = 0, before = INFINITY, ess;
		for (int i = 0; i < N; i++)
			x[i] = last = phi * last + random_normal(&random);
		assert_int_equal(autocorrelation(x, N, N - 1, r), STATS_OK);
		for (int even = 0; even + 1 < N; even += 2) {
			double pair = (even ? r[even - 1] : 1) + r[even];
			if (pair <= 0)
				break;
			before = fmin(before, pair);
			sum += before;
		}
		assert_int_equal(effective_sample_size(x, N, &ess), STATS_OK);
		assert_close(ess, fmin(N, N / (2 * sum - 1)), 1e-9);
		/* n(1 − φ)/(1 + φ), known to some 15 % from one series of this length. */
		if (phi < 0.95)
			assert_close(ess, N * (1 - phi) / (1 + phi), 0.3);
	}
}

static void test_edges(void **state)
{
	(void)state;
	double x[] = {1, 2, 1, NAN, 5}, alternating[100], ramp[1000], constant[] = {3, 3, 3, 3}, ess = 7;
	assert_int_equal(effective_sample_size(x, 0, &ess), STATS_EMPTY);
	assert_int_equal(effective_sample_size(x, 3, &ess), STATS_TOO_FEW);
	assert_int_equal(effective_sample_size(x, 5, &ess), STATS_NOT_FINITE);
	assert_int_equal(effective_sample_size(constant, 4, &ess), STATS_CONSTANT);
	assert_true(ess == 7);
	for (int i = 0; i < 100; i++)
		alternating[i] = i % 2;
	assert_int_equal(effective_sample_size(alternating, 100, &ess), STATS_OK);
	assert_true(ess == 100);
	for (int i = 0; i < 1000; i++)
		ramp[i] = i;
	assert_int_equal(effective_sample_size(ramp, 1000, &ess), STATS_OK);
	assert_true(ess > 0 && ess < 10);
}

static enum stats_status try_ess(void *data)
{
	double ess;
	return effective_sample_size(data, 500, &ess);
}

static void test_no_memory(void **state)
{
	(void)state;
	double ramp[500];
	for (int i = 0; i < 500; i++)
		ramp[i] = i;
	assert_int_equal(starve(try_ess, ramp), 4); /* two portions of two each */
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference), cmocka_unit_test(test_portions),
	                                   cmocka_unit_test(test_edges), cmocka_unit_test(test_no_memory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
