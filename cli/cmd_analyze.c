/* tare analyze: statistics of existing measurements. */
#include "analysis/analysis.h"
#include "cli/changes.h"
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/documents.h"
#include "cli/reading.h"
#include "cli/replay.h"
#include "report/figures.h"
#include "report/names.h"
#include "report/overview.h"
#include "report/plots.h"
#include "report/subsessions.h"
#include "report/text.h"

#include <math.h>

enum { MOST_TOLD = 3 };     /* comparisons that are told in words; more are a table */
enum { MOST_SUBJECTS = 6 }; /* the same of subjects, unless -v asks for all of each */

struct analyze_options {
	struct reading_options reading;
	struct document_paths out;
	const char *color, *reference;
	const char *plot;
	bool ascii, subsessions, verbose;
	double merge_limit;
	struct replay_choices replay;
	struct changes_choices changes;
	int argc;
	char **argv;
};

#define OFFSET(field) offsetof(struct analyze_options, field)

static const struct option analyze_options[] = {
	READING_OPTIONS(struct analyze_options),
	OPTION(0, "filter", "REGEX", OPTION_TEXT, OFFSET(reading.filter), "only subjects whose name matches (-REGEX: not)"),
	OPTION(0, "reference", "NAME", OPTION_TEXT, OFFSET(reference), "compare every subject with this one"),
	OPTION_OF(0, "plot", "NAME", OPTION_OPTIONAL, OFFSET(plot), FIGURE_NAMES, "draw the values; NAME: one plot alone"),
	OPTION(0, "changes", NULL, OPTION_FLAG, OFFSET(changes.wanted), "changes of level: place, size, intervals"),
	OPTION_WITHIN(0, "min-change", "PCT", OPTION_PERCENT, OFFSET(changes.min_change), 0, 1000, NULL),
	OPTION(0, "subsessions", NULL, OPTION_FLAG, OFFSET(subsessions), "merge correlated neighbours, as Pilot does"),
	OPTION_WITHIN(0, "merge-limit", "R", OPTION_NUMBER, OFFSET(merge_limit), 1e-3, 1, NULL),
	OPTION('v', "verbose", NULL, OPTION_FLAG, OFFSET(verbose), "print everything about each subject"),
	OPTION(0, "ascii", NULL, OPTION_FLAG, OFFSET(ascii), "draw without Unicode"),
	REPLAY_OPTIONS(struct analyze_options),
	OPTION(0, "json", "FILE", OPTION_TEXT, OFFSET(out.json), "write the result document ('-': standard output)"),
	OPTION(0, "csv", "FILE", OPTION_TEXT, OFFSET(out.csv), "write every value with its levels"),
	OPTION(0, "latex", "FILE", OPTION_DOCUMENT, OFFSET(out.latex), "write tables and sentences for a paper"),
	OPTION(0, "markdown", "FILE", OPTION_DOCUMENT, OFFSET(out.markdown), "write tables for a pull request"),
	OPTION_OF(0, "color", "WHEN", OPTION_CHOICE, OFFSET(color), "auto|always|never", "auto, always or never"),
	{0},
};

static int find_reference(const struct result *result, const char *name, size_t *out, struct error *err)
{
	*out = 0;
	if (!name)
		return 0;
	const struct subject *subject = result_find_subject(result, name);
	if (!subject) {
		error_full(err, ERROR_USAGE, "--reference", NULL, "no subject is named '%.100s'", name);
		return error_next(err, "the first one is named '%.100s'; without --reference all are listed",
		                  result->subject_count > 0 ? result->subjects[0].name : "");
	}
	*out = (size_t)(subject - result->subjects);
	return 0;
}

/* Values there were, and --skip left none: that is no result. */
static int check_left(const struct result *result, const struct analyze_options *options, struct error *err)
{
	for (size_t s = 0; s < result->subject_count; s++)
		for (size_t m = 0; m < result->subjects[s].metric_count; m++) {
			const struct measurement *one = &result->subjects[s].metrics[m];
			if (one->n > 0 || one->series.n == 0)
				return 0;
		}
	if (!options->reading.skip)
		return 0;
	return error_full(err, ERROR_NO_DATA, "--skip", "give a smaller number, or none: the warm-up is then found",
	                  "no run is longer than the %.20s values to leave out", options->reading.skip);
}

/* Of many metrics the one that decides in full, and its plots; `left_out` says so. */
static int print_subject(const struct result *result, const struct subject *subject,
                         const struct analyze_options *options, const struct look *look, bool *left_out,
                         struct buffer *text, struct error *err)
{
	bool all_plots = options->plot && !options->plot[0];
	const char *metric = overview_metric(result);
	if (text->length)
		buffer_char(text, '\n');
	if (!options->verbose && options->reading.metrics.count == 0 &&
	    text_subject_in_brief(result, subject, metric, text)) {
		*left_out = true;
		return all_plots ? plots_measurement(result, subject, subject_find_metric(subject, metric), 1, look, text, err)
		                 : 0;
	}
	if (!all_plots) {
		text_subject(result, subject, text);
		return 0;
	}
	for (size_t m = 0; m < subject->metric_count; m++) {
		if (metric_counts_iterations(&subject->metrics[m].metric))
			continue;
		if (m > 0)
			buffer_char(text, '\n');
		text_measurement(result, subject, &subject->metrics[m], text);
		if (plots_measurement(result, subject, &subject->metrics[m], 1, look, text, err) != 0)
			return -1;
	}
	return 0;
}

