/* Google Benchmark's JSON, and its CSV, whose rows become entries of the same list: a repetition is a run; aggregates
 * are not measurements and are left out, but for the means of a process that tells nothing else. */
#include "exchange/csv_records.h"
#include "exchange/formats.h"

#include "base/buffer.h"
#include "base/parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool gbench_matches(const struct node *root)
{
	struct node list = node_get(root, "benchmarks"), first = node_item(&list, 0);
	return node_is_array(&list) && node_get_text(&first, "name") &&
	       (node_get(&first, "real_time").type != NODE_ABSENT || node_get(&first, "run_type").type != NODE_ABSENT ||
	        node_get(&first, "cpu_time").type != NODE_ABSENT ||
	        node_get(&first, "error_occurred").type != NODE_ABSENT ||
	        (node_get(root, "context").type != NODE_ABSENT && node_get(&first, "iterations").type != NODE_ABSENT));
}

static bool is_there(const struct map *all, const char *stem, size_t length, const char *ending)
{
	char name[512];
	size_t n = (size_t)snprintf(name, sizeof(name), "%.*s%s", (int)(length < 500 ? length : 500), stem, ending);
	return map_find_text(all, name, n) != MAP_NONE;
}

/* Aggregates say so; those of old versions and of CSV carry it in the name, beside the plain ones or one another. */
static bool is_aggregate(const struct node *entry, const struct map *all)
{
	static const char *const endings[] = {"_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"};
	const char *type = node_get_text(entry, "run_type"), *name = node_get_text(entry, "name");
	if (type)
		return strcmp(type, "aggregate") == 0;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t length = strlen(name), n = strlen(endings[i]);
		if (length > n && strcmp(name + length - n, endings[i]) == 0)
			return i >= 4 || is_there(all, name, length - n, "") ||
			       (is_there(all, name, length - n, "_mean") && is_there(all, name, length - n, "_stddev"));
	}
	return false;
}

/* The mean of a benchmark whose repetitions are not told. */
static bool is_only_mean(const struct node *entry, const struct map *all)
{
	const char *name = node_get_text(entry, "run_name"), *what = node_get_text(entry, "aggregate_name");
	return name && what && strcmp(what, "mean") == 0 && !is_there(all, name, strlen(name), "");
}

