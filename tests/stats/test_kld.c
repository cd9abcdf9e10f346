#include "stats/kld.h"

#include "base/memory.h"
#include "base/random.h"
#include "stats/kde.h"
#include "stats/quantile.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>

/* The published classes, run unchanged. Their variance is a naive sum of squares, which is why
 * bandwidths agree to 1e-12 only, and to 1e-9 where the mean is 1000 times the sd. */
static void test_published(void **state)
{
	(void)state;
	json_t *known = known_load("criteria.json"), *one;
	static double density[1000];
	size_t i, na, nb;
	json_array_foreach(json_object_get(known, "divergence"), i, one)
	{
		double *a = known_array(json_object_get(one, "a"), &na), *b = known_array(json_object_get(one, "b"), &nb);
		struct kld kld;
		assert_int_equal(kld_similarity(a, na, b, nb, &kld), STATS_OK);
		assert_close(kld.probability, known_number(one, "P"), 1e-12);
		assert_close(kld.low, known_number(one, "range_lo"), 1e-14);
		assert_close(kld.high, known_number(one, "range_hi"), 1e-14);
		assert_close(kld.bandwidth_a, known_number(one, "bandwidth_a"), 1e-12);
		assert_close(kld.bandwidth_b, known_number(one, "bandwidth_b"), 1e-9);
		if (json_is_number(json_object_get(one, "pdf_a_at_grid500")) && kld.bandwidth_a > 0) {
			double step = (kld.high - kld.low) / 999, mass = 0;
			sort_doubles(a, na);
			kde_on_grid(a, na, kld.bandwidth_a, kld.low, step, 1000, density);
			for (int j = 0; j < 1000; j++)
				mass += density[j] * step;
			assert_close(density[500], known_number(one, "pdf_a_at_grid500"), 1e-12);
			assert_close(mass, known_number(one, "mass_a_on_grid"), 1e-12);
		}
		if (known_number(one, "P") > 0 && kld.bandwidth_a > 0) {
			/* Differences of nearly equal terms: absolute. */
			assert_true(fabs(kld.divergence_ab - known_number(one, "kld_ab_nats")) < 1e-12);
			assert_true(fabs(kld.divergence_ba - known_number(one, "kld_ba_nats")) < 1e-12);
		}
		free(a);
		free(b);
	}
	assert_int_equal(i, 10);
	json_decref(known);
}

static void test_density_point_by_point(void **state)
{
	(void)state;
	enum { N = 700, POINTS = 1000 };
	static double x[N], density[POINTS];
	struct random random;
	random_seed(&random, 2);
	for (int i = 0; i < N; i++)
		x[i] = i % 7 ? random_normal(&random) : 3 * random_exponential(&random);
	sort_doubles(x, N);
	double h = 0.21, low = -2, step = 0.006;
	kde_on_grid(x, N, h, low, step, POINTS, density);
	for (int j = 0; j < POINTS; j++) {
		double y = low + j * step, sum = 0;
		for (int i = 0; i < N; i++)
			if (x[i] >= y - 5 * h && x[i] < y + 5 * h)
				sum += exp(-(x[i] - y) * (x[i] - y) / (2 * h * h));
		assert_close(density[j], sum / (N * h * sqrt(2 * M_PI)), 1e-12);
	}
	/* A grid that ends before the data, and one beyond. */
	kde_on_grid(x, N, h, 1e3, step, POINTS, density);
	assert_true(density[0] == 0 && density[POINTS - 1] == 0);
	kde_on_grid(x, N, h, -1e3, step, POINTS, density);
	assert_true(density[0] == 0 && density[POINTS - 1] == 0);
}

static void test_edges(void **state)
{
	(void)state;
	double a[] = {1, 2, 3, 4, 5, 6, 7, 8}, b[] = {1, 2, 3, 4, 5, 6, 7, 9}, c[] = {5, 5, 5, 5}, bad[] = {1, NAN};
	double below[] = {-105, -104, -103, -102}, far[] = {1e300, -1e308, 1e308, 1e308};
	struct kld kld = {.probability = -1};
	assert_int_equal(kld_similarity(a, 8, a, 0, &kld), STATS_EMPTY);
	assert_int_equal(kld_similarity(a, 8, a, 1, &kld), STATS_TOO_FEW);
	assert_int_equal(kld_similarity(a, 8, bad, 2, &kld), STATS_NOT_FINITE);
	assert_int_equal(kld_similarity(below, 4, below, 4, &kld), STATS_NOT_POSITIVE);
	assert_int_equal(kld_similarity(a, 8, far, 4, &kld), STATS_NOT_DEFINED);
	mem_fail_at(1);
	assert_int_equal(kld_similarity(a, 8, b, 8, &kld), STATS_NO_MEMORY);
	mem_fail_at(0);
	assert_true(kld.probability == -1);
	assert_int_equal(kld_similarity(a, 8, c, 4, &kld), STATS_OK);
	assert_true(kld.probability == 1 && kld.bandwidth_b == 0);
	struct kld back;
	assert_int_equal(kld_similarity(a, 8, b, 8, &kld), STATS_OK);
	assert_int_equal(kld_similarity(b, 8, a, 8, &back), STATS_OK);
	assert_close(kld.probability, back.probability, 1e-14);
	assert_true(kld.probability > 0.9 && kld.probability < 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_density_point_by_point),
		cmocka_unit_test(test_edges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
