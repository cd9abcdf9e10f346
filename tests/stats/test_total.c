#include "stats/total.h"

#include "base/random.h"
#include "stats/summary.h"
#include "support/known.h"

#include <math.h>

enum { UNITS = 15 };

/* D_r and its standard deviation straight from their definition. */
static void test_disagreement(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 9);
	for (int repeat = 0; repeat < 50; repeat++) {
		struct comoment sum = {0};
		double a[UNITS], b[UNITS], typical[UNITS], d[UNITS], w, t;
		for (int r = 0; r < UNITS; r++) {
			double shared = 1e6 * exp(0.3 * random_normal(&random));
			a[r] = shared * exp(0.01 * random_normal(&random));
			b[r] = shared * exp(0.02 + 0.01 * random_normal(&random));
			typical[r] = log(b[r] / a[r]) + 0.005 * random_normal(&random);
			comoment_add(&sum, (const double[]){a[r], b[r], typical[r]}, 3);
		}
		struct summary mean_a, mean_b, mean_typical, spread;
		assert_int_equal(summary_of(a, UNITS, &mean_a), STATS_OK);
		assert_int_equal(summary_of(b, UNITS, &mean_b), STATS_OK);
		assert_int_equal(summary_of(typical, UNITS, &mean_typical), STATS_OK);
		for (int r = 0; r < UNITS; r++)
			d[r] = b[r] / mean_b.mean - a[r] / mean_a.mean - typical[r];
		assert_int_equal(summary_of(d, UNITS, &spread), STATS_OK);
		total_disagreement(&sum, &w, &t);
		double expected = log(mean_b.mean / mean_a.mean) - mean_typical.mean;
		assert_true(fabs(w - expected) < 1e-12);
		assert_true(fabs(t - expected / (spread.sd / sqrt(UNITS))) < 1e-9 * (1 + fabs(t)));
	}
}

static void test_sides(void **state)
{
	(void)state;
	struct total_sum sum = {0};
	struct total total;
	signed char side[UNITS];
	double logs[UNITS], ratio;
	for (int r = 0; r < UNITS; r++) {
		side[r] = r % 3 ? 1 : -1;
		logs[r] = 0.1 * side[r] + 0.01 * (r % 4);
		total_add(&sum, 2, 2 * exp(logs[r]), side[r]);
	}
	struct duet duet;
	assert_int_equal(duet_of(logs, side, UNITS, &duet), STATS_OK);
	assert_int_equal(total_of(&sum, true, TOTAL_ARITHMETIC, &total), STATS_OK);
	assert_true(total.by_logs);
	assert_close(total.df, UNITS - 2, 0);
	duet.se *= sqrt(total.widening);
	struct interval interval, expected = duet_interval(&duet, 3);
	assert_int_equal(total_interval(&total, 3, &ratio, &interval), STATS_OK);
	assert_close(interval.low, expected.low, 1e-12);
	assert_close(interval.high, expected.high, 1e-12);
	assert_close(total_t(&total, interval.high), -3, 1e-9);
	assert_true(total_bound(&total) == INFINITY);
	assert_int_equal(total_interval(&total, INFINITY, &ratio, &interval), STATS_UNBOUNDED);
	assert_int_equal(total_interval(&total, NAN, &ratio, &interval), STATS_BAD_ARGUMENT);
	/* One unit without a side: all go by means. */
	total_add(&sum, 2, 2, 0);
	assert_int_equal(total_of(&sum, true, TOTAL_ARITHMETIC, &total), STATS_OK);
	assert_true(!total.by_logs && total.df == UNITS);
}

