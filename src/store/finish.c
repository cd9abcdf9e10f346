/* The end of an experiment: rounds folded into blobs, estimates, the final document. */
#include "store/writer.h"

#include "base/memory.h"
#include "store/codec.h"
#include "store/writer_state.h"

#include <string.h>

static const char writing[] = "cannot write to the store";

static int update_series(struct store_writer *writer, const struct cursor *cursor, const struct measurement *m,
                         struct error *err)
{
	struct buffer groups = {0};
	sqlite3_stmt *s = sql_reuse(
		writer->store,
		"UPDATE series SET n = ?2, mean = ?3, median = ?4, low = ?5, high = ?6, level = ?7, groups = ?8,"
		" sum = row_sum(subject, position, metric, unit, better, levels, ?2, ?3, ?4, ?5, ?6, ?7, ?8) WHERE id = ?1",
		err);
	if (!s)
		return -1;
	codec_put_groups(&groups, &m->series);
	sqlite3_bind_int64(s, 1, cursor->id);
	rows_bind_estimates(s, 2, m, &groups);
	int status = buffer_error(&groups, err) != 0 ? -1 : sql_do(writer->store, s, writing, err);
	sql_rest(s);
	buffer_release(&groups);
	return status == 0 ? rows_chunks(writer->store, cursor->id, &m->series, err) : -1;
}

/* The metric that each subject was judged by: its own, that of its first comparison, the experiment's where it has it,
 * or its first. NULL: no memory. */
static const char **judged_by(const struct result *result, const char *usual, struct error *err)
{
	const char **metrics = mem_zalloc(result->subject_count + 1, sizeof(*metrics));
	if (!metrics) {
		error_memory(err);
		return NULL;
	}
	for (size_t i = result->comparison_count; i > 0; i--) {
		const struct comparison *c = &result->comparisons[i - 1];
		if (c->base < result->subject_count && c->new_ < result->subject_count)
			metrics[c->base] = metrics[c->new_] = c->metric;
	}
	for (size_t i = 0; i < result->subject_count; i++) {
		const struct subject *s = &result->subjects[i];
		if (s->metric && subject_find_metric(s, s->metric))
			metrics[i] = s->metric;
		if (!metrics[i] && usual && subject_find_metric(s, usual))
			metrics[i] = usual;
		if (!metrics[i] && s->metric_count > 0)
			metrics[i] = s->metrics[0].metric.name;
	}
	return metrics;
}

static int update_subject(struct store_writer *writer, size_t subject, const char *metric, struct error *err)
{
	sqlite3_stmt *s = sql_reuse(writer->store,
	                            "UPDATE subject SET metric = ?2, sum = row_sum(experiment, position, name, ?2, program)"
	                            " WHERE id = ?1",
	                            err);
	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, writer->subjects[subject].id);
	sql_text(s, 2, metric);
	int status = sql_do(writer->store, s, writing, err);
	sql_rest(s);
	return status;
}

static const char *state_of(const struct result *result)
{
	return result_unfinished(result) ? result_stop_reason(result) : "done";
}

/* The blobs of an experiment that has ended. */
struct ending {
	struct buffer order, times;
	struct rows_end end;
};

static int ending_init(struct ending *ending, const struct result *result, const int64_t *times, size_t rounds,
                       struct error *err)
{
	*ending = (struct ending){.end = {.state = state_of(result), .rounds = rounds, .times = &ending->times}};
	if (result->design.order)
		ending->end.order = &ending->order;
	if (codec_put_texts(&ending->order, result->design.order, result->design.order_count) != 0)
		return error_memory(err);
	codec_put_times(&ending->times, times, rounds);
	return buffer_error(&ending->order, err) != 0 || buffer_error(&ending->times, err) != 0 ? -1 : 0;
}

static void ending_release(struct ending *ending)
{
	buffer_release(&ending->order);
	buffer_release(&ending->times);
}

