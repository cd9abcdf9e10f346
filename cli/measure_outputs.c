#include "cli/measure_outputs.h"

#include "cli/page.h"
#include "exchange/document.h"
#include "exchange/export.h"
#include "report/ci_report.h"
#include "report/graph.h"
#include "report/overview.h"
#include "report/paper.h"
#include "report/watched.h"
#include "report/words.h"

#include <string.h>

struct look measure_look(const struct measure_options *options)
{
	struct look look = output_look(options->color, options->ascii, outputs_on_stdout(measure_outputs, options));
	if (options->time_unit)
		look.time_unit = strcmp(options->time_unit, "second") == 0        ? 1
		                 : strcmp(options->time_unit, "millisecond") == 0 ? 1e-3
		                                                                  : 1e-6;
	look.verbose = options->verbose;
	return look;
}

static int save_json(const void *context, const char *path, struct error *err)
{
	return document_save(((const struct told *)context)->result, path, err);
}

static int save_page(const void *context, const char *path, struct error *err)
{
	return page_save_one(((const struct told *)context)->result, path, err);
}

/* What another tool's format has no place for is no news here: it was asked for beside everything else. */
static int make_csv(const void *context, struct buffer *out, struct error *err)
{
	return export_result(((const struct told *)context)->result, "csv", out, NULL, err);
}

static int make_hyperfine(const void *context, struct buffer *out, struct error *err)
{
	return export_result(((const struct told *)context)->result, "hyperfine", out, NULL, err);
}

static int make_table(const struct told *told, enum hyperfine_table_form form, struct buffer *out, struct error *err)
{
	struct look look = measure_look(told->options);
	const struct hyperfine_table_options table = {
		.unit = look.time_unit, .by_time = told->options->sort_by_time, .reference = told->options->export_reference};
	return hyperfine_table(told->result, form, &table, out, err);
}

static int make_csv_table(const void *context, struct buffer *out, struct error *err)
{
	return make_table(context, HYPERFINE_CSV, out, err);
}

static int make_markdown_table(const void *context, struct buffer *out, struct error *err)
{
	return make_table(context, HYPERFINE_MARKDOWN, out, err);
}

static int make_asciidoc_table(const void *context, struct buffer *out, struct error *err)
{
	return make_table(context, HYPERFINE_ASCIIDOC, out, err);
}

static int make_orgmode_table(const void *context, struct buffer *out, struct error *err)
{
	return make_table(context, HYPERFINE_ORGMODE, out, err);
}

int measure_markdown(const void *context, struct buffer *out, struct error *err)
{
	const struct told *told = context;
	struct look look = measure_look(told->options);
	int status = told->kind->markdown(told->result, &look, out, err);
	words_gate_markdown(told->result, out);
	return status;
}

/* Where a baseline was not compared with, the test report is no green one. */
static int make_junit(const void *context, struct buffer *out, struct error *err)
{
	const struct told *told = context;
	struct result none;
	result_init(&none);
	none.name = told->result->name;
	none.started = told->result->started;
	none.elapsed = told->result->elapsed;
	return junit_write(told->options->baseline ? &none : told->result, 1, !told->missing, out, err);
}

static int make_latex(const void *context, struct buffer *out, struct error *err)
{
	return paper_latex(((const struct told *)context)->result, out, err);
}

static int save_graph(const void *context, const char *path, struct error *err)
{
	struct buffer text = {0};
	struct svg_options drawing = {.id = "components", .standalone = true};
	size_t length = strlen(path);
	bool svg = length > 4 && strcmp(path + length - 4, ".svg") == 0;
	const struct graph *graph = &((const struct told *)context)->result->monitoring.graph;
	int status = svg ? svg_graph(graph, &drawing, &text, err) : graph_dot(graph, &text, err);
	if (status == 0)
		status = output_write(path, &text, err);
	buffer_release(&text);
	return status;
}

/* The subject that is compared with, or the only one; by what decides. */
static int save_traces(const void *context, const char *path, struct error *err)
{
	const struct result *result = ((const struct told *)context)->result;
	struct buffer text = {0};
	struct svg_options drawing = {.id = "traces", .standalone = true, .width = 760};
	size_t subject = result->comparison_count ? result->comparisons[0].new_ : 0;
	const struct measurement *m = subject_find_metric(&result->subjects[subject], overview_metric(result));
	if (!m)
		return 0;
	struct plot_series values = {.values = m->series.values, .n = m->series.n, .unit = m->metric.unit};
	int status = svg_watched(result, subject, m, &values, &drawing, &text, err);
	if (status == 0)
		status = output_write(path, &text, err);
	buffer_release(&text);
	return status;
}

#define PATH(field) offsetof(struct measure_options, field)

const struct output measure_outputs[] = {
	{"--json", PATH(json), NULL, save_json, WRITTEN_EMPTY},
	{"--csv", PATH(csv), make_csv, NULL, 0},
	{"--export-json", PATH(export_json), make_hyperfine, NULL, 0},
	{"--export-csv", PATH(export_tables[HYPERFINE_CSV]), make_csv_table, NULL, 0},
	{"--export-markdown", PATH(export_tables[HYPERFINE_MARKDOWN]), make_markdown_table, NULL, 0},
	{"--export-asciidoc", PATH(export_tables[HYPERFINE_ASCIIDOC]), make_asciidoc_table, NULL, 0},
	{"--export-orgmode", PATH(export_tables[HYPERFINE_ORGMODE]), make_orgmode_table, NULL, 0},
	{"--html", PATH(html), NULL, save_page, WRITTEN_EMPTY},
	{"--graph", PATH(graph), NULL, save_graph, 0},
	{"--traces", PATH(traces), NULL, save_traces, 0},
	{"--latex", PATH(latex), make_latex, NULL, 0},
	{"--markdown", PATH(markdown), measure_markdown, NULL, WRITTEN_EMPTY | WRITTEN_VERDICT},
	{"--junit", PATH(junit), make_junit, NULL, WRITTEN_EMPTY | WRITTEN_VERDICT},
	{0},
};
