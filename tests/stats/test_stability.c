#include "stats/stability.h"

#include "base/memory.h"
#include "base/random.h"
#include "stats/kde.h"
#include "stats/kld.h"
#include "stats/quantile.h"
#include "stats/summary.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the fast density ---- */

static void check_density(size_t n, double h, double low, double step, const double *sorted)
{
	double plain[1000], fast[1000], largest = 0;
	kde_on_grid(sorted, n, h, low, step, 1000, plain);
	assert_int_equal(kde_by_cells(sorted, n, h, low, step, 1000, fast), STATS_OK);
	for (int j = 0; j < 1000; j++)
		largest = fmax(largest, plain[j]);
	for (int j = 0; j < 1000; j++) {
		if (fabs(fast[j] - plain[j]) > 1e-9 * plain[j] + 1e-11 * largest)
			fail_msg("n %zu h/step %g point %d: %.15g, plain %.15g", n, h / step, j, fast[j], plain[j]);
		assert_int_equal(fast[j] > 0, plain[j] > 0);
	}
}

static void test_density(void **state)
{
	(void)state;
	enum { N = 6000 };
	double *x = malloc(N * sizeof(*x));
	struct random random;
	random_seed(&random, 11);
	for (int shape = 0; shape < 4; shape++) {
		for (size_t i = 0; i < N; i++) {
			x[i] = exp(0.1 * random_normal(&random));
			if (shape == 1)
				x[i] += random_below(&random, 2) ? 0.7 : 0; /* two modes with a gap */
			if (shape == 2)
				x[i] = round(x[i] * 200) / 200; /* on a clock's grid */
			if (shape == 3 && random_below(&random, 20) == 0)
				x[i] *= 1 + 5 * random_uniform(&random);
		}
		sort_doubles(x, N);
		for (double steps = 3.0123; steps < 500; steps *= 2.3) { /* no cut falls on a value by construction */
			check_density(N, steps * 1.6 / 999, 0.4, 1.6 / 999, x);
			check_density(2000, steps * 1.6 / 999, 0.4, 1.6 / 999, x + 2500);
			check_density(300, steps * 1.6 / 999, 0.4, 1.6 / 999, x + 2500);
		}
	}
	free(x);
}

/* The published answers, by the fast way too. */
static void test_known_similarity(void **state)
{
	(void)state;
	json_t *known = known_load("criteria.json"), *one;
	size_t i, na, nb;
	json_array_foreach(json_object_get(known, "divergence"), i, one)
	{
		double *a = known_array(json_object_get(one, "a"), &na), *b = known_array(json_object_get(one, "b"), &nb);
		struct summary sa, sb;
		struct kld direct, fast;
		if (na >= 2 && nb >= 2) {
			sort_doubles(a, na);
			sort_doubles(b, nb);
			assert_int_equal(summary_of(a, na, &sa), STATS_OK);
			assert_int_equal(summary_of(b, nb, &sb), STATS_OK);
			assert_int_equal(kld_similarity(a, na, b, nb, &direct), STATS_OK);
			const struct kld_sample side_a = {a, na, sa.sd}, side_b = {b, nb, sb.sd};
			assert_int_equal(kld_of_sorted(&side_a, &side_b, &fast), STATS_OK);
			assert_close(fast.probability, direct.probability, 1e-12);
		}
		free(a);
		free(b);
	}
	assert_true(i >= 10);
	json_decref(known);
}

/* ---- kept against direct ---- */

enum { ITERATIONS = 14, MOST = 400 };

struct shape {
	const char *name;
	size_t per_iteration; /* values */
	double noise, warm, tail;
	bool grid;
};

static const struct shape shapes[] = {
	{"quiet", 300, 0.01, 0, 0, false},  {"warm-up", 400, 0.05, 0.5, 0, false}, {"tail", 250, 0.05, 0.2, 0.01, false},
	{"clock", 300, 0.03, 0.1, 0, true}, {"single", 1, 0.02, 0.3, 0, false},    {"few", 3, 0.02, 0.3, 0, false},
};

static double draw(const struct shape *shape, struct random *random, size_t iteration)
{
	double x = (1 + shape->warm * exp(-(double)iteration / 3)) * exp(shape->noise * random_normal(random));
	if (shape->tail > 0 && random_uniform(random) < shape->tail)
		x *= 1 + 4 * random_uniform(random);
	return shape->grid ? round(x * 100) / 100 : x;
}

static bool same(double a, double b, double tolerance)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= tolerance;
}

/* Every value within 1e-9, every decision of every variant and checkpoint the same. */
static void test_kept_is_direct(void **state)
{
	(void)state;
	static double values[MOST];
	struct random random;
	size_t stable = 0, unstable = 0;
	for (size_t k = 0; k < sizeof(shapes) / sizeof(*shapes); k++) {
		for (int c = CRITERION_CV; c <= CRITERION_KLD; c++) {
			struct stability *kept = stability_new((enum stop_criterion)c, 5, false);
			struct stability *direct = stability_new((enum stop_criterion)c, 5, true);
			random_seed(&random, 100 + k);
			for (size_t i = 0; i < ITERATIONS; i++) {
				const uint32_t starts[] = {0, (uint32_t)shapes[k].per_iteration};
				for (size_t j = 0; j < shapes[k].per_iteration; j++)
					values[j] = draw(&shapes[k], &random, i);
				assert_int_equal(stability_add(kept, values, starts, 1), STATS_OK);
				assert_int_equal(stability_add(direct, values, starts, 1), STATS_OK);
				if (!same(stability_value(kept), stability_value(direct), 1e-9))
					fail_msg("%s %d after %zu: %.12g, direct %.12g", shapes[k].name, c, i + 1, stability_value(kept),
					         stability_value(direct));
				for (int variant = STOP_PUBLISHED; variant <= STOP_FORK; variant++) {
					for (int runs = 0; runs < 2; runs++) {
						struct stability_rule rule = {(enum stop_variant)variant,
						                              stop_threshold((enum stop_criterion)c), 5, runs};
						bool a, b;
						assert_int_equal(stability_holds(kept, &rule, &a), STATS_OK);
						assert_int_equal(stability_holds(direct, &rule, &b), STATS_OK);
						assert_int_equal(a, b);
						stable += a;
						unstable += !a;
					}
				}
			}
			stability_free(kept);
			stability_free(direct);
		}
	}
	assert_true(stable > 300 && unstable > 300);
}