/* Numbers that are no measurements. */
static bool is_setting(const char *key)
{
	static const char *const keys[] = {"family_index", "per_family_instance_index",
	                                   "repetitions",  "repetition_index",
	                                   "threads",      "iterations",
	                                   "real_time",    "cpu_time"};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

static int add(struct import *import, struct subject *subject, const char *metric, const char *unit, double value)
{
	struct unit_scale scale;
	struct measurement *to = import_metric_in(import, subject, metric, unit, &scale);
	return to ? import_value(import, to, 0, units_convert(&scale, value)) : -1;
}

/* Whatever else than false a tool that writes this format puts there, it is a mark. */
static bool is_marked(const struct node *entry, const char *key)
{
	enum node_type type = node_get(entry, key).type;
	return type != NODE_ABSENT && type != NODE_NULL && type != NODE_FALSE;
}

static bool has(const struct node *entry, const char *key)
{
	return node_get(entry, key).type != NODE_ABSENT;
}

/* Why there is no value: an error, what SkipWithMessage said (since 1.8), whose times are 0, no time, as at the end of a
 * table that was cut off, or nothing that was timed. NULL: there is one. */
static const char *failure(const struct node *entry, const struct subject *subject)
{
	const char *error = node_get_text(entry, "error_message"), *skip = node_get_text(entry, "skip_message");
	bool untimed = !has(entry, "cpu_time") || subject_find_metric(subject, "wall");
	if (is_marked(entry, "error_occurred") || (error && *error))
		return error ? error : "error";
	if (is_marked(entry, "skipped") || (skip && *skip))
		return skip ? skip : "skipped";
	if (!has(entry, "real_time") && untimed)
		return "no value";
	return node_get_number(entry, "iterations") <= 0 ? "no iterations" : NULL;
}

static const char *entry_name(const struct node *entry)
{
	const char *name = node_get_text(entry, "run_name");
	return name ? name : node_get_text(entry, "name");
}

static int read_entry(struct import *import, struct subject_index *index, const struct node *entry)
{
	const char *name = entry_name(entry), *unit = node_get_text(entry, "time_unit");
	struct subject *subject = import_subject(import, index, name, name);
	if (!subject || import_text_copy(import, name, &subject->benchmark) != 0)
		return -1;
	const char *why = failure(entry, subject);
	subject->runs++;
	if (why)
		return import_failure(import, subject, why, subject->runs - 1);
	if (has(entry, "real_time") &&
	    add(import, subject, "wall", unit ? unit : "ns", node_get_number(entry, "real_time")) != 0)
		return -1;
	if (has(entry, "cpu_time") &&
	    add(import, subject, "cpu", unit ? unit : "ns", node_get_number(entry, "cpu_time")) != 0)
		return -1;
	for (size_t i = 0; i < entry->count; i++) {
		const char *key = entry->members[i].key;
		if (!node_is_number(&entry->members[i].value) || is_setting(key))
			continue;
		const char *of = strcmp(key, "bytes_per_second") == 0   ? "bytes/s"
		                 : strcmp(key, "items_per_second") == 0 ? "items/s"
		                                                        : "";
		if (add(import, subject, key, of, node_number(&entry->members[i].value)) != 0)
			return -1;
	}
	return 0;
}

/* A process that died left fewer entries than it was to make. */
static int check_repetitions(struct import *import, struct subject_index *index, const struct node *entry)
{
	const char *name = entry_name(entry);
	struct subject *subject = import_subject(import, index, name, name);
	size_t had = subject ? subject->runs : 0;
	double expected = node_get_number(entry, "repetitions");
	if (!subject)
		return -1;
	if ((double)had < expected)
		subject->runs = (size_t)expected;
	return import_missing_runs(import, subject, had, expected);
}

static int read_context(struct import *import, const struct node *root)
{
	struct node context = node_get(root, "context"), load = node_get(&context, "load_avg"), first = node_item(&load, 0);
	double cpus = node_get_number(&context, "num_cpus");
	struct result *out = import->out;
	out->host.cpus = cpus >= 1 && cpus < 1e6 ? (long)cpus : 0;
	out->host.load = node_number(&first);
	return import_text_copy(import, node_get_text(&context, "date"), &out->started);
}

static int read_entries(struct import *import, const struct node *list, struct subject_index *index, struct map *all)
{
	size_t aggregates = 0;
	for (size_t i = 0; i < node_length(list); i++) {
		struct node entry = node_item(list, i);
		const char *name = node_get_text(&entry, "name");
		if (!name)
			return import_bad(import, "benchmark %zu has no name", i + 1);
		if (map_text(all, name, strlen(name)) == MAP_NONE)
			return error_memory(import->err);
	}
	for (size_t i = 0; i < node_length(list); i++) {
		struct node entry = node_item(list, i);
		if (is_aggregate(&entry, all) && !(import->options->one_process && is_only_mean(&entry, all)))
			aggregates++;
		else if (read_entry(import, index, &entry) != 0)
			return -1;
	}
	for (size_t i = node_length(list); i-- > 0;) {
		struct node entry = node_item(list, i);
		if (!is_aggregate(&entry, all) && check_repetitions(import, index, &entry) != 0)
			return -1;
	}
	if (index->keys.count == 0 && aggregates > 0)
		return error_full(import->err, ERROR_NO_DATA, import->input->name,
		                  "run the benchmark without --benchmark_report_aggregates_only",
		                  "only aggregates, no single measurements");
	return 0;
}

static int read_list(struct import *import, const struct node *list)
{
	struct subject_index index = {0};
	struct map all = {0};
	import->warmed = true;
	int status = read_entries(import, list, &index, &all);
	map_release(&index.keys);
	map_release(&all);
	return status;
}

static int gbench_read(struct import *import, const struct node *root)
{
	struct node list = node_get(root, "benchmarks");
	return read_context(import, root) == 0 ? read_list(import, &list) : -1;
}

const struct json_format gbench_format = {"gbench", gbench_matches, gbench_read};

/* ---- CSV ---- */

/* What it says of the machine may stand before the header. */
static bool csv_matches(const char *head, size_t length, const struct import_options *options)
{
	const char *header = strstr(head, "name,iterations,real_time,cpu_time,time_unit,");
	(void)length;
	return header && (header == head || header[-1] == '\n') && !options->columns;
}

static bool is_header(const struct csv_records *records)
{
	return records->count > 4 && records->fields[0].length == 4 && memcmp(records->fields[0].text, "name", 4) == 0;
}

/* The cells as texts; NULL: no memory. */
static const char **copy_cells(const struct csv_records *records, struct arena *arena)
{
	const char **texts = arena_alloc(arena, records->count, sizeof(*texts));
	for (size_t i = 0; texts && i < records->count; i++)
		if (!(texts[i] = arena_strndup(arena, records->fields[i].text, records->fields[i].length)))
			return NULL;
	return texts;
}

static bool is_text(const char *key)
{
	static const char *const keys[] = {"name", "time_unit", "label", "error_occurred", "error_message"};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

/* An empty cell is a member that is not there. */
static struct node node_of_cell(const char *key, const char *text)
{
	size_t length = strlen(text);
	double number;
	if (length == 0)
		return (struct node){.type = NODE_ABSENT};
	if (is_text(key))
		return (struct node){.type = NODE_TEXT, .count = (uint32_t)length, .text = text};
	return node_of_number(parse_number_prefix(text, length, &number) == length ? number : NAN);
}

/* Beside its message "true" tells of an error, and "false" of what was skipped without one. */
static void name_failure(struct node_member *member, bool failed)
{
	if (strcmp(member->key, "error_occurred") == 0)
		*member = (struct node_member){failed ? "error_occurred" : "skipped", {.type = NODE_TRUE}};
	else if (strcmp(member->key, "error_message") == 0 && !failed)
		member->key = "skip_message";
}

/* The row as JSON has it. -1: no memory. */
static int read_row(const struct csv_records *records, const char *const *keys, size_t count, struct arena *arena,
                    struct node *row)
{
	const char **cells = copy_cells(records, arena), *failed = NULL;
	struct node_member *members = cells ? arena_alloc(arena, count, sizeof(*members)) : NULL;
	if (!members)
		return -1;
	for (size_t i = 0; i < count; i++) {
		members[i] = (struct node_member){keys[i], node_of_cell(keys[i], i < records->count ? cells[i] : "")};
		if (strcmp(keys[i], "error_occurred") == 0)
			failed = node_text(&members[i].value);
	}
	for (size_t i = 0; failed && i < count; i++)
		name_failure(&members[i], strcmp(failed, "true") == 0);
	*row = (struct node){.type = NODE_OBJECT, .count = (uint32_t)count, .members = members};
	return 0;
}

static int csv_read(struct import *import)
{
	struct arena arena = {0};
	struct buffer rows = {0};
	struct csv_records records;
	const char **keys = NULL;
	size_t count = 0;
	int more = 1, status = 0;
	csv_records_init(&records, import->input, ',');
	while (status == 0 && (more = csv_next(&records, import->err)) == 1) {
		struct node row;
		if (keys && records.count > 1) {
			status = read_row(&records, keys, count, &arena, &row);
			if (status == 0)
				buffer_add(&rows, &row, sizeof(row));
		} else if (!keys && is_header(&records)) {
			count = records.count;
			keys = copy_cells(&records, &arena);
			status = keys ? 0 : -1;
		}
	}
	if (status != 0 || rows.out_of_memory)
		status = error_memory(import->err);
	else if (more < 0)
		status = -1;
	else if (!keys)
		status = import_bad(import, "no table of Google Benchmark in it");
	else
		status = read_list(import, &(struct node){.type = NODE_ARRAY,
		                                          .count = (uint32_t)(rows.length / sizeof(struct node)),
		                                          .items = (const struct node *)(const void *)rows.data});
	csv_records_release(&records);
	buffer_release(&rows);
	arena_release(&arena);
	return status;
}

const struct text_format gbench_csv_format = {"gbench", csv_matches, csv_read};
