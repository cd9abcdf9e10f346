#include "base/moment.h"

#include "support/comma_locale.h"
#include "support/known.h"

#include <locale.h>

/* From Python's datetime. */
static const struct {
	const char *text;
	int64_t milliseconds;
} moments[] = {
	{"2026-02-03T14:05:06Z", INT64_C(1770127506000)},
	{"2026-02-03 14:05:06.5 +0100", INT64_C(1770123906500)},
	{"2021.01.01 3:00:00 +0100", INT64_C(1609466400000)},
	{"2024-02-29", INT64_C(1709164800000)},
	{"2000-03-01T00:00:00-05:30", INT64_C(951888600000)},
	{"2023-01-10-080000", INT64_C(1673337600000)},
	{"20260203", INT64_C(1770076800000)},
	{"2099-12-31T23:59:59.999Z", INT64_C(4102444799999)},
	{"2020-01-31 07:45:02 UTC", INT64_C(1580456702000)},
	{"1970-01-01", INT64_C(0)},
	{"2000-02-29", INT64_C(951782400000)},
	{"2026-12-31", INT64_C(1798675200000)},
	{"1609466400", INT64_C(1609466400000)},
	{"1609466400.25", INT64_C(1609466400250)},
	{"1609466400000", INT64_C(1609466400000)},
};

static void test_parse(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++) {
		int64_t found = -1;
		struct error err;
		if (moment_parse(moments[i].text, &found, &err) != 0 || found != moments[i].milliseconds)
			fail_msg("%s: %lld", moments[i].text, (long long)found);
	}
}

static void test_locale(void **state)
{
	int64_t found = -1;
	(void)state;
	if (!comma_locale_set())
		skip();
	assert_int_equal(moment_parse("1609466400.25", &found, NULL), 0);
	assert_true(found == INT64_C(1609466400250));
	setlocale(LC_ALL, "C");
}

static void test_refused(void **state)
{
	(void)state;
	static const char *const texts[] = {"",
	                                    "yesterday",
	                                    "2026",
	                                    "2026-13-01",
	                                    "2026-00-01",
	                                    "2026-01-32",
	                                    "2024-02-30",
	                                    "2023-02-29",
	                                    "2100-02-29",
	                                    "2026-04-31T10:00:00Z",
	                                    "1969-12-31",
	                                    "17",
	                                    "2026-01-01T25:00",
	                                    "2026-01-01T10",
	                                    "2026-01-01T10:61",
	                                    "2026-01-01 x",
	                                    "2026-01-01T10:00+",
	                                    "2026-01-01T10:00:00 +01:00 more"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		int64_t untouched = 42;
		struct error err;
		if (moment_parse(texts[i], &untouched, &err) == 0)
			fail_msg("'%s' was taken for %lld", texts[i], (long long)untouched);
		assert_int_equal(untouched, 42);
	}
}

static void test_text(void **state)
{
	(void)state;
	char text[MOMENT_TEXT];
	assert_string_equal(moment_text(INT64_C(1770127506000), text), "2026-02-03T14:05:06Z");
	assert_string_equal(moment_short(INT64_C(1770127506000), text), "2026-02-03 14:05");
	assert_string_equal(moment_text(INT64_MAX, text), "-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_parse), cmocka_unit_test(test_locale),
	                                   cmocka_unit_test(test_refused), cmocka_unit_test(test_text)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
