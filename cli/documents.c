#include "cli/documents.h"

#include "base/text.h"
#include "cli/message.h"
#include "cli/page.h"
#include "exchange/document.h"
#include "exchange/export.h"
#include "report/ci_report.h"
#include "report/graph.h"
#include "report/overview.h"
#include "report/paper.h"
#include "report/watched.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int save_json(const struct told *told, const char *path, struct error *err)
{
	return document_save(told->results, path, err);
}

static int save_html(const struct told *told, const char *path, struct error *err)
{
	return page_save_one(told->results, path, err);
}

/* What another tool's format has no place for is no news here: it was asked for beside everything else. */
static int make_csv(const struct told *told, struct buffer *out, struct error *err)
{
	return told->makers->csv ? told->makers->csv(told, out, err) : export_result(told->results, "csv", out, NULL, err);
}

static int make_hyperfine(const struct told *told, struct buffer *out, struct error *err)
{
	if (result_has_samples(told->results))
		return export_result(told->results, "hyperfine", out, NULL, err);
	buffer_text_add(out, "{\n  \"results\": []\n}\n");
	return buffer_error(out, err);
}

static int make_markdown(const struct told *told, struct buffer *out, struct error *err)
{
	return told->makers->markdown(told, out, err);
}

static int make_junit(const struct told *told, struct buffer *out, struct error *err)
{
	struct result none = result_empty();
	if (!told->unjudged)
		return junit_write(told->results, told->count, told->allow_missing, out, err);
	none.name = told->results->name;
	none.started = told->results->started;
	none.elapsed = told->results->elapsed;
	none.gate = told->results->gate;
	return junit_write(&none, 1, told->allow_missing, out, err);
}

static int make_latex(const struct told *told, struct buffer *out, struct error *err)
{
	int status = 0;
	for (size_t i = 0; i < told->count && status == 0; i++) {
		if (i > 0)
			buffer_char(out, '\n');
		status = paper_latex(&told->results[i], out, err);
	}
	return status;
}

static int make_metrics(const struct told *told, struct buffer *out, struct error *err)
{
	return metrics_write(told->results, told->count, out, err);
}

static int save_graph(const struct told *told, const char *path, struct error *err)
{
	SCOPED(buffer) struct buffer text = {0};
	struct svg_options drawing = {.id = "components", .standalone = true};
	const struct graph *graph = &told->results->monitoring.graph;
	int status = text_ends_with(path, ".svg") ? svg_graph(graph, &drawing, &text, err) : graph_dot(graph, &text, err);
	return status == 0 ? output_write(path, &text, err) : -1;
}

/* The subject that is compared with, or the only one; by what decides. */
static int save_traces(const struct told *told, const char *path, struct error *err)
{
	const struct result *result = told->results;
	SCOPED(buffer) struct buffer text = {0};
	struct svg_options drawing = {.id = "traces", .standalone = true, .width = 760};
	size_t subject = result->comparison_count ? result->comparisons[0].new_ : 0;
	const struct measurement *m = subject_find_metric(&result->subjects[subject], overview_metric(result));
	if (!m)
		return 0;
	struct plot_series values = {.values = m->series.values, .n = m->series.n, .unit = m->metric.unit};
	return svg_watched(result, subject, m, &values, &drawing, &text, err) == 0 ? output_write(path, &text, err) : -1;
}

static int make_text(const struct told *told, struct buffer *out, struct error *err)
{
	return told->makers->text(told, out, err);
}

static int save_plot(const struct told *told, const char *path, struct error *err)
{
	return told->makers->plot(told, path, err);
}

static int save_page(const struct told *told, const char *path, struct error *err)
{
	return told->makers->page(told, path, err);
}

static int make_plan(const struct told *told, struct buffer *out, struct error *err)
{
	return told->makers->plan(told, out, err);
}

#define PATH(field) offsetof(struct document_paths, field)

const struct output documents[] = {
	{"--json", PATH(json), .save = save_json, .when = WRITTEN_EMPTY | WRITTEN_GATE},
	{"--csv", PATH(csv), .make = make_csv, .when = WRITTEN_EMPTY},
	{"--export-json", PATH(export_json), .make = make_hyperfine, .when = WRITTEN_EMPTY},
	{"--export-csv", PATH(export_tables[HYPERFINE_CSV]), .form = HYPERFINE_CSV, .when = WRITTEN_EMPTY},
	{"--export-markdown", PATH(export_tables[HYPERFINE_MARKDOWN]), .form = HYPERFINE_MARKDOWN, .when = WRITTEN_EMPTY},
	{"--export-asciidoc", PATH(export_tables[HYPERFINE_ASCIIDOC]), .form = HYPERFINE_ASCIIDOC, .when = WRITTEN_EMPTY},
	{"--export-orgmode", PATH(export_tables[HYPERFINE_ORGMODE]), .form = HYPERFINE_ORGMODE, .when = WRITTEN_EMPTY},
	{"--html", PATH(html), .save = save_html, .when = WRITTEN_EMPTY | WRITTEN_GATE},
	{"--graph", PATH(graph), .save = save_graph},
	{"--traces", PATH(traces), .save = save_traces},
	{"--text", PATH(text), .make = make_text, .sentences = true},
	{"--latex", PATH(latex), .make = make_latex, .when = WRITTEN_EMPTY},
	{"--metrics", PATH(metrics), .make = make_metrics},
	{"--plot", PATH(plot), .save = save_plot},
	{"--output", PATH(page), .save = save_page},
	{"--output", PATH(plan), .make = make_plan},
	{"--markdown", PATH(markdown), .make = make_markdown, .when = WRITTEN_EMPTY | WRITTEN_VERDICT},
	{"--junit", PATH(junit), .make = make_junit, .when = WRITTEN_EMPTY | WRITTEN_VERDICT},
	{0},
};

