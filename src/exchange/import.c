/* Which reader for which content. */
#include "exchange/import.h"

#include "exchange/columns.h"
#include "exchange/document.h"
#include "exchange/formats.h"
#include "exchange/go_events.h"
#include "exchange/identity.h"
#include "exchange/merge.h"
#include "host/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HEAD = 64 << 10 };

static int read_tare(struct import *import, const struct node *root)
{
	return document_read(root, import->input->name, import->out, import->err);
}

static const struct json_format tare_format = {"tare", document_matches, read_tare};

static const struct json_format *const json_formats[] = {
	&tare_format,      &hyperfine_format,       &gbench_format,    &jmh_format,         &pyperf_format,
	&criterion_format, &benchmarkdotnet_format, &gha_format,       &gha_history_format, &numbers_format,
	&pytest_format,    &mitata_format,          &tinybench_format, &bmf_format,
};

/* The most particular first: a table with numbers only is plain before it is CSV. */
static const struct text_format *const text_formats[] = {
	&perf_format,    &catch2_format,     &nanobench_format, &go_format,
	&rebench_format, &gbench_csv_format, &csv_format,       &plain_format,
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const char *const *import_format_names(void)
{
	static const char *const names[] = {
		"tare", "hyperfine",   "gbench",    "jmh",    "pyperf",  "criterion", "benchmarkdotnet",
		"gha",  "gha-history", "numbers",   "pytest", "mitata",  "tinybench", "bmf",
		"perf", "catch2",      "nanobench", "go",     "rebench", "csv",       "plain",
		NULL};
	/* gbench is both JSON and text; the list ends with NULL. */
	_Static_assert(COUNT(names) == COUNT(json_formats) + COUNT(text_formats), "a format is missing in the list");
	return names;
}

/* ---- one input ---- */

static int unknown_format(const struct import *import)
{
	if (import->options->format) {
		import_bad(import, "this is not what %s writes", import->options->format);
		return error_next(import->err, "without --format the format is recognised by the content");
	}
	import_bad(import, "none of the formats that tare knows");
	return error_next(import->err,
	                  "give numbers in columns, a table with a header line, or the file of a benchmark tool "
	                  "(man tare-analyze lists them)");
}

/* What other commands of tare write and is no result. False: it is nothing of the kind. */
static bool is_other_document(const struct import *import, const struct node *root)
{
	static const struct {
		const char *schema, *what, *next;
	} others[] = {
		{"tare-plan/", "this is a plan, not a result", "'tare run --plan FILE' and 'tare bench --plan FILE' follow it"},
		{"tare-calibration/", "this is a calibration, not a result",
	     "'tare calibrate' makes and prints one; 'tare run' uses it by itself"},
		{"tare-changes/", "this is a list of changes, not a result", "'tare history changes' prints it"},
	};
	const char *schema = node_is_object(root) ? node_get_text(root, "schema") : NULL;
	for (size_t i = 0; schema && i < COUNT(others); i++)
		if (strncmp(schema, others[i].schema, strlen(others[i].schema)) == 0) {
			import_bad(import, "%s", others[i].what);
			error_next(import->err, "%s", others[i].next);
			return true;
		}
	return false;
}

/* Nothing at all, or a list of results with nothing in it. */
static bool is_empty(const struct node *root)
{
	static const char *const lists[] = {"benchmarks", "results", "Benchmarks"};
	if (!node_is_array(root) && !node_is_object(root))
		return false;
	bool empty = root->count == 0;
	for (size_t i = 0; i < COUNT(lists); i++) {
		struct node list = node_get(root, lists[i]);
		empty |= node_is_array(&list) && node_length(&list) == 0;
	}
	return empty;
}

static int read_json(struct import *import)
{
	struct json_tree tree;
	if (json_read(import->input, &tree, import->err) != 0)
		return -1;
	if (is_empty(&tree.root)) {
		error_set(import->err, ERROR_NO_DATA,
		          tree.root.count == 0 ? "the JSON is empty" : "there is no benchmark in it");
		json_tree_release(&tree);
		error_on(import->err, "%s", import->input->name);
		return error_next(import->err, "make sure that the benchmark ran, and that its output went there");
	}
	int status = 1;
	for (size_t i = 0; i < COUNT(json_formats) && status == 1; i++) {
		const struct json_format *format = json_formats[i];
		const char *wanted = import->options->format;
		if ((wanted && strcmp(wanted, format->name) != 0) || !format->matches(&tree.root))
			continue;
		import->out->design.name = "imported";
		import->out->design.why = format->name;
		status = format->read(import, &tree.root);
	}
	if (status == 1 && is_other_document(import, &tree.root))
		status = -1;
	json_tree_release(&tree);
	return status == 1 ? unknown_format(import) : status;
}

/* github-action-benchmark keeps its history as a script that sets a variable. */
static const char script_start[] = "window.BENCHMARK_DATA";

/* Where the JSON begins, or NULL. */
static const char *json_start(const char *head)
{
	const char *start = head + strspn(head, " \t\r\n");
	if (strncmp(start, script_start, sizeof(script_start) - 1) == 0) {
		start += sizeof(script_start) - 1;
		start += strspn(start, " \t\r\n=");
	}
	return *start == '{' || *start == '[' ? start : NULL;
}

static int read_text(struct import *import, const char *head, size_t length)
{
	for (size_t i = 0; i < COUNT(text_formats); i++) {
		const struct text_format *format = text_formats[i];
		const char *wanted = import->options->format;
		if (wanted ? strcmp(wanted, format->name) == 0 : format->matches(head, length, import->options)) {
			import->out->design.name = "imported";
			import->out->design.why = format->name;
			return format->read(import);
		}
	}
	return unknown_format(import);
}

static bool wants_json(const char *format)
{
	for (size_t i = 0; i < COUNT(json_formats); i++)
		if (strcmp(json_formats[i]->name, format) == 0)
			return true;
	return false;
}

static bool wants_text(const char *format)
{
	for (size_t i = 0; i < COUNT(text_formats); i++)
		if (strcmp(text_formats[i]->name, format) == 0)
			return true;
	return false;
}

static bool is_format(const char *name)
{
	for (const char *const *known = import_format_names(); *known; known++)
		if (strcmp(*known, name) == 0)
			return true;
	return false;
}

/* NULs, or more control characters than colours of a terminal would explain. */
static bool is_binary(const char *head, size_t length)
{
	size_t strange = 0;
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)head[i];
		if (c == 0)
			return true;
		strange += c < ' ' && !strchr("\t\n\v\f\r\b\033", c);
	}
	return strange > 32 && strange > length / 20;
}

