/* Reading experiments back. */
#ifndef TARE_STORE_LOADER_H
#define TARE_STORE_LOADER_H

#include "base/buffer.h"
#include "model/result.h"
#include "store/store.h"

/* What a user names an experiment by: "17", "last", "last~2" (two before the last), or the name that --name gave (the
 * newest of that name). One that is tagged STORE_CONFIRMATION is found by its number alone. ERROR_NO_DATA when there is
 * none. */
int store_find(struct store *store, const char *reference, int64_t *id, struct error *err);

/* The rest that is known of an experiment. Texts in the arena, "" where not known. */
struct store_facts {
	int64_t id, started; /* ms since 1970 */
	const char *key, *name, *state, *metric, *design;
	const char *commit, *branch;
	int dirty; /* 0, 1; -1: not known */
	const char *stratum, *kernel;
	const char **tags;
	size_t tag_count;
	struct store_program *programs; /* of each subject */
	size_t program_count;
	int64_t *times; /* of the rounds, ms since the start */
	size_t rounds;
	bool orphaned; /* "running", and its process is gone */
};
int store_facts(struct store *store, int64_t id, struct arena *arena, struct store_facts *out, struct error *err);

/* The JSON document of an experiment, without its samples, appended to a buffer. */
int store_document(struct store *store, int64_t id, struct buffer *out, struct error *err);

/* Puts the samples and the order of the pairs into a result that was read from that document. An experiment that was
 * killed has all its finished rounds. ERROR_INPUT: the store is damaged. */
int store_samples(struct store *store, int64_t id, struct result *result, struct error *err);

#endif
