/* Looking after a store: is it whole, what may go, what is kept under a name. */
#ifndef TARE_STORE_MAINTAIN_H
#define TARE_STORE_MAINTAIN_H

#include "store/query.h"

/* What SQLite says of the file itself, and rows that are not as they were written, by their checksums: one call of `take`
 * per problem, none for a sound file. -1 and err when it cannot be asked. */
int store_integrity(struct store *store, void (*take)(void *context, const char *problem), void *context,
                    struct error *err);

/* Whether an experiment could be removed: 0, or -1 as store_remove() would. */
int store_may_go(struct store *store, int64_t id, struct error *err);

/* Removes one experiment with all that belongs to it. Refused (ERROR_USAGE): a baseline, and what another process is at
 * work on. */
int store_remove(struct store *store, int64_t id, struct error *err);

/* Takes an experiment to go on with it, until the store is closed: others are told that it is being measured, and
 * cannot remove it. -1 and err (ERROR_USAGE) where another process is at work on it. */
int store_claim(struct store *store, int64_t id, struct error *err);

/* Gives the room of what was removed back to the file system. */
int store_compact(struct store *store, struct error *err);

/* Baselines: experiments under a name. set replaces; find gives ERROR_NO_DATA when there is none of that name. */
struct store_baseline {
	const char *name;
	int64_t id, made; /* ms since 1970 */
};
int store_baseline_set(struct store *store, const char *name, int64_t id, int64_t made, struct error *err);
int store_baseline_remove(struct store *store, const char *name, struct error *err);
int store_baseline_find(struct store *store, const char *name, int64_t *id, struct error *err);
int store_baselines(struct store *store,
                    int (*take)(void *context, const struct store_baseline *baseline, struct error *err), void *context,
                    struct error *err);

#endif
