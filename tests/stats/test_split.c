#include "stats/split.h"

#include "base/random.h"
#include "stats/seeded.h"
#include "support/starve.h"

#include <math.h>
#include <stdlib.h>

/* The tail of the largest deviate against R's simulation: not below it, and not 2.5 times it. */
static void test_tail(void **state)
{
	(void)state;
	json_t *known = known_load("changepoint.json"), *row;
	size_t k;
	json_array_foreach(json_object_get(known, "largest"), k, row)
	{
		struct split_model model = {.n = (size_t)known_number(row, "n"),
		                            .min_segment = (size_t)known_number(row, "least")};
		size_t count;
		double *critical = known_array(json_object_get(row, "critical"), &count);
		double *tail = known_array(json_object_get(row, "tail"), &count), series = known_number(row, "series");
		for (size_t c = 0; c < count; c++) {
			double p = split_p_value(&model, critical[c], 0, model.n / 2, model.n);
			assert_true(p > tail[c] - 3 * sqrt(tail[c] / series));
			assert_true(p < 2.5 * tail[c]);
			assert_close(split_critical(model.n, model.min_segment, p), critical[c], 1e-6);
		}
		free(critical);
		free(tail);
	}
	assert_int_equal(k, 3);
	json_decref(known);
}

/* What was searched for at both ends costs more, and nothing is certain. */
static void test_p_value(void **state)
{
	(void)state;
	struct split_model model = {.n = 1000, .min_segment = 5};
	double whole = split_p_value(&model, 4.5, 0, 100, 1000);
	assert_close(split_p_value(&model, 4.5, 0, 900, 1000), whole, 1e-12);
	assert_close(split_p_value(&model, 6, 0, 900, 950) / split_p_value(&model, 6, 0, 900, 1000), 1000 / 50., 0.02);
	assert_close(split_p_value(&model, 6, 100, 300, 1000) / split_p_value(&model, 6, 0, 300, 1000), 1000 / 200., 0.05);
	assert_true(split_p_value(&model, 1, 0, 100, 1000) == 1);
	assert_true(split_p_value(&model, 30, 0, 100, 1000) < 1e-100);
}

static void fill(double *x, size_t n, size_t at, double shift, uint64_t seed)
{
	struct random random;
	random_seed(&random, seed);
	for (size_t i = 0; i < n; i++)
		x[i] = exp(0.5 * random_normal(&random)) + (i < at ? 0 : shift);
}

/* The E-divisive statistic of the scores with exponent 2, from all pairs as published. */
static double energy(const double *y, size_t n, size_t t)
{
	double between = 0, left = 0, right = 0, m1 = (double)t, m2 = (double)(n - t);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			double square = (y[i] - y[j]) * (y[i] - y[j]);
			if (i < t && j >= t)
				between += square;
			else if (i < t && j < t)
				left += square;
			else if (i >= t && j >= t)
				right += square;
		}
	return m1 * m2 / (m1 + m2) * (2 * between / (m1 * m2) - left / (m1 * m1) - right / (m2 * m2));
}

static void test_best_is_edivisive(void **state)
{
	(void)state;
	enum { N = 60 };
	double x[N];
	for (uint64_t seed = 1; seed < 8; seed++) {
		struct split_model model;
		struct split split;
		size_t best = 0, middle = N / 2;
		double most = -1;
		fill(x, N, 20, seed % 2 ? 1 : 0.2, seed);
		assert_int_equal(split_model_init(&model, x, N, 5), STATS_OK);
		assert_int_equal(split_model_fit(&model, &middle, 1), STATS_OK);
		assert_true(split_best(&model, 0, N, 5, &split));
		for (size_t t = 5; t <= N - 5; t++) {
			double statistic = energy(model.y, N, t);
			if (statistic > most) {
				most = statistic;
				best = t;
			}
		}
		assert_int_equal(split.at, best);
		/* energy = 2·m₁m₂/L·D² */
		double m1 = (double)best, m2 = (double)(N - best);
		assert_close(2 * m1 * m2 / N * split.difference * split.difference, most, 1e-9);
		struct split same;
		split_at(&model, 0, split.at, N, &same);
		assert_true(same.z == split.z && same.difference == split.difference);
		assert_false(split_best(&model, 0, 9, 5, &split));
		split_model_release(&model);
	}
}

/* A monotone map of the values about one centre changes nothing: ranks decide. */
static void test_robust(void **state)
{
	(void)state;
	enum { N = 100 };
	double x[N];
	size_t at = 40;
	struct split_model model;
	struct split clean, spoiled;
	fill(x, N, at, 1, 5);
	assert_int_equal(split_model_init(&model, x, N, 5), STATS_OK);
	assert_int_equal(split_model_fit(&model, &at, 1), STATS_OK);
	assert_true(split_best(&model, 0, N, 5, &clean));
	x[70] = 1e6;
	x[10] = -1e6;
	assert_int_equal(split_model_fit(&model, &at, 1), STATS_OK);
	assert_true(split_best(&model, 0, N, 5, &spoiled));
	assert_true(clean.z > 5 && spoiled.z > 0.8 * clean.z && spoiled.at == clean.at);
	split_model_release(&model);
}

static void test_rough_noise(void **state)
{
	(void)state;
	enum { N = 2000 };
	static double x[N];
	struct random random;
	struct split_model model;
	random_seed(&random, 3);
	double value = 0;
	for (size_t i = 0; i < N; i++) {
		value = 0.6 * value + random_normal(&random);
		x[i] = value + (double)(i / 100 % 2) * 20;
	}
	/* True factor 4; nineteen jumps of ten deviations hardly touch it. */
	assert_int_equal(split_model_init(&model, x, N, 5), STATS_OK);
	assert_int_equal(split_model_fit_roughly(&model), STATS_OK);
	assert_true(model.noise.factor > 3.2 && model.noise.factor < 5);
	size_t *points = NULL, count = 0;
	assert_int_equal(seeded_candidates(&model, 0.01, &points, &count), STATS_OK);
	for (size_t k = 1; k < 20; k++) {
		size_t nearest = N;
		for (size_t j = 0; j < count; j++) {
			size_t away = points[j] > 100 * k ? points[j] - 100 * k : 100 * k - points[j];
			nearest = away < nearest ? away : nearest;
			assert_true(j == 0 || points[j] >= points[j - 1] + 5);
		}
		assert_true(nearest <= 3);
	}
	mem_free(points);
	split_model_release(&model);
}

static enum stats_status search(void *data)
{
	struct split_model model;
	size_t *points = NULL, count, middle = 30;
	enum stats_status status = split_model_init(&model, data, 60, 5);
	if (status == STATS_OK)
		status = split_model_fit_roughly(&model);
	if (status == STATS_OK)
		status = seeded_candidates(&model, 0.01, &points, &count);
	if (status == STATS_OK)
		status = split_model_fit(&model, &middle, 1);
	mem_free(points);
	split_model_release(&model);
	return status;
}

static void test_no_memory(void **state)
{
	(void)state;
	double x[60];
	fill(x, 60, 30, 5, 1);
	assert_true(starve(search, x) >= 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tail),   cmocka_unit_test(test_p_value),     cmocka_unit_test(test_best_is_edivisive),
		cmocka_unit_test(test_robust), cmocka_unit_test(test_rough_noise), cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
