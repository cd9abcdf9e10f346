/* SQLite as the files of this folder use it: statements that say what failed, texts bound as bytes. */
#ifndef TARE_STORE_SQL_H
#define TARE_STORE_SQL_H

#include "base/buffer.h"
#include "base/error.h"
#include "store/store.h"

#include <sqlite3.h>

enum { SQL_KEPT = 32 };

struct store {
	sqlite3 *db;
	char path[STORE_PATH];
	struct {
		const char *text;
		sqlite3_stmt *statement;
	} kept[SQL_KEPT]; /* statements that are used over and over */
	size_t kept_count;
	unsigned depth;    /* of transactions: inner ones are part of the outermost */
	int64_t schema;    /* of the file */
	int claims, looks; /* descriptors of store/alive.h; -1: not opened */
};

/* Fills err from SQLite's last failure; returns -1. */
int sql_failed(struct store *store, const char *what, struct error *err);

/* Statements without parameters and rows. */
int sql_run(struct store *store, const char *text, const char *what, struct error *err);

/* NULL and err. End it with sqlite3_finalize. */
sqlite3_stmt *sql_prepare(struct store *store, const char *text, struct error *err);

/* The same for a text that is used often and is the same pointer each time: it is prepared once. End each use with
 * sql_rest, which accepts NULL. */
sqlite3_stmt *sql_reuse(struct store *store, const char *text, struct error *err);
void sql_rest(sqlite3_stmt *statement);

/* Parameters from 1. A text or blob must stay until the statement is reset; NULL binds NULL, as does NaN. */
void sql_text(sqlite3_stmt *statement, int place, const char *text);
void sql_blob(sqlite3_stmt *statement, int place, const struct buffer *bytes);
void sql_number(sqlite3_stmt *statement, int place, double number);

/* Steps a statement that gives no row, and resets it. */
int sql_do(struct store *store, sqlite3_stmt *statement, const char *what, struct error *err);

/* 1 with a row, 0 at the end, -1 and err. */
int sql_row(struct store *store, sqlite3_stmt *statement, const char *what, struct error *err);

/* A column's text, "" for NULL; NaN for a NULL number. */
const char *sql_get_text(sqlite3_stmt *statement, int column);
double sql_get_number(sqlite3_stmt *statement, int column);

/* One number from a statement without parameters; `otherwise` when there is no row. */
int sql_one(struct store *store, const char *text, int64_t otherwise, int64_t *out, struct error *err);

/* A transaction: begin takes the write lock at once; end commits, or undoes when `status` is not 0. Returns -1 when
 * status was not 0 or the commit failed. A transaction inside another is part of it; when it fails the outer one must
 * be ended with that failure. */
int sql_begin(struct store *store, struct error *err);
int sql_end(struct store *store, int status, struct error *err);

#endif
