/* What a fleet is to do, found by a pilot on this machine: design, deciding metric, warm-up, units and counts. */
#ifndef TARE_CLI_FLEET_PILOT_H
#define TARE_CLI_FLEET_PILOT_H

#include "cli/measure_options.h"
#include "fleet/folder.h"

/* Measures the pilot, copies the programs and this tare into the folder, and fills what is frozen; engine and machines
 * are set already. Texts are in frozen's arena, or the caller's. */
int fleet_pilot(const struct fleet_folder *folder, const struct command *command, const struct measure_options *options,
                const struct experiment *experiment, int argc, char **argv, struct fleet_experiment *frozen,
                struct error *err);

#endif
