/* Memory and files that live in no folder: a sealed mapping to share with a program, and a file that
 * takes what a program prints. */
#ifndef TARE_HOST_SHARED_H
#define TARE_HOST_SHARED_H

#include "base/error.h"
#include "host/host.h"

#include <stddef.h>

/* A mapping that another process gets as a descriptor. It is sealed against growing and shrinking, so that the
 * other side cannot pull it away under the reader (SIGBUS). */
struct shared {
	void *place; /* NULL: none */
	size_t size;
	int fd; /* closed on exec; to be passed on by dup2 */
};

/* Zeroed memory of `size` bytes. */
int shared_create(const struct host *host, const char *name, size_t size, struct shared *out, struct error *err);
void shared_release(const struct host *host, struct shared *shared); /* also of a zeroed one */

/* An empty file, written at its end whoever writes; it may also be opened by its name under /dev/fd, as by
 * '> /dev/stderr'. Closed on exec; the descriptor, or -1. It lies in memory as long as somebody has it open, and has no
 * bound: who gives it to a program that may print without end trims or clears it. */
int shared_file(const struct host *host, const char *name, struct error *err);

/* Bytes written since it was emptied; -1 when that cannot be told. Held: those of them that were not trimmed away. */
int64_t shared_file_size(const struct host *host, int fd);
int64_t shared_file_held(const struct host *host, int fd);

/* The first (or last) size − 1 bytes written, as text; control characters stay. Returns the length. */
size_t shared_file_head(const struct host *host, int fd, char *text, size_t size);
size_t shared_file_tail(const struct host *host, int fd, char *text, size_t size);

/* Forgets what was written; whoever writes goes on at the beginning. */
void shared_file_clear(const struct host *host, int fd);

/* Where more than `most` bytes are held, all but the last 4 KiB or so are forgotten, also while others write. */
void shared_file_trim(const struct host *host, int fd, int64_t most);

#endif
