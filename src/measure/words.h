/* A command line into words, without a shell. */
#ifndef TARE_MEASURE_WORDS_H
#define TARE_MEASURE_WORDS_H

#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>

/* Splits at blanks; '…' keeps everything, "…" keeps everything but \" and \\, a backslash keeps the next
 * character. Nothing is expanded. argv ends with NULL. ERROR_USAGE for an empty command, unbalanced quotes, or
 * a character outside of quotes that only a shell understands (|, &, ;, <, >, $, `, *, ?, (, ), newline). */
int words_split(struct arena *arena, const char *command, const char ***argv, size_t *count, struct error *err);

#endif
