#include "stats/bootstrap.h"

#include "base/memory.h"
#include "base/random.h"
#include "stats/distribution.h"
#include "stats/quantile.h"
#include "support/known.h"
#include "support/tree.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>

/* ---- answers from elsewhere ---- */

static void test_libkalibera_indices(void **state)
{
	(void)state;
	json_t *known = known_load("libkalibera.json");
	const json_t *one = json_object_get(known, "bootstrap_fixed_indices");
	const json_t *two = json_object_get(known, "quotient_fixed_indices");
	const json_t *stream = json_object_get(one, "index_stream");
	uint32_t indices[64];
	size_t count = json_array_size(stream);
	for (size_t i = 0; i < count; i++)
		indices[i] = (uint32_t)json_integer_value(json_array_get(stream, i));
	struct tree data = tree_from_json(json_object_get(one, "data"));
	struct tree second = tree_from_json(json_object_get(two, "data2"));
	double mean, mean2;
	assert_int_equal(bootstrap_given(&data.view, indices, count, &mean), STATS_OK);
	assert_close(mean, known_number(one, "mean"), 1e-15);
	assert_int_equal(bootstrap_given(&second.view, indices, count, &mean2), STATS_OK);
	assert_close(mean2, known_number(two, "mean2"), 1e-15);
	assert_close(mean / mean2, known_number(two, "ratio_1_over_2"), 1e-15);
	/* Twelve indices are needed: three runs, three values in each. */
	assert_int_equal(bootstrap_given(&data.view, indices, 12, &mean), STATS_OK);
	assert_int_equal(bootstrap_given(&data.view, indices, 11, &mean), STATS_BAD_ARGUMENT);
	indices[5] = 3;
	assert_int_equal(bootstrap_given(&data.view, indices, count, &mean), STATS_BAD_ARGUMENT);
	tree_release(&data);
	tree_release(&second);
	json_decref(known);
}

static void test_positions(void **state)
{
	(void)state;
	json_t *known = known_load("libkalibera.json"), *row;
	size_t i, low, high;
	json_array_foreach(json_object_get(known, "confidence_slice_indices"), i, row)
	{
		double level = strtod(json_string_value(json_object_get(row, "conf")), NULL);
		size_t n = (size_t)known_number(row, "n");
		assert_int_equal(percentile_positions(n, level, &low, &high), STATS_OK);
		assert_int_equal(low, (size_t)known_number(row, "lower"));
		assert_int_equal(high + 1, (size_t)known_number(row, "upper_exclusive"));
	}
	assert_int_equal(i, 3);
	json_decref(known);
	/* 1 − 0.95 is 0.05000000000000004 and 1 − 0.9 is 0.09999999999999998 in doubles. */
	assert_int_equal(percentile_positions(10000, 0.95, &low, &high), STATS_OK);
	assert_true(low == 250 && high == 9749);
	assert_int_equal(percentile_positions(10000, 0.9, &low, &high), STATS_OK);
	assert_true(low == 500 && high == 9499);
	assert_int_equal(percentile_positions(1000, 0.99, &low, &high), STATS_OK);
	assert_true(low == 5 && high == 994);
	assert_int_equal(percentile_positions(199, 0.99, &low, &high), STATS_TOO_FEW);
	assert_int_equal(percentile_positions(0, 0.5, &low, &high), STATS_TOO_FEW);
	assert_int_equal(percentile_positions(100, 0, &low, &high), STATS_BAD_ARGUMENT);
	assert_int_equal(percentile_positions(100, 1, &low, &high), STATS_BAD_ARGUMENT);
	assert_int_equal(percentile_positions(100, NAN, &low, &high), STATS_BAD_ARGUMENT);
}

/* Standard error of the p quantile of B replicates with that sd, nearly normal. */
static double quantile_error(double p, double sd, double replicates)
{
	double z = normal_quantile(p);
	return sd * sqrt(p * (1 - p) / replicates) / (exp(-z * z / 2) / sqrt(2 * M_PI));
}

