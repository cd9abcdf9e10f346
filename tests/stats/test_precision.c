#include "stats/precision.h"

#include "stats/critical.h"
#include "support/known.h"

#include <math.h>

/* The quick no never contradicts the full check, for any alpha and degrees of freedom. */
static void test_quick_no_is_safe(void **state)
{
	(void)state;
	static const double alphas[] = {0.5, 0.32, 0.1, 0.05, 0.01, 0.001, 1e-6, 1e-12};
	for (size_t i = 0; i < sizeof(alphas) / sizeof(alphas[0]); i++) {
		for (double runs = 2; runs < 3000; runs = ceil(runs * 1.3)) {
			struct precision rule = precision_rule(alphas[i], 0.01);
			double c = critical_precision(alphas[i], runs, runs - 1);
			assert_true(precision_reached(&rule, 50, 0.5 / c * (1 - 1e-9), runs, runs - 1));
			assert_true(precision_reached(&rule, -50, 0.5 / c * (1 - 1e-9), runs, runs - 1));
			assert_false(precision_reached(&rule, 50, 0.5 / c * (1 + 1e-9), runs, runs - 1));
		}
	}
}

static void test_edges(void **state)
{
	(void)state;
	struct precision rule = precision_rule(0.05, 0.01);
	assert_true(precision_reached(&rule, 0, 0, 10, 9)); /* constant readings are as precise as can be */
	assert_true(precision_reached(&rule, 5, 0, 10, 9));
	assert_false(precision_reached(&rule, 0, 1, 10, 9));
	assert_false(precision_reached(&rule, NAN, 1, 10, 9));
	assert_false(precision_reached(&rule, 1, NAN, 1, 0));
	assert_false(precision_reached(&rule, 1, 0, 1, 0));
	assert_false(precision_reached(&rule, 1, INFINITY, 10, 9));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_quick_no_is_safe), cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
