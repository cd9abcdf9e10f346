/* tare history verify, prune, merge and export: looking after the store. */
#include "base/memory.h"
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
		struct arena arena = {0};
		struct store_facts facts = {0};
		struct result result;
		struct error err;
		char text[1200];
		result_init(&result);
		if (store_facts(store, ids[i], &arena, &facts, &err) != 0 || stored_load(store, ids[i], &result, &err) != 0) {
			error_text(&err, text, sizeof(text));
			message_note("%s", text);
			damaged++;
		}
		*killed += facts.orphaned;
		for (size_t s = 0; s < result.subject_count; s++)
			for (size_t m = 0; m < result.subjects[s].metric_count; m++)
				*samples += result.subjects[s].metrics[m].series.n;
		result_release(&result);
		arena_release(&arena);
	}
	return damaged;
}

int history_verify(const struct history_options *options, const struct text_list *arguments, struct error *err)
{
	size_t problems = 0, samples = 0, killed = 0, count = 0;
	int64_t *ids = NULL;
	struct store *store = history_open(options, STORE_READ, err);
	if (!store)
		return -1;
	int status = store_integrity(store, tell_problem, &problems, err);
	if (status == 0)
		status = history_chosen(store, options, arguments, &ids, &count, err);
	if (status == 0)
		problems += read_all(store, ids, count, &samples, &killed);
	if (status == 0 && problems > 0) {
		error_set(err, ERROR_INPUT, "%zu problem%s found", problems, problems == 1 ? " was" : "s were");
		error_on(err, "%s", store_path(store));
		status = error_next(
			err, "'tare history export' saves what can be read; 'tare history import' puts it into a new store");
	}
	if (status == 0)
		printf("%s: %zu experiment%s with %zu sample%s, all intact\n", store_path(store), count, count == 1 ? "" : "s",
		       samples, samples == 1 ? "" : "s");
	if (status == 0 && killed > 0)
		printf("%zu of them were killed; their finished rounds are there\n", killed);
	mem_free(ids);
	store_close(store);
	return status;
}

/* Baselines stay, and what runs. */
static int prune_one(struct store *store, int64_t id, bool dry_run, size_t *gone, size_t *stay, struct error *err)
{
	struct arena arena = {0};
	struct store_facts facts;
	int status = store_facts(store, id, &arena, &facts, err);
	if (status == 0 && strcmp(facts.state, "running") == 0 && !facts.orphaned) {
		++*stay;
	} else if (status == 0) {
		status = dry_run ? store_may_go(store, id, err) : store_remove(store, id, err);
		if (status != 0 && err->kind == ERROR_USAGE) {
			++*stay;
			status = 0;
		} else {
			*gone += status == 0;
		}
	}
	arena_release(&arena);
	return status;
}

static bool limits_something(const struct history_options *options, const struct text_list *arguments)
{
	return arguments->count > 0 || options->keep || options->until || options->since || options->tags.count > 0 ||
	       options->name || options->subject || options->host || options->all;
}

int history_prune(const struct history_options *options, const struct text_list *arguments, struct error *err)
{
	size_t gone = 0, stay = 0, count = 0;
	int64_t *ids = NULL;
	if (!limits_something(options, arguments)) {
		error_set(err, ERROR_USAGE, "which experiments should be deleted?");
		return error_next(err, "for example: --keep 100, --until 2026-01-01, --tag try, @17, or --all");
	}
	struct store *store = history_open(options, options->dry_run ? STORE_READ : STORE_WRITE, err);
	if (!store)
		return -1;
	int status = history_chosen(store, options, arguments, &ids, &count, err);
	bool batch = status == 0 && !options->dry_run;
	if (batch && store_batch_begin(store, err) != 0) {
		status = -1;
		batch = false;
	}
	for (size_t i = (size_t)options->keep; status == 0 && i < count; i++)
		status = prune_one(store, ids[i], options->dry_run, &gone, &stay, err);
	if (batch)
		status = store_batch_end(store, status, err);
	if (batch && status == 0 && gone > 0)
		status = store_compact(store, err);
	if (status == 0)
		printf("%zu experiment%s %s%s\n", gone, gone == 1 ? "" : "s", options->dry_run ? "would go" : "removed",
		       stay ? "; baselines and running ones stay" : "");
	mem_free(ids);
	store_close(store);
	return status;
}