static void test_quantiles_of_r(void **state)
{
	(void)state;
	enum { REPLICATES = 50000 };
	json_t *known = known_load("bootstrap.json"), *one;
	double *means = malloc(REPLICATES * sizeof(*means));
	size_t i, j, n;
	assert_non_null(means);
	json_array_foreach(json_object_get(known, "cases"), i, one)
	{
		struct tree data = tree_from_json(json_object_get(one, "data"));
		double *p = known_array(json_object_get(one, "probability"), &n);
		double *expected = known_array(json_object_get(one, "quantile"), &n), mean;
		assert_int_equal(nested_mean(&data.view, &mean), STATS_OK);
		assert_close(mean, known_number(one, "mean"), 1e-13);
		assert_int_equal(bootstrap_means(&data.view, REPLICATES, 7 + i, means), STATS_OK);
		sort_doubles(means, REPLICATES);
		for (j = 0; j < n; j++) {
			double sd = known_number(one, "sd"), theirs = known_number(one, "replicates");
			double error = hypot(quantile_error(p[j], sd, REPLICATES), quantile_error(p[j], sd, theirs));
			double ours = quantile_sorted(means, REPLICATES, p[j], 6);
			if (fabs(ours - expected[j]) > 4 * error)
				fail_msg("%s: the %g quantile is %.6g, R has %.6g, error %.2g",
				         json_string_value(json_object_get(one, "name")), p[j], ours, expected[j], error);
		}
		free(p);
		free(expected);
		tree_release(&data);
	}
	assert_int_equal(i, 4);
	free(means);
	json_decref(known);
}

/* ---- against an independent resampler that draws every value ---- */

static double plain_mean(const struct nested *data, unsigned k, size_t first, size_t n, struct random *random)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++) {
		size_t pick = first + (size_t)random_below(random, n), children;
		if (k + 1 == data->depth) {
			sum += data->values[pick];
		} else {
			size_t child = nested_span(data, k, pick, &children);
			sum += plain_mean(data, k + 1, child, children, random);
		}
	}
	return sum / (double)n;
}

/* Two-sample Kolmogorov-Smirnov distance of ascending samples, times √(n/2). */
static double ks_statistic(const double *a, const double *b, size_t n)
{
	double largest = 0;
	for (size_t i = 0, j = 0; i < n && j < n;) {
		double x = a[i] < b[j] ? a[i] : b[j];
		while (i < n && a[i] <= x)
			i++;
		while (j < n && b[j] <= x)
			j++;
		largest = fmax(largest, fabs((double)i - (double)j) / (double)n);
	}
	return largest * sqrt((double)n / 2);
}

static double exponential_value(struct random *random)
{
	return random_exponential(random);
}

static double heavy_value(struct random *random) /* Pareto with infinite variance */
{
	return pow(1 - random_uniform(random), -0.7);
}

static double two_modes(struct random *random)
{
	return (random_below(random, 20) == 0 ? 3 : 1) + 0.01 * random_normal(random);
}

static double whole_value(struct random *random)
{
	return (double)random_below(random, 3);
}

/* The largest statistic passes with 1.95 at 0.1 %; ten cases, so 2.2. */
static void assert_same_distribution(const struct nested *data, uint64_t seed, const char *what)
{
	enum { REPLICATES = 20000 };
	double *ours = malloc(REPLICATES * sizeof(*ours)), *plain = malloc(REPLICATES * sizeof(*plain));
	struct random random;
	random_seed(&random, seed + 1000);
	assert_true(ours && plain);
	assert_int_equal(bootstrap_means(data, REPLICATES, seed, ours), STATS_OK);
	for (size_t i = 0; i < REPLICATES; i++)
		plain[i] = plain_mean(data, 0, 0, nested_top(data), &random);
	sort_doubles(ours, REPLICATES);
	sort_doubles(plain, REPLICATES);
	double distance = ks_statistic(ours, plain, REPLICATES);
	if (distance > 2.2)
		fail_msg("%s: Kolmogorov-Smirnov statistic %.2f", what, distance);
	free(ours);
	free(plain);
}

static void fill(struct tree *tree, double (*value)(struct random *), uint64_t seed)
{
	struct random random;
	random_seed(&random, seed);
	for (size_t i = 0; i < tree->view.n; i++)
		tree->values[i] = 1000 + value(&random);
}

static void test_same_as_plain(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		double (*value)(struct random *);
	} shapes[] = {{"normal", random_normal},
	              {"exponential", exponential_value},
	              {"heavy tails", heavy_value},
	              {"two modes", two_modes},
	              {"whole numbers", whole_value}};
	size_t flat[] = {400}, deep[] = {3, 2, 100};
	for (size_t i = 0; i < 5; i++) {
		struct tree tree = tree_balanced(1, flat);
		fill(&tree, shapes[i].value, i);
		assert_same_distribution(&tree.view, i, shapes[i].name);
		tree_release(&tree);
		tree = tree_balanced(3, deep);
		fill(&tree, shapes[i].value, 10 + i);
		assert_same_distribution(&tree.view, 10 + i, shapes[i].name);
		tree_release(&tree);
	}
}

