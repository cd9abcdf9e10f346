/* Two pipes, a poll, and a buffer of one line. */
#include "host/lines.h"

#include "host/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>

static int no_pipe(struct error *err)
{
	error_system(err, errno, "cannot make a pipe");
	return error_next(err, "the limit of open files may be reached (ulimit -n)");
}

int lines_init(const struct host *host, struct lines *lines, struct error *err)
{
	int to[2], from[2];
	memset(lines, 0, sizeof(*lines));
	if (host->sys->pipe2(to, O_CLOEXEC) != 0)
		return no_pipe(err);
	if (host->sys->pipe2(from, O_CLOEXEC) != 0) {
		no_pipe(err);
		host->sys->close(to[0]);
		host->sys->close(to[1]);
		return -1;
	}
	lines->other_from = to[0];
	lines->to = to[1];
	lines->from = from[0];
	lines->other_to = from[1];
	if (host->sys->fcntl(lines->to, F_SETFL, O_NONBLOCK) != 0 ||
	    host->sys->fcntl(lines->from, F_SETFL, O_NONBLOCK) != 0) {
		error_system(err, errno, "cannot make a pipe that does not block");
		lines_release(host, lines);
		return -1;
	}
	return 0;
}

static void close_one(const struct host *host, int *fd)
{
	if (*fd > 0)
		host->sys->close(*fd);
	*fd = 0;
}

void lines_passed(const struct host *host, struct lines *lines)
{
	close_one(host, &lines->other_to);
}

void lines_release(const struct host *host, struct lines *lines)
{
	close_one(host, &lines->from);
	close_one(host, &lines->to);
	close_one(host, &lines->other_from);
	close_one(host, &lines->other_to);
	lines->start = lines->used = 0;
}

enum lines_status lines_send(const struct host *host, struct lines *lines, const char *text)
{
	size_t left = strlen(text);
	while (left > 0) {
		ssize_t put = host->sys->write(lines->to, text, left);
		if (put < 0 && errno == EAGAIN)
			return LINES_LATE;
		if (put < 0 && errno != EINTR)
			return LINES_BROKEN;
		if (put > 0) {
			text += put;
			left -= (size_t)put;
		}
	}
	return LINES_OK;
}

/* The next line of what has been read; NULL when there is no whole one. */
static char *take(struct lines *lines)
{
	char *from = lines->input + lines->start;
	char *newline = memchr(from, '\n', lines->used - lines->start);
	if (!newline) {
		memmove(lines->input, from, lines->used - lines->start);
		lines->used -= lines->start;
		lines->start = 0;
		return NULL;
	}
	*newline = '\0';
	lines->start = (size_t)(newline + 1 - lines->input);
	return from;
}

/* LINES_OK: something was read; LINES_LATE: nothing there now; LINES_ENDED: the stream has ended. */
static enum lines_status fill(const struct host *host, struct lines *lines)
{
	if (lines->used == sizeof(lines->input))
		return LINES_TOO_LONG;
	ssize_t got = host->sys->read(lines->from, lines->input + lines->used, sizeof(lines->input) - lines->used);
	if (got < 0)
		return errno == EAGAIN || errno == EINTR ? LINES_LATE : LINES_BROKEN;
	if (got == 0)
		return LINES_ENDED;
	if (memchr(lines->input + lines->used, '\0', (size_t)got))
		return LINES_TOO_LONG;
	lines->used += (size_t)got;
	return LINES_OK;
}

enum lines_status lines_receive(const struct host *host, struct lines *lines, int process, int cancel, int64_t deadline,
                                char **line)
{
	struct pollfd fds[3] = {{lines->from, POLLIN, 0}, {process, POLLIN, 0}, {cancel, POLLIN, 0}};
	while (!(*line = take(lines))) {
		int64_t now = clock_now(host);
		struct timespec left = clock_left(now, deadline);
		fds[0].revents = fds[1].revents = fds[2].revents = 0;
		int ready = host->sys->ppoll(fds, 3, &left, NULL);
		if (ready < 0 && errno != EINTR)
			return LINES_BROKEN;
		if (ready == 0 && now >= deadline)
			return LINES_LATE;
		if (ready <= 0)
			continue;
		if (fds[2].revents)
			return LINES_CANCELLED;
		enum lines_status status = fds[0].revents ? fill(host, lines) : LINES_LATE;
		if (status == LINES_TOO_LONG || status == LINES_BROKEN)
			return status;
		if (status == LINES_ENDED)
			fds[0].fd = -1; /* it has closed its end; only its death, the deadline or a cancel are still to come */
		if (status != LINES_OK && fds[1].revents)
			return LINES_ENDED;
	}
	return LINES_OK;
}
