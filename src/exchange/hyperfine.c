/* hyperfine's JSON: a run is one value; user and system times are there as means only. */
#include "exchange/formats.h"

#include <stdio.h>

static bool hyperfine_matches(const struct node *root)
{
	struct node results = node_get(root, "results"), first = node_item(&results, 0);
	return node_get_text(&first, "command") &&
	       (node_get(&first, "times").type != NODE_ABSENT || node_get(&first, "mean").type != NODE_ABSENT);
}

/* One array of numbers, a value for each run. */
static int read_runs(struct import *import, struct subject *subject, const char *metric, const char *unit,
                     const struct node *values)
{
	struct unit_scale scale;
	if (node_length(values) == 0)
		return 0;
	struct measurement *to = import_metric_in(import, subject, metric, unit, &scale);
	if (!to)
		return -1;
	for (size_t i = 0; i < node_length(values); i++) {
		struct node value = node_item(values, i);
		if (import_value(import, to, 0, units_convert(&scale, node_number(&value))) != 0)
			return -1;
	}
	return 0;
}

static int read_parameters(struct import *import, struct subject *subject, const struct node *entry)
{
	struct node parameters = node_get(entry, "parameters");
	for (size_t i = 0; node_is_object(&parameters) && i < parameters.count; i++) {
		const struct node *value = &parameters.members[i].value;
		char number[40];
		snprintf(number, sizeof(number), "%.15g", node_number(value));
		const char *text = node_text(value) ? node_text(value) : number;
		if (result_add_parameter(import->out, subject, parameters.members[i].key, text) != 0)
			return error_memory(import->err);
	}
	return 0;
}

/* Early versions have no exit codes; where there are some, a run without one is not known to have ended well, and one
 * without a time was not measured. */
static int read_failures(struct import *import, struct subject *subject, const struct node *entry, size_t runs)
{
	struct node codes = node_get(entry, "exit_codes");
	if (codes.type == NODE_ABSENT || codes.type == NODE_NULL)
		return 0;
	size_t told = node_length(&codes);
	for (size_t i = 0; i < told || i < runs; i++) {
		struct node code = node_item(&codes, i);
		char what[32];
		if (code.type == NODE_NUMBER && code.number == 0 && i < runs)
			continue;
		/* null is hyperfine's word for ended by a signal. */
		if (code.type == NODE_NUMBER && code.number == 0)
			snprintf(what, sizeof(what), "no value");
		else if (i >= told)
			snprintf(what, sizeof(what), "no exit code");
		else if (code.type == NODE_NUMBER)
			snprintf(what, sizeof(what), "exit %.0f", code.number);
		else
			snprintf(what, sizeof(what), "signal");
		if (result_add_failure(import->out, subject,
		                       (struct failure){what, i, code.type == NODE_NUMBER ? (int)code.number : 0}) != 0)
			return error_memory(import->err);
	}
	return 0;
}

static int hyperfine_read(struct import *import, const struct node *root)
{
	struct node results = node_get(root, "results");
	size_t means = 0;
	for (size_t i = 0; i < node_length(&results); i++) {
		struct node entry = node_item(&results, i), times = node_get(&entry, "times");
		struct node memory = node_get(&entry, "memory_usage_byte");
		const char *command = node_get_text(&entry, "command");
		if (!command)
			return import_bad(import, "result %zu has no command", i + 1);
		/* Without times too: nothing else is compared in its place. */
		struct subject *subject = result_add_subject(import->out, command);
		if (!subject)
			return error_memory(import->err);
		means += node_length(&times) == 0;
		if (import_text_copy(import, command, &subject->command) != 0 ||
		    read_parameters(import, subject, &entry) != 0 ||
		    read_failures(import, subject, &entry, node_length(&times)) != 0 ||
		    read_runs(import, subject, "wall", "s", &times) != 0 ||
		    read_runs(import, subject, "rss", "bytes", &memory) != 0)
			return -1;
	}
	if (means && import_warn(import, "unmapped", "%zu result%s a mean and no single times", means,
	                         means == 1 ? " has" : "s have") != 0)
		return -1;
	return import_warn(import, "unmapped", "hyperfine keeps user and system time as means only: not used");
}

const struct json_format hyperfine_format = {"hyperfine", hyperfine_matches, hyperfine_read};
