/* Commands that start at one instant: the meeting itself, and what happens when one of them fails. */
#include "commands.h"

#include "host/clock.h"
#include "host/meeting.h"
#include "support/spawner.h"

#include <fcntl.h>
#include <stdlib.h>

enum { BOTH = 3 };

static void meeting_agrees_on_one_instant(void **state)
{
	(void)state;
	struct meeting meeting;
	int64_t first = 0, second = 0;
	assert_int_equal(meeting_init(&host, &meeting), 0);
	meeting_set_alive(&host, &meeting, 0, true);
	meeting_set_alive(&host, &meeting, 1, true);
	meeting_arrive(&host, &meeting, 0, 1, BOTH);
	assert_int_equal(meeting_look(&host, &meeting, 0, 1, BOTH, &first), MEETING_WAIT);
	meeting_arrive(&host, &meeting, 1, 1, BOTH);
	assert_int_equal(meeting_look(&host, &meeting, 1, 1, BOTH, &second), MEETING_READY);
	assert_int_equal(meeting_look(&host, &meeting, 0, 1, BOTH, &first), MEETING_READY);
	assert_int_equal(first, second);
	assert_true(first > 0);
	assert_false(meeting_all_ended(&meeting, 1, BOTH));
	meeting_end(&host, &meeting, 0, 1, BOTH);
	assert_false(meeting_all_ended(&meeting, 1, BOTH));
	meeting_end(&host, &meeting, 1, 1, BOTH);
	assert_true(meeting_all_ended(&meeting, 1, BOTH));
	/* The next one starts from nothing. */
	meeting_arrive(&host, &meeting, 1, 2, BOTH);
	assert_int_equal(meeting_look(&host, &meeting, 1, 2, BOTH, &second), MEETING_WAIT);
	uint64_t count;
	assert_int_equal(read(meeting.wake[0], &count, sizeof(count)), sizeof(count)); /* it was woken */
	meeting_set_alive(&host, &meeting, 0, false);
	assert_int_equal(meeting_look(&host, &meeting, 1, 2, BOTH, &second), MEETING_LOST);
	meeting_set_alive(&host, &meeting, 0, true);
	meeting_fail(&host, &meeting, 0, 2, BOTH);
	assert_int_equal(meeting_look(&host, &meeting, 1, 2, BOTH, &second), MEETING_LOST);
	meeting_end(&host, &meeting, 1, 2, BOTH);
	assert_true(meeting_all_ended(&meeting, 2, BOTH));
	meeting_release(&host, &meeting);
	meeting_release(&host, &meeting);
}

static void run_both(const char *const *left, const char *const *right, uint32_t flags,
                     struct command_report reports[2])
{
	struct command_request requests[2] = {request_for(left), request_for(right)};
	requests[1].lane = 1;
	requests[0].flags = requests[1].flags = flags;
	assert_int_equal(spawner_run(spawner, requests, 2, -1, reports, NULL), 0);
}

static void two_run_at_once(void **state)
{
	(void)state;
	struct command_report reports[2];
	for (int i = 0; i < 20; i++) {
		run_both(WORDS("sleep", "20"), WORDS("exit", "7"), 0, reports);
		assert_int_equal(reports[0].result, COMMAND_EXITED);
		assert_int_equal(reports[1].code, 7);
		assert_true(reports[0].ended - reports[0].executed >= 20000000);
	}
	run_both(WORDS("sleep", "200"), WORDS("sleep", "200"), 0, reports);
	assert_true(reports[0].executed < reports[1].ended && reports[1].executed < reports[0].ended);
}

static void more_than_two_and_on_one_cpu(void **state)
{
	(void)state;
	struct cpuset all, one = {{0}};
	assert_int_equal(cpuset_of_process(&host, 0, &all, NULL), 0);
	cpuset_add(&one, cpuset_next(&all, 0));
	struct command_request requests[4];
	struct command_report reports[4];
	const char *const *words = WORDS("spin", "5");
	for (unsigned i = 0; i < 4; i++) {
		requests[i] = request_for(words);
		requests[i].lane = 3 - i;
		requests[i].cpus = &one;
	}
	assert_int_equal(spawner_run(spawner, requests, 4, -1, reports, NULL), 0);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(reports[i].result, COMMAND_EXITED);
		assert_true(reports[i].user + reports[i].system >= 4990000);
	}
}

