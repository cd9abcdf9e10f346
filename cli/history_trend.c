/* tare history trend and changes: a metric over time. */
#include "analysis/history.h"
#include "cli/history.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/stored.h"
#include "report/history_text.h"

#include <stdio.h>
#include <string.h>

enum { MOST_TRENDS = 10, USUAL_ROWS = 20 };

static int add_point(void *context, const struct store_point *p, struct error *err)
{
	struct history_series of = {.subject = p->subject,
	                            .metric = p->metric,
	                            .unit = p->unit,
	                            .stratum = p->stratum,
	                            .better = strcmp(p->better, "higher") == 0 ? BETTER_HIGHER : BETTER_LOWER};
	struct history_point point = {
		.id = p->id, .when = p->started, .commit = p->commit, .value = p->mean, .low = p->low, .high = p->high};
	return history_add(context, &of, &point) == 0 ? 0 : error_memory(err);
}

static int read_points(const struct history_options *options, struct history *out, struct error *err)
{
	struct store_filter filter;
	if (history_filter(options, &filter, err) != 0)
		return -1;
	SCOPED(stored) struct store *store = history_open(options, STORE_READ, err);
	return store ? store_points(store, &filter, add_point, out, err) : -1;
}

/* Whether most of the suite moved is told also where one subject was asked for: its changes get that from all. */
static void adopt_suite(struct history *chosen, const struct history *all)
{
	for (size_t i = 0; i < chosen->count; i++)
		for (size_t j = 0; j < all->count; j++) {
			struct history_series *mine = &chosen->series[i];
			const struct history_series *other = &all->series[j];
			if (!history_same_series(mine, other) || mine->change_count != other->change_count)
				continue;
			for (size_t k = 0; k < mine->change_count; k++) {
				mine->changes[k].environment = other->changes[k].environment;
				mine->changes[k].moved = other->changes[k].moved;
				mine->changes[k].of = other->changes[k].of;
			}
		}
}

static int look_at_suite(const struct history_options *options, const struct history_search *search,
                         struct history *chosen, struct error *err)
{
	struct history_options whole = *options;
	SCOPED(history) struct history all = {0};
	whole.subject = NULL;
	if (!options->subject)
		return 0;
	if (read_points(&whole, &all, err) != 0 || history_search(&all, search, err) != 0)
		return -1;
	adopt_suite(chosen, &all);
	return 0;
}

int history_load(const struct history_options *options, struct history *out, struct error *err)
{
	struct history_search search = {options->alpha, options->min_change, (size_t)options->min_points};
	*out = (struct history){0};
	int status = read_points(options, out, err);
	if (status == 0 && out->count == 0) {
		status = error_full(err, ERROR_NO_DATA, NULL, "'tare history list' shows what there is",
		                    "no saved result matches");
	}
	if (status == 0)
		status = history_search(out, &search, err);
	if (status == 0)
		status = look_at_suite(options, &search, out, err);
	if (status != 0)
		history_release(out);
	return status;
}

/* Names on the command line are subjects. */
static struct history_options with_subject(const struct history_options *options, const struct text_list *arguments)
{
	struct history_options chosen = *options;
	if (arguments->count > 0 && !chosen.subject)
		chosen.subject = arguments->items[0];
	return chosen;
}

/* Histories of several machines stand apart, and that is said. */
static void tell_machines(const struct history *history, struct buffer *out)
{
	size_t apart = 0;
	for (size_t i = 1; i < history->count; i++)
		apart += strcmp(history->series[i].subject, history->series[i - 1].subject) == 0 &&
		         strcmp(history->series[i].metric, history->series[i - 1].metric) == 0 &&
		         strcmp(history->series[i].stratum, history->series[i - 1].stratum) != 0;
	if (apart > 0)
		buffer_text_add(out, "results of different machines are shown separately; --host chooses one\n\n");
}

static int trend_table(const struct history_options *options, const struct history *history, struct error *err)
{
	static const char *const headings[] = {"subject", "metric", "unit", "machine", "id",     "when",
	                                       "commit",  "value",  "low",  "high",    "outlier"};
	SCOPED(table) struct table table = {0};
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		table_column(&table, headings[i], TABLE_LEFT, TABLE_FIXED);
	for (size_t i = 0; i < history->count; i++)
		for (size_t k = 0; k < history->series[i].n; k++)
			history_text_row(&history->series[i], k, &table);
	return history_print(options, &table, "", err);
}

int history_trend(const struct history_options *options, const struct text_list *arguments, struct error *err)
{
	struct history_options chosen = with_subject(options, arguments);
	struct look look = output_look(options->color, options->ascii, false);
	SCOPED(history) struct history history = {0};
	SCOPED(buffer) struct buffer out = {0};
	if (history_load(&chosen, &history, err) != 0)
		return -1;
	if (options->csv)
		return trend_table(options, &history, err);
	size_t shown = options->all || history.count < MOST_TRENDS ? history.count : MOST_TRENDS;
	tell_machines(&history, &out);
	for (size_t i = 0; i < shown; i++) {
		if (i > 0)
			buffer_char(&out, '\n');
		if (history_text_trend(&history.series[i], options->limit ? (size_t)options->limit : USUAL_ROWS, &look, &out,
		                       err) != 0)
			return -1;
	}
	if (shown < history.count)
		buffer_printf(&out, "\n%zu of %zu histories; --subject chooses, --all shows all\n", shown, history.count);
	return message_print(&out, err);
}

int history_changes(const struct history_options *options, const struct text_list *arguments, struct error *err)
{
	struct history_options chosen = with_subject(options, arguments);
	SCOPED(history) struct history history = {0};
	SCOPED(table) struct table table = {0};
	SCOPED(buffer) struct buffer out = {0};
	if (history_load(&chosen, &history, err) != 0)
		return -1;
	if (options->csv) {
		history_text_table(&history, &table);
		return history_print(options, &table, "", err);
	}
	tell_machines(&history, &out);
	history_text_changes(&history, (size_t)options->min_points, &out);
	return message_print(&out, err);
}
