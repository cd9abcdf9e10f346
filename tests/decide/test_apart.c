/* Means that were measured apart: intervals and p values, and series that are alike. */
#include "decide/apart.h"

#include "base/memory.h"
#include "base/random.h"
#include "stats/welch.h"
#include "support/known.h"

#include <math.h>

static const struct apart_rule once = {CRITICAL_FIXED, 0.05, 0.01, false, MEAN_ARITHMETIC};

/* Means and variances by hand; p as stats/welch.h, which is checked against R. */
static void as_welch(void **state)
{
	(void)state;
	static const double x[] = {10, 11, 12, 11, 10, 12, 11, 10}, y[] = {12, 13, 12, 14, 13, 12, 13, 14};
	struct apart_side a, b;
	struct apart r;
	struct welch test;
	assert_int_equal(apart_readings(x, 8, MEAN_ARITHMETIC, 1, &a), STATS_OK);
	assert_int_equal(apart_readings(y, 8, MEAN_ARITHMETIC, 1, &b), STATS_OK);
	assert_close(a.mean, 10.875, 1e-12);
	assert_close(a.variance, 0.6964285714285714 / 8, 1e-12);
	assert_true(a.merged == 1 && a.runs == 8 && a.df == 7);
	apart_compare(&a, &b, &once, &r);
	assert_int_equal(welch_test(x, 8, y, 8, 0.95, &test), STATS_OK);
	assert_close(r.p, test.p, 1e-12);
	assert_true(r.verdict == VERDICT_SLOWER && r.low > 1 && r.low < r.ratio && r.ratio < r.high);
	assert_close(r.ratio, 12.875 / 10.875, 1e-12);
	apart_compare(&b, &a, &once, &r);
	assert_int_equal(r.verdict, VERDICT_FASTER);
	struct apart_rule rate = once;
	rate.higher_is_better = true;
	apart_compare(&a, &b, &rate, &r);
	assert_int_equal(r.verdict, VERDICT_FASTER);
}

static void same_undecided_and_looks(void **state)
{
	(void)state;
	struct apart_side a = {100, 0.001, 50, 49, 1}, b = {100.05, 0.001, 50, 49, 1}, few = {100, 4, 5, 4, 1};
	struct apart r, looked;
	struct apart_rule rule = once;
	apart_compare(&a, &b, &rule, &r);
	assert_int_equal(r.verdict, VERDICT_SAME);
	apart_compare(&a, &few, &rule, &r);
	assert_int_equal(r.verdict, VERDICT_UNDECIDED);
	rule.looks = CRITICAL_ANYTIME;
	apart_compare(&a, &b, &rule, &looked);
	rule.looks = CRITICAL_FIXED;
	apart_compare(&a, &b, &rule, &r);
	assert_true(looked.high - looked.low > r.high - r.low);
	few.mean = 0; /* a base that may be 0 has no ratio */
	apart_compare(&few, &a, &rule, &r);
	assert_true(r.verdict == VERDICT_UNDECIDED && isnan(r.low));
}

/* Rates of fixed work: the one that is often slow is slower, whatever its arithmetic mean says. */
static void by_its_own_mean(void **state)
{
	(void)state;
	static const double base[] = {1, 9, 1.1, 9.1, 1, 9, 1.1, 9.1}, new_[] = {3, 3.1, 3, 3.1, 3, 3.1, 3, 3.1};
	static const double zero[] = {1, 0, 2, 3};
	static const double harmonic = 8 / (2 * (1 + 1 / 1.1 + 1 / 9. + 1 / 9.1)), geometric = 3.080840017224819;
	const struct {
		enum mean_kind kind;
		double ratio;
	} cases[] = {{MEAN_ARITHMETIC, 3.05 / 5.05},
	             {MEAN_HARMONIC, 2 / (1 / 3. + 1 / 3.1) / harmonic},
	             {MEAN_GEOMETRIC, sqrt(3 * 3.1) / geometric}};
	for (size_t i = 0; i < 3; i++) {
		struct apart_rule rule = once;
		struct apart_side a, b;
		struct apart r, turned;
		rule.kind = cases[i].kind;
		rule.higher_is_better = true;
		assert_int_equal(apart_readings(base, 8, rule.kind, 1, &a), STATS_OK);
		assert_int_equal(apart_readings(new_, 8, rule.kind, 1, &b), STATS_OK);
		apart_compare(&a, &b, &rule, &r);
		assert_close(r.ratio, cases[i].ratio, 1e-4);
		assert_true(isnan(r.low) || (r.low < r.ratio && r.ratio < r.high));
		/* The other way round it is the reciprocal. */
		apart_compare(&b, &a, &rule, &turned);
		assert_close(turned.ratio, 1 / r.ratio, 1e-9);
	}
	struct apart_side none;
	assert_int_equal(apart_readings(zero, 4, MEAN_HARMONIC, 1, &none), STATS_NOT_POSITIVE);
}

/* A/A on alike readings: neighbours are merged or the variance is enlarged; nothing is called far more often than it
 * may. 200 pairs at 1 %. */
static void alike_readings(void **state)
{
	(void)state;
	struct random random;
	int alarms = 0;
	random_seed(&random, 9);
	struct apart_rule rule = once;
	rule.alpha = 0.01;
	for (int i = 0; i < 200; i++) {
		double x[2][100];
		struct apart_side side[2];
		struct apart r;
		for (int k = 0; k < 2; k++) {
			double level = random_normal(&random);
			for (int j = 0; j < 100; j++) {
				x[k][j] = 100 + 5 * level;
				level = 0.5 * level + sqrt(0.75) * random_normal(&random);
			}
			assert_int_equal(apart_readings(x[k], 100, MEAN_ARITHMETIC, 0.1, &side[k]), STATS_OK);
		}
		apart_compare(&side[0], &side[1], &rule, &r);
		alarms += r.verdict == VERDICT_FASTER || r.verdict == VERDICT_SLOWER;
	}
	assert_true(alarms <= 10);
}

static void odd_readings(void **state)
{
	(void)state;
	double x[] = {1, NAN, 1, 1}, two[] = {1, 2};
	struct apart_side side;
	assert_int_equal(apart_readings(x, 4, MEAN_ARITHMETIC, 0.1, &side), STATS_OK);
	assert_true(side.mean == 1 && side.variance == 0 && side.runs == 3);
	assert_int_equal(apart_readings(two, 2, MEAN_ARITHMETIC, 0.1, &side), STATS_TOO_FEW);
	assert_int_equal(apart_readings(two, 0, MEAN_ARITHMETIC, 0.1, &side), STATS_TOO_FEW);
	mem_fail_at(1);
	assert_int_equal(apart_readings(x, 4, MEAN_ARITHMETIC, 0.1, &side), STATS_NO_MEMORY);
	mem_fail_at(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_welch),       cmocka_unit_test(by_its_own_mean), cmocka_unit_test(same_undecided_and_looks),
		cmocka_unit_test(alike_readings), cmocka_unit_test(odd_readings),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
