#include "store/loader.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/parse.h"
#include "store/codec.h"
#include "store/schema.h"
#include "store/sql.h"

#include <math.h>
#include <string.h>

static const char reading[] = "cannot read the store";

#define OF_ITSELF "id NOT IN (SELECT experiment FROM tag WHERE tag = '" STORE_CONFIRMATION "')"

static int damaged(struct store *store, int64_t id, const char *what, struct error *err)
{
	return error_full(err, ERROR_INPUT, store->path, "'tare history verify' looks at all of them",
	                  "experiment %lld: %s", (long long)id, what);
}

static int find_by(struct store *store, const char *text, const char *name, int64_t number, int64_t *id,
                   struct error *err)
{
	sqlite3_stmt *s = sql_prepare(store, text, err);
	if (!s)
		return -1;
	if (name)
		sql_text(s, 1, name);
	else
		sqlite3_bind_int64(s, 1, number);
	int row = sql_row(store, s, reading, err);
	if (row == 1)
		*id = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return row;
}

int store_find(struct store *store, const char *reference, int64_t *id, struct error *err)
{
	int64_t number = 0;
	int row;
	if (strcmp(reference, "last") == 0 ||
	    (strncmp(reference, "last~", 5) == 0 && parse_integer(reference + 5, 0, INT64_MAX, &number, NULL) == 0))
		row = find_by(store,
		              "SELECT id FROM experiment WHERE " OF_ITSELF " ORDER BY started DESC, id DESC LIMIT 1 OFFSET ?1",
		              NULL, number, id, err);
	else if (parse_integer(reference, 1, INT64_MAX, &number, NULL) == 0)
		row = find_by(store, "SELECT id FROM experiment WHERE id = ?1", NULL, number, id, err);
	else
		row = find_by(
			store, "SELECT id FROM experiment WHERE name = ?1 AND " OF_ITSELF " ORDER BY started DESC, id DESC LIMIT 1",
			reference, 0, id, err);
	if (row != 0)
		return row < 0 ? -1 : 0;
	return error_full(err, ERROR_NO_DATA, store->path, "'tare history list' shows what there is",
	                  "no saved experiment is '@%.100s'", reference);
}

int store_document(struct store *store, int64_t id, struct buffer *out, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(store, "SELECT document FROM experiment WHERE id = ?1", err);
	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, id);
	int row = sql_row(store, s, reading, err);
	if (row == 1)
		buffer_add(out, sqlite3_column_blob(s, 0), (size_t)sqlite3_column_bytes(s, 0));
	sqlite3_finalize(s);
	if (row == 0)
		return damaged(store, id, "it has gone", err);
	return row < 0 ? -1 : buffer_error(out, err);
}

/* The order of the pairs. */

static int take_order(void *context, const char *text, size_t length)
{
	struct result *result = context;
	struct design_info *design = &result->design;
	if (array_add_in(&result->arena, &design->order, design->order_count) != 0)
		return -1;
	/* Most are the same two texts over and over. */
	const char *copy = NULL;
	for (size_t i = design->order_count; !copy && i > 0 && i + 4 > design->order_count; i--)
		if (strncmp(design->order[i - 1], text, length) == 0 && design->order[i - 1][length] == '\0')
			copy = design->order[i - 1];
	if (!copy)
		copy = arena_strndup(&result->arena, text, length);
	if (!copy)
		return -1;
	design->order[design->order_count++] = copy;
	return 0;
}

static int load_order(struct store *store, int64_t id, struct result *result, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(store, "SELECT pair_order FROM experiment WHERE id = ?1", err);
	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, id);
	int row = sql_row(store, s, reading, err), status = row < 0 ? -1 : 0;
	if (row == 1 && sqlite3_column_type(s, 0) == SQLITE_BLOB &&
	    codec_get_texts(sqlite3_column_blob(s, 0), (size_t)sqlite3_column_bytes(s, 0), take_order, result) != 0)
		status = damaged(store, id, "the order of its pairs is damaged", err);
	sqlite3_finalize(s);
	return status;
}

/* The series. */

static unsigned read_levels(const char *text, enum level *levels)
{
	unsigned depth = 0;
	while (*text && depth < LEVEL_COUNT) {
		char word[16];
		size_t length = strcspn(text, " ");
		if (length >= sizeof(word))
			return 0;
		memcpy(word, text, length);
		word[length] = '\0';
		levels[depth] = level_by_name(word);
		if (levels[depth++] == LEVEL_COUNT)
			return 0;
		text += length + (text[length] == ' ');
	}
	return *text ? 0 : depth;
}

