#include "decide/allotment.h"

#include "base/random.h"
#include "support/known.h"

#include <math.h>

enum { MOST = 64 };

static bool has(const size_t *chosen, size_t count, size_t index)
{
	for (size_t i = 0; i < count; i++)
		if (chosen[i] == index)
			return true;
	return false;
}

static void nobody_open_means_nobody_next(void **state)
{
	(void)state;
	struct allotment all[2] = {{.open = false, .cost = 1}, {.open = false, .cost = 1}};
	size_t chosen[2];
	assert_int_equal(allotment_next(all, 0, 10, chosen), 0);
	assert_int_equal(allotment_next(all, 2, 10, chosen), 0);
}

static void first_everybody_gets_the_least(void **state)
{
	(void)state;
	struct allotment all[4] = {
		{.open = true, .units = 3, .least = 10, .missing = INFINITY, .cost = 0.1},
		{.open = true, .units = 10, .least = 10, .missing = 1, .cost = 0.1},
		{.open = false, .units = 3, .least = 10, .missing = 0, .cost = 0.1},
		{.open = true, .units = 0, .least = 10, .missing = INFINITY, .cost = 0.1},
	};
	size_t chosen[4];
	assert_int_equal(allotment_next(all, 4, 60, chosen), 2);
	assert_true(has(chosen, 2, 0) && has(chosen, 2, 3));
}

static void a_hopeless_one_waits_for_those_that_can_be_decided(void **state)
{
	(void)state;
	struct allotment all[3] = {
		{.open = true, .units = 12, .least = 10, .missing = 5, .cost = 0.1},
		{.open = true, .units = 12, .least = 10, .missing = 5000, .cost = 0.1},
		{.open = true, .units = 12, .least = 10, .missing = 20, .cost = 0.1},
	};
	size_t chosen[3];
	assert_int_equal(allotment_next(all, 3, 10, chosen), 2);
	assert_true(has(chosen, 2, 0) && has(chosen, 2, 2));
	/* With the others decided it gets what is left, and also when nobody's need fits. */
	all[0].open = all[2].open = false;
	assert_int_equal(allotment_next(all, 3, 10, chosen), 1);
	assert_int_equal(chosen[0], 1);
	all[0].open = all[2].open = true;
	all[0].missing = all[2].missing = INFINITY;
	assert_int_equal(allotment_next(all, 3, 10, chosen), 3);
}

static void a_unit_that_does_not_fit_is_not_begun(void **state)
{
	(void)state;
	struct allotment all[2] = {
		{.open = true, .units = 0, .least = 10, .missing = INFINITY, .cost = 5},
		{.open = true, .units = 0, .least = 10, .missing = INFINITY, .cost = 0.5},
	};
	size_t chosen[2];
	assert_int_equal(allotment_next(all, 2, 1, chosen), 1);
	assert_int_equal(chosen[0], 1);
	assert_int_equal(allotment_next(all, 2, 0.1, chosen), 0);
	assert_int_equal(allotment_next(all, 2, INFINITY, chosen), 2);
}

/* Units that a benchmark needs in truth, guessed from how far it has come with an error of a third. */
static size_t decided_in(double budget, bool by_rule, uint64_t seed)
{
	struct random random;
	double needed[MOST];
	struct allotment all[MOST];
	size_t chosen[MOST], decided = 0;
	random_seed(&random, seed);
	for (size_t i = 0; i < MOST; i++) {
		needed[i] = 10 * exp(2 * fabs(random_normal(&random)));
		all[i] = (struct allotment){.open = true, .least = 10, .missing = INFINITY, .cost = 0.1};
	}
	for (double left = budget;;) {
		size_t count = 0;
		if (by_rule) {
			count = allotment_next(all, MOST, left, chosen);
		} else {
			for (size_t i = 0; i < MOST; i++)
				if (all[i].open && all[i].cost <= left)
					chosen[count++] = i;
		}
		if (count == 0)
			return decided;
		for (size_t k = 0; k < count && left >= all[chosen[k]].cost; k++) {
			struct allotment *a = &all[chosen[k]];
			left -= a->cost;
			a->units++;
			a->missing = fmax(needed[chosen[k]] - (double)a->units, 0) * exp(0.33 * random_normal(&random));
			if ((double)a->units >= needed[chosen[k]]) {
				a->open = false;
				decided++;
			}
		}
	}
}

/* With a third of the time that all of them would need, more are decided than by equal shares of the time, and never
 * fewer. */
static void more_is_decided_than_by_equal_shares(void **state)
{
	(void)state;
	size_t better = 0;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		size_t rule = decided_in(150, true, seed), equal = decided_in(150, false, seed);
		assert_true(rule >= equal);
		better += rule > equal;
	}
	assert_true(better >= 45);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_open_means_nobody_next),
		cmocka_unit_test(first_everybody_gets_the_least),
		cmocka_unit_test(a_hopeless_one_waits_for_those_that_can_be_decided),
		cmocka_unit_test(a_unit_that_does_not_fit_is_not_begun),
		cmocka_unit_test(more_is_decided_than_by_equal_shares),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
