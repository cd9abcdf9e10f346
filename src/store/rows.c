#include "store/rows.h"

#include "base/moment.h"
#include "store/codec.h"
#include "store/schema.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static const char writing[] = "cannot write to the store";

char *store_stratum(const struct host_info *host, struct arena *arena)
{
	if (!host->cpu && host->cpus == 0)
		return arena_strdup(arena, "");
	bool virtual_ = host->virtual_ && host->virtual_[0] && strcmp(host->virtual_, "none") != 0;
	return arena_printf(arena, "%s, %ld CPUs%s%s", host->cpu ? host->cpu : "?", host->cpus, virtual_ ? ", " : "",
	                    virtual_ ? host->virtual_ : "");
}

int rows_host(struct store *store, const struct host_info *host, const char *given, int64_t *id, struct error *err)
{
	struct arena arena = {0};
	const char *stratum = given ? given : store_stratum(host, &arena);
	sqlite3_stmt *find = sql_reuse(store,
	                               "SELECT id FROM host WHERE stratum = ?1 AND ifnull(os, '') = ifnull(?2, '') AND"
	                               " ifnull(kernel, '') = ifnull(?3, '') AND ifnull(governor, '') = ifnull(?4, '')",
	                               err);
	sqlite3_stmt *add = sql_reuse(store,
	                              "INSERT INTO host(" HOST_COLUMNS ", sum)"
	                              " VALUES(?1, ?5, ?6, ?2, ?3, ?7, ?4, row_sum(?1, ?5, ?6, ?2, ?3, ?7, ?4))",
	                              err);
	int status = find && add ? 0 : -1;
	if (status == 0 && !stratum)
		status = error_memory(err);
	for (int i = 0; status == 0 && i < 2; i++) {
		sqlite3_stmt *statement = i ? add : find;
		sql_text(statement, 1, stratum);
		sql_text(statement, 2, host->os);
		sql_text(statement, 3, host->kernel);
		sql_text(statement, 4, host->governor);
	}
	int row = status == 0 ? sql_row(store, find, writing, err) : -1;
	if (row == 1) {
		*id = sqlite3_column_int64(find, 0);
	} else if (row == 0) {
		sql_text(add, 5, host->cpu);
		sqlite3_bind_int64(add, 6, host->cpus);
		sql_text(add, 7, host->virtual_);
		status = sql_do(store, add, writing, err);
		*id = sqlite3_last_insert_rowid(store->db);
	}
	sql_rest(find);
	sql_rest(add);
	arena_release(&arena);
	return row < 0 ? -1 : status;
}

static int insert_tags(struct store *store, int64_t id, const struct store_origin *origin, struct error *err)
{
	sqlite3_stmt *statement = sql_reuse(
		store, "INSERT OR IGNORE INTO tag(" TAG_COLUMNS ", sum) VALUES(?1, ?2, row_sum(?1, ?2))", err);
	int status = statement ? 0 : -1;
	for (size_t i = 0; status == 0 && i < origin->tag_count; i++) {
		sqlite3_bind_int64(statement, 1, id);
		sql_text(statement, 2, origin->tags[i]);
		status = sql_do(store, statement, writing, err);
	}
	sql_rest(statement);
	return status;
}

/* 128 random bits: the same experiment has the same key wherever it is merged to. */
static void make_key(char text[33])
{
	unsigned char bytes[16];
	struct timespec now;
	if (getrandom(bytes, sizeof(bytes), GRND_NONBLOCK) != (ssize_t)sizeof(bytes)) {
		clock_gettime(CLOCK_REALTIME, &now);
		snprintf(text, 33, "%016llx%08lx%08x", (unsigned long long)now.tv_sec, now.tv_nsec, (unsigned)getpid());
		return;
	}
	for (int i = 0; i < 16; i++)
		snprintf(text + (size_t)2 * (size_t)i, 3, "%02x", bytes[i]);
}

static int64_t started_at(const struct result *result)
{
	int64_t milliseconds;
	if (result->started && moment_parse(result->started, &milliseconds, NULL) == 0)
		return milliseconds;
	return (int64_t)time(NULL) * 1000;
}