/* One experiment with everything known about it: 0 added, 1 there already, 2 left out because it runs. */
static int copy_one(struct store *from, struct store *to, int64_t id, struct error *err)
{
	struct arena arena = {0};
	struct buffer document = {0};
	struct store_facts facts;
	struct result result;
	result_init(&result);
	int status = store_facts(from, id, &arena, &facts, err);
	if (status == 0 && strcmp(facts.state, "running") == 0 && !facts.orphaned)
		status = 2;
	if (status == 0)
		status = store_document(from, id, &document, err);
	if (status == 0)
		status = stored_load(from, id, &result, err);
	if (status == 0) {
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
		if (facts.orphaned)
			result.stopped.reason = "interrupted";
		status = store_add(to, &result, &document, &origin, facts.times, facts.rounds, NULL, err);
	}
	buffer_release(&document);
	result_release(&result);
	arena_release(&arena);
	return status;
}

static int merge_from(struct store *from, struct store *to, const struct history_options *options, size_t tally[3],
                      struct error *err)
{
	struct text_list none = {0};
	int64_t *ids = NULL;
	size_t count = 0;
	int status = history_chosen(from, options, &none, &ids, &count, err);
	/* Oldest first, so that numbers ascend with time. */
	for (size_t i = count; status == 0 && i > 0; i--) {
		int found = copy_one(from, to, ids[i - 1], err);
		if (found < 0)
			status = -1;
		else
			tally[found]++;
	}
	mem_free(ids);
	return status;
}

int history_merge(const struct history_options *options, const struct text_list *arguments, struct error *err)
{
	size_t tally[3] = {0};
	if (arguments->count == 0) {
		error_set(err, ERROR_USAGE, "merge takes the store to read from");
		return error_next(err, "for example: tare history merge other/.tare/tare.db");
	}
	struct store *to = history_open(options, STORE_WRITE, err);
	if (!to)
		return -1;
	int status = store_batch_begin(to, err);
	if (status == 0) {
		for (size_t i = 0; status == 0 && i < arguments->count; i++) {
			struct store *from = store_open(arguments->items[i], STORE_READ, err);
			if (!from && err->kind == ERROR_NO_DATA) {
				error_set(err, ERROR_INPUT, "there is no store to read from");
				error_on(err, "%s", arguments->items[i]);
				error_next(err, "a store is a file named tare.db; 'tare history import' reads result documents");
			}
			status = from ? merge_from(from, to, options, tally, err) : -1;
			store_close(from);
		}
		status = store_batch_end(to, status, err);
	}
	if (status == 0)
		printf("%zu experiment%s added, %zu %s there already%s\n", tally[0], tally[0] == 1 ? "" : "s", tally[1],
		       tally[1] == 1 ? "was" : "were", tally[2] ? "; running ones are left out" : "");
	store_close(to);
	return status;
}

int history_export(const struct history_options *options, const struct text_list *arguments, struct error *err)
{
	int64_t *ids = NULL;
	size_t count = 0;
	struct store *store = history_open(options, STORE_READ, err);
	if (!store)
		return -1;
	int status = history_chosen(store, options, arguments, &ids, &count, err);
	if (status == 0 && count == 0) {
		error_set(err, ERROR_NO_DATA, "no saved experiment matches");
		status = error_next(err, "'tare history list --all' shows what there is");
	}
	if (status == 0 && count != 1 && !options->output) {
		error_set(err, ERROR_USAGE, "%zu experiments need a folder", count);
		status = error_next(err, "--output FOLDER writes a file for each; '@ID' chooses one");
	}
	for (size_t i = 0; status == 0 && i < count; i++) {
		char path[STORE_PATH] = "-";
		struct result result;
		result_init(&result);
		if (options->output)
			snprintf(path, sizeof(path), "%s/tare-%lld.json", options->output, (long long)ids[i]);
		status = options->output ? file_make_folders(&syscalls_libc, path, err) : 0;
		if (status == 0)
			status = stored_load(store, ids[i], &result, err);
		if (status == 0)
			status = document_save(&result, path, err);
		result_release(&result);
	}
	if (status == 0 && options->output)
		printf("%zu document%s written to %s\n", count, count == 1 ? "" : "s", options->output);
	mem_free(ids);
	store_close(store);
	return status;
}
