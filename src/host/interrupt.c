#include "host/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* A signal handler can reach nothing but globals. */
static int wake_fd = -1;
static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction before[sizeof(signals) / sizeof(signals[0])], pipe_before;
static atomic_llong first[NSIG]; /* when each came first, in ms; 0: not yet */

/* One signal may come twice at a time: timeout(1) sends it to the program and then to its whole group. */
static bool is_repeated(int number)
{
	struct timespec clock;
	long long then = 0;
	clock_gettime(CLOCK_MONOTONIC, &clock);
	long long now = clock.tv_sec * 1000LL + clock.tv_nsec / 1000000;
	return !atomic_compare_exchange_strong(&first[number], &then, now) && now - then >= 500;
}

static void on_signal(int number)
{
	static const unsigned long long one = 1;
	int keep = errno;
	if (wake_fd >= 0 && write(wake_fd, &one, sizeof(one)) < 0)
		_exit(128 + number);
	/* Whoever presses once more after a while means it. */
	if (is_repeated(number)) {
		signal(number, SIG_DFL);
		raise(number);
	}
	errno = keep;
}

int interrupt_open(int *fd, struct error *err)
{
	struct sigaction action;
	wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (wake_fd < 0)
		return error_system(err, errno, "cannot make an event descriptor");
	memset(&action, 0, sizeof(action));
	action.sa_handler = on_signal;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		atomic_store(&first[signals[i]], 0);
		if (sigaction(signals[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
	/* Ctrl-C ends the reader of "tare run … 2>&1 | tee log" too: what was measured is still to be written. */
	action.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &action, &pipe_before);
	*fd = wake_fd;
	return 0;
}

bool interrupt_came(void)
{
	struct pollfd watched = {.fd = wake_fd, .events = POLLIN};
	return wake_fd >= 0 && poll(&watched, 1, 0) == 1;
}

void interrupt_close(void)
{
	if (wake_fd >= 0) {
		for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
			sigaction(signals[i], &before[i], NULL);
		sigaction(SIGPIPE, &pipe_before, NULL);
		close(wake_fd);
	}
	wake_fd = -1;
}

void interrupt_if_unread(int fd)
{
	struct pollfd pipe = {.fd = fd, .events = POLLOUT};
	if (poll(&pipe, 1, 0) == 1 && (pipe.revents & POLLERR))
		raise(SIGPIPE);
}
