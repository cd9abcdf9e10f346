#include "stats/selected.h"

#include "base/random.h"
#include "stats/distribution.h"
#include "support/known.h"

#include <math.h>
#include <stdbool.h>

/* 20 000 effects of each size: of those that are seen, 95 % are held, simulation error at most 0.5 points where 2000 or
 * more are seen. Limits of the other sign are 0, so that small effects are held more often. */
static void test_coverage(void **state)
{
	(void)state;
	enum { EFFECTS = 20000 };
	const double critical = 3;
	struct random random;
	random_seed(&random, 1);
	for (double effect = 1; effect < 7; effect += 1) {
		int seen = 0, held = 0;
		for (int i = 0; i < EFFECTS; i++) {
			double z = effect + random_normal(&random);
			struct interval interval;
			if (fabs(z) <= critical)
				continue;
			assert_int_equal(selected_interval(2 * z, 2, critical, 0.95, &interval), STATS_OK);
			held += interval.low <= 2 * effect && 2 * effect <= interval.high;
			seen++;
		}
		double share = (double)held / seen, error = sqrt(0.95 * 0.05 / seen);
		if (share < 0.95 - 3.5 * error || share > 0.98 + 3.5 * error)
			fail_msg("effect %g: %d seen, %.3f held", effect, seen, share);
	}
}

static void test_edges(void **state)
{
	(void)state;
	struct interval interval = {7, 7};
	/* Without selection, and far above it, the usual interval. */
	assert_int_equal(selected_interval(10, 1, 0, 0.95, &interval), STATS_OK);
	assert_close(interval.low, 10 + normal_quantile(0.025), 1e-6);
	assert_int_equal(selected_interval(-50, 2, 4, 0.95, &interval), STATS_OK);
	assert_close(interval.high, -50 - 2 * normal_quantile(0.025), 1e-6);
	/* Barely seen: it may be nothing. */
	assert_int_equal(selected_interval(-4.01, 1, 4, 0.95, &interval), STATS_OK);
	assert_true(interval.high == 0 && interval.low < -1);
	assert_int_equal(selected_interval(1, 0, 4, 0.95, &interval), STATS_BAD_ARGUMENT);
	assert_int_equal(selected_interval(1, 1, -1, 0.95, &interval), STATS_BAD_ARGUMENT);
	assert_int_equal(selected_interval(1, 1, 4, 1, &interval), STATS_BAD_ARGUMENT);
	assert_int_equal(selected_interval(INFINITY, 1, 4, 0.95, &interval), STATS_NOT_FINITE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_edges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
