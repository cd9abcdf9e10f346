/* tare compare: two saved results or files, benchmark by benchmark. */
#include "analysis/across.h"
#include "analysis/analysis.h"
#include "analysis/comparison.h"
#include "analysis/suite.h"
#include "base/memory.h"
#include "cli/baseline.h"
#include "cli/commands.h"
#include "cli/gate.h"
#include "cli/measure_options.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/page.h"
#include "cli/reading.h"
#include "cli/summary.h"
#include "exchange/document.h"
#include "exchange/pair_names.h"
#include "report/overview.h"
#include "report/paper.h"
#include "report/plots.h"
#include "report/suite_report.h"
#include "report/text.h"
#include "report/words.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct compare_options {
	struct reading_options reading;
	const char *json, *csv, *latex, *markdown, *color, *filter, *sort, *html, *junit, *baseline, *ignore_failure;
	double gate;
	bool plot, ascii, only_changed, allow_missing;
};

#define OFFSET(field) offsetof(struct compare_options, field)

static const struct option compare_options[] = {
	READING_OPTIONS(struct compare_options),
	{0, "gate", "PCT", OPTION_PERCENT, OFFSET(gate), "exit 3 if slower by more, 4 if undecided", 0, 1000, NULL, 0},
	{0, "baseline", "NAME", OPTION_TEXT, OFFSET(baseline), "OLD is this baseline (tare help history)", 0, 0, NULL, 0},
	{'i', "ignore-failure", "CODES", OPTION_OPTIONAL, OFFSET(ignore_failure), "exit codes that both have may be", 0, 0,
     NULL, 0},
	{0, "filter", "PATTERN", OPTION_TEXT, OFFSET(filter), "only benchmarks whose name matches (* and ?)", 0, 0, NULL,
     0},
	{0, "sort", "KEY", OPTION_CHOICE, OFFSET(sort), "name, change or none", 0, 0, "name|change|none", 0},
	{0, "only-changed", NULL, OPTION_FLAG, OFFSET(only_changed), "leave out what is same or undecided", 0, 0, NULL, 0},
	{0, "allow-missing", NULL, OPTION_FLAG, OFFSET(allow_missing), "with --gate: benchmarks may vanish", 0, 0, NULL, 0},
	{0, "plot", NULL, OPTION_FLAG, OFFSET(plot), "draw ratios with intervals", 0, 0, NULL, 0},
	{0, "ascii", NULL, OPTION_FLAG, OFFSET(ascii), "draw without Unicode", 0, 0, NULL, 0},
	{0, "json", "FILE", OPTION_TEXT, OFFSET(json), "write the result document ('-': standard output)", 0, 0, NULL, 0},
	{0, "csv", "FILE", OPTION_TEXT, OFFSET(csv), "write the table", 0, 0, NULL, 0},
	{0, "latex", "FILE", OPTION_TEXT, OFFSET(latex), "write tables and sentences for a paper", 0, 0, NULL, 0},
	{0, "markdown", "FILE", OPTION_TEXT, OFFSET(markdown), "write the table for a pull request", 0, 0, NULL, 0},
	{0, "html", "FILE", OPTION_TEXT, OFFSET(html), "write a page with plots", 0, 0, NULL, 0},
	{0, "junit", "FILE", OPTION_TEXT, OFFSET(junit), "write JUnit's XML", 0, 0, NULL, 0},
	{0, "color", "WHEN", OPTION_CHOICE, OFFSET(color), "auto, always or never", 0, 0, "auto|always|never", 0},
	{0},
};

static bool same_parameters(const struct subject *a, const struct subject *b)
{
	if (a->parameter_count != b->parameter_count)
		return false;
	for (size_t i = 0; i < a->parameter_count; i++) {
		bool found = false;
		for (size_t j = 0; j < b->parameter_count; j++)
			found |= strcmp(a->parameters[i].name, b->parameters[j].name) == 0 &&
			         strcmp(a->parameters[i].value, b->parameters[j].value) == 0;
		if (!found)
			return false;
	}
	return true;
}

