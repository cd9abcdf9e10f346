#include "stats/mann_whitney.h"

#include "base/random.h"
#include "support/known.h"
#include "support/sequence.h"
#include "support/starve.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

static json_t *known, *classical;

static double p_of(const double *a, size_t na, const double *b, size_t nb)
{
	struct mann_whitney one, other;
	assert_int_equal(mann_whitney(a, na, b, nb, &one), STATS_OK);
	assert_true(one.exact);
	/* The sides may be exchanged. */
	assert_int_equal(mann_whitney(b, nb, a, na, &other), STATS_OK);
	assert_true(one.u + other.u == (double)na * (double)nb && one.z == -other.z);
	assert_close(other.p, one.p, 1e-13);
	return one.p;
}

static void test_r(void **state)
{
	(void)state;
	json_t *entry;
	size_t index, compared = 0;
	const char *const lists[] = {"untied", "tied"};
	for (int l = 0; l < 2; l++) {
		json_array_foreach(json_object_get(json_object_get(classical, "mann_whitney"), lists[l]), index, entry)
		{
			size_t na, nb;
			double *a = known_array(json_object_get(entry, "a"), &na),
				   *b = known_array(json_object_get(entry, "b"), &nb);
			assert_close(p_of(a, na, b, nb), known_number(entry, "p"), 1e-12);
			if (l == 0) {
				struct mann_whitney test;
				assert_int_equal(mann_whitney(a, na, b, nb, &test), STATS_OK);
				assert_true(test.u == known_number(entry, "u"));
			}
			compared++;
			free(a);
			free(b);
		}
	}
	assert_int_equal(compared, 8);
}

/* Many ties in many values: normal, as R. */
static void test_normal(void **state)
{
	(void)state;
	const json_t *many = json_object_get(json_object_get(classical, "mann_whitney"), "many");
	double a[300], b[400];
	sequence_uniform(a, 300, 31);
	sequence_uniform(b, 400, 32);
	for (int i = 0; i < 300; i++)
		a[i] = nearbyint(20 * a[i]);
	for (int i = 0; i < 400; i++)
		b[i] = nearbyint(22 * b[i]);
	struct mann_whitney test;
	assert_int_equal(mann_whitney(a, 300, b, 400, &test), STATS_OK);
	assert_false(test.exact);
	assert_true(test.u == known_number(many, "u"));
	assert_close(test.p, known_number(many, "p"), 1e-11);
}

static void fill(double *x, size_t n, double from)
{
	for (size_t i = 0; i < n; i++)
		x[i] = from + (double)i;
}

static void test_pilot(void **state)
{
	(void)state;
	const json_t *ranks = json_object_get(known, "rank_sum");
	static double a[1000], b[1000];
	json_t *entry;
	size_t index;
	json_array_foreach(json_object_get(ranks, "separated"), index, entry)
	{
		size_t k = (size_t)known_number(entry, "k"), m = (size_t)known_number(entry, "m");
		fill(a, k, 1);
		fill(b, m, 1000);
		assert_close(p_of(a, k, b, m), known_number(entry, "p"), 1e-9);
	}
	fill(a, 8, 1);
	a[7] = 25;
	size_t n = 0;
	for (int value = 8; value <= 108; value++)
		if (value != 25)
			b[n++] = value;
	assert_close(p_of(a, 8, b, n), known_number(json_object_get(ranks, "u17"), "p"), 1e-9);

	fill(a, 10, 1);
	fill(b, 100, 10);
	assert_close(p_of(a, 10, b, 100), known_number(json_object_get(ranks, "few_ties"), "p"), 1e-9);

	const json_t *interleaved = json_object_get(ranks, "interleaved");
	size_t na, nb;
	double *x = known_array(json_object_get(interleaved, "a"), &na),
		   *y = known_array(json_object_get(interleaved, "b"), &nb);
	assert_true(p_of(x, na, y, nb) > known_number(interleaved, "p_greater_than"));
	free(x);
	free(y);
}

/* Two distinct values: Fisher's exact test, down to 1e-59. */
static void test_fisher(void **state)
{
	(void)state;
	static double a[1000], b[1000];
	const json_t *cases = json_object_get(json_object_get(known, "rank_sum"), "fisher_ties");
	for (int i = 0; i < 970; i++)
		b[i] = i % 20 != 0;
	fill(a, 30, 1);
	for (int i = 0; i < 30; i++)
		a[i] = 1;
	assert_close(p_of(a, 30, b, 970), known_number(json_array_get(cases, 0), "p"), 1e-9);
	for (int i = 0; i < 300; i++)
		a[i] = i % 2;
	assert_close(p_of(a, 300, b, 700), known_number(json_array_get(cases, 1), "p"), 1e-9);
	for (size_t c = 2; c < 4; c++) {
		size_t na, nb;
		const json_t *entry = json_array_get(cases, c);
		double *x = known_array(json_object_get(entry, "a"), &na), *y = known_array(json_object_get(entry, "b"), &nb);
		assert_close(p_of(x, na, y, nb), known_number(entry, "p"), 1e-9);
		free(x);
		free(y);
	}
}

