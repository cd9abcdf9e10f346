#include "store/maintain.h"

#include "store/alive.h"
#include "store/schema.h"
#include "store/sql.h"

static const char reading[] = "cannot read the store", writing[] = "cannot write to the store";

static int ask(struct store *store, const char *question, void (*take)(void *context, const char *problem),
               void *context, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(store, question, err);
	int row = s ? 0 : -1;
	while (s && (row = sql_row(store, s, reading, err)) == 1)
		take(context, sql_get_text(s, 0));
	sqlite3_finalize(s);
	return row;
}

static const char *const of_the_file[] = {
	"SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
	"SELECT 'a row of ' || \"table\" || ' belongs to nothing in ' || parent FROM pragma_foreign_key_check",
};

#define WRONG(table, columns)   " FROM " table " WHERE sum <> row_sum(" columns ")"
#define OF_EXPERIMENT(id, what) "SELECT 'experiment ' || " id " || ': " what " not as saved: the checksum is wrong'"
static const char *const of_rows[] = {
	OF_EXPERIMENT("id", "its record is") WRONG("experiment", EXPERIMENT_COLUMNS),
	OF_EXPERIMENT("experiment", "a tag is") WRONG("tag", TAG_COLUMNS),
	OF_EXPERIMENT("experiment", "a subject is") WRONG("subject", SUBJECT_COLUMNS),
	OF_EXPERIMENT("experiment", "a round is") WRONG("round", ROUND_COLUMNS),
	OF_EXPERIMENT("o.experiment", "a series is") " FROM subject o JOIN (SELECT subject AS s" WRONG(
		"series", SERIES_COLUMNS) ") ON s = o.id",
	OF_EXPERIMENT("o.experiment", "a chunk of samples is") " FROM subject o JOIN series p ON p.subject = o.id JOIN (SELECT series AS s" WRONG(
		"chunk", CHUNK_COLUMNS) ") ON s = p.id",
	"SELECT 'the record of a machine is not as saved: the checksum is wrong'" WRONG("host", HOST_COLUMNS),
	"SELECT 'the record of a program is not as saved: the checksum is wrong'" WRONG("program", PROGRAM_COLUMNS),
	"SELECT 'a baseline is not as saved: the checksum is wrong'" WRONG("baseline", BASELINE_COLUMNS),
};

int store_integrity(struct store *store, void (*take)(void *context, const char *problem), void *context,
                    struct error *err)
{
	int row = 0;
	for (size_t i = 0; row >= 0 && i < sizeof(of_the_file) / sizeof(of_the_file[0]); i++)
		row = ask(store, of_the_file[i], take, context, err);
	for (size_t i = 0; row >= 0 && store->schema >= SCHEMA_WITH_SUMS && i < sizeof(of_rows) / sizeof(of_rows[0]); i++)
		row = ask(store, of_rows[i], take, context, err);
	return row < 0 ? -1 : 0;
}

/* One statement with a number or a text as its only parameter. */
static int do_with(struct store *store, const char *text, const char *name, int64_t number, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(store, text, err);
	if (!s)
		return -1;
	if (name)
		sql_text(s, 1, name);
	else
		sqlite3_bind_int64(s, 1, number);
	int status = sql_do(store, s, writing, err);
	sqlite3_finalize(s);
	return status;
}

static int is_baseline(const struct store *store, int64_t id, struct error *err)
{
	return error_full(err, ERROR_USAGE, store->path, "'tare history baseline remove NAME' lets it go",
	                  "experiment %lld is a baseline", (long long)id);
}

static int is_at_work(const struct store *store, int64_t id, struct error *err)
{
	return error_full(err, ERROR_USAGE, store->path, "wait until that run has ended, or end it",
	                  "experiment %lld is still being measured", (long long)id);
}

int store_may_go(struct store *store, int64_t id, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(store, "SELECT 1 FROM baseline WHERE experiment = ?1", err);
	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, id);
	int got = sql_row(store, s, reading, err);
	sqlite3_finalize(s);
	if (got != 0)
		return got == 1 ? is_baseline(store, id, err) : -1;
	return alive_is(store, id) ? is_at_work(store, id, err) : 0;
}

int store_claim(struct store *store, int64_t id, struct error *err)
{
	int taken = alive_claim(store, id, err);
	return taken == 1 ? is_at_work(store, id, err) : taken;
}

int store_remove(struct store *store, int64_t id, struct error *err)
{
	if (store_claim(store, id, err) != 0)
		return -1;
	int status = do_with(store, "DELETE FROM experiment WHERE id = ?1", NULL, id, err);
	if (status != 0 && (sqlite3_errcode(store->db) & 0xff) == SQLITE_CONSTRAINT)
		is_baseline(store, id, err);
	alive_release(store, id);
	return status;
}

int store_compact(struct store *store, struct error *err)
{
	/* What refers to these rows has no index for it: to check foreign keys, SQLite would read all of subject for every
	 * program that goes. The conditions say the same. */
	int status = sql_run(store,
	                     "PRAGMA foreign_keys = OFF;"
	                     "DELETE FROM program WHERE id NOT IN (SELECT program FROM subject WHERE program IS NOT NULL);"
	                     "DELETE FROM host WHERE id NOT IN (SELECT host FROM experiment)",
	                     writing, err);
	sqlite3_exec(store->db, "PRAGMA foreign_keys = ON", NULL, NULL, NULL);
	if (status != 0)
		return -1;
	return sql_run(store, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)", writing, err);
}

int store_baseline_set(struct store *store, const char *name, int64_t id, int64_t made, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(store,
	                              "INSERT OR REPLACE INTO baseline(" BASELINE_COLUMNS ", sum)"
	                              " VALUES(?1, ?2, ?3, row_sum(?1, ?2, ?3))",
	                              err);
	if (!s)
		return -1;
	sql_text(s, 1, name);
	sqlite3_bind_int64(s, 2, id);
	sqlite3_bind_int64(s, 3, made);
	int status = sql_do(store, s, writing, err);
	sqlite3_finalize(s);
	return status;
}

int store_baseline_find(struct store *store, const char *name, int64_t *id, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(store, "SELECT experiment FROM baseline WHERE name = ?1", err);
	if (!s)
		return -1;
	sql_text(s, 1, name);
	int row = sql_row(store, s, reading, err);
	if (row == 1)
		*id = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	if (row != 0)
		return row < 0 ? -1 : 0;
	return error_full(err, ERROR_NO_DATA, store->path,
	                  "'tare history baseline' lists them, 'tare history baseline set NAME' makes one",
	                  "there is no baseline '%.100s'", name);
}

int store_baseline_remove(struct store *store, const char *name, struct error *err)
{
	int64_t id;
	if (store_baseline_find(store, name, &id, err) != 0)
		return -1;
	return do_with(store, "DELETE FROM baseline WHERE name = ?1", name, 0, err);
}

int store_baselines(struct store *store,
                    int (*take)(void *context, const struct store_baseline *baseline, struct error *err), void *context,
                    struct error *err)
{
	sqlite3_stmt *s = sql_prepare(store, "SELECT name, experiment, made FROM baseline ORDER BY name", err);
	int row = s ? 0 : -1;
	while (s && (row = sql_row(store, s, reading, err)) == 1) {
		struct store_baseline found = {sql_get_text(s, 0), sqlite3_column_int64(s, 1), sqlite3_column_int64(s, 2)};
		if (take(context, &found, err) != 0) {
			row = -1;
			break;
		}
	}
	sqlite3_finalize(s);
	return row < 0 ? -1 : 0;
}
