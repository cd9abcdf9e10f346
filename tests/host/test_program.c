/* Programs that talk: how they are started, what they get, how their end is seen; and the lines between. */
#include "host/clock.h"
#include "host/lines.h"
#include "host/proc.h"
#include "host/program.h"
#include "host/shared.h"
#include "support/known.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)

static const struct host *machine(void)
{
	static struct host host;
	host = host_real();
	return &host;
}

static int64_t soon(void)
{
	return clock_now(machine()) + 60 * SECOND;
}

/* What `sh -c script` writes to standard output, with this request. */
static const char *output_of(struct program_request request, const char *script, int code)
{
	static char text[512];
	struct error err;
	struct program program;
	int file = shared_file(machine(), "output", &err);
	const char *const argv[] = {"sh", "-c", script, NULL};
	request.argv = argv;
	request.out = file;
	request.err = 2;
	if (program_start(machine(), &request, &program, &err) != 0)
		fail_msg("%s", err.what);
	assert_true(program_wait(machine(), &program, soon()));
	assert_int_equal(program.code, code);
	assert_int_equal(program.signal, 0);
	program_release(machine(), &program);
	shared_file_head(machine(), file, text, sizeof(text));
	close(file);
	return text;
}

static void gets_what_was_asked(void **state)
{
	(void)state;
	setenv("TEST_KEPT", "kept", 1);
	setenv("TEST_CHANGED", "before", 1);
	const char *const env[] = {"TEST_CHANGED=after", "TEST_NEW=new", NULL};
	struct program_request request = {.env = env, .directory = "/"};
	assert_string_equal(output_of(request, "echo $TEST_KEPT $TEST_CHANGED $TEST_NEW; pwd; cat; exit 3", 3),
	                    "kept after new\n/\n");
	struct cpuset allowed, one = {{0}};
	struct error err;
	char cpu[64], got[64];
	assert_int_equal(cpuset_of_process(machine(), 0, &allowed, &err), 0);
	cpuset_add(&one, cpuset_next(&allowed, 0));
	cpuset_format(&one, cpu, sizeof(cpu));
	request = (struct program_request){.cpus = &one};
	snprintf(got, sizeof(got), "%s", output_of(request, "sed -n 's/^Cpus_allowed_list:.//p' /proc/self/status", 0));
	got[strcspn(got, "\n")] = '\0';
	assert_string_equal(got, cpu);
}

/* Descriptors that stand where others are to go. */
static void descriptors_do_not_overwrite_each_other(void **state)
{
	(void)state;
	struct error err;
	int files[3];
	char text[16];
	for (int i = 0; i < 3; i++)
		files[i] = shared_file(machine(), "file", &err);
	const int crossed[] = {files[2], files[0], files[1]};
	struct program_request request = {.fds = crossed, .fd_count = 3};
	output_of(request, "echo three >&3; echo four >&4; echo five >&5", 0);
	static const char *const expected[] = {"four\n", "five\n", "three\n"};
	for (int i = 0; i < 3; i++) {
		shared_file_head(machine(), files[i], text, sizeof(text));
		assert_string_equal(text, expected[i]);
		close(files[i]);
	}
}

static void says_why_it_cannot_start(void **state)
{
	(void)state;
	static const struct {
		const char *program, *directory;
		enum error_kind kind;
		const char *what, *next;
	} cases[] = {
		{"/no/such/file", NULL, ERROR_SUBJECT, "there is no such program", "check the path"},
		{"./passwd-", "/etc/..", ERROR_SUBJECT, "there is no such program", "check the path"},
		{"./passwd", "/etc", ERROR_SUBJECT, "cannot be started", "chmod"},
		{"no-such-program-anywhere", NULL, ERROR_SUBJECT, "there is no such program", "check the spelling and PATH"},
		{"/etc/passwd", NULL, ERROR_SUBJECT, "cannot be started", "chmod"},
		{"sh", "/no/such/folder", ERROR_SYSTEM, "cannot enter its working directory", ""},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *const argv[] = {cases[i].program, NULL};
		struct program_request request = {.argv = argv, .directory = cases[i].directory, .out = 1, .err = 2};
		struct program program;
		struct error err;
		assert_int_equal(program_start(machine(), &request, &program, &err), -1);
		assert_int_equal(err.kind, cases[i].kind);
		assert_non_null(strstr(err.what, cases[i].what));
		assert_non_null(strstr(err.next, cases[i].next));
		assert_string_equal(err.on, cases[i].program);
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	}
}

static int forbidden(pid_t pid, size_t size, const cpu_set_t *set)
{
	(void)pid;
	(void)size;
	(void)set;
	errno = EPERM;
	return -1;
}

