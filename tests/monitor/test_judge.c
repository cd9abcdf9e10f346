/* What gauges mean: machines made of files that do one thing for a while. */
#include "monitor/graph.h"

#include "base/memory.h"
#include "host/cpuset.h"
#include "support/fake.h"
#include "support/known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t now_ns;

static int made_up_gettime(clockid_t clock, struct timespec *out)
{
	(void)clock;
	*out = (struct timespec){.tv_sec = now_ns / 1000000000, .tv_nsec = now_ns % 1000000000};
	return 0;
}

static struct syscalls calls;
static struct host machine;
static char *root;
static unsigned long busy0, idle0, busy1, idle1, disk_ms, reads;

/* A second in which two CPUs and a disk are so busy. */
static void put(double cpu0, double cpu1, double disk)
{
	char text[512];
	busy0 += (unsigned long)(100 * cpu0);
	idle0 += (unsigned long)(100 * (1 - cpu0));
	busy1 += (unsigned long)(100 * cpu1);
	idle1 += (unsigned long)(100 * (1 - cpu1));
	disk_ms += (unsigned long)(1000 * disk);
	reads++;
	snprintf(text, sizeof(text), "cpu  0\ncpu0 %lu 0 0 %lu 0 0 0 0\ncpu1 %lu 0 0 %lu 0 0 0 0\nctxt 1\n", busy0, idle0,
	         busy1, idle1);
	fake_file(root, "/proc/stat", text);
	snprintf(text, sizeof(text), " 8 0 sda %lu 0 8 1 1 0 8 1 0 %lu 1\n", reads, disk_ms);
	fake_file(root, "/proc/diskstats", text);
}

static struct monitor *begin(void)
{
	struct monitor_options options = monitor_defaults();
	now_ns = 1000000000;
	busy0 = idle0 = busy1 = idle1 = disk_ms = reads = 1;
	root = fake_root();
	calls = syscalls_libc;
	calls.clock_gettime = made_up_gettime;
	machine = (struct host){.sys = &calls, .root = root};
	put(0, 0, 0);
	struct monitor *monitor = monitor_open(&machine, &options, NULL);
	assert_non_null(monitor);
	monitor_begin(monitor, 100000000);
	return monitor;
}

/* `seconds` of trials in which the command wants so much of a CPU. */
static void trial(struct monitor *monitor, int seconds, double cpu0, double cpu1, double disk, double wanted)
{
	for (int i = 0; i < seconds; i++) {
		monitor_trial(monitor, true);
		now_ns += 1000000000;
		put(cpu0, cpu1, disk);
		monitor_trial(monitor, false);
		if (!isnan(wanted))
			monitor_note(monitor, "cpu", "wanted", GAUGE_USE, wanted);
		monitor_sample(monitor, true);
	}
}

static void idle(struct monitor *monitor, int seconds, double disk)
{
	now_ns += seconds * INT64_C(1000000000);
	for (int i = 0; i < seconds; i++)
		put(0, 0, disk);
	monitor_sample(monitor, true);
}

static void end(struct monitor *monitor, const char *cut, const struct cpuset *pinned, struct arena *arena,
                struct monitoring *out)
{
	struct monitor_question question = {.cut = cut, .pinned = pinned};
	monitoring_init(out);
	assert_int_equal(monitor_end(monitor, &question, arena, out, NULL), 0);
	monitor_close(monitor);
	fake_remove(root);
	free(root);
}

static void test_disk(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct monitoring out;
	struct monitor *monitor = begin();
	trial(monitor, 2, 0.1, 0.1, 0.5, 0.1);
	trial(monitor, 5, 0.1, 0.1, 0.95, 0.1);
	end(monitor, NULL, NULL, &arena, &out);
	assert_int_equal(out.verdict, MONITOR_LIMITED);
	assert_string_equal(out.limiting, "disk:sda");
	assert_int_equal(out.saturation_count, 1);
	assert_true(fabs(out.saturations[0].from - 2) < 1e-9 && fabs(out.saturations[0].seconds - 5) < 1e-9);
	assert_true(fabs(out.saturations[0].mean - 0.95) < 0.01);
	const struct trace *trace = monitoring_find(&out, "disk:sda", "busy");
	assert_non_null(trace);
	assert_true(fabs(trace->values[out.slots - 1] - 0.95) < 0.01 && fabs(trace->values[0] - 0.5) < 0.01);
	arena_release(&arena);
}

