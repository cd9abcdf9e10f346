/* tare history baseline: set, remove and list baselines. */
#include "base/moment.h"
#include "cli/baseline.h"
#include "cli/history.h"
#include "cli/stored.h"
#include "store/loader.h"
#include "store/maintain.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int add_row(void *context, const struct store_baseline *baseline, struct error *err)
{
	char when[MOMENT_TEXT];
	struct table *table = context;
	(void)err;
	table_row(table);
	table_cell(table, EMPHASIS_STRONG, baseline->name);
	table_cellf(table, EMPHASIS_NONE, "@%lld", (long long)baseline->id);
	table_cell(table, EMPHASIS_NONE, moment_short(baseline->made, when));
	return 0;
}

static int list(const struct history_options *options, struct error *err)
{
	SCOPED(table) struct table table = {0};
	SCOPED(stored) struct store *store = history_open(options, STORE_READ, err);
	table_column(&table, "baseline", TABLE_LEFT, TABLE_SHRINKS);
	table_column(&table, "experiment", TABLE_LEFT, TABLE_FIXED);
	table_column(&table, "set (UTC)", TABLE_LEFT, TABLE_FIXED);
	if (!store || store_baselines(store, add_row, &table, err) != 0)
		return -1;
	return history_print(options, &table, "there is no baseline yet; 'tare history baseline set NAME' makes one", err);
}

struct baseline_search {
	int64_t id, found;
};

static int take_other(void *context, const struct store_row *row, struct error *err)
{
	struct baseline_search *search = context;
	(void)err;
	if (search->found == 0 && row->id != search->id && strcmp(row->state, "done") == 0 && !stored_is_confirmation(row))
		search->found = row->id;
	return 0;
}

/* The newest other result of the same subject on the same machine; 0: none. */
static int find_other(struct store *store, int64_t id, int64_t *other, struct error *err)
{
	SCOPED(arena) struct arena arena = {0};
	SCOPED(result) struct result result = result_empty();
	struct store_facts facts;
	struct baseline_search search = {.id = id};
	if (store_facts(store, id, &arena, &facts, err) != 0 || stored_load(store, id, &result, err) != 0)
		return -1;
	struct store_filter filter = {.host = facts.stratum, .exact = true};
	if (result.subject_count > 0) {
		filter.subject = result.subjects[0].name;
		if (store_list(store, &filter, take_other, &search, err) != 0)
			return -1;
	}
	*other = search.found;
	return 0;
}

static int refuse(const char *what, struct error *err)
{
	return error_full(err, ERROR_USAGE, NULL, "measure it again and set it then, or use --force",
	                  "a baseline needs two results that agree: %s", what);
}

static int check_agreement(struct store *store, int64_t id, int64_t other, struct error *err)
{
	SCOPED(result) struct result a = result_empty(), b = result_empty();
	char what[200] = "";
	if (other == 0)
		return refuse("there is only one", err);
	if (stored_load(store, id, &a, err) != 0 || stored_load(store, other, &b, err) != 0)
		return -1;
	int agree = baseline_agree(&a, &b, what, sizeof(what), err);
	return agree == 1 ? 0 : agree == 0 ? refuse(what, err) : -1;
}

static int set(const struct history_options *options, const struct text_list *words, struct error *err)
{
	int64_t id = 0, other = 0;
	if (words->count < 2)
		return error_full(err, ERROR_USAGE, NULL, "for example: tare history baseline set main @17", "which name?");
	SCOPED(stored) struct store *store = history_open(options, STORE_WRITE, err);
	if (!store || history_find(store, words->count > 2 ? words->items[2] : "last", &id, err) != 0)
		return -1;
	if (!options->force && ((words->count > 3 ? history_find(store, words->items[3], &other, err)
	                                          : find_other(store, id, &other, err)) != 0 ||
	                        check_agreement(store, id, other, err) != 0))
		return -1;
	if (store_baseline_set(store, words->items[1], id, (int64_t)time(NULL) * 1000, err) != 0)
		return -1;
	printf("@%lld is the baseline now", (long long)id);
	if (other)
		printf("; @%lld agrees with it", (long long)other);
	putchar('\n');
	return 0;
}

static int remove_one(const struct history_options *options, const struct text_list *words, struct error *err)
{
	if (words->count < 2)
		return error_set(err, ERROR_USAGE, "which baseline?");
	SCOPED(stored) struct store *store = history_open(options, STORE_WRITE, err);
	return store ? store_baseline_remove(store, words->items[1], err) : -1;
}

int history_baseline(const struct history_options *options, const struct text_list *arguments, struct error *err)
{
	const char *word = arguments->count > 0 ? arguments->items[0] : "list";
	size_t most = strcmp(word, "list") == 0     ? 1
	              : strcmp(word, "remove") == 0 ? 2
	              : strcmp(word, "set") == 0    ? 4
	                                            : SIZE_MAX;
	if (arguments->count > most)
		return error_full(err, ERROR_USAGE, NULL, "set takes NAME and at most two results, remove takes NAME",
		                  "'%.100s' is one word too many for history baseline %s", arguments->items[most], word);
	if (strcmp(word, "list") == 0)
		return list(options, err);
	if (strcmp(word, "set") == 0)
		return set(options, arguments, err);
	if (strcmp(word, "remove") == 0)
		return remove_one(options, arguments, err);
	return error_full(err, ERROR_USAGE, NULL, "choose set, remove or list", "baseline has no '%.60s'", word);
}
