#include "analysis/matching.h"

#include "support/known.h"

#include <string.h>

static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};

static struct subject *add(struct result *result, const char *name, const char *unit)
{
	struct subject *subject = result_add_subject(result, name);
	struct measurement *m = result_add_metric(result, subject, "wall", unit, BETTER_LOWER, levels, 2);
	assert_int_equal(series_append(&m->series, 0, 1, NULL), 0);
	return subject;
}

static size_t count(const struct result *result, const char *code)
{
	size_t found = 0;
	for (size_t i = 0; i < result->warning_count; i++)
		found += strcmp(result->warnings[i].code, code) == 0;
	return found;
}

static void by_name_and_parameters_in_any_order(void **state)
{
	(void)state;
	struct result result;
	struct matching matching;
	result_init(&result);
	struct subject *old = add(&result, "sort", "s");
	result_add_parameter(&result, old, "n", "1");
	result_add_parameter(&result, old, "kind", "a");
	add(&result, "gone", "s");
	struct subject *other = add(&result, "sort", "s");
	result_add_parameter(&result, other, "n", "2");
	result_add_parameter(&result, other, "kind", "a");
	struct subject *same = add(&result, "sort", "s");
	result_add_parameter(&result, same, "kind", "a");
	result_add_parameter(&result, same, "n", "1");
	assert_int_equal(matching_find(&result, 2, &(struct matching_options){0}, &matching, NULL), 0);
	assert_int_equal(matching.count, 1);
	assert_int_equal(matching.couples[0].base, 0);
	assert_int_equal(matching.couples[0].new_, 3);
	assert_string_equal(matching.couples[0].metric, "wall");
	assert_int_equal(count(&result, "only-old"), 1);
	assert_int_equal(count(&result, "only-new"), 1);
	matching_release(&matching);
	result_release(&result);
}

/* As files have them that know no parameters: `old` has the parameter n=1 beside its name. */
static size_t couples_of(const char *old, const char *command, const char *new_, const char *parameter)
{
	struct result result;
	struct matching matching;
	result_init(&result);
	struct subject *subject = add(&result, old, "s");
	subject->command = command;
	result_add_parameter(&result, subject, "n", "1");
	add(&result, "other", "s");
	subject = add(&result, new_, "s");
	if (parameter)
		result_add_parameter(&result, subject, "n", parameter);
	add(&result, "other", "s");
	assert_int_equal(matching_find(&result, 2, &(struct matching_options){0}, &matching, NULL), 0);
	size_t count_ = matching.count;
	assert_int_equal(count(&result, "only-old"), 2 - count_);
	assert_int_equal(count(&result, "only-new"), 2 - count_);
	matching_release(&matching);
	result_release(&result);
	return count_;
}

static void parameters_that_are_part_of_the_name(void **state)
{
	(void)state;
	assert_int_equal(couples_of("sort", NULL, "sort n=1", NULL), 2);
	assert_int_equal(couples_of("sort x", NULL, "sort_x/n=1", "1"), 2); /* Go's */
	assert_int_equal(couples_of("sort 1", "sort 1", "sort 1", NULL), 2);
	assert_int_equal(couples_of("sort 1", "sort 1", "sort 1 n=1", NULL), 2);
	assert_int_equal(couples_of("sort", NULL, "sort", NULL), 1);
	assert_int_equal(couples_of("sort", NULL, "sort n=2", NULL), 1);
	assert_int_equal(couples_of("sort", "sort", "sort", "2"), 1);
}

/* The second of a name is compared with the second; one too many on the new side is told apart from a new subject. */
static void a_name_that_is_there_twice(void **state)
{
	(void)state;
	struct result result;
	struct matching matching;
	result_init(&result);
	for (int i = 0; i < 5; i++)
		add(&result, "x", "s");
	assert_int_equal(matching_find(&result, 2, &(struct matching_options){0}, &matching, NULL), 0);
	assert_int_equal(matching.count, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(matching.couples[i].base, i);
		assert_int_equal(matching.couples[i].new_, i + 2);
	}
	assert_int_equal(count(&result, "name-twice"), 1);
	assert_int_equal(count(&result, "only-new"), 0);
	matching_release(&matching);
	result_release(&result);
}

static void one_on_each_side_is_a_couple(void **state)
{
	(void)state;
	struct result result;
	struct matching matching;
	struct error err;
	result_init(&result);
	add(&result, "before", "s");
	add(&result, "after", "s");
	assert_int_equal(matching_find(&result, 1, &(struct matching_options){0}, &matching, NULL), 0);
	assert_int_equal(matching.count, 1);
	matching_release(&matching);
	assert_int_equal(count(&result, "only-old"), 0);
	assert_int_equal(matching_find(&result, 1, &(struct matching_options){.by_name = true}, &matching, NULL), 0);
	assert_int_equal(matching.count, 1);
	assert_int_equal(count(&result, "only-old"), 1);
	assert_int_equal(count(&result, "names"), 0);
	matching_release(&matching);
	result.subjects[0].command = result.subjects[1].command = "x";
	assert_int_equal(matching_find(&result, 1, &(struct matching_options){0}, &matching, NULL), 0);
	assert_int_equal(count(&result, "names"), 1);
	matching_release(&matching);
	assert_int_equal(matching_find(&result, 1, &(struct matching_options){.filter = "^z"}, &matching, &err), -1);
	assert_int_equal(err.kind, ERROR_NO_DATA);
	matching_release(&matching);
	result_release(&result);
}

static void units_that_differ_are_not_compared(void **state)
{
	(void)state;
	struct result result;
	struct matching matching;
	struct error err;
	result_init(&result);
	add(&result, "x", "s");
	add(&result, "x", "bytes");
	assert_int_equal(matching_find(&result, 1, &(struct matching_options){0}, &matching, &err), -1);
	assert_int_equal(err.kind, ERROR_NO_DATA);
	assert_int_equal(count(&result, "no-metric"), 1);
	matching_release(&matching);
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_name_and_parameters_in_any_order), cmocka_unit_test(parameters_that_are_part_of_the_name),
		cmocka_unit_test(a_name_that_is_there_twice),          cmocka_unit_test(one_on_each_side_is_a_couple),
		cmocka_unit_test(units_that_differ_are_not_compared),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
