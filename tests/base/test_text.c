#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void distances(void **state)
{
	(void)state;
	/* Levenshtein's own and textbook examples. */
	assert_int_equal(text_distance("kitten", "sitting"), 3);
	assert_int_equal(text_distance("saturday", "sunday"), 3);
	assert_int_equal(text_distance("", "abc"), 3);
	assert_int_equal(text_distance("abc", ""), 3);
	assert_int_equal(text_distance("", ""), 0);
	assert_int_equal(text_distance("gate", "gate"), 0);
	assert_int_equal(text_distance("gates", "gate"), 1);
	assert_int_equal(text_distance("a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), 32);
}

static void ends(void **state)
{
	(void)state;
	assert_true(text_ends_with("suite.yaml", ".yaml"));
	assert_false(text_ends_with(".yaml", ".yaml"));
	assert_false(text_ends_with("suite.yaml.gz", ".yaml"));
	assert_false(text_ends_with("", ".yaml"));
}

static void sameness(void **state)
{
	(void)state;
	const char *const none[] = {NULL}, *const one[] = {"a", NULL}, *const two[] = {"a", "b", NULL};
	const char *const again[] = {(char[]){"a"}, NULL};
	assert_true(text_same(NULL, NULL));
	assert_true(text_same("a", (char[]){"a"}));
	assert_false(text_same("a", "b"));
	assert_false(text_same(NULL, ""));
	assert_false(text_same("", NULL));
	assert_true(text_same_lists(NULL, NULL));
	assert_true(text_same_lists(one, again));
	assert_false(text_same_lists(NULL, none));
	assert_false(text_same_lists(none, one));
	assert_false(text_same_lists(two, one));
	assert_false(text_same_lists(one, two));
}

static void variables(void **state)
{
	(void)state;
	assert_true(text_sets_variable("LC_ALL=C sort"));
	assert_true(text_sets_variable("_x1="));
	assert_false(text_sets_variable("1x=2"));
	assert_false(text_sets_variable("=2"));
	assert_false(text_sets_variable("dd if=x"));
	assert_false(text_sets_variable("sort"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(distances), cmocka_unit_test(ends), cmocka_unit_test(sameness),
	                                   cmocka_unit_test(variables)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
