#include "base/parse.h"

#include "base/format.h"
#include "base/random.h"
#include "support/comma_locale.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

static void assert_prefix(const char *text, size_t used, double expected)
{
	double value = -77;
	assert_int_equal(parse_number_prefix(text, strlen(text), &value), used);
	if (used == 0)
		assert_true(value == -77);
	else if (isnan(expected))
		assert_true(isnan(value));
	else
		assert_memory_equal(&value, &expected, sizeof(value));
}

static void test_prefix(void **state)
{
	(void)state;
	assert_prefix("12.5,7", 4, 12.5);
	assert_prefix("-0", 2, -0.0);
	assert_prefix("+3e2x", 4, 300);
	assert_prefix("5.", 2, 5);
	assert_prefix(".5", 2, 0.5);
	assert_prefix("1e", 1, 1);
	assert_prefix("1e+", 1, 1);
	assert_prefix("1.2.3", 3, 1.2);
	assert_prefix("0x10", 1, 0);
	assert_prefix("inf", 3, INFINITY);
	assert_prefix("-InfinityX", 9, -INFINITY);
	assert_prefix("NaN,1", 3, NAN);
	assert_prefix("1e999", 5, INFINITY);
	assert_prefix("-1e-999", 7, -0.0);
	assert_prefix("1e99999999999999999999", 22, INFINITY);
	assert_prefix("0e99999999999999999999", 22, 0);
	assert_prefix("", 0, 0);
	assert_prefix("-", 0, 0);
	assert_prefix(".", 0, 0);
	assert_prefix("e5", 0, 0);
	assert_prefix("in", 0, 0);
	assert_prefix(" 1", 0, 0);
	/* The length is a bound: nothing behind it is read. */
	double value;
	assert_int_equal(parse_number_prefix("123456", 3, &value), 3);
	assert_true(value == 123);
	assert_int_equal(parse_number_prefix("1e5", 2, &value), 1);
	assert_true(value == 1);
}

/* Digits are read eight at a time: any other byte at any place ends the number, and nothing behind it counts. */
static void test_any_byte_ends_digits(void **state)
{
	(void)state;
	for (size_t place = 1; place < 18; place++) {
		for (int byte = 0; byte < 256; byte++) {
			char text[] = "987654321012345678";
			double value, expected = 0;
			if ((byte >= '0' && byte <= '9') || byte == '.' || byte == 'e' || byte == 'E')
				continue;
			text[place] = (char)byte;
			for (size_t i = 0; i < place; i++)
				expected = expected * 10 + (text[i] - '0');
			assert_int_equal(parse_number_prefix(text, sizeof(text) - 1, &value), place);
			assert_true(value == expected);
		}
	}
}

/* Correct rounding, against libc in the C locale: printed doubles of all sizes with 1 to 25 digits, known hard cases,
 * and numbers longer than any buffer. */
static void test_rounding(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 81);
	char text[4096];
	for (int i = 0; i < 200000; i++) {
		double value;
		uint64_t bits = random_next(&random);
		memcpy(&value, &bits, sizeof(value));
		if (!isfinite(value))
			continue;
		if (i % 2)
			value = ldexp(value, -ilogb(value) + (int)random_below(&random, 80) - 40); /* sizes that occur */
		snprintf(text, sizeof(text), i % 3 ? "%.*e" : "%.*g", (int)random_below(&random, 25), value);
		assert_prefix(text, strlen(text), strtod(text, NULL));
	}
	const char *const hard[] = {"9007199254740993",
	                            "9007199254740992.5",
	                            "9007199254740993.0000000000000000000001",
	                            "2.2250738585072011e-308",
	                            "2.2250738585072012e-308",
	                            "4.9406564584124654e-324",
	                            "2.4703282292062327e-324",
	                            "2.4703282292062328e-324",
	                            "1.7976931348623157e308",
	                            "1.7976931348623159e308",
	                            "0.1",
	                            "1e23",
	                            "8.5e22",
	                            "123456789012345678901234567890",
	                            "0.000000000000000000000000000000123456789012345678"};
	for (size_t i = 0; i < sizeof(hard) / sizeof(hard[0]); i++)
		assert_prefix(hard[i], strlen(hard[i]), strtod(hard[i], NULL));

	/* 1.000…0001 with the last digit past any double, exactly halfway first: 2^53 + 1, a tail decides. */
	memset(text, '0', sizeof(text));
	memcpy(text, "9007199254740993.", 17);
	text[3000] = '\0';
	assert_prefix(text, 3000, 9007199254740992.0);
	text[2999] = '1';
	assert_prefix(text, 3000, 9007199254740994.0);
	/* A long row of zeros in front, made good by the exponent, and one behind. */
	memset(text, '0', sizeof(text));
	text[1] = '.';
	strcpy(text + 2000, "25e1999");
	assert_prefix(text, 2007, 2.5);
	memset(text, '0', sizeof(text));
	text[0] = '4';
	strcpy(text + 2001, "e-2000");
	assert_prefix(text, 2007, 4);
}