static void test_outlier_and_unequal(void **state)
{
	(void)state;
	/* One value a million standard deviations out decides everything; groups of all sizes. */
	const size_t groups[] = {3, 7};
	const uint32_t runs[] = {1, 4, 2}, values[] = {1, 17, 300, 16, 2, 120, 33};
	const uint32_t *sizes[] = {runs, values};
	struct tree tree = tree_of_sizes(3, groups, sizes);
	fill(&tree, random_normal, 3);
	assert_same_distribution(&tree.view, 4, "unequal sizes");
	tree.values[100] = 1e6;
	assert_same_distribution(&tree.view, 5, "one outlier");
	for (size_t i = 18; i < 318; i++)
		tree.values[i] = 7;
	assert_same_distribution(&tree.view, 6, "a constant group");
	tree_release(&tree);
}

/* ---- promises of the header ---- */

static void test_ratio(void **state)
{
	(void)state;
	size_t counts[] = {8, 40};
	struct tree base = tree_balanced(2, counts), new_ = tree_balanced(2, counts);
	struct interval ratio, again, other;
	fill(&base, random_normal, 1);
	fill(&new_, random_normal, 2);
	for (size_t i = 0; i < base.view.n; i++) {
		base.values[i] += (double)(i / 40) - 3.5;
		new_.values[i] = (new_.values[i] + (double)(i / 40) - 3.5) * 1.1;
	}
	assert_int_equal(bootstrap_ratio(&base.view, &new_.view, 10000, 0.95, 5, &ratio), STATS_OK);
	/* By the delta method: sd of each mean √(5.25 + 1/40)/√8 of 1000, times √2 for the ratio. */
	double half = 1.96 * sqrt(2 * (5.25 + 1 / 40.) / 8) * 1.1 / 1000;
	assert_close(ratio.low, 1.1 - half, 5e-4);
	assert_close(ratio.high, 1.1 + half, 5e-4);
	assert_int_equal(bootstrap_ratio(&base.view, &new_.view, 10000, 0.95, 5, &again), STATS_OK);
	assert_true(again.low == ratio.low && again.high == ratio.high);
	assert_int_equal(bootstrap_ratio(&base.view, &new_.view, 10000, 0.95, 6, &other), STATS_OK);
	assert_true(other.low != ratio.low);

	for (size_t i = 0; i < base.view.n; i++)
		base.values[i] = 0;
	assert_int_equal(bootstrap_ratio(&base.view, &new_.view, 1000, 0.95, 5, &ratio), STATS_UNBOUNDED);
	assert_true(ratio.low == -INFINITY && ratio.high == INFINITY);
	for (size_t i = 0; i < base.view.n; i++)
		base.values[i] = i < base.view.n / 2 ? -1 : 1.5;
	assert_int_equal(bootstrap_ratio(&base.view, &new_.view, 1000, 0.95, 5, &ratio), STATS_UNBOUNDED);
	for (size_t i = 0; i < base.view.n; i++)
		base.values[i] = -2;
	assert_int_equal(bootstrap_ratio(&base.view, &new_.view, 1000, 0.95, 5, &ratio), STATS_OK);
	assert_true(ratio.low < ratio.high && ratio.high < 0);
	tree_release(&base);
	tree_release(&new_);
}

static void test_threads_change_nothing(void **state)
{
	(void)state;
	enum { REPLICATES = 20000 };
	size_t counts[] = {20, 15}; /* too small for moments: 300 draws, 6 million in all */
	struct tree tree = tree_balanced(2, counts);
	static double many[REPLICATES], one[REPLICATES];
	cpu_set_t all, first;
	fill(&tree, random_normal, 9);
	assert_int_equal(bootstrap_means(&tree.view, REPLICATES, 11, many), STATS_OK);
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	CPU_ZERO(&first);
	for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&first) == 0; cpu++)
		if (CPU_ISSET(cpu, &all))
			CPU_SET(cpu, &first);
	assert_int_equal(sched_setaffinity(0, sizeof(first), &first), 0);
	assert_int_equal(bootstrap_means(&tree.view, REPLICATES, 11, one), STATS_OK);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
	assert_memory_equal(many, one, sizeof(one));
	/* Fewer replicates are the first ones of more. */
	assert_int_equal(bootstrap_means(&tree.view, 300, 11, one), STATS_OK);
	assert_memory_equal(many, one, 300 * sizeof(*one));
	tree_release(&tree);
}

