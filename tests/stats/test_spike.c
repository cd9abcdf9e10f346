#include "stats/spike.h"

#include "base/random.h"
#include "support/starve.h"

#include <math.h>

static void assert_spikes(const double *x, size_t n, const size_t *expected, size_t count)
{
	size_t *places = NULL, found = 99;
	assert_int_equal(spike_points(x, n, &places, &found), STATS_OK);
	assert_int_equal(found, count);
	for (size_t k = 0; k < count; k++)
		assert_int_equal(places[k], expected[k]);
	assert_true(count > 0 || places == NULL);
	mem_free(places);
}

static void fill(double *x, size_t n, uint64_t seed)
{
	struct random random;
	random_seed(&random, seed);
	for (size_t i = 0; i < n; i++)
		x[i] = random_normal(&random);
}

static void test_single_points(void **state)
{
	(void)state;
	double x[200];
	const size_t places[] = {10, 100, 198};
	fill(x, 200, 1);
	assert_spikes(x, 200, NULL, 0);
	x[10] -= 30;
	x[100] += 9;
	x[198] += 12;
	assert_spikes(x, 200, places, 3);
}

/* The first values of a new level are none, nor is a short level, nor an end of the series. */
static void test_levels(void **state)
{
	(void)state;
	double x[100];
	const size_t middle = 50;
	fill(x, 100, 2);
	for (size_t i = 40; i < 100; i++)
		x[i] += 20;
	assert_spikes(x, 100, NULL, 0);
	x[50] += 30;
	assert_spikes(x, 100, &middle, 1);
	for (size_t length = 2; length < 8; length++) {
		fill(x, 100, length);
		for (size_t i = 0; i < length; i++)
			x[50 + i] += 20;
		assert_spikes(x, 100, NULL, 0);
	}
	fill(x, 100, 3);
	x[0] = x[99] = 50;
	assert_spikes(x, 100, NULL, 0);
}

static void test_constant(void **state)
{
	(void)state;
	double x[60];
	const size_t place = 17;
	for (size_t i = 0; i < 60; i++)
		x[i] = i < 30 ? 4 : 9;
	assert_spikes(x, 60, NULL, 0);
	x[17] = 4.5;
	assert_spikes(x, 60, &place, 1);
	/* Three of sixty are more than 2 %: a tail. */
	x[8] = x[40] = 5;
	assert_spikes(x, 60, NULL, 0);
}

static void test_heavy_tail(void **state)
{
	(void)state;
	double x[1000];
	fill(x, 1000, 4);
	for (size_t i = 0; i < 1000; i++)
		x[i] = exp(1.5 * x[i]);
	assert_spikes(x, 1000, NULL, 0);
}

/* Normal noise has none: 300 series of 100 values, expected below 0.1 in all. */
static void test_no_alarms(void **state)
{
	(void)state;
	double x[100];
	for (uint64_t seed = 0; seed < 300; seed++) {
		fill(x, 100, seed);
		assert_spikes(x, 100, NULL, 0);
	}
}

static void test_edges(void **state)
{
	(void)state;
	double x[3] = {1, 9, 1};
	size_t *places, count;
	assert_int_equal(spike_points(x, 0, &places, &count), STATS_EMPTY);
	assert_spikes(x, 1, NULL, 0);
	assert_spikes(x, 2, NULL, 0);
	assert_spikes(x, 3, NULL, 0); /* each is 8 from the median of the others: that is the noise */
	x[1] = NAN;
	assert_int_equal(spike_points(x, 3, &places, &count), STATS_NOT_FINITE);
}

static enum stats_status find(void *data)
{
	size_t *places = NULL, count;
	enum stats_status status = spike_points(data, 50, &places, &count);
	mem_free(places);
	return status;
}

static void test_no_memory(void **state)
{
	(void)state;
	double x[50];
	fill(x, 50, 1);
	x[20] = 40;
	assert_int_equal(starve(find, x), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_single_points), cmocka_unit_test(test_levels),    cmocka_unit_test(test_constant),
		cmocka_unit_test(test_heavy_tail),    cmocka_unit_test(test_no_alarms), cmocka_unit_test(test_edges),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
