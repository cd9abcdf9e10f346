#include "base/pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void matches_anywhere(void **state)
{
	(void)state;
	regex_t pattern;
	struct error err;
	assert_int_equal(pattern_compile(&pattern, "^(sort|find)/n=[0-9]+", &err), 0);
	assert_int_equal(pattern_matches(&pattern, "sort/n=10"), 1);
	assert_int_equal(pattern_matches(&pattern, "a sort/n=10"), 0);
	assert_int_equal(pattern_matches(&pattern, ""), 0);
	regfree(&pattern);
}

static void says_what_is_wrong(void **state)
{
	(void)state;
	regex_t pattern;
	struct error err;
	assert_int_equal(pattern_compile(&pattern, "a(b", &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.what, "'a(b' is not a regular expression: "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(matches_anywhere), cmocka_unit_test(says_what_is_wrong)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