static void test_cut(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct monitoring out;
	struct monitor *monitor = begin();
	trial(monitor, 5, 0.1, 0.1, 0.95, 0.1);
	end(monitor, "disk", NULL, &arena, &out);
	assert_int_equal(out.verdict, MONITOR_AS_MEANT);
	monitor = begin();
	trial(monitor, 5, 0.1, 0.1, 0.95, 0.1);
	end(monitor, "cpu", NULL, &arena, &out);
	assert_int_equal(out.verdict, MONITOR_INVALID);
	assert_non_null(strstr(out.text, "disk:sda (busy) at 95 %"));
	assert_non_null(strstr(out.text, "for 5.0 s from 0.0 s on"));
	/* Nothing near its limit although the disk is said to be. */
	monitor = begin();
	trial(monitor, 5, 0.1, 0.1, 0.3, 0.1);
	end(monitor, "disk:sda", NULL, &arena, &out);
	assert_int_equal(out.verdict, MONITOR_NOTHING);
	assert_non_null(strstr(out.text, "disk:sda does not limit"));
	assert_null(out.limiting);
	arena_release(&arena);
}

/* A disk that is busy between trials, and one that is for less than the hold, limit nothing. */
static void test_when(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct monitoring out;
	struct monitor *monitor = begin();
	trial(monitor, 3, 0.1, 0.1, 0.1, 0.1);
	idle(monitor, 10, 1);
	trial(monitor, 3, 0.1, 0.1, 0.1, 0.1);
	end(monitor, NULL, NULL, &arena, &out);
	assert_int_equal(out.verdict, MONITOR_NOTHING);
	/* It is in the trace all the same. */
	const struct trace *trace = monitoring_find(&out, "disk:sda", "busy");
	assert_non_null(trace);
	assert_true(fabs(trace->mean - 0.1) < 0.01);
	double most = 0;
	for (size_t i = 0; i < out.slots; i++)
		most = fmax(most, trace->peaks[i]);
	assert_true(most > 0.99);
	arena_release(&arena);
}

/* A limit that lets through in bursts: never above for two seconds at a time, and above on the whole. */
static void test_bursts(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct monitoring out;
	struct monitor_options options = monitor_defaults();
	struct monitor *monitor = begin();
	monitor_close(monitor);
	options.hold = 2;
	monitor = monitor_open(&machine, &options, NULL);
	monitor_begin(monitor, 100000000);
	for (int i = 0; i < 6; i++)
		trial(monitor, 1, 0.1, 0.1, i % 2 ? 1 : 0.7, 0.1);
	end(monitor, NULL, NULL, &arena, &out);
	assert_int_equal(out.verdict, MONITOR_LIMITED);
	assert_string_equal(out.limiting, "disk:sda");
	arena_release(&arena);
}

