#include "cli/measure.h"

#include "base/memory.h"
#include "cli/baseline.h"
#include "cli/builds_use.h"
#include "cli/calibration_file.h"
#include "cli/confirm.h"
#include "cli/gate.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/page.h"
#include "cli/plan_file.h"
#include "cli/progress.h"
#include "cli/quote.h"
#include "cli/saver.h"
#include "cli/suite_use.h"
#include "cli/summary.h"
#include "exchange/document.h"
#include "exchange/export.h"
#include "host/spawner.h"
#include "model/pi.h"
#include "report/graph.h"
#include "report/indices.h"
#include "report/overview.h"
#include "report/plots.h"
#include "report/watched.h"
#include "report/text.h"
#include "report/words.h"
#include "session/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool documents_on_stdout(const struct measure_options *options)
{
	for (size_t i = 0; i < HYPERFINE_TABLE_FORMS; i++)
		if (output_is_stdout(options->export_tables[i]))
			return true;
	return output_is_stdout(options->json) || output_is_stdout(options->csv) || output_is_stdout(options->markdown) ||
	       output_is_stdout(options->export_json) || output_is_stdout(options->html) ||
	       output_is_stdout(options->junit) || output_is_stdout(options->graph) || output_is_stdout(options->traces);
}

int measure_failed(const struct measure_options *options, struct error *err)
{
	suite_use_blame(options->suite, err);
	return gate_failed(options->gate, options->confidence, message_error(err), err, documents_on_stdout(options));
}

