/* Ticks are round, inside the range, in order, few enough, and their labels say what they mark. */
#include "report/axis.h"

#include "base/random.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 1, 2 or 5 times a power of ten. */
static bool is_round_step(double step)
{
	static const double round_ones[] = {1, 2, 5, 10};
	double mantissa = step / pow(10, floor(log10(step)));
	for (size_t i = 0; i < 4; i++)
		if (fabs(mantissa - round_ones[i]) < 1e-6)
			return true;
	return false;
}

static void check_axis(const struct axis *axis, double low, double high, size_t most)
{
	assert_true(isfinite(axis->low) && isfinite(axis->high) && axis->low < axis->high);
	assert_true(axis->low <= low + 1e-9 * fabs(low) && axis->high >= high - 1e-9 * fabs(high));
	assert_in_range(axis->tick_count, 2, most < 2 ? 2 : most);
	for (size_t i = 0; i < axis->tick_count; i++) {
		assert_true(axis->ticks[i].at >= axis->low && axis->ticks[i].at <= axis->high);
		assert_true(axis->ticks[i].label[0] != '\0');
		assert_true(i == 0 || axis->ticks[i].at > axis->ticks[i - 1].at);
		assert_true(i == 0 || strcmp(axis->ticks[i].label, axis->ticks[i - 1].label) != 0);
	}
}

static void test_ticks_that_people_expect(void **state)
{
	(void)state;
	struct axis axis;
	axis_init(&axis, AXIS_LINEAR, 0.0119, 0.0141, "s", 5);
	assert_string_equal(axis.unit, "ms");
	assert_int_equal(axis.tick_count, 5);
	assert_string_equal(axis.ticks[0].label, "12.0");
	assert_string_equal(axis.ticks[4].label, "14.0");
	axis_init(&axis, AXIS_LINEAR, 0, 100, "", 6);
	assert_int_equal(axis.tick_count, 6);
	assert_string_equal(axis.ticks[5].label, "100");
	axis_init(&axis, AXIS_LINEAR, -0.03, 0.07, "", 6);
	assert_string_equal(axis.ticks[0].label, "-0.02");
	assert_string_equal(axis.ticks[1].label, "0.00");
	axis_init(&axis, AXIS_LOG, 1e-4, 10, "s", 6);
	assert_int_equal(axis.tick_count, 6);
	assert_string_equal(axis.ticks[0].label, "100 \u00b5s");
	assert_string_equal(axis.ticks[3].label, "100 ms");
	assert_string_equal(axis.ticks[5].label, "10 s");
	axis_init(&axis, AXIS_LOG, 1, 50, "bytes", 6);
	assert_string_equal(axis.ticks[0].label, "1 B");
	assert_string_equal(axis.ticks[1].label, "2 B");
	assert_string_equal(axis.ticks[5].label, "50 B");
	/* Too short for decades. */
	axis_init(&axis, AXIS_LOG, 0.02, 0.06, "s", 5);
	assert_string_equal(axis.ticks[0].label, "20 ms");
	assert_string_equal(axis.ticks[4].label, "60 ms");
	assert_string_equal(axis.unit, "");
	axis_init(&axis, AXIS_COUNT, 1, 3, "", 9);
	assert_int_equal(axis.tick_count, 3);
	assert_string_equal(axis.ticks[1].label, "2");
	axis_init(&axis, AXIS_COUNT, 0, 3e6, "", 4);
	assert_string_equal(axis.ticks[0].label, "0");
	assert_string_equal(axis.ticks[1].label, "1 M");
	axis_init(&axis, AXIS_LINEAR, -3e-9, 3e-9, "widgets", 4);
	assert_string_equal(axis.ticks[0].label, "-2e-9");
	assert_string_equal(axis.ticks[1].label, "0");
}

static void test_impossible_ranges_can_be_drawn(void **state)
{
	(void)state;
	static const double values[] = {0,    -0.0,  1,      -1,      5e-324,   -5e-324,  1e-300,    1e-12,
	                                1e12, 1e300, -1e300, 1.7e308, -1.7e308, INFINITY, -INFINITY, NAN};
	enum { COUNT = sizeof(values) / sizeof(values[0]) };
	for (size_t i = 0; i < COUNT; i++)
		for (size_t k = 0; k < COUNT; k++)
			for (int scale = AXIS_LINEAR; scale <= AXIS_COUNT; scale++)
				for (size_t most = 0; most < 40; most += 3) {
					struct axis axis;
					axis_init(&axis, (enum axis_scale)scale, values[i], values[k], "s", most);
					check_axis(&axis, axis.low, axis.high, most < 2 ? 2 : most);
					assert_true(axis.scale != AXIS_LOG || axis.low > 0);
				}
}

