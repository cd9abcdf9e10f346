/* Whether memory limits, by the pages that commands touch: machines made of files in which time passes while one waits,
 * and a command touches so many bytes in it. */
#include "monitor/monitor.h"

#include "support/fake.h"
#include "support/known.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { COMMAND = 4711, THREAD = 4712 };

static const double mib = 1 << 20, delivers = 1e10; /* bytes per second */
static int64_t now_ns, forgotten_ns;
static struct syscalls calls;
static struct host machine;
static char *root;
static double set, pace, resident, growth; /* bytes, bytes per second, bytes, bytes per second */
static int refuse, open_files, mapped;
static int64_t least_sleep; /* ns: on a busy machine nobody wakes up in time */

static int made_up_gettime(clockid_t clock, struct timespec *out)
{
	(void)clock; /* the command runs all the time: its CPU time is the clock */
	*out = (struct timespec){.tv_sec = now_ns / 1000000000, .tv_nsec = now_ns % 1000000000};
	return 0;
}

static void put_command(void)
{
	char text[256];
	double elapsed = (double)(now_ns - forgotten_ns) / 1e9, all = resident + growth * (double)now_ns / 1e9;
	snprintf(text, sizeof(text), "Name:\tx\nTgid:\t%d\nVmRSS:\t%.0f kB\n", COMMAND, all / 1024);
	fake_file(root, "/proc/4711/status", text);
	fake_file(root, "/proc/4712/status", text); /* a thread of it, which would count twice */
	snprintf(text, sizeof(text), "0-1 ---p 00000000 00:00 0 [rollup]\nRss: %.0f kB\nReferenced: %.0f kB\n", all / 1024,
	         fmin(set, pace * elapsed) / 1024);
	fake_file(root, "/proc/4711/smaps_rollup", text);
}

static int made_up_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
	(void)fds;
	(void)n;
	(void)mask;
	int64_t slept = timeout->tv_sec * 1000000000 + timeout->tv_nsec;
	now_ns += slept > least_sleep ? slept : least_sleep;
	put_command();
	return 0;
}

static ssize_t made_up_write(int fd, const void *bytes, size_t size)
{
	assert_int_equal(size, 1);
	assert_int_equal(*(const char *)bytes, '1');
	forgotten_ns = now_ns;
	return syscalls_libc.write(fd, bytes, size);
}

static int made_up_open(const char *path, int flags, unsigned mode)
{
	if (refuse && strstr(path, "clear_refs") && (refuse > 0 || !strstr(path, "self"))) {
		errno = EACCES;
		return -1;
	}
	int fd = syscalls_libc.open(path, flags, mode);
	open_files += fd >= 0;
	return fd;
}

static int made_up_close(int fd)
{
	open_files--;
	return syscalls_libc.close(fd);
}

enum { GUARD = 1 << 16 }; /* bytes behind what is mapped, which nobody may touch */

static void *made_up_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	char *place = syscalls_libc.mmap(at, size + GUARD, protection, flags, fd, offset);
	mapped++;
	assert_int_equal(mprotect(place + size, GUARD, PROT_NONE), 0);
	return place;
}

static int made_up_munmap(void *at, size_t size)
{
	mapped--;
	return syscalls_libc.munmap(at, size + GUARD);
}

static void begin(double the_set, double the_pace, double the_resident)
{
	root = fake_root();
	calls = syscalls_libc;
	calls.clock_gettime = made_up_gettime;
	calls.ppoll = made_up_ppoll;
	calls.write = made_up_write;
	calls.open = made_up_open;
	calls.close = made_up_close;
	calls.mmap = made_up_mmap;
	calls.munmap = made_up_munmap;
	machine = (struct host){.sys = &calls, .root = root};
	now_ns = 1000000000;
	set = the_set;
	pace = the_pace;
	resident = the_resident;
	growth = 0;
	refuse = open_files = mapped = 0;
	least_sleep = 0;
	fake_file(root, "/proc/self/clear_refs", "");
	fake_file(root, "/proc/4711/clear_refs", "");
	fake_file(root, "/sys/devices/system/cpu/cpu0/cache/index0/size", "32K\n");
	fake_file(root, "/sys/devices/system/cpu/cpu0/cache/index1/size", "40960K\n");
	fake_file(root, "/proc/stat", "cpu  0\ncpu0 1 0 0 1 0 0 0 0\nctxt 1\n");
}

