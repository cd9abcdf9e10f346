/* What is saved comes back, also when the process was killed, and what cannot be saved is refused with a reason. */
#include "base/memory.h"
#include "base/random.h"
#include "cli/stored.h"
#include "exchange/document.h"
#include "store/loader.h"
#include "store/maintain.h"
#include "store/query.h"
#include "store/schema.h"
#include "store/sql.h"
#include "store/writer.h"
#include "support/known.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/tare-store-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/a/tare.db", folder);
	return 0;
}

static void remove_store(void)
{
	char name[96];
	static const char *const ends[] = {"", "-wal", "-shm", "-journal", "-lock"};
	for (size_t i = 0; i < 5; i++) {
		snprintf(name, sizeof(name), "%s%s", path, ends[i]);
		unlink(name);
	}
}

static int remove_folder(void **state)
{
	(void)state;
	char name[96];
	remove_store();
	snprintf(name, sizeof(name), "%s/a", folder);
	rmdir(name);
	return rmdir(folder);
}

static struct store *open_store(enum store_mode mode)
{
	struct error err;
	struct store *store = store_open(path, mode, &err);
	if (!store)
		fail_msg("%s", err.what);
	return store;
}

/* Two subjects of two metrics, one of them with three levels; pairs with an order. */
static void begin_result(struct result *result)
{
	static const enum level two[] = {LEVEL_RUN, LEVEL_ITERATION}, three[] = {LEVEL_BUILD, LEVEL_RUN, LEVEL_ITERATION};
	static const char *argv[] = {"tare", "run", "a \"b\"", ""};
	result_init(result);
	result->started = "2026-02-03T14:05:06Z";
	result->version = "0.1.0";
	result->name = "one; DROP TABLE experiment;--";
	result->argv = argv;
	result->argc = 4;
	result->seed = 0x7fffffffffffffff;
	result->host.cpu = "a CPU";
	result->host.cpus = 4;
	result->design.name = "turns";
	result->design.paired = true;
	result->design.levels[0] = LEVEL_RUN;
	result->design.levels[1] = LEVEL_ITERATION;
	result->design.level_count = 2;
	for (int s = 0; s < 2; s++) {
		struct subject *subject = result_add_subject(result, s ? "new '\"\x01;--" : "old");
		assert_non_null(subject);
		assert_non_null(result_add_metric(result, subject, "wall", "s", BETTER_LOWER, two, 2));
		assert_non_null(result_add_metric(result, subject, "rate", "MB/s", BETTER_HIGHER, three, 3));
	}
}

static void add_round(struct result *result, struct random *random)
{
	static const char *order[1000];
	for (size_t s = 0; s < 2; s++) {
		struct measurement *metrics = result->subjects[s].metrics;
		assert_int_equal(series_append(&metrics[0].series, 0, random_uniform(random), NULL), 0);
		for (int i = 0; i < 3; i++)
			assert_int_equal(
				series_append(&metrics[1].series,
			                  i ? 1 + (unsigned)random_below(random, 2) : (unsigned)random_below(random, 2),
			                  random_below(random, 9) ? random_uniform(random) : (double)NAN, NULL),
				0);
	}
	result->design.order = order;
	order[result->design.order_count++] = random_below(random, 2) ? "AB" : "BA";
}

static void same_result(const struct result *a, const struct result *b)
{
	assert_int_equal(a->subject_count, b->subject_count);
	assert_int_equal(a->design.order_count, b->design.order_count);
	assert_int_equal(a->design.order_of_runs, b->design.order_of_runs);
	for (size_t i = 0; i < a->design.order_count; i++)
		assert_string_equal(a->design.order[i], b->design.order[i]);
	for (size_t s = 0; s < a->subject_count; s++) {
		assert_string_equal(a->subjects[s].name, b->subjects[s].name);
		assert_string_equal(subject_title(&a->subjects[s]), subject_title(&b->subjects[s]));
		assert_int_equal(a->subjects[s].metric_count, b->subjects[s].metric_count);
		for (size_t m = 0; m < a->subjects[s].metric_count; m++) {
			const struct series *x = &a->subjects[s].metrics[m].series, *y = &b->subjects[s].metrics[m].series;
			assert_string_equal(a->subjects[s].metrics[m].metric.name, b->subjects[s].metrics[m].metric.name);
			assert_int_equal(x->n, y->n);
			assert_memory_equal(x->values, y->values, x->n * sizeof(double));
			assert_int_equal(x->depth, y->depth);
			for (unsigned k = 0; k + 1 < x->depth; k++) {
				assert_int_equal(x->groups[k], y->groups[k]);
				assert_memory_equal(x->starts[k], y->starts[k], (x->groups[k] + 1) * sizeof(uint32_t));
			}
		}
	}
}

