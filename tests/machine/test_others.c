/* Which process is advised to be stopped: one that is there, the only one of its name, and not above tare. */
#include "machine/doctor.h"

#include "support/fake.h"
#include "support/known.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TARE = 900, BUSY = 77 };

static int openings; /* of BUSY in the second look; it ends after so many */

static int made_up_open(const char *path, int flags, unsigned mode)
{
	if (strstr(path, "/later/proc/77/stat") && --openings < 0) {
		errno = ENOENT;
		return -1;
	}
	return syscalls_libc.open(path, flags, mode);
}

/* Every reading takes 25 ns: the looks are quick, so that there are some in between. */
static int made_up_gettime(clockid_t clock, struct timespec *out)
{
	static long now;
	(void)clock;
	now += 25;
	*out = (struct timespec){.tv_sec = now / 1000000000, .tv_nsec = now % 1000000000};
	return 0;
}

static void put(const char *root, int pid, const char *name, int parent, int used)
{
	char path[64], text[160];
	for (int later = 0; later < 2; later++) {
		snprintf(path, sizeof(path), "%s/proc/%d/stat", later ? "/later" : "", pid);
		snprintf(text, sizeof(text), "%d (%s) R %d 1 1 0 -1 0 0 0 0 0 %d 0 0 0 20 0 1 0 5 0 0 1\n", pid, name, parent,
		         later ? used : 0);
		fake_file(root, path, text);
	}
}

/* A process that is busy, and tare; `parent` is that of tare. */
static char *begin(int parent)
{
	char *root = fake_root();
	fake_file(root, "/proc/uptime", "100.00 100.00\n");
	fake_file(root, "/later/proc/uptime", "100.50 100.00\n");
	fake_file(root, "/proc/self/status", "Pid:\t900\nCpus_allowed_list:\t0-3\n");
	put(root, 1, "init", 0, 0);
	put(root, 500, "sh", BUSY, 0);
	put(root, TARE, "tare", parent, 1);
	put(root, BUSY, "busy", 1, 50);
	return root;
}

static void assert_advice(char *root, int live, const char *advice, const char *command)
{
	struct syscalls sys = syscalls_libc;
	char second[512];
	struct checkup checkup;
	sys.open = made_up_open;
	sys.clock_gettime = made_up_gettime;
	openings = live;
	snprintf(second, sizeof(second), "%s/later", root);
	struct host host = {.sys = &sys, .root = root}, later = {.sys = &sys, .root = second};
	assert_int_equal(doctor_examine(&host, &later, 0, &checkup, NULL), 0);
	const struct finding *f = checkup_find(&checkup, "noisy");
	assert_non_null(f);
	assert_non_null(strstr(f->value, "busy 10"));
	assert_string_equal(f->advice, advice);
	if (command)
		assert_string_equal(f->command, command);
	else
		assert_null(f->command);
	checkup_release(&checkup);
	fake_remove(root);
	free(root);
}

static void who_can_be_stopped(void **state)
{
	(void)state;
	static const char wait[] = "Wait until other programs are done, or stop them.";
	assert_advice(begin(1), 100, "Stop busy while you measure.", "kill -STOP 77   # afterwards: kill -CONT 77");
	/* It ended in the midst of the look. */
	assert_advice(begin(1), 1, wait, NULL);
	/* The shell of tare, and what started that. */
	assert_advice(begin(BUSY), 100, wait, NULL);
	assert_advice(begin(500), 100, wait, NULL);
	/* One of several. */
	char *root = begin(1);
	put(root, 78, "busy", 1, 1);
	assert_advice(root, 100, wait, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(who_can_be_stopped)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