/* One subject on each side is a pair whatever their names; else name and parameters must agree. */
static size_t find_partner(const struct result *result, size_t old_count, size_t old)
{
	size_t new_count = result->subject_count - old_count;
	if (old_count == 1 && new_count == 1)
		return 1;
	for (size_t i = old_count; i < result->subject_count; i++)
		if (strcmp(result->subjects[i].name, result->subjects[old].name) == 0 &&
		    same_parameters(&result->subjects[i], &result->subjects[old]))
			return i;
	return SIZE_MAX;
}

static bool wanted(const struct compare_options *options, const char *name)
{
	if (!options->filter)
		return true;
	return fnmatch(options->filter, name, 0) == 0 || strstr(name, options->filter) != NULL;
}

/* Warns of units that differ, where that is not the reason why nothing is compared. */
static void check_units(struct result *result, const struct couple *couple)
{
	const struct subject *a = &result->subjects[couple->base], *b = &result->subjects[couple->new_];
	for (size_t i = 0; i < a->metric_count; i++) {
		struct measurement *m = subject_find_metric(b, a->metrics[i].metric.name);
		if (!m || strcmp(m->metric.unit, a->metrics[i].metric.unit) == 0)
			continue;
		if (couple->metric)
			result_warn(result, "units", "%s: %s is in '%s' in one and in '%s' in the other; it is not compared",
			            a->name, m->metric.name, a->metrics[i].metric.unit, m->metric.unit);
		/* Another name keeps the two apart. */
		m->metric.name = arena_printf(&result->arena, "%s (%s)", m->metric.name, m->metric.unit);
	}
}

static bool differ(const char *a, const char *b)
{
	return a && b && strcmp(a, b) != 0;
}

static void check_machines(struct result *to, const struct host_info *a, const struct host_info *b,
                           const struct design_info *design_a, const struct design_info *design_b)
{
	if (differ(a->cpu, b->cpu) || (a->cpus && b->cpus && a->cpus != b->cpus))
		result_warn(to, "machines", "the two were measured on different machines (%s, %s): a difference may be theirs",
		            a->cpu ? a->cpu : "?", b->cpu ? b->cpu : "?");
	else if (differ(a->kernel, b->kernel) || differ(a->governor, b->governor))
		result_warn(to, "settings", "kernel or CPU settings differ between the two: a difference may be theirs");
	if (differ(design_a->name, design_b->name))
		result_warn(to, "designs", "one was measured in %s, the other in %s", design_a->name, design_b->name);
	else if (design_a->name && strcmp(design_a->name, "duet") == 0)
		result_warn(to, "designs", "both were measured in a duet with something else: times hold that contention");
}

struct coupling {
	struct couple *couples;
	size_t count;
	size_t missing; /* subjects of one side only */
};

/* "wall in s, rate in B/s, …": the first few metrics of a subject. */
static void add_metrics(const struct subject *subject, struct buffer *out)
{
	enum { SHOWN = 3 };
	for (size_t i = 0; i < subject->metric_count && i < SHOWN; i++) {
		const struct metric *metric = &subject->metrics[i].metric;
		buffer_text_add(out, i ? ", " : "");
		text_fit(out, metric->name, 30, TEXT_UNICODE);
		buffer_text_add(out, metric->unit[0] ? " in " : "");
		text_fit(out, metric->unit, 20, TEXT_UNICODE);
		if (metric->better != better_from_unit(metric->unit))
			buffer_printf(out, " (%s is better)", metric->better == BETTER_HIGHER ? "higher" : "lower");
	}
	buffer_text_add(out, subject->metric_count == 0 ? "none" : subject->metric_count > SHOWN ? ", \xe2\x80\xa6" : "");
}

/* Says of a couple without a metric to compare by what each has. */
static int note_no_metric(struct result *result, const struct couple *couple, const char *asked, struct error *err)
{
	const struct subject *a = &result->subjects[couple->base], *b = &result->subjects[couple->new_];
	struct buffer text = {0};
	if (asked)
		buffer_printf(&text, "'%.60s' is not in both", asked);
	else
		buffer_text_add(&text, "no metric in common");
	buffer_text_add(&text, " (old: ");
	add_metrics(a, &text);
	buffer_text_add(&text, "; new: ");
	add_metrics(b, &text);
	buffer_text_add(&text, "); --columns and --unit say what a table holds");
	int status = text.out_of_memory || result_about_warn(result, "no-metric", a->name, "%s", buffer_text(&text)) != 0
	                 ? error_memory(err)
	                 : 0;
	buffer_release(&text);
	return status;
}

