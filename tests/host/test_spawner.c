/* The books of one command: how it started, how it ended, what it used, what it left behind. */
#include "commands.h"

#include "base/memory.h"
#include "host/clock.h"
#include "support/fake.h"
#include "support/spawner.h"

#include <fcntl.h>
#include <sys/mman.h>

static void exit_codes(void **state)
{
	(void)state;
	for (int code = 0; code < 256; code += 51) {
		char text[8];
		snprintf(text, sizeof(text), "%d", code);
		struct command_report report = run_words(spawner, WORDS("exit", text));
		assert_int_equal(report.result, COMMAND_EXITED);
		assert_int_equal(report.code, code);
	}
}

static void signals(void **state)
{
	(void)state;
	static const int numbers[] = {SIGKILL, SIGTERM, SIGSEGV, SIGINT, SIGPIPE, SIGABRT};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		char text[8];
		snprintf(text, sizeof(text), "%d", numbers[i]);
		struct command_report report = run_words(spawner, WORDS("signal", text));
		assert_int_equal(report.result, COMMAND_SIGNALED);
		assert_int_equal(report.code, numbers[i]);
	}
}

static void start_errors(void **state)
{
	(void)state;
	char *root = fake_root(), path[4200];
	fake_file(root, "/plain", "no program\n");
	snprintf(path, sizeof(path), "%s/plain", root);
	static const struct {
		const char *path;
		int errnum;
	} cases[] = {{"/nonexistent/program", ENOENT}, {"/tmp", EACCES}, {NULL, EACCES}, {"/dev/null/x", ENOTDIR}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *program = cases[i].path ? cases[i].path : path;
		struct command_report report = run_words(spawner, (const char *const[]){program, NULL});
		assert_int_equal(report.result, COMMAND_NOT_STARTED);
		assert_int_equal(report.stage, START_PROGRAM);
		assert_int_equal(report.code, cases[i].errnum);
	}
	chmod(path, 0755);
	struct command_report report = run_words(spawner, (const char *const[]){path, NULL});
	assert_int_equal(report.result, COMMAND_NOT_STARTED);
	assert_int_equal(report.code, ENOEXEC);
	struct command_request request = request_for(WORDS("exit", "0"));
	request.directory = "/nonexistent";
	report = run_request(spawner, &request);
	assert_int_equal(report.result, COMMAND_NOT_STARTED);
	assert_int_equal(report.stage, START_DIRECTORY);
	assert_int_equal(report.code, ENOENT);
	request = request_for(WORDS("exit", "0"));
	struct cpuset far;
	cpuset_parse("4000", &far, NULL);
	request.cpus = &far;
	report = run_request(spawner, &request);
	assert_int_equal(report.result, COMMAND_NOT_STARTED);
	assert_int_equal(report.stage, START_CPUS);
	/* And the lane is as good as before. */
	report = run_words(spawner, WORDS("exit", "3"));
	assert_int_equal(report.code, 3);
	fake_remove(root);
	free(root);
}

static void long_arguments(void **state)
{
	(void)state;
	/* More than a socket holds at once, less than execve takes. */
	enum { SIZE = 100000, COUNT = 9 };
	const char *argv[COUNT + 4] = {SUBJECT, "print"};
	char *word = malloc(SIZE + 1);
	memset(word, 'w', SIZE);
	word[SIZE] = '\0';
	for (int i = 0; i < COUNT; i++)
		argv[i + 2] = word;
	argv[COUNT + 2] = "end";
	char *text = output_of(spawner, request_for(argv));
	assert_int_equal(strlen(text), COUNT * (SIZE + 1) + 3);
	assert_string_equal(text + COUNT * (SIZE + 1), "end");
	free(text);
	/* And more than execve takes: its own error. */
	char *huge = malloc(200001);
	memset(huge, 'h', 200000);
	huge[200000] = '\0';
	struct command_report report = run_words(spawner, WORDS("print", huge));
	assert_int_equal(report.result, COMMAND_NOT_STARTED);
	assert_int_equal(report.code, E2BIG);
	free(huge);
	free(word);
}