/* Runs with iterations of unequal counts, and a threshold that is hit exactly. */
static void test_runs(void **state)
{
	(void)state;
	static double values[5 * 60];
	struct random random;
	for (int c = CRITERION_CV; c <= CRITERION_KLD; c++) {
		struct stability *kept = stability_new((enum stop_criterion)c, 9, false);
		struct stability *direct = stability_new((enum stop_criterion)c, 9, true);
		random_seed(&random, 3);
		for (size_t run = 0; run < 4; run++) {
			uint32_t starts[6] = {0};
			double level = 1 + 0.05 * random_normal(&random);
			for (size_t i = 0; i < 5; i++) {
				starts[i + 1] = starts[i] + 20 + (uint32_t)random_below(&random, 40);
				for (uint32_t j = starts[i]; j < starts[i + 1]; j++)
					values[j] = level * (1 + 0.03 * random_normal(&random));
			}
			assert_int_equal(stability_add(kept, values, starts, 5), STATS_OK);
			assert_int_equal(stability_add(direct, values, starts, 5), STATS_OK);
			assert_true(same(stability_value(kept), stability_value(direct), 1e-9));
			/* The value itself as threshold: rounding alone would decide. */
			struct stability_rule rule = {STOP_PUBLISHED, stability_value(direct), 5, true};
			bool a, b;
			assert_int_equal(stability_holds(kept, &rule, &a), STATS_OK);
			assert_int_equal(stability_holds(direct, &rule, &b), STATS_OK);
			assert_int_equal(a, b);
		}
		assert_int_equal(stability_count(kept), 4);
		double last = stability_value(kept);
		stability_clear(kept);
		assert_int_equal(stability_count(kept), 0);
		assert_true(isnan(stability_value(kept)));
		(void)last;
		stability_free(kept);
		stability_free(direct);
	}
}

static void test_edges(void **state)
{
	(void)state;
	const double bad[] = {1, NAN}, same_values[] = {2, 2, 2, 2}, negative[] = {-1, -2, -1, -3};
	const uint32_t starts[] = {0, 2, 4};
	bool holds;
	for (int c = CRITERION_CV; c <= CRITERION_KLD; c++) {
		struct stability *s = stability_new((enum stop_criterion)c, 0, false);
		struct stability_rule rule = {STOP_PUBLISHED, stop_threshold((enum stop_criterion)c), 5, false};
		assert_int_equal(stability_add(s, bad, starts, 1), STATS_NOT_FINITE);
		assert_int_equal(stability_add(s, bad, starts, 0), STATS_EMPTY);
		assert_int_equal(stability_count(s), 0);
		assert_int_equal(stability_holds(s, &rule, &holds), STATS_OK);
		assert_false(holds);
		for (int i = 0; i < 6; i++)
			assert_int_equal(stability_add(s, same_values, starts, 2), STATS_OK);
		assert_true(stability_value(s) == (c == CRITERION_KLD ? 1 : 0));
		assert_int_equal(stability_holds(s, &rule, &holds), STATS_OK);
		assert_true(holds);
		stability_clear(s);
		for (int i = 0; i < 6; i++)
			assert_int_equal(stability_add(s, negative, starts, 2), STATS_OK);
		assert_int_equal(stability_holds(s, &rule, &holds), STATS_OK);
		if (c != CRITERION_KLD)
			assert_true(isnan(stability_value(s)) && !holds);
		stability_free(s);
	}
	stability_free(NULL);
}

/* Every allocation fails once: no crash, no leak, STATS_NO_MEMORY. */
static void test_no_memory(void **state)
{
	(void)state;
	static double values[2000];
	const uint32_t starts[] = {0, 2000};
	struct random random;
	random_seed(&random, 1);
	for (int j = 0; j < 2000; j++)
		values[j] = 1 + 0.1 * random_uniform(&random);
	for (int c = CRITERION_CV; c <= CRITERION_KLD; c++) {
		long failed = 0;
		for (long nth = 1; nth < 100; nth++) {
			mem_fail_at(nth);
			struct stability *s = stability_new((enum stop_criterion)c, 1, false);
			enum stats_status status = s ? STATS_OK : STATS_NO_MEMORY;
			for (int i = 0; i < 3 && status == STATS_OK; i++)
				status = stability_add(s, values, starts, 1);
			bool hit = mem_failed();
			mem_fail_at(0);
			stability_free(s);
			if (!hit)
				break;
			assert_int_equal(status, STATS_NO_MEMORY);
			failed++;
		}
		assert_true(failed >= 5 && failed < 99);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_density),        cmocka_unit_test(test_known_similarity),
		cmocka_unit_test(test_kept_is_direct), cmocka_unit_test(test_runs),
		cmocka_unit_test(test_edges),          cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
