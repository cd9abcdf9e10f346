/* tare history verify, prune, merge and export: looking after the store. */
#include "cli/history.h"
#include "cli/message.h"
#include "cli/stored.h"
#include "exchange/document.h"
#include "host/file.h"
#include "store/loader.h"
#include "store/maintain.h"
#include "store/writer.h"

#include <stdio.h>
#include <string.h>

static void tell_problem(void *context, const char *problem)
{
	++*(size_t *)context;
	message_note("%s", problem);
}

/* Every experiment is read as if it were wanted; what cannot be read is told. */
static size_t read_all(struct store *store, const int64_t *ids, size_t count, size_t *samples, size_t *killed)
{
	size_t damaged = 0;
	for (size_t i = 0; i < count; i++) {
		SCOPED(arena) struct arena arena = {0};
		SCOPED(result) struct result result = result_empty();
		struct store_facts facts = {0};
		struct error err;
		char text[1200];
		if (store_facts(store, ids[i], &arena, &facts, &err) != 0 || stored_load(store, ids[i], &result, &err) != 0) {
			error_text(&err, text, sizeof(text));
			message_note("%s", text);
			damaged++;
		}
		*killed += facts.orphaned;
		for (size_t s = 0; s < result.subject_count; s++)
			for (size_t m = 0; m < result.subjects[s].metric_count; m++)
				*samples += result.subjects[s].metrics[m].series.n;
	}
	return damaged;
}

int history_verify(const struct history_options *options, const struct text_list *arguments, struct error *err)
{
	size_t problems = 0, samples = 0, killed = 0, count = 0;
	SCOPED(chosen) int64_t *ids = NULL;
	SCOPED(stored) struct store *store = history_open(options, STORE_READ, err);
	if (!store || store_integrity(store, tell_problem, &problems, err) != 0 ||
	    history_chosen(store, options, arguments, &ids, &count, err) != 0)
		return -1;
	problems += read_all(store, ids, count, &samples, &killed);
	if (problems > 0)
		return error_full(
			err, ERROR_INPUT, store_path(store),
			"'tare history export' saves what can be read; 'tare history import' puts it into a new store",
			"%zu problem%s found", problems, problems == 1 ? " was" : "s were");
	printf("%s: %zu experiment%s with %zu sample%s, all intact\n", store_path(store), count, count == 1 ? "" : "s",
	       samples, samples == 1 ? "" : "s");
	if (killed > 0)
		printf("%zu of them were killed; their finished rounds are there\n", killed);
	return 0;
}

/* Baselines stay, and what runs. */
static int prune_one(struct store *store, int64_t id, bool dry_run, size_t *gone, size_t *stay, struct error *err)
{
	SCOPED(arena) struct arena arena = {0};
	struct store_facts facts;
	if (store_facts(store, id, &arena, &facts, err) != 0)
		return -1;
	bool stays = strcmp(facts.state, "running") == 0 && !facts.orphaned;
	if (!stays && (dry_run ? store_may_go(store, id, err) : store_remove(store, id, err)) != 0) {
		if (err->kind != ERROR_USAGE)
			return -1;
		stays = true;
	}
	++*(stays ? stay : gone);
	return 0;
}

static bool limits_something(const struct history_options *options, const struct text_list *arguments)
{
	return arguments->count > 0 || options->keep || options->until || options->since || options->tags.count > 0 ||
	       options->name || options->subject || options->host || options->all;
}

int history_prune(const struct history_options *options, const struct text_list *arguments, struct error *err)
{
	size_t gone = 0, stay = 0, count = 0;
	SCOPED(chosen) int64_t *ids = NULL;
	if (!limits_something(options, arguments))
		return error_full(err, ERROR_USAGE, NULL,
		                  "for example: --keep 100, --until 2026-01-01, --tag try, @17, or --all",
		                  "which experiments should be deleted?");
	SCOPED(stored) struct store *store = history_open(options, options->dry_run ? STORE_READ : STORE_WRITE, err);
	if (!store || history_chosen(store, options, arguments, &ids, &count, err) != 0 ||
	    (!options->dry_run && store_batch_begin(store, err) != 0))
		return -1;
	int status = 0;
	for (size_t i = (size_t)options->keep; status == 0 && i < count; i++)
		status = prune_one(store, ids[i], options->dry_run, &gone, &stay, err);
	if (!options->dry_run)
		status = store_batch_end(store, status, err);
	if (!options->dry_run && status == 0 && gone > 0)
		status = store_compact(store, err);
	if (status == 0)
		printf("%zu experiment%s %s%s\n", gone, gone == 1 ? "" : "s", options->dry_run ? "would go" : "removed",
		       stay ? "; baselines and running ones stay" : "");
	return status;
}