static int load(struct store *store, int64_t id, struct result *out, struct error *err)
{
	struct buffer document = {0};
	int status = store_document(store, id, &document, err);
	if (status == 0)
		status = document_read_text(buffer_text(&document), document.length, "stored", out, err);
	if (status == 0)
		status = store_samples(store, id, out, err);
	buffer_release(&document);
	return status;
}

static void check_stored(struct store *store, int64_t id, const struct result *expected)
{
	struct result back;
	struct error err;
	result_init(&back);
	if (load(store, id, &back, &err) != 0)
		fail_msg("%s", err.what);
	same_result(expected, &back);
	assert_true(back.seed == expected->seed);
	assert_int_equal(back.argc, expected->argc);
	result_release(&back);
}

static struct store_writer *begin(struct store *store, const struct result *result, const struct store_origin *origin,
                                  struct error *err)
{
	struct buffer document = {0};
	assert_int_equal(document_write_frame(result, &document, NULL), 0);
	struct store_writer *writer = store_begin(store, result, &document, origin, 5, err);
	buffer_release(&document);
	return writer;
}

static int finish(struct store_writer *writer, const struct result *result, struct error *err)
{
	struct buffer document = {0};
	assert_int_equal(document_write_frame(result, &document, NULL), 0);
	int status = store_finish(writer, result, &document, err);
	buffer_release(&document);
	return status;
}

static const char *const tags[] = {"nightly", "'; DROP TABLE tag;--", "nightly"};
static const struct store_program programs[] = {{"/bin/old", "0102", "abcd"}, {"/bin/new", "", "ef"}};
static const struct store_origin origin = {.metric = "wall",
                                           .commit = "0123456789",
                                           .branch = "main",
                                           .dirty = 1,
                                           .tags = tags,
                                           .tag_count = 3,
                                           .programs = programs,
                                           .program_count = 2};

/* After every round all of it is there, as it is when the experiment has ended. */
static void test_rounds(void **state)
{
	(void)state;
	struct result result;
	struct random random;
	struct error err;
	struct arena arena = {0};
	struct store_facts facts;
	random_seed(&random, 1);
	begin_result(&result);
	add_round(&result, &random);
	struct store *store = open_store(STORE_WRITE);
	struct store_writer *writer = begin(store, &result, &origin, &err);
	assert_non_null(writer);
	int64_t id = store_writer_id(writer);
	for (int round = 1; round < 30; round++) {
		check_stored(store, id, &result);
		add_round(&result, &random);
		if (round % 7 == 0) { /* two at a time */
			assert_int_equal(store_note_round(writer, 10 * round - 5, &err), 0);
			add_round(&result, &random);
		}
		assert_int_equal(store_round(writer, &result, 10 * round, &err), 0);
	}
	check_stored(store, id, &result);
	assert_int_equal(store_facts(store, id, &arena, &facts, &err), 0);
	assert_string_equal(facts.state, "running");
	assert_int_equal(facts.rounds, 34);
	assert_int_equal(finish(writer, &result, &err), 0);
	check_stored(store, id, &result);
	assert_int_equal(store_facts(store, id, &arena, &facts, &err), 0);
	assert_string_equal(facts.state, "done");
	assert_int_equal(facts.rounds, 34);
	assert_int_equal(facts.times[7], 65);
	assert_int_equal(facts.times[8], 70);
	assert_int_equal(facts.times[33], 290);
	assert_int_equal(facts.tag_count, 2);
	assert_string_equal(facts.programs[0].build_id, "0102");
	assert_string_equal(facts.programs[1].hash, "ef");
	assert_int_equal(facts.dirty, 1);
	assert_string_equal(facts.stratum, "a CPU, 4 CPUs");
	assert_true(facts.started == INT64_C(1770127506000));
	arena_release(&arena);
	store_writer_free(writer);
	store_close(store);
	result_release(&result);
	remove_store();
}

struct ending {
	struct store_writer *writer; /* NULL: it has ended */
	const struct result *result;
};

/* As the rounds are about to be read. */
static int end_now(unsigned what, void *context, void *statement, void *text)
{
	struct ending *ending = context;
	struct error err;
	(void)what;
	(void)text;
	if (ending->writer && strstr(sqlite3_sql(statement), " FROM round ")) {
		assert_int_equal(finish(ending->writer, ending->result, &err), 0);
		ending->writer = NULL;
	}
	return 0;
}

