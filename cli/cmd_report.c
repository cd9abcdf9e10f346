/* tare report: what results show, for people to look at and for machines that wait for it. */
#include "analysis/analysis.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/history.h"
#include "cli/page.h"
#include "cli/reading.h"
#include "host/file.h"
#include "report/figures.h"
#include "report/overview.h"
#include "report/suite_report.h"
#include "report/text.h"
#include "report/words.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

struct report_options {
	struct reading_options reading;
	const char *output, *plot, *subject, *title, *color, *store;
	struct document_paths out; /* text, plot and page are settled by settle_places() */
	bool history, text, allow_missing, ascii;
	int argc;
	char **argv;
};

#define OFFSET(field) offsetof(struct report_options, field)

static const struct option report_options[] = {
	OPTION('o', "output", "FILE", OPTION_TEXT, OFFSET(output), "where to write ('-': standard output)"),
	OPTION_OF(0, "plot", "NAME", OPTION_OPTIONAL, OFFSET(plot), FIGURE_NAMES "|history",
              "one plot alone, as SVG (see above)"),
	OPTION(0, "history", NULL, OPTION_FLAG, OFFSET(history), "what was saved before, with its changes"),
	OPTION(0, "text", NULL, OPTION_FLAG, OFFSET(text), "text for a terminal"),
	OPTION(0, "markdown", "FILE", OPTION_DOCUMENT, OFFSET(out.markdown), "write a table for a pull request"),
	OPTION(0, "latex", "FILE", OPTION_DOCUMENT, OFFSET(out.latex), "write tables and sentences for a paper"),
	OPTION(0, "junit", "FILE", OPTION_DOCUMENT, OFFSET(out.junit), "write JUnit XML: a test for each comparison"),
	OPTION(0, "metrics", "FILE", OPTION_DOCUMENT, OFFSET(out.metrics), "write OpenMetrics text, for GitLab"),
	OPTION(0, "allow-missing", NULL, OPTION_FLAG, OFFSET(allow_missing), "with --junit: benchmarks may be missing"),
	OPTION(0, "title", "TEXT", OPTION_TEXT, OFFSET(title), "title of the page"),
	OPTION(0, "subject", "NAME", OPTION_TEXT, OFFSET(subject), "with --plot or --history: of this one"),
	OPTION(0, "metric", "NAME", OPTION_LIST, OFFSET(reading.metrics), "only these metrics"),
	OPTION(0, "columns", "ROLES", OPTION_TEXT, OFFSET(reading.columns), "what a table's columns are"),
	OPTION(0, "unit", "UNIT", OPTION_TEXT, OFFSET(reading.unit), "of values that have none"),
	OPTION(0, "store", "PATH", OPTION_TEXT, OFFSET(store), "alone: pages of all results, into this folder"),
	OPTION(0, "ascii", NULL, OPTION_FLAG, OFFSET(ascii), "text without Unicode"),
	OPTION_OF(0, "color", "WHEN", OPTION_CHOICE, OFFSET(color), "auto|always|never", "auto, always or never"),
	{0},
};

/* Values that nobody has analysed yet: of another tool, or of a table. */
static bool is_raw(const struct result *result)
{
	for (size_t s = 0; s < result->subject_count; s++)
		for (size_t m = 0; m < result->subjects[s].metric_count; m++)
			if (result->subjects[s].metrics[m].n > 0)
				return false;
	return true;
}

/* A document keeps what was said when it was measured, and says by which edition of the rule; other methods say nothing
 * of "same". */
static int note_edition(struct result *result, struct error *err)
{
	bool first = false;
	for (size_t i = 0; i < result->comparison_count; i++)
		first |= result->comparisons[i].rule == 0 && !isnan(result->comparisons[i].p_same_total) &&
		         !result->comparisons[i].machines;
	if (first &&
	    result_warn(result, "first-edition",
	                "judged by the first edition of the verdict rule; 'tare analyze' judges the samples anew") != 0)
		return error_memory(err);
	return 0;
}

