/* Plug-ins, good and hostile: a session goes on whatever they do, soon, and says what became of them. */
#include "monitor/monitor.h"

#include "base/memory.h"
#include "host/clock.h"
#include "support/fake.h"
#include "support/known.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder;
static struct host machine;

static struct monitor *open_with(const char *script)
{
	struct monitor_options options = monitor_defaults();
	struct monitor *monitor;
	char path[512];
	machine = host_real();
	folder = fake_root();
	fake_file(folder, "/plugin", script);
	snprintf(path, sizeof(path), "%s/plugin", folder);
	assert_int_equal(chmod(path, 0700), 0);
	monitor = monitor_open(&machine, &options, NULL);
	assert_non_null(monitor);
	assert_int_equal(monitor_add_plugin(monitor, path, NULL), 0);
	monitor_begin(monitor, 20000000);
	return monitor;
}

static void close_it(struct monitor *monitor)
{
	monitor_close(monitor);
	fake_remove(folder);
	free(folder);
}

static double value_of(struct monitor *monitor, const char *component, const char *quantity)
{
	const struct gauge_reading *readings;
	size_t count = monitor_readings(monitor, &readings);
	for (size_t i = 0; i < count; i++)
		if (strcmp(readings[i].component, component) == 0 && strcmp(readings[i].quantity, quantity) == 0)
			return readings[i].value;
	return NAN;
}

/* Samples until the gauge has a value, for at most some seconds. */
static double wait_for(struct monitor *monitor, const char *component, const char *quantity)
{
	for (int i = 0; i < 500; i++) {
		clock_sleep(&machine, 20000000);
		monitor_sample(monitor, false);
		double value = value_of(monitor, component, quantity);
		if (!isnan(value))
			return value;
	}
	return NAN;
}

