#include "stats/stop_rules.h"

#include "support/known.h"

#include <math.h>
#include <stdlib.h>

static const char *const names[] = {"Cov", "Ci", "Divergence"};

/* The published stop points: every one of 75 warm-ups and 300 sets of runs. */
static void test_published_warmups(void **state)
{
	(void)state;
	json_t *known = known_load("stop_rules.json"), *one;
	size_t series = 0, i, n;
	for (int c = CRITERION_CV; c <= CRITERION_KLD; c++) {
		json_array_foreach(json_object_get(json_object_get(known, "warmup"), names[c]), i, one)
		{
			double *v = known_array(json_object_get(one, "v"), &n);
			size_t stop = 0;
			for (size_t k = 1; k <= n && stop == 0; k++)
				if (stop_warmup((enum stop_criterion)c, STOP_PUBLISHED, stop_threshold((enum stop_criterion)c),
				                STOP_WINDOW, v, k))
					stop = k;
			assert_int_equal(stop, (size_t)known_number(one, "reached"));
			free(v);
			series++;
		}
	}
	assert_int_equal(series, 75);
	json_decref(known);
}

static void test_published_runs(void **state)
{
	(void)state;
	json_t *known = known_load("stop_rules.json"), *one;
	size_t sets = 0, i, n;
	for (int c = CRITERION_CV; c <= CRITERION_KLD; c++) {
		json_array_foreach(json_object_get(json_object_get(known, "runs"), names[c]), i, one)
		{
			double *given = known_array(one, &n), v[5] = {c == CRITERION_CV ? 0 : NAN};
			size_t stop = 0;
			assert_int_equal(n, 5);
			/* Of Cov the file has differences; any series with these will do. */
			for (size_t f = 1; f < 5; f++)
				v[f] = c == CRITERION_CV ? v[f - 1] + given[f - 1] : given[f - 1];
			for (size_t f = 1; f <= 5 && stop == 0; f++)
				if (stop_runs((enum stop_criterion)c, STOP_PUBLISHED, stop_threshold((enum stop_criterion)c), v, f))
					stop = f;
			assert_int_equal(stop, (size_t)given[4]);
			free(given);
			sets++;
		}
	}
	assert_int_equal(sets, 300);
	json_decref(known);
}

static bool warmup(enum stop_criterion criterion, enum stop_variant variant, const double *v, size_t n)
{
	return stop_warmup(criterion, variant, stop_threshold(criterion), STOP_WINDOW, v, n);
}

static bool runs(enum stop_criterion criterion, enum stop_variant variant, const double *v, size_t n)
{
	return stop_runs(criterion, variant, stop_threshold(criterion), v, n);
}

/* Series on which the three variants part; each decision follows from its formula by hand. */
static void test_variants(void **state)
{
	(void)state;
	const double rising[] = {0.100, 0.105, 0.110, 0.115, 0.120};
	assert_true(warmup(CRITERION_CV, STOP_PUBLISHED, rising, 5));
	assert_false(warmup(CRITERION_CV, STOP_PAPER, rising, 5));
	assert_false(warmup(CRITERION_CV, STOP_FORK, rising, 5));
	const double around[] = {0.108, 0.092, 0.108, 0.092, 0.100}; /* 0.016 apart, 0.008 from the last */
	assert_true(warmup(CRITERION_CV, STOP_PUBLISHED, around, 5));
	assert_false(warmup(CRITERION_CV, STOP_PAPER, around, 5));
	assert_true(warmup(CRITERION_CV, STOP_FORK, around, 5));
	const double wide[] = {0.200, 0.201, 0.202, 0.203, 0.204};
	assert_false(warmup(CRITERION_RCIW, STOP_PUBLISHED, wide, 5));
	assert_true(warmup(CRITERION_RCIW, STOP_PAPER, wide, 5));
	assert_true(warmup(CRITERION_RCIW, STOP_FORK, wide, 5));
	const double edge[] = {0.25, 0.25, 0.25, 0.25, 0.28125}; /* exact in binary, 0.03125 apart */
	assert_true(stop_warmup(CRITERION_RCIW, STOP_PAPER, 0.03125, STOP_WINDOW, edge, 5));
	assert_false(stop_warmup(CRITERION_RCIW, STOP_FORK, 0.03125, STOP_WINDOW, edge, 5));

	const double widths[] = {0.2, 0.1, 0.09};
	assert_false(runs(CRITERION_RCIW, STOP_PUBLISHED, widths, 3));
	assert_false(runs(CRITERION_RCIW, STOP_PAPER, widths, 3));
	assert_true(runs(CRITERION_RCIW, STOP_FORK, widths, 3));
	const double similar[] = {NAN, 0.98, 0.999};
	assert_true(runs(CRITERION_KLD, STOP_PUBLISHED, similar, 3));
	assert_false(runs(CRITERION_KLD, STOP_PAPER, similar, 3)); /* mean 0.9895 */
	assert_true(runs(CRITERION_KLD, STOP_FORK, similar, 3));
	const double spread[] = {0.020, 0.030, 0.035};
	assert_true(runs(CRITERION_CV, STOP_PUBLISHED, spread, 3));
	assert_false(runs(CRITERION_CV, STOP_PAPER, spread, 3));
	assert_true(runs(CRITERION_CV, STOP_FORK, spread, 3));
}

