/* Google Benchmark's JSON: a repetition is a run; aggregates are not measurements and are left out. */
#include "exchange/formats.h"

#include <math.h>
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

/* Aggregates say so; those of old versions carry it in the name, after the plain ones. */
static bool is_aggregate(const struct node *entry, const struct subject_index *index)
{
	static const char *const endings[] = {"_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"};
	const char *type = node_get_text(entry, "run_type"), *name = node_get_text(entry, "name");
	if (type)
		return strcmp(type, "aggregate") == 0;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t length = strlen(name), n = strlen(endings[i]);
		if (length > n && strcmp(name + length - n, endings[i]) == 0 &&
		    (i >= 4 || names_find(&index->keys, name, length - n) != NAMES_NONE))
			return true;
	}
	return false;
}

/* Numbers that are no measurements. */
static bool is_setting(const char *key)
{
	static const char *const keys[] = {"family_index", "per_family_instance_index", "repetitions", "repetition_index",
	                                   "threads", "iterations", "real_time", "cpu_time"};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

static int add(struct import *import, struct subject *subject, const char *metric, const char *unit, double value,
               size_t *missing)
{
	struct unit_scale scale;
	if (!isfinite(value)) {
		++*missing;
		return 0;
	}
	struct measurement *to = import_metric_in(import, subject, metric, unit, &scale);
	return to ? import_value(import, to, 0, units_convert(&scale, value)) : -1;
}

/* Why there is no value: an error, or what SkipWithMessage said (since 1.8), whose times are 0. NULL: there is one. */
static const char *failure(const struct node *entry)
{
	bool failed = node_get(entry, "error_occurred").type == NODE_TRUE;
	if (!failed && node_get(entry, "skipped").type != NODE_TRUE)
		return NULL;
	const char *message = node_get_text(entry, failed ? "error_message" : "skip_message");
	return message ? message : failed ? "error" : "skipped";
}

static int read_entry(struct import *import, struct subject_index *index, const struct node *entry, size_t *missing)
{
	const char *name = node_get_text(entry, "run_name"), *unit = node_get_text(entry, "time_unit");
	if (!name)
		name = node_get_text(entry, "name");
	struct subject *subject = import_subject(import, index, name, name);
	if (!subject || import_text_copy(import, name, &subject->benchmark) != 0)
		return -1;
	const char *why = failure(entry);
	if (why) {
		size_t run = subject->metric_count ? subject->metrics[0].series.groups[0] : 0;
		return result_add_failure(import->out, subject, why, run) == 0 ? 0 : error_memory(import->err);
	}
	if (node_get(entry, "real_time").type != NODE_ABSENT &&
	    add(import, subject, "wall", unit ? unit : "ns", node_get_number(entry, "real_time"), missing) != 0)
		return -1;
	if (node_get(entry, "cpu_time").type != NODE_ABSENT &&
	    add(import, subject, "cpu", unit ? unit : "ns", node_get_number(entry, "cpu_time"), missing) != 0)
		return -1;
	for (size_t i = 0; i < entry->count; i++) {
		const char *key = entry->members[i].key;
		if (!node_is_number(&entry->members[i].value) || is_setting(key))
			continue;
		const char *of = strcmp(key, "bytes_per_second") == 0 ? "bytes/s" : strcmp(key, "items_per_second") == 0 ? "items/s" : "";
		if (add(import, subject, key, of, node_number(&entry->members[i].value), missing) != 0)
			return -1;
	}
	return 0;
}

/* Runs that failed have no values: the others have one in the first metric. */
static int warn_failures(struct import *import)
{
	for (size_t i = 0; i < import->out->subject_count; i++) {
		const struct subject *subject = &import->out->subjects[i];
		size_t good = subject->metric_count ? subject->metrics[0].series.groups[0] : 0;
		if (import_warn_failures(import, subject, good + subject->failure_count) != 0)
			return -1;
	}
	return 0;
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

static int read_entries(struct import *import, const struct node *root, struct subject_index *index)
{
	struct node list = node_get(root, "benchmarks");
	size_t aggregates = 0, missing = 0;
	for (size_t i = 0; i < node_length(&list); i++) {
		struct node entry = node_item(&list, i);
		if (!node_get_text(&entry, "name"))
			return import_bad(import, "benchmark %zu has no name", i + 1);
		if (is_aggregate(&entry, index))
			aggregates++;
		else if (read_entry(import, index, &entry, &missing) != 0)
			return -1;
	}
	if (index->keys.count == 0 && aggregates > 0) {
		error_set(import->err, ERROR_NO_DATA, "only aggregates, no single measurements");
		error_on(import->err, "%s", import->input->name);
		return error_next(import->err, "run the benchmark without --benchmark_report_aggregates_only");
	}
	return warn_failures(import) == 0 ? import_warn_missing(import, missing) : -1;
}

static int gbench_read(struct import *import, const struct node *root)
{
	struct subject_index index = {0};
	int status = read_context(import, root);
	if (status == 0)
		status = read_entries(import, root, &index);
	names_release(&index.keys);
	return status;
}

const struct json_format gbench_format = {"gbench", gbench_matches, gbench_read};