static void join_words(const struct result *result, struct buffer *out)
{
	for (size_t i = 0; i < result->argc; i++)
		buffer_add(out, result->argv[i], strlen(result->argv[i]) + 1);
}

static void bind_end(sqlite3_stmt *s, const struct result *result, const struct rows_end *end)
{
	sql_text(s, 5, end ? end->state : "running");
	sqlite3_bind_int64(s, 15, end ? (int64_t)end->rounds : 0);
	if (!end) {
		sqlite3_bind_int64(s, 16, getpid());
		return;
	}
	sql_number(s, 4, result->elapsed);
	if (end->order)
		sql_blob(s, 18, end->order);
	sql_blob(s, 19, end->times);
}

const char *rows_deciding(const struct result *result, const char *usual)
{
	const char *decided = result->comparison_count == 0 && result->subject_count > 0 ? result->stopped.metric : NULL;
	return decided && subject_find_metric(&result->subjects[0], decided) ? decided : usual;
}

int rows_experiment(struct store *store, const struct result *result, const struct buffer *document,
                    const struct store_origin *origin, const struct rows_end *end, int64_t *id, struct error *err)
{
	char key[33];
	int64_t host = 0;
	struct buffer words = {0};
	if (rows_host(store, &result->host, origin->stratum, &host, err) != 0)
		return -1;
	sqlite3_stmt *s = sql_reuse(
		store,
		"INSERT INTO experiment(" EXPERIMENT_COLUMNS ", sum) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
		" ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, row_sum(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
		" ?14, ?15, ?16, ?17, ?18, ?19))",
		err);
	if (!s)
		return -1;
	if (!origin->key)
		make_key(key);
	join_words(result, &words);
	sql_text(s, 1, origin->key ? origin->key : key);
	sql_text(s, 2, result->name);
	sqlite3_bind_int64(s, 3, origin->started ? *origin->started : started_at(result));
	sqlite3_bind_int64(s, 6, (int64_t)result->seed);
	sql_blob(s, 7, &words);
	sql_text(s, 8, result->version);
	sql_text(s, 9, result->design.name);
	sql_text(s, 10, rows_deciding(result, origin->metric));
	sqlite3_bind_int64(s, 11, host);
	sql_text(s, 12, origin->commit);
	sql_text(s, 13, origin->branch);
	if (origin->dirty >= 0)
		sqlite3_bind_int(s, 14, origin->dirty);
	sql_blob(s, 17, document);
	bind_end(s, result, end);
	int status = buffer_error(&words, err) != 0 ? -1 : sql_do(store, s, writing, err);
	*id = sqlite3_last_insert_rowid(store->db);
	sql_rest(s);
	buffer_release(&words);
	return status == 0 && origin->tag_count > 0 ? insert_tags(store, *id, origin, err) : status;
}

static int insert_program(struct store *store, const struct store_program *program, int64_t *id, struct error *err)
{
	sqlite3_stmt *add = sql_reuse(store,
	                              "INSERT OR IGNORE INTO program(" PROGRAM_COLUMNS ", sum)"
	                              " VALUES(?1, ?2, ?3, row_sum(?1, ?2, ?3))",
	                              err);
	sqlite3_stmt *find = sql_reuse(store, "SELECT id FROM program WHERE path = ?1 AND build_id = ?2 AND hash = ?3",
	                               err);
	int status = add && find ? 0 : -1;
	for (int i = 0; status == 0 && i < 2; i++) {
		sql_text(i ? find : add, 1, program->path);
		sql_text(i ? find : add, 2, program->build_id);
		sql_text(i ? find : add, 3, program->hash);
	}
	if (status == 0)
		status = sql_do(store, add, writing, err);
	if (status == 0 && sql_row(store, find, writing, err) != 1)
		status = -1;
	if (status == 0)
		*id = sqlite3_column_int64(find, 0);
	sql_rest(add);
	sql_rest(find);
	return status;
}

