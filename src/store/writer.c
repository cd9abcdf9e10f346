#include "store/writer.h"

#include "base/array.h"
#include "base/memory.h"
#include "store/alive.h"
#include "store/codec.h"
#include "store/schema.h"
#include "store/writer_state.h"

#include <string.h>

static const char writing[] = "cannot write to the store";

static int sync_metrics(struct store_writer *writer, struct known_subject *known, const struct subject *subject,
                        struct error *err)
{
	while (known->count < subject->metric_count) {
		if (array_reserve(&known->cursors, &known->capacity, known->count + 1) != 0)
			return error_memory(err);
		struct cursor *cursor = &known->cursors[known->count];
		*cursor = (struct cursor){0};
		if (rows_series(writer->store, known->id, &subject->metrics[known->count], known->count, NULL, &cursor->id,
		                err) != 0)
			return -1;
		known->count++;
	}
	return 0;
}

/* Rows for the subjects and metrics that have none yet. */
int writer_sync(struct store_writer *writer, const struct result *result, struct error *err)
{
	for (size_t i = 0; i < result->subject_count; i++) {
		if (i == writer->subject_count) {
			const struct store_origin *origin = writer->origin;
			const struct store_program *program = i < origin->program_count ? &origin->programs[i] : NULL;
			if (array_reserve(&writer->subjects, &writer->subject_capacity, i + 1) != 0)
				return error_memory(err);
			struct known_subject *subject = &writer->subjects[i];
			*subject = (struct known_subject){0};
			if (rows_subject(writer->store, writer->id, &result->subjects[i], i, program, NULL, &subject->id, err) != 0)
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
static void put_new(struct buffer *out, const struct series *series, size_t subject, size_t metric,
                    struct cursor *cursor)
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
	writer->rounds = writer->noted;
}

int store_note_round(struct store_writer *writer, int64_t at, struct error *err)
{
	if (array_reserve(&writer->times, &writer->time_capacity, writer->noted + 1) != 0)
		return error_memory(err);
	writer->times[writer->noted++] = at;
	return 0;
}

/* A row for each round that has ended; the first of them holds what is new in all. */
static int insert_rounds(struct store_writer *writer, const struct result *result, struct error *err)
{
	struct buffer *data = &writer->scratch;
	buffer_clear(data);
	put_round(writer, result, data);
	for (size_t i = writer->rounds; i < writer->noted; i++) {
		if (buffer_error(data, err) != 0)
			return -1;
		sqlite3_bind_int64(writer->round, 1, writer->id);
		sqlite3_bind_int64(writer->round, 2, (int64_t)i);
		sqlite3_bind_int64(writer->round, 3, writer->times[i]);
		sql_blob(writer->round, 4, data);
		if (sql_do(writer->store, writer->round, writing, err) != 0)
			return -1;
		buffer_clear(data);
		codec_put(data, 0); /* no entries of the order, and no values */
	}
	return 0;
}

/* With rows for subjects that came up since. What was counted but not committed is forgotten. */
static int insert_more(struct store_writer *writer, const struct result *result, struct error *err)
{
	bool new_ones = is_new(writer, result);
	if (sql_begin(writer->store, err) != 0)
		return -1;
	int status = writer_sync(writer, result, err);
	if (status == 0)
		status = insert_rounds(writer, result, err);
	if (sql_end(writer->store, status, err) == 0)
		return 0;
	writer->broken = new_ones;
	return -1;
}

int store_round(struct store_writer *writer, const struct result *result, int64_t at, struct error *err)
{
	if (writer->broken)
		return error_set(err, ERROR_SYSTEM, "an earlier round could not be saved");
	if (store_note_round(writer, at, err) != 0)
		return -1;
	bool one = writer->noted - writer->rounds == 1 && !is_new(writer, result);
	int status = one ? insert_rounds(writer, result, err) : insert_more(writer, result, err);
	if (status == 0)
		accept_round(writer, result);
	return status;
}

/* Others see that it is being measured, and that it no longer is when this process ends. */
static int claim(struct store_writer *writer, struct error *err)
{
	int taken = alive_claim(writer->store, writer->id, err);
	writer->claimed = taken == 0;
	return taken == 1 ? error_set(err, ERROR_SYSTEM, "another process has the number of this experiment") : taken;
}

static struct store_writer *writer_new(struct store *store, const struct result *result, const struct buffer *document,
                                       const struct store_origin *origin, struct error *err)
{
	struct store_writer *writer = mem_zalloc(1, sizeof(*writer));
	if (!writer) {
		error_memory(err);
		return NULL;
	}
	writer->store = store;
	writer->origin = origin;
	writer->round = sql_prepare(store,
	                            "INSERT INTO round(" ROUND_COLUMNS ", sum)"
	                            " VALUES(?1, ?2, ?3, ?4, row_sum(?1, ?2, ?3, ?4))",
	                            err);
	if (writer->round && rows_experiment(store, result, document, origin, NULL, &writer->id, err) == 0 &&
	    claim(writer, err) == 0 && writer_sync(writer, result, err) == 0)
		return writer;
	store_writer_free(writer);
	return NULL;
}

/* Rounds that the result has from elsewhere are counted; when they were is not known. */
static int count_earlier(struct store_writer *writer, const struct result *result, int64_t at, struct error *err)
{
	size_t rounds = 0;
	for (size_t s = 0; s < result->subject_count; s++)
		for (size_t m = 0; m < result->subjects[s].metric_count; m++)
			if (result->subjects[s].metrics[m].series.groups[0] > rounds)
				rounds = result->subjects[s].metrics[m].series.groups[0];
	for (; writer->rounds < rounds; writer->rounds++)
		if (store_note_round(writer, at, err) != 0)
			return -1;
	return 0;
}

struct store_writer *store_begin(struct store *store, const struct result *result, const struct buffer *document,
                                 const struct store_origin *origin, int64_t at, struct error *err)
{
	if (sql_begin(store, err) != 0)
		return NULL;
	struct store_writer *writer = writer_new(store, result, document, origin, err);
	int status = writer ? store_note_round(writer, at, err) : -1;
	if (status == 0)
		status = insert_rounds(writer, result, err);
	if (sql_end(store, status, err) == 0) {
		accept_round(writer, result);
		if (count_earlier(writer, result, at, err) == 0)
			return writer;
	}
	store_writer_free(writer);
	return NULL;
}

int64_t store_writer_id(const struct store_writer *writer)
{
	return writer->id;
}

void store_writer_free(struct store_writer *writer)
{
	if (!writer)
		return;
	if (writer->claimed)
		alive_release(writer->store, writer->id);
	sqlite3_finalize(writer->round);
	for (size_t s = 0; s < writer->subject_count; s++)
		mem_free(writer->subjects[s].cursors);
	mem_free(writer->subjects);
	mem_free(writer->times);
	buffer_release(&writer->scratch);
	mem_free(writer);
}
