#include "stats/edm.h"

#include "base/random.h"
#include "stats/quantile.h"
#include "support/starve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static size_t fill_blocks(const json_t *blocks, double *x)
{
	size_t n = 0, k;
	json_t *block;
	json_array_foreach(blocks, k, block) for (size_t i = 0; i < (size_t)json_integer_value(json_array_get(block, 1));
	                                          i++) x[n++] = json_number_value(json_array_get(block, 0));
	return n;
}

/* Pilot's own cases, with what is right (not what its EDM says). */
static void test_pilot(void **state)
{
	(void)state;
	json_t *known = known_load("changepoint_pilot.json"), *entry, *at;
	double x[600];
	size_t k, j;
	json_array_foreach(json_object_get(known, "cases"), k, entry)
	{
		size_t n = fill_blocks(json_object_get(entry, "blocks"), x), from, to;
		const json_t *places = json_object_get(entry, "true"), *last = json_object_get(entry, "last_changepoint");
		const json_t *dominant = json_object_get(entry, "dominant_true");
		struct edm edm;
		if (!places)
			places = json_object_get(entry, "rank_sum_2026");
		assert_int_equal(edm_find(x, n, &EDM_DEFAULTS, &edm), STATS_OK);
		if (places) {
			assert_int_equal(edm.count, json_array_size(places));
			json_array_foreach(places, j, at) assert_int_equal(edm.changes[j].at, json_integer_value(at));
		}
		if (json_is_integer(last))
			assert_int_equal(edm.changes[edm.count - 1].at, json_integer_value(last));
		else if (last)
			assert_int_equal(edm.count, 0);
		if (dominant) {
			assert_true(edm_dominant(&edm, n, &from, &to));
			assert_int_equal(from, json_integer_value(json_array_get(dominant, 0)));
			assert_int_equal(to, json_integer_value(json_array_get(dominant, 1)));
		}
		edm_release(&edm);
	}
	assert_int_equal(k, 7);
	json_decref(known);
}

static size_t last_change(const double *x, size_t n)
{
	struct edm edm;
	assert_int_equal(edm_find(x, n, &EDM_DEFAULTS, &edm), STATS_OK);
	size_t last = edm.count ? edm.changes[edm.count - 1].at : 0;
	edm_release(&edm);
	return last;
}

/* Pilot's random cases, with our numbers: rates, a shift by 4 of 1e12, a warm-up and a cool-down. */
static void test_pilot_random(void **state)
{
	(void)state;
	static double x[1000];
	size_t rates = 0, offset = 0, both = 0, single = 0;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct random random;
		struct edm edm;
		random_seed(&random, seed);
		for (size_t i = 0; i < 1000; i++)
			x[i] = random_uniform(&random) < (i < 300 ? 0.5 : 0.95);
		size_t at = last_change(x, 1000);
		rates += at >= 280 && at <= 320;
		for (size_t i = 0; i < 300; i++)
			x[i] = 1e12 + (i < 100 ? 0 : 20) + 5 * random_normal(&random);
		at = last_change(x, 300);
		offset += at >= 97 && at <= 103;
		for (size_t i = 0; i < 500; i++)
			x[i] = 100 - (i < 50 ? 10 : 0) - (i >= 450 ? 15 : 0) + 5 * random_normal(&random);
		assert_int_equal(edm_find(x, 500, &EDM_DEFAULTS, &edm), STATS_OK);
		both += edm.count == 2 && labs((long)edm.changes[0].at - 50) <= 5 && labs((long)edm.changes[1].at - 450) <= 5;
		edm_release(&edm);
		for (size_t i = 0; i < 1000; i++)
			x[i] = (i < 100 ? 3 : 0) + random_normal(&random);
		assert_int_equal(edm_find(x, 1000, &EDM_DEFAULTS, &edm), STATS_OK);
		single += edm.count == 1;
		edm_release(&edm);
		x[500] = seed % 2 ? NAN : INFINITY;
		assert_int_equal(edm_find(x, 1000, &EDM_DEFAULTS, &edm), STATS_NOT_FINITE);
	}
	assert_true(rates >= 19 && offset == 20 && both >= 18 && single >= 19);
}

/* EDM-X from its definition: medians of both sides at every place. */
static size_t split_by_definition(const double *x, size_t n, size_t least)
{
	double best = -1;
	size_t place = 0;
	for (size_t t = least; t <= n - least; t++) {
		double left, right;
		assert_int_equal(median_of(x, t, &left), STATS_OK);
		assert_int_equal(median_of(x + t, n - t, &right), STATS_OK);
		double statistic = (double)t * (double)(n - t) / (double)n * (right - left) * (right - left);
		if (statistic > best * (1 + 1e-12)) {
			best = statistic;
			place = t;
		}
	}
	return place;
}

