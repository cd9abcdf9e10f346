#include "cli/page.h"

#include "analysis/against.h"
#include "base/array.h"
#include "base/memory.h"
#include "cli/history.h"
#include "cli/output.h"
#include "cli/stored.h"
#include "host/file.h"
#include "report/html.h"
#include "report/html_explorer.h"
#include "report/words.h"
#include "store/maintain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BASELINES = 3 /* of a subject: every result is compared with each */ };

struct named_baseline {
	const char *name;
	int64_t id;
};

struct explorer_state {
	struct arena arena;
	struct store *store;
	const char *folder;
	struct history history;
	struct explorer_row *rows;
	size_t count, capacity;
	struct named_baseline *baselines;
	size_t baseline_count, baseline_capacity;
	struct explorer_verdict *verdicts;
	size_t verdict_count, verdict_capacity;
};

/* ---- what there is ---- */

static int take_row(void *context, const struct store_row *row, struct error *err)
{
	struct explorer_state *state = context;
	if (stored_is_confirmation(row))
		return 0;
	if (array_reserve(&state->rows, &state->capacity, state->count + 1) != 0)
		return error_memory(err);
	struct explorer_row *out = &state->rows[state->count++];
	*out = (struct explorer_row){.id = row->id, .started = row->started, .subjects = row->subjects};
	const char *const texts[] = {row->name,
	                             row->subject,
	                             row->metric,
	                             row->commit,
	                             row->tags,
	                             row->stratum,
	                             row->orphaned ? "killed" : row->state};
	const char **const places[] = {&out->name, &out->subject, &out->metric, &out->commit,
	                               &out->tags, &out->stratum, &out->state};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!(*places[i] = arena_strdup(&state->arena, texts[i])))
			return error_memory(err);
	return 0;
}

static int take_baseline(void *context, const struct store_baseline *baseline, struct error *err)
{
	struct explorer_state *state = context;
	if (array_reserve(&state->baselines, &state->baseline_capacity, state->baseline_count + 1) != 0)
		return error_memory(err);
	struct named_baseline *added = &state->baselines[state->baseline_count++];
	*added = (struct named_baseline){arena_strdup(&state->arena, baseline->name), baseline->id};
	return added->name ? 0 : error_memory(err);
}

static int read_store(struct explorer_state *state, const struct history_options *options, struct error *err)
{
	const struct store_filter everything = {0};
	if (store_list(state->store, &everything, take_row, state, err) != 0 ||
	    store_baselines(state->store, take_baseline, state, err) != 0)
		return -1;
	if (state->count == 0)
		return error_full(err, ERROR_NO_DATA, NULL, "'tare run' and 'tare bench' save what they measure",
		                  "nothing is saved there yet");
	/* Unfinished ones alone have no history; their pages are there all the same. */
	return history_load(options, &state->history, err) == 0 || err->kind == ERROR_NO_DATA ? 0 : -1;
}

/* ---- comparisons made beforehand ---- */

/* Two results that a series has: the newer of them, and what it is compared with. */
struct comparison_wish {
	int64_t new_, old;
	size_t series, point;
	const char *baseline;
};

static int by_results(const void *a, const void *b)
{
	const struct comparison_wish *x = a, *y = b;
	if (x->new_ != y->new_)
		return x->new_ < y->new_ ? -1 : 1;
	return (x->old > y->old) - (x->old < y->old);
}

static int by_point(const void *a, const void *b)
{
	const struct explorer_verdict *x = a, *y = b;
	if (x->series != y->series)
		return x->series < y->series ? -1 : 1;
	return (x->point > y->point) - (x->point < y->point);
}

