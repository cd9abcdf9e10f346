#include "stats/multiple.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>

static void check_holm(const json_t *known, const char *given, const char *expected)
{
	size_t m, count;
	double *p = known_array(json_object_get(known, given), &m);
	double *answer = known_array(json_object_get(known, expected), &count), adjusted[16];
	assert_int_equal(holm_adjust(p, m, adjusted), STATS_OK);
	for (size_t i = 0; i < m; i++)
		assert_close(adjusted[i], answer[i], 1e-12);
	assert_int_equal(holm_adjust(p, m, p), STATS_OK); /* in place */
	assert_memory_equal(p, adjusted, m * sizeof(*p));
	free(p);
	free(answer);
}

static void test_holm(void **state)
{
	(void)state;
	json_t *known = known_load("multiple.json");
	check_holm(known, "p", "holm");
	check_holm(known, "ties", "ties_holm");
	json_decref(known);
}

/* The procedure straight from its definition: try every k. */
static size_t naive_bh(const double *p, size_t m, double alpha)
{
	for (size_t k = m; k > 0; k--) {
		size_t reach = 0;
		for (size_t i = 0; i < m; i++)
			reach += p[i] * (double)m <= (double)k * alpha;
		if (reach >= k)
			return k;
	}
	return 0;
}

static void test_bh(void **state)
{
	(void)state;
	/* Benjamini and Hochberg (1995), section 3.2: at 0.05 four of fifteen are called. */
	static const double thrombolysis[15] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
	                                        0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
	size_t called;
	assert_int_equal(bh_called(thrombolysis, 15, 0.05, &called), STATS_OK);
	assert_int_equal(called, 4);
	struct random random;
	random_seed(&random, 3);
	for (int repeat = 0; repeat < 500; repeat++) {
		double values[12];
		size_t m = 1 + (size_t)random_below(&random, 12);
		for (size_t i = 0; i < m; i++)
			values[i] = fmin(1, exp(3 * random_normal(&random) - 4));
		assert_int_equal(bh_called(values, m, 0.05, &called), STATS_OK);
		assert_int_equal(called, naive_bh(values, m, 0.05));
	}
}

static void test_edges(void **state)
{
	(void)state;
	double p[2] = {0.5, 1.1}, bad[1] = {NAN}, out[2], fine[2] = {0, 1}, negative[1] = {-1};
	size_t called;
	assert_int_equal(holm_adjust(p, 0, out), STATS_EMPTY);
	assert_int_equal(holm_adjust(p, 2, out), STATS_BAD_ARGUMENT);
	assert_int_equal(holm_adjust(bad, 1, out), STATS_BAD_ARGUMENT);
	assert_int_equal(bh_called(fine, 0, 0.05, &called), STATS_EMPTY);
	assert_int_equal(bh_called(fine, 2, 1, &called), STATS_BAD_ARGUMENT);
	assert_int_equal(bh_called(bad, 1, 0.05, &called), STATS_BAD_ARGUMENT);
	assert_int_equal(bh_called(negative, 1, 0.05, &called), STATS_BAD_ARGUMENT);
	mem_fail_at(1);
	assert_int_equal(holm_adjust(fine, 2, out), STATS_NO_MEMORY);
	mem_fail_at(1);
	assert_int_equal(bh_called(fine, 2, 0.05, &called), STATS_NO_MEMORY);
	mem_fail_at(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_holm), cmocka_unit_test(test_bh),
	                                   cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
