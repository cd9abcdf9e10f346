/* Generated histories with fixed seeds: where they changed is known. */
#include "analysis/history.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/known.h"

#include <math.h>
#include <stdio.h>

static void add_series(struct history *history, const char *subject, const char *stratum, const double *values,
                       size_t n)
{
	struct history_series of = {.subject = subject, .metric = "wall", .unit = "s", .stratum = stratum};
	for (size_t i = 0; i < n; i++) {
		struct history_point point = {.id = (int64_t)i + 1,
		                              .when = (int64_t)(i + 1) * 86400000,
		                              .commit = i % 2 ? "b" : "a",
		                              .value = values[i],
		                              .low = NAN,
		                              .high = NAN};
		assert_int_equal(history_add(history, &of, &point), 0);
	}
}

static void fill(double *values, size_t n, struct random *random, size_t at, double factor)
{
	for (size_t i = 0; i < n; i++)
		values[i] = (i >= at ? factor : 1) * (1 + 0.01 * random_normal(random));
}

static void test_one(void **state)
{
	(void)state;
	struct history history = {0};
	struct history_search options = HISTORY_SEARCH_DEFAULTS;
	struct random random;
	double values[120];
	random_seed(&random, 1);
	fill(values, 120, &random, 70, 1.05);
	values[20] = 1.5;
	values[30] = NAN;
	add_series(&history, "a", "here", values, 120);
	assert_int_equal(history_search(&history, &options, NULL), 0);
	const struct history_series *s = &history.series[0];
	assert_int_equal(s->change_count, 1);
	const struct history_change *c = &s->changes[0];
	assert_true(c->low <= 70 && 70 <= c->high && c->low <= c->at && c->at <= c->high);
	assert_true(c->relative_low < 0.05 && 0.05 < c->relative_high && c->size_low < c->size && c->size < c->size_high);
	assert_true(s->points[20].outlier && !s->points[21].outlier);
	assert_false(c->environment);
	options.min_change = 0.08;
	assert_int_equal(history_search(&history, &options, NULL), 0);
	assert_int_equal(history.series[0].change_count, 0);
	history_release(&history);
}

/* Six of eight slow down at once on one machine: the environment. Two others there did not; another machine has its
 * own. */
static void test_suite(void **state)
{
	(void)state;
	struct history history = {0};
	struct history_search options = HISTORY_SEARCH_DEFAULTS;
	struct random random;
	double values[100];
	char name[8];
	random_seed(&random, 2);
	for (int i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "b%d", i);
		fill(values, 100, &random, i < 6 ? 50 : 1000, 1.1);
		add_series(&history, name, "here", values, 100);
		fill(values, 100, &random, i == 3 ? 50 : 1000, 1.1);
		add_series(&history, name, "there", values, 100);
	}
	assert_int_equal(history_search(&history, &options, NULL), 0);
	assert_int_equal(history.count, 16);
	for (int i = 0; i < 8; i++) {
		const struct history_series *here = &history.series[2 * i], *there = &history.series[2 * i + 1];
		assert_int_equal(here->change_count, i < 6);
		assert_int_equal(there->change_count, i == 3);
		if (i < 6) {
			assert_true(here->changes[0].environment);
			assert_int_equal(here->changes[0].moved, 6);
			assert_int_equal(here->changes[0].of, 8);
		}
		if (i == 3) {
			assert_false(there->changes[0].environment);
			assert_int_equal(there->changes[0].moved, 1);
		}
	}
	history_release(&history);
}

/* Half that get faster and half that get slower at once are no shift of the suite; neither is one of four series. */
static void test_no_suite(void **state)
{
	(void)state;
	struct history history = {0};
	struct history_search options = HISTORY_SEARCH_DEFAULTS;
	struct random random;
	double values[100];
	char name[8];
	random_seed(&random, 3);
	for (int i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "b%d", i);
		fill(values, 100, &random, 50, i % 2 ? 1.1 : 0.9);
		add_series(&history, name, "here", values, 100);
	}
	assert_int_equal(history_search(&history, &options, NULL), 0);
	for (size_t i = 0; i < 8; i++)
		assert_false(history.series[i].changes[0].environment);
	history_release(&history);
	for (int i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "b%d", i);
		fill(values, 100, &random, 50, 1.1);
		add_series(&history, name, "here", values, 100);
	}
	assert_int_equal(history_search(&history, &options, NULL), 0);
	assert_false(history.series[0].changes[0].environment);
	history_release(&history);
}

