/* Files and folders: reading, listing, and writing that is all or nothing. */
#ifndef TARE_HOST_FILE_H
#define TARE_HOST_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "host/syscalls.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum file_kind { FILE_MISSING, FILE_REGULAR, FILE_FOLDER, FILE_OTHER, FILE_UNKNOWN };

/* What is at `path`, links followed; FILE_UNKNOWN where that could not be found out: errno says why. */
enum file_kind file_kind(const struct syscalls *sys, const char *path);
/* For the caller of file_kind that must know: errno as an error; -1. */
int file_unknown(const char *path, struct error *err);

/* A descriptor for reading, to be closed with sys->close; -1 and err when it cannot be opened. */
int file_open(const struct syscalls *sys, const char *path, struct error *err);

/* Reads up to `size` bytes; the count, 0 at the end, -1 and err (without a name) on failure.
 * Interrupted reads go on. */
long file_read(const struct syscalls *sys, int fd, void *bytes, size_t size, struct error *err);

/* Writes all bytes; -1 and err (without a name) on failure. */
int file_write(const struct syscalls *sys, int fd, const void *bytes, size_t size, struct error *err);

/* Bits for a name that nobody can guess; without the kernel's help at least none that were used before. */
uint64_t file_unguessable(const struct syscalls *sys);

/* A file that is never left partly written: written under another name in the same folder, one that nobody can guess,
 * flushed to the disk, then renamed over `path`. A link at `path` to a file is replaced, not followed. What is there
 * and no regular file (a pipe, a terminal), and what is a link to a descriptor (/dev/stdout, /dev/fd/N), whatever is
 * behind it, is written in place, after what was written there before. SIGINT, SIGTERM, SIGHUP and SIGQUIT wait until
 * it is closed: a second Ctrl-C ends tare at once, and would leave the other name behind. */
struct file_writer {
	const struct syscalls *sys;
	int fd;
	char path[4096], temporary[4096 + 32]; /* temporary[0] = 0: written in place */
	sigset_t held;                         /* signals that wait for it */
};
int file_writer_open(struct file_writer *writer, const struct syscalls *sys, const char *path, struct error *err);
/* The same for a file that only this user may read, in a folder where others may have put anything at `path`: that is
 * replaced, whatever it is, and never opened. */
int file_writer_open_private(struct file_writer *writer, const struct syscalls *sys, const char *path,
                             struct error *err);
int file_writer_add(struct file_writer *writer, const void *bytes, size_t size, struct error *err);
/* Ends it: keeps the file, or with `keep` false leaves no trace. */
int file_writer_close(struct file_writer *writer, bool keep, struct error *err);

/* file_writer_* in one call. */
int file_write_whole(const struct syscalls *sys, const char *path, const void *bytes, size_t size, struct error *err);

/* As root: whether `path`, or where it is not there yet the nearest folder above it, belongs to another user, or a file
 * there is in a folder of another. What root writes there that user could not change, and could take away or replace:
 * -1 and err. */
int file_not_of_others(const struct syscalls *sys, const char *path, struct error *err);

/* Makes the folders above a file that are missing, for this user alone (0700). */
int file_make_folders(const struct syscalls *sys, const char *path, struct error *err);

/* The names in a folder without "." and "..", sorted by byte value, in the arena. */
int file_list(const struct syscalls *sys, const char *path, struct arena *arena, const char ***names, size_t *count,
              struct error *err);

#endif
