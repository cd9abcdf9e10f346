/* Lines of text to and from another process over two pipes, with a deadline and with the other's end noticed.
 *
 * A forked descendant may hold the other process's pipe ends open after its death, so the end of the stream proves
 * nothing: a process descriptor does. The writing pipe never blocks and never raises SIGPIPE, for this side holds its
 * reading end open too. */
#ifndef TARE_HOST_LINES_H
#define TARE_HOST_LINES_H

#include "base/error.h"
#include "host/host.h"

#include <stddef.h>

enum { LINES_MAX = 4096 }; /* bytes of a line with its newline */

struct lines {
	int from, to;             /* this side's ends */
	int other_from, other_to; /* the other side's: to be passed on, then lines_passed() */
	size_t start, used;       /* of what was read and not yet taken */
	char input[LINES_MAX];
};

enum lines_status {
	LINES_OK,
	LINES_ENDED,     /* the other process has ended, and nothing that it wrote is left */
	LINES_LATE,      /* nothing came before the deadline */
	LINES_CANCELLED, /* `cancel` became readable */
	LINES_TOO_LONG,  /* more than LINES_MAX bytes without a newline, or a NUL byte */
	LINES_BROKEN,    /* the system refused; errno */
};

int lines_init(const struct host *host, struct lines *lines, struct error *err);
void lines_release(const struct host *host, struct lines *lines); /* also of a zeroed one */

/* Closes this side's copy of the other's writing end, once the other has it. */
void lines_passed(const struct host *host, struct lines *lines);

/* Sends text with its newline. LINES_OK, LINES_LATE when the pipe is full, or LINES_BROKEN. */
enum lines_status lines_send(const struct host *host, struct lines *lines, const char *text);

/* The next line without its newline, valid until the next call. `process` is a pidfd, `cancel` a descriptor or -1,
 * `deadline` an instant of clock_now(). */
enum lines_status lines_receive(const struct host *host, struct lines *lines, int process, int cancel, int64_t deadline,
                                char **line);

#endif