static int recognise(struct import *import)
{
	struct input *input = import->input;
	char head[HEAD + 1];
	if (input_need(input, HEAD, import->err) != 0)
		return -1;
	size_t length = input->end - input->at < HEAD ? input->end - input->at : HEAD;
	memcpy(head, input->block + input->at, length);
	head[length] = '\0';
	if (strspn(head, " \t\r\n") == length)
		return error_full(import->err, ERROR_NO_DATA, input->name,
		                  "make sure that the benchmark ran, and that its output went there", "the file is empty");
	if (is_binary(head, length)) {
		import_bad(import, "this is binary data, not text");
		return error_next(import->err, "give the file that the benchmark tool wrote as text or JSON");
	}
	const char *wanted = import->options->format, *json = json_start(head);
	if (json && (perf_is_json(json) || go_is_events(json)))
		json = NULL;
	if (wanted && !is_format(wanted))
		return error_full(import->err, ERROR_USAGE, NULL, "man tare-analyze lists the formats",
		                  "there is no format '%.40s'", wanted);
	if (!(wanted ? wants_json(wanted) && (json || !wants_text(wanted)) : json != NULL))
		return read_text(import, head, length);
	if (json)
		input->at += (size_t)(json - head);
	return read_json(import);
}

static int negative_time(struct import *import, const struct subject *subject, const struct measurement *m,
                         size_t index)
{
	return error_full(import->err, ERROR_INPUT, import->input->name,
	                  "find out how it was measured; differences of times are not times",
	                  "value %zu of '%.60s', %.60s, is a negative time", index + 1, subject->name, m->metric.name);
}

/* Data of others. */
static int complete_imported(struct import *import)
{
	struct result *out = import->out;
	size_t renamed;
	for (size_t s = 0; s < out->subject_count; s++) {
		struct subject *subject = &out->subjects[s];
		size_t kept = 0;
		for (size_t m = 0; m < subject->metric_count; m++)
			if (subject->metrics[m].series.n > 0)
				subject->metrics[kept++] = subject->metrics[m];
		subject->metric_count = kept; /* of the others every value was lost */
	}
	if (import_warn_missing(import) != 0 || import_warn_failures(import) != 0)
		return -1;
	/* A command that is there twice is two subjects: somebody compares it with itself. */
	return identity_make_unique(out->subjects, out->subject_count, &out->arena, &renamed, import->err);
}

