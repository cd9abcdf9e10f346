/* Draining never waits and never stops early: a full buffer must not block the command. */
#include "host/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { PIPE_SIZE = 1 << 20, CHUNK = 1 << 16, AT_ONCE = 4 << 20 };

int capture_open(const struct host *host, struct capture *capture, struct buffer *into)
{
	int fds[2];
	if (host->sys->pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	/* Only our end: the command must find a pipe that blocks, as everywhere. */
	if (host->sys->fcntl(fds[0], F_SETFL, O_RDONLY | O_NONBLOCK) != 0) {
		int problem = errno;
		host->sys->close(fds[0]);
		host->sys->close(fds[1]);
		errno = problem;
		return -1;
	}
	host->sys->fcntl(fds[0], F_SETPIPE_SZ, PIPE_SIZE);
	*capture = (struct capture){.from = fds[0], .to = fds[1], .into = into};
	return 0;
}

static void keep(struct buffer *buffer, const char *bytes, size_t size)
{
	size_t room = buffer->maximum && buffer->maximum - buffer->length < size ? buffer->maximum - buffer->length : size;
	if (!buffer->too_long)
		buffer_add(buffer, bytes, room);
	if (room < size)
		buffer->too_long = true;
}

void capture_drain(const struct host *host, struct capture *capture)
{
	char bytes[CHUNK];
	size_t total = 0;
	/* Not for ever: there may be other things to look at than a command that never ceases to write. */
	while (capture->from >= 0 && total < AT_ONCE) {
		ssize_t n = host->sys->read(capture->from, bytes, sizeof(bytes));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		if (n < 0)
			capture->problem = errno;
		if (n <= 0) {
			host->sys->close(capture->from);
			capture->from = -1;
			break;
		}
		keep(capture->into, bytes, (size_t)n);
		total += (size_t)n;
	}
	capture->full = total >= PIPE_SIZE / 4;
}

void capture_close(const struct host *host, struct capture *capture)
{
	if (capture->from >= 0)
		host->sys->close(capture->from);
	if (capture->to >= 0)
		host->sys->close(capture->to);
	capture->from = capture->to = -1;
}