static int print_text(const struct result *whole, const struct analyze_options *options, struct error *err)
{
	struct look look = output_look(options->color, options->ascii, false);
	struct buffer text = {0};
	SCOPED(arena) struct arena names = {0};
	struct result shown;
	const struct result *result = &shown;
	if (names_shorten(whole, NAMES_TEXT, look.charset, &names, &shown) != 0)
		return error_memory(err);
	const char *one = options->plot && options->plot[0] ? options->plot : NULL;
	bool all_plots = options->plot && !one;
	int status = 0;
	bool left_out = false, brief = !options->verbose && !all_plots && result->subject_count > MOST_SUBJECTS;
	if (brief) {
		struct look with_intervals = look;
		with_intervals.verbose = true;
		status = overview_subjects_text(result, &with_intervals, &text, err);
		buffer_text_add(&text, "-v prints more about each\n");
		/* Of a million subjects the table is printed before the next one is made. */
		status = message_finish(status, false, &text, err);
	}
	for (size_t s = 0; s < result->subject_count && status == 0 && !brief; s++)
		status = print_subject(result, &result->subjects[s], options, &look, &left_out, &text, err);
	if (left_out)
		buffer_text_add(&text, "-v prints all metrics, --metric NAME one of them\n");
	if (result->comparison_count > MOST_TOLD && status == 0) {
		buffer_char(&text, '\n');
		status = overview_comparisons_text(result, &look, &text, err);
	}
	for (size_t i = 0; i < result->comparison_count && result->comparison_count <= MOST_TOLD; i++) {
		buffer_char(&text, '\n');
		text_comparison(result, &result->comparisons[i], &look, &text);
	}
	if (one && status == 0) {
		buffer_char(&text, '\n');
		status = plots_one(result, overview_metric(result), one, &look, &text, err);
	}
	if (result->comparison_count > 0 && all_plots && status == 0) {
		buffer_char(&text, '\n');
		status = plots_overview(result, overview_metric(result), &look, &text, err);
	}
	if (result->warning_count > 0)
		buffer_char(&text, '\n');
	text_warnings(result, SIZE_MAX, &text);
	return message_finish(status, false, &text, err);
}

static int print_subsessions(const struct result *result, const struct analyze_options *options, double level,
                             struct error *err)
{
	double limit = options->merge_limit;
	struct buffer text = {0};
	const char *metric = options->reading.metrics.count ? NULL : result->stopped.metric;
	int status = subsessions_text(result, metric, isnan(limit) ? 0.1 : limit, level, &text, err);
	return message_finish(status, false, &text, err);
}

static int make_markdown(const struct told *told, struct buffer *out, struct error *err)
{
	return overview_markdown(told->results, &(struct look){0}, out, err);
}

static int analyze_result(const struct analyze_options *options, struct result *result,
                          struct analysis_options *analysis, struct error *err)
{
	static const struct document_makers makers = {.markdown = make_markdown};
	const struct told told = {.results = result, .count = 1, .makers = &makers};
	if (find_reference(result, options->reference, &analysis->reference, err) != 0)
		return -1;
	analysis->by_benchmark = !options->reference;
	reading_as_measured(&options->reading, result, analysis);
	if (reading_describe(result, options->argc, options->argv, result->seed ? result->seed : analysis->seed, err) !=
	        0 ||
	    analyse_subjects(result, analysis, err) != 0 || check_left(result, options, err) != 0 ||
	    reading_compare(&options->reading, result, analysis, err) != 0 ||
	    documents_save(&options->out, &told, err) != 0)
		return -1;
	if (options->subsessions)
		return print_subsessions(result, options, analysis->confidence_one, err);
	/* A document on standard output is the answer; the text is for people who did not ask for one. */
	return documents_on_stdout(&options->out) ? 0 : print_text(result, options, err);
}

static int analyze(const void *given, const struct text_list *files, struct error *err)
{
	const struct analyze_options *options = given;
	struct analysis_options analysis;
	SCOPED(result) struct result result = result_empty();
	if (reading_analysis(&options->reading, &analysis, err) != 0 ||
	    (options->plot && plots_check(options->plot, err) != 0) || documents_check(&options->out, err) != 0)
		return -1;
	if (options->changes.wanted)
		return changes_of_files(&options->changes, &options->reading, files, &options->out, err);
	if (reading_files(&options->reading, files, NULL, &result, err) != 0)
		return -1;
	struct look look = output_look(options->color, options->ascii, false);
	return options->replay.rules
	           ? replay_result(&result, &options->replay, analysis.confidence, analysis.seed, &options->out, &look, err)
	           : analyze_result(options, &result, &analysis, err);
}

static const struct foreign_option foreign[] = {
	{"html", "'tare report FILE -o PAGE.html' writes a page with plots"},
	{"junit", "'tare report --junit FILE RESULT' and 'tare compare --junit FILE OLD NEW' write it"},
	{"gate", "'tare compare --gate PCT OLD NEW' judges two results"},
	{"baseline", "'tare compare --baseline NAME NEW' compares with a baseline"},
	{"output", "--json, --csv, --markdown and --latex FILE write documents"},
	{0},
};

static int analyze_main(const struct command *command, int argc, char **argv)
{
	struct analyze_options options = {.reading = READING_DEFAULTS, .argc = argc, .argv = argv, .merge_limit = NAN};
	replay_choices_init(&options.replay);
	return act(command, argc, argv, &options, analyze);
}

const struct command command_analyze = {
	.name = "analyze",
	.summary = "statistics of existing measurements",
	.usage = "tare analyze [options] [FILE…]",
	.about = "Reads measurements of hyperfine, Google Benchmark, JMH, pyperf, Go, criterion,\n"
			 "tare and others, CSV or plain numbers, and says what they show. No FILE, or '-':\n"
			 "standard input. Example: tare analyze --plot results.json",
	.options = analyze_options,
	.foreign = foreign,
	.main = analyze_main,
};