/* The autocorrelation of d_i = b_i/mean(b) − a_i/mean(a), straight from its definition. */
static void test_lag1(void **state)
{
	(void)state;
	enum { PAIRS = 40 };
	struct random random;
	random_seed(&random, 10);
	for (int repeat = 0; repeat < 50; repeat++) {
		struct total_sum sum = {0};
		struct total total;
		double a[PAIRS], b[PAIRS], d[PAIRS], mean_a = 0, mean_b = 0, memory = 0, products = 0, squares = 0;
		for (int i = 0; i < PAIRS; i++) {
			memory = 0.7 * memory + random_normal(&random);
			a[i] = 1e9 + 1e4 * random_normal(&random);
			b[i] = 2e9 + 1e4 * memory;
			mean_a += a[i] / PAIRS;
			mean_b += b[i] / PAIRS;
			total_add(&sum, a[i], b[i], 0);
		}
		for (int i = 0; i < PAIRS; i++)
			d[i] = (b[i] - mean_b) / mean_b - (a[i] - mean_a) / mean_a;
		for (int i = 0; i < PAIRS; i++) {
			squares += d[i] * d[i];
			products += i > 0 ? d[i] * d[i - 1] : 0;
		}
		assert_int_equal(total_of(&sum, false, TOTAL_ARITHMETIC, &total), STATS_OK);
		assert_close(total.lag1, products / squares, 1e-6);
		double r = fmin(0.97, fmax(0, products / squares + 1 / sqrt(PAIRS)));
		assert_close(total.widening, (1 + r) / (1 - r), 1e-6);
	}
	assert_close(total_widening(-1, 100), 1, 1e-12);
	assert_close(total_widening(2, 100), 1.97 / 0.03, 1e-9);
}

/* Single runs on two sides: within the sides, so that what a side adds is in neither mean nor spread. */
static void test_sides_of_single_runs(void **state)
{
	(void)state;
	struct total plain, shifted;
	for (int effect = 0; effect < 2; effect++) {
		struct total_sum sum = {0};
		for (int i = 0; i < 40; i++) {
			int side = i % 4 == 1 || i % 4 == 2 ? 1 : -1;
			/* The side that is slow by half slows whichever of the two runs there. */
			double base = (1 + 0.01 * (i % 5)) * (effect && side > 0 ? 1.5 : 1);
			double new_ = (1.1 + 0.01 * (2 * i % 5)) * (effect && side < 0 ? 1.5 : 1);
			total_add(&sum, base, new_, side);
		}
		assert_int_equal(total_of(&sum, false, TOTAL_ARITHMETIC, effect ? &shifted : &plain), STATS_OK);
	}
	assert_true(!shifted.by_logs && shifted.df == 38);
	assert_close(shifted.means.new_ / shifted.means.base, plain.means.new_ / plain.means.base, 1e-9);
	assert_true(shifted.means.base_variance < 3 * plain.means.base_variance);
}

static void test_bound(void **state)
{
	(void)state;
	struct total_sum sum = {0};
	struct total total;
	for (int r = 0; r < UNITS; r++)
		total_add(&sum, 1 + r % 3, 2, 0);
	assert_int_equal(total_of(&sum, true, TOTAL_ARITHMETIC, &total), STATS_OK);
	double bound = total_bound(&total), ratio;
	struct interval interval;
	assert_int_equal(total_interval(&total, bound * (1 - 1e-9), &ratio, &interval), STATS_OK);
	assert_int_equal(total_interval(&total, bound * (1 + 1e-9), &ratio, &interval), STATS_UNBOUNDED);
}

static void test_edges(void **state)
{
	(void)state;
	struct total_sum sum = {0};
	struct total total = {.runs = -1};
	double w, t;
	assert_int_equal(total_of(&sum, true, TOTAL_ARITHMETIC, &total), STATS_EMPTY);
	total_disagreement(&sum.pairs, &w, &t);
	assert_true(isnan(w) && isnan(t));
	total_add(&sum, 1, 2, 1);
	assert_int_equal(total_of(&sum, true, TOTAL_ARITHMETIC, &total), STATS_TOO_FEW);
	total_add(&sum, 1, 2, 1);
	total_add(&sum, 1, 2, 1);
	assert_int_equal(total_of(&sum, true, TOTAL_ARITHMETIC, &total), STATS_TOO_FEW); /* one side only */
	assert_true(total.runs == -1);
	total_add(&sum, 1, 2, -1);
	assert_int_equal(total_of(&sum, true, TOTAL_ARITHMETIC, &total), STATS_OK);
	assert_true(total_t(&total, 1) == INFINITY);
	struct total_sum negative = {0};
	total_add(&negative, -1, 2, 0);
	total_add(&negative, -1.5, 2, 0);
	assert_int_equal(total_of(&negative, false, TOTAL_ARITHMETIC, &total), STATS_NOT_DEFINED);
	total_disagreement(&negative.pairs, &w, &t);
	assert_true(isnan(w) && isnan(t));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_disagreement),
	                                   cmocka_unit_test(test_sides),
	                                   cmocka_unit_test(test_bound),
	                                   cmocka_unit_test(test_lag1),
	                                   cmocka_unit_test(test_sides_of_single_runs),
	                                   cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
