/* What is promised for a given time, against the formulas by hand. */
#include "design/outlook.h"

#include "stats/critical.h"
#include "stats/distribution.h"
#include "support/known.h"

#include <math.h>

static struct calibration_design known(double pair_seconds, double sd_1, double sd_40)
{
	struct calibration_design d;
	calibration_design_init(&d, "turns");
	d.pair_seconds = pair_seconds;
	d.spreads[0].sd = sd_1;
	d.spreads[3].sd = sd_40;
	d.spreads[0].lag1 = d.spreads[3].lag1 = -0.9; /* no factor whatever the noise */
	return d;
}

/* How much a sample sd is small on average. */
static double few(double units)
{
	return 1 - 0.25 / (units - 1);
}

static void by_hand(void **state)
{
	(void)state;
	struct calibration_design d = known(0.005, 0.1, 0.01);
	/* 10 s − 15 ms hold 1996 pairs: 49 units of 40. */
	assert_close(outlook_half_width(&d, 10, 0.01, OUTLOOK_FIXED), expm1(critical_t(0.00375, 48) * few(49) * 0.01 / 7),
	             1e-12);
	assert_close(outlook_half_width(&d, 10, 0.01, OUTLOOK_PRECISION),
	             expm1(critical_precision(0.00375, 49, 48) * few(49) * 0.01 / 7), 1e-12);
	assert_close(outlook_half_width(&d, 10, 0.01, OUTLOOK_SAME),
	             expm1(critical_anytime(0.01, 49, 48) * few(49) * 0.01 / 7), 1e-12);
	assert_close(outlook_visible(&d, 10, 0.01),
	             expm1((critical_anytime(0.00375, 49, 48) * few(49) + normal_quantile(0.9)) * 0.01 / 7), 1e-12);
	/* 0.4 s: 77 pairs, 12 units of 6. */
	assert_close(outlook_half_width(&d, 0.4, 0.01, OUTLOOK_FIXED),
	             expm1(critical_t(0.00375, 11) * few(12) * 0.01 * sqrt(40.0 / 6 / 12)), 1e-12);
	/* 0.251 s: 47 pairs, one unit: the total alone, which independent pairs do not widen at this autocorrelation. */
	assert_close(outlook_half_width(&d, 0.251, 0.01, OUTLOOK_FIXED), expm1(critical_t(0.005, 46) * 0.1 / sqrt(47)),
	             1e-12);
	/* 5 pairs: one look with t whatever the rule. */
	assert_close(outlook_half_width(&d, 0.041, 0.01, OUTLOOK_VERDICT), expm1(critical_t(0.005, 4) * 0.1 / sqrt(5)),
	             1e-12);
	assert_true(isnan(outlook_half_width(&d, 0.036, 0.01, OUTLOOK_FIXED)));
	assert_true(isnan(outlook_visible(&d, 0.01, 0.01)));
}

static void correlation_widens(void **state)
{
	(void)state;
	struct calibration_design d = known(0.005, 0.1, 0.01);
	double alone = outlook_half_width(&d, 10, 0.01, OUTLOOK_FIXED);
	d.spreads[3].lag1 = 0;
	double chance = outlook_half_width(&d, 10, 0.01, OUTLOOK_FIXED);
	d.spreads[3].lag1 = 0.5;
	double widened = outlook_half_width(&d, 10, 0.01, OUTLOOK_FIXED);
	/* Independent units pay in one experiment of ten; half the neighbour's deviation makes √3. */
	assert_true(chance > alone && chance < 1.06 * alone);
	assert_true(widened > 1.5 * alone && widened < 1.9 * alone);
}

static void a_missing_spread_is_scaled(void **state)
{
	(void)state;
	struct calibration_design d = known(0.005, 0.1, NAN);
	/* Only single pairs are known: the total speaks. */
	assert_close(outlook_half_width(&d, 10, 0.01, OUTLOOK_FIXED), expm1(critical_t(0.005, 1995) * 0.1 / sqrt(1996)),
	             1e-12);
	d.spreads[1].sd = 0.02;
	d.spreads[1].lag1 = -0.9;
	assert_close(outlook_half_width(&d, 10, 0.01, OUTLOOK_FIXED), expm1(critical_t(0.00375, 48) * few(49) * 0.01 / 7),
	             1e-12);
}

