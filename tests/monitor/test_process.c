/* What commands wait for and how much of a CPU they want: processes made of files, below one that starts them. */
#include "monitor/internal.h"

#include "host/proc.h"
#include "support/fake.h"
#include "support/known.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STARTER = 50, FIRST = 101 };

static int64_t now_ns;
static struct syscalls calls;
static struct host machine;
static char *root;

static int made_up_gettime(clockid_t clock, struct timespec *out)
{
	(void)clock;
	*out = (struct timespec){.tv_sec = now_ns / 1000000000, .tv_nsec = now_ns % 1000000000};
	return 0;
}

static void put_stat(int pid, int parent, char state, int ticks)
{
	char path[64], text[160];
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	snprintf(text, sizeof(text), "%d (x) %c %d 1 1 0 -1 0 0 0 0 0 %d 0 0 0 20 0 1 0 5 0 0 1\n", pid, state, parent,
	         ticks);
	fake_file(root, path, text);
}

/* A process that sleeps in a read of descriptor 3, which leads to `target`. */
static void put_reader(int pid, const char *target)
{
	char path[512], text[64];
	put_stat(pid, STARTER, 'S', 0);
	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	snprintf(text, sizeof(text), "%ld 0x3 0x7ffc0000 0x1000 0x0 0x0 0x0 0x7ffc 0x7f00\n", (long)SYS_read);
	fake_file(root, path, text);
	snprintf(path, sizeof(path), "/proc/%d/fd/0", pid);
	fake_file(root, path, "");
	snprintf(path, sizeof(path), "%s/proc/%d/fd/3", root, pid);
	assert_int_equal(symlink(target, path), 0);
}

static void put_newest(int pid)
{
	char text[64];
	snprintf(text, sizeof(text), "0.00 0.00 0.00 1/80 %d\n", pid);
	fake_file(root, "/proc/loadavg", text);
}

static struct monitor *begin(void)
{
	struct monitor_options options = monitor_defaults();
	now_ns = 1000000000;
	root = fake_root();
	calls = syscalls_libc;
	calls.clock_gettime = made_up_gettime;
	machine = (struct host){.sys = &calls, .root = root};
	put_newest(FIRST - 1);
	put_stat(STARTER, 1, 'S', 0);
	struct monitor *monitor = monitor_open(&machine, &options, NULL);
	assert_non_null(monitor);
	monitor_watch(monitor, STARTER, 1);
	monitor_begin(monitor, 100000000);
	return monitor;
}

/* One sample as by the thread, which alone looks at processes. */
static void sample_after(struct monitor *monitor, double seconds)
{
	now_ns += (int64_t)(seconds * 1e9);
	monitor->runs = true;
	monitor_sample(monitor, false);
	monitor->runs = false;
}

static void end(struct monitor *monitor)
{
	monitor_close(monitor);
	fake_remove(root);
	free(root);
}

static const struct gauge_reading *find(struct monitor *monitor, const char *component, const char *quantity)
{
	const struct gauge_reading *readings;
	size_t count = monitor_readings(monitor, &readings);
	for (size_t i = 0; i < count; i++)
		if (strcmp(readings[i].component, component) == 0 && strcmp(readings[i].quantity, quantity) == 0)
			return &readings[i];
	return NULL;
}

/* cc | as: one computes, the other waits for it. */
static void test_pipeline(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct monitoring out;
	struct monitor_question question = {0};
	struct monitor *monitor = begin();
	put_stat(FIRST, STARTER, 'R', 0);
	put_reader(FIRST + 1, "pipe:[4711]");
	put_newest(FIRST + 1);
	for (int i = 0; i < 10; i++)
		sample_after(monitor, 0.3);
	const struct gauge_reading *wait = find(monitor, "pipe", "read-wait");
	assert_non_null(wait);
	assert_int_equal(wait->kind, GAUGE_SHARE);
	assert_true(wait->value == 1);
	monitoring_init(&out);
	assert_int_equal(monitor_end(monitor, &question, &arena, &out, NULL), 0);
	assert_int_equal(out.verdict, MONITOR_LIMITED);
	assert_string_equal(out.limiting, "cpu");
	arena_release(&arena);
	end(monitor);
}

/* Pipes and sockets without a name take one place each, however many there are; a FIFO has its own and limits. */
static void test_many_pipes(void **state)
{
	(void)state;
	char fifo[512], target[64], component[600];
	struct monitor *monitor = begin();
	int pid = FIRST;
	for (int i = 0; i < 30; i++) {
		snprintf(target, sizeof(target), "pipe:[%d]", 1000 + i);
		put_reader(pid++, target);
		snprintf(target, sizeof(target), "socket:[%d]", 2000 + i);
		put_reader(pid++, target);
	}
	put_newest(pid - 1);
	sample_after(monitor, 0.3);
	snprintf(fifo, sizeof(fifo), "%s/fifo", root);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	put_reader(pid, fifo);
	put_newest(pid);
	sample_after(monitor, 0.3);
	snprintf(component, sizeof(component), "pipe:%s", fifo);
	const struct gauge_reading *wait = find(monitor, component, "read-wait");
	assert_non_null(wait);
	assert_int_equal(wait->kind, GAUGE_USE);
	assert_true(wait->value == 1);
	wait = find(monitor, "socket", "read-wait");
	assert_non_null(wait);
	assert_int_equal(wait->kind, GAUGE_SHARE);
	assert_true(wait->value == 1);
	assert_int_equal(monitor->process.wait_count, 3);
	end(monitor);
}

/* A process with three more threads that uses a tenth of a CPU: each of them tells the time of all. */
static void test_threads(void **state)
{
	(void)state;
	struct monitor *monitor = begin();
	int ticks = (int)(100000000 / proc_tick());
	for (int i = 0; i < 4; i++) {
		char path[64];
		snprintf(path, sizeof(path), "/proc/%d/status", FIRST + i);
		fake_file(root, path, "Name:\tx\nTgid:\t101\n");
		put_stat(FIRST + i, STARTER, 'S', 0);
	}
	put_newest(FIRST + 3);
	sample_after(monitor, 1);
	for (int i = 0; i < 4; i++)
		put_stat(FIRST + i, STARTER, 'S', ticks);
	sample_after(monitor, 1);
	const struct gauge_reading *wanted = find(monitor, "cpu", "wanted");
	assert_non_null(wanted);
	assert_true(fabs(wanted->value - 0.1) < 1e-9);
	/* A thread that runs is seen. */
	put_stat(FIRST + 2, STARTER, 'R', ticks);
	sample_after(monitor, 1);
	assert_true(find(monitor, "cpu", "wanted")->value == 1);
	end(monitor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pipeline),
		cmocka_unit_test(test_many_pipes),
		cmocka_unit_test(test_threads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
