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
	int fd;      /* closed on exec; to be passed on by dup2 */
};

/* Zeroed memory of `size` bytes. */
int shared_create(const struct host *host, const char *name, size_t size, struct shared *out, struct error *err);
void shared_release(const struct host *host, struct shared *shared); /* also of a zeroed one */

/* An empty file that holds up to SHARED_FILE_MAX bytes (writing more fails with EPERM: a program that prints without
 * end must not fill the machine's memory), closed on exec; the descriptor, or -1. What counts as written is what lies
 * before the position that all copies of the descriptor share. */
enum { SHARED_FILE_MAX = 16 << 20 };
int shared_file(const struct host *host, const char *name, struct error *err);

/* An empty file of any size, which may also be opened by its name under /dev/fd, as by '> /dev/stderr'; closed on exec;
 * the descriptor, or -1. For what hooks of the user's print: it lies in memory as long as the hook and what it has left
 * running have it open. */
int shared_text(const struct host *host, const char *name, struct error *err);

/* Bytes written since the start or the last clear; -1 when that cannot be told. */
int64_t shared_file_size(const struct host *host, int fd);

/* The first (or last) size − 1 bytes written, as text; control characters stay. Returns the length. */
size_t shared_file_head(const struct host *host, int fd, char *text, size_t size);
size_t shared_file_tail(const struct host *host, int fd, char *text, size_t size);

/* Forgets what was written; whoever writes goes on at the beginning. */
void shared_file_clear(const struct host *host, int fd);

#endif
