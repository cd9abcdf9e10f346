#include "store/writer.h"

#include "base/memory.h"
#include "store/codec.h"
#include "store/rows.h"

#include <string.h>

/* How much of a series has been written, and how many groups of each level it had then; and the same for the round under way. */
struct cursor {
	int64_t id;
	size_t n, moved_n;
	size_t groups[LEVEL_COUNT], moved_groups[LEVEL_COUNT];
};

struct known_subject {
	int64_t id;
	struct cursor *cursors; /* one per metric */
	size_t count, capacity;
};

struct store_writer {
	struct store *store;
	const struct store_origin *origin;
	int64_t id;
	struct known_subject *subjects;
	size_t subject_count, subject_capacity;
	size_t orders; /* entries of the order written */
	size_t rounds;
	int64_t *times; /* of the rounds written */
	size_t time_capacity;
	bool broken; /* rows that this struct knows may be missing: only a new writer can save it */
	struct buffer scratch;
	sqlite3_stmt *round;
};

static const char writing[] = "cannot write to the store";

/* Room for one more element of `size` bytes; NULL and err. */
static void *grow(void *block, size_t count, size_t *capacity, size_t size, struct error *err)
{
	if (count < *capacity)
		return block;
	size_t larger = *capacity ? 2 * *capacity : 16;
	void *grown = mem_resize(block, larger, size);
	if (grown)
		*capacity = larger;
	else
		error_memory(err);
	return grown;
}

static int sync_metrics(struct store_writer *writer, struct known_subject *known, const struct subject *subject,
                        struct error *err)
{
	while (known->count < subject->metric_count) {
		struct cursor *cursors = grow(known->cursors, known->count, &known->capacity, sizeof(*cursors), err);
		if (!cursors)
			return -1;
		known->cursors = cursors;
		struct cursor *cursor = &cursors[known->count];
		*cursor = (struct cursor){0};
		if (rows_series(writer->store, known->id, &subject->metrics[known->count], known->count, &cursor->id, err) != 0)
			return -1;
		known->count++;
	}
	return 0;
}

/* Rows for the subjects and metrics that have none yet. */
static int sync_subjects(struct store_writer *writer, const struct result *result, struct error *err)
{
	for (size_t i = 0; i < result->subject_count; i++) {
		if (i == writer->subject_count) {
			const struct store_origin *origin = writer->origin;
			const struct store_program *program = i < origin->program_count ? &origin->programs[i] : NULL;
			struct known_subject *subjects =
				grow(writer->subjects, i, &writer->subject_capacity, sizeof(*subjects), err);
			if (!subjects)
				return -1;
			writer->subjects = subjects;
			subjects[i] = (struct known_subject){0};
			if (rows_subject(writer->store, writer->id, &result->subjects[i], i, program, &subjects[i].id, err) != 0)
				return -1;
			writer->subject_count++;
		}
		if (sync_metrics(writer, &writer->subjects[i], &result->subjects[i], err) != 0)
			return -1;
	}
	return 0;
}

static bool is_new(const struct store_writer *writer, const struct result *result)
{
	if (result->subject_count > writer->subject_count)
		return true;
	for (size_t i = 0; i < result->subject_count; i++)
		if (result->subjects[i].metric_count > writer->subjects[i].count)
			return true;
	return false;
}

/* The level that value i opens, moving the cursor's group counts on. */
static unsigned opens(const struct series *series, size_t i, size_t *groups)
{
	size_t child = i;
	unsigned open = series->depth - 1;
	for (unsigned k = series->depth - 1; k-- > 0;) {
		if (groups[k] >= series->groups[k] || series->starts[k][groups[k]] != child)
			break;
		child = groups[k]++;
		open = k;
	}
	return open;
}

/* What has been added to a series: whose, how many, and for each value the level it opens and itself. */
static void put_new(struct buffer *out, const struct series *series, size_t subject, size_t metric, struct cursor *cursor)
{
	cursor->moved_n = cursor->n;
	memcpy(cursor->moved_groups, cursor->groups, sizeof(cursor->groups));
	if (series->n == cursor->n)
		return;
	codec_put(out, subject);
	codec_put(out, metric);
	codec_put(out, series->n - cursor->n);
	for (; cursor->moved_n < series->n; cursor->moved_n++) {
		codec_put(out, opens(series, cursor->moved_n, cursor->moved_groups));
		codec_put_double(out, series->values[cursor->moved_n]);
	}
}

