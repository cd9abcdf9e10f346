#include "store/sql.h"

#include <math.h>
#include <string.h>

/* What to do about it. */
static int advise(struct error *err, int code)
{
	switch (code & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED: return error_next(err, "another process holds it; try again when that has ended");
	case SQLITE_FULL: return error_next(err, "the disk is full: make room");
	case SQLITE_READONLY:
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
		return error_next(err,
		                  "are the file and its folder writable for you? 'tare init' makes a store in this folder");
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return error_next(
			err, "'tare history verify' says what is left of it; a new one is made when the file is moved away");
	default: return -1;
	}
}

int sql_failed(struct store *store, const char *what, struct error *err)
{
	int code = store->db ? sqlite3_extended_errcode(store->db) : SQLITE_NOMEM;
	if ((code & 0xff) == SQLITE_NOMEM)
		return error_memory(err);
	error_set(err, ERROR_SYSTEM, "%s: %s", what, sqlite3_errmsg(store->db));
	if ((code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB)
		error_set(err, ERROR_INPUT, "%s: %s", what, sqlite3_errmsg(store->db));
	error_on(err, "%s", store->path);
	return advise(err, code);
}

int sql_run(struct store *store, const char *text, const char *what, struct error *err)
{
	return sqlite3_exec(store->db, text, NULL, NULL, NULL) == SQLITE_OK ? 0 : sql_failed(store, what, err);
}

sqlite3_stmt *sql_prepare(struct store *store, const char *text, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	if (sqlite3_prepare_v2(store->db, text, -1, &statement, NULL) != SQLITE_OK)
		sql_failed(store, "cannot read the store", err);
	return statement;
}

sqlite3_stmt *sql_reuse(struct store *store, const char *text, struct error *err)
{
	for (size_t i = 0; i < store->kept_count; i++)
		if (store->kept[i].text == text)
			return store->kept[i].statement;
	sqlite3_stmt *statement = store->kept_count < SQL_KEPT ? sql_prepare(store, text, err) : NULL;
	if (!statement)
		return NULL;
	store->kept[store->kept_count].text = text;
	store->kept[store->kept_count++].statement = statement;
	return statement;
}

void sql_rest(sqlite3_stmt *statement)
{
	if (!statement)
		return;
	sqlite3_reset(statement);
	sqlite3_clear_bindings(statement);
}

void sql_text(sqlite3_stmt *statement, int place, const char *text)
{
	if (text)
		sqlite3_bind_text64(statement, place, text, strlen(text), SQLITE_STATIC, SQLITE_UTF8);
	else
		sqlite3_bind_null(statement, place);
}

void sql_blob(sqlite3_stmt *statement, int place, const struct buffer *bytes)
{
	sqlite3_bind_blob64(statement, place, buffer_text(bytes), bytes->length, SQLITE_STATIC);
}

void sql_number(sqlite3_stmt *statement, int place, double number)
{
	if (isnan(number))
		sqlite3_bind_null(statement, place);
	else
		sqlite3_bind_double(statement, place, number);
}

int sql_do(struct store *store, sqlite3_stmt *statement, const char *what, struct error *err)
{
	int status = sqlite3_step(statement) == SQLITE_DONE ? 0 : sql_failed(store, what, err);
	sqlite3_reset(statement);
	return status;
}

int sql_row(struct store *store, sqlite3_stmt *statement, const char *what, struct error *err)
{
	int code = sqlite3_step(statement);
	if (code == SQLITE_ROW)
		return 1;
	return code == SQLITE_DONE ? 0 : sql_failed(store, what, err);
}

const char *sql_get_text(sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);
	return text ? text : "";
}

double sql_get_number(sqlite3_stmt *statement, int column)
{
	return sqlite3_column_type(statement, column) == SQLITE_NULL ? (double)NAN
	                                                             : sqlite3_column_double(statement, column);
}

int sql_one(struct store *store, const char *text, int64_t otherwise, int64_t *out, struct error *err)
{
	sqlite3_stmt *statement = sql_prepare(store, text, err);
	int row = statement ? sql_row(store, statement, "cannot read the store", err) : -1;
	if (row >= 0)
		*out = row ? sqlite3_column_int64(statement, 0) : otherwise;
	sqlite3_finalize(statement);
	return row < 0 ? -1 : 0;
}

int sql_begin(struct store *store, struct error *err)
{
	if (store->depth == 0 && sql_run(store, "BEGIN IMMEDIATE", "cannot write to the store", err) != 0)
		return -1;
	store->depth++;
	return 0;
}

int sql_end(struct store *store, int status, struct error *err)
{
	if (--store->depth > 0)
		return status;
	if (status == 0)
		status = sql_run(store, "COMMIT", "cannot write to the store", err);
	if (status != 0 && !sqlite3_get_autocommit(store->db))
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return status;
}

int store_moment_begin(struct store *store, struct error *err)
{
	if (store->depth == 0 && sql_run(store, "BEGIN", "cannot read the store", err) != 0)
		return -1;
	store->depth++;
	return 0;
}

void store_moment_end(struct store *store)
{
	sql_end(store, 0, NULL);
}

/* A large transaction keeps its pages at hand, in KiB; what is measured needs the memory otherwise. */
int store_batch_begin(struct store *store, struct error *err)
{
	if (store->depth == 0 && sql_run(store, "PRAGMA cache_size = -64000", "cannot write to the store", err) != 0)
		return -1;
	return sql_begin(store, err);
}

int store_batch_end(struct store *store, int status, struct error *err)
{
	status = sql_end(store, status, err);
	if (store->depth == 0)
		sqlite3_exec(store->db, "PRAGMA cache_size = -1000", NULL, NULL, NULL);
	return status;
}
