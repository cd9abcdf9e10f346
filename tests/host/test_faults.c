/* Every system call of the layer made to fail in turn: the first, the second, … call of each kind.
 *
 * The same story is told each time, in a process of its own: open the spawner, run a command whose output
 * is captured, run two at once, let the lanes rest, run one, close. Whatever fails, the story must end, leave
 * no process and no open file behind, and must not take a failure for a result. An interrupted call (EINTR)
 * must change nothing at all. */
#include "commands.h"

#include "host/clock.h"
#include "host/cpus.h"
#include "host/info.h"
#include "support/calls.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>

/* Shared by all processes of the story. */
struct plan_of_failure {
	int call, errnum;
	int countdown; /* 1: the next call fails */
	int happened;
};
static struct plan_of_failure *failure;

static int must_fail(enum call call)
{
	if ((int)call != failure->call || __atomic_sub_fetch(&failure->countdown, 1, __ATOMIC_SEQ_CST) != 0)
		return 0;
	failure->happened = 1;
	return failure->errnum;
}

#define FAILING_REAL syscalls_libc
#include "support/failing.h"

static const struct syscalls failing = FAILING_TABLE;

enum story { STORY_TOLD = 0, STORY_FAILED = 10, STORY_FALSE = 20, STORY_LEAKED = 21 };

/* A result must be one: the commands of the story exit with 3 and print something. */
static bool is_true(const struct command_report *report)
{
	return report->result != COMMAND_EXITED ||
	       (report->code == 3 && report->asked > 0 && report->asked <= report->executed &&
	        report->executed < report->ended && report->peak_rss > 0 && report->user + report->system > 0);
}

static int tell_story(void)
{
	static const char *const argv[] = {"/bin/sh", "-c", "echo text; exit 3", NULL};
	struct host host = {.sys = &failing, .root = ""};
	struct buffer out = {0};
	struct command_report reports[2];
	struct command_request requests[2] = {request_for(argv), request_for(argv)};
	struct spawner *spawner = spawner_open(&host, NULL);
	if (!spawner)
		return STORY_FAILED;
	requests[0].directory = "/";
	requests[0].timeout = 5000000000;
	requests[0].stdio[1] = (struct command_stdio){.mode = STDIO_CAPTURE, .capture = &out};
	int result = STORY_TOLD;
	if (spawner_run(spawner, requests, 1, -1, reports, NULL) != 0 || reports[0].result != COMMAND_EXITED)
		result = STORY_FAILED;
	else if (!is_true(&reports[0]) || strcmp(buffer_text(&out), "text\n") != 0)
		result = STORY_FALSE;
	requests[0].stdio[1].mode = STDIO_NULL;
	requests[0].flags = requests[1].flags = COMMAND_REFILL;
	requests[1].lane = 1;
	if (spawner_run(spawner, requests, 2, -1, reports, NULL) != 0)
		result = result ? result : STORY_FAILED;
	else
		for (int i = 0; i < 2; i++) {
			if (reports[i].result != COMMAND_EXITED && result == STORY_TOLD)
				result = STORY_FAILED;
			if (!is_true(&reports[i]))
				result = STORY_FALSE;
		}
	spawner_rest(spawner);
	requests[0].flags = 0;
	if (spawner_run(spawner, requests, 1, -1, reports, NULL) != 0 || reports[0].result != COMMAND_EXITED)
		result = result ? result : STORY_FAILED;
	else if (!is_true(&reports[0]))
		result = STORY_FALSE;
	spawner_close(spawner);
	buffer_release(&out);
	return result;
}

/* In a process of its own. */
static int story_process(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	int files = count_open_files();
	int result = tell_story();
	failure->call = CALL_COUNT;
	if (result != STORY_FALSE && count_open_files() != files)
		result = STORY_LEAKED;
	return result;
}

static bool nothing_left(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
}

/* Tells the story with one failure; returns its exit status, or -1 when it was never reached. */
static int try_failure(enum call call, int nth, int errnum)
{
	*failure = (struct plan_of_failure){.call = (int)call, .errnum = errnum, .countdown = nth};
	pid_t pid = fork();
	if (pid == 0)
		_exit(story_process());
	int status = 0;
	if (!wait_until(waitpid(pid, &status, WNOHANG) == pid)) {
		kill(pid, SIGKILL);
		wait_until(nothing_left());
		fail_msg("%s, call %d, %s: the story does not end", call_names[call], nth, strerror(errnum));
	}
	if (!WIFEXITED(status))
		fail_msg("%s, call %d, %s: signal %d", call_names[call], nth, strerror(errnum), WTERMSIG(status));
	if (!wait_until(nothing_left()))
		fail_msg("%s, call %d, %s: a process is left", call_names[call], nth, strerror(errnum));
	return failure->happened ? WEXITSTATUS(status) : -1;
}

