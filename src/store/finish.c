/* The end of an experiment: rounds folded into blobs, estimates, the final document. */
#include "store/writer.h"

#include "base/memory.h"
#include "store/codec.h"
#include "store/writer_state.h"

#include <string.h>

static const char writing[] = "cannot write to the store";

static int insert_chunks(struct store_writer *writer, const struct cursor *cursor, const struct series *series,
                         struct error *err)
{
	struct buffer data = {0};
	sqlite3_stmt *s = sql_reuse(writer->store, "INSERT INTO chunk(series, position, n, data) VALUES(?1, ?2, ?3, ?4)",
	                            err);
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
	sql_rest(s);
	buffer_release(&data);
	return status;
}

static int update_series(struct store_writer *writer, const struct cursor *cursor, const struct measurement *m,
                         struct error *err)
{
	struct buffer groups = {0};
	sqlite3_stmt *s = sql_reuse(
		writer->store,
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
	sql_rest(s);
	buffer_release(&groups);
	return status == 0 ? insert_chunks(writer, cursor, &m->series, err) : -1;
}

/* The metric that a subject was judged by: that of its comparison, else the experiment's where it has it, else its
 * first. */
static const char *judged_by(const struct result *result, size_t subject, const char *usual)
{
	const struct subject *s = &result->subjects[subject];
	if (s->metric && subject_find_metric(s, s->metric))
		return s->metric;
	for (size_t i = 0; i < result->comparison_count; i++)
		if (result->comparisons[i].base == subject || result->comparisons[i].new_ == subject)
			return result->comparisons[i].metric;
	if (usual && subject_find_metric(s, usual))
		return usual;
	return s->metric_count > 0 ? s->metrics[0].metric.name : NULL;
}

static int update_subject(struct store_writer *writer, const struct result *result, size_t subject, struct error *err)
{
	sqlite3_stmt *s = sql_reuse(writer->store, "UPDATE subject SET metric = ?2 WHERE id = ?1", err);
	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, writer->subjects[subject].id);
	sql_text(s, 2, judged_by(result, subject, writer->origin->metric));
	int status = sql_do(writer->store, s, writing, err);
	sql_rest(s);
	return status;
}

static const char *state_of(const struct result *result)
{
	const char *reason = result->stopped.reason ? result->stopped.reason : "";
	return strcmp(reason, "interrupted") == 0 || strcmp(reason, "failed") == 0 ? reason : "done";
}

static int update_experiment(struct store_writer *writer, const struct result *result, const struct buffer *document,
                             struct error *err)
{
	struct buffer order = {0}, times = {0};
	int64_t host = 0;
	/* Some sessions know the machine only at the end. */
	if (rows_host(writer->store, &result->host, writer->origin->stratum, &host, err) != 0)
		return -1;
	sqlite3_stmt *s = sql_reuse(
		writer->store,
		"UPDATE experiment SET state = ?2, elapsed = ?3, document = ?4, pair_order = ?5, times = ?6,"
		" rounds = ?7, design = ?8, name = ?9, metric = ?10, host = ?11, pid = NULL WHERE id = ?1",
		err);
	if (!s)
		return -1;
	int status = codec_put_texts(&order, result->design.order, result->design.order_count) == 0 ? 0 : error_memory(err);
	codec_put_times(&times, writer->times, writer->rounds);
	sqlite3_bind_int64(s, 1, writer->id);
	sql_text(s, 2, state_of(result));
	sql_number(s, 3, result->elapsed);
	sql_blob(s, 4, document);
	if (result->design.order)
		sql_blob(s, 5, &order);
	sql_blob(s, 6, &times);
	sqlite3_bind_int64(s, 7, (int64_t)writer->rounds);
	sql_text(s, 8, result->design.name);
	sql_text(s, 9, result->name);
	sql_text(s, 10, writer->origin->metric);
	sqlite3_bind_int64(s, 11, host);
	if (status == 0 && (buffer_error(&order, err) != 0 || buffer_error(&times, err) != 0))
		status = -1;
	if (status == 0)
		status = sql_do(writer->store, s, writing, err);
	sql_rest(s);
	buffer_release(&order);
	buffer_release(&times);
	return status;
}

static int delete_of(struct store_writer *writer, const char *text, struct error *err)
{
	sqlite3_stmt *s = sql_reuse(writer->store, text, err);
	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, writer->id);
	int status = sql_do(writer->store, s, writing, err);
	sql_rest(s);
	return status;
}

static int write_final(struct store_writer *writer, const struct result *result, const struct buffer *document,
                       struct error *err)
{
	if (update_experiment(writer, result, document, err) != 0 ||
	    delete_of(writer, "DELETE FROM round WHERE experiment = ?1", err) != 0 || writer_sync(writer, result, err) != 0)
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

int store_finish(struct store_writer *writer, const struct result *result, const struct buffer *document,
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

static int has_key(struct store *store, const char *key, bool *found, struct error *err)
{
	sqlite3_stmt *s = sql_reuse(store, "SELECT 1 FROM experiment WHERE key = ?1", err);
	if (!s)
		return -1;
	sql_text(s, 1, key);
	int row = sql_row(store, s, "cannot read the store", err);
	*found = row == 1;
	sql_rest(s);
	return row < 0 ? -1 : 0;
}

static int add_ended(struct store *store, const struct result *result, const struct buffer *document,
                     const struct store_origin *origin, const int64_t *times, size_t time_count, int64_t *id,
                     struct error *err)
{
	struct store_writer *writer = writer_new(store, result, document, origin, err);
	int status = writer ? 0 : -1;
	for (size_t i = 0; status == 0 && i < time_count; i++, writer->rounds++)
		status = writer_keep_time(writer, times[i], err);
	if (status == 0)
		status = write_final(writer, result, document, err);
	if (status == 0 && id)
		*id = writer->id;
	store_writer_free(writer);
	return status;
}

int store_add(struct store *store, const struct result *result, const struct buffer *document,
              const struct store_origin *origin, const int64_t *times, size_t time_count, int64_t *id,
              struct error *err)
{
	bool found = false;
	if (sql_begin(store, err) != 0)
		return -1;
	int status = origin->key ? has_key(store, origin->key, &found, err) : 0;
	if (status == 0 && !found)
		status = add_ended(store, result, document, origin, times, time_count, id, err);
	return sql_end(store, status, err) != 0 ? -1 : found;
}