/* Everything new since the cursors. First the new entries of the order. */
static void put_round(struct store_writer *writer, const struct result *result, struct buffer *out)
{
	codec_put(out, result->design.order_count - writer->orders);
	for (size_t i = writer->orders; i < result->design.order_count; i++) {
		codec_put(out, strlen(result->design.order[i]));
		buffer_text_add(out, result->design.order[i]);
	}
	for (size_t s = 0; s < result->subject_count; s++)
		for (size_t m = 0; m < result->subjects[s].metric_count; m++)
			put_new(out, &result->subjects[s].metrics[m].series, s, m, &writer->subjects[s].cursors[m]);
}

/* The round is in the database: the cursors move on. */
static void accept_round(struct store_writer *writer, const struct result *result)
{
	for (size_t s = 0; s < writer->subject_count; s++)
		for (size_t m = 0; m < writer->subjects[s].count; m++) {
			struct cursor *cursor = &writer->subjects[s].cursors[m];
			cursor->n = cursor->moved_n;
			memcpy(cursor->groups, cursor->moved_groups, sizeof(cursor->groups));
		}
	writer->orders = result->design.order_count;
	writer->rounds++;
}

static int keep_time(struct store_writer *writer, int64_t at, struct error *err)
{
	int64_t *times = grow(writer->times, writer->rounds, &writer->time_capacity, sizeof(*times), err);
	if (!times)
		return -1;
	writer->times = times;
	times[writer->rounds] = at;
	return 0;
}

static int insert_round(struct store_writer *writer, const struct result *result, int64_t at, struct error *err)
{
	struct buffer *data = &writer->scratch;
	buffer_clear(data);
	put_round(writer, result, data);
	if (buffer_error(data, err) != 0 || keep_time(writer, at, err) != 0)
		return -1;
	sqlite3_bind_int64(writer->round, 1, writer->id);
	sqlite3_bind_int64(writer->round, 2, (int64_t)writer->rounds);
	sqlite3_bind_int64(writer->round, 3, at);
	sql_blob(writer->round, 4, data);
	return sql_do(writer->store, writer->round, writing, err);
}

/* With rows for subjects that came up since. What was counted but not committed is forgotten. */
static int insert_more(struct store_writer *writer, const struct result *result, int64_t at, struct error *err)
{
	if (sql_begin(writer->store, err) != 0)
		return -1;
	int status = sync_subjects(writer, result, err);
	if (status == 0)
		status = insert_round(writer, result, at, err);
	if (sql_end(writer->store, status, err) == 0)
		return 0;
	writer->broken = true;
	return -1;
}

int store_round(struct store_writer *writer, const struct result *result, int64_t at, struct error *err)
{
	if (writer->broken)
		return error_set(err, ERROR_SYSTEM, "an earlier round could not be saved");
	int status = is_new(writer, result) ? insert_more(writer, result, at, err) : insert_round(writer, result, at, err);
	if (status == 0)
		accept_round(writer, result);
	return status;
}

static struct store_writer *writer_new(struct store *store, const struct result *result, const char *document,
                                       const struct store_origin *origin, struct error *err)
{
	struct store_writer *writer = mem_zalloc(1, sizeof(*writer));
	if (!writer) {
		error_memory(err);
		return NULL;
	}
	writer->store = store;
	writer->origin = origin;
	writer->round = sql_prepare(store, "INSERT INTO round(experiment, position, at, data) VALUES(?1, ?2, ?3, ?4)", err);
	if (writer->round && rows_experiment(store, result, document, origin, &writer->id, err) == 0 &&
	    sync_subjects(writer, result, err) == 0)
		return writer;
	store_writer_free(writer);
	return NULL;
}

struct store_writer *store_begin(struct store *store, const struct result *result, const char *document,
                                 const struct store_origin *origin, int64_t at, struct error *err)
{
	if (sql_begin(store, err) != 0)
		return NULL;
	struct store_writer *writer = writer_new(store, result, document, origin, err);
	int status = writer ? insert_round(writer, result, at, err) : -1;
	if (sql_end(store, status, err) == 0) {
		accept_round(writer, result);
		return writer;
	}
	store_writer_free(writer);
	return NULL;
}