/* A call that was forgotten in the table of the real ones would be a jump to nowhere. */
static void no_call_is_missing(void **state)
{
	(void)state;
#define X(type, failure, name, parameters, arguments) \
	if (!syscalls_libc.name) \
		fail_msg("%s", #name);
	SYSCALLS(X)
#undef X
}

static void the_story_itself(void **state)
{
	(void)state;
	try_failure(CALL_COUNT, 1, EIO);
	*failure = (struct plan_of_failure){.call = CALL_COUNT};
	pid_t pid = fork();
	if (pid == 0)
		_exit(story_process());
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void every_call_fails(void **state)
{
	(void)state;
	enum { MOST = 25 };
	int tried = 0;
	for (int call = 0; call < CALL_COUNT; call++)
		for (int nth = 1; nth <= MOST; nth++) {
			int errnum = call == CALL_fork || call == CALL_clone_vfork ? EAGAIN : EMFILE;
			int result = try_failure((enum call)call, nth, errnum);
			if (result < 0)
				break;
			tried++;
			if (result == STORY_FALSE)
				fail_msg("%s, call %d: a failure was taken for a result", call_names[call], nth);
			if (result == STORY_LEAKED)
				fail_msg("%s, call %d: a file is left open", call_names[call], nth);
		}
	assert_true(tried > 200);
}

static void interruptions_change_nothing(void **state)
{
	(void)state;
	static const enum call calls[] = {CALL_read,  CALL_write,  CALL_sendmsg, CALL_recvmsg,
	                                  CALL_ppoll, CALL_waitid, CALL_wait4};
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		for (int nth = 1; nth <= 25; nth++) {
			int result = try_failure(calls[i], nth, EINTR);
			if (result < 0)
				break;
			if (result != STORY_TOLD)
				fail_msg("%s, call %d interrupted: the story ended with %d", call_names[calls[i]], nth, result);
		}
}

/* Sockets that give one byte at a time. */
static ssize_t short_recvmsg(int fd, struct msghdr *message, int flags)
{
	struct iovec one = {message->msg_iov[0].iov_base, message->msg_iov[0].iov_len > 0};
	struct msghdr part = *message;
	part.msg_iov = &one;
	part.msg_iovlen = 1;
	ssize_t n = recvmsg(fd, &part, flags);
	message->msg_controllen = part.msg_controllen;
	return n;
}

static ssize_t short_sendmsg(int fd, const struct msghdr *message, int flags)
{
	struct msghdr part = *message;
	struct iovec few = message->msg_iov[0];
	few.iov_len = few.iov_len > 3 ? 3 : few.iov_len;
	part.msg_iov = &few;
	part.msg_iovlen = 1;
	return sendmsg(fd, &part, flags);
}

static void partial_transfers_change_nothing(void **state)
{
	(void)state;
	struct syscalls sys = syscalls_libc;
	sys.recvmsg = short_recvmsg;
	sys.sendmsg = short_sendmsg;
	struct host host = {.sys = &sys, .root = ""};
	struct spawner *spawner = spawner_open(&host, NULL);
	struct command_request request = request_for(WORDS("print", "all of it"));
	char *text = output_of(spawner, request);
	assert_string_equal(text, "all of it");
	free(text);
	spawner_close(spawner);
}

/* The readers of the machine say what they do not know. */
static void reading_the_machine(void **state)
{
	(void)state;
	struct host host = {.sys = &failing, .root = ""};
	for (int call = 0; call < CALL_COUNT; call++)
		for (int nth = 1; nth <= 30; nth++) {
			*failure = (struct plan_of_failure){.call = call, .errnum = EMFILE, .countdown = nth};
			struct host_description description;
			struct cpus cpus = {.places = NULL};
			struct cpu_times times;
			int files = count_open_files();
			info_describe(&host, &description);
			info_load(&host);
			info_cpu_times(&host, &times);
			clock_measure(&host);
			if (cpus_read(&host, &cpus, NULL) == 0)
				assert_true(cpus_usable(&cpus) >= 1);
			cpus_release(&cpus);
			assert_int_equal(count_open_files(), files);
			if (!failure->happened)
				break;
		}
	failure->call = CALL_COUNT;
}

static int set_up(void **state)
{
	(void)state;
	failure = mmap(NULL, sizeof(*failure), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	failure->call = CALL_COUNT;
	return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_call_is_missing),
		cmocka_unit_test(the_story_itself),
		cmocka_unit_test(every_call_fails),
		cmocka_unit_test(interruptions_change_nothing),
		cmocka_unit_test(partial_transfers_change_nothing),
		cmocka_unit_test(reading_the_machine),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
