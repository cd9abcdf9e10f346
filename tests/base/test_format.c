#include "base/format.h"

#include "base/parse.h"
#include "base/random.h"
#include "support/comma_locale.h"
#include "support/known.h"

#include <math.h>
#include <string.h>

#define assert_text(call, expected) \
	do { \
		char text[FORMAT_MAX]; \
		assert_string_equal((call), (expected)); \
	} while (0)

#define TEXT text, sizeof(text)

/* Every double comes back from its text; where 15 digits suffice no more are written. */
static void test_exact(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 91);
	for (int i = 0; i < 200000; i++) {
		char text[FORMAT_MAX];
		double value, back;
		uint64_t bits = random_next(&random);
		memcpy(&value, &bits, sizeof(value));
		if (!isfinite(value))
			continue;
		format_exact(TEXT, value);
		assert_int_equal(parse_double(text, &back, NULL), 0);
		assert_memory_equal(&value, &back, sizeof(value));
	}
	assert_text(format_exact(TEXT, 0.1), "0.1");
	assert_text(format_exact(TEXT, 0.1 + 0.2), "0.30000000000000004");
	assert_text(format_exact(TEXT, -1e300), "-1e+300");
	assert_text(format_exact(TEXT, 12), "12");
	assert_text(format_exact(TEXT, NAN), "null");
	assert_text(format_exact(TEXT, INFINITY), "null");
	assert_text(format_exact(TEXT, -INFINITY), "null");
	assert_text(format_exact(TEXT, 5e-324), "4.94065645841247e-324");
}

static void test_fixed(void **state)
{
	(void)state;
	assert_text(format_fixed(TEXT, 3.14159, 2), "3.14");
	assert_text(format_fixed(TEXT, -0.001, 2), "0.00");
	assert_text(format_fixed(TEXT, -0.0, 0), "0");
	assert_text(format_fixed(TEXT, -0.01, 2), "-0.01");
	assert_text(format_fixed(TEXT, 1e14, 3), "100000000000000.000");
	assert_text(format_fixed(TEXT, 1e15, 3), "1e+15");
	assert_text(format_fixed(TEXT, NAN, 2), "-");
	assert_text(format_fixed(TEXT, INFINITY, 2), "inf");
	assert_text(format_fixed(TEXT, -INFINITY, 2), "-inf");
	assert_text(format_fixed(TEXT, 999999999999999.0, 12), "999999999999999.000000000000");
	assert_text(format_fixed(TEXT, 3.2e-15, FORMAT_EXPONENT), "3.200e-15");
	assert_text(format_fixed(TEXT, -3.2e-300, FORMAT_EXPONENT), "-3.200e-300");
	assert_text(format_fixed(TEXT, 0, FORMAT_EXPONENT), "0");
	assert_text(format_fixed(TEXT, 1.25e-13, 15), "0.000000000000125");
}

static void test_significant(void **state)
{
	(void)state;
	assert_text(format_significant(TEXT, 9.996, 3), "10.0");
	assert_text(format_significant(TEXT, 9.994, 3), "9.99");
	assert_text(format_significant(TEXT, 0.00123456, 3), "0.00123");
	assert_text(format_p_value(TEXT, 0.5929), "= 0.59");
	assert_text(format_p_value(TEXT, 0.001), "= 0.0010");
	assert_text(format_p_value(TEXT, 2.6e-173), "< 0.001");
	assert_text(format_significant(TEXT, 123456, 3), "123456");
	assert_text(format_significant(TEXT, 0.00001234, 3), "1.23e-05");
	assert_text(format_significant(TEXT, 1e18, 3), "1.00e+18");
	assert_text(format_significant(TEXT, 0, 3), "0.00");
	assert_text(format_significant(TEXT, -0.1, 1), "-0.1");
	assert_text(format_significant(TEXT, 1000, 2), "1000");
	assert_text(format_significant(TEXT, 0.001, 2), "0.0010");
	assert_text(format_significant(TEXT, NAN, 2), "-");
}

/* The half-width shows two digits; the value at least two and at most ten. */
static void test_decimals(void **state)
{
	(void)state;
	assert_int_equal(format_decimals(12.3456, 0.012), 3);
	assert_int_equal(format_decimals(12.3456, 1.2), 1);
	assert_int_equal(format_decimals(12.3456, 34), 0);
	assert_int_equal(format_decimals(1234, 12), 0);
	assert_int_equal(format_decimals(0.01234, 5), 3);     /* two digits of the value all the same */
	assert_int_equal(format_decimals(12.3456, 1e-12), 8); /* ten digits in all */
	assert_int_equal(format_decimals(12.3456, 0), 2);
	assert_int_equal(format_decimals(12.3456, INFINITY), 2);
	assert_int_equal(format_decimals(12.3456, NAN), 2);
	assert_int_equal(format_decimals(0, 0), 3);
	assert_int_equal(format_decimals(1e-8, 1e-11), 12);
	assert_int_equal(format_decimals(1e-30, 1e-31), FORMAT_EXPONENT);
	assert_int_equal(format_decimals(0, 1e-31), FORMAT_EXPONENT);
	assert_int_equal(format_decimals(-1e-30, NAN), FORMAT_EXPONENT);
	assert_int_equal(format_decimals(1e-30, 0.5), 2);
}