int rows_subject(struct store *store, int64_t experiment, const struct subject *subject, size_t position,
                 const struct store_program *program, const char *metric, int64_t *id, struct error *err)
{
	int64_t program_id = 0;
	bool known = program && program->path && program->path[0];
	if (known && insert_program(store, program, &program_id, err) != 0)
		return -1;
	sqlite3_stmt *s = sql_reuse(store,
	                            "INSERT INTO subject(" SUBJECT_COLUMNS ", sum)"
	                            " VALUES(?1, ?2, ?3, ?4, ?5, row_sum(?1, ?2, ?3, ?4, ?5))",
	                            err);
	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, experiment);
	sqlite3_bind_int64(s, 2, (int64_t)position);
	sql_text(s, 3, subject->name);
	sql_text(s, 4, metric);
	if (known)
		sqlite3_bind_int64(s, 5, program_id);
	int status = sql_do(store, s, writing, err);
	*id = sqlite3_last_insert_rowid(store->db);
	sql_rest(s);
	return status;
}

void rows_bind_estimates(sqlite3_stmt *s, int first, const struct measurement *m, const struct buffer *groups)
{
	const double numbers[] = {m->mean, m->median, m->ci.low, m->ci.high, m->ci.level};
	sqlite3_bind_int64(s, first, (int64_t)m->series.n);
	for (int i = 0; i < 5; i++)
		sql_number(s, first + 1 + i, numbers[i]);
	sql_blob(s, first + 6, groups);
}

int rows_series(struct store *store, int64_t subject, const struct measurement *m, size_t position,
                const struct buffer *groups, int64_t *id, struct error *err)
{
	char levels[LEVEL_COUNT * 16] = "";
	sqlite3_stmt *s = sql_reuse(store,
	                            "INSERT INTO series(" SERIES_COLUMNS ", sum) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
	                            " ?10, ?11, ?12, ?13, row_sum(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13))",
	                            err);
	if (!s)
		return -1;
	size_t length = 0;
	for (unsigned k = 0; k < m->series.depth; k++)
		length += (size_t)snprintf(levels + length, sizeof(levels) - length, "%s%s", k ? " " : "",
		                           level_name(m->series.levels[k]));
	sqlite3_bind_int64(s, 1, subject);
	sqlite3_bind_int64(s, 2, (int64_t)position);
	sql_text(s, 3, m->metric.name);
	sql_text(s, 4, m->metric.unit ? m->metric.unit : "");
	sql_text(s, 5, m->metric.better == BETTER_HIGHER ? "higher" : "lower");
	sql_text(s, 6, levels);
	sqlite3_bind_int64(s, 7, 0);
	if (groups)
		rows_bind_estimates(s, 7, m, groups);
	int status = sql_do(store, s, writing, err);
	*id = sqlite3_last_insert_rowid(store->db);
	sql_rest(s);
	return status;
}

int rows_chunks(struct store *store, int64_t id, const struct series *series, struct error *err)
{
	struct buffer data = {0};
	sqlite3_stmt *s = sql_reuse(store,
	                            "INSERT INTO chunk(" CHUNK_COLUMNS ", sum)"
	                            " VALUES(?1, ?2, ?3, ?4, row_sum(?1, ?2, ?3, ?4))",
	                            err);
	int status = s ? 0 : -1;
	for (size_t at = 0; status == 0 && at < series->n; at += CODEC_CHUNK) {
		size_t n = series->n - at < CODEC_CHUNK ? series->n - at : CODEC_CHUNK;
		buffer_clear(&data);
		codec_put_values(&data, series->values + at, n);
		sqlite3_bind_int64(s, 1, id);
		sqlite3_bind_int64(s, 2, (int64_t)(at / CODEC_CHUNK));
		sqlite3_bind_int64(s, 3, (int64_t)n);
		sql_blob(s, 4, &data);
		status = buffer_error(&data, err) != 0 ? -1 : sql_do(store, s, writing, err);
	}
	sql_rest(s);
	buffer_release(&data);
	return status;
}