static void environment_and_directory(void **state)
{
	(void)state;
	setenv("TARE_TEST_KEPT", "no", 1); /* after the fork: the spawner does not see it */
	struct command_request request = request_for(WORDS("env", "TARE_TEST_KEPT"));
	char *text = output_of(spawner, request);
	assert_string_equal(text, "(none)");
	free(text);
	request.env = (const char *const[]){"TARE_TEST_KEPT=a=b", "HOME", NULL};
	text = output_of(spawner, request);
	assert_string_equal(text, "a=b");
	free(text);
	request.argv = WORDS("env", "HOME");
	text = output_of(spawner, request);
	assert_string_equal(text, "(none)");
	free(text);
	request = request_for(WORDS("where"));
	request.directory = "/";
	text = output_of(spawner, request);
	assert_string_equal(text, "/");
	free(text);
	request.directory = NULL;
	char here[4096];
	assert_non_null(getcwd(here, sizeof(here)));
	text = output_of(spawner, request);
	assert_string_equal(text, here);
	free(text);
	request = request_for(WORDS("env", "TARE_PAD"));
	request.pad = 1234;
	text = output_of(spawner, request);
	assert_int_equal(strlen(text), 1234);
	free(text);
	request.pad = 7;
	text = output_of(spawner, request);
	assert_string_equal(text, "xxxxxxx");
	free(text);
	request.pad = 0;
	text = output_of(spawner, request);
	assert_string_equal(text, "(none)");
	free(text);
}

static void surroundings(void **state)
{
	(void)state;
	/* No signal blocked, leader of its own group, SIGCHLD as usual; three open files. */
	char *text = output_of(spawner, request_for(WORDS("group")));
	assert_string_equal(text, "0 1 1");
	free(text);
	text = output_of(spawner, request_for(WORDS("files")));
	int extra = 0; /* what the test itself was given without close-on-exec */
	for (int fd = 3; fd < 1024; fd++) {
		int flags = fcntl(fd, F_GETFD);
		extra += flags >= 0 && !(flags & FD_CLOEXEC);
	}
	assert_int_equal(atoi(text), 3 + extra);
	free(text);
}

static void standard_files(void **state)
{
	(void)state;
	char *root = fake_root(), path[4200];
	fake_file(root, "/in", "hello from a file\n");
	struct command_request request = request_for(WORDS("copy"));
	snprintf(path, sizeof(path), "%s/in", root);
	request.stdio[0] = (struct command_stdio){.mode = STDIO_FILE, .fd = open(path, O_RDONLY | O_CLOEXEC)};
	char *text = output_of(spawner, request);
	assert_string_equal(text, "hello from a file");
	free(text);
	close(request.stdio[0].fd);
	request.stdio[0] = (struct command_stdio){.mode = STDIO_NULL};
	text = output_of(spawner, request);
	assert_string_equal(text, "");
	free(text);
	/* Output to a file. */
	snprintf(path, sizeof(path), "%s/out", root);
	request = request_for(WORDS("print", "to a file"));
	request.stdio[1] = (struct command_stdio){.mode = STDIO_FILE, .fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666)};
	assert_int_equal(run_request(spawner, &request).code, 0);
	char back[32] = "";
	assert_int_equal(pread(request.stdio[1].fd, back, sizeof(back) - 1, 0), 10);
	assert_string_equal(back, "to a file\n");
	close(request.stdio[1].fd);
	/* Standard error apart and together. */
	struct buffer out = {0}, err = {0};
	request = request_for((const char *const[]){"/bin/sh", "-c", "echo one; echo two >&2", NULL});
	request.stdio[1] = (struct command_stdio){.mode = STDIO_CAPTURE, .capture = &out};
	request.stdio[2] = (struct command_stdio){.mode = STDIO_CAPTURE, .capture = &err};
	assert_int_equal(run_request(spawner, &request).code, 0);
	assert_string_equal(buffer_text(&out), "one\n");
	assert_string_equal(buffer_text(&err), "two\n");
	buffer_clear(&out);
	request.stdio[2].mode = STDIO_SAME;
	assert_int_equal(run_request(spawner, &request).code, 0);
	assert_string_equal(buffer_text(&out), "one\ntwo\n");
	buffer_release(&out);
	buffer_release(&err);
	fake_remove(root);
	free(root);
}

