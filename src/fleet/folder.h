/* The folder that the machines of a fleet share: private to its user, and nothing in it is believed unseen.
 *
 *	experiment.json   what to do; never changes
 *	bin/SHA256        programs, by their content
 *	tmp/              files that are being written
 *	slot/K.C.json.gz  the result of chunk C of slot K: whole, and exactly one
 *	failed/K.N        why attempt N of slot K failed
 *	machine/ID        the slot that a machine has begun
 *	wave/W            the slots of submission W; wave/W.job the engine's number for it
 *	log/              what the workers print
 *	cancelled         nothing is submitted any more
 *
 * A file appears under its name by link(2), after it was written to tmp/ and flushed: the first wins, on every file
 * system and whatever an engine starts twice. */
#ifndef TARE_FLEET_FOLDER_H
#define TARE_FLEET_FOLDER_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "fleet/experiment.h"

enum { FLEET_PATH = 4096 };

struct fleet_folder {
	char path[FLEET_PATH]; /* absolute */
	struct fleet_experiment experiment;
};

/* Makes the folder (0700) and its parts. One that is there must be empty. */
int fleet_folder_make(struct fleet_folder *folder, const char *path, struct error *err);

/* Puts the experiment in it, as the last thing that is made. */
int fleet_folder_freeze(struct fleet_folder *folder, struct fleet_experiment *experiment, struct error *err);

/* Opens one that is there: a folder of this user (or root's, for root) that nobody else may read or write. */
int fleet_folder_open(struct fleet_folder *folder, const char *path, struct error *err);
void fleet_folder_release(struct fleet_folder *folder);

/* Writes `text` to NAME ("wave/0") so that it appears whole: 1; 0: there was one already, which stays. -1 and err. */
int fleet_publish(const struct fleet_folder *folder, const char *name, const void *bytes, size_t length,
                  struct error *err);

/* The same with a file that is in tmp/ already, under its path; it is gone from there afterwards. */
int fleet_publish_file(const struct fleet_folder *folder, const char *temporary, const char *name, struct error *err);

/* Takes back what was published by this process. */
void fleet_withdraw(const struct fleet_folder *folder, const char *name);

/* A path in tmp/ that nobody else has. */
void fleet_temporary(const struct fleet_folder *folder, char path[FLEET_PATH]);

/* Copies a program into bin/; *hash gets its name. */
int fleet_add_program(const struct fleet_folder *folder, const char *path, char hash[65], struct error *err);

/* Copies a program out of bin/ and checks that it is what its name says. -1, ERROR_INPUT: it is not. */
int fleet_get_program(const struct fleet_folder *folder, const char *hash, const char *to, struct error *err);

/* The same without copying: its path. */
int fleet_see_program(const struct fleet_folder *folder, const char *hash, char path[FLEET_PATH], struct error *err);

/* The whole of a small file, at most `most` bytes, appended; -1 and err. ERROR_NO_DATA: there is none. */
int fleet_read(const struct fleet_folder *folder, const char *name, size_t most, struct buffer *out, struct error *err);

/* The file of a chunk, which is a plain one of this user's. ERROR_NO_DATA: there is none yet. */
int fleet_chunk_path(const struct fleet_folder *folder, size_t slot, size_t chunk, char path[FLEET_PATH],
                     struct error *err);

bool fleet_has(const struct fleet_folder *folder, const char *name);

/* When a file got its name, by the clock of the file system, in seconds; NaN: there is none. */
double fleet_time(const struct fleet_folder *folder, const char *name);

/* The names in a part of the folder, sorted, in the arena; a part that is missing is empty. */
int fleet_names(const struct fleet_folder *folder, const char *part, struct arena *arena, const char ***names,
                size_t *count, struct error *err);

/* The names of the nodes on which slots but for these have begun, appended: "a,b". */
void fleet_add_nodes(const struct fleet_folder *folder, const size_t *but, size_t count, struct buffer *out);

/* How far a slot is. */
struct fleet_slot {
	size_t chunks;   /* done */
	size_t failures; /* attempts that failed and said why */
	size_t tries;    /* submissions that it was part of */
	double asked;    /* when it was first submitted, in seconds; NaN: it was not */
};
/* All slots, machines_max of them, in the arena. */
int fleet_slots(const struct fleet_folder *folder, struct arena *arena, struct fleet_slot **out, struct error *err);

#endif