/* CPUs that others keep busy limit only who wants one, and single ones only who is bound to them. */
static void test_cpus(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct monitoring out;
	struct cpuset first = {0};
	cpuset_add(&first, 0);
	struct monitor *monitor = begin();
	trial(monitor, 5, 1, 1, 0.1, 0.05);
	end(monitor, NULL, NULL, &arena, &out);
	assert_int_equal(out.verdict, MONITOR_NOTHING);
	/* They are above the limit, so the sentence does not claim that nothing is. */
	assert_non_null(strstr(out.text,
	                       "other programs kept the CPUs busy (100 %) and the commands wanted 5 %; apart from "
	                       "that nothing that is watched was above 80 %"));
	/* Who tests the disk is told of them. */
	monitor = begin();
	trial(monitor, 5, 1, 1, 0.95, 0.05);
	end(monitor, "disk", NULL, &arena, &out);
	assert_int_equal(out.verdict, MONITOR_INVALID);
	monitor = begin();
	trial(monitor, 5, 1, 1, 0.1, 1);
	end(monitor, NULL, NULL, &arena, &out);
	assert_string_equal(out.limiting, "cpu");
	assert_int_equal(out.verdict, MONITOR_LIMITED); /* cpu, cpu0 and wanted are one thing */
	/* One thread that moves about: no CPU is full, it is. */
	monitor = begin();
	trial(monitor, 5, 0.5, 0.5, 0.1, 0.99);
	end(monitor, NULL, NULL, &arena, &out);
	assert_string_equal(out.limiting, "cpu");
	assert_string_equal(out.saturations[0].quantity, "wanted");
	/* CPU 1 is full of others; the command is bound to CPU 0. */
	monitor = begin();
	trial(monitor, 5, 0.5, 1, 0.1, NAN);
	end(monitor, NULL, &first, &arena, &out);
	assert_int_equal(out.verdict, MONITOR_NOTHING);
	monitor = begin();
	trial(monitor, 5, 1, 0, 0.1, NAN);
	end(monitor, NULL, &first, &arena, &out);
	assert_string_equal(out.limiting, "cpu0");
	arena_release(&arena);
}

static void test_quota(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct monitoring out;
	struct monitor *monitor = begin();
	monitor_close(monitor);
	fake_file(root, "/proc/self/cgroup", "0::/job\n");
	fake_file(root, "/proc/self/mountinfo", "29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	fake_file(root, "/sys/fs/cgroup/job/cpu.max", "50000 100000\n");
	fake_file(root, "/sys/fs/cgroup/job/cpu.stat", "usage_usec 0\nnr_periods 0\nnr_throttled 0\nthrottled_usec 0\n");
	struct monitor_options options = monitor_defaults();
	monitor = monitor_open(&machine, &options, NULL);
	assert_non_null(monitor);
	monitor_begin(monitor, 100000000);
	for (int i = 1; i <= 4; i++) {
		char text[128];
		snprintf(text, sizeof(text), "usage_usec %d\nnr_periods %d\nnr_throttled %d\nthrottled_usec 0\n", 490000 * i,
		         10 * i, 10 * i);
		fake_file(root, "/sys/fs/cgroup/job/cpu.stat", text);
		trial(monitor, 1, 0.5, 0, 0.1, 1);
	}
	end(monitor, NULL, NULL, &arena, &out);
	/* The command always wants a CPU: that is what the quota makes of it. */
	assert_string_equal(out.limiting, "cgroup:cpu");
	assert_int_equal(out.verdict, MONITOR_LIMITED);
	arena_release(&arena);
}

static void test_memory(void **state)
{
	(void)state;
	for (long nth = 1;; nth++) {
		struct arena arena = {0};
		struct monitoring out;
		struct error err = {0};
		struct monitor *monitor = begin();
		struct monitor_question question = {.cut = "cpu"};
		trial(monitor, 3, 0.1, 0.1, 0.95, 0.1);
		monitoring_init(&out);
		mem_fail_at(nth);
		int status = monitor_end(monitor, &question, &arena, &out, &err);
		bool starved = mem_failed();
		mem_fail_at(0);
		assert_int_equal(status, starved ? -1 : 0);
		monitor_close(monitor);
		arena_release(&arena);
		fake_remove(root);
		free(root);
		if (!starved)
			break;
		assert_int_equal(err.kind, ERROR_MEMORY);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_disk),   cmocka_unit_test(test_cut),   cmocka_unit_test(test_when),
		cmocka_unit_test(test_cpus),   cmocka_unit_test(test_quota), cmocka_unit_test(test_bursts),
		cmocka_unit_test(test_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