static void says_what_the_surroundings_refuse(void **state)
{
	(void)state;
	const char *const argv[] = {"true", NULL};
	struct program program;
	struct error err;
	struct rlimit before, few;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = (struct rlimit){.rlim_cur = 16, .rlim_max = before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	int status = program_start(machine(), &(struct program_request){.argv = argv, .out = 1, .err = 2}, &program, &err);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(status, -1);
	assert_int_equal(err.errnum, EMFILE);
	assert_non_null(strstr(err.next, "ulimit -n"));
	struct syscalls sys = syscalls_libc;
	sys.sched_setaffinity = forbidden;
	struct host strict = {.sys = &sys, .root = ""};
	struct cpuset all;
	cpuset_parse("0-4095", &all, NULL);
	struct program_request bound = {.argv = argv, .out = 1, .err = 2, .cpus = &all};
	assert_int_equal(program_start(&strict, &bound, &program, &err), -1);
	assert_int_equal(err.errnum, EPERM);
	assert_non_null(strstr(err.next, "sched_setaffinity"));
}

/* A child that stays behind in the group dies with the program. */
static void takes_its_group_with_it(void **state)
{
	(void)state;
	struct program_request request = {.directory = NULL};
	pid_t left = (pid_t)atoi(output_of(request, "sleep 1000 & echo $!", 0));
	assert_true(left > 1);
	/* It has been sent SIGKILL; its new parent reaps it in its own time, and it is dead or a zombie until then. */
	for (int64_t deadline = soon(); clock_now(machine()) < deadline;) {
		char path[64], line[128] = "";
		snprintf(path, sizeof(path), "/proc/%d/stat", (int)left);
		FILE *stat = fopen(path, "r");
		bool gone = !stat || !fgets(line, sizeof(line), stat) || strstr(line, ") Z ") || strstr(line, ") X ");
		if (stat)
			fclose(stat);
		if (gone)
			return;
	}
	fail_msg("process %d lives on", (int)left);
}

/* Whether a process is gone, or a zombie that somebody else reaps. */
static bool is_gone(pid_t pid)
{
	struct proc_stat stat;
	return proc_stat(machine(), pid, &stat) != 0 || stat.state == 'Z' || stat.state == 'X';
}

/* Children in sessions of their own die too, also those that have lost their parent before, as daemons do; what the
 * caller had before, and another program, do not. Of two programs the last one decides. */
static void sweeps_what_left_its_group(void **state)
{
	(void)state;
	static const char script[] = "setsid sh -c 'echo $$; exec sleep 1000' &\n"
								 "(setsid sh -c 'sleep 1000 & echo $!; wait' & exec sleep 0)\n"
								 "read -r line <&3";
	const char *const argv[] = {"sh", "-c", script, NULL};
	struct error err;
	struct program programs[2];
	int pipes[2][2], left[2][2];
	pid_t own = fork();
	if (own == 0)
		for (;;)
			pause();
	for (int i = 0; i < 2; i++) {
		int output[2];
		assert_int_equal(pipe2(pipes[i], O_CLOEXEC), 0);
		assert_int_equal(pipe2(output, O_CLOEXEC), 0);
		struct program_request request = {
			.argv = argv, .out = output[1], .err = 2, .fds = pipes[i], .fd_count = 1, .sweep = true};
		assert_int_equal(program_start(machine(), &request, &programs[i], &err), 0);
		close(output[1]);
		FILE *said = fdopen(output[0], "r");
		assert_int_equal(fscanf(said, "%d %d", &left[i][0], &left[i][1]), 2);
		fclose(said);
	}
	/* Like a plug-in of the monitor. */
	const char *const sleeps[] = {"sleep", "1000", NULL};
	struct program_request beside = {.argv = sleeps, .out = 1, .err = 2};
	struct program other;
	assert_int_equal(program_start(machine(), &beside, &other, &err), 0);
	for (int i = 0; i < 2; i++) {
		assert_false(is_gone(left[0][0]) || is_gone(left[0][1]) || is_gone(left[1][0]) || is_gone(left[1][1]));
		close(pipes[i][1]);
		assert_true(program_wait(machine(), &programs[i], soon()));
		program_release(machine(), &programs[i]);
		close(pipes[i][0]);
	}
	assert_true(is_gone(left[0][0]) && is_gone(left[0][1]) && is_gone(left[1][0]) && is_gone(left[1][1]));
	assert_false(is_gone(own) || is_gone(other.pid));
	program_kill(machine(), &other);
	program_release(machine(), &other);
	kill(own, SIGKILL);
	assert_int_equal(waitpid(-1, NULL, 0), own);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	/* A start that fails leaves nothing to expect. */
	const char *const nothing[] = {"/no/such/file", NULL};
	struct program_request none = {.argv = nothing, .out = 1, .err = 2, .sweep = true};
	int adopts = 1;
	assert_int_equal(program_start(machine(), &none, &programs[0], &err), -1);
	assert_int_equal(prctl(PR_GET_CHILD_SUBREAPER, &adopts, 0, 0, 0), 0);
	assert_int_equal(adopts, 0);
}

static void kills_and_counts(void **state)
{
	(void)state;
	const char *const argv[] = {"sh", "-c", "trap '' TERM INT HUP; while :; do :; done", NULL};
	struct program_request request = {.argv = argv, .out = 1, .err = 2};
	struct program program;
	struct error err;
	assert_int_equal(program_start(machine(), &request, &program, &err), 0);
	assert_false(program_wait(machine(), &program, clock_now(machine())));
	while (clock_process_cpu(machine(), program.pid) < 1000000)
		assert_false(program.ended);
	program_kill(machine(), &program);
	assert_true(program.ended);
	assert_int_equal(program.signal, SIGKILL);
	program_kill(machine(), &program);
	program_release(machine(), &program);
	program_release(machine(), &program);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

/* A program that says what the script writes to descriptor 4 and reads from 3. */
static struct program talker(struct lines *lines, const char *script)
{
	const char *const argv[] = {"sh", "-c", script, NULL};
	struct error err;
	struct program program;
	assert_int_equal(lines_init(machine(), lines, &err), 0);
	const int fds[] = {lines->other_from, lines->other_to};
	struct program_request request = {.argv = argv, .out = 1, .err = 2, .fds = fds, .fd_count = 2};
	if (program_start(machine(), &request, &program, &err) != 0)
		fail_msg("%s", err.what);
	lines_passed(machine(), lines);
	return program;
}

static void lines_come_whole(void **state)
{
	(void)state;
	struct lines lines;
	char *line;
	struct program program = talker(
		&lines, "read -r a <&3; printf 'got %s\\n\\nha' \"$a\" >&4; read -r b <&3; printf 'lf %s\\nrest' \"$b\" >&4");
	assert_int_equal(lines_send(machine(), &lines, "one two\n"), LINES_OK);
	assert_int_equal(lines_receive(machine(), &lines, program.pidfd, -1, soon(), &line), LINES_OK);
	assert_string_equal(line, "got one two");
	assert_int_equal(lines_receive(machine(), &lines, program.pidfd, -1, soon(), &line), LINES_OK);
	assert_string_equal(line, "");
	assert_int_equal(lines_receive(machine(), &lines, program.pidfd, -1, clock_now(machine()), &line), LINES_LATE);
	assert_int_equal(lines_send(machine(), &lines, "x\n"), LINES_OK);
	assert_int_equal(lines_receive(machine(), &lines, program.pidfd, -1, soon(), &line), LINES_OK);
	assert_string_equal(line, "half x");
	assert_int_equal(lines_receive(machine(), &lines, program.pidfd, -1, soon(), &line),
	                 LINES_ENDED); /* no newline: no line */
	program_release(machine(), &program);
	/* Nobody reads any more: no signal, and in the end no room. */
	enum lines_status status = LINES_OK;
	for (int i = 0; status == LINES_OK && i < 1000000; i++)
		status = lines_send(machine(), &lines, "into the void\n");
	assert_int_equal(status, LINES_LATE);
	lines_release(machine(), &lines);
	lines_release(machine(), &lines);
}

static void what_was_said_before_the_end_is_heard(void **state)
{
	(void)state;
	struct lines lines;
	char *line;
	struct program program = talker(&lines, "echo last words >&4");
	assert_true(program_wait(machine(), &program, soon()));
	assert_int_equal(lines_receive(machine(), &lines, program.pidfd, -1, soon(), &line), LINES_OK);
	assert_string_equal(line, "last words");
	assert_int_equal(lines_receive(machine(), &lines, program.pidfd, -1, soon(), &line), LINES_ENDED);
	program_release(machine(), &program);
	lines_release(machine(), &lines);
	/* It closes its end and lives on: only the deadline helps. */
	program = talker(&lines, "exec 4>&-; read -r a <&3");
	assert_int_equal(lines_receive(machine(), &lines, program.pidfd, -1, clock_now(machine()) + SECOND / 20, &line),
	                 LINES_LATE);
	program_release(machine(), &program);
	lines_release(machine(), &lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gets_what_was_asked),
		cmocka_unit_test(descriptors_do_not_overwrite_each_other),
		cmocka_unit_test(says_why_it_cannot_start),
		cmocka_unit_test(says_what_the_surroundings_refuse),
		cmocka_unit_test(takes_its_group_with_it),
		cmocka_unit_test(sweeps_what_left_its_group),
		cmocka_unit_test(kills_and_counts),
		cmocka_unit_test(lines_come_whole),
		cmocka_unit_test(what_was_said_before_the_end_is_heard),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