/* The result before each, and the baselines that the series has. */
static size_t wishes_of(const struct explorer_state *state, size_t number, struct comparison_wish *out)
{
	const struct history_series *series = &state->history.series[number];
	struct named_baseline own[MOST_BASELINES];
	size_t count = 0, baselines = 0;
	for (size_t b = 0; b < state->baseline_count && baselines < MOST_BASELINES; b++)
		for (size_t i = 0; i < series->n; i++)
			if (series->points[i].id == state->baselines[b].id) {
				own[baselines++] = state->baselines[b];
				break;
			}
	for (size_t i = 0; i < series->n; i++) {
		int64_t id = series->points[i].id, before = i > 0 ? series->points[i - 1].id : id;
		if (before != id)
			out[count++] = (struct comparison_wish){id, before, number, i, NULL};
		for (size_t b = 0; b < baselines; b++)
			if (own[b].id != id && own[b].id != before)
				out[count++] = (struct comparison_wish){id, own[b].id, number, i, own[b].name};
	}
	return count;
}

static int add_verdict(struct explorer_state *state, const struct comparison_wish *wish, const struct comparison *c,
                       struct error *err)
{
	SCOPED(buffer) struct buffer words = {0};
	const char *copy = NULL;
	if (array_reserve(&state->verdicts, &state->verdict_capacity, state->verdict_count + 1) != 0)
		return error_memory(err);
	if (!isnan(c->ratio)) {
		words_change_with_interval(c->ratio, &c->ci, &words);
		copy = arena_strdup(&state->arena, buffer_text(&words));
		if (!copy)
			return error_memory(err);
	}
	state->verdicts[state->verdict_count++] = (struct explorer_verdict){wish->series,   wish->point, wish->old,
	                                                                    wish->baseline, c->verdict,  copy};
	return 0;
}

/* The comparison of the subject that the series is of. */
static const struct comparison *comparison_of(const struct result *joined, const struct history_series *series)
{
	for (size_t i = 0; i < joined->comparison_count; i++) {
		const struct comparison *c = &joined->comparisons[i];
		const struct subject *subject = &joined->subjects[c->new_];
		if (strcmp(c->metric, series->metric) == 0 &&
		    (joined->comparison_count == 1 || strcmp(subject->name, series->subject) == 0 ||
		     strcmp(subject_title(subject), series->subject) == 0))
			return c;
	}
	return NULL;
}

/* What two results show, for every series that wished for it. Results that cannot be compared are passed over. */
static int compare_two(struct explorer_state *state, const struct comparison_wish *wishes, size_t count,
                       struct error *err)
{
	struct against_options against = {.whole = {.limit = NAN}};
	SCOPED(result) struct result old = result_empty(), new_ = result_empty();
	struct suite suite;
	uint32_t twice;
	analysis_options_init(&against.analysis);
	if (count == 1)
		against.analysis.deciding = state->history.series[wishes[0].series].metric;
	if (stored_load(state->store, wishes[0].old, &old, err) != 0 ||
	    stored_load(state->store, wishes[0].new_, &new_, err) != 0 ||
	    against_compare(&old, &new_, &against, &suite, &twice, err) != 0)
		return err->kind == ERROR_MEMORY ? -1 : 0;
	for (size_t i = 0; i < count; i++) {
		const struct comparison *c = comparison_of(&old, &state->history.series[wishes[i].series]);
		if (c && add_verdict(state, &wishes[i], c, err) != 0)
			return -1;
	}
	return 0;
}

static int compare_all(struct explorer_state *state, struct error *err)
{
	size_t most = 0, count = 0;
	for (size_t i = 0; i < state->history.count; i++)
		most += state->history.series[i].n * (1 + MOST_BASELINES);
	struct comparison_wish *wishes = arena_alloc(&state->arena, most + 1, sizeof(*wishes));
	if (!wishes)
		return error_memory(err);
	for (size_t i = 0; i < state->history.count; i++)
		count += wishes_of(state, i, wishes + count);
	qsort(wishes, count, sizeof(*wishes), by_results);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && by_results(&wishes[i], &wishes[end]) == 0;)
			end++;
		if (compare_two(state, wishes + i, end - i, err) != 0)
			return -1;
	}
	if (state->verdict_count)
		qsort(state->verdicts, state->verdict_count, sizeof(*state->verdicts), by_point);
	return 0;
}

