/* Finding the file of a program by its name, once, so that starting it need not search. */
#ifndef TARE_HOST_SEARCH_H
#define TARE_HOST_SEARCH_H

#include "base/arena.h"
#include "base/error.h"
#include "host/host.h"

#include <stddef.h>

/* A name with a '/' is a path already and is copied unseen. Any other is looked for in the folders of `path` (PATH of
 * the command; NULL: that of this process, and without one /usr/bin:/bin), as execvp does: the first file that may be
 * executed. -1 and err (ERROR_SUBJECT): no such program, or one that may not be executed. */
int search_program(const struct host *host, const char *name, const char *path, char *out, size_t size,
                   struct error *err);

/* The next word of a command, as a user quotes it, in the arena; *at behind it. NULL: no memory. */
const char *search_next_word(struct arena *arena, const char **at);

/* The program of a command: its first word. */
const char *search_first_word(struct arena *arena, const char *command);

/* Where the program of a command is; a path is relative to the folder that the command runs in (NULL: this one). 0, or
 * -1: nowhere. */
int search_seen_from(const struct host *host, const char *word, const char *directory, char *path, size_t size);

/* Why a program could not be started, and what to do, from the errno of execve; a name without a '/' was looked for in
 * PATH. Fills err with ERROR_SUBJECT. */
int search_explain(const struct host *host, const char *program, int errnum, struct error *err);

#endif
