/* The option tables for programs: shell completion, and a plain list that tests and scripts read. */
#ifndef TARE_CLI_COMPLETION_H
#define TARE_CLI_COMPLETION_H

#include "base/buffer.h"
#include "base/error.h"
#include "cli/options.h"

/* The completion script for "bash", "zsh" or "fish"; -1 and err for another shell. */
int completion_script(const char *shell, struct buffer *out, struct error *err);

/* Every option of a command, one per line, between tabs: letter, name, argument, choices, and whether
 * --help lists it ("listed" or "hidden"); "-" for what it does not have. NULL: the names of the commands. */
void completion_options(const struct command *command, struct buffer *out);

#endif
