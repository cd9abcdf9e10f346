/* The commands, one file each: cli/cmd_NAME.c. */
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

#endif
