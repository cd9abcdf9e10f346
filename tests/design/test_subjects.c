/* From commands and parameters to subjects. */
#include "design/subjects.h"

#include "support/known.h"

#include <string.h>

static const char *two_words[] = {"./old {n}", "./new"};
static const struct text_list two = {two_words, 2};

static void every_combination_is_a_subject(void **state)
{
	(void)state;
	struct experiment experiment;
	struct error err;
	const char *values[] = {"1", "2"}, *names[] = {"old"};
	const struct parameter_axis axis = {"n", values, 2};
	const struct text_list one_name = {names, 1};
	experiment_init(&experiment);
	struct side *sides = sides_of_words(&experiment.arena, &two, &one_name);
	assert_non_null(sides);
	sides[0].prepare = "touch {n}";
	assert_int_equal(subjects_add(&experiment, NULL, sides, 2, &axis, 1, &err), 0);
	assert_int_equal(experiment.subject_count, 4);
	assert_string_equal(experiment.subjects[0].name, "old (n=1)");
	assert_string_equal(experiment.subjects[0].command, "./old 1");
	assert_string_equal(experiment.subjects[0].prepare, "touch 1");
	assert_string_equal(experiment.subjects[1].name, "./new (n=1)");
	assert_string_equal(experiment.subjects[2].command, "./old 2");
	assert_int_equal(experiment.subjects[3].parameter_count, 1);
	assert_string_equal(experiment.subjects[3].parameters[0].value, "2");
	experiment_release(&experiment);
}

/* A name that holds all its parameters needs no suffix; one that holds some has the others there. */
static void names_hold_parameters(void **state)
{
	(void)state;
	struct experiment experiment;
	struct error err;
	const char *numbers[] = {"1", "2"}, *letters[] = {"x"};
	const struct parameter_axis axes[] = {{"n", numbers, 2}, {"k", letters, 1}};
	const struct side sides[] = {{.command = "a {n}", .name = "job {n}{k}"},
	                             {.command = "b", .name = "job {n} of {m}"},
	                             {.command = "c", .name = "{k}"},
	                             {.command = "d {n}", .name = "d"}};
	static const char *const expected[] = {"job 1x", "job 1 of {m} (k=x)", "x (n=1)", "d (n=1, k=x)",
	                                       "job 2x", "job 2 of {m} (k=x)", "x (n=2)", "d (n=2, k=x)"};
	experiment_init(&experiment);
	assert_int_equal(subjects_add(&experiment, NULL, sides, 4, axes, 2, &err), 0);
	assert_int_equal(experiment.subject_count, 8);
	for (size_t i = 0; i < 8; i++)
		assert_string_equal(experiment.subjects[i].name, expected[i]);
	experiment_release(&experiment);
}

static void one_side_may_come_first_without_parameters(void **state)
{
	(void)state;
	struct experiment experiment;
	struct error err;
	const char *values[] = {"1", "2"};
	const struct parameter_axis axis = {"n", values, 2};
	const struct side once = {.command = "./old {n}"}, other = {.command = "./new {n}"};
	experiment_init(&experiment);
	assert_int_equal(subjects_add(&experiment, &once, &other, 1, &axis, 1, &err), 0);
	assert_int_equal(experiment.subject_count, 3);
	assert_string_equal(experiment.subjects[0].command, "./old {n}");
	assert_string_equal(experiment.subjects[1].name, "./new 1");
	experiment_release(&experiment);
}

static void equal_names_get_a_number(void **state)
{
	(void)state;
	struct experiment experiment;
	struct error err;
	const struct side alike[] = {{.command = "true"}, {.command = "true"}, {.command = "false", .name = "true"}};
	experiment_init(&experiment);
	assert_int_equal(subjects_add(&experiment, NULL, alike, 3, NULL, 0, &err), 0);
	assert_string_equal(experiment.subjects[0].name, "true");
	assert_string_equal(experiment.subjects[1].name, "true #2");
	assert_string_equal(experiment.subjects[2].name, "true #3");
	experiment_release(&experiment);
}

static void hooks_are_for_all_or_for_each(void **state)
{
	(void)state;
	struct error err;
	struct side sides[3] = {{.command = "a"}, {.command = "b"}, {.command = "c"}};
	const char *one[] = {"sync"};
	struct side_lists lists = {.prepare = {one, 1}, .conclude = two};
	assert_int_equal(sides_set(sides, 2, &lists, &err), 0);
	assert_string_equal(sides[1].prepare, "sync");
	assert_string_equal(sides[1].conclude, "./new");
	assert_null(sides[1].output);
	assert_int_equal(sides_set(sides, 3, &lists, &err), -1);
	assert_non_null(strstr(err.what, "--conclude once, or once for each"));
}

static void too_many_are_refused(void **state)
{
	(void)state;
	struct experiment experiment;
	struct error err;
	static const char *values[10001];
	const struct parameter_axis axis = {"n", values, 10001};
	const struct side one = {.command = "a {n}"};
	for (size_t i = 0; i < 10001; i++)
		values[i] = "1";
	experiment_init(&experiment);
	assert_int_equal(subjects_add(&experiment, NULL, &one, 1, &axis, 1, &err), -1);
	assert_non_null(strstr(err.what, "more than 10000 commands"));
	experiment_release(&experiment);
	const char *words[] = {"one", "two"};
	struct text_list names = {.items = words, .count = 2};
	assert_int_equal(sides_check_names(&names, 2, "command", &err), 0);
	assert_int_equal(sides_check_names(&names, 1, "command", &err), -1);
	assert_string_equal(err.what, "2 names for 1 command");
	words[1] = "";
	assert_int_equal(sides_check_names(&names, 2, "command", &err), -1);
	assert_string_equal(err.what, "the name of command 2 (-n) is empty");
}

static void a_quoted_program_has_no_length(void **state)
{
	(void)state;
	assert_int_equal(command_program_length("./a b"), 3);
	assert_int_equal(command_program_length("'./a b' c"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_combination_is_a_subject), cmocka_unit_test(one_side_may_come_first_without_parameters),
		cmocka_unit_test(names_hold_parameters),          cmocka_unit_test(equal_names_get_a_number),
		cmocka_unit_test(hooks_are_for_all_or_for_each),  cmocka_unit_test(too_many_are_refused),
		cmocka_unit_test(a_quoted_program_has_no_length),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