static void test_ends_while_it_is_read(void **state)
{
	(void)state;
	struct result result, back;
	struct random random;
	struct error err;
	random_seed(&random, 4);
	begin_result(&result);
	add_round(&result, &random);
	struct store *store = open_store(STORE_WRITE), *reader = open_store(STORE_READ);
	struct store_writer *writer = begin(store, &result, &origin, &err);
	assert_non_null(writer);
	struct ending ending = {writer, &result};
	sqlite3_trace_v2(reader->db, SQLITE_TRACE_STMT, end_now, &ending);
	result_init(&back);
	assert_int_equal(stored_load(reader, store_writer_id(writer), &back, &err), 0);
	assert_null(ending.writer);
	same_result(&result, &back);
	assert_string_equal(back.stopped.reason, "running");
	result_release(&back);
	check_stored(reader, store_writer_id(writer), &result);
	store_writer_free(writer);
	store_close(reader);
	store_close(store);
	result_release(&result);
	remove_store();
}

/* Subjects that come up later are saved too, with what tells them apart; so is that the order is one of runs. */
static void test_late_subject(void **state)
{
	(void)state;
	static const enum level two[] = {LEVEL_RUN, LEVEL_ITERATION};
	struct result result;
	struct random random;
	struct error err;
	random_seed(&random, 2);
	begin_result(&result);
	add_round(&result, &random);
	struct store *store = open_store(STORE_WRITE);
	struct store_writer *writer = begin(store, &result, &origin, &err);
	assert_non_null(writer);
	for (int i = 0; i < 2; i++) {
		struct subject *late = result_add_subject(&result, "late");
		assert_int_equal(result_add_parameter(&result, late, "n", i ? "10" : "20"), 0);
		struct measurement *m = result_add_metric(&result, late, "wall", "s", BETTER_LOWER, two, 2);
		assert_int_equal(series_append(&m->series, 0, 1.5, NULL), 0);
	}
	assert_int_equal(store_round(writer, &result, 7, &err), 0);
	check_stored(store, store_writer_id(writer), &result);
	assert_int_equal(result_make_titles(&result), 0);
	assert_string_equal(result.subjects[3].title, "late (n=10)");
	result.design.order_of_runs = true;
	assert_int_equal(finish(writer, &result, &err), 0);
	check_stored(store, store_writer_id(writer), &result);
	store_writer_free(writer);
	store_close(store);
	result_release(&result);
	remove_store();
}

/* Another process holds the lock: the round is refused, and saved with the next one. */
static void test_busy(void **state)
{
	(void)state;
	struct result result;
	struct random random;
	struct error err;
	sqlite3 *other;
	random_seed(&random, 3);
	begin_result(&result);
	add_round(&result, &random);
	struct store *store = open_store(STORE_WRITE);
	store_patience(store, 10);
	struct store_writer *writer = begin(store, &result, &origin, &err);
	assert_non_null(writer);
	assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	add_round(&result, &random);
	assert_int_equal(store_round(writer, &result, 20, &err), -1);
	assert_int_equal(sqlite3_errcode(store->db) & 0xff, SQLITE_BUSY);
	assert_int_equal(finish(writer, &result, &err), -1);
	assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(other);
	add_round(&result, &random);
	assert_int_equal(store_round(writer, &result, 30, &err), 0);
	check_stored(store, store_writer_id(writer), &result);
	/* One that the end alone writes. */
	add_round(&result, &random);
	assert_int_equal(store_note_round(writer, 40, &err), 0);
	assert_int_equal(finish(writer, &result, &err), 0);
	check_stored(store, store_writer_id(writer), &result);
	struct arena arena = {0};
	struct store_facts facts;
	assert_int_equal(store_facts(store, store_writer_id(writer), &arena, &facts, &err), 0);
	assert_int_equal(facts.rounds, 4);
	assert_int_equal(facts.times[1], 20);
	assert_int_equal(facts.times[3], 40);
	arena_release(&arena);
	store_writer_free(writer);
	store_close(store);
	result_release(&result);
	remove_store();
}

/* Saves one small experiment; -1 and err. */
static int save_one(struct store *store, const struct result *result, const struct store_origin *from,
                    struct error *err)
{
	struct store_writer *writer = begin(store, result, from, err);
	int status = writer ? finish(writer, result, err) : -1;
	store_writer_free(writer);
	return status;
}

static void save_some(size_t count)
{
	struct result result;
	struct random random;
	struct error err;
	random_seed(&random, 4);
	struct store *store = open_store(STORE_WRITE);
	for (size_t i = 0; i < count; i++) {
		begin_result(&result);
		if (i % 2)
			result.name = "other";
		add_round(&result, &random);
		result.subjects[0].metrics[0].mean = (double)i;
		assert_int_equal(save_one(store, &result, &origin, &err), 0);
		result_release(&result);
	}
	store_close(store);
}

