/* What every command that reads and answers does around its own work: options, help, errors. */
#ifndef TARE_CLI_ACT_H
#define TARE_CLI_ACT_H

#include "base/error.h"
#include "cli/options.h"

/* `options` is the command's own structure. The exit code, or -1 and err. */
typedef int command_work(const void *options, const struct text_list *arguments, struct error *err);

/* Parses argv into `options` (with its defaults set), prints the help if that is asked for, else does the work; says
 * what went wrong. Returns the exit code; what the options hold is released. */
int act(const struct command *command, int argc, char **argv, void *options, command_work *work);

#endif
