/* /proc of this process, of a zombie, and of processes that give themselves awkward names. */
#include "host/proc.h"

#include "support/fake.h"
#include "support/known.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static void reads_small_files(void **state)
{
	(void)state;
	char *root = fake_root(), text[8];
	struct host host = {.sys = &syscalls_libc, .root = root};
	int64_t number = 7;
	fake_file(root, "/proc/number", "42\n");
	fake_file(root, "/proc/text", "first\nsecond\n");
	fake_file(root, "/proc/word", "max\n");
	assert_int_equal(proc_read(&host, "/proc/text", text, sizeof(text)), 7);
	assert_string_equal(text, "first\ns");
	assert_int_equal(proc_read_line(&host, "/proc/text", text, sizeof(text)), 5);
	assert_string_equal(text, "first");
	assert_int_equal(proc_read_integer(&host, "/proc/word", &number), -1);
	assert_int_equal(number, 7);
	assert_int_equal(proc_read_integer(&host, "/proc/number", &number), 0);
	assert_int_equal(number, 42);
	assert_int_equal(proc_read(&host, "/proc/none", text, sizeof(text)), -1);
	assert_int_equal(errno, ENOENT);
	assert_string_equal(text, "");
	fake_remove(root);
	free(root);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void lists_folders_and_processes(void **state)
{
	(void)state;
	char *root = fake_root(), text[64], path[512], names[4][PROC_NAME];
	struct host host = {.sys = &syscalls_libc, .root = root};
	pid_t pids[4];
	fake_file(root, "/sys/class/power_supply/BAT0/type", "Battery\n");
	fake_file(root, "/sys/class/power_supply/AC/type", "Mains\n");
	fake_file(root, "/proc/12/stat", "x");
	fake_file(root, "/proc/345/stat", "x");
	fake_file(root, "/proc/self/stat", "x");
	assert_int_equal(proc_names(&host, "/sys/class/power_supply", names, 4), 2);
	qsort(names, 2, sizeof(names[0]), compare_names);
	assert_string_equal(names[0], "AC");
	assert_string_equal(names[1], "BAT0");
	assert_int_equal(proc_names(&host, "/sys/class/power_supply", names, 1), 1);
	assert_int_equal(proc_names(&host, "/sys/class/none", names, 4), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(proc_list(&host, pids, 4), 2);
	assert_int_equal(pids[0] + pids[1], 357);
	assert_int_equal(proc_list(&host, pids, 1), 1);
	snprintf(path, sizeof(path), "%s/proc/self/cwd", root);
	assert_int_equal(symlink("/home/me", path), 0);
	assert_int_equal(proc_read_link(&host, "/proc/self/cwd", text, sizeof(text)), 8);
	assert_string_equal(text, "/home/me");
	assert_int_equal(proc_read_link(&host, "/proc/self/cwd", text, 6), 5);
	assert_string_equal(text, "/home");
	assert_int_equal(proc_read_link(&host, "/proc/self/exe", text, sizeof(text)), -1);
	assert_string_equal(text, "");
	assert_int_equal(proc_tick() * sysconf(_SC_CLK_TCK), 1000000000);
	fake_remove(root);
	free(root);
}

static void parses_stat(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	struct proc_stat stat;
	/* A name with a blank and a closing bracket, as a program can set with prctl. */
	fake_file(root, "/proc/77/stat",
	          "77 (a) R 1 (b) T 33 77 12 34816 77 4194304 100 4 0 1 1 2 0 0 20 0 5 0 999 1000 20 18446744073709551615 "
	          "1 1 0 0 0 0 0 0 0 0 0 0 17 3 0 0 0 0 0\n");
	assert_int_equal(proc_stat(&host, 77, &stat), 0);
	assert_string_equal(stat.name, "a) R 1 (b");
	assert_int_equal(stat.state, 'T');
	assert_int_equal(stat.parent, 33);
	assert_int_equal(stat.group, 77);
	assert_int_equal(stat.session, 12);
	assert_int_equal(stat.threads, 5);
	assert_int_equal(stat.start, 999);
	assert_int_equal(stat.user, 1);
	assert_int_equal(stat.system, 2);
	assert_int_equal(stat.cpu, 3);
	assert_int_equal(stat.child_faults, 5);
	fake_file(root, "/proc/78/stat", "78 (cut) S 1 1\n");
	assert_int_equal(proc_stat(&host, 78, &stat), -1);
	fake_file(root, "/proc/79/stat", "");
	assert_int_equal(proc_stat(&host, 79, &stat), -1);
	fake_file(root, "/proc/80/stat", "80 )x( S 1 1\n");
	assert_int_equal(proc_stat(&host, 80, &stat), -1);
	fake_file(root, "/proc/notanumber/stat", "x");
	pid_t children[4];
	assert_int_equal(proc_children(&host, 33, children, 4), 1);
	assert_int_equal(children[0], 77);
	assert_int_equal(proc_children(&host, 33, children, 0), 0);
	fake_remove(root);
	assert_int_equal(proc_children(&host, 33, children, 4), -1);
	free(root);
}

/* In a PID namespace whose /proc is that of another one, 77 is some other process. */
static void does_not_take_other_processes_for_ours(void **state)
{
	(void)state;
	char *root = fake_root(), path[512], self[32];
	struct proc_schedstat scheduled;
	struct proc_stat stat;
	int64_t number;
	pid_t pids[4];
	fake_file(
		root, "/proc/77/stat",
		"77 (a) T 33 77 12 34816 77 4194304 100 4 0 1 1 2 0 0 20 0 5 0 999 1000 20 1 1 1 0 0 0 0 0 0 0 0 0 0 17 3 0 "
		"0 0 0 0\n");
	fake_file(root, "/proc/77/schedstat", "1 2 3\n");
	fake_file(root, "/proc/77/status", "Threads:\t3\n");
	snprintf(path, sizeof(path), "%s/proc/self", root);
	for (int other = 0; other < 2; other++) {
		int status = other ? -1 : 0;
		snprintf(self, sizeof(self), "%d", (int)getpid() + other);
		assert_int_equal(symlink(self, path), 0);
		struct host host = host_at(&syscalls_libc, root);
		assert_int_equal(proc_stat(&host, 77, &stat), status);
		assert_int_equal(proc_schedstat(&host, 77, &scheduled), status);
		assert_int_equal(proc_status_number(&host, 77, "Threads", &number), status);
		assert_int_equal(proc_children(&host, 33, pids, 4), other ? -1 : 1);
		assert_int_equal(proc_list(&host, pids, 4), other ? -1 : 1);
		assert_int_equal(unlink(path), 0);
	}
	fake_remove(root);
	free(root);
}

static void parses_status_and_schedstat(void **state)
{
	(void)state;
	char *root = fake_root();
	struct host host = {.sys = &syscalls_libc, .root = root};
	struct proc_schedstat stat = {1, 2, 3};
	int64_t number;
	fake_file(root, "/proc/5/status", "Name:\tThreads: 9\nThreads:\t3\nVmHWM:\t  1680 kB\n");
	assert_int_equal(proc_status_number(&host, 5, "Threads", &number), 0);
	assert_int_equal(number, 3);
	assert_int_equal(proc_status_number(&host, 5, "VmHWM", &number), 0);
	assert_int_equal(number, 1680);
	assert_int_equal(proc_status_number(&host, 5, "Vm", &number), -1);
	fake_file(root, "/proc/5/sched",
	          "x (5, #threads: 1)\n-----\nse.exec_start  :  1.2\nse.nr_migrations     :       7\n");
	assert_int_equal(proc_migrations(&host, 5, &number), 0);
	assert_int_equal(number, 7);
	fake_file(root, "/proc/6/sched", "x (6, #threads: 1)\nse.nr_migrations_more : 7\n");
	assert_int_equal(proc_migrations(&host, 6, &number), -1);
	assert_int_equal(proc_migrations(&host, 7, &number), -1);
	fake_file(root, "/proc/5/schedstat", "123456789012 98765 4\n");
	assert_int_equal(proc_schedstat(&host, 5, &stat), 0);
	assert_int_equal(stat.run, 123456789012);
	assert_int_equal(stat.delay, 98765);
	assert_int_equal(stat.slices, 4);
	fake_file(root, "/proc/6/schedstat", "12 13\n");
	assert_int_equal(proc_schedstat(&host, 6, &stat), -1);
	assert_int_equal(stat.delay, 98765); /* untouched */
	/* CONFIG_SCHEDSTATS and delayacct are off */
	fake_file(root, "/proc/7/schedstat", "0 0 0\n");
	assert_int_equal(proc_schedstat(&host, 7, &stat), -1);
	assert_int_equal(errno, ENODATA);
	fake_remove(root);
	free(root);
}

static void reads_a_zombie(void **state)
{
	(void)state;
	struct host host = host_real();
	pid_t pid = fork();
	if (pid == 0) {
		for (volatile int i = 0; i < 5000000; i++)
			;
		_exit(0);
	}
	siginfo_t info;
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	struct proc_stat stat;
	assert_int_equal(proc_stat(&host, pid, &stat), 0);
	assert_int_equal(stat.state, 'Z');
	assert_int_equal(stat.parent, getpid());
	pid_t children[4];
	assert_int_equal(proc_children(&host, getpid(), children, 4), 1);
	assert_int_equal(children[0], pid);
	struct proc_schedstat sched;
	if (proc_schedstat(&host, pid, &sched) == 0) {
		struct rusage usage;
		assert_int_equal(wait4(pid, NULL, 0, &usage), pid);
		int64_t cpu = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 + usage.ru_utime.tv_usec +
		              usage.ru_stime.tv_usec;
		/* The zombie's run time is its whole CPU time; wait4 cuts user and system to whole µs. */
		assert_in_range(sched.run / 1000, cpu, cpu + 3);
	} else {
		assert_int_equal(wait4(pid, NULL, 0, NULL), pid);
	}
	assert_int_equal(proc_children(&host, getpid(), children, 4), 0);
}

static void reads_itself(void **state)
{
	(void)state;
	struct host host = host_real();
	struct proc_stat stat;
	int64_t threads;
	assert_int_equal(proc_stat(&host, getpid(), &stat), 0);
	assert_int_equal(stat.parent, getppid());
	assert_int_equal(stat.group, getpgrp());
	assert_int_equal(stat.threads, 1);
	assert_true(stat.cpu >= 0);
	assert_int_equal(proc_status_number(&host, getpid(), "Threads", &threads), 0);
	assert_int_equal(threads, 1);
	struct proc_schedstat first, second;
	int fd = proc_schedstat_open(&host);
	if (proc_schedstat_self(&host, &first) == 0) {
		assert_int_equal(proc_schedstat_read(&host, fd, &second), 0);
		assert_true(second.run >= first.run && second.delay >= first.delay);
		struct timespec pause = {.tv_nsec = 1000000};
		nanosleep(&pause, NULL); /* off the CPU, so that the account is brought up to date */
		assert_int_equal(proc_schedstat_read(&host, fd, &first), 0);
		assert_true(first.run > second.run);
		close(fd);
	}
	assert_int_equal(proc_schedstat_read(&host, -1, &second), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_small_files),
		cmocka_unit_test(lists_folders_and_processes),
		cmocka_unit_test(parses_stat),
		cmocka_unit_test(does_not_take_other_processes_for_ours),
		cmocka_unit_test(parses_status_and_schedstat),
		cmocka_unit_test(reads_a_zombie),
		cmocka_unit_test(reads_itself),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
