#include "stats/first.h"

#include "base/random.h"
#include "support/known.h"

#include <math.h>

enum { MOST_RUNS = 10, MOST_LENGTH = 19 };

static const double precision = 0.01;

static void even_starts(uint32_t *starts, size_t runs, size_t length)
{
	for (size_t r = 0; r <= runs; r++)
		starts[r] = (uint32_t)(r * length);
}

/* Two runs of ten: 1/10 twice is just 1 %. */
static void test_slow_first(void **state)
{
	(void)state;
	/* chi-square of Renaissance, seconds. */
	const double x[] = {9.05, 1.96, 2.59, 2.47, 1.94, 2.02, 1.99, 1.81, 1.63, 1.61,
	                    7.36, 2.33, 1.89, 2.13, 1.90, 1.93, 1.98, 1.57, 1.54, 1.74};
	const uint32_t starts[] = {0, 10, 20};
	struct first found;
	assert_int_equal(first_test(x, starts, 2, precision, &found), STATS_OK);
	assert_true(found.apart && found.above && found.runs == 2);
	assert_close(found.p_value, 0.01, 1e-12);
	/* 9.05 over the mean of the nine others, 18.02/9, and 7.36 over 17.01/9. */
	assert_close(found.ratio, (9.05 * 9 / 18.02 + 7.36 * 9 / 17.01) / 2, 1e-12);
	assert_close(found.effect, (found.ratio - 1) / 10, 1e-12);
	/* One run of ten may have its largest value in front by chance. */
	assert_int_equal(first_test(x, starts, 1, precision, &found), STATS_OK);
	assert_false(found.apart);
	assert_close(found.p_value, 0.1, 1e-12);
}

/* Ten runs of five; R: pbinom(8, 10, 0.2, lower.tail = FALSE). */
static void test_nearly_all(void **state)
{
	(void)state;
	double x[50];
	uint32_t starts[11];
	struct first found;
	even_starts(starts, 10, 5);
	for (size_t i = 0; i < 50; i++)
		x[i] = i % 5 == 0 ? 0.5 : 1 + 0.01 * (double)(i % 5);
	x[10] = 1.02;
	assert_int_equal(first_test(x, starts, 10, precision, &found), STATS_OK);
	assert_true(found.apart && !found.above && found.runs == 9);
	assert_close(found.p_value, 4.1984e-06, 1e-4);
	assert_close(found.ratio, 0.5 / 1.025, 1e-12);
	x[20] = 1.02;
	assert_int_equal(first_test(x, starts, 10, precision, &found), STATS_OK);
	assert_true(!found.apart && found.runs == 8);
	/* A tie is not beyond the others. */
	x[20] = 0.5;
	x[21] = 0.5;
	assert_int_equal(first_test(x, starts, 10, precision, &found), STATS_OK);
	assert_int_equal(found.runs, 8);
}

/* The mean of a run moves by 0.45 % or by 0.55 %. */
static void test_size(void **state)
{
	(void)state;
	for (int small = 0; small < 2; small++) {
		double x[50];
		uint32_t starts[6];
		struct first found;
		even_starts(starts, 5, 10);
		for (size_t i = 0; i < 50; i++)
			x[i] = i % 10 == 0 ? (small ? 1.045 : 1.055) : 1;
		assert_int_equal(first_test(x, starts, 5, precision, &found), STATS_OK);
		assert_true(found.runs == 5 && found.apart == !small);
	}
}

static void test_edges(void **state)
{
	(void)state;
	double x[] = {1, 2, NAN, 1, -3, -4};
	const uint32_t starts[] = {0, 2, 4}, one[] = {0, 1}, below_zero[] = {4, 6};
	struct first found;
	assert_int_equal(first_test(x, starts, 0, precision, &found), STATS_TOO_FEW);
	assert_int_equal(first_test(x, one, 1, precision, &found), STATS_TOO_FEW);
	assert_int_equal(first_test(x, starts, 2, precision, &found), STATS_NOT_FINITE);
	assert_int_equal(first_test(x, below_zero, 1, precision, &found), STATS_NOT_POSITIVE);
}

/* In how many of `series` series of noise the first iteration is called apart. The shape of the
 * noise plays no part: only the order of values does. */
static size_t false_alarms(uint64_t seed, size_t runs, size_t length, double rho, size_t series)
{
	struct random random;
	uint32_t starts[MOST_RUNS + 1];
	size_t alarms = 0;
	random_seed(&random, seed);
	even_starts(starts, runs, length);
	for (size_t k = 0; k < series; k++) {
		double x[MOST_RUNS * MOST_LENGTH], value = 0;
		struct first found;
		for (size_t i = 0; i < runs * length; i++) {
			double noise = random_normal(&random);
			value = i % length == 0 ? noise : rho * value + sqrt(1 - rho * rho) * noise;
			x[i] = 10 + value;
		}
		assert_int_equal(first_test(x, starts, runs, precision, &found), STATS_OK);
		alarms += found.apart;
	}
	return alarms;
}

/* At most 2 %, within three simulation errors; more only where few runs of correlated iterations
 * are all there is. */
static void test_false_alarms(void **state)
{
	(void)state;
	enum { SERIES = 10000 };
	static const struct {
		size_t runs, length;
	} sizes[] = {{2, 10}, {2, 19}, {3, 5}, {5, 4}, {10, 3}, {10, 10}};
	const double most = SERIES * (0.02 + 3 * sqrt(0.02 * 0.98 / SERIES));
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t alarms = false_alarms(1 + i, sizes[i].runs, sizes[i].length, 0, SERIES);
		print_message("# %zu runs of %zu: %.2f %%\n", sizes[i].runs, sizes[i].length, 100.0 * (double)alarms / SERIES);
		assert_true((double)alarms <= most);
	}
	/* The level is used where the counts allow it: 2 · 1/100. */
	assert_true(false_alarms(1, 2, 10, 0, SERIES) > 100);
	size_t few = false_alarms(7, 2, 10, 0.8, SERIES), many = false_alarms(8, 10, 10, 0.8, SERIES);
	print_message("# AR(0.8): 2 runs of 10 %.2f %%, 10 runs of 10 %.2f %%\n", 100.0 * (double)few / SERIES,
	              100.0 * (double)many / SERIES);
	assert_true(few < SERIES / 10 && many < SERIES / 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slow_first), cmocka_unit_test(test_nearly_all),   cmocka_unit_test(test_size),
		cmocka_unit_test(test_edges),      cmocka_unit_test(test_false_alarms),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