static int update_experiment(struct store_writer *writer, const struct result *result, const struct buffer *document,
                             const struct rows_end *end, struct error *err)
{
	int64_t host = 0;
	/* Some sessions know the machine only at the end. */
	if (rows_host(writer->store, &result->host, writer->origin->stratum, &host, err) != 0)
		return -1;
	sqlite3_stmt *s = sql_reuse(
		writer->store,
		"UPDATE experiment SET state = ?2, elapsed = ?3, document = ?4, pair_order = ?5, times = ?6,"
		" rounds = ?7, design = ?8, name = ?9, metric = ?10, host = ?11, pid = NULL,"
		" sum = row_sum(key, ?9, started, ?3, ?2, seed, argv, version, ?8, ?10, ?11, git_commit, git_branch, git_dirty,"
		" ?7, NULL, ?4, ?5, ?6) WHERE id = ?1",
		err);
	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, writer->id);
	sql_text(s, 2, end->state);
	sql_number(s, 3, result->elapsed);
	sql_blob(s, 4, document);
	if (end->order)
		sql_blob(s, 5, end->order);
	sql_blob(s, 6, end->times);
	sqlite3_bind_int64(s, 7, (int64_t)end->rounds);
	sql_text(s, 8, result->design.name);
	sql_text(s, 9, result->name);
	sql_text(s, 10, rows_deciding(result, writer->origin->metric));
	sqlite3_bind_int64(s, 11, host);
	int status = sql_do(writer->store, s, writing, err);
	sql_rest(s);
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

static int update_subjects(struct store_writer *writer, const struct result *result, struct error *err)
{
	const char **metrics = judged_by(result, rows_deciding(result, writer->origin->metric), err);
	int status = metrics ? 0 : -1;
	for (size_t s = 0; status == 0 && s < result->subject_count; s++) {
		status = update_subject(writer, s, metrics[s], err);
		for (size_t m = 0; status == 0 && m < result->subjects[s].metric_count; m++)
			status = update_series(writer, &writer->subjects[s].cursors[m], &result->subjects[s].metrics[m], err);
	}
	mem_free(metrics);
	return status;
}

static int write_final(struct store_writer *writer, const struct result *result, const struct buffer *document,
                       struct error *err)
{
	struct ending ending;
	int status = ending_init(&ending, result, writer->times, writer->noted, err);
	if (status == 0)
		status = update_experiment(writer, result, document, &ending.end, err);
	ending_release(&ending);
	if (status != 0 || delete_of(writer, "DELETE FROM round WHERE experiment = ?1", err) != 0 ||
	    writer_sync(writer, result, err) != 0)
		return -1;
	return update_subjects(writer, result, err);
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

static int add_series(struct store *store, int64_t subject, const struct measurement *m, size_t position,
                      struct error *err)
{
	struct buffer groups = {0};
	int64_t id = 0;
	codec_put_groups(&groups, &m->series);
	int status = buffer_error(&groups, err);
	if (status == 0)
		status = rows_series(store, subject, m, position, &groups, &id, err);
	buffer_release(&groups);
	return status == 0 ? rows_chunks(store, id, &m->series, err) : -1;
}

static int add_subjects(struct store *store, int64_t experiment, const struct result *result,
                        const struct store_origin *origin, struct error *err)
{
	const char **metrics = judged_by(result, rows_deciding(result, origin->metric), err);
	int status = metrics ? 0 : -1;
	for (size_t s = 0; status == 0 && s < result->subject_count; s++) {
		const struct subject *subject = &result->subjects[s];
		int64_t id = 0;
		status = rows_subject(store, experiment, subject, s, s < origin->program_count ? &origin->programs[s] : NULL,
		                      metrics[s], &id, err);
		for (size_t m = 0; status == 0 && m < subject->metric_count; m++)
			status = add_series(store, id, &subject->metrics[m], m, err);
	}
	mem_free(metrics);
	return status;
}

/* Every row as it stays, for there may be hundreds of thousands of them. */
static int add_ended(struct store *store, const struct result *result, const struct buffer *document,
                     const struct store_origin *origin, const int64_t *times, size_t time_count, int64_t *id,
                     struct error *err)
{
	struct ending ending;
	int64_t experiment = 0;
	int status = ending_init(&ending, result, times, time_count, err);
	if (status == 0)
		status = rows_experiment(store, result, document, origin, &ending.end, &experiment, err);
	ending_release(&ending);
	if (status == 0)
		status = add_subjects(store, experiment, result, origin, err);
	if (status == 0 && id)
		*id = experiment;
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
