/* tare history list: the saved experiments, newest first. */
#include "cli/history.h"
#include "cli/stored.h"
#include "base/moment.h"

#include <string.h>

enum { COMMIT_SHOWN = 8 };

static int add_row(void *context, const struct store_row *row, struct error *err)
{
	struct table *table = context;
	char when[MOMENT_TEXT];
	(void)err;
	table_row(table);
	table_cellf(table, EMPHASIS_STRONG, "@%lld", (long long)row->id);
	table_cell(table, EMPHASIS_NONE, moment_short(row->started, when));
	if (row->name[0])
		table_cell(table, EMPHASIS_NONE, row->name);
	else if (row->subjects > 1)
		table_cellf(table, EMPHASIS_NONE, "%s and %lld more", row->subject, (long long)row->subjects - 1);
	else
		table_cell(table, EMPHASIS_NONE, row->subject);
	table_cellf(table, EMPHASIS_NONE, "%lld", (long long)row->rounds);
	table_cell(table, strcmp(row->state, "done") == 0 ? EMPHASIS_NONE : EMPHASIS_WARN,
	           row->orphaned ? "killed" : row->state);
	table_cellf(table, EMPHASIS_NONE, "%.*s", COMMIT_SHOWN, row->commit);
	table_cell(table, EMPHASIS_NONE, row->tags);
	table_cell(table, EMPHASIS_NONE, row->metric);
	table_cell(table, EMPHASIS_NONE, row->design);
	table_cell(table, EMPHASIS_FAINT, row->stratum);
	return 0;
}

static int see_row(void *context, const struct store_row *row, struct error *err)
{
	(void)row;
	(void)err;
	*(bool *)context = true;
	return 0;
}

/* An empty list is of a store without anything in it, or of a question that nothing answers. */
static int print_list(const struct history_options *options, const struct table *table, struct store *store,
                      struct error *err)
{
	bool any = table->row_count > 0;
	if (!any && store_list(store, &(struct store_filter){.limit = 1}, see_row, &any, err) != 0)
		return -1;
	return history_print(options, table,
	                     any ? "no saved experiment matches"
	                         : "nothing is saved here yet: 'tare run' and 'tare bench' save what they measure",
	                     err);
}

int history_list(const struct history_options *options, const struct text_list *arguments, struct error *err)
{
	struct store_filter filter;
	SCOPED(table) struct table table = {0};
	(void)arguments;
	if (history_filter(options, &filter, err) != 0)
		return -1;
	filter.limit = options->all ? 0 : options->limit ? options->limit : 20;
	SCOPED(stored) struct store *store = history_open(options, STORE_READ, err);
	table_column(&table, "id", TABLE_LEFT, TABLE_FIXED);
	table_column(&table, "started (UTC)", TABLE_LEFT, TABLE_FIXED);
	table_column(&table, "experiment", TABLE_LEFT, TABLE_SHRINKS);
	table_column(&table, "rounds", TABLE_RIGHT, TABLE_FIXED);
	table_column(&table, "state", TABLE_LEFT, TABLE_FIXED);
	table_column(&table, "commit", TABLE_LEFT, TABLE_OPTIONAL);
	table_column(&table, "tags", TABLE_LEFT, TABLE_OPTIONAL);
	table_column(&table, "metric", TABLE_LEFT, TABLE_OPTIONAL);
	table_column(&table, "design", TABLE_LEFT, TABLE_OPTIONAL);
	table_column(&table, "machine", TABLE_LEFT, TABLE_OPTIONAL);
	if (!store || store_list(store, &filter, add_row, &table, err) != 0)
		return -1;
	return print_list(options, &table, store, err);
}