/* Where no couple has a metric the first one's reason is that of all. */
static int check_metrics(const struct result *result, const struct coupling *coupling, struct error *err)
{
	for (size_t i = 0; i < coupling->count; i++)
		if (coupling->couples[i].metric)
			return 0;
	const char *reason = "no metric in common";
	for (size_t i = result->warning_count; i-- > 0;)
		if (strcmp(result->warnings[i].code, "no-metric") == 0)
			reason = result->warnings[i].text;
	error_set(err, ERROR_NO_DATA, "nothing can be compared: %s", reason);
	return error_next(err, "'tare analyze FILE' shows the metrics of a file");
}

/* What a couple is compared by: the metric asked for, else the one that both documents were judged by, else the first
 * that both have. */
static int choose_metric(struct result *result, struct couple *couple, const char *asked, struct error *err)
{
	const struct subject *a = &result->subjects[couple->base], *b = &result->subjects[couple->new_];
	bool differs = !asked && differ(a->metric, b->metric);
	const char *judged = asked ? asked : b->metric && !differs ? a->metric : NULL;
	couple->metric = comparison_metric(a, b, judged);
	if (!couple->metric && !asked)
		couple->metric = comparison_metric(a, b, NULL);
	if (!couple->metric)
		return note_no_metric(result, couple, asked, err);
	if (differs && result_about_warn(result, "judged-by", a->name,
	                                 "the old data was judged by %s, the new by %s: compared by %s (--metric chooses)",
	                                 a->metric, b->metric, couple->metric) != 0)
		return error_memory(err);
	return 0;
}

static int match(struct result *result, size_t old_count, const struct compare_options *options, const char *metric,
                 struct coupling *out, struct error *err)
{
	bool *used = mem_zalloc(result->subject_count, sizeof(*used));
	out->couples = mem_alloc(old_count, sizeof(*out->couples));
	if (!used || !out->couples) {
		mem_free(used);
		return error_memory(err);
	}
	for (size_t i = 0; i < old_count; i++) {
		if (!wanted(options, result->subjects[i].name))
			continue;
		size_t partner = find_partner(result, old_count, i);
		if (partner == SIZE_MAX) {
			out->missing++;
			result_about_warn(result, "only-old", result->subjects[i].name, "only in the old data");
			continue;
		}
		used[partner] = true;
		struct couple *couple = &out->couples[out->count++];
		*couple = (struct couple){.base = i, .new_ = partner};
		if (choose_metric(result, couple, metric, err) != 0) {
			mem_free(used);
			return -1;
		}
		check_units(result, couple);
	}
	for (size_t i = old_count; i < result->subject_count; i++) {
		const struct subject *subject = &result->subjects[i];
		if (used[i] || !wanted(options, subject->name))
			continue;
		if (subject->repeated)
			result_about_warn(result, "name-twice", subject->name, "only in the new data");
		else
			result_about_warn(result, "only-new", subject->name, "only in the new data");
	}
	mem_free(used);
	if (out->count > 0)
		return check_metrics(result, out, err);
	error_set(err, ERROR_NO_DATA, "no benchmark is in both%s", options->filter ? " and matches the filter" : "");
	return error_next(err, "benchmarks are matched by name and parameters; 'tare analyze FILE' shows them");
}

static void name_single(struct result *result, const struct text_list *files)
{
	/* One subject on each side: the files' names say which is which. */
	for (size_t i = 0; i < 2 && result->subject_count == 2; i++)
		if (strcmp(result->subjects[0].name, result->subjects[1].name) == 0 || !strchr(files->items[i], '='))
			result->subjects[i].name = files->items[i];
}

static bool documents_on_stdout(const struct compare_options *options)
{
	return output_is_stdout(options->json) || output_is_stdout(options->csv) || output_is_stdout(options->markdown) ||
	       output_is_stdout(options->html) || output_is_stdout(options->junit) || output_is_stdout(options->latex);
}

