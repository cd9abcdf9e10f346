/* Input: the bytes of a file, a descriptor or memory as a window that slides, decompressed
 * on the way when they are gzip (by content).
 *
 * A file is never held whole: the window is INPUT_BLOCK bytes and grows only for one long
 * line. Limits, so that a small bad file cannot take the machine:
 *   a line            INPUT_LINE_MAX bytes
 *   gzip              INPUT_GZIP_MAX bytes out, and at most INPUT_GZIP_RATIO times the bytes
 *                     read once INPUT_GZIP_FREE bytes have come out (a gzip bomb is near 1000)
 * Errors name the input and, where there is one, the line. */
#ifndef TARE_EXCHANGE_INPUT_H
#define TARE_EXCHANGE_INPUT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INPUT_BLOCK      ((size_t)1 << 20)
#define INPUT_LINE_MAX   ((size_t)16 << 20)
#define INPUT_GZIP_MAX   ((uint64_t)16 << 30)
#define INPUT_GZIP_FREE  ((uint64_t)64 << 20)
#define INPUT_GZIP_RATIO 250

struct input {
	const char *name; /* for messages; the caller's */
	int fd;           /* -1: memory */
	bool own_fd;
	const char *memory;
	size_t memory_left;
	struct gzip *gzip; /* NULL: plain bytes */
	char *block;
	size_t at, end, capacity; /* the window: block[at … end) */
	bool ended;               /* nothing comes after block[end − 1] */
	long line;                /* the line that input_line() returned last, from 1 */
};

/* All return 0, or -1 and err. `name` and `bytes` must outlive the input. A byte order mark
 * of UTF-8 is skipped; UTF-16 and UTF-32 are refused with what to do. */
int input_open_file(struct input *input, const char *path, struct error *err);
int input_open_fd(struct input *input, int fd, const char *name, struct error *err); /* not closed */
int input_open_memory(struct input *input, const void *bytes, size_t length, const char *name, struct error *err);
void input_release(struct input *input);

/* Makes at least `want` bytes available in the window, or all that are left. */
int input_need(struct input *input, size_t want, struct error *err);

/* The next line without its end (LF or CRLF), valid until the next call: 1, 0 at the end, -1 and err.
 * The bytes may be changed by the caller; any byte may be in them. */
int input_line(struct input *input, char **line, size_t *length, struct error *err);

/* ERROR_INPUT with the name, line and column; returns -1. */
int input_problem(const struct input *input, long line, long column, struct error *err, const char *what, ...)
	__attribute__((format(printf, 5, 6)));

#endif
