/* Locks on single bytes of a file, which tell whether the process that took one is still there.
 *
 * A lock is gone when its holder has ended, however it ended; it is seen from other containers of the same machine, and
 * over a network where the file system has locks. A process number tells neither: in a container it means another
 * process, and after a while it is given away again. */
#ifndef TARE_HOST_LOCK_H
#define TARE_HOST_LOCK_H

#include "host/syscalls.h"

#include <stdbool.h>
#include <stdint.h>

/* The file whose bytes are locked, made where it is missing and `make` says so; it stays empty. A link is not followed.
 * A descriptor, to be closed with sys->close, which lets go of all its locks; -1 and errno. */
int lock_open(const struct syscalls *sys, const char *path, bool make);

/* 0: taken, or held already by this descriptor; 1: held by another, maybe of this process; -1 and errno. */
int lock_take(const struct syscalls *sys, int fd, int64_t byte);
void lock_release(const struct syscalls *sys, int fd, int64_t byte);

/* 1: another descriptor holds it; 0: none does; -1 and errno. */
int lock_is_taken(const struct syscalls *sys, int fd, int64_t byte);

#endif
