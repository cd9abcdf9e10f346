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

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(distances)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
