/* A small part of the table of docs/methods.md. */
#include "fleets.h"

#include "support/known.h"

#include <math.h>
#include <string.h>

static const struct fleets_cell *cell_named(const char *name)
{
	for (size_t i = 0; i < fleets_cell_count; i++)
		if (strcmp(fleets_cells[i].name, name) == 0)
			return &fleets_cells[i];
	fail_msg("no cell '%s'", name);
	return NULL;
}

/* 2000 fleets of each: coverage of 99 % gives less than 98.2 % once in three thousand tests. */
static void test_coverage(void **state)
{
	(void)state;
	enum { FLEETS = 2000 };
	static const char *const names[] = {"5 machines", "8, unequal noise", "8 of two kinds", "10, 20 % lost"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct fleets_outcome out;
		fleets_simulate(cell_named(names[i]), FLEETS, 7, &out);
		if (out.pool < 0.982 || out.these < 0.982)
			fail_msg("%s: the pool %.4f, these machines %.4f", names[i], out.pool, out.these);
		assert_true(out.accused <= 0.01 + 3 * sqrt(0.01 * 0.99 / FLEETS));
	}
}

/* Kinds of machines that are not told apart spoil the interval; the bad machine is mostly found. */
static void test_kinds_and_bad_one(void **state)
{
	(void)state;
	struct fleets_outcome out;
	fleets_simulate(cell_named("8, one off by 12 sd"), 1000, 7, &out);
	assert_true(out.found > 0.95);
	fleets_simulate(cell_named("8, no interaction"), 1000, 7, &out);
	assert_true(out.called < 0.02);
}

static void test_looks(void **state)
{
	(void)state;
	struct fleets_looks looks;
	fleets_look(24, 1500, 7, &looks);
	assert_true(looks.drawn <= 0.01);
	assert_true(looks.arrival > 0.04);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_kinds_and_bad_one),
		cmocka_unit_test(test_looks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
