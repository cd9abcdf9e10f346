/* Names with parameters, where they have no other place. */
#include "support/known.h"

#include "base/buffer.h"
#include "model/result.h"

#include <string.h>

static void parts_are_words(void **state)
{
	(void)state;
	static const struct {
		const char *name, *part;
		bool there;
	} cases[] = {
		{"sort n=1", "n=1", true},        {"n=1", "n=1", true},
		{"sort --n=1 x", "n=1", true},    {"sort -n=1", "n=1", true},
		{"Sort/n=1/k=2", "/n=1", true},   {"sort(n=1, k=2)", "n=1", true},
		{"len=1000 n=1", "n=1", true},    {"n=10 n=1", "n=1", true},
		{"n=1,k=2", "n=1", true},         {"sort len=1000", "n=1", false},
		{"sort n=10", "n=1", false},      {"sort len=1", "n=1", false},
		{"sort --min-n=1", "n=1", false}, {"sort x_n=1", "n=1", false},
		{"sort x.n=1", "n=1", false},     {"sort n=1.5", "n=1", false},
		{"sort n=1-2", "n=1", false},     {"Sort/n=10", "/n=1", false},
		{"sort n=5", "n=", false},        {"sort \xc3\xa4n=1", "n=1", false},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (name_has_part(cases[i].name, cases[i].part) != cases[i].there)
			fail_msg("'%s' in '%s'", cases[i].part, cases[i].name);
}

static void check_name(const struct subject *subject, bool alone, const char *expected)
{
	struct buffer name = {0};
	subject_written_name(subject, alone, &name);
	assert_string_equal(buffer_text(&name), expected);
	buffer_release(&name);
}

static void commands_hold_their_parameters(void **state)
{
	(void)state;
	struct parameter parameters[] = {{"n", "1"}, {"kind", "a"}};
	struct subject subject = {.name = "sleep 0.001", .parameters = parameters, .parameter_count = 2};
	check_name(&subject, true, "sleep 0.001 n=1 kind=a");
	subject.command = "sleep 0.001";
	check_name(&subject, true, "sleep 0.001");
	check_name(&subject, false, "sleep 0.001 n=1 kind=a");
	subject.name = "sort/kind=a";
	check_name(&subject, false, "sort/kind=a n=1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_words),
		cmocka_unit_test(commands_hold_their_parameters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