/* Trial rounds with looks, and a second of kept time without, in which the command wants so much of a CPU. */
static void watch(double wanted, const char *cut, bool known, struct arena *arena, struct monitoring *out)
{
	struct monitor_options options = monitor_defaults();
	struct monitor *monitor = monitor_open(&machine, &options, NULL);
	struct monitor_question question = {.cut = cut};
	assert_non_null(monitor);
	if (known)
		monitor_set_capacity(monitor, "memory", "pace", delivers, "the test");
	monitor_watch(monitor, COMMAND, 0);
	monitor_watch(monitor, THREAD, 0);
	put_command();
	monitor_begin(monitor, 100000000);
	monitor_look_at_memory(monitor, true);
	for (int i = 0; i < 9; i++) {
		now_ns += 150000000;
		put_command();
		monitor_sample(monitor, false);
	}
	monitor_look_at_memory(monitor, false);
	/* Begun twice, as when the rate is looked for: what was seen stays. */
	monitor_again(monitor, 100000000);
	monitor_again(monitor, 100000000);
	int64_t before = forgotten_ns;
	for (int i = 0; i < 10; i++) {
		now_ns += 150000000;
		monitor_note(monitor, "cpu", "wanted", GAUGE_USE, wanted);
		monitor_sample(monitor, false);
	}
	assert_int_equal(forgotten_ns, before); /* no look at what is kept */
	monitoring_init(out);
	assert_int_equal(monitor_end(monitor, &question, arena, out, NULL), 0);
	monitor_close(monitor);
	assert_int_equal(open_files, 0);
	assert_int_equal(mapped, 0);
	fake_remove(root);
	free(root);
}

static bool says_unseen(const struct monitoring *out, const char *words)
{
	for (size_t i = 0; i < out->unseen_count; i++)
		if (strstr(out->unseen[i], words))
			return true;
	return false;
}

/* It touches new pages at nine tenths of what the memory delivers. */
static void test_memory(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct monitoring out;
	begin(512 * mib, 0.9 * delivers, 512 * mib);
	watch(1, NULL, true, &arena, &out);
	assert_int_equal(out.verdict, MONITOR_LIMITED);
	assert_string_equal(out.limiting, "memory");
	assert_non_null(strstr(out.text, "memory (pace) at 90 %"));
	assert_non_null(strstr(out.text, "in the trial rounds"));
	assert_true(out.saturation_count == 2 && out.saturations[1].under_test); /* the CPU that waits for it */
	/* Memory is what was to be measured; or a CPU was, and that is not what it is. */
	begin(512 * mib, 0.9 * delivers, 512 * mib);
	watch(1, "memory", true, &arena, &out);
	assert_int_equal(out.verdict, MONITOR_AS_MEANT);
	begin(512 * mib, 0.9 * delivers, 512 * mib);
	watch(1, "cpu", true, &arena, &out);
	assert_int_equal(out.verdict, MONITOR_INVALID);
	assert_non_null(strstr(out.text, "memory (pace) at 90 %"));
	arena_release(&arena);
}