/* Whether the plug-in has not been given up and reaped. */
static bool is_there(void)
{
	siginfo_t info = {.si_pid = 0};
	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* Samples until the plug-in is given up, for a minute at most; one that says nothing never is. What is said of it at the
 * end is looked for in the text. */
static void assert_told(struct monitor *monitor, const char *words)
{
	int most = strcmp(words, "told nothing") == 0 ? 100 : 12000;
	struct arena arena = {0};
	struct monitoring out;
	struct monitor_question question = {0};
	int64_t longest = 0;
	for (int i = 0; i < most && (i < 100 || is_there()); i++) {
		int64_t before = clock_now(&machine);
		monitor_sample(monitor, false);
		int64_t took = clock_now(&machine) - before;
		longest = took > longest ? took : longest;
		clock_sleep(&machine, 5000000);
	}
	/* Nobody waits for it: seconds would be a hang, whatever else this machine does. */
	assert_true(longest < INT64_C(2000000000));
	monitoring_init(&out);
	assert_int_equal(monitor_end(monitor, &question, &arena, &out, NULL), 0);
	bool found = false;
	for (size_t i = 0; i < out.unseen_count; i++)
		found |= strstr(out.unseen[i], "plug-in") && strstr(out.unseen[i], words);
	assert_true(found);
	arena_release(&arena);
}

static void test_good(void **state)
{
	(void)state;
	struct monitor *monitor = open_with("#!/bin/sh\n"
	                                    "if [ $1 = static ]; then echo 'capacity gpu:0 copy 1000'; exit; fi\n"
	                                    "while :; do\n"
	                                    "echo tare-monitor 1\necho use gpu:0 busy 0.75\necho rate gpu:0 copy 900 B/s\n"
	                                    "echo use cpu busy 0.123456\necho sample 1\nsleep 0.05\ndone\n");
	assert_true(fabs(wait_for(monitor, "gpu:0", "busy") - 0.75) < 1e-9);
	assert_true(fabs(wait_for(monitor, "gpu:0", "copy-use") - 0.9) < 1e-9);
	/* It may not speak for what is seen without it. */
	assert_true(fabs(value_of(monitor, "cpu", "busy") - 0.123456) > 1e-9 || isnan(value_of(monitor, "cpu", "busy")));
	close_it(monitor);
}

/* One that nobody listens to any more is not left running, nor is what it has started. */
static void test_ended_at_once(void **state)
{
	(void)state;
	char path[512], text[64] = "";
	struct monitor *monitor = open_with("#!/bin/sh\n[ $1 = static ] && exit\nsleep 600 &\necho $$ $! >\"$0.ids\"\n"
	                                    "while :; do echo no sense; done\n");
	assert_told(monitor, "are malformed");
	snprintf(path, sizeof(path), "%s/plugin.ids", folder);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	assert_non_null(fgets(text, sizeof(text), file));
	fclose(file);
	char *rest;
	pid_t shell = (pid_t)strtol(text, &rest, 10), child = (pid_t)strtol(rest, NULL, 10);
	assert_true(shell > 0 && child > 0);
	assert_int_equal(kill(shell, 0), -1);
	/* The child falls to the first process, which may take its time to reap it. */
	for (int i = 0; i < 200 && kill(child, 0) == 0; i++) {
		snprintf(path, sizeof(path), "/proc/%d/stat", (int)child);
		file = fopen(path, "r");
		char line[256] = "";
		bool gone = !file || !fgets(line, sizeof(line), file) || strstr(line, ") Z ");
		if (file)
			fclose(file);
		if (gone)
			break;
		assert_true(i < 199);
		clock_sleep(&machine, 10000000);
	}
	close_it(monitor);
}

static void test_hostile(void **state)
{
	(void)state;
	static const struct {
		const char *script, *told;
	} cases[] = {
		{"#!/bin/sh\n[ $1 = static ] && exit\nexec cat /dev/zero\n", "without end"},
		{"#!/bin/sh\n[ $1 = static ] && exit\nexec tr '\\0' a </dev/zero\n", "without end"},
		{"#!/bin/sh\n[ $1 = static ] && exit\nexec yes use a b c d e f\n", "are malformed"},
		{"#!/bin/sh\n[ $1 = static ] && exit\nexit 3\n", "has ended"},
		{"#!/bin/sh\n[ $1 = static ] && exit\nkill -9 $$\n", "has ended"},
		{"#!/bin/sh\n[ $1 = static ] && exit\nexec sleep 1000\n", "told nothing"},
		{"#!/bin/sh\nexec cat /dev/zero\n", "without end"},
		{"#!/nowhere/interpreter\n", ""},
		{"\177ELF nonsense", ""},
		/* It forks, and the children keep its output open. */
		{"#!/bin/sh\n[ $1 = static ] && exit\nfor i in 1 2 3 4 5; do sleep 1000 & done\nexit 0\n", "has ended"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct monitor *monitor = open_with(cases[i].script);
		assert_told(monitor, cases[i].told);
		close_it(monitor);
	}
}

/* One that floods with good lines takes no more gauges than its share, and time goes on. */
static void test_flood(void **state)
{
	(void)state;
	struct monitor *monitor = open_with("#!/bin/sh\n[ $1 = static ] && exit\n"
	                                    "exec awk 'BEGIN { for (;;) printf \"use x:%d busy 0.5\\n\", i++ }'\n");
	const struct gauge_reading *readings;
	assert_true(fabs(wait_for(monitor, "x:5", "busy") - 0.5) < 1e-9);
	for (int i = 0; i < 50; i++)
		monitor_sample(monitor, false);
	size_t count = monitor_readings(monitor, &readings), theirs = 0;
	for (size_t i = 0; i < count; i++)
		theirs += strncmp(readings[i].component, "x:", 2) == 0;
	assert_true(theirs <= 256);
	close_it(monitor);
}

/* One that never ends when asked for capacities costs two seconds, once. */
static void test_slow_static(void **state)
{
	(void)state;
	struct host host = host_real();
	int64_t before = clock_now(&host);
	struct monitor *monitor = open_with(
		"#!/bin/sh\n[ $1 = static ] && exec sleep 1000\necho use a b 1\necho sample 1\nexec sleep 1000\n");
	assert_true(clock_now(&host) - before < INT64_C(30000000000));
	bool told = false;
	for (size_t i = 0; monitor_unseen(monitor, i); i++)
		told |= strstr(monitor_unseen(monitor, i), "within 2 s") != NULL;
	assert_true(told);
	assert_true(wait_for(monitor, "a", "b") == 1);
	close_it(monitor);
}

static void test_remote_names(void **state)
{
	(void)state;
	struct monitor_options options = monitor_defaults();
	machine = host_real();
	struct monitor *monitor = monitor_open(&machine, &options, NULL);
	assert_int_equal(monitor_add_remote(monitor, "-oProxyCommand=evil", NULL), 0);
	assert_non_null(strstr(monitor_unseen(monitor, 0), "is not the name of a machine"));
	monitor_close(monitor);
}

/* What this machine can do says nothing of another one with a disk of the same name. */
static void test_remote_capacities(void **state)
{
	(void)state;
	struct monitor_options options = monitor_defaults();
	char path[4096], *before = strdup(getenv("PATH"));
	machine = host_real();
	folder = fake_root();
	fake_file(folder, "/ssh",
	          "#!/bin/sh\necho tare-monitor 1\nwhile :; do\n"
	          "echo rate disk:sda write 500 B/s\necho rate disk:sdb write 500 B/s\n"
	          "echo sample 1\nsleep 0.05\ndone\n");
	snprintf(path, sizeof(path), "%s/ssh", folder);
	assert_int_equal(chmod(path, 0700), 0);
	snprintf(path, sizeof(path), "%s:%s", folder, before);
	setenv("PATH", path, 1);
	struct monitor *monitor = monitor_open(&machine, &options, NULL);
	assert_non_null(monitor);
	monitor_set_capacity(monitor, "disk:sda", "write", 1000, "a test");
	monitor_set_capacity(monitor, "far/disk:sdb", "write", 2000, "a test");
	assert_int_equal(monitor_add_remote(monitor, "far", NULL), 0);
	setenv("PATH", before, 1);
	free(before);
	monitor_begin(monitor, 20000000);
	assert_true(fabs(wait_for(monitor, "far/disk:sdb", "write-use") - 0.25) < 1e-9);
	assert_true(fabs(wait_for(monitor, "far/disk:sda", "write") - 500) < 1e-9);
	assert_true(isnan(value_of(monitor, "far/disk:sda", "write-use")));
	close_it(monitor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_ended_at_once),
		cmocka_unit_test(test_flood),
		cmocka_unit_test(test_slow_static),
		cmocka_unit_test(test_remote_names),
		cmocka_unit_test(test_remote_capacities),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