static void closed_standard_files_do_no_harm(void **state)
{
	(void)state;
	struct buffer out = {0};
	struct command_request request = request_for(WORDS("shut"));
	request.stdio[1] = (struct command_stdio){.mode = STDIO_CAPTURE, .capture = &out};
	assert_int_equal(run_request(spawner, &request).code, 0);
	assert_int_equal(out.length, 0);
	buffer_release(&out);
}

static void huge_output_is_cut_not_blocked(void **state)
{
	(void)state;
	struct buffer out;
	buffer_init(&out, 10000);
	struct command_request request = request_for(WORDS("bytes", "20000000"));
	request.stdio[1] = (struct command_stdio){.mode = STDIO_CAPTURE, .capture = &out};
	struct command_report report = run_request(spawner, &request);
	assert_int_equal(report.result, COMMAND_EXITED);
	assert_int_equal(report.code, 0);
	assert_int_equal(out.length, 10000);
	assert_true(out.too_long);
	buffer_clear(&out);
	request.argv = WORDS("bytes", "10000");
	assert_int_equal(run_request(spawner, &request).code, 0);
	assert_int_equal(out.length, 10000);
	assert_false(out.too_long);
	buffer_release(&out);
}

static void instants_and_cpu_time(void **state)
{
	(void)state;
	int64_t before = clock_now(&host);
	struct command_report report = run_words(spawner, WORDS("spin", "30"));
	int64_t after = clock_now(&host);
	assert_true(before <= report.asked && report.asked <= report.executed);
	assert_true(report.executed < report.ended && report.ended <= after);
	assert_true(report.ended - report.executed >= 30000000);
	assert_true(report.user + report.system >= 29990000);
	assert_true(report.start_cpu > 0);
	if (report.leader_run >= 0) {
		/* One thread: the scheduler's account is wait4's, which is cut to whole microseconds twice. */
		assert_in_range(report.leader_run, report.user + report.system, report.user + report.system + 3000);
		assert_true(report.leader_delay >= 0);
		assert_true(report.leader_delay <= report.ended - report.asked);
	}
	report = run_words(spawner, WORDS("sleep", "30"));
	assert_true(report.ended - report.executed >= 30000000);
	assert_true(report.user + report.system < 20000000);
	assert_true(report.voluntary_switches >= 1);
}

static void threads_and_workers_are_charged(void **state)
{
	(void)state;
	struct command_report report = run_words(spawner, WORDS("threads", "3", "10"));
	assert_true(report.user + report.system >= 29990000);
	if (report.leader_run >= 0)
		assert_true(report.leader_run < 15000000);
	if (report.process_run >= 0) { /* root alone is told of all threads */
		/* without what the threads do after the account of each was closed */
		assert_in_range(report.process_run, (report.user + report.system) * 9 / 10,
		                report.user + report.system + 12000);
		assert_true(report.process_delay >= 0);
	}
	assert_int_equal(run_words(spawner, WORDS("spin", "1")).process_run, -1);
	report = run_words(spawner, WORDS("workers", "3", "10"));
	assert_true(report.user + report.system >= 29990000);
	assert_int_equal(report.adopted, 0);
	assert_int_equal(report.leftovers, 0);
	assert_int_equal(report.process_run, -1);
	report = run_words(spawner, WORDS("adopt", "10"));
	assert_true(report.user + report.system >= 9990000);
	assert_int_equal(report.adopted, 1);
	assert_int_equal(report.leftovers, 0);
	/* Orphans do not pile up as zombies while the command runs. */
	struct command_request request = request_for((const char *const[]){
		"/bin/sh", "-c",
		"for i in 1 2 3 4 5 6 7 8; do (" SUBJECT " exit 0 &); done; sleep 0.1; n=1; left=60;"
		"while [ $n -gt 0 ] && [ $left -gt 0 ]; do sleep 0.05; left=$((left - 1));"
		"n=$(grep -c -s -e \"(subject) Z $PPID \" /proc/[0-9]*/stat | grep -c ':1$'); done; echo $n",
		NULL});
	char *zombies = output_of(spawner, request);
	assert_string_equal(zombies, "0");
	free(zombies);
}

