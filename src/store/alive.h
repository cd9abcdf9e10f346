/* Which experiments a process is at work on: measuring them, or going on with them.
 *
 * The number of an experiment is a byte of the file "…-lock" beside the store, and whoever is at work on it holds a lock
 * on that byte, which goes when that process ends (host/lock.h). */
#ifndef TARE_STORE_ALIVE_H
#define TARE_STORE_ALIVE_H

#include "store/sql.h"

/* Takes an experiment until alive_release or store_close: 0, also where this store has it already; 1: another has it; -1
 * and err. */
int alive_claim(struct store *store, int64_t id, struct error *err);
void alive_release(struct store *store, int64_t id);

/* Whether anybody is at work on it, this store or another; also where that cannot be told. */
bool alive_is(struct store *store, int64_t id);

#endif