/* One experiment with everything known about it: 0 added, 1 there already, 2 left out because it runs. */
static int copy_one(struct store *from, struct store *to, int64_t id, struct error *err)
{
	SCOPED(arena) struct arena arena = {0};
	SCOPED(buffer) struct buffer document = {0};
	SCOPED(result) struct result result = result_empty();
	struct store_facts facts;
	if (store_facts(from, id, &arena, &facts, err) != 0)
		return -1;
	if (strcmp(facts.state, "running") == 0 && !facts.orphaned)
		return 2;
	if (store_document(from, id, &document, err) != 0 || stored_load(from, id, &result, err) != 0)
		return -1;
	struct store_origin origin = {.metric = facts.metric,
	                              .commit = facts.commit[0] ? facts.commit : NULL,
	                              .branch = facts.branch[0] ? facts.branch : NULL,
	                              .dirty = facts.dirty,
	                              .tags = facts.tags,
	                              .tag_count = facts.tag_count,
	                              .programs = facts.programs,
	                              .program_count = facts.program_count,
	                              .key = facts.key,
	                              .started = &facts.started,
	                              .stratum = facts.stratum};
	return store_add(to, &result, &document, &origin, facts.times, facts.rounds, NULL, err);
}

static int merge_from(struct store *from, struct store *to, const struct history_options *options, size_t tally[3],
                      struct error *err)
{
	struct text_list none = {0};
	SCOPED(chosen) int64_t *ids = NULL;
	size_t count = 0;
	if (history_chosen(from, options, &none, &ids, &count, err) != 0)
		return -1;
	/* Oldest first, so that numbers ascend with time. */
	for (size_t i = count; i > 0; i--) {
		int found = copy_one(from, to, ids[i - 1], err);
		if (found < 0)
			return -1;
		tally[found]++;
	}
	return 0;
}

int history_merge(const struct history_options *options, const struct text_list *arguments, struct error *err)
{
	size_t tally[3] = {0};
	if (arguments->count == 0)
		return error_full(err, ERROR_USAGE, NULL, "for example: tare history merge other/.tare/tare.db",
		                  "merge takes the store to read from");
	SCOPED(stored) struct store *to = history_open(options, STORE_WRITE, err);
	if (!to || store_batch_begin(to, err) != 0)
		return -1;
	int status = 0;
	for (size_t i = 0; status == 0 && i < arguments->count; i++) {
		SCOPED(stored) struct store *from = store_open(arguments->items[i], STORE_READ, err);
		if (!from && err->kind == ERROR_NO_DATA)
			error_full(err, ERROR_INPUT, arguments->items[i],
			           "a store is a file named tare.db; 'tare history import' reads result documents",
			           "there is no store to read from");
		status = from ? merge_from(from, to, options, tally, err) : -1;
	}
	if (store_batch_end(to, status, err) != 0)
		return -1;
	printf("%zu experiment%s added, %zu %s there already%s\n", tally[0], tally[0] == 1 ? "" : "s", tally[1],
	       tally[1] == 1 ? "was" : "were", tally[2] ? "; running ones are left out" : "");
	return 0;
}

/* What the rows of the store say beside the document. */
static int add_facts(struct store *store, int64_t id, struct result *result, struct error *err)
{
	struct store_facts facts;
	if (store_facts(store, id, &result->arena, &facts, err) != 0)
		return -1;
	struct provenance *stored = arena_alloc(&result->arena, 1, sizeof(*stored));
	struct program_file *programs = arena_alloc(&result->arena, facts.program_count + 1, sizeof(*programs));
	if (!stored || !programs)
		return error_memory(err);
	for (size_t i = 0; i < facts.program_count; i++)
		programs[i] = (struct program_file){facts.programs[i].path, facts.programs[i].build_id, facts.programs[i].hash};
	*stored = (struct provenance){.key = facts.key,
	                              .started = facts.started,
	                              .metric = facts.metric,
	                              .machine = facts.stratum,
	                              .commit = facts.commit,
	                              .branch = facts.branch,
	                              .dirty = facts.dirty,
	                              .tags = facts.tags,
	                              .tag_count = facts.tag_count,
	                              .programs = programs,
	                              .program_count = facts.program_count,
	                              .times = facts.times,
	                              .rounds = facts.rounds};
	result->stored = stored;
	return 0;
}

int history_export(const struct history_options *options, const struct text_list *arguments, struct error *err)
{
	SCOPED(chosen) int64_t *ids = NULL;
	size_t count = 0;
	SCOPED(stored) struct store *store = history_open(options, STORE_READ, err);
	if (!store || history_chosen(store, options, arguments, &ids, &count, err) != 0)
		return -1;
	if (count == 0)
		return error_full(err, ERROR_NO_DATA, NULL, "'tare history list --all' shows what there is",
		                  "no saved experiment matches");
	if (count != 1 && !options->output)
		return error_full(err, ERROR_USAGE, NULL, "--output FOLDER writes a file for each; '@ID' chooses one",
		                  "%zu experiments need a folder", count);
	for (size_t i = 0; i < count; i++) {
		char path[STORE_PATH] = "-";
		SCOPED(result) struct result result = result_empty();
		if (options->output)
			snprintf(path, sizeof(path), "%s/tare-%lld.json", options->output, (long long)ids[i]);
		if ((options->output && file_make_folders(&syscalls_libc, path, err) != 0) ||
		    stored_load(store, ids[i], &result, err) != 0 || add_facts(store, ids[i], &result, err) != 0 ||
		    document_save_stored(&result, path, err) != 0)
			return -1;
	}
	if (options->output)
		printf("%zu document%s written to %s\n", count, count == 1 ? "" : "s", options->output);
	return 0;
}