static void peak_memory_is_the_childs_own(void **state)
{
	(void)state;
	struct command_report small = run_words(spawner, (const char *const[]){NOOP, NULL});
	assert_true(small.rss_floor > 0);
	assert_true(small.peak_rss >= small.rss_floor);
	/* This process grows by 200 MB; the spawner was forked before. */
	size_t size = 200 << 20;
	char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(block, 1, size);
	struct command_report large = run_words(spawner, (const char *const[]){NOOP, NULL});
	munmap(block, size);
	assert_int_equal(large.peak_rss, small.peak_rss);
	assert_int_equal(large.rss_floor, small.rss_floor);
	struct command_report user = run_words(spawner, WORDS("allocate", "50"));
	assert_in_range(user.peak_rss, 50 << 20, 60 << 20);
	assert_true(user.minor_faults >= 100);
	/* And what one command used is not in the next. */
	large = run_words(spawner, (const char *const[]){NOOP, NULL});
	assert_int_equal(large.peak_rss, small.peak_rss);
}

static void runs_on_the_cpus_asked_for(void **state)
{
	(void)state;
	struct cpuset all;
	assert_int_equal(cpuset_of_process(&host, 0, &all, NULL), 0);
	struct command_request request = request_for(
		(const char *const[]){"/bin/grep", "-o", "Cpus_allowed_list:.*", "/proc/self/status", NULL});
	for (int cpu = cpuset_next(&all, 0); cpu >= 0; cpu = cpuset_next(&all, cpu + 1)) {
		struct cpuset one = {{0}};
		cpuset_add(&one, cpu);
		request.cpus = &one;
		char *text = output_of(spawner, request), expected[64];
		snprintf(expected, sizeof(expected), "Cpus_allowed_list:\t%d", cpu);
		assert_string_equal(text, expected);
		free(text);
	}
	request.cpus = NULL;
	char *text = output_of(spawner, request), expected[512], list[400];
	snprintf(expected, sizeof(expected), "Cpus_allowed_list:\t%s", cpuset_format(&all, list, sizeof(list)));
	assert_string_equal(text, expected);
	free(text);
}

static void moves_between_cpus_are_counted(void **state)
{
	(void)state;
	struct cpuset all, one = {{0}};
	int64_t here;
	char script[200];
	assert_int_equal(cpuset_of_process(&host, 0, &all, NULL), 0);
	int first = cpuset_next(&all, 0), second = cpuset_next(&all, first + 1);
	cpuset_add(&one, first);
	struct command_request request = request_for(WORDS("exit", "0"));
	request.cpus = &one;
	assert_int_equal(run_request(spawner, &request).migrations, 0);
	if (second < 0 || proc_migrations(&host, getpid(), &here) != 0)
		return;
	snprintf(script, sizeof(script), "taskset -pc %d $$ && taskset -pc %d $$ && taskset -pc %d $$ && sleep 0.01", first,
	         second, first);
	request = request_for((const char *const[]){"/bin/sh", "-c", script, NULL});
	request.stdio[1] = (struct command_stdio){.mode = STDIO_NULL};
	struct command_report report = run_request(spawner, &request);
	if (report.code == 0) /* there is a taskset */
		assert_true(report.migrations >= 2);
}

static void time_limit(void **state)
{
	(void)state;
	struct command_request request = request_for(WORDS("sleep", "60000"));
	request.timeout = 50000000;
	struct command_report report = run_request(spawner, &request);
	assert_int_equal(report.result, COMMAND_TIMED_OUT);
	assert_true(report.ended - report.executed >= 50000000);
	assert_true(report.ended - report.executed < INT64_C(60000000000)); /* the command wanted to sleep a minute */
	/* A limit that is not reached changes nothing. */
	request = request_for(WORDS("exit", "4"));
	request.timeout = INT64_C(600000000000);
	report = run_request(spawner, &request);
	assert_int_equal(report.result, COMMAND_EXITED);
	assert_int_equal(report.code, 4);
}

static void time_limit_reaches_what_has_left_its_group(void **state)
{
	(void)state;
	struct command_request request = request_for(WORDS("elsewhere", "60000"));
	request.timeout = 50000000;
	assert_int_equal(run_request(spawner, &request).result, COMMAND_TIMED_OUT);
}