static int insert_chunks(struct store_writer *writer, const struct cursor *cursor, const struct series *series, struct error *err)
{
	struct buffer data = {0};
	sqlite3_stmt *s = sql_prepare(writer->store, "INSERT INTO chunk(series, position, n, data) VALUES(?1, ?2, ?3, ?4)", err);
	int status = s ? 0 : -1;
	for (size_t at = 0; status == 0 && at < series->n; at += CODEC_CHUNK) {
		size_t n = series->n - at < CODEC_CHUNK ? series->n - at : CODEC_CHUNK;
		buffer_clear(&data);
		codec_put_values(&data, series->values + at, n);
		sqlite3_bind_int64(s, 1, cursor->id);
		sqlite3_bind_int64(s, 2, (int64_t)(at / CODEC_CHUNK));
		sqlite3_bind_int64(s, 3, (int64_t)n);
		sql_blob(s, 4, &data);
		status = buffer_error(&data, err) != 0 ? -1 : sql_do(writer->store, s, writing, err);
	}
	sqlite3_finalize(s);
	buffer_release(&data);
	return status;
}

static int update_series(struct store_writer *writer, const struct cursor *cursor, const struct measurement *m, struct error *err)
{
	struct buffer groups = {0};
	sqlite3_stmt *s = sql_prepare(writer->store,
	                              "UPDATE series SET n = ?2, mean = ?3, median = ?4, low = ?5, high = ?6, level = ?7, groups = ?8"
	                              " WHERE id = ?1",
	                              err);
	if (!s)
		return -1;
	codec_put_groups(&groups, &m->series);
	sqlite3_bind_int64(s, 1, cursor->id);
	sqlite3_bind_int64(s, 2, (int64_t)m->series.n);
	sql_number(s, 3, m->mean);
	sql_number(s, 4, m->median);
	sql_number(s, 5, m->ci.low);
	sql_number(s, 6, m->ci.high);
	sql_number(s, 7, m->ci.level);
	sql_blob(s, 8, &groups);
	int status = buffer_error(&groups, err) != 0 ? -1 : sql_do(writer->store, s, writing, err);
	sqlite3_finalize(s);
	buffer_release(&groups);
	return status == 0 ? insert_chunks(writer, cursor, &m->series, err) : -1;
}

/* The metric that a subject was judged by: that of its comparison, else the experiment's where it has it, else its first. */
static const char *judged_by(const struct result *result, size_t subject, const char *usual)
{
	const struct subject *s = &result->subjects[subject];
	for (size_t i = 0; i < result->comparison_count; i++)
		if (result->comparisons[i].base == subject || result->comparisons[i].new_ == subject)
			return result->comparisons[i].metric;
	if (usual && subject_find_metric(s, usual))
		return usual;
	return s->metric_count > 0 ? s->metrics[0].metric.name : NULL;
}

static int update_subject(struct store_writer *writer, const struct result *result, size_t subject, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(writer->store, "UPDATE subject SET metric = ?2 WHERE id = ?1", err);
	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, writer->subjects[subject].id);
	sql_text(s, 2, judged_by(result, subject, writer->origin->metric));
	int status = sql_do(writer->store, s, writing, err);
	sqlite3_finalize(s);
	return status;
}

static const char *state_of(const struct result *result)
{
	const char *reason = result->stopped.reason ? result->stopped.reason : "";
	return strcmp(reason, "interrupted") == 0 || strcmp(reason, "failed") == 0 ? reason : "done";
}

static int update_experiment(struct store_writer *writer, const struct result *result, const char *document, struct error *err)
{
	struct buffer order = {0}, times = {0};
	sqlite3_stmt *s = sql_prepare(writer->store,
	                              "UPDATE experiment SET state = ?2, elapsed = ?3, document = ?4, pair_order = ?5, times = ?6,"
	                              " rounds = ?7, design = ?8, name = ?9, metric = ?10, pid = NULL WHERE id = ?1",
	                              err);
	if (!s)
		return -1;
	int status = codec_put_texts(&order, result->design.order, result->design.order_count) == 0 ? 0 : error_memory(err);
	codec_put_times(&times, writer->times, writer->rounds);
	sqlite3_bind_int64(s, 1, writer->id);
	sql_text(s, 2, state_of(result));
	sql_number(s, 3, result->elapsed);
	sql_text(s, 4, document);
	if (result->design.order)
		sql_blob(s, 5, &order);
	sql_blob(s, 6, &times);
	sqlite3_bind_int64(s, 7, (int64_t)writer->rounds);
	sql_text(s, 8, result->design.name);
	sql_text(s, 9, result->name);
	sql_text(s, 10, writer->origin->metric);
	if (status == 0 && (buffer_error(&order, err) != 0 || buffer_error(&times, err) != 0))
		status = -1;
	if (status == 0)
		status = sql_do(writer->store, s, writing, err);
	sqlite3_finalize(s);
	buffer_release(&order);
	buffer_release(&times);
	return status;
}

