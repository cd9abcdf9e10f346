/* Counters: the software ones of the kernel stand in for hardware, which test machines rarely have. */
#include "host/counters.h"

#include "support/fake.h"
#include "support/known.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 300 };

static void run_toucher(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "true; /bin/true", (char *)NULL);
		_exit(127);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void counts_what_children_do(void **state)
{
	(void)state;
	struct host host = host_real();
	static const struct counter_event events[] = {
		{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
		{"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
	};
	struct counters counters;
	struct error err;
	if (counters_open(&host, events, 2, &counters, &err) != 0) {
		assert_true(err.what[0] != '\0');
		return; /* a container without perf_event_open (skip() is a failure in TAP) */
	}
	struct counter_value zero = {0}, seen[2], idle[2];
	int64_t faults, first = 0, clock;
	double share;
	for (int command = 0; command < 5; command++) {
		counters_renew(&host, &counters);
		counters_read(&host, &counters, seen);
		assert_int_equal(seen[0].count, 0);
		run_toucher();
		counters_read(&host, &counters, seen);
		assert_int_equal(counter_difference(&zero, &seen[0], &faults, &share), 0);
		assert_true(faults > 20);
		assert_close(share, 1, 0);
		assert_int_equal(counter_difference(&zero, &seen[1], &clock, &share), 0);
		assert_true(clock > 10000); /* ns */
		first = first ? first : faults;
		assert_in_range(faults, first / 2, first * 2);
		/* Our own page faults are not the command's. */
		char *pages = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (size_t i = 0; i < PAGES; i++)
			pages[i * 4096] = 1;
		munmap(pages, PAGES * 4096);
		counters_read(&host, &counters, idle);
		assert_int_equal(counter_difference(&seen[0], &idle[0], &faults, &share), -1);
	}
	counters_release(&host, &counters);
}

static void scales_what_was_multiplexed(void **state)
{
	(void)state;
	int64_t count;
	double share;
	struct counter_value before = {1000, 5000, 5000}, after = {1600, 9000, 7000};
	assert_int_equal(counter_difference(&before, &after, &count, &share), 0);
	assert_int_equal(count, 1200);
	assert_close(share, 0.5, 0);
	after.running = before.running;
	assert_int_equal(counter_difference(&before, &after, &count, &share), -1);
	after = (struct counter_value){0, 0, 0}; /* a reading that failed */
	assert_int_equal(counter_difference(&before, &after, &count, &share), -1);
}

static int refuse_errno;
static int opened, opened_user_only;
static uint64_t opened_configs[16];

static int fake_perf(struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
	(void)pid;
	(void)cpu;
	(void)group;
	(void)flags;
	if (refuse_errno == EACCES && attr->exclude_kernel)
		opened_user_only++;
	else if (refuse_errno) {
		errno = refuse_errno;
		return -1;
	}
	opened_configs[opened++ % 16] = attr->config;
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void says_why_there_are_none(void **state)
{
	(void)state;
	char *root = fake_root();
	struct syscalls sys = syscalls_libc;
	sys.perf_event_open = fake_perf;
	struct host host = {.sys = &sys, .root = root};
	struct counters counters;
	struct error err;
	fake_file(root, "/proc/sys/kernel/perf_event_paranoid", "3\n");
	refuse_errno = ENOENT;
	assert_int_equal(counters_open(&host, counter_hardware_events, COUNTER_HARDWARE_EVENTS, &counters, &err), -1);
	assert_non_null(strstr(err.what, "virtual machines"));
	refuse_errno = EPERM;
	assert_int_equal(counters_open(&host, counter_hardware_events, COUNTER_HARDWARE_EVENTS, &counters, &err), -1);
	assert_non_null(strstr(err.next, "perf_event_paranoid is 3"));
	refuse_errno = ENOSYS;
	assert_int_equal(counters_open(&host, counter_hardware_events, COUNTER_HARDWARE_EVENTS, &counters, &err), -1);
	assert_non_null(strstr(err.what, "kernel"));
	fake_remove(root);
	free(root);
}

static void without_permission_counts_the_user_part(void **state)
{
	(void)state;
	char *root = fake_root();
	struct syscalls sys = syscalls_libc;
	sys.perf_event_open = fake_perf;
	struct host host = {.sys = &sys, .root = root};
	struct counters counters;
	refuse_errno = EACCES;
	opened_user_only = 0;
	assert_int_equal(counters_open(&host, counter_hardware_events, COUNTER_HARDWARE_EVENTS, &counters, NULL), 0);
	assert_true(counters.user_only);
	assert_int_equal(opened_user_only, COUNTER_HARDWARE_EVENTS);
	counters_release(&host, &counters);
	counters_release(&host, &counters);
	refuse_errno = 0;
	fake_remove(root);
	free(root);
}

static void hybrid_machines_have_two_sets(void **state)
{
	(void)state;
	char *root = fake_root();
	struct syscalls sys = syscalls_libc;
	sys.perf_event_open = fake_perf;
	struct host host = {.sys = &sys, .root = root};
	struct counters counters;
	fake_file(root, "/sys/bus/event_source/devices/cpu_core/type", "4\n");
	fake_file(root, "/sys/bus/event_source/devices/cpu_atom/type", "10\n");
	opened = 0;
	assert_int_equal(counters_open(&host, counter_hardware_events, 1, &counters, NULL), 0);
	assert_int_equal(opened, 2);
	assert_int_equal(opened_configs[0], (UINT64_C(4) << 32) | PERF_COUNT_HW_CPU_CYCLES);
	assert_int_equal(opened_configs[1], (UINT64_C(10) << 32) | PERF_COUNT_HW_CPU_CYCLES);
	counters_release(&host, &counters);
	fake_remove(root);
	free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_what_children_do),       cmocka_unit_test(scales_what_was_multiplexed),
		cmocka_unit_test(says_why_there_are_none),       cmocka_unit_test(without_permission_counts_the_user_part),
		cmocka_unit_test(hybrid_machines_have_two_sets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