static bool has_sums(const struct store *store)
{
	return store->schema >= SCHEMA_WITH_SUMS;
}

static int append_chunk(struct series *series, struct codec_walk *walk, const double *values, size_t n,
                        struct error *err)
{
	for (size_t i = 0; i < n; i++) {
		unsigned open;
		if (codec_walk_next(walk, &open) != 0)
			return 1;
		if (series_append(series, open, values[i], err) != 0)
			return -1;
	}
	return 0;
}

static const char checked_chunks[] = "SELECT n, data, sum <> row_sum(" CHUNK_COLUMNS
									 ") FROM chunk WHERE series = ?1 ORDER BY position",
				  plain_chunks[] = "SELECT n, data, 0 FROM chunk WHERE series = ?1 ORDER BY position";

static int load_chunks(struct store *store, int64_t id, int64_t series_id, struct series *series,
                       struct codec_walk *walk, struct error *err)
{
	sqlite3_stmt *s = sql_reuse(store, has_sums(store) ? checked_chunks : plain_chunks, err);
	double *values = mem_alloc(CODEC_CHUNK, sizeof(*values));
	int status = s ? 0 : -1, row = 0;
	if (!values)
		status = error_memory(err);
	if (status == 0)
		sqlite3_bind_int64(s, 1, series_id);
	while (status == 0 && (row = sql_row(store, s, reading, err)) == 1) {
		int64_t n = sqlite3_column_int64(s, 0);
		if (sqlite3_column_int(s, 2))
			status = damaged(store, id, "its samples are not as they were saved: the checksum is wrong", err);
		else if (n < 0 || n > CODEC_CHUNK ||
		         codec_get_values(sqlite3_column_blob(s, 1), (size_t)sqlite3_column_bytes(s, 1), values, (size_t)n) !=
		             0)
			status = damaged(store, id, "its samples are damaged", err);
		else if ((status = append_chunk(series, walk, values, (size_t)n, err)) == 1)
			status = damaged(store, id, "the levels of its samples are damaged", err);
	}
	sql_rest(s);
	mem_free(values);
	return row < 0 ? -1 : status;
}

/* Of a metric that the document leaves to its row. */
static void take_estimates(struct measurement *m, sqlite3_stmt *s)
{
	m->n = (size_t)sqlite3_column_int64(s, 9);
	m->mean = sql_get_number(s, 10);
	m->median = sql_get_number(s, 11);
	m->ci = (struct confidence){
		.low = sql_get_number(s, 12), .high = sql_get_number(s, 13), .level = sql_get_number(s, 14)};
	if (isnan(m->ci.level) && !isnan(m->ci.low))
		m->ci.why = "imported";
}

/* The metric that a row of series speaks of, with its own name and levels. The places of subjects are below their
 * number. */
static struct measurement *place_series(struct result *result, size_t subjects, sqlite3_stmt *s, struct error *err)
{
	size_t subject = (size_t)sqlite3_column_int64(s, 0), position = (size_t)sqlite3_column_int64(s, 2);
	enum level levels[LEVEL_COUNT];
	unsigned depth = read_levels(sql_get_text(s, 6), levels);
	while (result->subject_count <= subject && subject < subjects)
		if (!result_add_subject(result, sql_get_text(s, 1))) {
			error_memory(err);
			return NULL;
		}
	if (depth < 2 || subject >= subjects || position > result->subjects[subject].metric_count) {
		error_set(err, ERROR_INPUT, "a series of the store is damaged");
		return NULL;
	}
	struct subject *to = &result->subjects[subject];
	bool known = position < to->metric_count;
	if (!known &&
	    !result_add_metric(result, to, sql_get_text(s, 3), sql_get_text(s, 4),
	                       strcmp(sql_get_text(s, 5), "higher") == 0 ? BETTER_HIGHER : BETTER_LOWER, levels, depth)) {
		error_memory(err);
		return NULL;
	}
	if (!known)
		take_estimates(&to->metrics[position], s);
	/* The document has what is not UTF-8 in another form: these are the bytes. */
	struct measurement *m = &to->metrics[position];
	m->metric.name = arena_strdup(&result->arena, sql_get_text(s, 3));
	m->metric.unit = arena_strdup(&result->arena, sql_get_text(s, 4));
	if (position == 0)
		to->name = arena_strdup(&result->arena, sql_get_text(s, 1));
	if (!m->metric.name || !m->metric.unit || !to->name) {
		error_memory(err);
		return NULL;
	}
	series_release(&m->series);
	series_init(&m->series, levels, depth);
	return m;
}

