/* Running what is not measured: git, and builds. Started by the spawner, so that nothing of it survives tare. */
#ifndef TARE_BUILDS_TOOL_H
#define TARE_BUILDS_TOOL_H

#include "base/buffer.h"
#include "base/error.h"
#include "host/spawner.h"

#include <stdint.h>

struct tool {
	struct spawner *spawner;
	int cancel;      /* a descriptor that becomes readable when the user interrupts; -1: none */
	int64_t timeout; /* ns for one command of tool_shell; 0: none */
};

/* Asks git, in `directory` (NULL: tare's own). `words` ends with NULL and begins after "git". What it prints goes to
 * `out` without the ends of the last lines; what it says on standard error to `said`. Variables that bind git to
 * another repository or index, as inside a hook, are not passed on. The exit status, or -1 and err: git is missing, was
 * killed, or the user has interrupted (ERROR_INTERRUPTED). */
int tool_git(const struct tool *tool, const char *directory, const char *const *words, struct buffer *out,
             struct buffer *said, struct error *err);

/* A command by the shell, with `variables` ("NAME=value", ends with NULL; or NULL), everything it prints into the open
 * file `log`. -1 and err (ERROR_SUBJECT: what became of it, without saying whose command it was). */
int tool_shell(const struct tool *tool, const char *directory, const char *command, const char *const *variables,
               int log, struct error *err);

#endif