/* 11 units of 40 and 21 of 20, whose neighbours are alike: (10·40·0.01² + 20·20·0.02²·1.5)/30 for a pair. Twenty units
 * of 40 stand alone. */
static void smaller_units_are_weighed_in(void **state)
{
	(void)state;
	struct calibration_design d = known(0.005, 0.1, 0.01);
	d.spreads[2] = (struct calibration_spread){20, 21, 0.02, 0.5};
	d.spreads[3].units = 11;
	double variance = (10 * 40 * 1e-4 + 20 * 20 * 4e-4 * 1.5) / 30 / 40;
	assert_close(outlook_half_width(&d, 10, 0.01, OUTLOOK_FIXED),
	             expm1(critical_t(0.00375, 48) * few(49) * sqrt(variance) / 7), 1e-12);
	d.spreads[3].units = 20;
	assert_close(outlook_half_width(&d, 10, 0.01, OUTLOOK_FIXED), expm1(critical_t(0.00375, 48) * few(49) * 0.01 / 7),
	             1e-12);
}

static void time_for_a_width(void **state)
{
	(void)state;
	struct calibration_design d = known(0.005, 0.1, 0.01);
	double wanted = 0.001, seconds = outlook_seconds(&d, wanted, 0.01, OUTLOOK_FIXED, 1, 1e6);
	assert_true(outlook_half_width(&d, seconds, 0.01, OUTLOOK_FIXED) <= wanted);
	assert_true(outlook_half_width(&d, seconds / 1.1, 0.01, OUTLOOK_FIXED) > wanted);
	/* What is asked for is a time from there on, though a shorter one may do. */
	assert_close(outlook_seconds(&d, wanted, 0.01, OUTLOOK_FIXED, 2 * seconds, 1e6), 2 * seconds, 0);
	assert_true(isinf(outlook_seconds(&d, 1e-9, 0.01, OUTLOOK_FIXED, 1, 3600)));
}

static void best_design(void **state)
{
	(void)state;
	struct calibration_design some[3] = {known(0.005, 0.1, 0.01), known(0.002, 0.1, 0.02), known(0.005, 0.1, 0.02)};
	struct calibration_design other[3] = {known(0.005, 0.1, 0.01), known(0.005, 0.1, 0.002), known(0.005, 0.1, 0.02)};
	static const char *const names[] = {"shuffled", "turns", "duet"};
	for (int i = 0; i < 3; i++) {
		some[i].name = other[i].name = names[i];
		outlook_fill(&some[i]);
		outlook_fill(&other[i]);
	}
	struct calibration_program programs[2] = {{.name = "a", .designs = some, .design_count = 3},
	                                          {.name = "b", .designs = other, .design_count = 3}};
	assert_string_equal(outlook_best(&programs[0]), "shuffled");
	assert_string_equal(outlook_best(&programs[1]), "turns");
	assert_string_equal(outlook_best_of_all(programs, 2), "turns");
	some[1].left_out = "it needs two CPUs";
	assert_string_equal(outlook_best_of_all(programs, 2), "shuffled");
	assert_null(outlook_best_of_all(programs, 0));
	/* Nothing is seen in ten seconds: the next time counts. */
	struct calibration_design slow = known(3, 0.1, 0.01);
	outlook_fill(&slow);
	assert_true(isnan(slow.visible[calibration_time(10)]));
	struct calibration_program third = {.name = "c", .designs = &slow, .design_count = 1};
	assert_string_equal(outlook_best(&third), "turns");
	slow = known(3000, 0.1, 0.01);
	outlook_fill(&slow);
	assert_null(outlook_best(&third));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(correlation_widens),
		cmocka_unit_test(a_missing_spread_is_scaled),
		cmocka_unit_test(smaller_units_are_weighed_in),
		cmocka_unit_test(time_for_a_width),
		cmocka_unit_test(best_design),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
