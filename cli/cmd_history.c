/* tare history: list saved results, their trends and changes. */
#include "base/array.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/history.h"
#include "cli/output.h"
#include "store/loader.h"
#include "base/moment.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define OFFSET(field) offsetof(struct history_options, field)

static const struct option history_options[] = {
	OPTION(0, "subject", "PATTERN", OPTION_TEXT, OFFSET(subject), "part of the name, or a pattern with * and ?"),
	OPTION(0, "metric", "NAME", OPTION_TEXT, OFFSET(metric), "this metric instead of the deciding one"),
	OPTION(0, "tag", "TAG", OPTION_LIST, OFFSET(tags), "only results with this tag"),
	OPTION(0, "name", "PATTERN", OPTION_TEXT, OFFSET(name), "only experiments of this name"),
	OPTION(0, "host", "TEXT", OPTION_TEXT, OFFSET(host), "only this machine (part of its description)"),
	OPTION(0, "since", "TIME", OPTION_TEXT, OFFSET(since), "not before, like 2026-02-03"),
	OPTION(0, "until", "TIME", OPTION_TEXT, OFFSET(until), "not after"),
	OPTION_WITHIN('n', "limit", "N", OPTION_INTEGER, OFFSET(limit), 1, 1e9, "the newest N (20)"),
	OPTION(0, "all", NULL, OPTION_FLAG, OFFSET(all), "without a limit"),
	OPTION_WITHIN(0, "min-change", "PCT", OPTION_PERCENT, OFFSET(min_change), 0, 1000,
                  "smallest change to report (1%)"),
	OPTION_WITHIN(0, "alpha", "P", OPTION_NUMBER, OFFSET(alpha), 1e-9, 0.49, NULL),
	OPTION_WITHIN(0, "min-points", "N", OPTION_INTEGER, OFFSET(min_points), 2, 1e6, NULL),
	OPTION(0, "columns", "ROLES", OPTION_TEXT, OFFSET(columns), "import: like time=date,commit=rev,value=ms"),
	OPTION(0, "unit", "UNIT", OPTION_TEXT, OFFSET(unit), NULL),
	OPTION_OF(0, "better", "WHICH", OPTION_CHOICE, OFFSET(better), "higher|lower", NULL),
	OPTION_WITHIN(0, "keep", "N", OPTION_INTEGER, OFFSET(keep), 1, 1e9, "prune: all but the newest N"),
	OPTION(0, "dry-run", NULL, OPTION_FLAG, OFFSET(dry_run), "prune: only say what would be removed"),
	OPTION('o', "output", "FOLDER", OPTION_TEXT, OFFSET(output), "export: a file for each experiment"),
	OPTION(0, "force", NULL, OPTION_FLAG, OFFSET(force), "baseline set: one result is enough"),
	OPTION(0, "store", "FILE", OPTION_TEXT, OFFSET(store), "use this store instead of this folder's"),
	OPTION(0, "csv", "FILE", OPTION_TEXT, OFFSET(csv), "write the table ('-': standard output)"),
	OPTION(0, "ascii", NULL, OPTION_FLAG, OFFSET(ascii), NULL),
	OPTION_OF(0, "color", "WHEN", OPTION_CHOICE, OFFSET(color), "auto|always|never", NULL),
	{0},
};

static const struct {
	const char *name;
	int (*run)(const struct history_options *options, const struct text_list *arguments, struct error *err);
	size_t most; /* words that may follow its name */
} subcommands[] = {
	{"list", history_list, 0},
	{"show", history_show, SIZE_MAX},
	{"trend", history_trend, 1},
	{"changes", history_changes, 1},
	{"baseline", history_baseline, 4},
	{"import", history_import, SIZE_MAX},
	{"export", history_export, SIZE_MAX},
	{"merge", history_merge, SIZE_MAX},
	{"prune", history_prune, SIZE_MAX},
	{"verify", history_verify, SIZE_MAX},
};

struct store *history_open(const struct history_options *options, enum store_mode mode, struct error *err)
{
	char path[STORE_PATH];
	if (!options->store)
		return store_locate(mode, path, err) == 0 ? store_open(path, mode, err) : NULL;
	if (strlen(options->store) < STORE_PATH)
		return store_open(options->store, mode, err);
	error_set(err, ERROR_USAGE, "the name of the store is too long");
	return NULL;
}

static int read_moment(const char *text, const char *option, int64_t *out, struct error *err)
{
	if (!text || moment_parse(text, out, err) == 0)
		return 0;
	err->kind = ERROR_USAGE;
	return error_on(err, "--%s", option);
}

