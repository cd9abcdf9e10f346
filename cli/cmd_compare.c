/* tare compare: two saved results or files, benchmark by benchmark. */
#include "cli/compare.h"

#include "cli/baseline.h"
#include "cli/commands.h"
#include "cli/gate.h"
#include "cli/measure_options.h"
#include "cli/message.h"
#include "exchange/pair_names.h"
#include "report/figures.h"
#include "report/overview.h"
#include "report/plots.h"
#include "report/suite_report.h"
#include "report/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define OFFSET(field) offsetof(struct compare_options, field)

static const struct option compare_options[] = {
	READING_OPTIONS(struct compare_options),
	OPTION_WITHIN(0, "gate", "PCT", OPTION_PERCENT, OFFSET(gate), 0, 1000, "exit 3 if slower by more, 4 if undecided"),
	OPTION(0, "baseline", "NAME", OPTION_TEXT, OFFSET(baseline), "OLD is this baseline (tare help history)"),
	OPTION('i', "ignore-failure", "CODES", OPTION_OPTIONAL, OFFSET(ignore_failure),
           "accept exit codes that both sides have"),
	OPTION(0, "filter", "REGEX", OPTION_TEXT, OFFSET(filter), "only benchmarks whose name matches (-REGEX: not)"),
	OPTION_OF(0, "sort", "KEY", OPTION_CHOICE, OFFSET(sort), "name|change|none", "name, change or none"),
	OPTION(0, "only-changed", NULL, OPTION_FLAG, OFFSET(only_changed), "leave out what is same or undecided"),
	OPTION(0, "allow-missing", NULL, OPTION_FLAG, OFFSET(allow_missing), "with --gate: benchmarks may be missing"),
	OPTION('v', "verbose", NULL, OPTION_FLAG, OFFSET(verbose), "print every number and every note"),
	OPTION_OF(0, "plot", "NAME", OPTION_OPTIONAL, OFFSET(plot), FIGURE_NAMES, "draw the values; NAME: one plot alone"),
	OPTION(0, "ascii", NULL, OPTION_FLAG, OFFSET(ascii), "draw without Unicode"),
	OPTION(0, "json", "FILE", OPTION_TEXT, OFFSET(out.json), "write the result document ('-': standard output)"),
	OPTION(0, "csv", "FILE", OPTION_TEXT, OFFSET(out.csv), "write the table"),
	OPTION(0, "latex", "FILE", OPTION_DOCUMENT, OFFSET(out.latex), "write tables and sentences for a paper"),
	OPTION(0, "markdown", "FILE", OPTION_DOCUMENT, OFFSET(out.markdown), "write the table for a pull request"),
	OPTION(0, "html", "FILE", OPTION_TEXT, OFFSET(out.html), "write a page with plots"),
	OPTION(0, "junit", "FILE", OPTION_DOCUMENT, OFFSET(out.junit), "write JUnit XML"),
	OPTION_OF(0, "color", "WHEN", OPTION_CHOICE, OFFSET(color), "auto|always|never", "auto, always or never"),
	{0},
};

/* ---- documents ---- */

static int make_csv(const struct told *told, struct buffer *out, struct error *err)
{
	return suite_report_csv(told->results, told->context, out, err);
}

/* The table for a pull request. */
static int make_markdown(const struct told *told, struct buffer *out, struct error *err)
{
	int status = suite_report_markdown(told->results, told->context, out, err);
	words_gate_markdown(told->results, out);
	return status;
}

static struct told told_of(const struct result *result, const struct compare_options *options,
                           const struct suite_view *view)
{
	static const struct document_makers makers = {.csv = make_csv, .markdown = make_markdown};
	return (struct told){
		.results = result, .count = 1, .makers = &makers, .context = view, .allow_missing = options->allow_missing};
}

/* Where there is nothing to compare: what others look at is written all the same, so that nobody takes an older file
 * for the answer. What cannot be written either is said. */
static void report_nothing(const struct compare_options *options, const struct error *why)
{
	struct suite_view view = {.geometric_mean = NAN};
	SCOPED(result) struct result none = result_empty();
	struct error err;
	none.stopped.reason = why->kind == ERROR_INTERRUPTED ? "interrupted" : "failed";
	gate_settle(&none, &(struct whole_options){.limit = options->gate}, why);
	const struct told told = told_of(&none, options, &view);
	int code = 0;
	documents_try(documents, &options->out, &told, 0, 0, &code);
	message_failure(summary_append(&told, options->gate, &err), &err, &code);
}

static int print_report(const struct result *result, const struct compare_options *options,
                        const struct suite_view *view, struct error *err)
{
	bool to_stderr = documents_on_stdout(&options->out);
	struct look look = output_look(options->color, options->ascii, to_stderr);
	look.verbose = options->verbose;
	struct buffer text = {0};
	int status = suite_report_text(result, view, &look, &text, err);
	if (status == 0 && options->plot)
		status = options->plot[0] ? plots_one(result, overview_metric(result), options->plot, &look, &text, err)
		                          : plots_overview(result, overview_metric(result), &look, &text, err);
	return message_finish(status, to_stderr, &text, err);
}

/* The outputs where others look for the verdict come last: they know what became of those before. */
static void report(struct result *result, const struct compare_options *options, const struct suite *suite, int *code)
{
	struct suite_view view = {.sort_by_name = options->sort && strcmp(options->sort, "name") == 0,
	                          .sort_by_change = options->sort && strcmp(options->sort, "change") == 0,
	                          .only_changed = options->only_changed,
	                          .all_numbers = result->design.paired,
	                          .geometric_mean = suite->ratio,
	                          .geometric_ci = suite->ci};
	const struct told told = told_of(result, options, &view);
	struct error err;
	documents_try(documents, &options->out, &told, 0, WRITTEN_VERDICT, code);
	message_failure(print_report(result, options, &view, &err), &err, code);
	gate_agree(result, *code);
	documents_try(documents, &options->out, &told, WRITTEN_VERDICT, 0, code);
	message_failure(summary_append(&told, options->gate, &err), &err, code);
	gate_agree(result, *code);
}

