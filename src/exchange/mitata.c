/* mitata's JSON (`format: 'json'`): the file is a run. mitata sorts its samples and cuts off both ends, so that their order
 * is lost and they are no iterations: a benchmark has one value, the mean. The name of a group stands before the names in it. */
#include "exchange/formats.h"

#include "base/buffer.h"

#include <stdio.h>

static bool mitata_matches(const struct node *root)
{
	struct node list = node_get(root, "benchmarks"), first = node_item(&list, 0), runs = node_get(&first, "runs");
	return node_is_array(&runs) && node_get_text(&first, "alias") && node_get(root, "layout").type != NODE_ABSENT;
}

/* An argument as text; NULL where it is neither a text nor a number. */
static const char *argument_text(const struct node *value, char *number, size_t size)
{
	snprintf(number, size, "%.15g", node_number(value));
	return node_text(value) ? node_text(value) : node_is_number(value) ? number : NULL;
}

static int read_arguments(struct import *import, struct subject *subject, const struct node *run)
{
	struct node arguments = node_get(run, "args");
	for (size_t i = 0; node_is_object(&arguments) && i < arguments.count; i++) {
		char number[40];
		const char *text = argument_text(&arguments.members[i].value, number, sizeof(number));
		if (text && result_add_parameter(import->out, subject, arguments.members[i].key, text) != 0)
			return error_memory(import->err);
	}
	return 0;
}

/* The subject of a name and its arguments, which need not be part of the name. */
static struct subject *find_subject(struct import *import, struct subject_index *index, const char *name,
                                    const struct node *run)
{
	struct node arguments = node_get(run, "args");
	struct buffer key = {0};
	buffer_text_add(&key, name);
	for (size_t i = 0; node_is_object(&arguments) && i < arguments.count; i++) {
		char number[40];
		const char *text = argument_text(&arguments.members[i].value, number, sizeof(number));
		buffer_printf(&key, "\x1f%s\x1f%s", arguments.members[i].key, text ? text : "");
	}
	struct subject *subject = buffer_error(&key, import->err) == 0
	                              ? import_subject(import, index, buffer_text(&key), name)
	                              : NULL;
	buffer_release(&key);
	return subject;
}

/* Why there are no numbers: what was thrown is a text or an object, which is empty for an Error. */
static int read_failure(struct import *import, struct subject *subject, const struct node *thrown)
{
	const char *text = node_text(thrown), *message = text ? text : node_get_text(thrown, "message");
	return import_failure(import, subject, message ? message : "it threw an exception", 0);
}

static const char *full_name(struct import *import, const char *group, const char *name)
{
	return group && *group ? arena_printf(&import->out->arena, "%s/%s", group, name) : name;
}

static int read_run(struct import *import, struct subject_index *index, const char *group, const struct node *run)
{
	struct node stats = node_get(run, "stats"), thrown = node_get(run, "error");
	const char *name = node_get_text(run, "name");
	if (!name)
		return import_bad(import, "a run has no name");
	name = full_name(import, group, name);
	if (!name)
		return error_memory(import->err);
	uint32_t known = index->keys.count;
	struct subject *subject = find_subject(import, index, name, run);
	struct unit_scale scale;
	if (!subject || import_text_copy(import, name, &subject->benchmark) != 0)
		return -1;
	if (index->keys.count > known && read_arguments(import, subject, run) != 0)
		return -1;
	if (!node_is_object(&stats))
		return read_failure(import, subject, &thrown);
	double mean = node_get_number(&stats, "avg");
	struct measurement *metric = import_metric_in(import, subject, "wall", "ns", &scale);
	return metric ? import_value(import, metric, 0, units_convert(&scale, mean)) : -1;
}

static int mitata_read(struct import *import, const struct node *root)
{
	struct node list = node_get(root, "benchmarks"), context = node_get(root, "context"),
				cpu = node_get(&context, "cpu");
	struct node layout = node_get(root, "layout");
	struct subject_index index = {0};
	int status = import_text_copy(import, node_get_text(&cpu, "name"), &import->out->host.cpu);
	for (size_t i = 0; i < node_length(&list) && status == 0; i++) {
		struct node entry = node_item(&list, i), runs = node_get(&entry, "runs");
		double place = node_get_number(&entry, "group");
		struct node group = node_item(&layout, place >= 0 && place < 1e6 ? (size_t)place : SIZE_MAX);
		for (size_t r = 0; r < node_length(&runs) && status == 0; r++) {
			struct node run = node_item(&runs, r);
			status = read_run(import, &index, node_get_text(&group, "name"), &run);
		}
	}
	map_release(&index.keys);
	return status;
}

const struct json_format mitata_format = {"mitata", mitata_matches, mitata_read};
