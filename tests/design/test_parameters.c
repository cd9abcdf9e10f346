#include "design/parameters.h"
#include "support/known.h"

#include <string.h>

static void ranges_keep_their_decimals(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct parameter_axis axis;
	assert_int_equal(parameter_range(&arena, "x", "0.1", "0.5", "0.2", &axis, NULL), 0);
	assert_int_equal(axis.count, 3);
	assert_string_equal(axis.values[0], "0.1");
	assert_string_equal(axis.values[2], "0.5");
	assert_int_equal(parameter_range(&arena, "x", "1", "8", NULL, &axis, NULL), 0);
	assert_int_equal(axis.count, 8);
	assert_string_equal(axis.values[7], "8");
	assert_int_equal(parameter_range(&arena, "x", "1", "8", "2", &axis, NULL), 0);
	assert_int_equal(axis.count, 4);
	assert_string_equal(axis.values[3], "7");
	arena_release(&arena);
}

static void exponents_count_as_decimals(void **state)
{
	(void)state;
	static const struct {
		const char *low, *high, *step;
		size_t count;
		const char *first, *last;
	} cases[] = {
		{"1e-3", "3e-3", "1e-3", 3, "0.001", "0.003"},  {"1.5E-3", "2e-3", "25e-5", 3, "0.00150", "0.00200"},
		{"0", "1e-2", "5e-3", 3, "0.000", "0.010"},     {"1e3", "3e3", "1e+3", 3, "1000", "3000"},
		{"1.25e1", "1.35e1", "0.5", 3, "12.5", "13.5"}, {"1.5e3", "1.5e3", NULL, 1, "1500", "1500"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena arena = {0};
		struct parameter_axis axis;
		assert_int_equal(parameter_range(&arena, "x", cases[i].low, cases[i].high, cases[i].step, &axis, NULL), 0);
		assert_int_equal(axis.count, cases[i].count);
		assert_string_equal(axis.values[0], cases[i].first);
		assert_string_equal(axis.values[axis.count - 1], cases[i].last);
		arena_release(&arena);
	}
}

static void bad_ranges_are_errors(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct parameter_axis axis;
	struct error err;
	const char *const bad[][3] = {{"5", "1", NULL},
	                              {"1", "5", "0"},
	                              {"1", "5", "-1"},
	                              {"a", "5", NULL},
	                              {"1", "1e9", NULL},
	                              {"1e-40", "3e-40", "1e-40"},
	                              {"1e-99999999999999999999", "0", "1"},
	                              {"1e15", "1000000000000002", NULL},
	                              {"inf", "inf", NULL}};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(parameter_range(&arena, "x", bad[i][0], bad[i][1], bad[i][2], &axis, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_string_equal(err.on, "parameter x");
	}
	arena_release(&arena);
}

static void combinations_are_the_product(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct parameter_axis axes[2];
	struct parameter values[2];
	assert_int_equal(parameter_list(&arena, "cc", "gcc,cla\\,ng,", &axes[0], NULL), 0);
	assert_int_equal(axes[0].count, 3);
	assert_string_equal(axes[0].values[1], "cla,ng");
	assert_string_equal(axes[0].values[2], "");
	assert_int_equal(parameter_range(&arena, "n", "1", "2", NULL, &axes[1], NULL), 0);
	assert_int_equal(parameter_combinations(axes, 2), 6);
	parameter_combination(axes, 2, 3, values);
	assert_string_equal(values[0].value, "cla,ng");
	assert_string_equal(values[1].value, "2");
	char *text = parameter_substitute(&arena, "{cc} -j{n} {other} {cc", values, 2);
	assert_string_equal(text, "cla,ng -j2 {other} {cc");
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_keep_their_decimals),
		cmocka_unit_test(exponents_count_as_decimals),
		cmocka_unit_test(bad_ranges_are_errors),
		cmocka_unit_test(combinations_are_the_product),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
