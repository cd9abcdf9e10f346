#include "base/cell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static void put_as(const char *text, const char *expected)
{
	struct buffer out = {0};
	cell_put(&out, text);
	assert_string_equal(buffer_text(&out), expected);
	/* What is written bare can be read back by taking one apostrophe off. */
	if (expected[0] != '"') {
		bool guarded = cell_is_guarded(expected, strlen(expected));
		assert_string_equal(expected + guarded, text);
	}
	buffer_release(&out);
}

/* RFC 4180, 2.5 to 2.7; blanks and '#' since readers trim the one and take the other for a comment; what other tables
 * have between their cells, since readers count it to find out which one it is. */
static void quotes(void **state)
{
	(void)state;
	put_as("", "");
	put_as("plain", "plain");
	put_as("a,b", "\"a,b\"");
	put_as("b \"c\" d", "\"b \"\"c\"\" d\"");
	put_as("two\nlines", "\"two\nlines\"");
	put_as(" blank", "\" blank\"");
	put_as("#1", "\"#1\"");
	put_as("a;;;b", "\"a;;;b\"");
	put_as("a|b", "\"a|b\"");
	put_as("a\tb", "\"a\tb\"");
}

/* OWASP's list of what begins a formula, and its examples. */
static void formulas(void **state)
{
	(void)state;
	put_as("=1+1", "'=1+1");
	put_as("=1+2\";=1+2", "\"'=1+2\"\";=1+2\"");
	put_as("=1+2'\" ;,=1+2", "\"'=1+2'\"\" ;,=1+2\"");
	put_as("@SUM(A1)", "'@SUM(A1)");
	put_as("+cmd|' /C calc'!A0", "\"'+cmd|' /C calc'!A0\"");
	put_as("-2+3+cmd|' /C calc'!A0", "\"'-2+3+cmd|' /C calc'!A0\"");
	put_as("\tx", "\"'\tx\"");
	put_as("-O2", "'-O2");
	/* Texts with an apostrophe of their own keep it. */
	put_as("'=1", "''=1");
	put_as("'quoted'", "'quoted'");
}

static void control_characters(void **state)
{
	(void)state;
	struct buffer out = {0};
	cell_put(&out, "a\004b\033[31mc\177");
	assert_string_equal(buffer_text(&out), "a\\x04b\\x1b[31mc\\x7f");
	buffer_release(&out);
}

static void numbers(void **state)
{
	(void)state;
	put_as("-5", "-5");
	put_as("+1.5e-3", "+1.5e-3");
	put_as("-0.5 %", "-0.5 %");
	put_as("+2.25 \xc2\xb5s", "+2.25 \xc2\xb5s");
	put_as("-inf", "-inf");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(quotes), cmocka_unit_test(formulas),
	                                   cmocka_unit_test(control_characters), cmocka_unit_test(numbers)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
