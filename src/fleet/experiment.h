/* What every machine of a fleet is to do, frozen before the first of them starts: experiment.json of its folder.
 *
 * The file never changes; the digits of its SHA-256 are the fleet's ID. */
#ifndef TARE_FLEET_EXPERIMENT_H
#define TARE_FLEET_EXPERIMENT_H

#include "analysis/analysis.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FLEET_ID = 13, FLEET_SLOTS_MOST = 10000, FLEET_CHUNKS_MOST = 1000 };

/* A file that is copied to each machine. */
struct fleet_program {
	const char *hash; /* SHA-256, its name in bin/ */
	const char *file; /* its own name, without folders */
	const char *path; /* as it was given; the results have this in place of the copy's */
};

/* A word of the command line that says what is measured: a command, a program or a suite file. */
struct fleet_subject {
	const char *name; /* "": by the word itself, or an option */
	const char *text; /* as it was given */
	const char *rest; /* of the text, behind the word that is the program; "" */
	size_t program;   /* index into programs; SIZE_MAX: the machine has it, and `text` is used */
};

struct fleet_experiment {
	struct arena arena;
	char id[FLEET_ID];   /* not in the file */
	const char *command; /* "run" or "bench" */
	const char **given;  /* the command line that asked for it, without the program's name */
	size_t given_count;
	const char **arguments; /* options of each worker's tare, the frozen choices among them */
	size_t argument_count;
	struct fleet_subject *subjects;
	size_t subject_count;
	struct fleet_program *programs;
	size_t program_count;
	const char **names; /* of commands, as results must have them; none: of benchmarks */
	size_t name_count;
	const char **folders; /* of suite files, for each subject: names in them are seen from there */
	size_t folder_count;  /* 0: no suite files */
	size_t *placed;       /* their programs, one after the other: index into programs; SIZE_MAX: the machine has it */
	size_t placed_count;
	const char *directory; /* where the workers measure, if they have it */
	const char *engine;    /* "slurm", or "" */
	const char *partition; /* or NULL */
	const char **options;  /* further ones for the engine */
	size_t option_count;
	const char *design, *metric; /* as the pilot has them; metric "": no comparison */
	size_t block;                /* pairs in a unit */
	size_t runs;                 /* of a chunk */
	size_t chunks;               /* of a slot */
	double seconds;              /* that a chunk is expected to take */
	size_t machines, machines_max;
	size_t *order; /* of the slots, drawn before the first started; machines_max of them */
	double confidence, margin, share_margin;
	double gate;        /* of the one who asks, so it is not in the file; NaN: no gate */
	const char *strata; /* machines are grouped by "cpu", or "none" */
	uint64_t seed;
	const char *made; /* RFC 3339 */
};

void fleet_experiment_release(struct fleet_experiment *experiment); /* also of a zeroed one */

/* How its results are analysed and compared, wherever that is done. */
void fleet_experiment_analysis(const struct fleet_experiment *experiment, struct analysis_options *out);

/* The text of the file; the ID follows from it. */
int fleet_experiment_write(struct fleet_experiment *experiment, struct buffer *out, struct error *err);

/* From the text; nothing in it is believed before its kind and range are right. `name` is for messages. */
int fleet_experiment_read(struct fleet_experiment *experiment, const char *text, size_t length, const char *name,
                          struct error *err);

/* The seed of a chunk: any two differ. */
uint64_t fleet_chunk_seed(const struct fleet_experiment *experiment, size_t slot, size_t chunk);

#endif
