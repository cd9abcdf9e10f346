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

/* What the user has asked for. */
struct fleet_given {
	const struct command *command;
	int argc;
	char **argv;
	const struct measure_options *options;
	const struct experiment *experiment;
};

/* Fills the options, subjects and programs of what is frozen, and puts the programs into the folder; there is room for
 * further options, and for one program more. words[] is what measures the same here, one for each subject. Texts are in
 * the arena of `frozen`, or the caller's. */
int fleet_words_take(const struct fleet_folder *folder, const struct fleet_given *given,
                     struct fleet_experiment *frozen, const char ***words, struct error *err);

#endif
