/* --on: an experiment that the machines of a cluster measure. It is frozen by a pilot here, then submitted, watched and
 * collected; reports, store, gate and documents are those of every measurement. */
#ifndef TARE_CLI_FLEET_USE_H
#define TARE_CLI_FLEET_USE_H

#include "cli/measure.h"
#include "fleet/folder.h"

/* Whether a fleet that was prepared before is waited for or collected: its programs are built already. */
bool fleet_use_is_taken_up(const struct measure_options *options);

/* Where the options ask for no other machines, measure_and_report(). Else it prepares the fleet, or takes up the one of --fleet, and reports what it has measured as measure_and_report() does; or
 * ends before, with --detach and for 'tare fleet prepare'. The exit code. */
int fleet_use_measure(const struct measure_kind *kind, const struct command *command, struct experiment *experiment,
                      const struct measure_options *options, int argc, char **argv);

/* The folder that "@ID" or a path names. */
int fleet_use_find(const char *name, char path[FLEET_PATH], struct error *err);

#endif