static int delete_of(struct store_writer *writer, const char *text, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(writer->store, text, err);
	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, writer->id);
	int status = sql_do(writer->store, s, writing, err);
	sqlite3_finalize(s);
	return status;
}

static int write_final(struct store_writer *writer, const struct result *result, const char *document, struct error *err)
{
	if (update_experiment(writer, result, document, err) != 0 || delete_of(writer, "DELETE FROM round WHERE experiment = ?1", err) != 0 ||
	    sync_subjects(writer, result, err) != 0)
		return -1;
	for (size_t s = 0; s < result->subject_count; s++) {
		if (update_subject(writer, result, s, err) != 0)
			return -1;
		for (size_t m = 0; m < result->subjects[s].metric_count; m++)
			if (update_series(writer, &writer->subjects[s].cursors[m], &result->subjects[s].metrics[m], err) != 0)
				return -1;
	}
	return 0;
}

/* After a transaction that was undone: which rows there are is no longer known, so they are made anew. */
static int forget_subjects(struct store_writer *writer, struct error *err)
{
	for (size_t s = 0; s < writer->subject_count; s++)
		mem_free(writer->subjects[s].cursors);
	writer->subject_count = 0;
	return delete_of(writer, "DELETE FROM subject WHERE experiment = ?1", err);
}

int store_finish(struct store_writer *writer, const struct result *result, const char *document,
                 struct error *err)
{
	if (sql_begin(writer->store, err) != 0)
		return -1;
	int status = writer->broken ? forget_subjects(writer, err) : 0;
	if (status == 0)
		status = write_final(writer, result, document, err);
	status = sql_end(writer->store, status, err);
	writer->broken = status != 0;
	return status;
}

int64_t store_writer_id(const struct store_writer *writer)
{
	return writer->id;
}

void store_writer_free(struct store_writer *writer)
{
	if (!writer)
		return;
	sqlite3_finalize(writer->round);
	for (size_t s = 0; s < writer->subject_count; s++)
		mem_free(writer->subjects[s].cursors);
	mem_free(writer->subjects);
	mem_free(writer->times);
	buffer_release(&writer->scratch);
	mem_free(writer);
}

static int has_key(struct store *store, const char *key, bool *found, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(store, "SELECT 1 FROM experiment WHERE key = ?1", err);
	if (!s)
		return -1;
	sql_text(s, 1, key);
	int row = sql_row(store, s, "cannot read the store", err);
	*found = row == 1;
	sqlite3_finalize(s);
	return row < 0 ? -1 : 0;
}

static int add_ended(struct store *store, const struct result *result, const char *document, const struct store_origin *origin,
                     const int64_t *times, size_t time_count, int64_t *id, struct error *err)
{
	struct store_writer *writer = writer_new(store, result, document, origin, err);
	int status = writer ? 0 : -1;
	for (size_t i = 0; status == 0 && i < time_count; i++, writer->rounds++)
		status = keep_time(writer, times[i], err);
	if (status == 0)
		status = write_final(writer, result, document, err);
	if (status == 0 && id)
		*id = writer->id;
	store_writer_free(writer);
	return status;
}

int store_add(struct store *store, const struct result *result, const char *document, const struct store_origin *origin,
              const int64_t *times, size_t time_count, int64_t *id, struct error *err)
{
	bool found = false;
	if (sql_begin(store, err) != 0)
		return -1;
	int status = origin->key ? has_key(store, origin->key, &found, err) : 0;
	if (status == 0 && !found)
		status = add_ended(store, result, document, origin, times, time_count, id, err);
	return sql_end(store, status, err) != 0 ? -1 : found;
}
