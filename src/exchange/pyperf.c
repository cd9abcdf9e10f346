/* pyperf's JSON: a process is a run, its values (already per loop) are iterations. Runs with
 * warm-ups and no values calibrated the loops; they and the warm-ups are no measurements and are
 * left out. A run with neither has failed. */
#include "exchange/formats.h"

#include <math.h>
#include <string.h>

static bool pyperf_matches(const struct node *root)
{
	struct node list = node_get(root, "benchmarks"), first = node_item(&list, 0), runs = node_get(&first, "runs");
	return node_is_array(&runs) && node_get(root, "version").type != NODE_ABSENT;
}

/* A piece of metadata: the benchmark's own, else that of the file. */
static const char *metadata_text(const struct node *root, const struct node *benchmark, const char *key)
{
	struct node own = node_get(benchmark, "metadata"), common = node_get(root, "metadata");
	const char *text = node_get_text(&own, key);
	return text ? text : node_get_text(&common, key);
}

static int read_host(struct import *import, const struct node *root)
{
	struct node metadata = node_get(root, "metadata");
	struct host_info *host = &import->out->host;
	double cpus = node_get_number(&metadata, "cpu_count");
	host->cpus = cpus >= 1 && cpus < 1e6 ? (long)cpus : 0;
	host->load = node_get_number(&metadata, "load_avg_1min");
	if (import_text_copy(import, node_get_text(&metadata, "platform"), &host->os) != 0)
		return -1;
	return import_text_copy(import, node_get_text(&metadata, "cpu_model_name"), &host->cpu);
}

/* The date of the first run that has one is the result's. */
static int read_date(struct import *import, const struct node *runs)
{
	for (size_t r = 0; r < node_length(runs) && !import->out->started; r++) {
		struct node run = node_item(runs, r), metadata = node_get(&run, "metadata");
		if (import_text_copy(import, node_get_text(&metadata, "date"), &import->out->started) != 0)
			return -1;
	}
	return 0;
}

static int read_runs(struct import *import, struct subject *subject, struct measurement *metric,
                     const struct unit_scale *scale, const struct node *runs)
{
	for (size_t r = 0; r < node_length(runs); r++) {
		struct node run = node_item(runs, r), values = node_get(&run, "values"), warmups = node_get(&run, "warmups");
		bool begun = false;
		if (values.type == NODE_ABSENT && node_length(&warmups) > 0)
			continue;
		if (node_length(&values) == 0 && import_failure(import, subject, "no value", subject->runs) != 0)
			return -1;
		subject->runs++;
		for (size_t i = 0; i < node_length(&values); i++) {
			struct node value = node_item(&values, i);
			double number = node_number(&value);
			if (import_value(import, metric, begun ? 1 : 0, units_convert(scale, number)) != 0)
				return -1;
			begun |= isfinite(number);
		}
	}
	return 0;
}

/* What tare exported of runs that failed: pyperf itself has no place for them. */
static int read_failed(struct import *import, struct subject *subject, const struct node *benchmark)
{
	struct node metadata = node_get(benchmark, "metadata");
	double failed = node_get_number(&metadata, "failed_runs");
	return import_missing_runs(import, subject, subject->runs, (double)subject->runs + failed);
}

static int pyperf_read(struct import *import, const struct node *root)
{
	struct node list = node_get(root, "benchmarks");
	import->warmed = true;
	if (read_host(import, root) != 0)
		return -1;
	for (size_t i = 0; i < node_length(&list); i++) {
		struct node benchmark = node_item(&list, i), runs = node_get(&benchmark, "runs");
		const char *name = metadata_text(root, &benchmark, "name"), *unit = metadata_text(root, &benchmark, "unit");
		bool seconds = !unit || strcmp(unit, "second") == 0, bytes = unit && strcmp(unit, "byte") == 0;
		struct unit_scale scale;
		struct subject *subject = result_add_subject(import->out, name ? name : import->name);
		struct measurement *metric = subject ? import_metric_in(import, subject,
		                                                        seconds ? "wall"
		                                                        : bytes ? "memory"
		                                                                : "value",
		                                                        seconds                        ? "s"
		                                                        : bytes                        ? "bytes"
		                                                        : strcmp(unit, "integer") == 0 ? ""
		                                                                                       : unit,
		                                                        &scale)
		                                     : NULL;
		if (!metric)
			return error_memory(import->err);
		if (import_text_copy(import, name, &subject->benchmark) != 0 || read_date(import, &runs) != 0 ||
		    read_runs(import, subject, metric, &scale, &runs) != 0 || read_failed(import, subject, &benchmark) != 0)
			return -1;
	}
	return 0;
}

const struct json_format pyperf_format = {"pyperf", pyperf_matches, pyperf_read};