/* ---- all of them ---- */

static const char *path_of(const struct output *output, const struct document_paths *paths)
{
	return *(const char *const *)((const char *)paths + output->offset);
}

bool documents_on_stdout(const struct document_paths *paths)
{
	for (const struct output *output = documents; output->option; output++)
		if (output_is_stdout(path_of(output, paths)))
			return true;
	return false;
}

static bool same_place(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int stat_folder(const char *path, struct stat *out)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];
	if (slash && (size_t)(slash - path) + 2 > sizeof(folder))
		return -1;
	snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	return stat(folder, out);
}

/* One name in one folder, or a link to what the other is. */
static bool is_same_file(const char *a, const char *b)
{
	struct stat first, second;
	if (stat(a, &first) == 0 && stat(b, &second) == 0 && same_place(&first, &second))
		return true;
	const char *slash_a = strrchr(a, '/'), *slash_b = strrchr(b, '/');
	return strcmp(slash_a ? slash_a + 1 : a, slash_b ? slash_b + 1 : b) == 0 && stat_folder(a, &first) == 0 &&
	       stat_folder(b, &second) == 0 && same_place(&first, &second);
}

static int refuse_twins(const struct output *output, const struct document_paths *paths, struct error *err)
{
	const char *path = path_of(output, paths);
	for (const struct output *other = documents; other < output; other++) {
		const char *its = path_of(other, paths);
		if (!its || output_is_stdout(its) || !is_same_file(its, path))
			continue;
		return error_full(err, ERROR_USAGE, path, "give each its own file", "%s and %s would write the same file",
		                  other->option, output->option);
	}
	return 0;
}

int documents_check(const struct document_paths *paths, struct error *err)
{
	size_t on_stdout = 0;
	for (const struct output *output = documents; output->option; output++) {
		bool replaced;
		on_stdout += output_is_stdout(path_of(output, paths));
		if (output_check_place(path_of(output, paths), &replaced, err) != 0 ||
		    (replaced && refuse_twins(output, paths, err) != 0))
			return -1;
	}
	if (on_stdout > 1)
		return error_set(err, ERROR_USAGE, "only one document can go to standard output");
	return 0;
}

void documents_note_idle(const struct document_paths *paths, const char *why)
{
	for (const struct output *output = documents; output->option; output++)
		if (path_of(output, paths))
			message_note("%s has no effect: %s", output->option, why);
}

int output_save(const struct output *output, const struct document_paths *paths, const struct told *told,
                struct error *err)
{
	const char *path = path_of(output, paths);
	SCOPED(buffer) struct buffer text = {0};
	if (!path)
		return 0;
	if (output->save)
		return output->save(told, path, err);
	int status = output->make ? output->make(told, &text, err)
	                          : hyperfine_table(told->results, output->form, &told->table, &text, err);
	if (status == 0 && output->sentences && output_is_stdout(path))
		return message_print(&text, err);
	return status == 0 ? output_write(path, &text, err) : -1;
}

int documents_save(const struct document_paths *paths, const struct told *told, struct error *err)
{
	int status = 0;
	for (const struct output *output = documents; output->option && status == 0; output++)
		status = output_save(output, paths, told, err);
	return status;
}

void documents_try(const struct output *output, const struct document_paths *paths, const struct told *told,
                   unsigned when, unsigned but, int *code)
{
	struct error err;
	for (; output->option; output++)
		if ((!when || output->when & when) && !(output->when & but))
			message_failure(output_save(output, paths, told, &err), &err, code);
}

/* ---- the summary page of a GitHub job ---- */

static bool append_text(const char *path, const struct buffer *text)
{
	FILE *file = fopen(path, "a");
	bool written = file && fwrite(buffer_text(text), 1, text->length, file) == text->length;
	return file && fclose(file) == 0 && written;
}

int summary_append(const struct told *told, double gate, struct error *err)
{
	const char *path = getenv("GITHUB_STEP_SUMMARY");
	SCOPED(buffer) struct buffer text = {0};
	if (isnan(gate) || !path || !path[0])
		return 0;
	int status = told->makers->markdown(told, &text, err);
	if (status == 0 && !append_text(path, &text))
		message_note("the summary could not be written to GITHUB_STEP_SUMMARY");
	return status;
}
