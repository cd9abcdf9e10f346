/* BenchmarkDotNet's full JSON: launches are runs, iterations are in them. What counts is the
 * stage "Result", from which BenchmarkDotNet has taken its own overhead; a file without those
 * has the values after the statistics, or the measurements with the overhead in them. A benchmark
 * that ran in several jobs (runtimes, for example) has the job as a parameter. */
#include "exchange/formats.h"

#include "base/buffer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool matches(const struct node *root)
{
	struct node list = node_get(root, "Benchmarks");
	return node_is_array(&list) && node_get(root, "HostEnvironmentInfo").type != NODE_ABSENT;
}

static bool has_stage(const struct node *measurement, const char *stage)
{
	const char *mode = node_get_text(measurement, "IterationMode"), *at = node_get_text(measurement, "IterationStage");
	if (at)
		return mode && strcmp(mode, "Workload") == 0 && strcmp(at, stage) == 0;
	/* Versions before 0.11 have one word for both. */
	return mode && strcmp(mode, strcmp(stage, "Result") == 0 ? "Result" : "MainTarget") == 0;
}

/* The measurements of one stage; *added counts them. */
static int read_stage(struct import *import, struct measurement *metric, const struct node *list, const char *stage,
                      size_t *added)
{
	double launch = NAN;
	for (size_t i = 0; i < node_length(list); i++) {
		struct node entry = node_item(list, i);
		double operations = node_get_number(&entry, "Operations"), ns = node_get_number(&entry, "Nanoseconds");
		double index = node_get_number(&entry, "LaunchIndex");
		if (!has_stage(&entry, stage))
			continue;
		double seconds = operations > 0 ? ns / operations / 1e9 : NAN;
		if (import_value(import, metric, index == launch ? 1 : 0, seconds) != 0)
			return -1;
		launch = isfinite(seconds) ? index : launch;
		*added += isfinite(seconds);
	}
	return 0;
}

static int read_values(struct import *import, struct measurement *metric, const struct node *values, size_t *added)
{
	for (size_t i = 0; i < node_length(values); i++) {
		struct node value = node_item(values, i);
		double ns = node_number(&value);
		if (import_value(import, metric, *added == 0 ? 0 : 1, ns / 1e9) != 0)
			return -1;
		*added += isfinite(ns);
	}
	return 0;
}

/* "A=1&B=x, y" */
static int read_parameters(struct import *import, struct subject *subject, const char *text)
{
	char part[512];
	while (text && *text) {
		size_t length = strcspn(text, "&");
		snprintf(part, sizeof(part), "%.*s", (int)(length < 500 ? length : 500), text);
		char *equals = strchr(part, '=');
		if (equals) {
			*equals = '\0';
			if (result_add_parameter(import->out, subject, part, equals + 1) != 0)
				return error_memory(import->err);
		}
		text += length + (text[length] == '&');
	}
	return 0;
}

static struct subject *new_subject(struct import *import, const struct node *entry)
{
	const char *space = node_get_text(entry, "Namespace"), *type = node_get_text(entry, "Type");
	const char *method = node_get_text(entry, "Method");
	char *name = arena_printf(&import->out->arena, "%s%s%s%s%s", space ? space : "", space && *space ? "." : "",
	                          type ? type : "", type && *type ? "." : "", method ? method : "");
	struct subject *subject = name ? result_add_subject(import->out, *name ? name : import->name) : NULL;
	if (!subject || import_text_copy(import, subject->name, &subject->benchmark) != 0) {
		error_memory(import->err);
		return NULL;
	}
	return read_parameters(import, subject, node_get_text(entry, "Parameters")) == 0 ? subject : NULL;
}

static int read_benchmark(struct import *import, const struct node *entry, size_t *without)
{
	struct node list = node_get(entry, "Measurements"), statistics = node_get(entry, "Statistics");
	struct node values = node_get(&statistics, "OriginalValues"), memory = node_get(entry, "Memory");
	struct subject *subject = new_subject(import, entry);
	struct measurement *metric = subject ? import_metric(import, subject, "wall", "s", NULL, 0) : NULL;
	size_t added = 0;
	if (!metric || read_stage(import, metric, &list, "Result", &added) != 0)
		return -1;
	if (added == 0 && read_values(import, metric, &values, &added) != 0)
		return -1;
	if (added == 0 && read_stage(import, metric, &list, "Actual", &added) != 0)
		return -1;
	*without += added == 0;
	double allocated = node_get_number(&memory, "BytesAllocatedPerOperation");
	if (isfinite(allocated) && added > 0) {
		metric = import_metric(import, subject, "allocated", "bytes", NULL, 0);
		if (!metric || import_value(import, metric, 0, allocated) != 0)
			return -1;
	}
	return 0;
}

