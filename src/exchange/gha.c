/* github-action-benchmark: one measurement as JSON [{name, unit, value}], or the history that it
 * keeps in data.js. A history has one value for each commit: the commit is a build. */
#include "exchange/formats.h"

#include "base/buffer.h"

#include <stdio.h>
#include <string.h>

static bool list_matches(const struct node *root)
{
	struct node first = node_item(root, 0), value = node_get(&first, "value");
	return node_get_text(&first, "name") && (node_is_number(&value) || value.type == NODE_TEXT) &&
	       node_get(&first, "unit").type != NODE_ABSENT;
}

static bool history_matches(const struct node *root)
{
	struct node entries = node_get(root, "entries");
	if (!node_is_object(&entries))
		return false;
	if (entries.count == 0)
		return node_get(root, "lastUpdate").type != NODE_ABSENT;
	struct node first = node_item(&entries.members[0].value, 0);
	return node_get(&first, "benches").type != NODE_ABSENT;
}

/* Some tools put more into the unit than a unit: "ns/op\t 4.000 auxMetricUnits". */
static void clean_unit(const char *text, char *unit, size_t size)
{
	snprintf(unit, size, "%.*s", (int)strcspn(text ? text : "", "\t\n"), text ? text : "");
	size_t length = strlen(unit);
	while (length > 0 && unit[length - 1] == ' ')
		unit[--length] = '\0';
}

/* One {name, unit, value} into its subject. */
static int read_bench(struct import *import, struct subject *subject, const struct node *bench, const char *tool,
                      const enum level *levels, unsigned depth)
{
	char unit[64];
	double value = node_get_number(bench, "value");
	clean_unit(node_get_text(bench, "unit"), unit, sizeof(unit));
	struct unit_scale scale = units_meaning(unit);
	const char *metric_name = strcmp(scale.name, "s") == 0 ? "wall" : unit[0] ? unit : "value";
	struct measurement *metric = subject_find_metric(subject, metric_name);
	if (!metric) {
		metric = import_metric(import, subject, metric_name, scale.name, levels, depth);
		if (!metric)
			return -1;
		if (tool && strcmp(tool, "customBiggerIsBetter") == 0 && import->options->better == IMPORT_BETTER_BY_UNIT)
			metric->metric.better = BETTER_HIGHER;
	}
	return import_value(import, metric, 0, units_convert(&scale, value));
}

static int list_read(struct import *import, const struct node *root)
{
	struct subject_index index = {0};
	int status = 0;
	for (size_t i = 0; status == 0 && i < node_length(root); i++) {
		struct node bench = node_item(root, i);
		const char *name = node_get_text(&bench, "name");
		struct subject *subject = name ? import_subject(import, &index, name, name) : NULL;
		if (!name)
			status = import_bad(import, "entry %zu has no name", i + 1);
		else if (!subject || import_text_copy(import, name, &subject->benchmark) != 0)
			status = -1;
		else
			status = read_bench(import, subject, &bench, NULL, NULL, 0);
	}
	map_release(&index.keys);
	return status;
}

static int read_entry(struct import *import, struct subject_index *index, const char *suite, bool several,
                      const struct node *entry)
{
	static const enum level levels[] = {LEVEL_BUILD, LEVEL_RUN, LEVEL_ITERATION};
	struct node benches = node_get(entry, "benches");
	for (size_t i = 0; i < node_length(&benches); i++) {
		struct node bench = node_item(&benches, i);
		const char *name = node_get_text(&bench, "name");
		struct buffer key = {0};
		if (!name)
			continue;
		buffer_printf(&key, "%s\x1f%s", suite, name);
		size_t before = import->out->subject_count;
		struct subject *subject = key.out_of_memory ? NULL : import_subject(import, index, buffer_text(&key), name);
		buffer_release(&key);
		if (!subject)
			return error_memory(import->err);
		if (import->out->subject_count > before &&
		    (import_text_copy(import, name, &subject->benchmark) != 0 ||
		     (several && result_add_parameter(import->out, subject, "suite", suite) != 0)))
			return error_memory(import->err);
		if (read_bench(import, subject, &bench, node_get_text(entry, "tool"), levels, 3) != 0)
			return -1;
	}
	return 0;
}

static int history_read(struct import *import, const struct node *root)
{
	struct node entries = node_get(root, "entries");
	struct subject_index index = {0};
	int status = 0;
	for (size_t s = 0; status == 0 && s < entries.count; s++) {
		const struct node *list = &entries.members[s].value;
		for (size_t i = 0; status == 0 && i < node_length(list); i++) {
			struct node entry = node_item(list, i);
			status = read_entry(import, &index, entries.members[s].key, entries.count > 1, &entry);
		}
	}
	map_release(&index.keys);
	return status;
}

const struct json_format gha_format = {"gha", list_matches, list_read};
const struct json_format gha_history_format = {"gha-history", history_matches, history_read};
