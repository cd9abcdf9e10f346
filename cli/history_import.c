/* tare history import: histories of others, and documents that could not be saved, into the store. */
#include "analysis/measurement.h"
#include "base/array.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/moment.h"
#include "base/sha256.h"
#include "cli/history.h"
#include "cli/message.h"
#include "cli/stored.h"
#include "exchange/document.h"
#include "exchange/history_read.h"
#include "host/file.h"
#include "report/overview.h"
#include "store/writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is imported. Standard input is kept whole: it can be read once only, and has two readers. */
struct import_source {
	const char *path;
	bool standard;
	struct buffer bytes; /* of standard input */
};

enum { STANDARD_BLOCK = 1 << 16, STANDARD_MAX = 1 << 30 };

struct tally {
	size_t added, known;
	size_t untimed; /* of those added: that do not say when they were measured */
	int64_t first;  /* number of the first that was added; 0: none yet */
};

/* What was measured at once: by machine, time and commit. */
static int same_moment(const struct history_record *a, const struct history_record *b)
{
	int order = strcmp(a->machine, b->machine);
	if (order == 0)
		order = (a->when > b->when) - (a->when < b->when);
	return order ? order : strcmp(a->commit, b->commit);
}

static int by_moment(const void *a, const void *b)
{
	const struct history_kept *x = a, *y = b;
	int order = same_moment(&x->what, &y->what);
	return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* What was measured at one moment. Names are found by maps: there may be tens of thousands of subjects or metrics. */
struct import_moment {
	struct result result;
	struct map subjects, metrics; /* a subject's number is its place in the result */
	struct map series;            /* subject and metric: */
	uint32_t *places;             /* of that metric in the subject */
	size_t place_capacity;
	bool repeated; /* a series has several values */
};

static void import_moment_release(struct import_moment *moment)
{
	result_release(&moment->result);
	map_release(&moment->subjects);
	map_release(&moment->metrics);
	map_release(&moment->series);
	mem_free(moment->places);
}

/* NULL: no memory. */
static struct measurement *moment_series(struct import_moment *moment, const struct history_record *record)
{
	struct result *result = &moment->result;
	uint32_t subject = map_text(&moment->subjects, record->subject, strlen(record->subject));
	uint32_t metric = map_text(&moment->metrics, record->metric, strlen(record->metric));
	if (subject == MAP_NONE || metric == MAP_NONE ||
	    (subject == result->subject_count && !result_add_subject(result, record->subject)))
		return NULL;
	struct subject *of = &result->subjects[subject];
	uint32_t known = moment->series.count, series = map_key(&moment->series, map_pair(subject, metric));
	if (series == MAP_NONE)
		return NULL;
	if (series < known)
		return &of->metrics[moment->places[series]];
	if (array_reserve(&moment->places, &moment->place_capacity, (size_t)known + 1) != 0)
		return NULL;
	moment->places[series] = (uint32_t)of->metric_count;
	return result_add_metric(result, of, record->metric, record->unit, record->better, levels_of_runs, 2);
}

/* One estimate: a series of one value. Rows for the same moment make it longer; estimate_repeated() looks at all. */
static int add_estimate(struct import_moment *moment, const struct history_record *record, struct error *err)
{
	struct measurement *m = moment_series(moment, record);
	if (!m)
		return error_memory(err);
	bool alone = m->series.n == 0;
	moment->repeated |= !alone;
	m->n = 1;
	m->mean = m->median = record->value;
	m->ci = (struct confidence){.level = NAN, .low = NAN, .high = NAN};
	if (alone && isfinite(record->low) && isfinite(record->high))
		m->ci = (struct confidence){.level = NAN, .low = record->low, .high = record->high, .why = "imported"};
	return series_append(&m->series, 0, record->value, err);
}

static int estimate_repeated(struct result *result, struct error *err)
{
	struct analysis_options options;
	analysis_options_init(&options);
	for (size_t s = 0; s < result->subject_count; s++) {
		const struct subject *subject = &result->subjects[s];
		for (size_t m = 0; m < subject->metric_count; m++)
			if (subject->metrics[m].series.n > 1 &&
			    analyse_measurement(result, subject, &subject->metrics[m], &options, err) != 0)
				return -1;
	}
	return 0;
}

/* The same results have the same key, so that importing twice adds nothing. */
static void make_key(const struct history_kept *records, size_t count, char key[SHA256_TEXT])
{
	struct sha256 sha;
	sha256_init(&sha);
	for (size_t i = 0; i < count; i++) {
		const struct history_record *r = &records[i].what;
		const char *texts[] = {r->machine, r->commit, r->subject, r->metric, r->unit};
		for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++)
			sha256_add(&sha, texts[k], strlen(texts[k]) + 1);
		sha256_add(&sha, &r->when, sizeof(r->when));
		sha256_add(&sha, &r->value, sizeof(r->value));
	}
	sha256_end(&sha, key);
	key[32] = '\0';
}

