#include "stats/independence.h"

#include "base/random.h"
#include "support/known.h"
#include "support/starve.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

static void test_reference(void **state)
{
	(void)state;
	json_t *known = known_load("single_run.json");
	size_t n, skip = (size_t)known_number(known, "mser5w_start");
	double *x = known_array(json_object_get(known, "series300"), &n);
	struct independence found;
	assert_int_equal(independence_test(x + skip, n - skip, &found), STATS_OK);
	assert_close(found.ljung_box_p, known_number(known, "rank_ljungbox_p"), 1e-9);
	assert_true(found.dependent);
	free(x);
	json_decref(known);
}

/* Calls "dependent" in `series` simulated series of 300 values of each kind. */
enum kind { WHITE, HEAVY, AR, PERIOD, TREND };

static double rate(enum kind kind, double strength, int series, uint64_t seed)
{
	enum { N = 300 };
	struct random random;
	random_seed(&random, seed);
	int called = 0;
	for (int s = 0; s < series; s++) {
		double x[N], last = 0;
		for (int i = 0; i < N; i++) {
			double e = random_normal(&random);
			const double kinds[] = {e, exp(3 * e), strength * last + e, e + 1.5 * cos(2 * M_PI * i / strength),
			                        e + strength * i / N};
			x[i] = last = kinds[kind];
		}
		struct independence found;
		assert_int_equal(independence_test(x, N, &found), STATS_OK);
		called += found.dependent;
	}
	return (double)called / series;
}

/* 0.8 to 1.5 % of independent series (4000 of them: simulation error 0.16 points), also with heavy tails; all
 * (400 series) of AR(1) from 0.5, of periods up to 10 (amplitude 1.5 sd) and of a trend of 3 sd. */
static void test_size_and_power(void **state)
{
	(void)state;
	double white = rate(WHITE, 1, 4000, 21), heavy = rate(HEAVY, 1, 4000, 22);
	assert_true(white > 0.008 - 0.0048 && white < 0.015 + 0.0048);
	assert_true(heavy > 0.008 - 0.0048 && heavy < 0.015 + 0.0048);
	assert_true(rate(AR, 0.5, 400, 23) == 1 && rate(AR, -0.6, 400, 24) == 1);
	assert_true(rate(PERIOD, 2, 400, 25) == 1 && rate(PERIOD, 5, 400, 26) == 1 && rate(PERIOD, 10, 400, 27) == 1);
	assert_true(rate(TREND, 3, 400, 28) == 1);
}

static void test_edges(void **state)
{
	(void)state;
	double x[12] = {0}, constant[20] = {0};
	struct independence found = {.lag = 77};
	for (int i = 0; i < 12; i++)
		x[i] = i * 5 % 12;
	assert_int_equal(independence_test(x, 0, &found), STATS_EMPTY);
	assert_int_equal(independence_test(x, 9, &found), STATS_TOO_FEW);
	assert_int_equal(independence_test(constant, 20, &found), STATS_CONSTANT);
	x[3] = INFINITY;
	assert_int_equal(independence_test(x, 12, &found), STATS_NOT_FINITE);
	assert_int_equal(found.lag, 77);
	double period[40];
	for (int i = 0; i < 40; i++)
		period[i] = i % 4 == 0;
	assert_int_equal(independence_test(period, 40, &found), STATS_OK);
	assert_true(found.dependent && found.lag == 4 && found.largest > 0.8);
}

static enum stats_status try_test(void *data)
{
	struct independence found;
	return independence_test(data, 12, &found);
}

static void test_no_memory(void **state)
{
	(void)state;
	double x[12];
	for (int i = 0; i < 12; i++)
		x[i] = i * 5 % 12;
	assert_int_equal(starve(try_test, x), 4);
}

int main(void)
{
	gsl_set_error_handler_off();
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference), cmocka_unit_test(test_size_and_power),
	                                   cmocka_unit_test(test_edges), cmocka_unit_test(test_no_memory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