static void test_double(void **state)
{
	(void)state;
	struct error err;
	double value = 7;
	const char *const bad[] = {"", " 1", "1 ", "1x", "inf", "nan", "1e400", "0x1p3", "1,5", "--1", "1_000"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		memset(&err, 0, sizeof(err));
		assert_int_equal(parse_double(bad[i], &value, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_true(value == 7 && err.what[0] != '\0');
	}
	assert_int_equal(parse_double("-1.5e-3", &value, &err), 0);
	assert_true(value == -1.5e-3);
	assert_int_equal(parse_double("x", &value, NULL), -1);
}

static void test_integer(void **state)
{
	(void)state;
	struct error err;
	int64_t value = 7;
	const char *const bad[] = {"", "-", "1.0", "1e3", " 1", "1 ", "0x10", "9223372036854775808", "11", "-11", "+ 1"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(parse_integer(bad[i], -10, 10, &value, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_int_equal(value, 7);
	}
	assert_int_equal(parse_integer("-10", -10, 10, &value, &err), 0);
	assert_int_equal(value, -10);
	assert_int_equal(parse_integer("+010", -10, 10, &value, &err), 0);
	assert_int_equal(value, 10);
	assert_int_equal(parse_integer("9223372036854775807", 0, INT64_MAX, &value, &err), 0);
	assert_true(value == INT64_MAX);
	assert_int_equal(parse_integer("-9223372036854775808", INT64_MIN, 0, &value, &err), 0);
	assert_true(value == INT64_MIN);
}

static void test_duration(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t nanoseconds;
	} good[] = {{"250ms", 250000000},
	            {"1.5s", 1500000000},
	            {"2m", 120000000000},
	            {"1h", 3600000000000},
	            {"10us", 10000},
	            {"10\xc2\xb5s", 10000},
	            {"10\xce\xbcs", 10000},
	            {"5ns", 5},
	            {"1m30s", 90000000000},
	            {"2", 2000000000},
	            {"0", 0},
	            {"0.1", 100000000},
	            {"1 s", 1000000000},
	            {"3min", 180000000000},
	            {"1h2m3s4ms", 3723004000000},
	            {".5s", 500000000},
	            {"1e3ms", 1000000000},
	            {"292h", 1051200000000000}};
	int64_t value;
	struct error err;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		value = -1;
		assert_int_equal(parse_duration(good[i].text, &value, &err), 0);
		assert_true(value == good[i].nanoseconds);
	}
	const char *const bad[] = {"",    "s",   "-1s", "+1s",   "1x",  "1s1", "1 ",
	                           "1s ", " 1s", "inf", "1..2s", "1mm", "nan", "3000000h"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		value = 7;
		assert_int_equal(parse_duration(bad[i], &value, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_int_equal(value, 7);
	}
}

static void test_percent(void **state)
{
	(void)state;
	double value = 7;
	struct error err;
	const char *const bad[] = {"", "%", "1%%", "1x", "% 1", "inf%", "1 %x", "1 "};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(parse_percent(bad[i], &value, &err), -1);
		assert_true(value == 7);
		assert_non_null(strchr(err.next, '%'));
	}
	const char *const good[] = {"1%", "1 %", "1", "1.0%", "1e0%"};
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(parse_percent(good[i], &value, &err), 0);
		assert_true(value == 0.01);
	}
	assert_int_equal(parse_percent("99.9%", &value, &err), 0);
	assert_close(value, 0.999, 1e-15);
}

static void test_size(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t bytes;
	} good[] = {{"4096", 4096},
	            {"64k", 65536},
	            {"64K", 65536},
	            {"64KiB", 65536},
	            {"1.5M", 1572864},
	            {"2GB", 2000000000},
	            {"3kB", 3000},
	            {"0", 0},
	            {"1T", 1099511627776},
	            {"7B", 7},
	            {"2 MiB", 2097152},
	            {"0.5k", 512},
	            {"1TB", 1000000000000},
	            {"1e6", 1000000},
	            {"9007199254740993", 9007199254740993},
	            {"9223372036854775807", INT64_MAX}};
	int64_t value;
	struct error err;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		value = -1;
		assert_int_equal(parse_size(good[i].text, &value, &err), 0);
		assert_true(value == good[i].bytes);
	}
	const char *const bad[] = {"",    "k", "-1k", "1.5", "0.3k", "1kx", "10000000T", "1e30", "9223372036854775808",
	                           "inf", "1 "};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		value = 7;
		assert_int_equal(parse_size(bad[i], &value, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_int_equal(value, 7);
	}
}

static void test_locale(void **state)
{
	(void)state;
	if (!comma_locale_set())
		skip();
	double value;
	int64_t whole;
	assert_true(strtod("1,5", NULL) == 1.5); /* the locale is in force */
	assert_int_equal(parse_double("1.5", &value, NULL), 0);
	assert_true(value == 1.5);
	assert_int_equal(parse_double("0.12345678901234567891", &value, NULL), 0); /* the slow path */
	assert_close(value, 0.12345678901234568, 1e-16);
	assert_int_equal(parse_double("1,5", &value, NULL), -1);
	assert_int_equal(parse_duration("1.5s", &whole, NULL), 0);
	assert_true(whole == 1500000000);
	assert_int_equal(parse_percent("2.5%", &value, NULL), 0);
	assert_true(value == 0.025);
	assert_int_equal(parse_size("1.5k", &whole, NULL), 0);
	assert_true(whole == 1536);
	setlocale(LC_ALL, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_prefix),   cmocka_unit_test(test_any_byte_ends_digits),
	                                   cmocka_unit_test(test_rounding), cmocka_unit_test(test_double),
	                                   cmocka_unit_test(test_integer),  cmocka_unit_test(test_duration),
	                                   cmocka_unit_test(test_percent),  cmocka_unit_test(test_size),
	                                   cmocka_unit_test(test_locale)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