static int read_one(const struct report_options *options, const char *file, struct result *out, struct error *err)
{
	const char *items[] = {file};
	struct text_list one = {items, 1};
	struct analysis_options analysis;
	if (reading_files(&options->reading, &one, NULL, out, err) != 0)
		return -1;
	if (out->subject_count == 0)
		return error_full(err, ERROR_NO_DATA, file, NULL, "nothing was measured");
	bool others = false; /* it has comparisons by metrics that were not asked for */
	for (size_t i = 0; i < out->comparison_count; i++)
		others |= !reading_wants(&options->reading, out->comparisons[i].metric);
	if (!is_raw(out) && !others)
		return note_edition(out, err);
	if (reading_analysis(&options->reading, &analysis, err) != 0)
		return -1;
	analysis.by_benchmark = true;
	reading_as_measured(&options->reading, out, &analysis);
	if (!is_raw(out)) {
		out->design.metric_why = out->design.metric_why ? "asked for" : NULL;
		return reading_compare(&options->reading, out, &analysis, err);
	}
	if (reading_describe(out, options->argc, options->argv, analysis.seed, err) != 0 ||
	    analyse_subjects(out, &analysis, err) != 0)
		return -1;
	return out->subject_count > 1 ? analyse_comparisons(out, &analysis, err) : 0;
}

/* ---- what it can be ---- */

struct reported {
	const struct report_options *options;
	const struct result *results;
	const struct text_list *files;
	const struct history *history; /* NULL: not asked for */
};

/* The gate's own line; the last one, for programs, is that of the session. */
static void put_gate(const struct result *result, bool markdown, struct buffer *out)
{
	SCOPED(buffer) struct buffer words = {0};
	if (markdown)
		words_gate_markdown(result, out);
	else
		words_gate(result, &words);
	if (words.length > 0) {
		buffer_char(out, '\n');
		text_wrap(out, buffer_text(&words), 0, 2);
	}
	out->out_of_memory |= words.out_of_memory;
}

static int make_words(const struct reported *reported, bool markdown, struct buffer *out, struct error *err)
{
	struct look look = output_look(reported->options->color, reported->options->ascii, false);
	look.verbose = true;
	int status = 0;
	for (size_t i = 0; i < reported->files->count && status == 0; i++) {
		const struct result *result = &reported->results[i];
		bool suite = result->comparison_count > 3;
		struct suite_view view = page_view(result);
		if (i > 0)
			buffer_char(out, '\n');
		if (markdown)
			status = suite ? suite_report_markdown(result, &view, out, err)
			               : overview_markdown(result, &look, out, err);
		else
			status = suite ? suite_report_text(result, &view, &look, out, err) : overview_text(result, &look, out, err);
		put_gate(result, markdown, out);
	}
	return status;
}

static int make_text(const struct told *told, struct buffer *out, struct error *err)
{
	return make_words(told->context, false, out, err);
}

static int make_markdown(const struct told *told, struct buffer *out, struct error *err)
{
	return make_words(told->context, true, out, err);
}

static int save_plot(const struct told *told, const char *path, struct error *err)
{
	const struct reported *reported = told->context;
	const struct report_options *options = reported->options;
	if (reported->history)
		return page_save_history_plot(reported->history, path, err);
	return page_save_plot(&reported->results[0], options->plot, options->subject,
	                      options->reading.metrics.count ? options->reading.metrics.items[0] : NULL, path, err);
}

static int save_page(const struct told *told, const char *path, struct error *err)
{
	const struct reported *reported = told->context;
	return page_save(&(struct page){reported->options->title, reported->results, reported->files->items,
	                                reported->files->count, reported->history, NULL},
	                 path, err);
}

static const struct document_makers makers = {
	.text = make_text, .markdown = make_markdown, .plot = save_plot, .page = save_page};

/* --output is for what was asked for without a file, else for the page. Without either it is the page, on standard
 * output. */
static void settle_places(struct report_options *options)
{
	struct document_paths *out = &options->out;
	const char **places[] = {&out->text, &out->markdown, &out->latex, &out->junit, &out->metrics, &out->plot};
	bool any = false, placed = false;
	out->text = options->text ? "-" : NULL;
	out->plot = options->plot ? "-" : NULL;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		any |= *places[i] != NULL;
		if (!placed && options->output && output_is_stdout(*places[i])) {
			*places[i] = options->output;
			placed = true;
		}
	}
	if (!any || (options->output && !placed))
		out->page = options->output ? options->output : "-";
}

static bool wants_history(const struct report_options *options)
{
	return options->history || (options->plot && strcmp(options->plot, "history") == 0);
}

static int load_history(const struct report_options *options, struct history *out, struct error *err)
{
	struct history_options chosen = HISTORY_DEFAULTS;
	chosen.store = options->store;
	chosen.subject = options->subject;
	chosen.metric = options->reading.metrics.count ? options->reading.metrics.items[0] : NULL;
	return history_load(&chosen, out, err);
}