static void test_names(void **state)
{
	(void)state;
	int64_t id = 0;
	struct error err;
	save_some(4);
	struct store *store = open_store(STORE_WRITE);
	struct result again;
	const char *const mark[] = {STORE_CONFIRMATION};
	begin_result(&again); /* passed over */
	again.name = "other";
	assert_int_equal(save_one(store, &again, &(struct store_origin){.tags = mark, .tag_count = 1}, &err), 0);
	result_release(&again);
	static const struct {
		const char *reference;
		int64_t id;
	} known[] = {{"last", 4}, {"last~0", 4}, {"last~3", 1},
	             {"5", 5},    {"other", 4},  {"one; DROP TABLE experiment;--", 3}};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		assert_int_equal(store_find(store, known[i].reference, &id, &err), 0);
		assert_true(id == known[i].id);
	}
	static const char *const unknown[] = {"last~4", "last~x", "6", "0", "", "nobody", "-1"};
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		assert_int_equal(store_find(store, unknown[i], &id, &err), -1);
		assert_int_equal(err.kind, ERROR_NO_DATA);
	}
	store_close(store);
	remove_store();
}

static int count_row(void *context, const struct store_row *row, struct error *err)
{
	(void)row;
	(void)err;
	++*(int *)context;
	return 0;
}

static int count_point(void *context, const struct store_point *point, struct error *err)
{
	(void)err;
	if (point->mean == (double)*(int *)context)
		++*(int *)context;
	return 0;
}

static int rows_of(struct store *store, const struct store_filter *filter)
{
	int count = 0;
	assert_int_equal(store_list(store, filter, count_row, &count, NULL), 0);
	return count;
}

static void test_filters(void **state)
{
	(void)state;
	save_some(6);
	struct store *store = open_store(STORE_READ);
	static const char *const hostile[] = {"'; DROP TABLE tag;--", "nightly"}, *const unknown[] = {"weekly"};
	assert_int_equal(rows_of(store, &(struct store_filter){0}), 6);
	assert_int_equal(rows_of(store, &(struct store_filter){.limit = 4}), 4);
	assert_int_equal(rows_of(store, &(struct store_filter){.name = "other"}), 3);
	assert_int_equal(rows_of(store, &(struct store_filter){.name = "o*r"}), 3);
	assert_int_equal(rows_of(store, &(struct store_filter){.tags = hostile, .tag_count = 2}), 6);
	assert_int_equal(rows_of(store, &(struct store_filter){.tags = unknown, .tag_count = 1}), 0);
	assert_int_equal(rows_of(store, &(struct store_filter){.subject = "new '\""}), 6);
	assert_int_equal(rows_of(store, &(struct store_filter){.subject = "x"}), 0);
	assert_int_equal(rows_of(store, &(struct store_filter){.host = "a CPU"}), 6);
	assert_int_equal(rows_of(store, &(struct store_filter){.host = "another"}), 0);
	assert_int_equal(rows_of(store, &(struct store_filter){.subject = "old", .exact = true}), 6);
	assert_int_equal(rows_of(store, &(struct store_filter){.subject = "ol", .exact = true}), 0);
	assert_int_equal(rows_of(store, &(struct store_filter){.subject = "o*", .exact = true}), 0);
	assert_int_equal(rows_of(store, &(struct store_filter){.host = "a CPU", .exact = true}), 0);
	assert_int_equal(rows_of(store, &(struct store_filter){.has_since = true, .since = INT64_C(1770127506000)}), 6);
	assert_int_equal(rows_of(store, &(struct store_filter){.has_since = true, .since = INT64_C(1770127506001)}), 0);
	assert_int_equal(rows_of(store, &(struct store_filter){.has_until = true, .until = INT64_C(1770127505999)}), 0);
	assert_int_equal(rows_of(store, &(struct store_filter){.has_until = true, .until = 0}), 0);
	int next = 0;
	assert_int_equal(store_points(store, &(struct store_filter){.subject = "old"}, count_point, &next, NULL), 0);
	assert_int_equal(next, 6);
	next = 0;
	assert_int_equal(
		store_points(store, &(struct store_filter){.subject = "ol", .exact = true}, count_point, &next, NULL), 0);
	assert_int_equal(next, 0);
	store_close(store);
	remove_store();
}

static void run_sql(const char *text)
{
	sqlite3 *db;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void count_problem(void *context, const char *problem)
{
	(void)problem;
	++*(size_t *)context;
}

static size_t problems_of(struct store *store)
{
	size_t problems = 0;
	assert_int_equal(store_integrity(store, count_problem, &problems, NULL), 0);
	return problems;
}

/* As the tares before wrote it. */
static void make_schema_1(void)
{
	static const char *const tables[] = {"experiment", "host", "program", "tag", "subject", "series", "chunk", "round"};
	char text[96];
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		snprintf(text, sizeof(text), "ALTER TABLE %s DROP COLUMN sum", tables[i]);
		run_sql(text);
	}
	run_sql("DROP TABLE baseline; PRAGMA user_version = 1");
}