static int check_outputs(const struct compare_options *options, struct error *err)
{
	const struct output_file files[] = {
		{"--json", options->json}, {"--csv", options->csv},     {"--markdown", options->markdown},
		{"--html", options->html}, {"--junit", options->junit}, {"--latex", options->latex},
	};
	size_t on_stdout = 0, count = sizeof(files) / sizeof(files[0]);
	if (output_check_all(files, count, err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		on_stdout += output_is_stdout(files[i].path);
	if (on_stdout > 1)
		return error_set(err, ERROR_USAGE, "only one document can go to standard output");
	return 0;
}

/* The table for a pull request: into the file that was asked for and, with a gate, on the summary page of a job. */
static int write_markdown(const struct result *result, const struct compare_options *options,
                          const struct suite_view *view, struct error *err)
{
	struct buffer text = {0};
	bool summary = !isnan(options->gate) && summary_wanted();
	int status = options->markdown || summary ? suite_report_markdown(result, view, &text, err) : 0;
	words_gate_markdown(result, &text);
	if (status == 0 && options->markdown)
		status = output_write(options->markdown, &text, err);
	if (status == 0 && summary)
		summary_append(&text);
	buffer_release(&text);
	return status;
}

static int report(const struct result *result, const struct compare_options *options, const struct suite *suite,
                  struct error *err)
{
	struct suite_view view = {.sort_by_name = options->sort && strcmp(options->sort, "name") == 0,
	                          .sort_by_change = options->sort && strcmp(options->sort, "change") == 0,
	                          .only_changed = options->only_changed,
	                          .all_numbers = result->design.paired,
	                          .geometric_mean = suite->ratio,
	                          .geometric_ci = suite->ci};
	bool to_stderr = documents_on_stdout(options);
	struct look look = output_look(options->color, options->ascii, to_stderr);
	struct buffer text = {0};
	int status = 0;
	if (options->json)
		status = document_save(result, options->json, err);
	if (status == 0 && options->csv && (status = suite_report_csv(result, &view, &text, err)) == 0)
		status = output_write(options->csv, &text, err);
	buffer_clear(&text);
	if (status == 0)
		status = write_markdown(result, options, &view, err);
	if (status == 0 && options->latex && (status = paper_latex(result, &text, err)) == 0)
		status = output_write(options->latex, &text, err);
	buffer_clear(&text);
	if (status == 0)
		status = page_save_one(result, options->html, err);
	if (status == 0)
		status = page_save_junit(result, options->allow_missing, options->junit, err);
	buffer_clear(&text);
	if (status == 0)
		status = suite_report_text(result, &view, &look, &text, err);
	if (status == 0 && options->plot)
		status = plots_overview(result, overview_metric(result), &look, &text, err);
	if (status == 0)
		status = to_stderr ? message_print_error_stream(&text, err) : message_print(&text, err);
	buffer_release(&text);
	return status;
}

/* The comparisons of a document go; what they were decided by stays known of its subjects. */
static void drop_comparisons(struct result *result)
{
	for (size_t i = 0; i < result->subject_count && result->comparison_count > 0; i++)
		if (!result->subjects[i].metric && result->comparisons[0].metric[0])
			result->subjects[i].metric = result->comparisons[0].metric;
	for (size_t i = result->comparison_count; i-- > 0;) {
		const struct comparison *c = &result->comparisons[i];
		if (c->metric[0])
			result->subjects[c->base].metric = result->subjects[c->new_].metric = c->metric;
	}
	result->comparison_count = 0;
}

/* Reads both files into one result; the subjects of the second begin at *old_count. */
static int read_both(const struct compare_options *options, const struct text_list *files, struct pair_names *names,
                     struct result *result, size_t *old_count, struct error *err)
{
	struct text_list one = {files->items, 1}, other = {files->items + 1, 1};
	struct result new_;
	result_init(&new_);
	int status = reading_files(&options->reading, &one, names, result, err);
	if (status == 0)
		status = reading_files(&options->reading, &other, names, &new_, err);
	*old_count = result->subject_count;
	whole_mark_unfinished(result);
	whole_mark_unfinished(&new_);
	if (status == 0) {
		struct host_info host = new_.host;
		struct design_info design = new_.design, own = result->design;
		drop_comparisons(result);
		drop_comparisons(&new_);
		result->elapsed += new_.elapsed; /* NaN where one is not known */
		status = result_adopt(result, &new_) == 0 ? 0 : error_memory(err);
		if (status == 0)
			check_machines(result, &result->host, &host, &result->design, &design);
		result->design.order = own.paired ? NULL : own.order;
		result->design.order_count = own.paired ? 0 : own.order_count;
	}
	result_release(&new_);
	return status;
}

static int pair(struct result *result, const struct coupling *coupling, const struct pair_names *names,
                struct error *err)
{
	uint32_t twice;
	char key[24];
	if (analyse_across(result, coupling->couples, coupling->count, &twice, err) == 0)
		return 0;
	if (err->kind != ERROR_INPUT)
		return -1;
	error_set(err, ERROR_INPUT, "pair '%.80s' occurs twice for one subject",
	          pair_names_text(names, twice, key, sizeof(key)));
	return error_next(err, "if pairs are counted anew in each run, name the run: --columns run=COLUMN; --columns pair= "
	                       "leaves the pairs out");
}

/* The metric that all couples are compared by: the others are then beside it and give no notes. NULL: there are
 * several. */
static const char *deciding_metric(const struct coupling *coupling)
{
	const char *metric = coupling->couples[0].metric;
	for (size_t i = 1; metric && i < coupling->count; i++)
		if (!coupling->couples[i].metric || strcmp(coupling->couples[i].metric, metric) != 0)
			return NULL;
	return metric;
}

static int compare(const struct compare_options *options, const struct text_list *files, int argc, char **argv,
                   struct result *result, struct coupling *coupling, struct error *err)
{
	struct analysis_options analysis;
	struct suite suite;
	struct pair_names names = {0};
	size_t old_count = 0;
	if (files->count != 2) {
		error_set(err, ERROR_USAGE, "compare takes two files, the old and the new one");
		return error_next(err, "for example: tare compare old.json new.json");
	}
	if (reading_analysis(&options->reading, &analysis, err) != 0)
		return -1;
	analysis.gate = options->gate;
	struct whole_options whole = {.limit = options->gate, .allow_missing = options->allow_missing};
	if (measure_parse_welcome(options->ignore_failure, &result->arena, &whole.welcome, err) != 0)
		return -1;
	int status = check_outputs(options, err);
	if (status == 0)
		status = read_both(options, files, &names, result, &old_count, err);
	if (status == 0)
		status = reading_describe(result, argc, argv, &analysis, err);
	if (status == 0)
		status = match(result, old_count, options, analysis.deciding, coupling, err);
	/* Only now: a filter asks for the benchmarks' own names. */
	if (status == 0)
		name_single(result, files);
	if (status == 0)
		status = pair(result, coupling, &names, err);
	pair_names_release(&names);
	if (status == 0 && !analysis.deciding)
		analysis.deciding = deciding_metric(coupling);
	if (status == 0)
		status = analyse_subjects(result, &analysis, err);
	if (status == 0)
		status = analyse_couples(result, coupling->couples, coupling->count, &analysis, err);
	if (status == 0) {
		suite_of(result, analysis.confidence, NULL, &suite);
		if (suite.moved_together)
			result_warn(result, "suite-moved",
			            "the whole suite moved by about %+.1f %%: that is more often the machine than the code",
			            (suite.common_shift - 1) * 100);
		status = whole_settle(result, &whole, err);
	}
	return status == 0 ? report(result, options, &suite, err) : status;
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
	struct compare_options options = {.gate = NAN};
	struct text_list files = {0};
	struct coupling coupling = {0};
	struct result result;
	struct error err;
	char old[32];
	bool help;
	int code = 0;
	result_init(&result);
	reading_options_init(&options.reading);
	if (options_parse(command, argc, argv, &options, NULL, &files, &help, &err) != 0)
		code = gate_failed(options.gate, options.reading.confidence, message_error(&err), &err,
		                   documents_on_stdout(&options));
	else if (help)
		code = message_help(command);
	else if ((options.baseline && put_baseline(options.baseline, &files, old, &err) != 0) ||
	         compare(&options, &files, argc, argv, &result, &coupling, &err) != 0)
		code = gate_failed(options.gate, options.reading.confidence, message_error(&err), &err,
		                   documents_on_stdout(&options));
	else
		code = gate_finish(&result, options.reading.confidence, 0, documents_on_stdout(&options));
	mem_free(coupling.couples);
	result_release(&result);
	text_list_release(&files);
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