static void test_quantity(void **state)
{
	(void)state;
	assert_text(format_quantity(TEXT, 0.0123456, 0.0000123, "s"), "12.346 ms");
	assert_text(format_quantity(TEXT, 1.5, 0.2, "s"), "1.50 s");
	assert_text(format_quantity(TEXT, 0.9999, 0.001, "s"), "0.9999 s");
	assert_text(format_quantity(TEXT, 2.5e-6, 1e-8, "s"), "2.500 \xc2\xb5s");
	assert_text(format_quantity(TEXT, 3e-10, 1e-11, "s"), "300 ps");
	assert_text(format_quantity(TEXT, 0, 0, "s"), "0 s");
	assert_text(format_quantity(TEXT, 2.5e9, 1e7, "bytes"), "2.500 GB");
	assert_text(format_quantity(TEXT, 512, 0, "bytes"), "512.0 B");
	assert_text(format_quantity(TEXT, 12.3e6, 1e5, "bytes/s"), "12.30 MB/s");
	assert_text(format_quantity(TEXT, 1.5e6, 1e4, "items/s"), "1.500 M/s");
	assert_text(format_quantity(TEXT, 1057952867, 1e7, "1/s"), "1.058 G/s");
	assert_text(format_quantity(TEXT, 20300, 100, "1/s"), "20300 1/s");
	assert_text(format_quantity(TEXT, 3.25, 0.5, "widgets"), "3.25 widgets");
	assert_text(format_quantity(TEXT, 4, 0.5, ""), "4.00");
	assert_text(format_quantity(TEXT, NAN, NAN, "s"), "- s");
	assert_text(format_quantity(TEXT, INFINITY, NAN, "s"), "inf s");
	assert_text(format_quantity(TEXT, -0.002, 0.0001, "s"), "-2.00 ms");
}

static void test_scaled(void **state)
{
	(void)state;
	struct format_scale seconds = format_scale_for(1, "s"), micro = format_scale_for(1e-6, "s");
	assert_text(format_scaled(TEXT, 0.0123456, 0.0000123, &seconds), "0.012346 s");
	assert_text(format_scaled(TEXT, 0.0123456, 0.0000123, &micro), "12346 \xc2\xb5s");
	assert_text(format_scaled(TEXT, 0, 0, &micro), "0 \xc2\xb5s");
	assert_text(format_scaled(TEXT, NAN, NAN, &seconds), "- s");
	/* A unit that is too long ends behind a whole character. */
	struct format_scale long_ = format_scale_for(1, "requests answered per hour\xc3\xa9\xc3\xa9\xc3\xa9");
	assert_string_equal(long_.unit, "requests answered per hour\xc3\xa9\xe2\x80\xa6");
	long_ = format_scale_for(1, "requests answered per hours\xc3\xa9\xc3\xa9\xc3\xa9");
	assert_string_equal(long_.unit, "requests answered per hours\xe2\x80\xa6");
}

static void test_percent(void **state)
{
	(void)state;
	assert_text(format_percent(TEXT, 0.0183, 0.004, 1), "+1.83 %");
	assert_text(format_percent(TEXT, -0.0183, 0.04, 1), "-1.8 %");
	assert_text(format_percent(TEXT, 0.5, 0.3, 0), "50 %");
	assert_text(format_percent(TEXT, 0.0123, NAN, 0), "1.2 %");
	assert_text(format_percent(TEXT, 0, 0.01, 1), "0.0 %");
	assert_text(format_percent(TEXT, 0.0004, 0.011, 0), "0.0 %");
	assert_text(format_percent_end(TEXT, 0.0004, 0.011, 0), "0.04 %"); /* not 0, beside 2.2 % */
	assert_text(format_percent_end(TEXT, -0.00004, 0.011, 1), "-0.004 %");
	assert_text(format_percent_end(TEXT, 0.0000004, 0.011, 0), "0.0 %");
	assert_text(format_percent(TEXT, NAN, NAN, 1), "- %");
}