/* A store of schema 1 is read as it is, and brought forward by the first writer; nothing is lost. */
static void test_migration(void **state)
{
	(void)state;
	int64_t id;
	struct error err;
	struct result before, after;
	save_some(3);
	make_schema_1();
	struct store *store = open_store(STORE_READ);
	assert_int_equal(rows_of(store, &(struct store_filter){0}), 3);
	assert_int_equal(problems_of(store), 0);
	result_init(&before);
	assert_int_equal(load(store, 2, &before, &err), 0);
	store_close(store);
	store = open_store(STORE_WRITE);
	assert_int_equal(rows_of(store, &(struct store_filter){0}), 3);
	assert_int_equal(problems_of(store), 0);
	result_init(&after);
	assert_int_equal(load(store, 2, &after, &err), 0);
	same_result(&before, &after);
	result_release(&before);
	result_release(&after);
	assert_int_equal(store_baseline_set(store, "base", 2, 5, &err), 0);
	assert_int_equal(store_baseline_find(store, "base", &id, &err), 0);
	assert_true(id == 2);
	store_close(store);
	/* What is damaged from now on is seen. */
	run_sql("UPDATE chunk SET data = zeroblob(length(data)) WHERE id = 1");
	store = open_store(STORE_READ);
	assert_int_equal(problems_of(store), 1);
	store_close(store);
	remove_store();
}

/* Every column of every row is covered by its checksum. */
static void test_checksums(void **state)
{
	(void)state;
	static const struct {
		const char *table, *columns;
	} tables[] = {
		{"experiment", EXPERIMENT_COLUMNS}, {"host", HOST_COLUMNS},       {"tag", TAG_COLUMNS},
		{"subject", SUBJECT_COLUMNS},       {"series", SERIES_COLUMNS},   {"chunk", CHUNK_COLUMNS},
		{"baseline", BASELINE_COLUMNS},     {"program", PROGRAM_COLUMNS},
	};
	struct error err;
	save_some(2);
	struct store *store = open_store(STORE_WRITE);
	assert_int_equal(store_baseline_set(store, "base", 2, 5, &err), 0);
	assert_int_equal(problems_of(store), 0);
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		char columns[512], *rest = columns;
		snprintf(columns, sizeof(columns), "%s", tables[t].columns);
		for (char *column; (column = strsep(&rest, ", ")) != NULL;) {
			char text[256];
			if (!*column)
				continue;
			/* Also where it is NULL. */
			snprintf(text, sizeof(text),
			         "PRAGMA foreign_keys = OFF; BEGIN; UPDATE OR REPLACE %s SET %s = CASE typeof(%s) WHEN 'blob' THEN"
			         " CAST(%s || 'x' AS BLOB) WHEN 'text' THEN %s || 'x' ELSE ifnull(%s, 0) + 1 END",
			         tables[t].table, column, column, column, column, column);
			assert_int_equal(sql_run(store, text, "change", &err), 0);
			/* What no row has cannot be changed. */
			if (sqlite3_changes(store->db) > 0 && problems_of(store) == 0)
				fail_msg("%s.%s is not looked at", tables[t].table, column);
			assert_int_equal(sql_run(store, "ROLLBACK", "undo", &err), 0);
		}
	}
	assert_int_equal(problems_of(store), 0);
	store_close(store);
	remove_store();
}

/* All that the store says of its experiments, as text; -1 where it says that something is wrong. */
static int describe(struct buffer *out)
{
	struct error err;
	size_t problems = 0;
	struct store *store = store_open(path, STORE_READ, &err);
	int status = store ? store_integrity(store, count_problem, &problems, &err) : -1;
	for (int64_t id = 1; status == 0 && problems == 0 && id <= 2; id++) {
		struct arena arena = {0};
		struct store_facts facts;
		struct result back;
		result_init(&back);
		status = load(store, id, &back, &err);
		if (status == 0)
			status = document_write(&back, out, &err);
		if (status == 0)
			status = store_facts(store, id, &arena, &facts, &err);
		if (status == 0)
			buffer_printf(out, "%s %s %s %s %s %s %lld %zu %zu\n", facts.key, facts.name, facts.state, facts.metric,
			              facts.design, facts.commit, (long long)facts.started, facts.tag_count, facts.rounds);
		result_release(&back);
		arena_release(&arena);
	}
	store_close(store);
	return status == 0 && problems == 0 ? 0 : -1;
}

