#include "store/schema.h"

#include <stdio.h>

#define ADD_SUM(table, columns) \
	"ALTER TABLE " table " ADD COLUMN sum INTEGER;" \
	"UPDATE " table " SET sum = row_sum(" columns ");"

/* Step i leads from schema i to schema i + 1. A step that has been released is never changed.
 *
 * `key` of an experiment is the same wherever it is merged to. `stratum` of a host is what results may be compared
 * across: CPU model, CPUs, virtualisation. Times are ms since 1970 (experiment) or since the experiment's start
 * (round). */
static const char *const steps[STORE_SCHEMA] = {
	"CREATE TABLE host("
	" id INTEGER PRIMARY KEY, stratum TEXT NOT NULL, cpu TEXT, cpus INTEGER, os TEXT, kernel TEXT, virtual TEXT, governor TEXT);"
	"CREATE UNIQUE INDEX host_record ON host(stratum, ifnull(os, ''), ifnull(kernel, ''), ifnull(governor, ''));"
	"CREATE TABLE program("
	" id INTEGER PRIMARY KEY, path TEXT NOT NULL, build_id TEXT NOT NULL, hash TEXT NOT NULL, UNIQUE(path, build_id, hash));"
	"CREATE TABLE experiment("
	" id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, name TEXT, started INTEGER NOT NULL, elapsed REAL,"
	" state TEXT NOT NULL, seed INTEGER NOT NULL, argv BLOB, version TEXT, design TEXT, metric TEXT, host INTEGER NOT NULL"
	" REFERENCES host(id), git_commit TEXT, git_branch TEXT, git_dirty INTEGER, rounds INTEGER NOT NULL DEFAULT 0,"
	" pid INTEGER, document BLOB NOT NULL, pair_order BLOB, times BLOB);"
	"CREATE INDEX experiment_started ON experiment(started, id);"
	"CREATE TABLE tag("
	" experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, tag TEXT NOT NULL,"
	" PRIMARY KEY(experiment, tag)) WITHOUT ROWID;"
	"CREATE TABLE subject("
	" id INTEGER PRIMARY KEY, experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE,"
	" position INTEGER NOT NULL, name TEXT NOT NULL, metric TEXT, program INTEGER REFERENCES program(id), UNIQUE(experiment, position));"
	"CREATE INDEX subject_name ON subject(name, experiment);"
	"CREATE TABLE series("
	" id INTEGER PRIMARY KEY, subject INTEGER NOT NULL REFERENCES subject(id) ON DELETE CASCADE,"
	" position INTEGER NOT NULL, metric TEXT NOT NULL, unit TEXT NOT NULL, better TEXT NOT NULL, levels TEXT NOT NULL,"
	" n INTEGER NOT NULL DEFAULT 0, mean REAL, median REAL, low REAL, high REAL, level REAL, groups BLOB,"
	" UNIQUE(subject, position));"
	"CREATE TABLE chunk("
	" id INTEGER PRIMARY KEY, series INTEGER NOT NULL REFERENCES series(id) ON DELETE CASCADE, position INTEGER NOT NULL,"
	" n INTEGER NOT NULL, data BLOB NOT NULL);"
	"CREATE UNIQUE INDEX chunk_position ON chunk(series, position);"
	"CREATE TABLE round("
	" experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE, position INTEGER NOT NULL, at INTEGER NOT NULL,"
	" data BLOB NOT NULL, PRIMARY KEY(experiment, position)) WITHOUT ROWID;",

	"CREATE TABLE baseline(name TEXT PRIMARY KEY, experiment INTEGER NOT NULL REFERENCES experiment(id), made INTEGER NOT NULL);",

	ADD_SUM("experiment", EXPERIMENT_COLUMNS) ADD_SUM("host", HOST_COLUMNS) ADD_SUM("program", PROGRAM_COLUMNS)
		ADD_SUM("tag", TAG_COLUMNS) ADD_SUM("subject", SUBJECT_COLUMNS) ADD_SUM("series", SERIES_COLUMNS)
			ADD_SUM("chunk", CHUNK_COLUMNS) ADD_SUM("round", ROUND_COLUMNS) ADD_SUM("baseline", BASELINE_COLUMNS),
};

static int refuse(struct store *store, const char *what, const char *next, struct error *err)
{
	return error_full(err, ERROR_INPUT, store->path, next, "%s", what);
}

/* The schema of the file, 0 for an empty one. */
static int read_version(struct store *store, int64_t *version, struct error *err)
{
	int64_t application, tables;
	char text[160];
	/* The tables first: another process that makes them now gives them their mark at the same moment. */
	if (sql_one(store, "SELECT count(*) FROM sqlite_master", 0, &tables, err) != 0 ||
	    sql_one(store, "PRAGMA application_id", 0, &application, err) != 0 ||
	    sql_one(store, "PRAGMA user_version", 0, version, err) != 0)
		return -1;
	if (application != SCHEMA_APPLICATION && tables > 0)
		return refuse(store, "this is a database, but not one of tare", "move it away, or name another folder", err);
	if (*version <= STORE_SCHEMA)
		return 0;
	snprintf(text, sizeof(text), "this store was written by a newer tare (schema %lld; this one knows up to %d)",
	         (long long)*version, STORE_SCHEMA);
	return refuse(store, text, "use the newer tare, or --no-save", err);
}

static int bring_forward(struct store *store, int64_t version, struct error *err)
{
	char text[96];
	int status = 0;
	for (; status == 0 && version < STORE_SCHEMA; version++)
		status = sql_run(store, steps[version], "cannot make the tables of the store", err);
	snprintf(text, sizeof(text), "PRAGMA user_version = %d; PRAGMA application_id = %d", STORE_SCHEMA,
	         SCHEMA_APPLICATION);
	if (status == 0)
		status = sql_run(store, text, "cannot make the tables of the store", err);
	return status;
}

int schema_prepare(struct store *store, bool write, struct error *err)
{
	int64_t version = 0;
	if (read_version(store, &version, err) != 0)
		return -1;
	store->schema = version;
	if (version == STORE_SCHEMA)
		return 0;
	/* What only a newer schema has, an older store has none of. */
	if (!write)
		return version == 0 ? refuse(store, "the store is empty", "nothing was saved in it yet", err) : 0;
	/* Another process may have done it since: look again under the lock. */
	if (sql_begin(store, err) != 0)
		return -1;
	int status = read_version(store, &version, err);
	if (status == 0 && version < STORE_SCHEMA)
		status = bring_forward(store, version, err);
	if (sql_end(store, status, err) != 0)
		return -1;
	store->schema = STORE_SCHEMA;
	return 0;
}
