/* Finding the file of a program by its name, once, so that starting it need not search. */
#ifndef TARE_HOST_SEARCH_H
#define TARE_HOST_SEARCH_H

#include "base/error.h"
#include "host/host.h"

#include <stddef.h>

/* A name with a '/' is a path already and is copied unseen. Any other is looked for in the folders of `path` (PATH of
 * the command; NULL: that of this process, and without one /usr/bin:/bin), as execvp does: the first file that may be
 * executed. -1 and err (ERROR_SUBJECT): no such program, or one that may not be executed. */
int search_program(const struct host *host, const char *name, const char *path, char *out, size_t size,
                   struct error *err);

/* Why a program could not be started, and what to do, from the errno of execve. Fills err with ERROR_SUBJECT. */
int search_explain(const struct host *host, const char *program, int errnum, struct error *err);

#endif