static void test_published_split(void **state)
{
	(void)state;
	static double x[400];
	struct random random;
	random_seed(&random, 11);
	for (size_t series = 0; series < 60; series++) {
		size_t n = 10 + (size_t)random_below(&random, 390), least = 1 + (size_t)random_below(&random, n / 2), at;
		for (size_t i = 0; i < n; i++) {
			x[i] = random_normal(&random) + (i > n / 3 ? 1 : 0);
			if (series % 3 == 0)
				x[i] = round(2 * x[i]); /* ties */
		}
		assert_int_equal(edm_split(x, n, least, &at), STATS_OK);
		assert_int_equal(at, split_by_definition(x, n, least));
	}
	size_t at;
	assert_int_equal(edm_split(x, 10, 6, &at), STATS_TOO_FEW);
	assert_int_equal(edm_split(x, 10, 0, &at), STATS_BAD_ARGUMENT);
	assert_int_equal(edm_split(x, 0, 1, &at), STATS_EMPTY);
}

/* Whole-number weights overflowed near 92 000 values. */
static void test_long_series(void **state)
{
	(void)state;
	enum { N = 200000 };
	double *x = malloc(N * sizeof(*x));
	struct random random;
	struct edm edm;
	size_t at, from, to;
	random_seed(&random, 1);
	for (size_t i = 0; i < N; i++)
		x[i] = random_normal(&random) + (i >= 120000 ? 1 : 0);
	assert_int_equal(edm_split(x, N, 30, &at), STATS_OK);
	assert_in_range(at, 119970, 120030);
	assert_int_equal(edm_find(x, N, &EDM_DEFAULTS, &edm), STATS_OK);
	assert_int_equal(edm.count, 1);
	assert_in_range(edm.changes[0].at, 119980, 120020);
	assert_close(edm.changes[0].statistic, 0.4 * 120000, 0.05);
	assert_true(edm_dominant(&edm, N, &from, &to));
	assert_int_equal(to, edm.changes[0].at);
	edm_release(&edm);
	free(x);
}

static void test_measures(void **state)
{
	(void)state;
	static double x[120];
	struct edm edm;
	struct edm_options options = EDM_DEFAULTS;
	for (size_t i = 0; i < 120; i++)
		x[i] = (i < 40 ? 10 : i < 80 ? 12 : 17) + 0.1 * (double)(i * 7 % 5);
	assert_int_equal(edm_find(x, 120, &options, &edm), STATS_OK);
	assert_int_equal(edm.count, 2);
	assert_close(edm.changes[0].before, 10.2, 1e-12);
	assert_close(edm.changes[0].after, 12.2, 1e-12);
	assert_close(edm.changes[0].statistic, 20 * 4, 1e-9);
	assert_close(edm.changes[1].statistic, 20 * 25, 1e-9);
	edm_release(&edm);
	/* The weaker one goes, and the other is measured from what is then before it. */
	options.penalty = 100;
	assert_int_equal(edm_find(x, 120, &options, &edm), STATS_OK);
	assert_int_equal(edm.count, 1);
	assert_int_equal(edm.changes[0].at, 80);
	assert_close(edm.changes[0].statistic, 80 * 40 / 120. * pow(edm.changes[0].after - edm.changes[0].before, 2),
	             1e-12);
	assert_true(edm.changes[0].before > 10.2 && edm.changes[0].before < 12.2);
	edm_release(&edm);
	options.penalty = 1e6;
	assert_int_equal(edm_find(x, 120, &options, &edm), STATS_OK);
	assert_int_equal(edm.count, 0);
	edm_release(&edm);
	options.penalty = -1;
	assert_int_equal(edm_find(x, 120, &options, &edm), STATS_BAD_ARGUMENT);
	options = (struct edm_options){0.01, 1, 0};
	assert_int_equal(edm_find(x, 120, &options, &edm), STATS_BAD_ARGUMENT);
	assert_int_equal(edm_find(x, 0, &EDM_DEFAULTS, &edm), STATS_EMPTY);
}

static void test_dominant(void **state)
{
	(void)state;
	struct edm_change changes[] = {{.at = 20}, {.at = 71}};
	struct edm edm = {.changes = changes, .count = 2}, none = {0};
	size_t from = 7, to = 7;
	assert_true(edm_dominant(&edm, 100, &from, &to) && from == 20 && to == 71);
	assert_false(edm_dominant(&edm, 102, &from, &to)); /* 51 of 102 is half, not more */
	assert_true(edm_dominant(&edm, 200, &from, &to) && from == 71 && to == 200);
	assert_true(edm_dominant(&none, 5, &from, &to) && from == 0 && to == 5);
	assert_false(edm_dominant(&none, 0, &from, &to));
}

static enum stats_status find(void *data)
{
	struct edm edm = {0};
	size_t at;
	enum stats_status status = edm_find(data, 200, &EDM_DEFAULTS, &edm);
	edm_release(&edm);
	return status == STATS_OK ? edm_split(data, 200, 30, &at) : status;
}

static void test_no_memory(void **state)
{
	(void)state;
	double x[200];
	for (size_t i = 0; i < 200; i++)
		x[i] = (double)(i * 7 % 13) + (i < 100 ? 0 : 30);
	assert_true(starve(find, x) >= 25);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pilot),       cmocka_unit_test(test_pilot_random), cmocka_unit_test(test_published_split),
		cmocka_unit_test(test_long_series), cmocka_unit_test(test_measures),     cmocka_unit_test(test_dominant),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