/* What stands behind --plot and is no plot was taken for a result. */
static const char *missing_file(const struct text_list *files)
{
	for (size_t i = 0; i < files->count; i++)
		if (files->items[i][0] != '@' && !output_is_stdout(files->items[i]) &&
		    file_kind(&syscalls_libc, files->items[i]) == FILE_MISSING)
			return files->items[i];
	return "";
}

static int check(const struct report_options *options, const struct text_list *files, struct error *err)
{
	bool drawn = options->out.plot || options->out.page;
	if (options->plot && !options->plot[0])
		return page_no_plot(missing_file(files), err);
	if (options->history && !drawn)
		return error_set(err, ERROR_USAGE, "--history is for pages; 'tare history trend' is the text");
	if (options->plot && files->count > 1)
		return error_set(err, ERROR_USAGE, "--plot draws one result, not %zu", files->count);
	if (!options->output && drawn && isatty(STDOUT_FILENO))
		return error_full(err, ERROR_USAGE, NULL,
		                  options->plot ? "for example: -o plot.svg"
		                                : "for example: -o report.html; --text prints it here",
		                  "where should the report go?");
	return documents_check(&options->out, err);
}

/* Nothing but --store: a folder of pages. Without --output the folder is what --store names, and the store that of
 * this folder. */
static bool wants_explorer(const struct report_options *options, const struct text_list *files)
{
	return options->store && files->count == 0 && options->out.page && !options->history;
}

static int explore(const struct report_options *options, struct error *err)
{
	if (options->output)
		return explorer_write(options->store, options->output, err);
	if (file_kind(&syscalls_libc, options->store) != FILE_REGULAR)
		return explorer_write(NULL, options->store, err);
	error_set(err, ERROR_USAGE, "where should the pages of this store go?");
	return error_next(err, "name a folder: tare report --store %.100s -o pages", options->store);
}

static int report(const void *values, const struct text_list *files, struct error *err)
{
	struct report_options placed = *(const struct report_options *)values;
	const struct report_options *options = &placed;
	settle_places(&placed);
	if (wants_explorer(options, files))
		return explore(options, err);
	const char *standard_input[] = {"-"};
	struct text_list given = files->count || wants_history(options) ? *files : (struct text_list){standard_input, 1};
	SCOPED(history) struct history history = {0};
	if (check(options, &given, err) != 0)
		return -1;
	struct result *results = mem_alloc(given.count, sizeof(*results));
	if (!results)
		return error_memory(err);
	for (size_t i = 0; i < given.count; i++)
		result_init(&results[i]);
	int status = 0;
	for (size_t i = 0; i < given.count && status == 0; i++)
		status = read_one(options, given.items[i], &results[i], err);
	if (status == 0 && wants_history(options))
		status = load_history(options, &history, err);
	if (status == 0) {
		const struct reported reported = {options, results, &given, wants_history(options) ? &history : NULL};
		const struct told told = {.results = results,
		                          .count = given.count,
		                          .makers = &makers,
		                          .context = &reported,
		                          .allow_missing = options->allow_missing};
		status = documents_save(&options->out, &told, err);
	}
	for (size_t i = 0; i < given.count; i++)
		result_release(&results[i]);
	mem_free(results);
	return status;
}

static const struct foreign_option foreign[] = {
	{"html", "-o FILE writes the page"},
	{"json", "'tare analyze --json FILE RESULT' writes the result document"},
	{"csv", "'tare analyze --csv FILE RESULT' writes every value"},
	{"gate", "'tare compare --gate PCT OLD NEW' judges two results"},
	{0},
};

static int report_main(const struct command *command, int argc, char **argv)
{
	struct report_options options = {.reading = READING_DEFAULTS, .argc = argc, .argv = argv};
	return act(command, argc, argv, &options, report);
}

const struct command command_report = {
	.name = "report",
	.summary = "write a page with plots and raw data",
	.usage = "tare report [options] [RESULT…]",
	.about = "Writes results as one HTML file that loads nothing from elsewhere. RESULT\n"
			 "is a file as for 'tare analyze'. Example: tare report result.json -o report.html\n"
			 "Plots: ratio, density, sequence, pairs, pair-ratios, order, lag, acf, levels,\n"
			 "histogram, forest, phases, history.",
	.options = report_options,
	.foreign = foreign,
	.main = report_main,
};
