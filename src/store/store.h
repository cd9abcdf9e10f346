/* The store: a SQLite database of experiments, one file that lasts.
 *
 * Each experiment has a row, its subjects and series rows of their own with the estimates that a history needs, and
 * its samples in compact blobs (store/codec.h). While it is measured every finished round is a transaction of its own
 * (store/writer.h); when it has ended, the rounds are folded into the blobs. docs/store.md has the tables.
 *
 * Write-ahead log: readers never wait for writers, and a process that is killed leaves what it had committed. */
#ifndef TARE_STORE_STORE_H
#define TARE_STORE_STORE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { STORE_PATH = 4096, STORE_SCHEMA = 3 };

/* The tag of an experiment that measures again what broke a gate: it belongs to another one, and is found by its number
 * alone. */
#define STORE_CONFIRMATION "gate-confirmation"

struct store;

enum store_mode {
	STORE_READ,  /* must exist; nothing is changed */
	STORE_WRITE, /* made if it does not exist, brought to the present schema if it is older */
};

/* The file that a subject runs. */
struct store_program {
	const char *path, *build_id, *hash; /* "" where not known */
};

/* Where results go: .tare/tare.db in the nearest folder above this one that has .tare, else tare/tare.db in
 * $XDG_DATA_HOME (~/.local/share). -1 and err when there is no such place; or when root would write to the latter and
 * it is another user's, as under sudo. A project's store was made on purpose, and in a container its folder may well be
 * another's. */
int store_locate(enum store_mode mode, char path[STORE_PATH], struct error *err);

/* Opens it. NULL and err: it cannot be opened or made, is no store (ERROR_INPUT), is damaged, was written by a newer
 * tare, or is locked by another process for longer than 5 s. A store that does not exist is ERROR_NO_DATA for
 * STORE_READ. */
struct store *store_open(const char *path, enum store_mode mode, struct error *err);
void store_close(struct store *store); /* accepts NULL */

const char *store_path(const struct store *store);

/* How long to wait for another process's transaction, ms; 5000 after store_open. */
void store_patience(struct store *store, int milliseconds);

/* Everything between the two is one transaction; with a status other than 0 nothing of it happens. -1 and err. */
int store_batch_begin(struct store *store, struct error *err);
int store_batch_end(struct store *store, int status, struct error *err);

/* What is read in between is of one moment, whatever others write meanwhile. */
int store_moment_begin(struct store *store, struct error *err);
void store_moment_end(struct store *store);

#endif