static void test_spl_z(void **state)
{
	(void)state;
	json_t *entry;
	size_t index, na, nb;
	json_array_foreach(json_object_get(json_object_get(known, "spl"), "mannwhitney_z"), index, entry)
	{
		double *a = known_array(json_object_get(entry, "a"), &na), *b = known_array(json_object_get(entry, "b"), &nb);
		struct mann_whitney test;
		assert_int_equal(mann_whitney(a, na, b, nb, &test), STATS_OK);
		assert_true(fabs(test.z - known_number(entry, "z")) < known_number(entry, "tol"));
		free(a);
		free(b);
	}
	assert_int_equal(index, 2);
}

/* Counts all assignments of up to 4 + 5 values: twice the smaller tail, or for two distinct values the assignments
 * whose U is no likelier. */
static double p_by_counting(const double *pool, size_t na, size_t n, double u, int distinct)
{
	double ways[41] = {0}, all = 0, below = 0, above = 0, unlikely = 0; /* by 2U */
	for (unsigned mask = 0; mask < 1u << n; mask++) {
		if ((size_t)__builtin_popcount(mask) != na)
			continue;
		int twice = 0;
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				if ((mask >> i & 1) && !(mask >> j & 1))
					twice += pool[i] > pool[j] ? 2 : pool[i] == pool[j];
		ways[twice]++;
		all++;
	}
	int seen = (int)(2 * u);
	for (int i = 0; i <= 40; i++) {
		below += i <= seen ? ways[i] : 0;
		above += i >= seen ? ways[i] : 0;
		unlikely += ways[i] <= ways[seen] ? ways[i] : 0;
	}
	return distinct == 2 ? unlikely / all : fmin(1, 2 * fmin(below, above) / all);
}

static void test_counted(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 12);
	for (int trial = 0; trial < 300; trial++) {
		size_t na = 1 + random_below(&random, 4), nb = 1 + random_below(&random, 5), n = na + nb;
		double pool[9];
		unsigned present = 0;
		for (size_t i = 0; i < n; i++) {
			pool[i] = (double)random_below(&random, 2 + (uint64_t)(trial % 5));
			present |= 1u << (unsigned)pool[i];
		}
		struct mann_whitney test;
		assert_int_equal(mann_whitney(pool, na, pool + na, nb, &test), STATS_OK);
		assert_close(test.p, p_by_counting(pool, na, n, test.u, __builtin_popcount(present)), 1e-13);
	}
}

static void test_edges(void **state)
{
	(void)state;
	double x[] = {2, 2, 2, NAN};
	struct mann_whitney test = {.p = 7};
	assert_int_equal(mann_whitney(x, 0, x, 1, &test), STATS_EMPTY);
	assert_int_equal(mann_whitney(x, 1, x, 0, &test), STATS_EMPTY);
	assert_int_equal(mann_whitney(x, 4, x, 1, &test), STATS_NOT_FINITE);
	assert_int_equal(mann_whitney(x, 1, x, 4, &test), STATS_NOT_FINITE);
	assert_true(test.p == 7);
	assert_int_equal(mann_whitney(x, 1, x, 3, &test), STATS_OK);
	assert_true(test.p == 1 && test.u == 1.5 && test.z == 0 && test.exact);
	double low = 1, high = 2;
	assert_int_equal(mann_whitney(&low, 1, &high, 1, &test), STATS_OK);
	assert_true(test.p == 1 && test.u == 0);
}

static enum stats_status try_test(void *data)
{
	struct mann_whitney test;
	double *x = data;
	return mann_whitney(x, 2, x + 2, 3, &test);
}

static void test_no_memory(void **state)
{
	(void)state;
	double x[] = {1, 2, 3, 4, 4};
	assert_int_equal(starve(try_test, x), 4);
}

int main(void)
{
	gsl_set_error_handler_off();
	known = known_load("two_samples.json");
	classical = known_load("classical.json");
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_r),     cmocka_unit_test(test_normal),
	                                   cmocka_unit_test(test_pilot), cmocka_unit_test(test_fisher),
	                                   cmocka_unit_test(test_spl_z), cmocka_unit_test(test_counted),
	                                   cmocka_unit_test(test_edges), cmocka_unit_test(test_no_memory)};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	json_decref(known);
	json_decref(classical);
	return failed;
}
