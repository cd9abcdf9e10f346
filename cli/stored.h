/* Results that are named by where they are in the store: @17, @NAME, @last, @last~2. */
#ifndef TARE_CLI_STORED_H
#define TARE_CLI_STORED_H

#include "base/scoped.h"
#include "model/result.h"
#include "store/query.h"
#include "store/store.h"

/* Whether an argument names a stored result: it begins with '@' and no file has that name. */
bool stored_is_named(const char *argument);

/* The store of this folder, for reading. NULL and err. */
struct store *stored_open(struct error *err);

/* For SCOPED(stored) struct store *store. */
static inline void stored_release(struct store **store)
{
	store_close(*store);
}

/* One experiment by its number, whole. `out` is initialised by the caller. */
int stored_load(struct store *store, int64_t id, struct result *out, struct error *err);

/* The experiment that an argument names ('@' included), from the store of this folder. */
int stored_read(const char *argument, struct result *out, struct error *err);

/* Estimates and comparisons of one that ended before it had any. `deciding`: the metric, or NULL. */
int stored_estimate(struct result *result, const char *deciding, struct error *err);

/* Whether a row is what a gate measured again: it is no result of its own. */
bool stored_is_confirmation(const struct store_row *row);

#endif