/* How many subjects it has: -1 and err. */
static int64_t count_subjects(struct store *store, int64_t id, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(store, "SELECT count(*) FROM subject WHERE experiment = ?1", err);
	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, id);
	int64_t count = sql_row(store, s, reading, err) == 1 ? sqlite3_column_int64(s, 0) : -1;
	sqlite3_finalize(s);
	return count;
}

static int load_series(struct store *store, int64_t id, struct result *result, struct error *err)
{
	int64_t subjects = count_subjects(store, id, err);
	if (subjects < 0)
		return -1;
	sqlite3_stmt *s = sql_prepare(
		store,
		"SELECT subject.position, subject.name, series.position, series.metric, unit, better, levels, series.id,"
		" groups, n, mean, median, low, high, level FROM subject JOIN series ON series.subject = subject.id WHERE experiment = ?1"
		" ORDER BY subject.position, series.position",
		err);
	int status = s ? 0 : -1, row = 0;
	if (s)
		sqlite3_bind_int64(s, 1, id);
	while (status == 0 && (row = sql_row(store, s, reading, err)) == 1) {
		struct codec_walk walk;
		struct measurement *m = place_series(result, (size_t)subjects, s, err);
		if (!m)
			status = -1;
		else if (sqlite3_column_type(s, 8) != SQLITE_BLOB)
			continue; /* its rounds have not been folded */
		else if (codec_walk_init(&walk, sqlite3_column_blob(s, 8), (size_t)sqlite3_column_bytes(s, 8),
		                         m->series.depth) != 0)
			status = damaged(store, id, "the levels of its samples are damaged", err);
		else
			status = load_chunks(store, id, sqlite3_column_int64(s, 7), &m->series, &walk, err);
	}
	sqlite3_finalize(s);
	return row < 0 ? -1 : status;
}

/* Rounds that were not folded: the experiment runs, or was killed. */

static int replay_order(struct codec_input *in, struct result *result)
{
	uint64_t count, length;
	if (!codec_get(in, &count))
		return -1;
	for (uint64_t i = 0; i < count; i++) {
		if (!codec_get(in, &length) || length > (uint64_t)(in->end - in->at) ||
		    take_order(result, (const char *)in->at, (size_t)length) != 0)
			return -1;
		in->at += length;
	}
	return 0;
}

/* 1: damaged. */
static int replay_round(struct codec_input in, struct result *result, struct error *err)
{
	if (replay_order(&in, result) != 0)
		return 1;
	while (in.at < in.end) {
		uint64_t subject, metric, count, open;
		double value;
		if (!codec_get(&in, &subject) || !codec_get(&in, &metric) || !codec_get(&in, &count) ||
		    subject >= result->subject_count || metric >= result->subjects[subject].metric_count)
			return 1;
		struct series *series = &result->subjects[subject].metrics[metric].series;
		for (uint64_t i = 0; i < count; i++) {
			if (!codec_get(&in, &open) || open >= series->depth || !codec_get_double(&in, &value))
				return 1;
			if (series_append(series, (unsigned)open, value, err) != 0)
				return -1;
		}
	}
	return 0;
}

static int replay_rounds(struct store *store, int64_t id, struct result *result, struct error *err)
{
	sqlite3_stmt *s = sql_prepare(store,
	                              has_sums(store) ? "SELECT data, sum <> row_sum(" ROUND_COLUMNS
	                                                ") FROM round WHERE experiment = ?1 ORDER BY position"
	                                              : "SELECT data, 0 FROM round WHERE experiment = ?1 ORDER BY position",
	                              err);
	int status = s ? 0 : -1, row = 0;
	if (s)
		sqlite3_bind_int64(s, 1, id);
	while (status == 0 && (row = sql_row(store, s, reading, err)) == 1) {
		const unsigned char *data = sqlite3_column_blob(s, 0);
		struct codec_input in = {data, data + sqlite3_column_bytes(s, 0)};
		status = sqlite3_column_int(s, 1) ? 1 : replay_round(in, result, err);
		if (status == 1)
			status = damaged(store, id, "a round is damaged", err);
	}
	sqlite3_finalize(s);
	return row < 0 ? -1 : status;
}

int store_samples(struct store *store, int64_t id, struct result *result, struct error *err)
{
	result->design.order = NULL;
	result->design.order_count = 0;
	if (load_series(store, id, result, err) != 0 || load_order(store, id, result, err) != 0)
		return -1;
	/* The names may be others now. */
	if (result_make_titles(result) != 0)
		return error_memory(err);
	return replay_rounds(store, id, result, err);
}
