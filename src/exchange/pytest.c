/* pytest-benchmark's JSON: the file is a run, its rounds (seconds of a call, already divided by the calls of a round) are
 * iterations. A timer of CPU time makes them `cpu`. Files saved without --benchmark-save-data have the mean alone. */
#include "exchange/formats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool pytest_matches(const struct node *root)
{
	struct node list = node_get(root, "benchmarks"), first = node_item(&list, 0), stats = node_get(&first, "stats");
	return node_is_object(&stats) && node_get_text(&first, "fullname");
}

static const char *metric_of(const struct node *entry)
{
	struct node options = node_get(entry, "options");
	const char *timer = node_get_text(&options, "timer");
	return timer && (strstr(timer, "process_time") || strstr(timer, "thread_time")) ? "cpu" : "wall";
}

static int read_parameters(struct import *import, struct subject *subject, const struct node *entry)
{
	struct node params = node_get(entry, "params");
	for (size_t i = 0; node_is_object(&params) && i < params.count; i++) {
		const struct node *value = &params.members[i].value;
		char number[40];
		snprintf(number, sizeof(number), "%.15g", node_number(value));
		const char *text = node_text(value) ? node_text(value) : number;
		if ((node_text(value) || node_is_number(value)) &&
		    result_add_parameter(import->out, subject, params.members[i].key, text) != 0)
			return error_memory(import->err);
	}
	return 0;
}

static int read_rounds(struct import *import, struct measurement *metric, const struct node *rounds, size_t *missing)
{
	bool begun = false;
	for (size_t i = 0; i < node_length(rounds); i++) {
		struct node round = node_item(rounds, i);
		double seconds = node_number(&round);
		if (!isfinite(seconds)) {
			++*missing;
			continue;
		}
		if (import_value(import, metric, begun ? 1 : 0, seconds) != 0)
			return -1;
		begun = true;
	}
	return 0;
}

static int read_benchmark(struct import *import, struct subject_index *index, const struct node *entry, size_t *means,
                          size_t *missing)
{
	struct node stats = node_get(entry, "stats"), rounds = node_get(&stats, "data"), mean = node_get(&stats, "mean");
	const char *name = node_get_text(entry, "fullname");
	if (!name)
		return import_bad(import, "a benchmark has no fullname");
	uint32_t known = index->keys.count;
	struct subject *subject = import_subject(import, index, name, name);
	struct unit_scale scale;
	if (!subject || import_text_copy(import, name, &subject->benchmark) != 0)
		return -1;
	if (index->keys.count > known && read_parameters(import, subject, entry) != 0)
		return -1;
	struct measurement *metric = import_metric_in(import, subject, metric_of(entry), "s", &scale);
	if (!metric)
		return -1;
	if (node_length(&rounds) > 0)
		return read_rounds(import, metric, &rounds, missing);
	if (!isfinite(node_number(&mean))) {
		++*missing;
		return 0;
	}
	++*means;
	return import_value(import, metric, 0, node_number(&mean));
}

static int read_machine(struct import *import, const struct node *root)
{
	struct node machine = node_get(root, "machine_info"), cpu = node_get(&machine, "cpu");
	struct host_info *host = &import->out->host;
	const char *brand = node_get_text(&cpu, "brand_raw");
	double cpus = node_get_number(&cpu, "count");
	host->cpus = cpus >= 1 && cpus < 1e6 ? (long)cpus : 0;
	if (import_text_copy(import, brand ? brand : node_get_text(&cpu, "brand"), &host->cpu) != 0 ||
	    import_text_copy(import, node_get_text(&machine, "release"), &host->kernel) != 0)
		return -1;
	return import_text_copy(import, node_get_text(root, "datetime"), &import->out->started);
}

static int pytest_read(struct import *import, const struct node *root)
{
	struct node list = node_get(root, "benchmarks");
	struct subject_index index = {0};
	size_t means = 0, missing = 0;
	int status = read_machine(import, root);
	for (size_t i = 0; i < node_length(&list) && status == 0; i++) {
		struct node entry = node_item(&list, i);
		status = read_benchmark(import, &index, &entry, &means, &missing);
	}
	map_release(&index.keys);
	if (status == 0 && means)
		status = import_warn(import, "unmapped",
		                     "%zu benchmark%s a mean and no single rounds (--benchmark-save-data keeps them)", means,
		                     means == 1 ? " has" : "s have");
	return status == 0 ? import_warn_missing(import, missing) : -1;
}

const struct json_format pytest_format = {"pytest", pytest_matches, pytest_read};
