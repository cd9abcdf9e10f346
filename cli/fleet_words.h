/* The command line of an experiment as the workers of a fleet get it: which options they take over, and what they
 * measure. */
#ifndef TARE_CLI_FLEET_WORDS_H
#define TARE_CLI_FLEET_WORDS_H

#include "cli/measure_options.h"
#include "fleet/folder.h"

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