static void time_limit_reaches_all_descendants(void **state)
{
	(void)state;
	char *root = fake_root(), path[4200];
	snprintf(path, sizeof(path), "%s/pids", root);
	struct command_request request = request_for(WORDS("escape", path));
	request.timeout = 300000000;
	struct command_report report = run_request(spawner, &request);
	assert_int_equal(report.result, COMMAND_TIMED_OUT);
	pid_t pids[8];
	size_t n = read_pids(path, pids, 8);
	assert_true(n == 4 || n < 4); /* as far as it got in its time */
	for (size_t i = 0; i < n; i++)
		assert_int_equal(kill(pids[i], 0), -1);
	fake_remove(root);
	free(root);
}

static void leftovers_are_killed_and_reported(void **state)
{
	(void)state;
	struct command_report report = run_words(spawner, WORDS("orphan", "60000"));
	assert_int_equal(report.result, COMMAND_EXITED);
	assert_int_equal(report.leftovers, 1);
	assert_int_equal(report.unkillable, 0);
	assert_string_equal(report.leftover_name, "subject");
	char *root = fake_root(), path[4200];
	snprintf(path, sizeof(path), "%s/pids", root);
	report = run_words(spawner, WORDS("daemon", path));
	assert_int_equal(report.result, COMMAND_EXITED);
	assert_int_equal(report.leftovers, 1);
	pid_t pid = 0;
	assert_int_equal(read_pids(path, &pid, 1), 1);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
	fake_remove(root);
	free(root);
	assert_int_equal(run_words(spawner, WORDS("exit", "0")).leftovers, 0);
}

static void leftovers_may_be_kept(void **state)
{
	(void)state;
	char *root = fake_root(), path[4200];
	snprintf(path, sizeof(path), "%s/pids", root);
	struct spawner *other = spawner_open(&host, NULL);
	struct command_request request = request_for(WORDS("daemon", path));
	request.lane = LANES_MAX - 1;
	request.flags = COMMAND_KEEP;
	struct command_report report = run_request(other, &request);
	assert_int_equal(report.result, COMMAND_EXITED);
	assert_int_equal(report.leftovers, 1);
	pid_t pid = 0;
	assert_int_equal(read_pids(path, &pid, 1), 1);
	assert_true(is_running(pid));
	assert_int_equal(run_words(other, WORDS("exit", "0")).code, 0); /* another lane leaves it alone */
	assert_true(is_running(pid));
	spawner_close(other);
	assert_false(is_running(pid));
	fake_remove(root);
	free(root);
}

static void a_stopped_command_is_noticed(void **state)
{
	(void)state;
	struct command_request request = request_for(WORDS("stop"));
	request.timeout = 50000000;
	struct command_report report = run_request(spawner, &request);
	assert_int_equal(report.result, COMMAND_TIMED_OUT);
	assert_int_equal(report.stops, 1);
	/* Stopped for reading the terminal: nobody will continue it. */
	request = request_for(WORDS("terminal"));
	report = run_request(spawner, &request);
	assert_int_equal(report.result, COMMAND_STOPPED);
	assert_int_equal(report.code, SIGTTIN);
}

static void cancelled(void **state)
{
	(void)state;
	int fds[2];
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(write(fds[1], "x", 1), 1);
	struct command_request request = request_for(WORDS("sleep", "60000"));
	struct command_report report;
	assert_int_equal(spawner_run(spawner, &request, 1, fds[0], &report, NULL), 0);
	assert_int_equal(report.result, COMMAND_CANCELLED);
	/* A cancel that comes too late does not hit the next command. */
	request = request_for(WORDS("exit", "0"));
	for (int i = 0; i < 50; i++) {
		assert_int_equal(spawner_run(spawner, &request, 1, fds[0], &report, NULL), 0);
		assert_true(report.result == COMMAND_CANCELLED || report.result == COMMAND_EXITED);
		assert_int_equal(run_words(spawner, WORDS("exit", "9")).code, 9);
	}
	close(fds[0]);
	close(fds[1]);
}

static void bad_requests(void **state)
{
	(void)state;
	struct command_report report;
	struct error err;
	struct command_request good = request_for(WORDS("exit", "0")), request = good;
	request.lane = LANES_MAX;
	assert_int_equal(spawner_run(spawner, &request, 1, -1, &report, &err), -1);
	assert_int_equal(err.kind, ERROR_INTERNAL);
	request = good;
	request.argv = (const char *const[]){NULL};
	assert_int_equal(spawner_run(spawner, &request, 1, -1, &report, &err), -1);
	request = good;
	request.stdio[1].mode = STDIO_CAPTURE;
	assert_int_equal(spawner_run(spawner, &request, 1, -1, &report, &err), -1);
	struct command_request twice[] = {good, good};
	struct command_report reports[2];
	assert_int_equal(spawner_run(spawner, twice, 2, -1, reports, &err), -1);
	assert_int_equal(spawner_run(spawner, &good, 0, -1, &report, &err), -1);
	assert_int_equal(run_request(spawner, &good).code, 0);
}

