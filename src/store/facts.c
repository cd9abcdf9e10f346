#include "store/loader.h"

#include "base/array.h"
#include "store/alive.h"
#include "store/codec.h"
#include "store/sql.h"

#include <string.h>

static const char reading[] = "cannot read the store";

static int fill_experiment(struct store *store, sqlite3_stmt *s, struct arena *arena, struct store_facts *out,
                           struct error *err)
{
	const char **texts[] = {&out->key,    &out->name,   &out->state,   &out->metric, &out->design,
	                        &out->commit, &out->branch, &out->stratum, &out->kernel};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		*texts[i] = arena_strdup(arena, sql_get_text(s, (int)i));
		if (!*texts[i])
			return error_memory(err);
	}
	out->started = sqlite3_column_int64(s, 9);
	out->dirty = sqlite3_column_type(s, 10) == SQLITE_NULL ? -1 : sqlite3_column_int(s, 10);
	out->orphaned = strcmp(out->state, "running") == 0 && !alive_is(store, out->id);
	if (sqlite3_column_type(s, 11) != SQLITE_BLOB)
		return 0;
	/* Each time takes a byte or more: a number of rounds that the blob cannot hold is not believed. */
	size_t bytes = (size_t)sqlite3_column_bytes(s, 11), rounds = (size_t)sqlite3_column_int64(s, 12);
	out->times = rounds <= bytes ? arena_alloc(arena, rounds ? rounds : 1, sizeof(*out->times)) : NULL;
	if (rounds <= bytes && !out->times)
		return error_memory(err);
	out->rounds = rounds;
	if (out->times && codec_get_times(sqlite3_column_blob(s, 11), bytes, out->times, rounds) == 0)
		return 0;
	out->rounds = 0;
	return error_full(err, ERROR_INPUT, store->path, NULL, "experiment %lld: its times are damaged",
	                  (long long)out->id);
}

static int read_experiment(struct store *store, struct arena *arena, struct store_facts *out, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(
		store,
		"SELECT key, name, state, metric, design, git_commit, git_branch, stratum, kernel, started,"
		" git_dirty, times, rounds FROM experiment JOIN host ON host.id = experiment.host"
		" WHERE experiment.id = ?1",
		err);
	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, out->id);
	int row = sql_row(store, s, reading, err);
	int status = row == 1 ? fill_experiment(store, s, arena, out, err) : -1;
	sqlite3_finalize(s);
	return row == 0 ? error_set(err, ERROR_NO_DATA, "there is no experiment %lld", (long long)out->id) : status;
}

/* Rounds that were not folded have a row each. */
static int read_running(struct store *store, struct arena *arena, struct store_facts *out, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(store, "SELECT at FROM round WHERE experiment = ?1 ORDER BY position", err);
	int row = s ? 0 : -1;
	if (s)
		sqlite3_bind_int64(s, 1, out->id);
	while (s && (row = sql_row(store, s, reading, err)) == 1) {
		if (array_add_in(arena, &out->times, out->rounds) != 0) {
			row = error_memory(err);
			break;
		}
		out->times[out->rounds++] = sqlite3_column_int64(s, 0);
	}
	sqlite3_finalize(s);
	return row < 0 ? -1 : 0;
}

static int64_t count_of(struct store *store, const char *text, int64_t id, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(store, text, err);
	int64_t count = -1;
	if (s)
		sqlite3_bind_int64(s, 1, id);
	if (s && sql_row(store, s, reading, err) == 1)
		count = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return count;
}

static int read_tags(struct store *store, struct arena *arena, struct store_facts *out, struct error *err)
{
	int64_t count = count_of(store, "SELECT count(*) FROM tag WHERE experiment = ?1", out->id, err);
	sqlite3_stmt *s = sql_prepare(store, "SELECT tag FROM tag WHERE experiment = ?1 ORDER BY tag", err);
	int row = count < 0 || !s ? -1 : 0;
	out->tags = arena_alloc(arena, count > 0 ? (size_t)count : 1, sizeof(*out->tags));
	if (row == 0 && !out->tags)
		row = error_memory(err);
	if (s)
		sqlite3_bind_int64(s, 1, out->id);
	while (row >= 0 && out->tag_count < (size_t)count && (row = sql_row(store, s, reading, err)) == 1)
		if (!(out->tags[out->tag_count++] = arena_strdup(arena, sql_get_text(s, 0))))
			row = error_memory(err);
	sqlite3_finalize(s);
	return row < 0 ? -1 : 0;
}

static int read_programs(struct store *store, struct arena *arena, struct store_facts *out, struct error *err)
{
	int64_t count = count_of(store, "SELECT count(*) FROM subject WHERE experiment = ?1", out->id, err);
	sqlite3_stmt *s = sql_prepare(
		store,
		"SELECT path, build_id, hash FROM subject LEFT JOIN program ON program.id = subject.program"
		" WHERE experiment = ?1 ORDER BY position",
		err);
	int row = count < 0 || !s ? -1 : 0;
	out->programs = arena_alloc(arena, count > 0 ? (size_t)count : 1, sizeof(*out->programs));
	if (row == 0 && !out->programs)
		row = error_memory(err);
	if (s)
		sqlite3_bind_int64(s, 1, out->id);
	while (row >= 0 && out->program_count < (size_t)count && (row = sql_row(store, s, reading, err)) == 1) {
		struct store_program *program = &out->programs[out->program_count++];
		program->path = arena_strdup(arena, sql_get_text(s, 0));
		program->build_id = arena_strdup(arena, sql_get_text(s, 1));
		program->hash = arena_strdup(arena, sql_get_text(s, 2));
		if (!program->path || !program->build_id || !program->hash)
			row = error_memory(err);
	}
	sqlite3_finalize(s);
	return row < 0 ? -1 : 0;
}

int store_facts(struct store *store, int64_t id, struct arena *arena, struct store_facts *out, struct error *err)
{
	memset(out, 0, sizeof(*out));
	out->id = id;
	if (read_experiment(store, arena, out, err) != 0 || read_running(store, arena, out, err) != 0 ||
	    read_tags(store, arena, out, err) != 0)
		return -1;
	return read_programs(store, arena, out, err);
}