static void test_level(void **state)
{
	(void)state;
	assert_text(format_level(TEXT, 0.95), "95");
	assert_text(format_level(TEXT, 0.975), "97.5");
	assert_text(format_level(TEXT, 0.99), "99");
	assert_text(format_level(TEXT, 0.999), "99.9");
	assert_text(format_level(TEXT, 0.57), "57");
	assert_text(format_level(TEXT, 0.9999999), "99.99999");
	assert_text(format_level(TEXT, 1 - 0.01 / 3), "99.667");
	assert_text(format_level(TEXT, 1 - 0.0001 / 3), "99.99667");
	assert_text(format_level(TEXT, 0.02125), "2.125");
	assert_text(format_level(TEXT, NAN), "-");
}

static void test_duration(void **state)
{
	(void)state;
	assert_text(format_duration(TEXT, 850000000), "850 ms");
	assert_text(format_duration(TEXT, 1000000), "1 ms");
	assert_text(format_duration(TEXT, 400000), "400 \u00b5s");
	assert_text(format_duration(TEXT, 1000), "1 \u00b5s");
	assert_text(format_duration(TEXT, 20), "20 ns");
	assert_text(format_duration(TEXT, 999400000), "999 ms");
	assert_text(format_duration(TEXT, 999600000), "1.0 s");
	assert_text(format_duration(TEXT, 6100000000), "6.1 s");
	assert_text(format_duration(TEXT, 9960000000), "10 s");
	assert_text(format_duration(TEXT, 119400000000), "119 s");
	assert_text(format_duration(TEXT, 119600000000), "2 min 0 s");
	assert_text(format_duration(TEXT, 125000000000), "2 min 5 s");
	assert_text(format_duration(TEXT, 7199000000000), "2 h 0 min");
	assert_text(format_duration(TEXT, 9000000000000), "2 h 30 min");
	assert_text(format_duration(TEXT, 0), "0 ms");
}

/* Whatever the value, every function stays inside FORMAT_MAX and ends its text. */
static void test_fits(void **state)
{
	(void)state;
	struct random random;
	struct format_scale micro = format_scale_for(1e-6, "s");
	random_seed(&random, 92);
	for (int i = 0; i < 100000; i++) {
		char text[FORMAT_MAX];
		double value, width;
		uint64_t bits = random_next(&random), other = random_next(&random);
		memcpy(&value, &bits, sizeof(value));
		memcpy(&width, &other, sizeof(width));
		assert_true(strlen(format_exact(TEXT, value)) + 1 < FORMAT_MAX);
		assert_true(strlen(format_significant(TEXT, value, 1 + (int)random_below(&random, 17))) + 1 < FORMAT_MAX);
		assert_true(strlen(format_fixed(TEXT, value, format_decimals(value, width))) + 1 < FORMAT_MAX);
		assert_true(strlen(format_quantity(TEXT, value, width, "s")) + 1 < FORMAT_MAX);
		assert_true(strlen(format_scaled(TEXT, value, width, &micro)) + 1 < FORMAT_MAX);
		assert_true(strlen(format_percent(TEXT, value, width, 1)) + 1 < FORMAT_MAX);
		assert_true(strlen(format_duration(TEXT, (int64_t)bits)) + 1 < FORMAT_MAX);
	}
	char tiny[4] = "###";
	format_fixed(tiny, 3, 3.14159, 4);
	assert_true(tiny[2] == '\0');
}

static void test_locale(void **state)
{
	(void)state;
	if (!comma_locale_set())
		skip();
	assert_string_equal(localeconv()->decimal_point, ",");
	assert_text(format_exact(TEXT, 0.1), "0.1");
	assert_text(format_exact(TEXT, 1 / 3.), "0.33333333333333331");
	assert_text(format_fixed(TEXT, -0.001, 2), "0.00");
	assert_text(format_fixed(TEXT, 2.5, 2), "2.50");
	assert_text(format_significant(TEXT, 1.234e-9, 3), "1.23e-09");
	assert_text(format_quantity(TEXT, 0.0123456, 0.0000123, "s"), "12.346 ms");
	assert_text(format_percent(TEXT, 0.0183, 0.004, 1), "+1.83 %");
	assert_text(format_level(TEXT, 0.975), "97.5");
	assert_text(format_duration(TEXT, 6100000000), "6.1 s");
	setlocale(LC_ALL, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),    cmocka_unit_test(test_fixed),    cmocka_unit_test(test_significant),
		cmocka_unit_test(test_decimals), cmocka_unit_test(test_quantity), cmocka_unit_test(test_scaled),
		cmocka_unit_test(test_percent),  cmocka_unit_test(test_level),    cmocka_unit_test(test_duration),
		cmocka_unit_test(test_fits),     cmocka_unit_test(test_locale)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
