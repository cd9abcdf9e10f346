/* A folder under TMPDIR that nobody else has, and commands in it whose words are kept. */
#ifndef TARE_BUILDS_PLACE_H
#define TARE_BUILDS_PLACE_H

#include "builds/tool.h"

/* Makes TMPDIR/tare-…, a name that nobody can guess (or in /tmp). `what` it is for goes into the message. */
int place_make(const struct host *host, char *folder, size_t size, const char *what, struct error *err);

/* Runs a command by sh in `directory`, with `variables` ("NAME=value", ends with NULL; or NULL). All that it prints
 * goes to the file `path`, the last lines of it to `log`, also on failure (ERROR_SUBJECT: what became of it). */
int place_run(const struct host *host, const struct tool *tool, const char *directory, const char *command,
              const char *const *variables, const char *path, struct buffer *log, struct error *err);

#endif