static void test_random_ranges(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 99);
	for (int round = 0; round < 20000; round++) {
		double low = random_normal(&random) * pow(10, random_uniform(&random) * 24 - 12);
		double high = low + random_exponential(&random) * pow(10, random_uniform(&random) * 24 - 12);
		size_t most = 2 + random_below(&random, 9);
		struct axis axis;
		axis_init(&axis, AXIS_LINEAR, low, high, "widgets", most);
		check_axis(&axis, low, high, most);
		double step = axis.ticks[1].at - axis.ticks[0].at;
		bool at_ends = axis.tick_count == 2 && axis.ticks[0].at == axis.low && axis.ticks[1].at == axis.high;
		for (size_t i = 0; i < axis.tick_count; i++) {
			double said = strtod(axis.ticks[i].label, NULL);
			/* Labels of the ends may be rounded, to a hundredth of the axis. */
			double allowed = at_ends ? 0.011 * step : 1e-6 * step + 1e-12 * fabs(said);
			if (fabs(said - axis.ticks[i].at) > allowed)
				fail_msg("%.17g is labelled %s (step %g)", axis.ticks[i].at, axis.ticks[i].label, step);
		}
		/* Two ticks may be the first and the last of a finer step. */
		bool is_round = false;
		for (int parts = 1; parts <= (axis.tick_count == 2 ? AXIS_TICKS_MAX : 1); parts++)
			is_round |= is_round_step(step / parts);
		if (!at_ends && step > 1e-8 * fabs(high) && !is_round)
			fail_msg("step %.17g from %.17g to %.17g", step, low, high);
		axis_init(&axis, AXIS_LOG, fabs(low), fabs(low) + (high - low), "s", most);
		check_axis(&axis, fabs(low), fabs(low) + (high - low), most);
	}
}

static void test_places(void **state)
{
	(void)state;
	struct axis axis;
	axis_init(&axis, AXIS_LINEAR, 2, 4, "", 5);
	assert_close(axis_place(&axis, 2), 0, 1e-12);
	assert_close(axis_place(&axis, 3), 0.5, 1e-12);
	assert_close(axis_place(&axis, 5), 1.5, 1e-12);
	axis_init(&axis, AXIS_LOG, 1, 100, "", 5);
	assert_close(axis_place(&axis, 10), 0.5, 1e-12);
	assert_true(isnan(axis_place(&axis, 0)));
	assert_true(isnan(axis_place(&axis, NAN)));
}

static void test_far_values_are_left_out_and_counted(void **state)
{
	(void)state;
	double values[200];
	for (size_t i = 0; i < 200; i++)
		values[i] = 10 + (double)(i % 20) / 20;
	struct axis_range range = axis_range_bulk(values, 200);
	assert_close(range.low, 10, 1e-12);
	assert_close(range.high, 10.95, 1e-12);
	assert_int_equal(range.above + range.below + range.lost, 0);
	values[7] = 1000;
	values[8] = -5;
	values[9] = NAN;
	values[11] = -INFINITY;
	range = axis_range_bulk(values, 200);
	assert_int_equal(range.above, 1);
	assert_int_equal(range.below, 1);
	assert_int_equal(range.lost, 2);
	assert_int_equal(range.finite, 198);
	assert_true(range.low > 0 && range.low < 10 && range.high > 10.95 && range.high < 20);
	assert_close(range.max, 1000, 0);
	assert_close(range.min, -5, 0);
	range = axis_range_all(values, 200);
	assert_close(range.high, 1000, 0);
	range = axis_range_bulk(values, 0);
	assert_int_equal(range.finite, 0);
	assert_true(isnan(range.low));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ticks_that_people_expect),
		cmocka_unit_test(test_impossible_ranges_can_be_drawn),
		cmocka_unit_test(test_random_ranges),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_far_values_are_left_out_and_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