static void a_program_that_is_missing_fails_alone(void **state)
{
	(void)state;
	struct command_report reports[2];
	run_both((const char *const[]){"/nonexistent", NULL}, WORDS("exit", "0"), 0, reports);
	assert_int_equal(reports[0].result, COMMAND_NOT_STARTED);
	assert_int_equal(reports[0].code, ENOENT);
	assert_int_equal(reports[1].result, COMMAND_EXITED);
	/* Also when the other would be kept busy until it ends. */
	run_both((const char *const[]){"/nonexistent", NULL}, WORDS("exit", "0"), COMMAND_REFILL, reports);
	assert_int_equal(reports[0].result, COMMAND_NOT_STARTED);
	assert_int_equal(reports[1].result, COMMAND_EXITED);
}

static void one_that_cannot_come_ends_the_wait(void **state)
{
	(void)state;
	struct command_request requests[2] = {request_for(WORDS("exit", "0")), request_for(WORDS("exit", "0"))};
	struct command_report reports[2];
	requests[1].lane = 1;
	requests[1].directory = "/nonexistent";
	assert_int_equal(spawner_run(spawner, requests, 2, -1, reports, NULL), 0);
	assert_int_equal(reports[0].result, COMMAND_PEER_LOST);
	assert_int_equal(reports[1].result, COMMAND_NOT_STARTED);
	assert_int_equal(reports[1].stage, START_DIRECTORY);
}

/* A helper that kills a process after so many ns. */
static pid_t kill_later(pid_t victim, int64_t wait)
{
	pid_t killer = fork();
	if (killer != 0)
		return killer;
	struct timespec pause = {.tv_sec = wait / 1000000000, .tv_nsec = wait % 1000000000};
	nanosleep(&pause, NULL);
	kill(victim, SIGKILL);
	_exit(0);
}

static void a_dead_lane_ends_the_wait(void **state)
{
	(void)state;
	struct command_report reports[2];
	/* A lane that sleeps never comes to the meeting; a helper kills it while the other waits, later where this process had
	 * not yet asked for the commands. */
	pid_t lane = 0;
	reports[1].result = COMMAND_EXITED;
	for (int64_t wait = 50000000; reports[1].result != COMMAND_LOST && wait < 10000000000; wait *= 8) {
		run_both(WORDS("exit", "0"), WORDS("exit", "0"), 0, reports);
		lane = spawner_lane_pid(spawner, 1);
		assert_int_equal(kill(lane, SIGSTOP), 0);
		pid_t killer = kill_later(lane, wait);
		run_both(WORDS("exit", "0"), WORDS("exit", "0"), 0, reports);
		assert_int_equal(waitpid(killer, NULL, 0), killer);
	}
	assert_int_equal(reports[0].result, COMMAND_PEER_LOST);
	assert_int_equal(reports[1].result, COMMAND_LOST);
	/* A new lane takes its place. */
	run_both(WORDS("exit", "1"), WORDS("exit", "2"), 0, reports);
	assert_int_equal(reports[0].code, 1);
	assert_int_equal(reports[1].code, 2);
	assert_int_not_equal(spawner_lane_pid(spawner, 1), lane);
}

/* A table of calls in which no wake-up arrives. */
static ssize_t write_but_wake(int fd, const void *bytes, size_t size)
{
	if (size != sizeof(uint64_t))
		return write(fd, bytes, size);
	errno = EIO;
	return -1;
}

static void lost_wake_ups_do_not_hang(void **state)
{
	(void)state;
	struct syscalls deaf = syscalls_libc;
	deaf.write = write_but_wake;
	struct host deaf_host = {.sys = &deaf, .root = ""};
	struct spawner *usual = spawner;
	struct command_report reports[2];
	spawner = spawner_open(&deaf_host, NULL);
	assert_non_null(spawner);
	/* Should a lane wait for ever, its end is not seen. */
	alarm(60);
	for (int i = 0; i < 5; i++) {
		run_both(WORDS("exit", "3"), WORDS("exit", "4"), i % 2 ? COMMAND_REFILL : 0, reports);
		assert_int_equal(reports[0].code, 3);
		assert_int_equal(reports[1].code, 4);
	}
	struct command_request requests[2] = {request_for(WORDS("exit", "0")), request_for(WORDS("exit", "0"))};
	requests[1].lane = 1;
	requests[1].directory = "/nonexistent";
	assert_int_equal(spawner_run(spawner, requests, 2, -1, reports, NULL), 0);
	assert_int_equal(reports[0].result, COMMAND_PEER_LOST);
	alarm(0);
	spawner_close(spawner);
	spawner = usual;
}

