/* Registration, parameters, cartesian products, wrong configurations, filters. */
#include "harness/internal.h"
#include "support/known.h"
#include "support/short_regex.h"

#include <string.h>

TARE_BENCH(plain)
{
	TARE_LOOP(t) {
	}
}

TARE_BENCH(product)
{
	TARE_LOOP(t) {
	}
}
TARE_CONFIGURE(product)
{
	tare_powers(o, "n", 16, 100, 4);
	tare_values(o, "order", " random, sorted ,");
	tare_threads(o, "1,2");
	tare_default(o, "iterations", "20");
}

TARE_BENCH_NAMED(template_one, "vector<int>::push_back")
{
	TARE_LOOP(t) {
	}
}

static struct tare_suite built(void)
{
	struct tare_suite suite;
	char problem[512] = "";
	assert_int_equal(tare_suite_build(&suite, problem, sizeof(problem)), 0);
	assert_string_equal(problem, "");
	return suite;
}

static void expands_in_order(void **state)
{
	(void)state;
	struct tare_suite suite = built();
	static const char *const names[] = {
		"plain",
		"product/n=16/order=random/threads=1",
		"product/n=16/order=random/threads=2",
		"product/n=16/order=sorted/threads=1",
		"product/n=16/order=sorted/threads=2",
		"product/n=64/order=random/threads=1",
		"product/n=64/order=random/threads=2",
		"product/n=64/order=sorted/threads=1",
		"product/n=64/order=sorted/threads=2",
		"product/n=100/order=random/threads=1",
		"product/n=100/order=random/threads=2",
		"product/n=100/order=sorted/threads=1",
		"product/n=100/order=sorted/threads=2",
		"vector<int>::push_back",
	};
	assert_int_equal(suite.count, sizeof(names) / sizeof(names[0]));
	for (size_t i = 0; i < suite.count; i++)
		assert_string_equal(suite.instances[i].name, names[i]);
	const struct tare_instance *found = tare_suite_find(&suite, names[4]);
	assert_ptr_equal(found, &suite.instances[4]);
	assert_int_equal(found->threads, 2);
	assert_string_equal(tare_instance_value(found, "n"), "16");
	assert_null(tare_instance_value(found, "none"));
	assert_null(tare_suite_find(&suite, "product"));
	assert_string_equal(found->benchmark->options.defaults[0].option, "iterations");
	assert_string_equal(found->benchmark->options.defaults[0].value, "20");
	tare_suite_release(&suite);
}

static size_t left_after(const char *pattern, const char *condition)
{
	struct tare_suite suite = built();
	char problem[256];
	if (pattern)
		assert_int_equal(tare_filter_pattern(&suite, pattern, problem, sizeof(problem)), 0);
	if (condition)
		assert_int_equal(tare_filter_parameter(&suite, condition, problem, sizeof(problem)), 0);
	size_t count = suite.count;
	tare_suite_release(&suite);
	return count;
}

static void filters_by_name_and_value(void **state)
{
	(void)state;
	assert_int_equal(left_after("^product", NULL), 12);
	assert_int_equal(left_after("-^product", NULL), 2);
	assert_int_equal(left_after("n=16.*(random|nothing)", NULL), 2);
	assert_int_equal(left_after("nothing", NULL), 0);
	assert_int_equal(left_after(NULL, "n=16"), 4 + 2); /* those without the parameter stay */
	assert_int_equal(left_after(NULL, "n=1"), 2);      /* a value, not a prefix of one */
	assert_int_equal(left_after("product", "n=16,100"), 8);
}

static void refuses_bad_filters(void **state)
{
	(void)state;
	struct tare_suite suite = built();
	char problem[256];
	assert_int_equal(tare_filter_pattern(&suite, "a(", problem, sizeof(problem)), -1);
	assert_non_null(strstr(problem, "a("));
	/* Nothing is left out by mistake. */
	regex_short_of_memory = true;
	assert_int_equal(tare_filter_pattern(&suite, "plain", problem, sizeof(problem)), -1);
	regex_short_of_memory = false;
	assert_non_null(strstr(problem, "--filter 'plain': "));
	assert_int_equal(tare_filter_parameter(&suite, "n", problem, sizeof(problem)), -1);
	assert_int_equal(tare_filter_parameter(&suite, "=3", problem, sizeof(problem)), -1);
	assert_int_equal(tare_filter_parameter(&suite, "n=", problem, sizeof(problem)), -1);
	assert_int_equal(suite.count, 14);
	tare_suite_release(&suite);
}

static void check_values(const struct tare_options *o, const char *const *expected, size_t count)
{
	assert_string_equal(o->problem, "");
	assert_int_equal(o->parameter_count, 1);
	assert_int_equal(o->parameters[0].count, count);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(o->parameters[0].values[i], expected[i]);
}