static int check_outputs(const struct measure_options *options, struct error *err)
{
	const struct output_file files[] = {
		{"--json", options->json},
		{"--csv", options->csv},
		{"--markdown", options->markdown},
		{"--html", options->html},
		{"--junit", options->junit},
		{"--export-json", options->export_json},
		{"--graph", options->graph},
		{"--traces", options->traces},
		{"--export-csv", options->export_tables[HYPERFINE_CSV]},
		{"--export-markdown", options->export_tables[HYPERFINE_MARKDOWN]},
		{"--export-asciidoc", options->export_tables[HYPERFINE_ASCIIDOC]},
		{"--export-orgmode", options->export_tables[HYPERFINE_ORGMODE]},
	};
	size_t on_stdout = 0, count = sizeof(files) / sizeof(files[0]);
	if (output_check_all(files, count, err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		on_stdout += output_is_stdout(files[i].path);
	if (options->baseline && options->no_save)
		return error_set(err, ERROR_USAGE, "--baseline compares what is saved; it does not go with --no-save");
	if (options->baseline && on_stdout > 0)
		return error_set(err, ERROR_USAGE, "--baseline prints a second table; a document goes to a file then");
	if (on_stdout > 1)
		return error_set(err, ERROR_USAGE, "only one document can go to standard output");
	return 0;
}

/* A suite file may have a gate for others of its subjects; who asks for one wants an answer. */
static int check_gate(const struct experiment *experiment, const struct measure_options *options, struct error *err)
{
	bool asked = !isnan(options->gate) && (!options->suite || suite_use_is_given(options->suite, "gate"));
	if (!asked || options->baseline || experiment->subject_count > 1)
		return 0;
	error_set(err, ERROR_USAGE, "there is nothing to compare with");
	error_on(err, "--gate");
	return error_next(err, "give the old and the new one, or --git BASE, or --baseline NAME");
}

/* Seed, version, time and arguments: what is needed to do it again. */
static int describe(struct result *result, struct experiment *experiment, const struct measure_options *options,
                    int argc, char **argv, struct error *err)
{
	char now[64];
	struct timespec clock;
	struct tm utc;
	clock_gettime(CLOCK_REALTIME, &clock);
	gmtime_r(&clock.tv_sec, &utc);
	strftime(now, sizeof(now), "%Y-%m-%dT%H:%M:%SZ", &utc);
	if (options->seed < 0)
		experiment->seed = ((uint64_t)clock.tv_sec * 1000000007u ^ (uint64_t)clock.tv_nsec ^
		                    (uint64_t)getpid() << 32) >>
		                   1;
	result->version = TARE_VERSION;
	result->started = arena_strdup(&result->arena, now);
	result->argc = (size_t)argc + 1;
	result->argv = arena_alloc(&result->arena, result->argc, sizeof(*result->argv));
	if (!result->started || !result->argv)
		return error_memory(err);
	result->argv[0] = "tare";
	for (int i = 0; i < argc; i++)
		result->argv[i + 1] = argv[i];
	return 0;
}

static struct look look_of(const struct measure_options *options)
{
	struct look look = output_look(options->color, options->ascii, documents_on_stdout(options));
	if (options->time_unit)
		look.time_unit = strcmp(options->time_unit, "second") == 0        ? 1
		                 : strcmp(options->time_unit, "millisecond") == 0 ? 1e-3
		                                                                  : 1e-6;
	look.verbose = options->verbose;
	return look;
}

/* The table for a pull request, and what the gate says. */
static int make_markdown(const struct measure_kind *kind, const struct result *result,
                         const struct measure_options *options, struct buffer *out, struct error *err)
{
	struct look look = look_of(options);
	int status = kind->markdown(result, &look, out, err);
	words_gate_markdown(result, out);
	return status;
}

static int write_markdown(const struct measure_kind *kind, const struct result *result,
                          const struct measure_options *options, struct error *err)
{
	struct buffer text = {0};
	int status = make_markdown(kind, result, options, &text, err);
	if (status == 0)
		status = output_write(options->markdown, &text, err);
	buffer_release(&text);
	return status;
}

/* What another tool's format has no place for is no news here: it was asked for beside everything else. */
static int write_export(const char *path, const char *format, const struct result *result, struct error *err)
{
	struct buffer text = {0};
	int status = path ? export_result(result, format, &text, NULL, err) : 0;
	if (status == 0 && path)
		status = output_write(path, &text, err);
	buffer_release(&text);
	return status;
}

static int write_table(const struct result *result, const struct measure_options *options,
                       enum hyperfine_table_form form, struct error *err)
{
	struct buffer text = {0};
	struct look look = look_of(options);
	const struct hyperfine_table_options table = {
		.unit = look.time_unit, .by_time = options->sort_by_time, .reference = options->export_reference};
	int status = hyperfine_table(result, form, &table, &text, err);
	if (status == 0)
		status = output_write(options->export_tables[form], &text, err);
	buffer_release(&text);
	return status;
}

static int append_step_summary(const struct measure_kind *kind, const struct result *result,
                               const struct measure_options *options, struct error *err)
{
	struct buffer text = {0};
	if (!summary_wanted())
		return 0;
	int status = make_markdown(kind, result, options, &text, err);
	if (status == 0)
		summary_append(&text);
	buffer_release(&text);
	return status;
}

static int print_report(const struct measure_kind *kind, const struct result *result,
                        const struct measure_options *options, struct error *err)
{
	bool to_stderr = documents_on_stdout(options);
	struct look look = look_of(options);
	struct buffer text = {0};
	if (options->silent)
		return 0;
	int status = kind->text(result, &look, &text, err);
	if (status == 0 && !look.verbose)
		text_hint(result, &text);
	if (status == 0 && options->plot) {
		buffer_char(&text, '\n');
		status = plots_overview(result, overview_metric(result), &look, &text, err);
		for (size_t s = 0; s < result->subject_count && status == 0; s++)
			status = indices_plots(&result->subjects[s], &look, &text, err);
		if (status == 0)
			status = plots_monitoring(result, overview_metric(result), &look, &text, err);
	}
	if (status == 0)
		status = to_stderr ? message_print_error_stream(&text, err) : message_print(&text, err);
	buffer_release(&text);
	return status;
}

static int draw_graph(const struct result *result, const char *path, struct error *err)
{
	struct buffer text = {0};
	struct svg_options drawing = {.id = "components", .standalone = true};
	size_t length = strlen(path);
	bool svg = length > 4 && strcmp(path + length - 4, ".svg") == 0;
	const struct graph *graph = &result->monitoring.graph;
	int status = svg ? svg_graph(graph, &drawing, &text, err) : graph_dot(graph, &text, err);
	if (status == 0)
		status = output_write(path, &text, err);
	buffer_release(&text);
	return status;
}

/* The subject that is compared with, or the only one; by what decides. */
static int draw_traces(const struct result *result, const char *path, struct error *err)
{
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

/* Says what is wrong with one output, so that the others can be tried; *code becomes that of the first. */
static void tell_failure(int status, const struct error *err, int *code)
{
	if (status == 0)
		return;
	int own = message_error(err);
	mem_forget_ran_out(); /* it is told, and the next output may fit */
	if (*code == 0)
		*code = own;
}

/* Where others look for the verdict. With a baseline the comparison writes all three, and this only where there is
 * none: then the test report is no green one. */
static void tell_judges(const struct measure_kind *kind, const struct result *result,
                        const struct measure_options *options, bool missing, int *code)
{
	struct error err;
	struct result none;
	result_init(&none);
	none.name = result->name;
	none.started = result->started;
	none.elapsed = result->elapsed;
	tell_failure(options->markdown ? write_markdown(kind, result, options, &err) : 0, &err, code);
	tell_failure(page_save_junit(options->baseline ? &none : result, !missing, options->junit, &err), &err, code);
	tell_failure(isnan(options->gate) ? 0 : append_step_summary(kind, result, options, &err), &err, code);
}

/* Everything that was measured is shown and written, also after a failure. The exit code; *document: where the whole
 * of it is now, or NULL. */
static int tell(const struct measure_kind *kind, const struct result *result, const struct measure_options *options,
                bool missing, const char **document)
{
	struct error err;
	int code = 0;
	tell_failure(options->json ? document_save(result, options->json, &err) : 0, &err, &code);
	*document = code == 0 ? options->json : NULL;
	tell_failure(write_export(options->csv, "csv", result, &err), &err, &code);
	tell_failure(write_export(options->export_json, "hyperfine", result, &err), &err, &code);
	for (size_t i = 0; i < HYPERFINE_TABLE_FORMS; i++)
		tell_failure(options->export_tables[i] ? write_table(result, options, (enum hyperfine_table_form)i, &err) : 0,
		             &err, &code);
	tell_failure(page_save_one(result, options->html, &err), &err, &code);
	tell_failure(options->graph ? draw_graph(result, options->graph, &err) : 0, &err, &code);
	tell_failure(options->traces ? draw_traces(result, options->traces, &err) : 0, &err, &code);
	if (!options->baseline)
		tell_judges(kind, result, options, missing, &code);
	tell_failure(print_report(kind, result, options, &err), &err, &code);
	return code;
}

/* Without a sample: what others look at is written all the same, so that nobody takes an older file for the answer. */
static void tell_nothing(const struct measure_kind *kind, const struct result *result,
                         const struct measure_options *options)
{
	struct error err;
	int code = 0;
	tell_failure(options->json ? document_save(result, options->json, &err) : 0, &err, &code);
	tell_failure(page_save_one(result, options->html, &err), &err, &code);
	tell_judges(kind, result, options, true, &code);
}

static int dry_run(const struct measure_kind *kind, const struct experiment *experiment, const struct builds *builds,
                   struct spawner *spawner, int cancel, struct error *err)
{
	struct buffer text = {0};
	if (builds)
		builds_describe(builds, experiment, &text);
	int status = builds ? 0 : session_dry_run(kind->instrument, experiment, spawner, cancel, &text, err);
	if (status == 0)
		status = message_print(&text, err);
	buffer_release(&text);
	return status;
}

/* The session, and what an earlier calibration of this machine says before and after it. */
static int run_session(const struct measure_kind *kind, const struct experiment *experiment,
                       const struct measure_options *options, struct spawner *spawner, int cancel,
                       struct progress *progress, struct saver *saver, struct result *result, bool *missing,
                       struct error *err)
{
	struct session_observer observer = {.context = progress,
	                                    .progress = progress_update,
	                                    .note = progress_note,
	                                    .round_context = saver,
	                                    .round = saver_round};
	struct calibration calibration;
	struct error later;
	calibration_init(&calibration);
	bool known = calibration_load(&calibration);
	const char *warning = known ? quote_reach(&calibration, experiment, result) : NULL;
	if (warning)
		progress_note(progress, warning);
	int failed = kind->elsewhere ? kind->elsewhere(experiment, cancel, &observer, result, err)
	             : options->builds
	                 ? session_run_builds(options->builds, kind->instrument, experiment, spawner, cancel, &observer,
	                                      options->quiet, result, missing, err)
	                 : session_run(kind->instrument, experiment, spawner, cancel, &observer, result, missing, err);
	progress_end(progress);
	if (quote_result(known ? &calibration : NULL, experiment, result, failed ? &later : err) != 0)
		failed = -1;
	calibration_release(&calibration);
	return failed;
}

static struct welcome welcome_of(const struct experiment *experiment)
{
	return (struct welcome){experiment->ignore_failure, experiment->expected_exits, experiment->expected_exit_count};
}

static int mark_confirmation(struct saver *saver, struct arena *arena, const struct text_list *tags, struct error *err)
{
	const char **all = arena_alloc(arena, tags->count + 1, sizeof(*all));
	if (!all)
		return error_memory(err);
	all[0] = STORE_CONFIRMATION;
	for (size_t i = 0; i < tags->count; i++)
		all[i + 1] = tags->items[i];
	saver->origin.tags = all;
	saver->origin.tag_count = tags->count + 1;
	return 0;
}

/* Suspects of a suite's gate, measured again and saved by themselves. An interrupt meanwhile leaves the experiment
 * itself broken off. */
static int confirm(const struct measure_kind *kind, struct experiment *experiment,
                   const struct measure_options *options, struct spawner *spawner, int cancel,
                   struct progress *progress, struct result *result, struct error *err)
{
	struct experiment suspects;
	struct saver saver;
	struct result second;
	bool missing = false;
	if (confirm_experiment(experiment, result, instrument_needs_spawner(kind->instrument), &suspects, err) != 0)
		return -1;
	if (options->max_time)
		suspects.max_time = experiment->max_time / 2;
	result_init(&second);
	second.version = result->version;
	second.started = result->started;
	second.argv = result->argv;
	second.argc = result->argc;
	progress_note(progress, "the gate is broken: measuring what broke it again, with fresh runs");
	saver_init(&saver, options, &suspects);
	saver.replaces = 0;
	int status = mark_confirmation(&saver, &experiment->arena, &options->tags, err);
	if (status == 0)
		status = run_session(kind, &suspects, options, spawner, cancel, progress, &saver, &second, &missing, err);
	if (status != 0 && err->kind == ERROR_INTERRUPTED)
		result->stopped.reason = "interrupted";
	saver_finish(&saver, &second);
	saver_release(&saver);
	/* What failed when it was measured again was not measured whole. */
	if (status == 0)
		status = whole_settle(&second,
		                      &(struct whole_options){.limit = options->gate, .welcome = welcome_of(experiment)}, err);
	if (status == 0)
		status = confirm_apply(result, &second, err);
	result_release(&second);
	return status;
}

/* A suite's gate keeps a third of the time for what it suspects. */
static void share_time(const struct measure_kind *kind, struct experiment *experiment,
                       const struct measure_options *options)
{
	if (!isnan(options->gate) && options->max_time &&
	    experiment->subject_count > (instrument_needs_spawner(kind->instrument) ? 2 : 1))
		experiment->max_time = experiment->max_time / 3 * 2;
}

static int not_compared(const char *baseline, struct error *err)
{
	error_set(err, ERROR_SYSTEM, "what was measured is not in the store: it is not compared with '%.60s'", baseline);
	error_on(err, "--baseline");
	return error_next(err, "add the file of the result by 'tare history import', then 'tare compare --baseline'");
}

static int measure(const struct measure_kind *kind, struct experiment *experiment,
                   const struct measure_options *options, struct spawner *spawner, int cancel, struct result *result)
{
	bool missing = false;
	struct progress progress;
	struct saver saver;
	struct error err;
	int64_t baseline = 0;
	progress_init(&progress, options->progress, options->quiet);
	if (options->dry_run)
		return dry_run(kind, experiment, options->builds, spawner, cancel, &err) == 0 ? 0 : message_error(&err);
	if (options->baseline && baseline_check(options->baseline, &baseline, &err) != 0)
		return measure_failed(options, &err);
	saver_init(&saver, options, experiment);
	share_time(kind, experiment, options);
	int failed = run_session(kind, experiment, options, spawner, cancel, &progress, &saver, result, &missing, &err);
	if (!failed && !kind->elsewhere && !isnan(options->gate) && confirm_is_needed(result))
		failed = confirm(kind, experiment, options, spawner, cancel, &progress, result, &err);
	/* Whoever interrupts is told so, also where the signal came too late to end anything early. */
	if (!failed && interrupt_came()) {
		result->stopped.reason = "interrupted";
		failed = error_set(&err, ERROR_INTERRUPTED, "interrupted");
	}
	/* A number that is missing for want of memory is no result; what is there is told and kept. */
	if (!failed && mem_ran_out())
		failed = error_memory(&err);
	mem_forget_ran_out();
	if (failed)
		suite_use_blame(options->suite, &err);
	missing = missing && !options->allow_missing;
	int code = failed ? message_error(&err) : 0;
	struct whole_options whole = {.limit = options->baseline ? NAN : options->gate,
	                              .welcome = welcome_of(experiment),
	                              .allow_missing = options->allow_missing,
	                              .missing = missing};
	int unsettled = gate_settle(result, &whole, failed ? &err : NULL);
	code = code ? code : unsettled;
	int told = 0;
	if (result_has_samples(result))
		told = tell(kind, result, options, missing, &saver.document);
	else
		tell_nothing(kind, result, options);
	code = code ? code : told;
	int64_t id = saver_finish(&saver, result);
	const char *decides = saver_deciding(&saver, result);
	saver_release(&saver);
	if (!failed && options->baseline && id == 0) {
		failed = not_compared(options->baseline, &err);
		int own = message_error(&err);
		code = code ? code : own;
	}
	int verdict = !failed && options->baseline ? baseline_compare(options, experiment, baseline, id, decides) : 0;
	/* Where it failed for another reason than want of data, it may have written some of them. */
	bool compared = !failed && verdict != 2 && verdict != 5;
	if (options->baseline && !compared && result_has_samples(result))
		tell_judges(kind, result, options, missing, &code);
	if (failed && options->baseline)
		return gate_failed(options->gate, options->confidence, code, &err, documents_on_stdout(options));
	return gate_finish(result, options->confidence, code ? code : verdict, documents_on_stdout(options));
}

const struct measure_kind measure_commands = {
	.instrument = &instrument_commands,
	.text = overview_text,
	.markdown = overview_markdown,
};

int measure_and_report(const struct measure_kind *kind, struct experiment *experiment,
                       const struct measure_options *options, int argc, char **argv)
{
	struct error err;
	struct result result;
	struct host host = host_real();
	int code, cancel;
	/* First of all, while this process is small: a command's peak memory starts at the spawner's. */
	struct spawner *spawner = instrument_needs_spawner(kind->instrument) ? spawner_open(&host, &err) : NULL;
	if (instrument_needs_spawner(kind->instrument) && !spawner)
		return measure_failed(options, &err);
	result_init(&result);
	struct repeat_plan plan;
	bool stop_given = options->stop || !isnan(options->gate);
	if (plan_file_follow(options->plan, &plan, stop_given, options->max_time > 0, experiment, &err) != 0 ||
	    session_check(kind->instrument, experiment, &err) != 0 || check_outputs(options, &err) != 0 ||
	    check_gate(experiment, options, &err) != 0 || describe(&result, experiment, options, argc, argv, &err) != 0 ||
	    interrupt_open(&cancel, &err) != 0) {
		code = measure_failed(options, &err);
	} else {
		code = measure(kind, experiment, options, spawner, cancel, &result);
		interrupt_close();
	}
	if (spawner)
		spawner_close(spawner);
	repeat_plan_release(&plan);
	result_release(&result);
	return code;
}

int measure_read_pis(struct experiment *experiment, const struct text_list *specs, struct error *err)
{
	struct performance_index *pis = arena_alloc(&experiment->arena, specs->count, sizeof(*pis));
	if (!pis)
		return error_memory(err);
	for (size_t i = 0; i < specs->count; i++)
		if (pi_parse(&experiment->arena, specs->items[i], &pis[i], err) != 0)
			return error_on(err, "--pi");
	experiment->pis = pis;
	experiment->pi_count = specs->count;
	return 0;
}