/* A bit anywhere in the file changes: either that is found, or nothing that is read has changed. */
static void test_flipped_bits(void **state)
{
	(void)state;
	struct random random;
	struct buffer before = {0};
	random_seed(&random, 8);
	save_some(2);
	assert_int_equal(describe(&before), 0);
	FILE *file = fopen(path, "r+b");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	uint64_t bits = (uint64_t)ftell(file) * 8;
	size_t found = 0;
	for (int trial = 0; trial < 400; trial++) {
		uint64_t bit = random_below(&random, bits);
		struct buffer after = {0};
		for (int flip = 0; flip < 2; flip++) {
			assert_int_equal(fseek(file, (long)(bit / 8), SEEK_SET), 0);
			int byte = fgetc(file);
			assert_int_equal(fseek(file, (long)(bit / 8), SEEK_SET), 0);
			fputc(byte ^ 1 << bit % 8, file);
			fflush(file);
			if (flip == 0 && describe(&after) != 0)
				found++;
			else if (flip == 0 && strcmp(buffer_text(&before), buffer_text(&after)) != 0)
				fail_msg("bit %llu was flipped, and nobody has seen it", (unsigned long long)bit);
		}
		buffer_release(&after);
	}
	if (found < 30) /* most of a small file is free */
		fail_msg("%zu of 400 were found", found);
	fclose(file);
	buffer_release(&before);
	remove_store();
}

/* Whether an experiment is being measured, seen from other processes; it goes on being so for as long as that process
 * lives, and no longer. */