static void ranges_hold_their_ends(void **state)
{
	(void)state;
	struct tare_options o;
	memset(&o, 0, sizeof(o));
	tare_range(&o, "n", -1, 4, 2);
	check_values(&o, (const char *const[]){"-1", "1", "3"}, 3);
	tare_options_release(&o);
	tare_range(&o, "n", INT64_MAX - 1, INT64_MAX, 1);
	check_values(&o, (const char *const[]){"9223372036854775806", "9223372036854775807"}, 2);
	tare_options_release(&o);
	tare_range(&o, "n", 7, 7, 1);
	check_values(&o, (const char *const[]){"7"}, 1);
	tare_options_release(&o);
	tare_powers(&o, "n", INT64_MAX / 2, INT64_MAX, 1000);
	check_values(&o, (const char *const[]){"4611686018427387903", "9223372036854775807"}, 2);
	tare_options_release(&o);
	tare_powers(&o, "n", 1, 8, 2);
	check_values(&o, (const char *const[]){"1", "2", "4", "8"}, 4);
	tare_options_release(&o);
}

#define refused(call, word) \
	do { \
		struct tare_options o; \
		memset(&o, 0, sizeof(o)); \
		call; \
		if (!strstr(o.problem, word)) \
			fail_msg("%s: \"%s\"", #call, o.problem); \
		tare_options_release(&o); \
	} while (0)

static void refuses_wrong_options(void **state)
{
	(void)state;
	refused(tare_range(&o, "n", 1, 0, 1), "first <= last");
	refused(tare_range(&o, "n", 0, 1, 0), "step > 0");
	refused(tare_range(&o, "n", INT64_MIN, INT64_MAX, 1), "more than");
	refused(tare_powers(&o, "n", 0, 4, 2), "0 < first");
	refused(tare_powers(&o, "n", 1, 4, 1), "factor >= 2");
	refused(tare_values(&o, "n", " , "), "no values");
	refused(tare_values(&o, "n", NULL), "no values");
	refused(tare_values(&o, "a b", "1"), "name of a parameter");
	refused(tare_values(&o, "a=b", "1"), "name of a parameter");
	refused(tare_values(&o, "n", "1,a b"), "white space");
	refused((tare_values(&o, "n", "1"), tare_values(&o, "n", "2")), "twice");
	refused(tare_values(&o, "threads", "2"), "tare_threads");
	refused(tare_threads(&o, "0"), "number of threads");
	refused(tare_threads(&o, "257"), "number of threads");
	refused(tare_threads(&o, "x"), "number of threads");
	refused(tare_each_invocation(&o, 0, NULL, NULL), "batch");
	refused(tare_default(&o, "iterations", ""), "words");
	refused(tare_unit_metric(&o, "a b", "s", TARE_LOWER), "white space");
	refused(tare_unit_metric(&o, "name", "a unit that is too long", TARE_LOWER), "too long");
}

static void nothing_runs(struct tare *t)
{
	(void)t;
}

static void too_many(struct tare_options *o)
{
	tare_range(o, "a", 1, 1000, 1);
	tare_range(o, "b", 1, 1000, 1);
}

/* Last, for it leaves its registrations behind. */
static void names_what_is_wrong(void **state)
{
	(void)state;
	static struct tare_registration twice = {"plain", nothing_runs, NULL, "other.c", 7, NULL};
	static struct tare_registration many = {"many", nothing_runs, too_many, "many.c", 3, NULL};
	static struct tare_registration spaced = {"a b", nothing_runs, NULL, "spaced.c", 9, NULL};
	struct tare_suite suite;
	char problem[512];
	tare_register(&twice);
	assert_int_equal(tare_suite_build(&suite, problem, sizeof(problem)), -1);
	assert_non_null(strstr(problem, "two benchmarks are called plain"));
	assert_non_null(strstr(problem, "other.c:7"));
	tare_suite_release(&suite);
	twice.name = "other";
	tare_register(&many);
	assert_int_equal(tare_suite_build(&suite, problem, sizeof(problem)), -1);
	assert_non_null(strstr(problem, "many.c:3: benchmark many: more than 100000 combinations"));
	tare_suite_release(&suite);
	many.configure = NULL;
	tare_register(&spaced);
	assert_int_equal(tare_suite_build(&suite, problem, sizeof(problem)), -1);
	assert_non_null(strstr(problem, "spaced.c:9"));
	tare_suite_release(&suite);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expands_in_order),      cmocka_unit_test(filters_by_name_and_value),
		cmocka_unit_test(refuses_bad_filters),   cmocka_unit_test(ranges_hold_their_ends),
		cmocka_unit_test(refuses_wrong_options), cmocka_unit_test(names_what_is_wrong),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
