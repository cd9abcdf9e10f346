#include "stats/typical.h"

#include "base/memory.h"
#include "base/random.h"
#include "stats/quantile.h"
#include "support/known.h"

#include <math.h>

/* Going second costs 20 %: the strata remove it, a plain median does not. */
static void test_strata(void **state)
{
	(void)state;
	double base[6] = {1, 1.2, 1, 1.2, 1, 1.2}, new_[6] = {1.2, 1, 1.2, 1, 1.2, 1};
	unsigned char order[6] = {0, 1, 0, 1, 0, 1};
	struct typical typical;
	assert_int_equal(typical_of(base, new_, order, 6, &typical), STATS_OK);
	assert_true(fabs(typical.log_ratio) < 1e-15);
	assert_close(typical.order_effect, log(1.2), 1e-12);
	assert_int_equal(typical_of(base, new_, NULL, 6, &typical), STATS_OK);
	assert_true(isnan(typical.order_effect));
	/* Five pairs, three of them base first: the plain median sits in that stratum. */
	assert_int_equal(typical_of(base, new_, NULL, 5, &typical), STATS_OK);
	assert_close(typical.log_ratio, log(1.2), 1e-12);
	/* One order only is one stratum, whichever it is. */
	unsigned char always[6] = {1, 1, 1, 1, 1, 1};
	assert_int_equal(typical_of(base, new_, always, 5, &typical), STATS_OK);
	assert_close(typical.log_ratio, log(1.2), 1e-12);
	assert_true(isnan(typical.order_effect));
}

static void test_definition(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 8);
	for (int repeat = 0; repeat < 50; repeat++) {
		double base[21], new_[21], strata[2][21], medians[2];
		unsigned char order[21];
		size_t n = 2 + (size_t)random_below(&random, 20), count[2] = {0, 0};
		for (size_t i = 0; i < n; i++) {
			base[i] = exp(random_normal(&random));
			new_[i] = exp(random_normal(&random));
			order[i] = (unsigned char)random_below(&random, 2);
			strata[order[i]][count[order[i]]++] = log(new_[i]) - log(base[i]);
		}
		if (count[0] == 0 || count[1] == 0)
			continue;
		for (int s = 0; s < 2; s++)
			assert_int_equal(median_of(strata[s], count[s], &medians[s]), STATS_OK);
		struct typical typical;
		assert_int_equal(typical_of(base, new_, order, n, &typical), STATS_OK);
		assert_true(fabs(typical.log_ratio - (medians[0] + medians[1]) / 2) < 1e-12);
		assert_true(fabs(typical.order_effect - (medians[0] - medians[1]) / 2) < 1e-12);
	}
}

static void test_private_sd(void **state)
{
	(void)state;
	/* Residuals by hand, unit typicals ln 2 and 0: −0.1, 0, 0.1 and −0.3, 0, 0.3 → MAD 0.1. */
	double base[6] = {1, 1, 1, 1, 1, 1}, typical[2] = {log(2), 0}, sd = -1;
	double new_[6] = {2 * exp(-0.1), 2, 2 * exp(0.1), exp(-0.3), 1, exp(0.3)};
	size_t starts[3] = {0, 3, 6};
	assert_int_equal(typical_private_sd(base, new_, starts, typical, 0, &sd), STATS_EMPTY);
	new_[5] = -1;
	assert_int_equal(typical_private_sd(base, new_, starts, typical, 2, &sd), STATS_NOT_POSITIVE);
	new_[5] = exp(0.3);
	for (long nth = 1; nth <= 2; nth++) {
		mem_fail_at(nth);
		assert_int_equal(typical_private_sd(base, new_, starts, typical, 2, &sd), STATS_NO_MEMORY);
	}
	mem_fail_at(0);
	assert_true(sd == -1);
	assert_int_equal(typical_private_sd(base, new_, starts, typical, 2, &sd), STATS_OK);
	assert_close(sd, 0.14826, 1e-9);
}

static void test_edges(void **state)
{
	(void)state;
	double good[2] = {1, 2}, zero[2] = {1, 0}, lost[2] = {1, NAN}, infinite[2] = {1, INFINITY};
	struct typical typical = {-1, -1};
	assert_int_equal(typical_of(good, good, NULL, 0, &typical), STATS_EMPTY);
	assert_int_equal(typical_of(good, zero, NULL, 2, &typical), STATS_NOT_POSITIVE);
	assert_int_equal(typical_of(lost, good, NULL, 2, &typical), STATS_NOT_FINITE);
	assert_int_equal(typical_of(good, infinite, NULL, 2, &typical), STATS_NOT_FINITE);
	mem_fail_at(1);
	assert_int_equal(typical_of(good, good, NULL, 2, &typical), STATS_NO_MEMORY);
	mem_fail_at(0);
	assert_true(typical.log_ratio == -1);
	assert_int_equal(typical_of(good, good, NULL, 1, &typical), STATS_OK);
	assert_true(typical.log_ratio == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_strata), cmocka_unit_test(test_definition),
	                                   cmocka_unit_test(test_private_sd), cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