static void many_commands_leave_nothing(void **state)
{
	(void)state;
	pid_t children[8];
	run_words(spawner, (const char *const[]){NOOP, NULL});
	int files = count_open_files();
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/fd", (int)spawner_lane_pid(spawner, 0));
	int lane_files = 0;
	DIR *folder = opendir(path);
	while (folder && readdir(folder))
		lane_files++;
	closedir(folder);
	struct buffer out = {0};
	for (int i = 0; i < 2000; i++) {
		struct command_request request = request_for((const char *const[]){NOOP, NULL});
		request.pad = (uint32_t)i;
		if (i % 10 == 0)
			request.stdio[1] = (struct command_stdio){.mode = STDIO_CAPTURE, .capture = &out};
		struct command_report report = run_request(spawner, &request);
		assert_int_equal(report.result, COMMAND_EXITED);
		assert_int_equal(report.code, 0);
	}
	buffer_release(&out);
	assert_int_equal(count_open_files(), files);
	assert_int_equal(proc_children(&host, spawner_lane_pid(spawner, 0), children, 8), 0);
	folder = opendir(path);
	while (folder && readdir(folder))
		lane_files--;
	closedir(folder);
	assert_int_equal(lane_files, 0);
}

static void counts_events(void **state)
{
	(void)state;
	static const struct counter_event events[] = {{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS}};
	struct spawner_counted counted;
	assert_int_equal(spawner_count(spawner, events, 1, false, &counted, NULL), 0);
	if (!(counted.counted & 1)) {
		assert_true(counted.why.kind != ERROR_NONE);
		skip();
	}
	/* Every command is counted, not the first of a lane alone. */
	for (unsigned run = 0; run < 20; run++) {
		struct command_request request = request_for(WORDS("allocate", "4"));
		request.lane = run % 2;
		struct command_report report = run_request(spawner, &request);
		int64_t count;
		double share;
		assert_int_equal(counter_difference(&(struct counter_value){0}, &report.counters[0], &count, &share), 0);
		/* wait4 counts some of the time before execve too. */
		assert_in_range(count, report.minor_faults + report.major_faults - 60,
		                report.minor_faults + report.major_faults);
	}
	assert_int_equal(spawner_count(spawner, NULL, 0, false, &counted, NULL), 0);
	assert_int_equal(run_words(spawner, WORDS("exit", "0")).counters[0].enabled, 0);
}

static void lanes_rest_and_come_back(void **state)
{
	(void)state;
	run_words(spawner, WORDS("exit", "0"));
	pid_t lane = spawner_lane_pid(spawner, 0);
	spawner_rest(spawner);
	spawner_rest(spawner);
	assert_int_equal(spawner_lane_pid(spawner, 0), 0);
	assert_true(wait_until(kill(lane, 0) != 0 && errno == ESRCH));
	assert_int_equal(run_words(spawner, WORDS("exit", "7")).code, 7);
	assert_int_not_equal(spawner_lane_pid(spawner, 0), lane);
	/* The old one may be on its way to its end. */
	spawner_rest(spawner);
	assert_int_equal(run_words(spawner, WORDS("exit", "8")).code, 8);
}

/* The first lane is made before anyone needs it, and the spawner ends before anyone waits for it. */
static void begins_and_ends_beside_its_caller(void **state)
{
	(void)state;
	int files = count_open_files();
	for (int run = 0; run < 2; run++) {
		pid_t children[4];
		siginfo_t info = {.si_pid = 0};
		struct spawner *own = spawner_open(&host, NULL);
		assert_non_null(own);
		pid_t pid = spawner_pid(own);
		assert_true(wait_until(proc_children(&host, pid, children, 4) == 1));
		if (run > 0) {
			assert_int_equal(run_words(own, WORDS("exit", "7")).code, 7);
			assert_int_equal(spawner_lane_pid(own, 0), children[0]);
		}
		spawner_quit(own);
		spawner_quit(own);
		assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
		assert_int_equal(info.si_code, CLD_EXITED);
		assert_int_equal(info.si_status, 0);
		spawner_close(own);
		assert_int_equal(count_open_files(), files);
	}
	spawner_quit(NULL);
}

