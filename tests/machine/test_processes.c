/* CPU time by name between two looks. */
#include "machine/processes.h"

#include "base/memory.h"
#include "support/fake.h"
#include "support/known.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void put(const char *root, int pid, const char *name, int parent, long used, long start)
{
	char path[64], text[256];
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	snprintf(text, sizeof(text), "%d (%s) R %d 1 1 0 -1 0 0 0 0 0 %ld 0 0 0 20 0 1 0 %ld 0 0 1\n", pid, name, parent,
	         used, start);
	fake_file(root, path, text);
}

static struct processes take(const char *root)
{
	struct host host = {.sys = &syscalls_libc, .root = root};
	struct processes out;
	assert_int_equal(processes_read(&host, 1000000000, &out, NULL), 0);
	assert_true(out.complete);
	return out;
}

static void joins_names(void **state)
{
	(void)state;
	char *first = fake_root(), *second = fake_root();
	struct process_use *uses;
	size_t count;
	put(first, 2, "kthreadd", 0, 0, 1);
	put(first, 10, "cc1", 1, 100, 5);
	put(first, 11, "cc1", 1, 200, 6);
	put(first, 12, "idle", 1, 50, 7);
	put(first, 13, "reused", 1, 1000, 8);
	put(first, 14, "me", 1, 10, 9);
	put(second, 2, "kthreadd", 0, 0, 1);
	put(second, 10, "cc1", 1, 110, 5);
	put(second, 11, "cc1", 1, 230, 6);
	put(second, 12, "idle", 1, 50, 7);
	put(second, 13, "new (name)", 1, 7, 900); /* the same number, another process */
	put(second, 14, "me", 1, 99, 9);
	put(second, 15, "kworker/0", 2, 4, 3);
	struct processes before = take(first), after = take(second);
	assert_true(before.whole);
	assert_int_equal(before.count, 6);
	assert_int_equal(processes_between(&before, &after, 14, &uses, &count, NULL), 0);
	assert_int_equal(count, 3);
	assert_string_equal(uses[0].name, "cc1");
	assert_int_equal(uses[0].used, 40);
	assert_int_equal(uses[0].count, 2);
	assert_int_equal(uses[0].pid, 11);
	assert_string_equal(uses[1].name, "new (name)");
	assert_int_equal(uses[1].used, 7);
	assert_string_equal(uses[2].name, "[kworker/0]");
	mem_free(uses);
	assert_int_equal(processes_used(&before, &after, 14), 89);
	assert_int_equal(processes_used(&before, &after, 99), 0);
	/* Where the first look was cut short, what is new to it may be old. */
	before.complete = false;
	assert_int_equal(processes_between(&before, &after, 14, &uses, &count, NULL), 0);
	assert_int_equal(count, 1);
	mem_free(uses);
	processes_release(&before);
	processes_release(&after);
	fake_remove(first);
	fake_remove(second);
	free(first);
	free(second);
}

static void keeps_those_that_ended(void **state)
{
	(void)state;
	char *root = fake_root();
	struct process_use *uses;
	size_t count;
	put(root, 10, "make", 1, 100, 5);
	struct processes before = take(root);
	assert_false(before.whole);
	put(root, 20, "cc1", 10, 30, 50);
	struct processes between = take(root);
	fake_remove(root);
	free(root);
	root = fake_root();
	put(root, 10, "make", 1, 101, 5);
	put(root, 21, "ld", 10, 3, 60);
	struct processes after = take(root);
	assert_int_equal(processes_keep_ended(&after, &between, NULL), 0);
	assert_int_equal(after.count, 3);
	assert_int_equal(processes_between(&before, &after, -1, &uses, &count, NULL), 0);
	assert_int_equal(count, 3);
	assert_string_equal(uses[0].name, "cc1");
	assert_int_equal(uses[0].used, 30);
	assert_true(uses[0].ended);
	assert_false(uses[1].ended || uses[2].ended);
	assert_string_equal(uses[1].name, "ld");
	assert_string_equal(uses[2].name, "make");
	assert_int_equal(uses[2].used, 1);
	mem_free(uses);
	mem_fail_at(1);
	assert_int_equal(processes_keep_ended(&after, &between, NULL), -1);
	mem_fail_at(1);
	assert_int_equal(processes_between(&before, &after, -1, &uses, &count, NULL), -1);
	mem_fail_at(0);
	processes_release(&before);
	processes_release(&between);
	processes_release(&after);
	fake_remove(root);
	free(root);
}

static void empty_and_missing(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	struct processes none = {0}, out;
	struct process_use *uses;
	size_t count;
	struct error err;
	assert_int_equal(processes_read(&host, 1000000000, &out, &err), -1);
	assert_int_equal(err.kind, ERROR_SYSTEM);
	for (int nth = 1; nth <= 2; nth++) {
		fake_file(root, "/proc/uptime", "1\n");
		mem_fail_at(nth);
		assert_int_equal(processes_read(&host, 1000000000, &out, &err), -1);
		assert_int_equal(err.kind, ERROR_MEMORY);
	}
	mem_fail_at(0);
	assert_int_equal(processes_between(&none, &none, -1, &uses, &count, NULL), 0);
	assert_null(uses);
	assert_int_equal(count, 0);
	fake_remove(root);
	free(root);
}

/* Every reading of the clock is a second after the one before. */
static int slow_clock(clockid_t clock, struct timespec *out)
{
	static time_t now;
	(void)clock;
	*out = (struct timespec){.tv_sec = ++now};
	return 0;
}

static void stops_in_time(void **state)
{
	(void)state;
	char *root = fake_root();
	struct syscalls sys = syscalls_libc;
	sys.clock_gettime = slow_clock;
	struct host host = {.sys = &sys, .root = root};
	struct processes out;
	for (int pid = 1; pid <= 200; pid++)
		put(root, pid, "x", 1, 1, 1);
	assert_int_equal(processes_read(&host, 1500000000, &out, NULL), 0);
	assert_false(out.complete);
	assert_in_range(out.count, 100, 130);
	processes_release(&out);
	fake_remove(root);
	free(root);
}

static void this_process(void **state)
{
	(void)state;
	struct host host = host_real();
	struct processes before, after;
	assert_int_equal(processes_read(&host, 1000000000, &before, NULL), 0);
	clock_t begin = clock();
	while (clock() - begin < CLOCKS_PER_SEC / 20)
		;
	assert_int_equal(processes_read(&host, 1000000000, &after, NULL), 0);
	/* 50 ms are four ticks of 10 ms or more. */
	assert_true(processes_used(&before, &after, getpid()) >= 4);
	processes_release(&before);
	processes_release(&after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joins_names),   cmocka_unit_test(keeps_those_that_ended), cmocka_unit_test(empty_and_missing),
		cmocka_unit_test(stops_in_time), cmocka_unit_test(this_process),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