static void the_shorter_is_started_again(void **state)
{
	(void)state;
	struct command_report reports[2];
	run_both(WORDS("exit", "5"), WORDS("sleep", "300"), COMMAND_REFILL, reports);
	assert_int_equal(reports[0].code, 5); /* of the first run */
	assert_true(reports[0].ended < reports[1].ended);
	assert_true(reports[0].refills >= 2);
	assert_int_equal(reports[1].refills, 0);
	/* What is started again neither repeats its output nor outlives the other. */
	struct buffer out = {0};
	struct command_request requests[2] = {request_for(WORDS("print", "once")), request_for(WORDS("sleep", "100"))};
	requests[0].stdio[1] = (struct command_stdio){.mode = STDIO_CAPTURE, .capture = &out};
	requests[0].flags = requests[1].flags = COMMAND_REFILL;
	requests[1].lane = 1;
	assert_int_equal(spawner_run(spawner, requests, 2, -1, reports, NULL), 0);
	assert_string_equal(buffer_text(&out), "once\n");
	buffer_release(&out);
	pid_t children[4];
	assert_int_equal(proc_children(&host, spawner_lane_pid(spawner, 0), children, 4), 0);
	/* One that would run long is cut when the other ends. */
	run_both(WORDS("sleep", "10"), WORDS("sleep", "100"), COMMAND_REFILL, reports);
	assert_int_equal(reports[1].result, COMMAND_EXITED);
}

static void what_had_to_be_killed_is_not_started_again(void **state)
{
	(void)state;
	char path[] = "/tmp/tare-together-XXXXXX", text[16];
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	const char *const words[] = {"/bin/sh", "-c", "echo >> $0; exec sleep 60", path, NULL};
	struct command_request requests[2] = {request_for(words), request_for(WORDS("sleep", "300"))};
	struct command_report reports[2];
	requests[0].flags = requests[1].flags = COMMAND_REFILL;
	requests[0].timeout = 100000000;
	requests[1].lane = 1;
	assert_int_equal(spawner_run(spawner, requests, 2, -1, reports, NULL), 0);
	assert_int_equal(reports[0].result, COMMAND_TIMED_OUT);
	assert_int_equal(reports[1].result, COMMAND_EXITED);
	assert_true(read(fd, text, sizeof(text)) <= 1); /* a line for each start */
	close(fd);
	unlink(path);
}

static void a_refill_ends_with_a_killed_peer(void **state)
{
	(void)state;
	struct command_report reports[2] = {{.result = COMMAND_PEER_LOST}, {.result = COMMAND_EXITED}};
	/* Later where the two had not met by then. */
	for (int64_t wait = 100000000; reports[0].result != COMMAND_EXITED || reports[1].result != COMMAND_LOST;
	     wait *= 8) {
		assert_true(wait < 10000000000);
		run_both(WORDS("exit", "0"), WORDS("exit", "0"), 0, reports);
		pid_t killer = kill_later(spawner_lane_pid(spawner, 1), wait);
		run_both(WORDS("exit", "0"), WORDS("sleep", "20000"), COMMAND_REFILL, reports);
		assert_int_equal(waitpid(killer, NULL, 0), killer);
	}
}

static int64_t first_heard;

static ssize_t recvmsg_noted(int fd, struct msghdr *message, int flags)
{
	ssize_t n = recvmsg(fd, message, flags);
	first_heard = first_heard ? first_heard : clock_now(&host);
	return n;
}

