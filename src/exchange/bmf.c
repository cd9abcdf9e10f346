/* Bencher Metric Format: {benchmark: {measure: {value, lower_value, upper_value}}}. It holds one
 * number for each measure and no unit; Bencher's own measure "latency" is in nanoseconds and
 * "throughput" in operations per second. */
#include "exchange/formats.h"

#include <math.h>
#include <string.h>

static bool matches(const struct node *root)
{
	if (!node_is_object(root) || root->count == 0)
		return false;
	const struct node *measures = &root->members[0].value;
	if (!node_is_object(measures) || measures->count == 0)
		return false;
	struct node value = node_get(&measures->members[0].value, "value");
	return node_is_number(&value);
}

static int read(struct import *import, const struct node *root)
{
	for (size_t i = 0; i < root->count; i++) {
		const struct node *measures = &root->members[i].value;
		const char *name = root->members[i].key;
		struct subject *subject = result_add_subject(import->out, name);
		if (!subject || import_text_copy(import, name, &subject->benchmark) != 0)
			return error_memory(import->err);
		for (size_t m = 0; node_is_object(measures) && m < measures->count; m++) {
			const char *measure = measures->members[m].key;
			double value = node_get_number(&measures->members[m].value, "value");
			bool latency = strcmp(measure, "latency") == 0, throughput = strcmp(measure, "throughput") == 0;
			struct unit_scale scale;
			struct measurement *metric = import_metric_in(import, subject, latency ? "wall" : measure,
			                                              latency      ? "ns"
			                                              : throughput ? "ops/s"
			                                                           : "",
			                                              &scale);
			if (!metric)
				return -1;
			if (isfinite(value) && import_value(import, metric, 0, units_convert(&scale, value)) != 0)
				return -1;
		}
	}
	return 0;
}

const struct json_format bmf_format = {"bmf", matches, read};
