/* The choice of CPUs on machines that hwloc makes up from a description. */
#include "host/cpus.h"

#include "base/memory.h"
#include "support/fake.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *affinity_list;

static int fake_affinity(pid_t pid, size_t size, cpu_set_t *set)
{
	(void)pid;
	struct cpuset cpus;
	assert_int_equal(cpuset_parse(affinity_list, &cpus, NULL), 0);
	assert_int_equal(size, sizeof(cpus));
	memcpy(set, &cpus, size);
	return 0;
}

/* The machine of a description, with this affinity and no quota. */
static struct cpus read_machine(const char *description, const char *allowed)
{
	char *root = fake_root();
	struct syscalls sys = syscalls_libc;
	sys.sched_getaffinity = fake_affinity;
	struct host host = {.sys = &sys, .root = root};
	struct cpus cpus;
	affinity_list = allowed;
	setenv("HWLOC_SYNTHETIC", description, 1);
	assert_int_equal(cpus_read(&host, &cpus, NULL), 0);
	unsetenv("HWLOC_SYNTHETIC");
	fake_remove(root);
	free(root);
	return cpus;
}

static void assert_choice(const struct cpus *cpus, size_t count, const char *expected)
{
	int chosen[16];
	char text[128] = "";
	size_t n = cpus_choose(cpus, count, chosen);
	for (size_t i = 0; i < n; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%d", i ? " " : "", chosen[i]);
	assert_string_equal(text, expected);
}

static void two_plain_cpus(void **state)
{
	(void)state;
	struct cpus cpus = read_machine("pack:1 core:2 pu:1", "0-1");
	assert_int_equal(cpus.count, 2);
	assert_false(cpus.threads_share_cores);
	assert_int_equal(cpus_usable(&cpus), 2);
	assert_choice(&cpus, 1, "1");
	assert_choice(&cpus, 2, "1 0");
	assert_choice(&cpus, 3, "1 0");
	cpus_release(&cpus);
}

static void hardware_threads_come_last(void **state)
{
	(void)state;
	/* hwloc numbers the threads of a core next to each other here: 0 1 | 2 3 | 4 5 | 6 7 */
	struct cpus cpus = read_machine("pack:1 core:4 pu:2", "0-7");
	assert_true(cpus.threads_share_cores);
	assert_true(cpus_same_core(&cpus, 2, 3));
	assert_false(cpus_same_core(&cpus, 3, 4));
	assert_choice(&cpus, 3, "2 4 6");
	assert_choice(&cpus, 5, "2 4 6 0 3");
	cpus_release(&cpus);
	/* As on an Intel machine: 0 4 | 1 5 | 2 6 | 3 7 */
	cpus = read_machine("pack:1 core:4 pu:2(indexes=0,4,1,5,2,6,3,7)", "0-7");
	assert_true(cpus_same_core(&cpus, 1, 5));
	assert_choice(&cpus, 3, "1 2 3");
	cpus_release(&cpus);
}

static void stays_under_one_cache(void **state)
{
	(void)state;
	struct cpus cpus = read_machine("pack:2 l3:1 core:3 pu:1", "0-5");
	assert_choice(&cpus, 2, "1 2");
	cpus_release(&cpus);
	/* The first allowed one away from CPU 0 is alone under its cache; the pair still holds together. */
	cpus = read_machine("pack:2 l3:1 core:3 pu:1", "0,3-4");
	assert_choice(&cpus, 2, "3 4");
	cpus_release(&cpus);
}

static void only_what_is_allowed(void **state)
{
	(void)state;
	struct cpus cpus = read_machine("pack:1 core:4 pu:2", "5,7");
	assert_int_equal(cpus.count, 2);
	assert_false(cpus.threads_share_cores);
	assert_null(cpus_place(&cpus, 0));
	assert_int_equal(cpus_place(&cpus, 7)->core, 3);
	assert_choice(&cpus, 4, "5 7");
	cpus_release(&cpus);
	cpus = read_machine("pack:1 core:1 pu:1", "0");
	assert_choice(&cpus, 2, "0");
	cpus_release(&cpus);
	cpus = read_machine("pack:1 core:2 pu:2", "2-3"); /* the two threads of one core */
	assert_true(cpus.threads_share_cores);
	assert_choice(&cpus, 2, "2 3");
	cpus_release(&cpus);
}

static void cpus_that_hwloc_does_not_know(void **state)
{
	(void)state;
	struct cpus cpus = read_machine("pack:1 core:2 pu:1", "0-3");
	assert_int_equal(cpus.count, 4);
	assert_int_equal(cpus_place(&cpus, 3)->core, -1);
	assert_false(cpus_same_core(&cpus, 2, 3));
	cpus_release(&cpus);
}

/* hwloc has words of its own for that, which are nobody's business. */
static void without_sys_nothing_is_known_and_nothing_is_said(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = host_real();
	struct cpus cpus;
	int before = dup(STDERR_FILENO), said = memfd_create("said", 0);
	setenv("HWLOC_FSROOT", root, 1);
	fflush(stderr);
	dup2(said, STDERR_FILENO);
	int status = cpus_read(&host, &cpus, NULL);
	fflush(stderr);
	dup2(before, STDERR_FILENO);
	close(before);
	unsetenv("HWLOC_FSROOT");
	assert_int_equal(status, 0);
	assert_int_equal(lseek(said, 0, SEEK_END), 0);
	assert_null(getenv("HWLOC_HIDE_ERRORS"));
	assert_true(cpus.count > 0);
	assert_int_equal(cpus.places[0].core, -1);
	close(said);
	cpus_release(&cpus);
	fake_remove(root);
	free(root);
}

static void only_what_is_asked_for(void **state)
{
	(void)state;
	struct cpus cpus = read_machine("pack:1 core:4 pu:2", "0-7");
	struct cpuset set;
	struct error err;
	cpuset_parse("1,6-7", &set, NULL);
	assert_int_equal(cpus_restrict(&cpus, &set, NULL), 0);
	assert_int_equal(cpus.count, 3);
	assert_true(cpus.threads_share_cores);
	assert_choice(&cpus, 2, "6 1");
	cpuset_parse("1,2", &set, NULL);
	assert_int_equal(cpus_restrict(&cpus, &set, &err), -1);
	assert_string_equal(err.next, "choose among 1,6-7");
	cpuset_parse("", &set, NULL);
	assert_int_equal(cpus_restrict(&cpus, &set, &err), -1);
	cpuset_parse("1,7", &set, NULL);
	assert_int_equal(cpus_restrict(&cpus, &set, NULL), 0);
	assert_false(cpus.threads_share_cores);
	cpus_release(&cpus);
}

static void quota_limits_what_is_usable(void **state)
{
	(void)state;
	struct cpus cpus = {.count = 8, .limit = INFINITY};
	assert_int_equal(cpus_usable(&cpus), 8);
	cpus.limit = 2.9;
	assert_int_equal(cpus_usable(&cpus), 2);
	cpus.limit = 0.5;
	assert_int_equal(cpus_usable(&cpus), 1);
}

static void real_machine(void **state)
{
	(void)state;
	struct host host = host_real();
	struct cpus cpus;
	int chosen[2];
	assert_int_equal(cpus_read(&host, &cpus, NULL), 0);
	assert_true(cpus.count >= 1);
	assert_true(cpus_choose(&cpus, 2, chosen) >= 1);
	assert_true(cpuset_has(&cpus.allowed, chosen[0]));
	cpus_release(&cpus);
	mem_fail_at(1);
	struct error err = {0};
	assert_int_equal(cpus_read(&host, &cpus, &err), -1);
	mem_fail_at(0);
	assert_int_equal(err.kind, ERROR_MEMORY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_plain_cpus),
		cmocka_unit_test(hardware_threads_come_last),
		cmocka_unit_test(stays_under_one_cache),
		cmocka_unit_test(only_what_is_allowed),
		cmocka_unit_test(cpus_that_hwloc_does_not_know),
		cmocka_unit_test(without_sys_nothing_is_known_and_nothing_is_said),
		cmocka_unit_test(only_what_is_asked_for),
		cmocka_unit_test(quota_limits_what_is_usable),
		cmocka_unit_test(real_machine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