static int forks;

/* The spawner itself, and no process more. */
static pid_t fork_once(void)
{
	if (forks++ == 0)
		return fork();
	errno = EAGAIN;
	return -1;
}

static void what_no_lane_can_be_made_for_is_told(void **state)
{
	(void)state;
	struct syscalls sys = syscalls_libc;
	sys.fork = fork_once;
	struct host crowded = {.sys = &sys, .root = ""};
	struct spawner_counted counted;
	struct error err;
	struct spawner *alone = spawner_open(&crowded, &err);
	assert_non_null(alone);
	assert_int_equal(spawner_count(alone, counter_hardware_events, 1, false, &counted, &err), -1);
	assert_string_equal(err.what, "the process that starts the commands cannot make another one");
	assert_int_equal(err.errnum, EAGAIN);
	spawner_close(alone);
}

static int open_no_null_device(const char *path, int flags, unsigned mode)
{
	if (strcmp(path, "/dev/null") != 0)
		return open(path, flags, mode);
	errno = ENOENT;
	return -1;
}

/* As in a chroot without devices: not taken for a lane that was killed, alone, in a series and with others. */
static void a_lane_that_cannot_work_says_why(void **state)
{
	(void)state;
	struct syscalls sys = syscalls_libc;
	sys.open = open_no_null_device;
	struct host bare = {.sys = &sys, .root = ""};
	struct error err;
	struct spawner *alone = spawner_open(&bare, &err);
	assert_non_null(alone);
	struct command_request requests[2] = {request_for(WORDS("exit", "0")), request_for(WORDS("exit", "0"))};
	struct command_report reports[2];
	size_t ran;
	assert_int_equal(spawner_run(alone, requests, 1, -1, reports, &err), 0);
	assert_int_equal(spawner_run_series(alone, requests, 2, -1, reports + 1, &ran, &err), 0);
	assert_int_equal(ran, 1);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(reports[i].result, COMMAND_NOT_STARTED);
		assert_int_equal(reports[i].stage, START_LANE);
		assert_int_equal(reports[i].code, ENOENT);
	}
	requests[1].lane = 1;
	assert_int_equal(spawner_run(alone, requests, 2, -1, reports, &err), 0);
	assert_int_equal(reports[0].stage, START_LANE);
	assert_int_equal(reports[1].stage, START_LANE);
	spawner_close(alone);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exit_codes),
		cmocka_unit_test(signals),
		cmocka_unit_test(start_errors),
		cmocka_unit_test(long_arguments),
		cmocka_unit_test(environment_and_directory),
		cmocka_unit_test(surroundings),
		cmocka_unit_test(standard_files),
		cmocka_unit_test(closed_standard_files_do_no_harm),
		cmocka_unit_test(huge_output_is_cut_not_blocked),
		cmocka_unit_test(instants_and_cpu_time),
		cmocka_unit_test(threads_and_workers_are_charged),
		cmocka_unit_test(peak_memory_is_the_childs_own),
		cmocka_unit_test(runs_on_the_cpus_asked_for),
		cmocka_unit_test(moves_between_cpus_are_counted),
		cmocka_unit_test(time_limit),
		cmocka_unit_test(time_limit_reaches_what_has_left_its_group),
		cmocka_unit_test(time_limit_reaches_all_descendants),
		cmocka_unit_test(leftovers_are_killed_and_reported),
		cmocka_unit_test(leftovers_may_be_kept),
		cmocka_unit_test(what_no_lane_can_be_made_for_is_told),
		cmocka_unit_test(a_lane_that_cannot_work_says_why),
		cmocka_unit_test(lanes_rest_and_come_back),
		cmocka_unit_test(begins_and_ends_beside_its_caller),
		cmocka_unit_test(a_stopped_command_is_noticed),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(bad_requests),
		cmocka_unit_test(many_commands_leave_nothing),
		cmocka_unit_test(counts_events),
	};
	return cmocka_run_group_tests(tests, open_spawner, close_spawner);
}
