/* Plans as files: saving one, and following one. */
#ifndef TARE_CLI_PLAN_FILE_H
#define TARE_CLI_PLAN_FILE_H

#include "base/error.h"
#include "model/experiment.h"
#include "model/plan.h"

/* Reads the plan of --plan and makes the experiment follow it: precision and stop rule, or the budget, unless the user
 * gave them. `plan` is initialised here and stays the experiment's until repeat_plan_release(). path NULL: nothing
 * happens. */
int plan_file_follow(const char *path, struct repeat_plan *plan, bool stop_given, bool time_given,
                     struct experiment *experiment, struct error *err);

/* Notes which machine this is. */
int plan_file_identify(struct repeat_plan *plan, struct error *err);

#endif