/* Design and values of a result that was just read. */
static int complete(struct import *import)
{
	struct result *out = import->out;
	size_t usable = 0;
	for (size_t s = 0; s < out->subject_count; s++) {
		for (size_t m = 0; m < out->subjects[s].metric_count; m++) {
			const struct series *series = &out->subjects[s].metrics[m].series;
			if (out->design.level_count == 0) {
				memcpy(out->design.levels, series->levels, series->depth * sizeof(*series->levels));
				out->design.level_count = series->depth;
			}
			bool time = !out->version && strcmp(out->subjects[s].metrics[m].metric.unit, "s") == 0;
			for (size_t i = 0; i < series->n; i++) {
				usable += isfinite(series->values[i]);
				if (time && series->values[i] < 0)
					return negative_time(import, &out->subjects[s], &out->subjects[s].metrics[m], i);
			}
		}
	}
	if (usable > 0 && (!out->version || strcmp(out->design.name ? out->design.name : "", "imported") == 0))
		return complete_imported(import);
	if (usable > 0 || import->options->one_process)
		return 0;
	error_set(import->err, ERROR_NO_DATA, "no usable value in it");
	for (size_t s = 0; s < out->subject_count; s++)
		if (out->subjects[s].failure_count > 0) {
			error_set(import->err, ERROR_NO_DATA, "no usable value in it; '%.80s' failed: %.120s",
			          out->subjects[s].name, out->subjects[s].failures[0].what);
			break;
		}
	error_on(import->err, "%s", import->input->name);
	return error_next(import->err, "make sure that the benchmark ran, and that its single values were saved");
}

/* What a reader has put into import->out becomes part of `out`; both are the caller's. */
static int finish(struct import *import, int status, const char *label, struct result *out)
{
	struct error *err = import->err;
	if (status == 0)
		status = complete(import);
	if (status == 0 && label)
		status = merge_label(import->out, label, err);
	if (status == 0 && merge_results(out, import->out, err) != 0)
		status = err->on[0] ? -1 : error_on(err, "%s", import->input->name);
	result_release(import->out);
	return status;
}

/* The input, or with `folder` what is in that folder. */
static int import_input(struct input *input, const char *folder, const char *name, const char *label,
                        const struct import_options *options, struct result *out, struct error *err)
{
	static const struct import_options defaults;
	struct error ignored = {0};
	struct result fresh;
	result_init(&fresh);
	struct import import = {.input = input,
	                        .name = name,
	                        .options = options ? options : &defaults,
	                        .out = &fresh,
	                        .err = err ? err : &ignored};
	if (!folder)
		return finish(&import, recognise(&import), label, out);
	fresh.design.name = "imported";
	fresh.design.why = "criterion";
	return finish(&import, criterion_read_folder(&import, folder), label, out);
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

int import_file(const char *argument, const struct import_options *options, struct result *out, struct error *err)
{
	const char *equals = strchr(argument, '='), *path = argument;
	if (options && columns_check_option(options->columns, err) != 0)
		return -1;
	char label[256];
	bool labelled = equals && equals > argument && file_kind(&syscalls_libc, argument) == FILE_MISSING;
	if (labelled) {
		snprintf(label, sizeof(label), "%.*s", (int)(equals - argument < 255 ? equals - argument : 255), argument);
		path = equals + 1;
	}
	struct input input = {.name = path, .fd = -1};
	const char *own = labelled ? label : NULL;
	if (file_kind(&syscalls_libc, path) == FILE_FOLDER)
		return import_input(&input, path, last_part(path), own, options, out, err);
	bool standard = strcmp(path, "-") == 0;
	if ((standard ? input_open_fd(&input, 0, "standard input", err) : input_open_file(&input, path, err)) != 0)
		return -1;
	int status = import_input(&input, NULL, standard ? "stdin" : last_part(path), own, options, out, err);
	input_release(&input);
	return status;
}

int import_memory(const void *bytes, size_t length, const char *name, const struct import_options *options,
                  struct result *out, struct error *err)
{
	struct input input;
	if (input_open_memory(&input, bytes, length, name, err) != 0)
		return -1;
	int status = import_input(&input, NULL, last_part(name), NULL, options, out, err);
	input_release(&input);
	return status;
}
