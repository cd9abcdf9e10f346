#include "decide/estimate.h"

#include "stats/critical.h"
#include "stats/means.h"
#include "support/known.h"

#include <math.h>

enum { VALUES = 12 };

/* Mean and interval are those of stats/means.h with the constant of a precision stop. */
static void means_are_of_their_kind(void **state)
{
	(void)state;
	const double c = critical_precision(0.05, VALUES, VALUES - 1);
	for (int kind = MEAN_HARMONIC; kind <= MEAN_GEOMETRIC; kind++) {
		struct estimate estimate = {.kind = (enum mean_kind)kind};
		double x[VALUES], mean, low, high, expected;
		struct interval interval;
		for (int i = 0; i < VALUES; i++) {
			x[i] = i % 2 ? 50 : 100;
			estimate_add(&estimate, x[i]);
		}
		estimate_add(&estimate, NAN);
		estimate_now(&estimate, 0.05, &mean, &low, &high);
		assert_int_equal(kind == MEAN_HARMONIC ? mean_harmonic(x, VALUES, c, &expected, &interval)
		                                       : mean_geometric(x, VALUES, c, &expected, &interval),
		                 STATS_OK);
		assert_close(mean, expected, 1e-12);
		assert_close(low, interval.low, 1e-12);
		assert_close(high, interval.high, 1e-12);
		/* Half of the width relative to the mean, of 1/x and in logs. */
		double width = kind == MEAN_HARMONIC ? (1 / low - 1 / high) / 2 * mean : log(high / low) / 2;
		assert_false(estimate_is_precise(&estimate, 0.05, 0.999 * width, 10));
		assert_true(estimate_is_precise(&estimate, 0.05, 1.001 * width, 10));
		assert_close(estimate_missing(&estimate, 0.05, width / 2, 10), 3 * VALUES, 1e-9);
		estimate_add(&estimate, 0);
		assert_false(estimate_is_precise(&estimate, 0.05, 10, 10));
		assert_true(estimate_missing(&estimate, 0.05, 10, 10) == INFINITY);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_are_of_their_kind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
