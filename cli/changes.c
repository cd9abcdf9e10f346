#include "cli/changes.h"

#include "analysis/history.h"
#include "base/pattern.h"
#include "cli/message.h"
#include "cli/output.h"
#include "exchange/changes_document.h"
#include "exchange/history_read.h"
#include "report/history_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- histories ---- */

/* By series, in order of time, then as they came. */
static int by_series(const void *a, const void *b)
{
	const struct history_kept *x = a, *y = b;
	int order = strcmp(x->what.subject, y->what.subject);
	order = order ? order : strcmp(x->what.metric, y->what.metric);
	order = order ? order : strcmp(x->what.machine, y->what.machine);
	if (order == 0 && x->what.when != y->what.when)
		order = x->what.when < y->what.when ? -1 : 1;
	return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int add_rows(struct history_records *rows, const struct reading_options *reading, struct history *history,
                    struct error *err)
{
	SCOPED(name_filter) struct name_filter filter = {0};
	if (name_filter_init(&filter, reading->filter, err) != 0)
		return -1;
	qsort(rows->items, rows->count, sizeof(*rows->items), by_series);
	for (size_t i = 0; i < rows->count; i++) {
		const struct history_record *r = &rows->items[i].what;
		int keeps = name_filter_keeps(&filter, r->subject);
		const struct history_series of = {.subject = r->subject,
		                                  .metric = r->metric,
		                                  .unit = r->unit,
		                                  .stratum = r->machine,
		                                  .better = r->better,
		                                  .aside = keeps == 0};
		const struct history_point point = {
			.when = r->when, .commit = r->commit, .value = r->value, .low = r->low, .high = r->high};
		if (keeps < 0 || (reading_wants(reading, r->metric) && history_add(history, &of, &point) != 0))
			return error_memory(err);
	}
	return 0;
}

/* 0; 1 where the file is no history; -1 and err. */
static int add_history(const char *path, const struct reading_options *reading, struct history *history,
                       struct error *err)
{
	SCOPED(history_records) struct history_records rows = {0};
	const struct import_options options = {.columns = reading->columns, .unit = reading->unit};
	if (strcmp(path, "-") == 0 || path[0] == '@' || history_is_of_numbers(path)) /* "@last": in the store */
		return 1;
	int status = history_read(path, &options, history_keep, &rows, err);
	return status == 0 ? add_rows(&rows, reading, history, err) : status;
}

/* ---- samples ---- */

static int add_values(struct history *history, const struct subject *subject, const struct measurement *m,
                      const char *name, const double *values, size_t n, struct error *err)
{
	const struct history_series of = {.subject = name ? name : subject_title(subject),
	                                  .metric = m->metric.name,
	                                  .unit = m->metric.unit,
	                                  .stratum = "",
	                                  .iterations = m->series.n > m->series.groups[m->series.depth - 2],
	                                  .better = m->metric.better};
	for (size_t i = 0; i < n; i++) {
		const struct history_point point = {
			.when = (int64_t)i, .commit = "", .value = values[i], .low = NAN, .high = NAN};
		if (history_add(history, &of, &point) != 0)
			return error_memory(err);
	}
	return 0;
}

static int add_measurement(struct history *history, const struct subject *subject, const struct measurement *m,
                           struct error *err)
{
	const struct series *series = &m->series;
	unsigned last = series->depth - 2;
	size_t runs = series->groups[last];
	if (runs == series->n || runs == 1)
		return add_values(history, subject, m, NULL, series->values, series->n, err);
	for (size_t r = 0; r < runs; r++) {
		char name[600];
		snprintf(name, sizeof(name), "%.500s, run %zu", subject_title(subject), r + 1);
		if (add_values(history, subject, m, name, series->values + series->starts[last][r],
		               series->starts[last][r + 1] - series->starts[last][r], err) != 0)
			return -1;
	}
	return 0;
}

static int add_samples(const char *path, const struct reading_options *reading, struct history *history,
                       struct error *err)
{
	SCOPED(result) struct result result = result_empty();
	const struct text_list one = {.items = &path, .count = 1};
	if (reading_files(reading, &one, NULL, &result, err) != 0)
		return -1;
	if (result_make_titles(&result) != 0)
		return error_memory(err);
	for (size_t s = 0; s < result.subject_count; s++)
		for (size_t m = 0; m < result.subjects[s].metric_count; m++)
			if (!metric_counts_iterations(&result.subjects[s].metrics[m].metric) &&
			    add_measurement(history, &result.subjects[s], &result.subjects[s].metrics[m], err) != 0)
				return -1;
	return 0;
}

static int write_table(const struct history *history, const char *path, struct error *err)
{
	SCOPED(buffer) struct buffer out = {0};
	SCOPED(table) struct table table = {0};
	history_text_table(history, &table);
	return table_csv(&table, &out, err) == 0 ? output_write(path, &out, err) : -1;
}

static int write_document(const struct history *history, const char *path, struct error *err)
{
	SCOPED(buffer) struct buffer out = {0};
	changes_document_write(history, &out);
	return output_write(path, &out, err);
}

static int print(const struct history *history, size_t min_points, struct error *err)
{
	SCOPED(buffer) struct buffer out = {0};
	history_text_changes(history, min_points, &out);
	return message_print(&out, err);
}

static int keep_asked(struct history *history, const char *filter, struct error *err)
{
	const char *first = history->count > 0 ? history->series[0].subject : "";
	history_drop_aside(history);
	if (history->count > 0 || !filter)
		return 0;
	error_full(err, ERROR_NO_DATA, "--filter", NULL, "no name matches '%.100s'", filter);
	return error_next(err, "the first one is named '%.100s'", first);
}

int changes_of_files(const struct changes_choices *choices, const struct reading_options *reading,
                     const struct text_list *files, const struct document_paths *out, struct error *err)
{
	static const char *const standard[] = {"-"};
	SCOPED(history) struct history history = {0};
	struct history_search search = HISTORY_SEARCH_DEFAULTS;
	size_t count = files->count > 0 ? files->count : 1;
	if (out->latex || out->markdown)
		return error_full(err, ERROR_USAGE, NULL, "--json writes all of them, --csv a table",
		                  "%s does not go with --changes", out->latex ? "--latex" : "--markdown");
	search.min_change = choices->min_change;
	for (size_t i = 0; i < count; i++) {
		const char *path = files->count > 0 ? files->items[i] : standard[0];
		int status = add_history(path, reading, &history, err);
		if (status < 0 || (status == 1 && add_samples(path, reading, &history, err) != 0))
			return -1;
	}
	if (history_search(&history, &search, err) != 0 || keep_asked(&history, reading->filter, err) != 0 ||
	    (out->csv && write_table(&history, out->csv, err) != 0) ||
	    (out->json && write_document(&history, out->json, err) != 0))
		return -1;
	return output_is_stdout(out->csv) || output_is_stdout(out->json) ? 0 : print(&history, search.min_points, err);
}