/* 100 histories each. Alpha is 1 % a history: 5 or more false alarms in 100 happen once in 300 such tests, were the
 * seed not fixed; intervals of 95 % that miss in 13 or more of 100 once in 1000. */
static void test_rates(void **state)
{
	(void)state;
	enum { HISTORIES = 100, LONG = 1000, SHORT = 200 };
	struct history_search options = HISTORY_SEARCH_DEFAULTS;
	struct random random;
	static double values[LONG];
	char name[8];
	random_seed(&random, 4);
	for (int dependent = 0; dependent < 2; dependent++) {
		struct history history = {0};
		size_t alarms = 0;
		for (int i = 0; i < HISTORIES; i++) {
			double noise = random_normal(&random);
			for (size_t k = 0; k < LONG; k++) {
				noise = dependent ? 0.5 * noise + sqrt(0.75) * random_normal(&random) : random_normal(&random);
				values[k] = 1 + 0.01 * noise;
			}
			snprintf(name, sizeof(name), "b%d", i);
			add_series(&history, name, "", values, LONG);
		}
		assert_int_equal(history_search(&history, &options, NULL), 0);
		for (size_t i = 0; i < history.count; i++)
			alarms += history.series[i].change_count > 0;
		print_message("# %s noise: %zu of %d histories of %d points with a false change\n",
		              dependent ? "AR(0.5)" : "white", alarms, HISTORIES, LONG);
		assert_true(alarms < 5);
		history_release(&history);
	}
	static const double shifts[] = {1.02, 1.05};
	for (int kind = 0; kind < 2; kind++) {
		struct history history = {0};
		size_t found = 0, covered = 0;
		for (int i = 0; i < HISTORIES; i++) {
			fill(values, SHORT, &random, 120, shifts[kind]);
			snprintf(name, sizeof(name), "b%d", i);
			add_series(&history, name, "", values, SHORT);
		}
		assert_int_equal(history_search(&history, &options, NULL), 0);
		for (size_t i = 0; i < history.count; i++) {
			if (history.series[i].change_count != 1)
				continue;
			const struct history_change *c = &history.series[i].changes[0];
			found++;
			covered += c->low <= 120 && 120 <= c->high;
		}
		print_message("# shift of %.0f %%, noise 1 %%: %zu of %d found, %zu positions in their interval\n",
		              100 * (shifts[kind] - 1), found, HISTORIES, covered);
		assert_true(found >= 96 && covered >= found - 12);
		history_release(&history);
	}
}

static void test_edges(void **state)
{
	(void)state;
	struct history history = {0};
	struct history_search options = HISTORY_SEARCH_DEFAULTS;
	struct error err;
	const double lost[] = {NAN, INFINITY, NAN}, far[] = {1, 2, 1, 1e200, 2, 1, 2, 1, 2, 1, 2, 1},
				 same[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, one[] = {5};
	assert_int_equal(history_search(&history, &options, &err), 0);
	add_series(&history, "lost", "", lost, 3);
	add_series(&history, "same", "", same, 12);
	add_series(&history, "one", "", one, 1);
	add_series(&history, "far", "", far, 12);
	assert_int_equal(history_search(&history, &options, &err), 0);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(history.series[i].change_count, 0);
	options.alpha = 0.5;
	assert_int_equal(history_search(&history, &options, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	options = HISTORY_SEARCH_DEFAULTS;
	for (long nth = 1;; nth++) {
		mem_fail_at(nth);
		int status = history_search(&history, &options, &err);
		int starved = mem_failed();
		mem_fail_at(0);
		assert_int_equal(status, starved ? -1 : 0);
		if (!starved)
			break;
	}
	history_release(&history);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_one), cmocka_unit_test(test_suite),
	                                   cmocka_unit_test(test_no_suite), cmocka_unit_test(test_edges),
	                                   cmocka_unit_test(test_rates)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
