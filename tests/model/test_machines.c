#include "model/machines.h"

#include "model/result.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};

/* `runs` runs of each of `subjects` subjects on a machine: value = base + run. */
static void make(struct result *result, const char *machine, const char *const *subjects, size_t count, size_t runs,
                 double base)
{
	struct error err;
	result_init(result);
	result->host.id = machine;
	result->design.name = "turns";
	result->design.paired = true;
	memcpy(result->design.levels, levels, sizeof(levels));
	result->design.level_count = 2;
	result->design.order = arena_alloc(&result->arena, runs, sizeof(const char *));
	result->design.order_count = runs;
	for (size_t r = 0; r < runs; r++)
		result->design.order[r] = r % 2 ? "BA" : "AB";
	for (size_t s = 0; s < count; s++) {
		struct subject *subject = result_add_subject(result, subjects[s]);
		struct measurement *m = result_add_metric(result, subject, "wall", "s", BETTER_LOWER, levels, 2);
		for (size_t r = 0; r < runs; r++)
			assert_int_equal(series_append(&m->series, 0, base + (double)r, &err), 0);
	}
}

static const char *const both[] = {"old", "new"};

static void test_add(void **state)
{
	(void)state;
	struct result all, more;
	struct error err;
	make(&all, "m1", both, 2, 3, 10);
	make(&more, "m2", both, 2, 2, 20);
	assert_true(machines_differ(&all, &more));
	assert_int_equal(machines_add(&all, &more, &err), 0);
	make(&more, "m1", both, 2, 1, 30); /* a second result of the first machine */
	assert_int_equal(machines_add(&all, &more, &err), 0);
	assert_int_equal(all.design.machine_count, 2);
	assert_int_equal(all.design.machines[0].results, 2);
	assert_int_equal(all.design.machines[0].order_count, 4);
	assert_string_equal(all.design.machines[1].order[1], "BA");
	assert_int_equal(all.design.levels[0], LEVEL_MACHINE);
	assert_true(all.design.paired);
	for (size_t s = 0; s < 2; s++) {
		const struct series *series = &all.subjects[s].metrics[0].series;
		const double expected[] = {10, 11, 12, 30, 20, 21};
		assert_int_equal(series->depth, 3);
		assert_int_equal(series->groups[0], 2);
		assert_int_equal(series->groups[1], 6);
		assert_int_equal(series->starts[0][1], 4);
		assert_memory_equal(series->values, expected, sizeof(expected));
	}
	result_release(&all);
}

/* A subject that a machine does not have leaves a lost value there, before and after. */
static void test_missing(void **state)
{
	(void)state;
	static const char *const one[] = {"old"}, *const other[] = {"new"};
	struct result all, more;
	struct error err;
	make(&all, "m1", one, 1, 2, 10);
	make(&more, "m2", other, 1, 2, 20);
	assert_int_equal(machines_add(&all, &more, &err), 0);
	const struct series *old = &all.subjects[0].metrics[0].series, *new_ = &all.subjects[1].metrics[0].series;
	assert_int_equal(old->groups[0], 2);
	assert_int_equal(new_->groups[0], 2);
	assert_true(isnan(old->values[2]) && old->n == 3);
	assert_true(isnan(new_->values[0]) && new_->values[1] == 20 && new_->n == 3);
	result_release(&all);
}

static void test_other_levels(void **state)
{
	(void)state;
	static const enum level deeper[] = {LEVEL_BUILD, LEVEL_RUN, LEVEL_ITERATION};
	struct result all, more;
	struct error err;
	make(&all, "m1", both, 1, 2, 10);
	result_init(&more);
	more.host.id = "m2";
	struct measurement *m = result_add_metric(&more, result_add_subject(&more, "old"), "wall", "s", BETTER_LOWER,
	                                          deeper, 3);
	assert_int_equal(series_append(&m->series, 0, 1, &err), 0);
	assert_int_equal(machines_add(&all, &more, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	result_release(&more);
	result_release(&all);
}

static void test_unknown(void **state)
{
	(void)state;
	struct result a, b;
	make(&a, NULL, both, 1, 1, 1);
	make(&b, "m2", both, 1, 1, 1);
	assert_false(machines_differ(&a, &b));
	assert_false(machines_differ(&b, &a));
	assert_false(machines_differ(&b, &b));
	result_release(&a);
	result_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_add),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_other_levels),
		cmocka_unit_test(test_unknown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
