/* Sets of CPUs: list format both ways, and pinning that is read back. */
#include "host/cpuset.h"

#include "support/known.h"

#include <errno.h>
#include <string.h>

static void parses_and_formats(void **state)
{
	(void)state;
	static const struct {
		const char *text, *same;
		size_t count;
	} cases[] = {
		{"0", "0", 1},
		{"0-3", "0-3", 4},
		{"0-3,8,10-12", "0-3,8,10-12", 8},
		{"3,2,1", "1-3", 3},
		{"0-1,1-2\n", "0-2", 3},
		{"", "", 0},
		{"\n", "", 0},
		{"63-64,128", "63-64,128", 3},
		{"4095", "4095", 1},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cpuset set;
		char text[64];
		assert_int_equal(cpuset_parse(cases[i].text, &set, NULL), 0);
		assert_int_equal(cpuset_count(&set), cases[i].count);
		assert_string_equal(cpuset_format(&set, text, sizeof(text)), cases[i].same);
	}
}

static void refuses_what_is_no_list(void **state)
{
	(void)state;
	static const char *const bad[] = {"a", "1,", ",1", "3-1", "1-", "-1", "4096", "99999999999", "1 2", "1,,2", "0x1"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct cpuset set = {{42}};
		struct error err = {0};
		assert_int_equal(cpuset_parse(bad[i], &set, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_int_equal(set.words[0], 42); /* untouched */
	}
}

static void format_is_cut_safely(void **state)
{
	(void)state;
	struct cpuset set;
	char text[6];
	assert_int_equal(cpuset_parse("0-3,8,10-12", &set, NULL), 0);
	cpuset_format(&set, text, sizeof(text));
	assert_string_equal(text, "0-3,8");
}

static void set_operations(void **state)
{
	(void)state;
	struct cpuset a, b;
	cpuset_parse("0-5,70", &a, NULL);
	cpuset_parse("4-9,70-71", &b, NULL);
	assert_false(cpuset_equal(&a, &b));
	cpuset_and(&a, &b);
	char text[32];
	assert_string_equal(cpuset_format(&a, text, sizeof(text)), "4-5,70");
	assert_int_equal(cpuset_next(&a, 0), 4);
	assert_int_equal(cpuset_next(&a, 6), 70);
	assert_int_equal(cpuset_next(&a, 71), -1);
	assert_false(cpuset_has(&a, -1));
	assert_false(cpuset_has(&a, CPUSET_MAX));
	cpuset_add(&a, CPUSET_MAX);
	assert_int_equal(cpuset_count(&a), 3);
}

static void pins_and_reads_back(void **state)
{
	(void)state;
	struct host host = host_real();
	struct cpuset before, one = {{0}}, now;
	assert_int_equal(cpuset_of_process(&host, 0, &before, NULL), 0);
	assert_true(cpuset_count(&before) >= 1);
	cpuset_add(&one, cpuset_next(&before, 0));
	assert_int_equal(cpuset_pin(&host, 0, &one, NULL), 0);
	assert_int_equal(cpuset_of_process(&host, 0, &now, NULL), 0);
	assert_true(cpuset_equal(&now, &one));
	assert_int_equal(cpuset_pin(&host, 0, &before, NULL), 0);
}

static void says_when_it_cannot_pin(void **state)
{
	(void)state;
	struct host host = host_real();
	struct cpuset none;
	struct error err = {0};
	cpuset_parse("4095", &none, NULL);
	assert_int_equal(cpuset_pin(&host, 0, &none, &err), -1);
	assert_int_equal(err.errnum, EINVAL);
	assert_non_null(strstr(err.what, "4095"));
	assert_true(err.next[0] != '\0');
}

static int silent_cut(pid_t pid, size_t size, cpu_set_t *set)
{
	(void)pid;
	memset(set, 0, size);
	*(unsigned char *)set = 1;
	return 0;
}

static int accepts_all(pid_t pid, size_t size, const cpu_set_t *set)
{
	(void)pid;
	(void)size;
	(void)set;
	return 0;
}

static void notices_a_silent_cut(void **state)
{
	(void)state;
	struct syscalls sys = syscalls_libc;
	sys.sched_setaffinity = accepts_all;
	sys.sched_getaffinity = silent_cut;
	struct host host = {.sys = &sys, .root = ""};
	struct cpuset two;
	struct error err = {0};
	cpuset_parse("0,5", &two, NULL);
	assert_int_equal(cpuset_pin(&host, 0, &two, &err), -1);
	assert_string_equal(err.what, "asked for CPU 0,5, the system gave CPU 0");
}

static int forbidden(pid_t pid, size_t size, const cpu_set_t *set)
{
	(void)pid;
	(void)size;
	(void)set;
	errno = EPERM;
	return -1;
}

static void what_is_so_already_needs_no_permission(void **state)
{
	(void)state;
	struct syscalls sys = syscalls_libc;
	sys.sched_setaffinity = forbidden;
	struct host host = {.sys = &sys, .root = ""};
	struct cpuset now, other;
	struct error err = {0};
	assert_int_equal(cpuset_of_process(&host, 0, &now, NULL), 0);
	assert_int_equal(cpuset_pin(&host, 0, &now, &err), 0);
	cpuset_parse("4095", &other, NULL);
	assert_int_equal(cpuset_pin(&host, 0, &other, &err), -1);
	assert_int_equal(err.errnum, EPERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses_and_formats),   cmocka_unit_test(refuses_what_is_no_list),
		cmocka_unit_test(format_is_cut_safely), cmocka_unit_test(set_operations),
		cmocka_unit_test(pins_and_reads_back),  cmocka_unit_test(says_when_it_cannot_pin),
		cmocka_unit_test(notices_a_silent_cut), cmocka_unit_test(what_is_so_already_needs_no_permission),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
