/* Signals become a descriptor, and are what they were afterwards. */
#include "host/interrupt.h"

#include "support/known.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_readable(int fd)
{
	struct pollfd watched = {.fd = fd, .events = POLLIN};
	return poll(&watched, 1, 0) == 1;
}

static void a_signal_makes_it_readable(void **state)
{
	(void)state;
	struct error err;
	int fd;
	assert_false(interrupt_came());
	assert_int_equal(interrupt_open(&fd, &err), 0);
	assert_false(is_readable(fd));
	assert_int_equal(raise(SIGTERM), 0);
	assert_true(is_readable(fd));
	assert_true(interrupt_came());
	/* The same at once is one signal that came twice. */
	assert_int_equal(raise(SIGTERM), 0);
	interrupt_close();
	assert_false(interrupt_came());
}

static void ignored_ones_stay_ignored(void **state)
{
	(void)state;
	struct error err;
	int fd;
	signal(SIGHUP, SIG_IGN);
	assert_int_equal(interrupt_open(&fd, &err), 0);
	assert_int_equal(raise(SIGHUP), 0);
	assert_false(interrupt_came());
	interrupt_close();
	signal(SIGHUP, SIG_DFL);
}

static int end_of_child(bool closed)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0) {
		struct error err;
		int fd;
		if (interrupt_open(&fd, &err) != 0)
			_exit(1);
		if (closed)
			interrupt_close();
		raise(SIGINT);
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void afterwards_they_end_the_program(void **state)
{
	(void)state;
	assert_true(WIFEXITED(end_of_child(false)));
	int status = end_of_child(true);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGINT);
}

static void a_pipe_that_nobody_reads_ends_it(void **state)
{
	(void)state;
	int ends[2], status = 0;
	assert_int_equal(pipe(ends), 0);
	interrupt_if_unread(ends[1]); /* somebody reads it */
	close(ends[0]);
	pid_t child = fork();
	if (child == 0) {
		interrupt_if_unread(ends[1]);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGPIPE);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signal_makes_it_readable),
		cmocka_unit_test(ignored_ones_stay_ignored),
		cmocka_unit_test(afterwards_they_end_the_program),
		cmocka_unit_test(a_pipe_that_nobody_reads_ends_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
