/* tare help: commands, topics, and whole man pages where man is missing. */
#ifndef TARE_CLI_HELP_H
#define TARE_CLI_HELP_H

#include "cli/options.h"

/* argv[0] is "help"; the exit code. */
int help_main(int argc, char **argv);

/* The commands with a line each; the exit code. */
int help_overview(void);

/* "there is no command …", with the nearest one; the exit code. */
int help_no_command(const char *name);

/* A man page ("tare-run"), or a text of cli/texts ("example"). */
const char *help_text(const char *name);

/* The completion script for "bash", "zsh" or "fish"; -1 and err for another shell. */
int completion_script(const char *shell, struct buffer *out, struct error *err);

/* Every option of a command, one per line, between tabs: letter, name, argument, choices, and whether
 * --help lists it ("listed" or "hidden"); "-" for what it does not have. NULL: the names of the commands. */
void completion_options(const struct command *command, struct buffer *out);

#endif