int history_filter(const struct history_options *options, struct store_filter *filter, struct error *err)
{
	*filter = (struct store_filter){.subject = options->subject,
	                                .metric = options->metric,
	                                .host = options->host,
	                                .name = options->name,
	                                .tags = options->tags.items,
	                                .tag_count = options->tags.count,
	                                .has_since = options->since != NULL,
	                                .has_until = options->until != NULL};
	if (read_moment(options->since, "since", &filter->since, err) != 0)
		return -1;
	return read_moment(options->until, "until", &filter->until, err);
}

int history_print(const struct history_options *options, const struct table *table, const char *empty,
                  struct error *err)
{
	struct look look = output_look(options->color, options->ascii, output_is_stdout(options->csv));
	SCOPED(buffer) struct buffer text = {0};
	int status = 0;
	if (options->csv)
		status = table_csv(table, &text, err);
	else if (table->row_count == 0)
		buffer_printf(&text, "%s\n", empty);
	else
		status = table_text(table, &look, &text, err);
	return status == 0 ? output_write(options->csv ? options->csv : "-", &text, err) : -1;
}

int history_find(struct store *store, const char *argument, int64_t *id, struct error *err)
{
	return store_find(store, argument + (argument[0] == '@'), id, err);
}

void chosen_release(int64_t **ids)
{
	mem_free(*ids);
}

struct chosen {
	int64_t **ids;
	size_t *count, capacity;
};

static int choose(struct chosen *chosen, int64_t id, struct error *err)
{
	if (array_reserve(chosen->ids, &chosen->capacity, *chosen->count + 1) != 0)
		return error_memory(err);
	(*chosen->ids)[(*chosen->count)++] = id;
	return 0;
}

static int choose_row(void *context, const struct store_row *row, struct error *err)
{
	return choose(context, row->id, err);
}

int history_chosen(struct store *store, const struct history_options *options, const struct text_list *arguments,
                   int64_t **ids, size_t *count, struct error *err)
{
	struct chosen chosen = {ids, count, 0};
	struct store_filter filter;
	for (size_t i = 0; i < arguments->count; i++) {
		int64_t id = 0;
		if (history_find(store, arguments->items[i], &id, err) != 0 || choose(&chosen, id, err) != 0)
			return -1;
	}
	if (arguments->count > 0)
		return 0;
	if (history_filter(options, &filter, err) != 0)
		return -1;
	filter.limit = options->limit;
	return store_list(store, &filter, choose_row, &chosen, err);
}

static int run(const void *given, const struct text_list *words, struct error *err)
{
	const struct history_options *options = given;
	const char *name = words->count > 0 ? words->items[0] : "list";
	struct text_list rest = {words->items + 1, words->count > 0 ? words->count - 1 : 0};
	SCOPED(buffer) struct buffer names = {0};
	for (size_t i = 0; i < sizeof(subcommands) / sizeof(subcommands[0]); i++) {
		if (strcmp(subcommands[i].name, name) == 0 && rest.count > subcommands[i].most)
			return error_full(err, ERROR_USAGE, NULL, "--subject PATTERN and --name PATTERN choose what is meant",
			                  "'%.100s' is one word too many for history %s", rest.items[subcommands[i].most], name);
		if (strcmp(subcommands[i].name, name) == 0)
			return output_check(options->csv, err) == 0 ? subcommands[i].run(options, &rest, err) : -1;
		buffer_printf(&names, "%s%s", i ? ", " : "", subcommands[i].name);
	}
	error_set(err, ERROR_USAGE, "history has no '%.60s'", name);
	if (name[0] == '@')
		return error_next(err, "did you mean 'tare history show %.60s'?", name);
	return error_next(err, "choose one of %s", buffer_text(&names));
}

static int history_main(const struct command *command, int argc, char **argv)
{
	struct history_options options = HISTORY_DEFAULTS;
	return act(command, argc, argv, &options, run);
}

const struct command command_history = {
	.name = "history",
	.summary = "list saved results, their trends and changes",
	.usage = "tare history SUBCOMMAND [options] …",
	.about = "list         the saved experiments, newest first\n"
			 "show @ID     one of them, with everything known about it\n"
			 "trend        a metric over time, with intervals and changes\n"
			 "changes      where it changed, by how much, and where one cannot tell\n"
			 "baseline     set NAME @ID, remove NAME, list: what to compare with later\n"
			 "import FILE  results from elsewhere: tables, data.js, tare documents\n"
			 "export @ID   whole documents, for 'import' elsewhere\n"
			 "merge FILE   another store's experiments into this one\n"
			 "prune        forget old experiments\n"
			 "verify       check that the store is intact",
	.options = history_options,
	.subcommands = "list|show|trend|changes|baseline|import|export|merge|prune|verify",
	.main = history_main,
};