/* ---- pages ---- */

static int path_in(const char *folder, const char *name, char path[4096], struct error *err)
{
	if (snprintf(path, 4096, "%s/%s", folder, name) >= 4096)
		return error_set(err, ERROR_USAGE, "the name of the folder is too long");
	return 0;
}

/* The page as it was made with this status; it is empty again then. */
static int save(const struct explorer_state *state, const char *name, int status, struct buffer *page,
                struct error *err)
{
	char path[4096];
	if (status != 0 || path_in(state->folder, name, path, err) != 0 || output_write(path, page, err) != 0)
		return -1;
	buffer_clear(page);
	return 0;
}

static int write_result(struct explorer_state *state, struct explorer_row *row, struct error *err)
{
	char path[4096], file[40], name[32];
	const char *sources[] = {name};
	SCOPED(result) struct result result = result_empty();
	snprintf(name, sizeof(name), "@%lld", (long long)row->id);
	snprintf(file, sizeof(file), "r/%lld.html", (long long)row->id);
	if (path_in(state->folder, file, path, err) != 0)
		return -1;
	int status = stored_load(state->store, row->id, &result, err);
	if (status == 0 && strcmp(row->state, "done") != 0) /* nobody has analysed it yet */
		status = stored_estimate(&result, NULL, err);
	if (status == 0 && result_has_samples(&result)) {
		status = page_save(&(struct page){.results = &result, .sources = sources, .count = 1, .home = "../index.html"},
		                   path, err);
		row->has_page = status == 0;
	}
	/* One that was broken off before it had anything is listed without a page. */
	return status != 0 && err->kind == ERROR_NO_DATA ? 0 : status;
}

static int write_folder(struct explorer_state *state, struct error *err)
{
	SCOPED(buffer) struct buffer page = {0};
	for (size_t i = 0; i < state->count; i++)
		if (write_result(state, &state->rows[i], err) != 0)
			return -1;
	const struct explorer explorer = {state->rows, state->count, &state->history, state->verdicts,
	                                  state->verdict_count};
	for (size_t i = 0; i < state->history.count; i++) {
		char name[48];
		snprintf(name, sizeof(name), "s/%zu.html", i + 1);
		if (save(state, name, html_explorer_series(&explorer, i, &page, err), &page, err) != 0)
			return -1;
	}
	const struct html_page changes = {.title = "what changed", .history = &state->history, .home = "index.html"};
	if (state->history.count > 0 && save(state, "changes.html", html_write(&changes, &page, err), &page, err) != 0)
		return -1;
	return save(state, "index.html", html_explorer_index(&explorer, &page, err), &page, err);
}

static int make_folders(const char *folder, struct error *err)
{
	static const char *const names[] = {"r/x", "s/x"};
	for (size_t i = 0; i < 2; i++) {
		char path[4096];
		if (path_in(folder, names[i], path, err) != 0 || file_make_folders(&syscalls_libc, path, err) != 0)
			return -1;
	}
	return 0;
}

int explorer_write(const char *store, const char *folder, struct error *err)
{
	struct explorer_state state = {.folder = folder};
	struct history_options options = HISTORY_DEFAULTS;
	options.store = store;
	state.store = history_open(&options, STORE_READ, err);
	int status = state.store && read_store(&state, &options, err) == 0 && make_folders(folder, err) == 0 &&
	                     compare_all(&state, err) == 0
	                 ? write_folder(&state, err)
	                 : -1;
	store_close(state.store);
	history_release(&state.history);
	mem_free(state.rows);
	mem_free(state.baselines);
	mem_free(state.verdicts);
	arena_release(&state.arena);
	return status;
}
