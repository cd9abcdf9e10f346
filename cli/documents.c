#include "cli/documents.h"

#include "cli/page.h"
#include "exchange/document.h"
#include "exchange/export.h"
#include "report/ci_report.h"
#include "report/graph.h"
#include "report/overview.h"
#include "report/paper.h"
#include "report/watched.h"

#include <string.h>

static int save_json(const void *context, const char *path, struct error *err)
{
	return document_save(((const struct told *)context)->results, path, err);
}

static int save_html(const void *context, const char *path, struct error *err)
{
	return page_save_one(((const struct told *)context)->results, path, err);
}

/* What another tool's format has no place for is no news here: it was asked for beside everything else. */
static int make_csv(const void *context, struct buffer *out, struct error *err)
{
	const struct told *told = context;
	return told->makers->csv ? told->makers->csv(told, out, err) : export_result(told->results, "csv", out, NULL, err);
}

static int make_hyperfine(const void *context, struct buffer *out, struct error *err)
{
	return export_result(((const struct told *)context)->results, "hyperfine", out, NULL, err);
}

static int make_table(const struct told *told, enum hyperfine_table_form form, struct buffer *out, struct error *err)
{
	return hyperfine_table(told->results, form, &told->table, out, err);
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

static int make_markdown(const void *context, struct buffer *out, struct error *err)
{
	const struct told *told = context;
	return told->makers->markdown(told, out, err);
}

static int make_junit(const void *context, struct buffer *out, struct error *err)
{
	const struct told *told = context;
	struct result none;
	if (!told->unjudged)
		return junit_write(told->results, told->count, told->allow_missing, out, err);
	result_init(&none);
	none.name = told->results->name;
	none.started = told->results->started;
	none.elapsed = told->results->elapsed;
	return junit_write(&none, 1, told->allow_missing, out, err);
}

static int make_latex(const void *context, struct buffer *out, struct error *err)
{
	const struct told *told = context;
	int status = 0;
	for (size_t i = 0; i < told->count && status == 0; i++) {
		if (i > 0)
			buffer_char(out, '\n');
		status = paper_latex(&told->results[i], out, err);
	}
	return status;
}

static int make_metrics(const void *context, struct buffer *out, struct error *err)
{
	const struct told *told = context;
	return metrics_write(told->results, told->count, out, err);
}

static int save_graph(const void *context, const char *path, struct error *err)
{
	struct buffer text = {0};
	struct svg_options drawing = {.id = "components", .standalone = true};
	size_t length = strlen(path);
	bool svg = length > 4 && strcmp(path + length - 4, ".svg") == 0;
	const struct graph *graph = &((const struct told *)context)->results->monitoring.graph;
	int status = svg ? svg_graph(graph, &drawing, &text, err) : graph_dot(graph, &text, err);
	if (status == 0)
		status = output_write(path, &text, err);
	buffer_release(&text);
	return status;
}

/* The subject that is compared with, or the only one; by what decides. */
static int save_traces(const void *context, const char *path, struct error *err)
{
	const struct result *result = ((const struct told *)context)->results;
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

static int make_text(const void *context, struct buffer *out, struct error *err)
{
	const struct told *told = context;
	return told->makers->text(told, out, err);
}

static int save_plot(const void *context, const char *path, struct error *err)
{
	const struct told *told = context;
	return told->makers->plot(told, path, err);
}

static int save_page(const void *context, const char *path, struct error *err)
{
	const struct told *told = context;
	return told->makers->page(told, path, err);
}

static int make_plan(const void *context, struct buffer *out, struct error *err)
{
	const struct told *told = context;
	return told->makers->plan(told, out, err);
}

#define PATH(field) offsetof(struct document_paths, field)

const struct output documents[] = {
	{"--json", PATH(json), NULL, save_json, WRITTEN_EMPTY},
	{"--csv", PATH(csv), make_csv, NULL, 0},
	{"--export-json", PATH(export_json), make_hyperfine, NULL, 0},
	{"--export-csv", PATH(export_tables[HYPERFINE_CSV]), make_csv_table, NULL, 0},
	{"--export-markdown", PATH(export_tables[HYPERFINE_MARKDOWN]), make_markdown_table, NULL, 0},
	{"--export-asciidoc", PATH(export_tables[HYPERFINE_ASCIIDOC]), make_asciidoc_table, NULL, 0},
	{"--export-orgmode", PATH(export_tables[HYPERFINE_ORGMODE]), make_orgmode_table, NULL, 0},
	{"--html", PATH(html), NULL, save_html, WRITTEN_EMPTY},
	{"--graph", PATH(graph), NULL, save_graph, 0},
	{"--traces", PATH(traces), NULL, save_traces, 0},
	{"--text", PATH(text), make_text, NULL, 0},
	{"--latex", PATH(latex), make_latex, NULL, 0},
	{"--metrics", PATH(metrics), make_metrics, NULL, 0},
	{"--plot", PATH(plot), NULL, save_plot, 0},
	{"--output", PATH(page), NULL, save_page, 0},
	{"--output", PATH(plan), make_plan, NULL, 0},
	{"--markdown", PATH(markdown), make_markdown, NULL, WRITTEN_EMPTY | WRITTEN_VERDICT},
	{"--junit", PATH(junit), make_junit, NULL, WRITTEN_EMPTY | WRITTEN_VERDICT},
	{0},
};