/* "Type.Method: Job-A(Runtime=.NET 8.0) [N=10]" ran in the job "Job-A(Runtime=.NET 8.0)"; "" where none is named. */
static const char *job_of(const struct node *entry, int *length)
{
	const char *info = node_get_text(entry, "DisplayInfo"), *job = info ? strstr(info, ": ") : NULL;
	job = job ? job + 2 : "";
	const char *end = strstr(job, " [");
	*length = (int)(end ? (size_t)(end - job) : strlen(job));
	return job;
}

/* Names with entries that differ by their job alone. The subjects stand in the order of the entries. */
static int find_several_jobs(struct import *import, const struct node *list, struct map *several)
{
	struct map cases = {0}, jobs = {0};
	struct buffer key = {0};
	int status = 0;
	for (size_t i = 0; status == 0 && i < node_length(list); i++) {
		struct node entry = node_item(list, i);
		const char *name = import->out->subjects[i].name, *parameters = node_get_text(&entry, "Parameters");
		int length;
		const char *job = job_of(&entry, &length);
		uint32_t cases_before = cases.count, jobs_before = jobs.count;
		buffer_clear(&key);
		buffer_printf(&key, "%s\x1f%s", name, parameters ? parameters : "");
		uint32_t case_id = map_text(&cases, buffer_text(&key), key.length);
		buffer_printf(&key, "\x1f%.*s", length, job);
		uint32_t job_id = map_text(&jobs, buffer_text(&key), key.length);
		bool failed = key.out_of_memory || case_id == MAP_NONE || job_id == MAP_NONE;
		if (!failed && case_id < cases_before && job_id == jobs_before)
			failed = map_text(several, name, strlen(name)) == MAP_NONE;
		status = failed ? error_memory(import->err) : 0;
	}
	buffer_release(&key);
	map_release(&cases);
	map_release(&jobs);
	return status;
}

static int name_jobs(struct import *import, const struct node *list)
{
	struct map several = {0};
	int status = find_several_jobs(import, list, &several);
	for (size_t i = 0; status == 0 && several.count > 0 && i < node_length(list); i++) {
		struct subject *subject = &import->out->subjects[i];
		struct node entry = node_item(list, i);
		int length;
		const char *job = job_of(&entry, &length);
		if (length == 0 || map_find_text(&several, subject->name, strlen(subject->name)) == MAP_NONE)
			continue;
		job = arena_printf(&import->out->arena, "%.*s", length, job);
		if (!job || result_add_parameter(import->out, subject, "job", job) != 0)
			status = error_memory(import->err);
	}
	map_release(&several);
	return status;
}

static int read_host(struct import *import, const struct node *root)
{
	struct node host = node_get(root, "HostEnvironmentInfo"), cpu = node_get(&host, "ProcessorName");
	double cpus = node_get_number(&host, "LogicalCoreCount");
	if (!isfinite(cpus))
		cpus = node_get_number(&host, "ProcessorCount");
	import->out->host.cpus = cpus >= 1 && cpus < 1e6 ? (long)cpus : 0;
	if (import_text_copy(import, node_get_text(&host, "OsVersion"), &import->out->host.os) != 0)
		return -1;
	return import_text_copy(import, node_text(&cpu) ? node_text(&cpu) : node_get_text(&cpu, "Value"),
	                        &import->out->host.cpu);
}

static int read(struct import *import, const struct node *root)
{
	import->warmed = true;
	struct node list = node_get(root, "Benchmarks");
	size_t without = 0;
	if (read_host(import, root) != 0)
		return -1;
	for (size_t i = 0; i < node_length(&list); i++) {
		struct node entry = node_item(&list, i);
		if (read_benchmark(import, &entry, &without) != 0)
			return -1;
	}
	if (name_jobs(import, &list) != 0)
		return -1;
	if (without == node_length(&list))
		return error_full(import->err, ERROR_NO_DATA, import->input->name,
		                  "export with BenchmarkDotNet's JsonExporter.Full", "only summaries, no single measurements");
	return without ? import_warn(import, "unmapped", "%zu benchmark%s a summary and no single measurements", without,
	                             without == 1 ? " has" : "s have")
	               : 0;
}

const struct json_format benchmarkdotnet_format = {"benchmarkdotnet", matches, read};
