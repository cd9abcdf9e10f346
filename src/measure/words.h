/* A command as people type it, split into words without a shell: quotes and backslashes as in POSIX sh, nothing
 * expanded. What only a shell would understand is refused with a hint, so that nobody measures the wrong thing. */
#ifndef TARE_MEASURE_WORDS_H
#define TARE_MEASURE_WORDS_H

#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>

/* The words, ended by NULL, in the arena; at least one. NULL and err: empty, an unbalanced quote, something of the
 * shell that is not quoted. */
const char **words_split(struct arena *arena, const char *command, size_t *count, struct error *err);

#endif
