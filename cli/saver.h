/* Saving what is measured: into the store round by round, and when that fails into a file of its own.
 *
 * Nothing that goes wrong here ends or spoils a measurement; it is told at the end. */
#ifndef TARE_CLI_SAVER_H
#define TARE_CLI_SAVER_H

#include "base/arena.h"
#include "cli/measure_options.h"
#include "model/experiment.h"
#include "store/store.h"
#include "store/writer.h"

struct saver {
	bool off, quiet;
	struct arena arena;
	struct store *store;         /* NULL: it could not be opened */
	struct store_writer *writer; /* NULL: nothing is saved yet */
	struct store_origin origin;
	const struct experiment *experiment; /* the caller's */
	const char *metric;                  /* asked for, or NULL */
	const char *document;           /* the file that has the whole result already, set before saver_finish(); or NULL */
	int64_t replaces;               /* the experiment that this one goes on with; 0: none */
	bool taken;                     /* another process is at work on that one */
	struct store_program *programs; /* of the experiment's subjects; NULL: not known */
	int64_t started;                /* of the measurement, ns */
	struct error problem;           /* the last one */
};

/* Looks at programs and checkout, and opens the store; before anything is measured. Programs are looked at for the JSON
 * document too. */
void saver_init(struct saver *saver, const struct measure_options *options, const struct experiment *experiment);

/* The result gets the hashes of its programs. */
void saver_mark(const struct saver *saver, struct result *result);

/* For struct session_observer: a round has been finished, and nothing is timed now. */
void saver_round(void *context, const struct result *result, bool more);

/* Saves the final result; if that cannot be, the whole document goes into a rescue file, and both are told. The
 * experiment that it goes on with is removed where this one holds all its values, and else stays, which is told too.
 * The number of the experiment, 0 when it is not in the store. */
int64_t saver_finish(struct saver *saver, const struct result *result);
void saver_release(struct saver *saver);

/* The metric that decides; while nothing is compared, what was asked for. */
const char *saver_deciding(const struct saver *saver, const struct result *result);

#endif