static void test_edges(void **state)
{
	(void)state;
	const double zeros[6] = {0}, ones[] = {NAN, 1, 1, 1, 1, 1};
	const double hole[] = {0, 0, NAN, 0, 0, 0};
	for (int variant = STOP_PUBLISHED; variant <= STOP_FORK; variant++) {
		for (size_t n = 0; n <= 6; n++) {
			assert_int_equal(warmup(CRITERION_CV, (enum stop_variant)variant, zeros, n), n >= 5);
			assert_int_equal(warmup(CRITERION_RCIW, (enum stop_variant)variant, zeros, n), n >= 5);
			assert_int_equal(warmup(CRITERION_KLD, (enum stop_variant)variant, ones, n), n >= 6);
			assert_int_equal(runs(CRITERION_CV, (enum stop_variant)variant, zeros, n), n >= 2);
			assert_int_equal(runs(CRITERION_KLD, (enum stop_variant)variant, ones, n), n >= 2);
			assert_false(warmup(CRITERION_CV, (enum stop_variant)variant, hole, n));
		}
		assert_false(runs(CRITERION_CV, (enum stop_variant)variant, hole, 3));
		assert_false(runs(CRITERION_CV, (enum stop_variant)variant, hole, 4));
	}
}

/* Another window looks at as many values, and no sooner. */
static void test_window(void **state)
{
	(void)state;
	const double v[] = {0.5, 0.10, 0.105, 0.1, 0.101, 0.2, 0.2, 0.2};
	assert_false(stop_warmup(CRITERION_CV, STOP_PAPER, 0.01, 3, v, 2));
	assert_false(stop_warmup(CRITERION_CV, STOP_PAPER, 0.01, 3, v, 3));
	assert_true(stop_warmup(CRITERION_CV, STOP_PAPER, 0.01, 3, v, 4));
	assert_false(stop_warmup(CRITERION_CV, STOP_PAPER, 0.01, 5, v, 5));
	assert_true(stop_warmup(CRITERION_CV, STOP_PAPER, 0.01, 4, v, 5));
	assert_true(stop_warmup(CRITERION_CV, STOP_PAPER, 0.01, 3, v, 8));
	assert_false(stop_warmup(CRITERION_CV, STOP_PAPER, 0.01, 4, v, 8));
	assert_true(stop_warmup(CRITERION_CV, STOP_PAPER, 0.01, 1, v, 1));
	assert_false(stop_warmup(CRITERION_CV, STOP_PAPER, 0.01, 0, v, 8));
	const double similar[] = {NAN, 0.98, 0.999, 0.999};
	assert_false(stop_warmup(CRITERION_KLD, STOP_PUBLISHED, 0.99, 2, similar, 2));
	assert_false(stop_warmup(CRITERION_KLD, STOP_PUBLISHED, 0.99, 2, similar, 3));
	assert_true(stop_warmup(CRITERION_KLD, STOP_PUBLISHED, 0.99, 2, similar, 4));
	assert_string_equal(stop_criterion_name(CRITERION_KLD), "kld");
	enum stop_variant variant = STOP_PUBLISHED;
	assert_true(stop_variant_by_name("fork", &variant));
	assert_int_equal(variant, STOP_FORK);
	assert_false(stop_variant_by_name("none", &variant));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_published_warmups),
		cmocka_unit_test(test_published_runs),
		cmocka_unit_test(test_variants),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_window),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
