/* tinybench has no file format of its own; what people write is its tasks with their results, as JSON:
 *
 *	JSON.stringify(bench.tasks.map(({ name, result }) => ({ name, result })))
 *
 * The file is a run. tinybench sorts its samples, so that their order is lost and they are no iterations: a task has one
 * value, the mean in milliseconds, under `latency` (version 2: beside the other numbers of the result). */
#include "exchange/formats.h"

#include <math.h>
#include <string.h>

/* The numbers of a task: under `result`, or the task itself. */
static struct node numbers_of(const struct node *task)
{
	struct node result = node_get(task, "result"), latency;
	if (!node_is_object(&result))
		result = *task;
	latency = node_get(&result, "latency");
	return node_is_object(&latency) ? latency : result;
}

static struct node state_of(const struct node *task)
{
	struct node result = node_get(task, "result");
	return node_is_object(&result) ? result : *task;
}

static bool is_task(const struct node *task)
{
	struct node numbers = numbers_of(task), state = state_of(task);
	return node_get_text(task, "name") &&
	       ((node_get(&numbers, "rme").type != NODE_ABSENT && node_get(&numbers, "mean").type != NODE_ABSENT) ||
	        node_get_text(&state, "state"));
}

static bool tinybench_matches(const struct node *root)
{
	struct node first = node_item(root, 0);
	return node_is_array(root) && is_task(&first);
}

/* Version 5 has numbers of a task that was aborted half-way: "aborted-with-statistics". */
static bool was_broken_off(const struct node *task)
{
	struct node state = state_of(task);
	const char *word = node_get_text(&state, "state");
	return word && (strncmp(word, "abort", 5) == 0 || strncmp(word, "err", 3) == 0 || strncmp(word, "fail", 4) == 0);
}

static int read_failure(struct import *import, struct subject *subject, const struct node *task)
{
	struct node state = state_of(task), thrown = node_get(&state, "error");
	const char *text = node_text(&thrown), *message = text ? text : node_get_text(&thrown, "message");
	const char *word = node_get_text(&state, "state");
	return import_failure(import, subject, message ? message : word ? word : "no result", 0);
}

static int read_task(struct import *import, struct subject_index *index, const struct node *task)
{
	struct node numbers = numbers_of(task);
	const char *name = node_get_text(task, "name");
	struct unit_scale scale;
	if (!name)
		return import_bad(import, "a task has no name");
	struct subject *subject = import_subject(import, index, name, name);
	if (!subject || import_text_copy(import, name, &subject->benchmark) != 0)
		return -1;
	double mean = node_get_number(&numbers, "mean");
	if ((!isfinite(mean) || was_broken_off(task)) && read_failure(import, subject, task) != 0)
		return -1;
	if (!isfinite(mean))
		return 0;
	struct measurement *metric = import_metric_in(import, subject, "wall", "ms", &scale);
	return metric ? import_value(import, metric, 0, units_convert(&scale, mean)) : -1;
}

static int tinybench_read(struct import *import, const struct node *root)
{
	struct subject_index index = {0};
	int status = 0;
	for (size_t i = 0; i < node_length(root) && status == 0; i++) {
		struct node task = node_item(root, i);
		status = read_task(import, &index, &task);
	}
	map_release(&index.keys);
	return status;
}

const struct json_format tinybench_format = {"tinybench", tinybench_matches, tinybench_read};