static void test_runs_of_one_value(void **state)
{
	(void)state;
	/* A command's runs, one value each, are a plain sample. */
	size_t runs[] = {500, 1, 1}, flat[] = {500};
	struct tree tree = tree_balanced(3, runs), plain = tree_balanced(1, flat);
	double deep_means[600], flat_means[600];
	fill(&tree, heavy_value, 12);
	fill(&plain, heavy_value, 12);
	assert_int_equal(bootstrap_means(&tree.view, 600, 1, deep_means), STATS_OK);
	assert_int_equal(bootstrap_means(&plain.view, 600, 1, flat_means), STATS_OK);
	assert_memory_equal(deep_means, flat_means, sizeof(flat_means));
	tree_release(&tree);
	tree_release(&plain);
}

static void test_edges(void **state)
{
	(void)state;
	size_t counts[] = {4, 3}, one_run[] = {1, 3};
	struct tree tree = tree_balanced(2, counts), single = tree_balanced(2, one_run);
	struct interval out = {-1, -2};
	for (size_t i = 0; i < 12; i++)
		tree.values[i] = 0.1;
	assert_int_equal(bootstrap_mean(&tree.view, 1000, 0.95, 1, &out), STATS_OK);
	assert_true(out.low == 0.1 && out.high == 0.1);
	out = (struct interval){-1, -2};
	assert_int_equal(bootstrap_mean(&tree.view, 1000, 1, 1, &out), STATS_BAD_ARGUMENT);
	assert_int_equal(bootstrap_mean(&tree.view, 10, 0.95, 1, &out), STATS_TOO_FEW);
	assert_int_equal(bootstrap_mean(&single.view, 1000, 0.95, 1, &out), STATS_TOO_FEW);
	assert_int_equal(bootstrap_ratio(&tree.view, &single.view, 1000, 0.95, 1, &out), STATS_TOO_FEW);
	assert_int_equal(bootstrap_ratio(&single.view, &tree.view, 1000, 0.95, 1, &out), STATS_TOO_FEW);
	tree.values[5] = INFINITY;
	assert_int_equal(bootstrap_mean(&tree.view, 1000, 0.95, 1, &out), STATS_NOT_FINITE);
	tree.values[5] = -1.7e308;
	tree.values[6] = 1.7e308;
	assert_int_equal(bootstrap_mean(&tree.view, 1000, 0.95, 1, &out), STATS_NOT_DEFINED);
	tree.view.n = 0;
	assert_int_equal(bootstrap_mean(&tree.view, 1000, 0.95, 1, &out), STATS_EMPTY);
	assert_true(out.low == -1 && out.high == -2);
	tree_release(&tree);
	tree_release(&single);
}

static void test_no_memory(void **state)
{
	(void)state;
	size_t counts[] = {4, 100};
	struct tree base = tree_balanced(2, counts), new_ = tree_balanced(2, counts);
	struct interval out = {-1, -2};
	fill(&base, heavy_value, 1);
	fill(&new_, heavy_value, 2);
	int n = 1;
	for (;; n++) {
		mem_fail_at(n);
		enum stats_status status = bootstrap_ratio(&base.view, &new_.view, 500, 0.95, 5, &out);
		if (!mem_failed()) {
			assert_int_equal(status, STATS_OK);
			break;
		}
		assert_int_equal(status, STATS_NO_MEMORY);
		assert_true(out.low == -1 && out.high == -2);
	}
	mem_fail_at(0);
	assert_true(n > 8);
	uint32_t indices[404] = {0};
	double mean = -1;
	for (n = 1;; n++) {
		mem_fail_at(n);
		enum stats_status status = bootstrap_given(&base.view, indices, 404, &mean);
		if (!mem_failed()) {
			assert_int_equal(status, STATS_OK);
			break;
		}
		assert_int_equal(status, STATS_NO_MEMORY);
		assert_true(mean == -1);
	}
	mem_fail_at(0);
	assert_true(n > 3);
	tree_release(&base);
	tree_release(&new_);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_libkalibera_indices),
		cmocka_unit_test(test_positions),
		cmocka_unit_test(test_quantiles_of_r),
		cmocka_unit_test(test_same_as_plain),
		cmocka_unit_test(test_outlier_and_unequal),
		cmocka_unit_test(test_ratio),
		cmocka_unit_test(test_threads_change_nothing),
		cmocka_unit_test(test_runs_of_one_value),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