static void test_cpu(void **state)
{
	(void)state;
	static const struct {
		double set, pace, resident;
		const char *says;
	} cases[] = {
		/* Half the pace; a part of its memory, over and over, which stays in the cache of 40 MiB; fits into it as a
		 * whole. */
		{512 << 20, 0.5e10, 512 << 20, "memory at 50 % of its pace"},
		{40 << 20, 5e10, 512 << 20, NULL},
		{8 << 20, 1e10, 512 << 20, "memory at 10 % of its pace"},
		{8 << 20, 5e10, 39 << 20, "memory at 0 % of its pace"},
	};
	struct arena arena = {0};
	struct monitoring out;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin(cases[i].set, cases[i].pace, cases[i].resident);
		watch(1, NULL, true, &arena, &out);
		assert_string_equal(out.limiting, "cpu");
		assert_true(!cases[i].says || strstr(out.text, cases[i].says));
	}
	/* Small while it starts: what it does later counts. */
	begin(512 * mib, 0.5 * delivers, 2 * mib - 6 * mib / 0.15);
	growth = 6 * mib / 0.15; /* bytes per second: it fits into the cache at six of the nine looks */
	watch(1, NULL, true, &arena, &out);
	assert_string_equal(out.limiting, "cpu");
	assert_non_null(strstr(out.text, "memory at 50 %"));
	/* Fast when it runs, but it hardly runs. */
	begin(512 * mib, 0.9 * delivers, 512 * mib);
	watch(0.3, NULL, true, &arena, &out);
	assert_null(out.limiting);
	arena_release(&arena);
}

/* More pages than can be read as a whole; memory that only grows; no permission for all or for this one; no such
 * file. */
static void test_unknown(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct monitoring out;
	begin(512 * mib, 30 * delivers, 512 * mib);
	watch(1, NULL, true, &arena, &out);
	assert_string_equal(out.limiting, "cpu");
	assert_true(says_unseen(&out, "more pages than memory delivers"));
	assert_non_null(strstr(out.text, "computing or waiting for memory"));
	/* Everything that it touches, long before the time is over, which is seen late. */
	begin(60 * mib, 8 * delivers, 512 * mib);
	least_sleep = 3500000;
	watch(1, NULL, true, &arena, &out);
	assert_true(says_unseen(&out, "more pages than memory delivers"));
	begin(512 * mib, 0.9 * delivers, 512 * mib);
	growth = 0.45 * delivers;
	resident = -growth + 512 * mib; /* at the start of the time */
	watch(1, NULL, true, &arena, &out);
	assert_string_equal(out.limiting, "cpu");
	for (int who = -1; who <= 1; who += 2) {
		begin(512 * mib, 0.9 * delivers, 512 * mib);
		refuse = who;
		watch(1, NULL, true, &arena, &out);
		assert_string_equal(out.limiting, "cpu");
		assert_true(says_unseen(&out, "/proc/PID/clear_refs may not be written"));
	}
	begin(512 * mib, 0.9 * delivers, 512 * mib);
	fake_file(root, "/proc/none", "");
	char path[256];
	snprintf(path, sizeof(path), "%s/proc/self/clear_refs", root);
	assert_int_equal(remove(path), 0);
	watch(1, NULL, true, &arena, &out);
	assert_true(says_unseen(&out, "there is no /proc/PID/clear_refs"));
	/* Too large to look at. */
	begin(8192 * mib, 0.9 * delivers, 8192 * mib);
	watch(1, NULL, true, &arena, &out);
	assert_true(says_unseen(&out, "more memory than can be looked at"));
	arena_release(&arena);
}

/* The copier of our own: no room for it; and with room it takes its memory and gives it back. */
static void test_copier(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct monitoring out;
	begin(512 * mib, 0.9 * delivers, 512 * mib);
	fake_file(root, "/proc/meminfo", "MemTotal: 200000 kB\nMemAvailable: 100000 kB\n");
	watch(1, NULL, false, &arena, &out);
	assert_true(says_unseen(&out, "too little memory is free"));
	begin(512 * mib, 0.9 * delivers, 512 * mib);
	fake_file(root, "/proc/meminfo", "MemTotal: 20000000 kB\nMemAvailable: 10000000 kB\n");
	watch(1, NULL, false, &arena, &out); /* the clock stands still while it copies: nothing is known */
	assert_string_equal(out.limiting, "cpu");
	/* A cache that is no whole number of the pieces that are copied. */
	begin(512 * mib, 0.9 * delivers, 512 * mib);
	fake_file(root, "/proc/meminfo", "MemTotal: 20000000 kB\nMemAvailable: 10000000 kB\n");
	fake_file(root, "/sys/devices/system/cpu/cpu0/cache/index1/size", "33000K\n");
	watch(1, NULL, false, &arena, &out);
	assert_string_equal(out.limiting, "cpu");
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_cpu),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_copier),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
