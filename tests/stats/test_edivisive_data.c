/* Histories that others have measured and marked, where they are beside the checkout. What is known of each stands in
 * its own README or labels; nothing of them is copied here but the few places that were published. */
#include "stats/edivisive.h"

#include "support/imports.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MOST_VALUES = 4000, LINE = 512 };

static const char *root;

struct history {
	double values[MOST_VALUES];
	char when[MOST_VALUES][32];
	size_t n;
};

static const char *field(const char *line, int column, size_t *length)
{
	for (; column > 0; column--) {
		line = strchr(line, ',');
		assert_non_null(line);
		line++;
	}
	*length = strcspn(line, ",\n");
	return line;
}

/* Numbers of one column of a CSV file, plain or compressed, where another column has that text (or all, when NULL),
 * with the text of the column `when` (or none, when negative). */
static void read_column(struct history *history, const char *file, int column, int filter, const char *text, int when)
{
	char path[4200], line[LINE];
	size_t length;
	snprintf(path, sizeof(path), "%s/%s", root, file);
	gzFile in = gzopen(path, "rb");
	assert_non_null(in);
	history->n = 0;
	assert_non_null(gzgets(in, line, LINE)); /* names */
	while (gzgets(in, line, LINE)) {
		const char *at;
		if (text) {
			at = field(line, filter, &length);
			if (length != strlen(text) || strncmp(at, text, length) != 0)
				continue;
		}
		assert_true(history->n < MOST_VALUES);
		history->values[history->n] = strtod(field(line, column, &length), NULL);
		if (when >= 0) {
			at = field(line, when, &length);
			snprintf(history->when[history->n], sizeof(history->when[0]), "%.*s", (int)length, at);
		}
		history->n++;
	}
	gzclose(in);
}

static struct edivisive find(const struct history *history, double min_relative)
{
	struct edivisive_options options = EDIVISIVE_DEFAULTS;
	struct edivisive found;
	options.min_relative = min_relative;
	assert_int_equal(edivisive_find(history->values, history->n, &options, &found), STATS_OK);
	return found;
}

static bool has_near(const struct edivisive *found, size_t place, size_t tolerance)
{
	for (size_t k = 0; k < found->count; k++)
		if (found->changes[k].at + tolerance >= place && found->changes[k].at <= place + tolerance)
			return true;
	return false;
}

static struct history history;

/* Level changes at 15, 71 and 95, an outlier at 10; at 5 % least magnitude 15 and 71. */
static void test_tigerbeetle(void **state)
{
	(void)state;
	read_column(&history, "apache-otava/tigerbeetle.csv", 1, 0, NULL, -1);
	assert_int_equal(history.n, 365);
	struct edivisive found = find(&history, 0);
	assert_true(has_near(&found, 15, 0) && has_near(&found, 71, 0) && has_near(&found, 95, 0));
	assert_true(found.outlier_count > 0 && found.outliers[0] == 10);
	edivisive_release(&found);
	found = find(&history, 0.05);
	assert_int_equal(found.count, 2);
	assert_int_equal(found.changes[0].at, 15);
	assert_int_equal(found.changes[1].at, 71);
	edivisive_release(&found);
}

/* Simple queries become 4 % faster with commit 11, which is index 10. */
static void test_victoria_metrics(void **state)
{
	(void)state;
	read_column(&history, "grambow-histories/app_bootstrap_vm.csv", 4, 2, "simple queries", -1);
	assert_int_equal(history.n, 69);
	struct edivisive found = find(&history, 0);
	assert_true(has_near(&found, 10, 0));
	assert_true(found.changes[0].at == 10 && found.changes[0].size < -4);
	edivisive_release(&found);
}

/* Expert marks within five places of each other are one. */
static size_t votes(const json_t *annotations, long place, size_t *experts)
{
	const char *name;
	json_t *marks, *mark;
	size_t count = 0, k;
	*experts = 0;
	json_object_foreach((json_t *)annotations, name, marks)
	{
		bool near = false;
		json_array_foreach(marks, k, mark) near |= labs((long)json_integer_value(mark) - place) <= 5;
		count += near;
		++*experts;
	}
	return count;
}

