#include "store/maintain.h"

#include "store/sql.h"

static const char reading[] = "cannot read the store", writing[] = "cannot write to the store";

int store_integrity(struct store *store, void (*take)(void *context, const char *problem), void *context,
                    struct error *err)
{
	static const char *const questions[] = {
		"SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
		"SELECT 'a row of ' || \"table\" || ' belongs to nothing in ' || parent FROM pragma_foreign_key_check",
	};
	int row = 0;
	for (size_t i = 0; row >= 0 && i < sizeof(questions) / sizeof(questions[0]); i++) {
		sqlite3_stmt *s = sql_prepare(store, questions[i], err);
		row = s ? 0 : -1;
		while (s && (row = sql_row(store, s, reading, err)) == 1)
			take(context, sql_get_text(s, 0));
		sqlite3_finalize(s);
	}
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
	error_set(err, ERROR_USAGE, "experiment %lld is a baseline", (long long)id);
	error_on(err, "%s", store->path);
	return error_next(err, "'tare history baseline remove NAME' lets it go");
}

int store_may_go(struct store *store, int64_t id, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(store, "SELECT 1 FROM baseline WHERE experiment = ?1", err);
	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, id);
	int got = sql_row(store, s, reading, err);
	sqlite3_finalize(s);
	return got == 1 ? is_baseline(store, id, err) : got;
}

int store_remove(struct store *store, int64_t id, struct error *err)
{
	if (do_with(store, "DELETE FROM experiment WHERE id = ?1", NULL, id, err) == 0)
		return 0;
	return (sqlite3_errcode(store->db) & 0xff) == SQLITE_CONSTRAINT ? is_baseline(store, id, err) : -1;
}

int store_compact(struct store *store, struct error *err)
{
	if (sql_run(store,
	            "DELETE FROM program WHERE id NOT IN (SELECT program FROM subject WHERE program IS NOT NULL);"
	            "DELETE FROM host WHERE id NOT IN (SELECT host FROM experiment)",
	            writing, err) != 0)
		return -1;
	return sql_run(store, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)", writing, err);
}

int store_baseline_set(struct store *store, const char *name, int64_t id, int64_t made, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(store, "INSERT OR REPLACE INTO baseline(name, experiment, made) VALUES(?1, ?2, ?3)",
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
	error_set(err, ERROR_NO_DATA, "there is no baseline '%.100s'", name);
	error_on(err, "%s", store->path);
	return error_next(err, "'tare history baseline' lists them, 'tare history baseline set NAME' makes one");
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
