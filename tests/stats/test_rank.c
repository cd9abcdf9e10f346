#include "stats/rank.h"

#include "support/known.h"
#include "support/starve.h"

#include <math.h>

static void test_ranks(void **state)
{
	(void)state;
	/* R: rank(c(3, 1, 3, 2, 3, 1)) */
	double x[] = {3, 1, 3, 2, 3, 1}, expected[] = {5, 1.5, 5, 3, 5, 1.5}, ranks[6], ties;
	assert_int_equal(ranks_of(x, 6, ranks, &ties), STATS_OK);
	assert_memory_equal(ranks, expected, sizeof(ranks));
	assert_true(ties == (27 - 3) + (8 - 2));
	double distinct[] = {0.5, -2, 7};
	assert_int_equal(ranks_of(distinct, 3, ranks, &ties), STATS_OK);
	assert_true(ranks[0] == 2 && ranks[1] == 1 && ranks[2] == 3 && ties == 0);
	assert_int_equal(ranks_of(distinct, 1, ranks, NULL), STATS_OK);
	assert_true(ranks[0] == 1);
}

static enum stats_status try_ranks(void *data)
{
	double ranks[3];
	return ranks_of(data, 3, ranks, NULL);
}

static void test_edges(void **state)
{
	(void)state;
	double x[] = {1, INFINITY, 2}, good[] = {3, 2, 1}, ranks[3] = {7, 7, 7};
	assert_int_equal(ranks_of(x, 0, ranks, NULL), STATS_EMPTY);
	assert_int_equal(ranks_of(x, 3, ranks, NULL), STATS_NOT_FINITE);
	assert_true(ranks[0] == 7);
	assert_int_equal(starve(try_ranks, good), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_ranks), cmocka_unit_test(test_edges)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