/* Every point that three quarters of the experts marked is found within 5, and at most 5 are away from all marks. */
static void test_mozilla(void **state)
{
	(void)state;
	static const char *const series[] = {"3779505", "4361139", "4375375", "4654128", "4967224",
	                                     "4967278", "4967284", "4967614", "4975651"};
	size_t agreed = 0;
	for (size_t s = 0; s < 9; s++) {
		char file[128], path[4200];
		const char *expert;
		json_t *marks, *mark;
		size_t k, experts, away = 0;
		snprintf(file, sizeof(file), "mozilla-perf-annotated/series/%s.csv.gz", series[s]);
		read_column(&history, file, 4, 0, NULL, -1);
		snprintf(path, sizeof(path), "%s/mozilla-perf-annotated/series/%s.labels.json", root, series[s]);
		json_t *labels = json_load_file(path, 0, NULL), *annotations = json_object_get(labels, "annotations");
		assert_non_null(annotations);
		assert_int_equal(history.n, json_integer_value(json_object_get(labels, "n")));
		struct edivisive found = find(&history, 0);
		json_object_foreach(annotations, expert, marks)
		{
			json_array_foreach(marks, k, mark)
			{
				long place = (long)json_integer_value(mark);
				if (4 * votes(annotations, place, &experts) < 3 * experts)
					continue;
				agreed++;
				if (!has_near(&found, (size_t)place, 5))
					fail_msg("series %s: %ld, marked by %zu experts, is not found", series[s], place, experts);
			}
		}
		for (k = 0; k < found.count; k++)
			away += votes(annotations, (long)found.changes[k].at, &experts) == 0;
		if (away > 5)
			fail_msg("series %s: %zu of %zu changes are near no mark", series[s], away, found.count);
		edivisive_release(&found);
		json_decref(labels);
	}
	assert_true(agreed > 40);
}

/* The first run at or after a time. */
static size_t run_after(const char *when)
{
	size_t i = 0;
	while (i < history.n && strcmp(history.when[i], when) < 0)
		i++;
	return i;
}

/* The maintainers' dated causes (events.yaml of the same repository): benchmarks changed on 2023-01-10, another worker
 * and warm-up from 2023-01-20 on. Found within two runs in the benchmarks that they concern. */
static void test_yjit(void **state)
{
	(void)state;
	static const struct {
		const char *benchmark, *when;
	} events[] = {{"activerecord", "2023-01-10-080000"}, {"activerecord", "2023-01-20-080000"},
	              {"railsbench", "2023-01-20-080000"},   {"hexapdf", "2023-01-20-080000"},
	              {"psych-load", "2023-01-20-080000"},   {"mail", "2023-01-20-080000"}};
	for (size_t k = 0; k < sizeof(events) / sizeof(events[0]); k++) {
		read_column(&history, "yjit-metrics/history/aarch64_prod_ruby_with_yjit.csv.gz", 7, 0, events[k].benchmark, 1);
		assert_int_equal(history.n, 445);
		struct edivisive found = find(&history, 0);
		if (!has_near(&found, run_after(events[k].when), 2))
			fail_msg("%s: no change near %s", events[k].benchmark, events[k].when);
		edivisive_release(&found);
	}
}

/* Five levels of 200 each, more or less; and a constant. */
static void test_mongodb(void **state)
{
	(void)state;
	char path[4200];
	snprintf(path, sizeof(path), "%s/mongodb-spa/long_series.json", root);
	json_t *series = json_load_file(path, 0, NULL);
	size_t n;
	double *values = known_array(series, &n);
	memcpy(history.values, values, n * sizeof(*values));
	history.n = n;
	struct edivisive found = find(&history, 0);
	assert_int_equal(found.count, 4);
	for (size_t k = 0; k < 4; k++)
		assert_in_range(found.changes[k].at, 200 * (k + 1) - 10, 200 * (k + 1) + 10);
	edivisive_release(&found);
	free(values);
	json_decref(series);
	snprintf(path, sizeof(path), "%s/mongodb-spa/profiling-short.json", root);
	json_t *constant = json_load_file(path, 0, NULL);
	values = known_array(json_object_get(constant, "series"), &n);
	memcpy(history.values, values, n * sizeof(*values));
	history.n = n;
	found = find(&history, 0);
	assert_int_equal(found.count, json_integer_value(json_object_get(constant, "expected")));
	edivisive_release(&found);
	free(values);
	json_decref(constant);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tigerbeetle), cmocka_unit_test(test_victoria_metrics), cmocka_unit_test(test_mozilla),
		cmocka_unit_test(test_yjit),        cmocka_unit_test(test_mongodb),
	};
	root = shared_data();
	if (!root) {
		puts("1..0 # SKIP no data of others beside the checkout");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