static void test_alive(void **state)
{
	(void)state;
	struct random random;
	struct error err;
	int told[2], go[2];
	char byte = 0;
	random_seed(&random, 9);
	assert_int_equal(pipe(told), 0);
	assert_int_equal(pipe(go), 0);
	pid_t child = fork();
	if (child == 0) {
		struct result result;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		begin_result(&result);
		add_round(&result, &random);
		close(go[1]);
		struct store *store = store_open(path, STORE_WRITE, &err);
		struct store_writer *writer = store ? begin(store, &result, &origin, &err) : NULL;
		if (writer && write(told[1], &byte, 1) == 1 && read(go[0], &byte, 1) >= 0)
			pause();
		_exit(1);
	}
	close(told[1]);
	assert_int_equal(read(told[0], &byte, 1), 1);
	/* As it looks from a container, or after the number was given to another process: only the lock counts. */
	run_sql("UPDATE experiment SET pid = 1");
	struct store *store = open_store(STORE_WRITE);
	struct arena arena = {0};
	struct store_facts facts;
	assert_int_equal(store_facts(store, 1, &arena, &facts, &err), 0);
	assert_false(facts.orphaned);
	assert_int_equal(store_remove(store, 1, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.what, "still being measured"));
	assert_int_equal(store_may_go(store, 1, &err), -1);
	assert_int_equal(store_claim(store, 1, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_int_equal(store_facts(store, 1, &arena, &facts, &err), 0);
	assert_true(facts.orphaned);
	/* One goes on with it: no other can, nor remove it. */
	struct store *other = open_store(STORE_WRITE);
	assert_int_equal(store_claim(store, 1, &err), 0);
	assert_int_equal(store_claim(store, 1, &err), 0);
	assert_int_equal(store_claim(other, 1, &err), -1);
	assert_int_equal(store_remove(other, 1, &err), -1);
	assert_int_equal(store_may_go(other, 1, &err), -1);
	assert_int_equal(store_remove(store, 1, &err), 0);
	store_close(other);
	store_close(store);
	arena_release(&arena);
	close(told[0]);
	close(go[0]);
	close(go[1]);
	remove_store();
}

/* What a store says of its sizes is not believed: nothing is allocated for it before the data is there. */
static void test_bombs(void **state)
{
	(void)state;
	static const char *const bombs[] = {"UPDATE subject SET position = 1000000000 WHERE position = 0",
	                                    "UPDATE subject SET position = -1 WHERE position = 0",
	                                    "UPDATE chunk SET n = 1000000000, sum = NULL",
	                                    "UPDATE series SET position = 1000000000 WHERE position = 0"};
	struct error err;
	struct result back;
	for (size_t i = 0; i < sizeof(bombs) / sizeof(bombs[0]); i++) {
		save_some(1);
		run_sql(bombs[i]);
		struct store *store = open_store(STORE_READ);
		result_init(&back);
		if (load(store, 1, &back, &err) != -1 || err.kind != ERROR_INPUT)
			fail_msg("%s", bombs[i]);
		result_release(&back);
		store_close(store);
		remove_store();
	}
	save_some(1);
	run_sql("UPDATE experiment SET rounds = 1000000000");
	struct store *store = open_store(STORE_READ);
	struct arena arena = {0};
	struct store_facts facts;
	assert_int_equal(store_facts(store, 1, &arena, &facts, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	arena_release(&arena);
	store_close(store);
	remove_store();
}

/* Baselines are kept when others go. */
static void test_baselines(void **state)
{
	(void)state;
	int64_t id;
	struct error err;
	save_some(3);
	struct store *store = open_store(STORE_WRITE);
	assert_int_equal(store_baseline_set(store, "'; DROP", 2, 5, &err), 0);
	assert_int_equal(store_remove(store, 2, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_int_equal(store_remove(store, 1, &err), 0);
	assert_int_equal(store_compact(store, &err), 0);
	assert_int_equal(rows_of(store, &(struct store_filter){0}), 2);
	assert_int_equal(store_baseline_set(store, "'; DROP", 3, 6, &err), 0);
	assert_int_equal(store_remove(store, 2, &err), 0);
	assert_int_equal(store_baseline_find(store, "nobody", &id, &err), -1);
	assert_int_equal(err.kind, ERROR_NO_DATA);
	assert_int_equal(store_baseline_remove(store, "'; DROP", &err), 0);
	assert_int_equal(store_baseline_find(store, "'; DROP", &id, &err), -1);
	store_close(store);
	remove_store();
}

static int count_steps(void *context)
{
	++*(int64_t *)context;
	return 0;
}

/* Programs that nobody runs any more go, each in a few steps of SQLite however many subjects there are; and a subject
 * still needs an experiment. */
static void test_compact(void **state)
{
	(void)state;
	enum { MANY = 2000 };
	int64_t thousands = 0, known = 0;
	struct error err;
	save_some(1);
	struct store *store = open_store(STORE_WRITE);
	assert_int_equal(sql_one(store, "SELECT count(*) FROM program", 0, &known, &err), 0);
	assert_int_equal(sql_begin(store, &err), 0);
	for (int i = 0; i < MANY; i++) {
		char text[200];
		snprintf(text, sizeof(text),
		         "INSERT INTO program(path, build_id, hash) VALUES('p', 'b', '%d');"
		         "INSERT INTO subject(experiment, position, name) VALUES(1, %d, 's')",
		         i, 1000 + i);
		assert_int_equal(sql_run(store, text, "fill", &err), 0);
	}
	assert_int_equal(sql_end(store, 0, &err), 0);
	sqlite3_progress_handler(store->db, 1000, count_steps, &thousands);
	assert_int_equal(store_compact(store, &err), 0);
	sqlite3_progress_handler(store->db, 0, NULL, NULL);
	assert_true(thousands < 1000); /* all of the subjects for each would be twelve thousand */
	int64_t left = 0;
	assert_int_equal(sql_one(store, "SELECT count(*) FROM program", 0, &left, &err), 0);
	assert_true(left <= known);
	assert_int_equal(sql_run(store, "INSERT INTO subject(experiment, position, name) VALUES(99, 1, 's')", "x", &err),
	                 -1);
	store_close(store);
	remove_store();
}

/* No room: the round is refused, what was there stays, and with room again all of it is saved. */
static void test_full(void **state)
{
	(void)state;
	struct result result;
	struct random random;
	struct error err;
	random_seed(&random, 8);
	begin_result(&result);
	add_round(&result, &random);
	struct store *store = open_store(STORE_WRITE);
	struct store_writer *writer = begin(store, &result, &origin, &err);
	assert_non_null(writer);
	int64_t pages;
	assert_int_equal(sql_one(store, "PRAGMA page_count", 0, &pages, &err), 0);
	char text[64];
	snprintf(text, sizeof(text), "PRAGMA max_page_count = %lld", (long long)pages);
	assert_int_equal(sql_run(store, text, "limit", &err), 0);
	int failed = 0;
	for (int round = 0; round < 60; round++) {
		add_round(&result, &random);
		failed |= store_round(writer, &result, round, &err) != 0;
	}
	assert_true(failed);
	assert_non_null(strstr(err.what, "full"));
	assert_int_equal(finish(writer, &result, &err), -1);
	assert_int_equal(sql_run(store, "PRAGMA max_page_count = 100000", "limit", &err), 0);
	assert_int_equal(finish(writer, &result, &err), 0);
	check_stored(store, store_writer_id(writer), &result);
	store_writer_free(writer);
	store_close(store);
	result_release(&result);
	remove_store();
}

static void refused(enum store_mode mode, enum error_kind kind, const char *words)
{
	struct error err = {0};
	assert_null(store_open(path, mode, &err));
	assert_int_equal(err.kind, kind);
	if (!strstr(err.what, words))
		fail_msg("'%s' does not say '%s'", err.what, words);
}

static void test_refused(void **state)
{
	(void)state;
	refused(STORE_READ, ERROR_NO_DATA, "nothing was saved");
	save_some(1);
	run_sql("PRAGMA user_version = 99");
	refused(STORE_READ, ERROR_INPUT, "newer tare");
	refused(STORE_WRITE, ERROR_INPUT, "newer tare");
	remove_store();
	run_sql("CREATE TABLE t(x)");
	refused(STORE_WRITE, ERROR_INPUT, "not one of tare");
	remove_store();
	FILE *file = fopen(path, "w");
	for (int i = 0; i < 5000; i++)
		fputs("this is no database\n", file);
	fclose(file);
	refused(STORE_WRITE, ERROR_INPUT, "not a database");
	refused(STORE_READ, ERROR_INPUT, "not a database");
	remove_store();
}

/* Where no log can be made, the file is read as it is, but not without what a log that is there holds. */
static void test_locked_out(void **state)
{
	(void)state;
	char name[96];
	save_some(1);
	snprintf(name, sizeof(name), "%s-shm", path);
	assert_int_equal(symlink("nowhere", name), 0);
	store_close(open_store(STORE_READ));
	snprintf(name, sizeof(name), "%s-wal", path);
	FILE *file = fopen(name, "w");
	fputs("something", file);
	fclose(file);
	refused(STORE_READ, ERROR_SYSTEM, "unable to open");
	remove_store();
}

/* A child is killed at a random instant while it saves; every round that it reported is there. */
static void test_killed(void **state)
{
	(void)state;
	struct random random;
	random_seed(&random, 5);
	for (int trial = 0; trial < 8; trial++) {
		int fds[2];
		assert_int_equal(pipe(fds), 0);
		pid_t child = fork();
		if (child == 0) {
			struct result result;
			struct error err;
			begin_result(&result);
			add_round(&result, &random);
			struct store *store = store_open(path, STORE_WRITE, &err);
			struct store_writer *writer = store ? begin(store, &result, &origin, &err) : NULL;
			for (int64_t round = 1; writer && round < 900; round++) {
				if (write(fds[1], &round, sizeof(round)) < 0)
					break;
				add_round(&result, &random);
				if (store_round(writer, &result, round, &err) != 0)
					break;
			}
			_exit(1);
		}
		int64_t reported = 0, wanted = 1 + (int64_t)random_below(&random, 300);
		while (reported < wanted)
			assert_int_equal(read(fds[0], &reported, sizeof(reported)), sizeof(reported));
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		close(fds[1]);
		for (int64_t more; read(fds[0], &more, sizeof(more)) == (ssize_t)sizeof(more);)
			reported = more;
		close(fds[0]);
		struct store *store = open_store(STORE_WRITE);
		struct arena arena = {0};
		struct store_facts facts;
		struct result back;
		struct error err;
		int64_t id;
		assert_int_equal(store_find(store, "last", &id, &err), 0);
		assert_int_equal(store_facts(store, id, &arena, &facts, &err), 0);
		assert_true(facts.orphaned);
		assert_true(facts.rounds >= (size_t)reported && facts.rounds <= (size_t)reported + 1);
		result_init(&back);
		assert_int_equal(load(store, id, &back, &err), 0);
		assert_int_equal(back.subjects[1].metrics[0].series.n, facts.rounds);
		result_release(&back);
		arena_release(&arena);
		store_close(store);
	}
	remove_store();
}

static int starve_save(struct error *err)
{
	struct result result;
	struct random random;
	random_seed(&random, 6);
	begin_result(&result);
	add_round(&result, &random);
	mem_fail_at(0);
	struct buffer document = {0};
	assert_int_equal(document_write_frame(&result, &document, NULL), 0);
	int status = -1;
	static long nth;
	mem_fail_at(++nth);
	struct store *store = store_open(path, STORE_WRITE, err);
	struct store_writer *writer = store ? store_begin(store, &result, &document, &origin, 1, err) : NULL;
	if (writer && store_round(writer, &result, 2, err) == 0)
		status = store_finish(writer, &result, &document, err);
	int starved = mem_failed();
	mem_fail_at(0);
	store_writer_free(writer);
	store_close(store);
	buffer_release(&document);
	result_release(&result);
	assert_true(starved || status == 0);
	return starved ? 1 : 0;
}

/* Our own allocations fail one by one: -1, nothing half-saved, and the next one works. */
static void test_starved(void **state)
{
	(void)state;
	struct error err;
	int failures = 0;
	while (starve_save(&err))
		failures++;
	assert_true(failures > 5);
	remove_store();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rounds),       cmocka_unit_test(test_ends_while_it_is_read),
		cmocka_unit_test(test_late_subject), cmocka_unit_test(test_busy),
		cmocka_unit_test(test_names),        cmocka_unit_test(test_filters),
		cmocka_unit_test(test_refused),      cmocka_unit_test(test_locked_out),
		cmocka_unit_test(test_killed),       cmocka_unit_test(test_starved),
		cmocka_unit_test(test_migration),    cmocka_unit_test(test_baselines),
		cmocka_unit_test(test_full),         cmocka_unit_test(test_bombs),
		cmocka_unit_test(test_checksums),    cmocka_unit_test(test_flipped_bits),
		cmocka_unit_test(test_alive),        cmocka_unit_test(test_compact),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