/* Nobody is woken for the one that ends first, as long as the other is timed. */
static void the_first_to_end_disturbs_no_other(void **state)
{
	(void)state;
	const struct syscalls *real = host.sys;
	struct syscalls noting = *real;
	noting.recvmsg = recvmsg_noted;
	host.sys = &noting;
	struct command_report reports[2];
	run_both(WORDS("exit", "0"), WORDS("exit", "0"), 0, reports); /* there are both lanes */
	first_heard = 0;
	run_both(WORDS("exit", "0"), WORDS("sleep", "200"), 0, reports);
	host.sys = real;
	assert_int_equal(reports[0].result, COMMAND_EXITED);
	assert_true(reports[0].ended + 100000000 < reports[1].ended);
	assert_true(first_heard >= reports[1].ended);
	/* What the first leaves behind does not run on beside the other. */
	char path[] = "/tmp/tare-together-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	const char *const leaves[] = {"/bin/sh", "-c", "setsid sleep 60 & echo $! >$0", path, NULL};
	const char *const looks[] = {
		"/bin/sh", "-c",
		"until [ -s $0 ]; do sleep 0.01; done; read pid <$0; while kill -0 $pid 2>/dev/null; do sleep 0.01; done", path,
		NULL};
	run_both(leaves, looks, 0, reports);
	assert_int_equal(reports[0].leftovers, 1);
	assert_int_equal(reports[1].code, 0);
	close(fd);
	unlink(path);
	/* The other may be killed at its time limit, or with its lane. */
	struct command_request requests[2] = {request_for(WORDS("exit", "0")), request_for(WORDS("sleep", "20000"))};
	requests[1].lane = 1;
	requests[1].timeout = 100000000;
	assert_int_equal(spawner_run(spawner, requests, 2, -1, reports, NULL), 0);
	assert_int_equal(reports[0].result, COMMAND_EXITED);
	assert_int_equal(reports[1].result, COMMAND_TIMED_OUT);
	pid_t killer = kill_later(spawner_lane_pid(spawner, 1), 1000000000);
	run_both(WORDS("exit", "0"), WORDS("sleep", "20000"), 0, reports);
	assert_int_equal(waitpid(killer, NULL, 0), killer);
	assert_int_equal(reports[1].result, COMMAND_LOST);
}

static void cancel_reaches_all(void **state)
{
	(void)state;
	int fds[2];
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	struct command_request requests[2] = {request_for(WORDS("sleep", "60000")), request_for(WORDS("exit", "0"))};
	struct command_report reports[2];
	requests[1].lane = 1;
	for (int refill = 0; refill < 2; refill++) {
		/* On a busy machine the one that ends may need longer to do so. */
		for (int64_t wait = 30000000, ended = 0; !ended && wait < 10000000000; wait *= 8) {
			pid_t canceller = fork();
			if (canceller == 0) {
				struct timespec pause = {.tv_sec = wait / 1000000000, .tv_nsec = wait % 1000000000};
				nanosleep(&pause, NULL);
				_exit(write(fds[1], "x", 1) != 1);
			}
			requests[0].flags = requests[1].flags = refill ? COMMAND_REFILL : 0;
			assert_int_equal(spawner_run(spawner, requests, 2, fds[0], reports, NULL), 0);
			waitpid(canceller, NULL, 0);
			ended = reports[1].result == COMMAND_EXITED;
			char byte;
			assert_int_equal(read(fds[0], &byte, 1), 1);
		}
		assert_int_equal(reports[0].result, COMMAND_CANCELLED);
		assert_int_equal(reports[1].result, COMMAND_EXITED);
	}
	close(fds[0]);
	close(fds[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(meeting_agrees_on_one_instant),
		cmocka_unit_test(two_run_at_once),
		cmocka_unit_test(more_than_two_and_on_one_cpu),
		cmocka_unit_test(a_program_that_is_missing_fails_alone),
		cmocka_unit_test(one_that_cannot_come_ends_the_wait),
		cmocka_unit_test(a_dead_lane_ends_the_wait),
		cmocka_unit_test(the_shorter_is_started_again),
		cmocka_unit_test(a_refill_ends_with_a_killed_peer),
		cmocka_unit_test(lost_wake_ups_do_not_hang),
		cmocka_unit_test(the_first_to_end_disturbs_no_other),
		cmocka_unit_test(cancel_reaches_all),
		cmocka_unit_test(what_had_to_be_killed_is_not_started_again),
	};
	return cmocka_run_group_tests(tests, open_spawner, close_spawner);
}