/* ---- comparing ---- */

/* One subject on each side: the files' names say which is which. */
static void label(struct against_options *against, const struct result *old, const struct result *new_,
                  const struct text_list *files)
{
	if (old->subject_count != 1 || new_->subject_count != 1)
		return;
	bool alike = strcmp(old->subjects[0].name, new_->subjects[0].name) == 0;
	for (size_t i = 0; i < 2; i++)
		if (alike || !strchr(files->items[i], '='))
			against->labels[i] = files->items[i];
}

static int say_twice(const struct pair_names *names, uint32_t twice, struct error *err)
{
	char key[24];
	if (twice == UINT32_MAX || !names)
		return -1;
	return error_full(err, ERROR_INPUT, NULL,
	                  "if pairs are counted anew in each run, name the run: --columns run=COLUMN; --columns pair= "
	                  "leaves the pairs out",
	                  "pair '%.80s' occurs twice for one subject", pair_names_text(names, twice, key, sizeof(key)));
}

int compare_results(const struct compare_options *options, const struct against_options *against, struct result *old,
                    struct result *new_, const struct pair_names *names, int *code, struct error *err)
{
	struct suite suite;
	uint32_t twice;
	if (against_compare(old, new_, against, &suite, &twice, err) != 0)
		return say_twice(names, twice, err);
	report(old, options, &suite, code);
	return 0;
}

/* The seed that both were measured with; 0: not the same one. Data of others has none, and gets the analysis's. */
static uint64_t seed_of_both(const struct result *old, const struct result *new_, uint64_t analysis)
{
	if (old->seed != new_->seed)
		return 0;
	return old->seed ? old->seed : analysis;
}

static int compare(const struct compare_options *options, const struct text_list *files, int argc, char **argv,
                   struct result *result, int *code, struct error *err)
{
	struct against_options against = {.filter = options->filter,
	                                  .by_name = options->baseline != NULL,
	                                  .whole = {.limit = options->gate, .allow_missing = options->allow_missing}};
	SCOPED(pair_names) struct pair_names names = {0};
	SCOPED(result) struct result new_ = result_empty();
	if (files->count != 2) {
		error_set(err, ERROR_USAGE, "compare takes two files, the old and the new one");
		return error_next(err,
		                  files->count == 1 ? "what one result shows: tare report --text %s"
		                                    : "for example: tare compare old.json new.json",
		                  files->count == 1 ? files->items[0] : "");
	}
	struct text_list one = {files->items, 1}, other = {files->items + 1, 1};
	if (reading_analysis(&options->reading, &against.analysis, err) != 0 ||
	    measure_parse_welcome(options->ignore_failure, &result->arena, &against.whole.welcome, err) != 0 ||
	    (options->plot && plots_check(options->plot, err) != 0) || documents_check(&options->out, err) != 0)
		return -1;
	against.analysis.gate = options->gate;
	if (reading_files(&options->reading, &one, &names, result, err) != 0 ||
	    reading_files(&options->reading, &other, &names, &new_, err) != 0 ||
	    reading_describe(result, argc, argv, seed_of_both(result, &new_, against.analysis.seed), err) != 0)
		return -1;
	label(&against, result, &new_, files);
	return compare_results(options, &against, result, &new_, &names, code, err);
}

/* The baseline in front of the files; `old` holds its name while they are used. */
static int put_baseline(const char *name, struct text_list *files, char old[32], struct error *err)
{
	int64_t id;
	if (baseline_find(name, &id, err) != 0)
		return -1;
	snprintf(old, 32, "@%lld", (long long)id);
	if (text_list_add(files, old) != 0)
		return error_memory(err);
	memmove(files->items + 1, files->items, (files->count - 1) * sizeof(*files->items));
	files->items[0] = old;
	return 0;
}

static int compare_main(const struct command *command, int argc, char **argv)
{
	struct compare_options options = {.reading = READING_DEFAULTS, .gate = NAN};
	SCOPED(text_list) struct text_list files = {0};
	SCOPED(result) struct result result = result_empty();
	struct error err;
	char old[32];
	bool help = false;
	int code = 0;
	int failed = options_parse(command, argc, argv, &options, NULL, &files, &help, &err);
	if (!failed && !help && options.baseline)
		failed = put_baseline(options.baseline, &files, old, &err);
	if (!failed && !help)
		failed = compare(&options, &files, argc, argv, &result, &code, &err);
	bool to_stderr = documents_on_stdout(&options.out);
	if (failed) {
		code = message_error(&err);
		if (err.kind != ERROR_USAGE)
			report_nothing(&options, &err);
		code = gate_failed(options.gate, options.reading.confidence, code, &err, to_stderr);
	} else {
		code = help ? message_help(command) : gate_finish(&result, options.reading.confidence, code, to_stderr);
	}
	options_release(command, &options);
	return code;
}

const struct command command_compare = {
	.name = "compare",
	.summary = "compare two saved results or files",
	.usage = "tare compare [options] OLD NEW",
	.about = "Compares the benchmarks that are in both, by name and parameters. Files as for\n"
			 "'tare analyze'. Example: tare compare --gate 2% old.json new.json",
	.options = compare_options,
	.main = compare_main,
};
