#include "base/error.h"

#include "support/known.h"

#include <errno.h>
#include <string.h>

static void test_fill(void **state)
{
	(void)state;
	struct error err;
	memset(&err, 0x5a, sizeof(err));
	assert_int_equal(error_set(&err, ERROR_USAGE, "%d is not %s", 3, "even"), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.what, "3 is not even");
	assert_true(err.errnum == 0 && err.on[0] == '\0' && err.next[0] == '\0' && err.line == 0 && err.column == 0);
	assert_int_equal(error_on(&err, "--%s", "runs"), -1);
	assert_int_equal(error_next(&err, "give %d", 4), -1);
	assert_string_equal(err.on, "--runs");
	assert_string_equal(err.next, "give 4");
	/* A new problem leaves nothing of the old one. */
	assert_int_equal(error_system(&err, ENOENT, "cannot open"), -1);
	assert_true(err.kind == ERROR_SYSTEM && err.errnum == ENOENT && err.on[0] == '\0' && err.next[0] == '\0');
	assert_int_equal(error_full(&err, ERROR_INPUT, "a 100% file", "take 50%", "%d is odd", 3), -1);
	assert_true(err.kind == ERROR_INPUT && err.errnum == 0 && strcmp(err.on, "a 100% file") == 0);
	assert_true(strcmp(err.next, "take 50%") == 0 && strcmp(err.what, "3 is odd") == 0);
	assert_int_equal(error_full(&err, ERROR_USAGE, NULL, NULL, "x"), -1);
	assert_true(err.kind == ERROR_USAGE && err.on[0] == '\0' && err.next[0] == '\0');
	assert_int_equal(error_memory(&err), -1);
	assert_true(err.kind == ERROR_MEMORY && err.errnum == 0);
}

static void test_null(void **state)
{
	(void)state;
	assert_int_equal(error_set(NULL, ERROR_USAGE, "x"), -1);
	assert_int_equal(error_system(NULL, 1, "x"), -1);
	assert_int_equal(error_full(NULL, ERROR_USAGE, "x", "x", "x"), -1);
	assert_int_equal(error_memory(NULL), -1);
	assert_int_equal(error_on(NULL, "x"), -1);
	assert_int_equal(error_at(NULL, "x", 1, 1), -1);
	assert_int_equal(error_next(NULL, "x"), -1);
}

static void test_text(void **state)
{
	(void)state;
	struct error err;
	char text[2048];
	error_set(&err, ERROR_INPUT, "'abc' is not a number");
	error_text(&err, text, sizeof(text));
	assert_string_equal(text, "'abc' is not a number");
	error_at(&err, "times.csv", 12, 0);
	error_text(&err, text, sizeof(text));
	assert_string_equal(text, "times.csv:12: 'abc' is not a number");
	error_at(&err, "times.csv", 12, 7);
	error_next(&err, "write 1.5");
	error_text(&err, text, sizeof(text));
	assert_string_equal(text, "times.csv:12:7: 'abc' is not a number\nwrite 1.5");
	assert_int_equal(error_type(&err, "echo 1.5\n"), -1);
	error_text(&err, text, sizeof(text));
	assert_string_equal(text, "times.csv:12:7: 'abc' is not a number\nwrite 1.5\n  echo 1.5\\x0a");
	error_system(&err, ENOENT, "cannot read");
	error_on(&err, "a file");
	error_text(&err, text, sizeof(text));
	assert_string_equal(text, "a file: cannot read: No such file or directory");
}

/* What came from a file must not move the cursor, ring the bell or begin an escape sequence. */
static void test_control_characters(void **state)
{
	(void)state;
	struct error err;
	char text[2048];
	error_set(&err, ERROR_INPUT, "'%s'",
	          "a\033[2J\n\a\x7f\xc2\x9b"
	          "31m \xc3\xa9\xc2\xb5");
	error_text(&err, text, sizeof(text));
	assert_string_equal(text, "'a\\x1b[2J\\x0a\\x07\\x7f\\xc2\\x9b31m \xc3\xa9\xc2\xb5'");
	/* A terminal that takes bytes one by one sees 0x9b as the beginning of a sequence too. */
	error_set(&err, ERROR_INPUT, "%s",
	          "\x9b"
	          "31m \xe5\xe2\x82\xac \xf0\x9f\x98\x80 \xe0\x82\x9b \xe2\x82");
	error_text(&err, text, sizeof(text));
	assert_string_equal(text, "\\x9b31m \\xe5\xe2\x82\xac \xf0\x9f\x98\x80 \\xe0\\x82\\x9b \\xe2\\x82");
}

/* Whatever the size, the text ends inside it and is a beginning of the whole. */
static void test_sizes(void **state)
{
	(void)state;
	struct error err;
	char whole[2048], text[2048], longer[900];
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	error_set(&err, ERROR_INPUT, "%s", longer);
	error_at(&err, longer, 1234567, 89);
	error_next(&err, "%s", longer);
	assert_int_equal(strlen(err.what), sizeof(err.what) - 1);
	assert_int_equal(strlen(err.on), sizeof(err.on) - 1);
	assert_int_equal(strlen(err.next), sizeof(err.next) - 1);
	error_text(&err, whole, sizeof(whole));
	assert_true(strlen(whole) > 1000);
	for (size_t size = 1; size < 1200; size++) {
		memset(text, '#', sizeof(text));
		error_text(&err, text, size);
		assert_non_null(memchr(text, '\0', size));
		assert_true(text[size] == '#');
	}
	text[0] = '#';
	error_text(&err, text, 0);
	assert_true(text[0] == '#');
}

static void test_exit_codes(void **state)
{
	(void)state;
	assert_int_equal(error_exit_code(ERROR_NONE), 0);
	assert_int_equal(error_exit_code(ERROR_SYSTEM), 1);
	assert_int_equal(error_exit_code(ERROR_MEMORY), 1);
	assert_int_equal(error_exit_code(ERROR_USAGE), 2);
	assert_int_equal(error_exit_code(ERROR_NO_DATA), 5);
	assert_int_equal(error_exit_code(ERROR_SUBJECT), 5);
	assert_int_equal(error_exit_code(ERROR_TIMEOUT), 124);
	assert_int_equal(error_exit_code(ERROR_INTERRUPTED), 130);
	assert_int_equal(error_exit_code((enum error_kind)99), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_fill),  cmocka_unit_test(test_null),
	                                   cmocka_unit_test(test_text),  cmocka_unit_test(test_control_characters),
	                                   cmocka_unit_test(test_sizes), cmocka_unit_test(test_exit_codes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