/* `plain`: the rows of the store say all of its subjects. */
static int save(struct store *store, struct result *result, const struct store_origin *origin, bool plain,
                struct tally *tally, struct error *err)
{
	SCOPED(buffer) struct buffer document = {0};
	const struct provenance *stored = result->stored;
	int64_t id;
	int status = plain ? document_write_outline(result, &document, err) : document_write_frame(result, &document, err);
	if (status == 0)
		status = store_add(store, result, &document, origin, stored ? stored->times : NULL, stored ? stored->rounds : 0,
		                   &id, err);
	if (status == 0 && tally->added++ == 0)
		tally->first = id;
	tally->known += status == 1;
	return status < 0 ? -1 : 0;
}

static int save_moment(struct store *store, const struct history_options *options, const struct history_kept *records,
                       size_t count, const char *stratum, struct tally *tally, struct error *err)
{
	char key[SHA256_TEXT], started[MOMENT_TEXT];
	const struct history_record *first = &records[0].what;
	struct store_origin origin = {.metric = first->metric,
	                              .commit = first->commit[0] ? first->commit : NULL,
	                              .dirty = -1,
	                              .key = key,
	                              .tags = options->tags.items,
	                              .tag_count = options->tags.count,
	                              .started = &first->when,
	                              .stratum = first->machine[0] ? first->machine : stratum};
	SCOPED(import_moment) struct import_moment moment = {.result = result_empty()};
	moment.result.version = TARE_VERSION;
	moment.result.name = options->name;
	moment.result.started = moment_text(first->when, started);
	moment.result.design.name = "imported";
	moment.result.design.why = "a history of others";
	moment.result.stopped.reason = "count";
	for (size_t i = 0; i < count; i++)
		if (add_estimate(&moment, &records[i].what, err) != 0)
			return -1;
	if (moment.repeated && estimate_repeated(&moment.result, err) != 0)
		return -1;
	make_key(records, count, key);
	return save(store, &moment.result, &origin, !moment.repeated, tally, err);
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

static int save_gathered(struct store *store, const struct history_options *options, const char *path,
                         struct history_records *all, struct tally *tally, struct error *err)
{
	char stratum[300];
	if (all->count == 0)
		return error_full(err, ERROR_NO_DATA, path, NULL, "no usable value in it");
	snprintf(stratum, sizeof(stratum), "imported from %.250s", last_part(path));
	qsort(all->items, all->count, sizeof(*all->items), by_moment);
	for (size_t i = 0, next; i < all->count; i = next) {
		for (next = i + 1; next < all->count && same_moment(&all->items[i].what, &all->items[next].what) == 0;)
			next++;
		if (save_moment(store, options, all->items + i, next - i, stratum, tally, err) != 0)
			return -1;
	}
	return 0;
}

static void add_text(struct sha256 *sha, const char *text)
{
	sha256_add(sha, text ? text : "", strlen(text ? text : "") + 1);
}

static void add_samples(struct sha256 *sha, const struct measurement *m)
{
	add_text(sha, m->metric.name);
	add_text(sha, m->metric.unit);
	sha256_add(sha, &m->metric.better, sizeof(m->metric.better));
	sha256_add(sha, &m->series.n, sizeof(m->series.n));
	for (size_t i = 0; i < m->series.n; i++) {
		double value = isnan(m->series.values[i]) ? (double)NAN : m->series.values[i];
		sha256_add(sha, &value, sizeof(value));
	}
}

/* What makes it this result: when and how it was measured, and the samples. */
static void result_key(const struct result *result, char key[SHA256_TEXT])
{
	struct sha256 sha;
	sha256_init(&sha);
	add_text(&sha, result->started);
	sha256_add(&sha, &result->seed, sizeof(result->seed));
	for (size_t i = 0; i < result->argc; i++)
		add_text(&sha, result->argv[i]);
	for (size_t s = 0; s < result->subject_count; s++) {
		add_text(&sha, result->subjects[s].name);
		for (size_t m = 0; m < result->subjects[s].metric_count; m++)
			add_samples(&sha, &result->subjects[s].metrics[m]);
	}
	sha256_end(&sha, key);
	key[32] = '\0';
}

struct import_search {
	struct store *store;
	const char *key;
	int64_t first; /* added by this call, as are all after it; 0: none */
	bool found;
};

static int take_same(void *context, const struct store_row *row, struct error *err)
{
	struct import_search *search = context;
	char key[SHA256_TEXT];
	SCOPED(result) struct result there = result_empty();
	/* What this call has added has its key. To load it for each that follows would cost the square of their number. */
	if (search->found || (search->first != 0 && row->id >= search->first))
		return 0;
	if (stored_load(search->store, row->id, &there, err) != 0)
		return err->kind == ERROR_INPUT ? 0 : -1; /* one that is damaged is not the same */
	result_key(&there, key);
	search->found = strcmp(key, search->key) == 0;
	return 0;
}

/* Whether a result is there under another key, as what was measured here is: it began at the same time. */
static int find_same(struct store *store, const struct result *result, const char *key, int64_t first, bool *found,
                     struct error *err)
{
	struct import_search search = {.store = store, .key = key, .first = first};
	struct store_filter filter = {.has_since = true, .has_until = true};
	int status = 0;
	if (result->started && moment_parse(result->started, &filter.since, NULL) == 0) {
		filter.until = filter.since;
		status = store_list(store, &filter, take_same, &search, err);
	}
	*found = search.found;
	return status;
}

static bool is_of_others(const struct result *result)
{
	return result->design.name && strcmp(result->design.name, "imported") == 0;
}

/* Histories know subjects by their names alone: parameters become part of them, and programs where they are still
 * needed. What was measured here has such names. */
static int name_in_full(struct result *result, struct error *err)
{
	SCOPED(buffer) struct buffer name = {0};
	for (size_t i = 0; i < result->subject_count; i++) {
		struct subject *subject = &result->subjects[i];
		subject_written_name(subject, false, &name);
		if (buffer_error(&name, err) != 0)
			return -1;
		if (!(subject->name = arena_strdup(&result->arena, buffer_text(&name))))
			return error_memory(err);
	}
	if (result_make_titles(result) != 0)
		return error_memory(err);
	for (size_t i = 0; i < result->subject_count; i++)
		result->subjects[i].name = subject_title(&result->subjects[i]);
	return 0;
}

static const char *known(const char *text)
{
	return text[0] ? text : NULL;
}

/* From where it was exported: as it was there. Tags are added to. NULL: no memory. */
static struct store_origin *origin_there(const struct history_options *options, struct result *result)
{
	const struct provenance *stored = result->stored;
	size_t own = options->tags.count;
	struct store_origin *origin = arena_alloc(&result->arena, 1, sizeof(*origin));
	struct store_program *programs = arena_alloc(&result->arena, stored->program_count + 1, sizeof(*programs));
	const char **tags = arena_alloc(&result->arena, own + stored->tag_count + 1, sizeof(*tags));
	if (!origin || !programs || !tags)
		return NULL;
	for (size_t i = 0; i < stored->program_count; i++) {
		const struct program_file *file = &stored->programs[i];
		programs[i] = (struct store_program){file->path, file->build_id, file->hash};
	}
	for (size_t i = 0; i < own + stored->tag_count; i++)
		tags[i] = i < own ? options->tags.items[i] : stored->tags[i - own];
	*origin = (struct store_origin){.metric = known(stored->metric),
	                                .commit = known(stored->commit),
	                                .branch = known(stored->branch),
	                                .dirty = stored->dirty,
	                                .tags = tags,
	                                .tag_count = own + stored->tag_count,
	                                .programs = programs,
	                                .program_count = stored->program_count,
	                                .key = known(stored->key),
	                                .started = &stored->started,
	                                .stratum = stored->machine};
	return origin;
}

/* Saves what another store has had. */
static int add_stored(struct store *store, const struct history_options *options, struct result *result,
                      struct tally *tally, struct error *err)
{
	const struct store_origin *origin = origin_there(options, result);
	if (!origin)
		return error_memory(err);
	if (options->name)
		result->name = options->name;
	return save(store, result, origin, false, tally, err);
}

/* Analyses it where nobody has, and saves it. */
static int add_result(struct store *store, const struct history_options *options, struct result *result,
                      const char *key, struct tally *tally, struct error *err)
{
	struct analysis_options analysis;
	struct store_origin origin = {
		.dirty = -1, .tags = options->tags.items, .tag_count = options->tags.count, .key = key};
	if (is_of_others(result)) {
		analysis_options_init(&analysis);
		if (analyse_subjects(result, &analysis, err) != 0)
			return -1;
		origin.stratum = "imported";
	}
	if (options->name)
		result->name = options->name;
	origin.metric = overview_metric(result);
	int64_t when;
	bool timed = result->started && moment_parse(result->started, &when, NULL) == 0;
	size_t before = tally->added;
	int status = save(store, result, &origin, false, tally, err);
	tally->untimed += timed ? 0 : tally->added - before;
	return status;
}

/* A single result: a document of tare, or what another tool wrote. */
static int save_result(struct store *store, const struct history_options *options, const struct import_options *import,
                       const struct import_source *source, struct tally *tally, struct error *err)
{
	char key[SHA256_TEXT];
	bool found = false;
	SCOPED(result) struct result result = result_empty();
	int status = source->standard
	                 ? import_memory(source->bytes.data, source->bytes.length, "stdin", import, &result, err)
	                 : import_file(source->path, import, &result, err);
	if (status != 0 || (is_of_others(&result) && !result.stored && name_in_full(&result, err) != 0))
		return -1;
	result_key(&result, key);
	if (find_same(store, &result, key, tally->first, &found, err) != 0)
		return -1;
	tally->known += found;
	if (found)
		return 0;
	return result.stored ? add_stored(store, options, &result, tally, err)
	                     : add_result(store, options, &result, key, tally, err);
}

static int read_standard(struct buffer *out, struct error *err)
{
	long got = 1;
	while (got > 0) {
		char *room = buffer_room(out, STANDARD_BLOCK);
		if (!room)
			return buffer_error(out, err);
		got = file_read(&syscalls_libc, 0, room, STANDARD_BLOCK, err);
		buffer_grown(out, got > 0 ? (size_t)got : 0);
	}
	return got < 0 ? error_on(err, "standard input") : 0;
}

static int import_source(struct store *store, const struct history_options *options, const struct import_source *source,
                         struct tally *tally, struct error *err)
{
	struct import_options import = {.columns = options->columns, .unit = options->unit};
	SCOPED(history_records) struct history_records all = {0};
	if (options->better)
		import.better = strcmp(options->better, "higher") == 0 ? IMPORT_BETTER_HIGHER : IMPORT_BETTER_LOWER;
	int status = source->standard ? history_read_memory(source->bytes.data, source->bytes.length, "standard input",
	                                                    &import, history_keep, &all, err)
	                              : history_read(source->path, &import, history_keep, &all, err);
	if (status == 0)
		return save_gathered(store, options, source->path, &all, tally, err);
	return status == 1 ? save_result(store, options, &import, source, tally, err) : -1;
}

static int import_one(struct store *store, const struct history_options *options, const char *path, struct tally *tally,
                      struct error *err)
{
	struct import_source source = {.path = path, .standard = strcmp(path, "-") == 0};
	if (!source.standard && file_kind(&syscalls_libc, path) == FILE_FOLDER) {
		size_t length = strlen(path);
		error_full(err, ERROR_INPUT, path, NULL, "is a folder");
		return error_next(err, "give its files, for example: tare history import %s%s*.json", path,
		                  path[length - 1] == '/' ? "" : "/");
	}
	buffer_init(&source.bytes, STANDARD_MAX);
	int status = source.standard ? read_standard(&source.bytes, err) : 0;
	if (status == 0)
		status = import_source(store, options, &source, tally, err);
	buffer_release(&source.bytes);
	return status;
}

int history_import(const struct history_options *options, const struct text_list *arguments, struct error *err)
{
	struct tally tally = {0};
	if (arguments->count == 0)
		return error_full(err, ERROR_USAGE, NULL,
		                  "for example: tare history import results.csv --columns time=date,value=ms",
		                  "nothing to import");
	SCOPED(stored) struct store *store = history_open(options, STORE_WRITE, err);
	if (!store || store_batch_begin(store, err) != 0)
		return -1;
	int status = 0;
	for (size_t i = 0; status == 0 && i < arguments->count; i++)
		status = import_one(store, options, arguments->items[i], &tally, err);
	if (store_batch_end(store, status, err) != 0)
		return -1;
	if (tally.untimed)
		message_note("%zu result%s not say when %s measured: kept under the time of this import", tally.untimed,
		             tally.untimed == 1 ? " does" : "s do", tally.untimed == 1 ? "it was" : "they were");
	printf("%zu result%s added", tally.added, tally.added == 1 ? "" : "s");
	if (tally.known)
		printf(", %zu %s there already", tally.known, tally.known == 1 ? "was" : "were");
	putchar('\n');
	return 0;
}
