/* The output of a command through a pipe into a buffer. */
#ifndef TARE_HOST_CAPTURE_H
#define TARE_HOST_CAPTURE_H

#include "base/buffer.h"
#include "host/host.h"

struct capture {
	int from, to; /* ends of the pipe; -1: closed */
	struct buffer *into;
	bool full;   /* the last reading found most of the pipe filled */
	int problem; /* errno of a reading that failed; what followed is lost */
};

/* A pipe as large as the system allows, up to a megabyte, so that few commands ever wait for us.
 * 0, or -1 with errno. */
int capture_open(const struct host *host, struct capture *capture, struct buffer *into);

/* Reads what is there, at most some megabytes, without waiting; what exceeds the buffer's maximum is dropped and marks
 * the buffer as too long. Closes its end when the last writer has gone. */
void capture_drain(const struct host *host, struct capture *capture);

void capture_close(const struct host *host, struct capture *capture);

#endif
