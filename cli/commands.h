/* The commands, one file each (cli/cmd_NAME.c), and what those that read and answer do around their own work. */
#ifndef TARE_CLI_COMMANDS_H
#define TARE_CLI_COMMANDS_H

#include "cli/options.h"

extern const struct command command_analyze;
extern const struct command command_calibrate;
extern const struct command command_cc;
extern const struct command command_bench;
extern const struct command command_compare;
extern const struct command command_doctor;
extern const struct command command_export;
extern const struct command command_fleet;
extern const struct command command_monitor;
extern const struct command command_history;
extern const struct command command_init;
extern const struct command command_plan;
extern const struct command command_report;
extern const struct command command_predict;
extern const struct command command_run;

/* `options` is the command's own structure. The exit code, or -1 and err. */
typedef int command_work(const void *options, const struct text_list *arguments, struct error *err);

/* Parses argv into `options` (with its defaults set), prints the help if that is asked for, else does the work; says
 * what went wrong. Returns the exit code; what the options hold is released. */
int act(const struct command *command, int argc, char **argv, void *options, command_work *work);

/* Whether this process was started under the name of a linker by a compiler that `tare cc` has started. */
bool cc_stage_is_meant(const char *name);

/* tare in the place of a linker: becomes it; the exit code when that fails. */
int cc_stage_main(int argc, char **argv);

#endif
