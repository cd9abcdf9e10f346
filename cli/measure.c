#include "cli/measure.h"

#include "base/memory.h"
#include "builds/twins.h"
#include "cli/baseline.h"
#include "cli/calibration_file.h"
#include "analysis/confirm.h"
#include "cli/gate.h"
#include "host/interrupt.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/reading.h"
#include "cli/saver.h"
#include "cli/suite_use.h"
#include "design/quote.h"
#include "host/spawner.h"
#include "model/pi.h"
#include "report/indices.h"
#include "report/overview.h"
#include "report/plots.h"
#include "report/text.h"
#include "report/words.h"
#include "session/builds.h"
#include "session/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int check_outputs(const struct measure_options *options, struct error *err)
{
	if (options->baseline && options->no_save)
		return error_set(err, ERROR_USAGE, "--baseline compares what is saved; it does not go with --no-save");
	if (options->baseline && documents_on_stdout(&options->out))
		return error_set(err, ERROR_USAGE, "--baseline prints a second table; a document goes to a file then");
	return documents_check(&options->out, err);
}

/* A suite file may have a gate for others of its subjects; who asks for one wants an answer. */
static int check_gate(const struct experiment *experiment, const struct measure_options *options, struct error *err)
{
	bool asked = !isnan(options->gate) && (!options->suite || suite_use_is_given(options->suite, "gate"));
	if (!asked || options->baseline || experiment->subject_count > 1)
		return 0;
	return error_full(err, ERROR_USAGE, "--gate", "give the old and the new one, or --git BASE, or --baseline NAME",
	                  "there is nothing to compare with");
}

/* What is needed to do it again. */
static int describe(struct result *result, struct experiment *experiment, const struct measure_options *options,
                    int argc, char **argv, struct error *err)
{
	struct timespec clock;
	clock_gettime(CLOCK_REALTIME, &clock);
	if (options->seed < 0)
		experiment->seed = ((uint64_t)clock.tv_sec * 1000000007u ^ (uint64_t)clock.tv_nsec ^
		                    (uint64_t)getpid() << 32) >>
		                   1;
	return reading_describe(result, argc, argv, experiment->seed, err);
}

static struct look measure_look(const struct measure_options *options)
{
	struct look look = output_look(options->color, options->ascii, documents_on_stdout(&options->out));
	if (options->time_unit)
		look.time_unit = strcmp(options->time_unit, "second") == 0        ? 1
		                 : strcmp(options->time_unit, "millisecond") == 0 ? 1e-3
		                                                                  : 1e-6;
	look.verbose = options->verbose;
	look.has_page = options->out.html != NULL;
	return look;
}

/* What was measured, and by which command. */
struct measured {
	const struct measure_kind *kind;
	const struct measure_options *options;
};

/* The table for a pull request, and what the gate says. */
static int make_markdown(const struct told *told, struct buffer *out, struct error *err)
{
	const struct measured *measured = told->context;
	struct look look = measure_look(measured->options);
	int status = measured->kind->markdown(told->results, &look, out, err);
	words_gate_markdown(told->results, out);
	return status;
}

static int print_report(const struct measure_kind *kind, const struct result *result,
                        const struct measure_options *options, struct error *err)
{
	bool to_stderr = documents_on_stdout(&options->out);
	struct look look = measure_look(options);
	struct buffer text = {0};
	if (options->silent)
		return 0;
	int status = kind->text(result, &look, &text, err);
	if (status == 0 && !look.verbose)
		text_hint(result, &look, &text);
	if (status == 0 && options->plot && options->plot[0]) {
		buffer_char(&text, '\n');
		status = plots_one(result, overview_metric(result), options->plot, &look, &text, err);
	} else if (status == 0 && options->plot) {
		buffer_char(&text, '\n');
		status = plots_overview(result, overview_metric(result), &look, &text, err);
		for (size_t s = 0; s < result->subject_count && status == 0; s++)
			status = indices_plots(&result->subjects[s], &look, &text, err);
		if (status == 0)
			status = plots_monitoring(result, overview_metric(result), &look, &text, err);
	}
	return message_finish(status, to_stderr, &text, err);
}

/* With a baseline the comparison does this, and this only where there is none. */
static void tell_judges(const struct told *told, int *code)
{
	const struct measured *measured = told->context;
	struct error err;
	documents_try(documents, &measured->options->out, told, WRITTEN_VERDICT, 0, code);
	message_failure(summary_append(told, measured->options->gate, &err), &err, code);
}

/* Everything that was measured is shown and written, also after a failure. The exit code; *document: where the whole
 * of it is now, or NULL. */
static int tell(const struct told *told, struct result *result, const char **document)
{
	const struct measured *measured = told->context;
	const struct measure_options *options = measured->options;
	struct error err;
	int code = 0;
	message_failure(output_save(documents, &options->out, told, &err), &err, &code);
	*document = code == 0 ? options->out.json : NULL;
	documents_try(documents + 1, &options->out, told, 0, WRITTEN_VERDICT, &code);
	message_failure(print_report(measured->kind, result, options, &err), &err, &code);
	gate_agree(result, code);
	if (!options->baseline)
		tell_judges(told, &code);
	gate_agree(result, code);
	return code;
}

/* Without a sample. */
static void tell_nothing(const struct told *told)
{
	const struct measured *measured = told->context;
	int code = 0;
	documents_try(documents, &measured->options->out, told, WRITTEN_EMPTY, WRITTEN_VERDICT, &code);
	tell_judges(told, &code);
}

/* What others look at is written all the same, so that nobody takes an older file for the answer. */
int measure_failed(const struct measure_options *options, struct error *err)
{
	static const struct document_makers makers = {.markdown = make_markdown};
	const struct measured nothing = {&measure_commands, options};
	SCOPED(result) struct result none = result_empty();
	struct error later;
	suite_use_blame(options->suite, err);
	int code = message_error(err);
	none.stopped.reason = err->kind == ERROR_INTERRUPTED ? "interrupted" : "failed";
	gate_settle(&none, &(struct whole_options){.limit = options->gate}, err);
	if (err->kind != ERROR_USAGE && !options->dry_run &&
	    (check_outputs(options, &later) == 0 || later.kind != ERROR_USAGE))
		tell_nothing(&(struct told){.results = &none, .count = 1, .makers = &makers, .context = &nothing});
	return gate_failed(options->gate, options->confidence, code, err, documents_on_stdout(&options->out));
}

static int dry_run(const struct measure_kind *kind, const struct experiment *experiment, const struct builds *builds,
                   struct spawner *spawner, int cancel, struct error *err)
{
	struct buffer text = {0};
	if (builds)
		builds_describe(builds, experiment, &text);
	int status = builds ? 0 : session_dry_run(kind->instrument, experiment, spawner, cancel, &text, err);
	return message_finish(status, false, &text, err);
}

/* The session, and what an earlier calibration of this machine says before and after it. */
static int run_session(const struct measure_kind *kind, const struct experiment *experiment,
                       const struct measure_options *options, struct spawner *spawner, int cancel,
                       struct progress *progress, struct saver *saver, struct result *result, bool *missing,
                       struct error *err)
{
	struct live live;
	struct session_observer observer = {.context = &live,
	                                    .progress = live_update,
	                                    .note = live_note,
	                                    .enough = live_enough,
	                                    .round_context = saver,
	                                    .round = saver_round};
	SCOPED(calibration) struct calibration calibration;
	struct error later;
	calibration_init(&calibration);
	bool known = calibration_load(&calibration);
	const char *warning = known ? quote_reach(&calibration, experiment, result) : NULL;
	if (warning)
		progress_note(progress, warning);
	SCOPED(buffer) struct buffer title = {0};
	for (size_t s = 0; s < experiment->subject_count; s++)
		buffer_printf(&title, "%s%s", s ? ", " : "", experiment->subjects[s].name);
	live_begin(&live, progress, buffer_text(&title), options->live);
	int failed = kind->elsewhere ? kind->elsewhere(experiment, cancel, &observer, result, err)
	             : options->builds
	                 ? session_run_builds(options->builds, kind->instrument, experiment, spawner, cancel, &observer,
	                                      options->quiet, result, missing, err)
	                 : session_run(kind->instrument, experiment, spawner, cancel, &observer, result, missing, err);
	live_end(&live);
	progress_end(progress);
	if (quote_result(known ? &calibration : NULL, experiment, result, failed ? &later : err) != 0)
		failed = -1;
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
	SCOPED(result) struct result second = result_empty();
	bool missing = false;
	if (confirm_experiment(experiment, result, instrument_needs_spawner(kind->instrument), &suspects, err) != 0)
		return -1;
	if (options->max_time)
		suspects.max_time = experiment->max_time / 2;
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
	const struct whole_options whole = {.limit = options->gate, .welcome = welcome_of(experiment)};
	/* What failed when it was measured again was not measured whole. */
	return status == 0 && whole_settle(&second, &whole, err) == 0 ? confirm_apply(result, &second, err) : -1;
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
	return error_full(err, ERROR_SYSTEM, "--baseline",
	                  "add the file of the result by 'tare history import', then 'tare compare --baseline'",
	                  "what was measured is not in the store: it is not compared with '%.60s'", baseline);
}

/* What the comparison says of the gate, in the result that is compared: its own comparisons are others. */
static void take_gate(const struct result *against, const char *baseline, struct result *result)
{
	SCOPED(buffer) struct buffer why = {0};
	buffer_printf(&why, "against the baseline '%s'", baseline);
	if (against->gate.state != GATE_HELD) {
		buffer_text_add(&why, ": ");
		words_gate_reason(against, &why);
	}
	result->gate = against->gate;
	result->gate.worst = SIZE_MAX;
	result->gate.about = against->gate.about ? arena_strdup(&result->arena, against->gate.about) : NULL;
	result->gate.why = arena_strdup(&result->arena, buffer_text(&why));
}

/* What was measured, against the baseline; *judged becomes the result that says how the gate stands: `against`, or
 * `result` where there is no comparison. */
static void compare_with_baseline(const struct told *told, const struct experiment *experiment, int64_t baseline,
                                  int64_t id, const char *decides, struct result *result, struct result *against,
                                  struct result **judged, int *code)
{
	const struct measured *measured = told->context;
	const struct measure_options *options = measured->options;
	struct error err;
	int failed = id == 0 ? not_compared(options->baseline, &err)
	                     : baseline_compare(options, experiment, baseline, id, decides, against, code, &err);
	if (failed) {
		message_failure(failed, &err, code);
		gate_settle(result, &(struct whole_options){.limit = options->gate}, &err);
		tell_judges(told, code);
	} else if (!isnan(options->gate)) {
		take_gate(against, options->baseline, result);
	}
	*judged = failed ? result : against;
	/* They were written before this was known. */
	if (!isnan(options->gate))
		documents_try(documents, &options->out, told, WRITTEN_GATE, 0, code);
	gate_agree(*judged, *code);
}

static int measure(const struct measure_kind *kind, struct experiment *experiment,
                   const struct measure_options *options, struct spawner *spawner, int cancel, struct result *result)
{
	bool missing = false;
	struct progress progress;
	struct saver saver;
	SCOPED(result) struct result against = result_empty();
	struct error err;
	int64_t baseline = 0;
	progress_init(&progress, options->progress, options->quiet, options->ascii);
	if (options->dry_run && !options->quiet)
		documents_note_idle(&options->out, "--dry-run measures nothing");
	if (options->dry_run)
		return dry_run(kind, experiment, options->builds, spawner, cancel, &err) == 0 ? 0 : message_error(&err);
	int failed = options->baseline ? baseline_check(options->baseline, &baseline, &err) : 0;
	saver_init(&saver, options, experiment);
	share_time(kind, experiment, options);
	if (!failed && !kind->elsewhere && !options->builds)
		failed = twins_note(experiment, result, &err);
	if (failed)
		result->stopped.reason = "failed";
	else
		failed = run_session(kind, experiment, options, spawner, cancel, &progress, &saver, result, &missing, &err);
	if (!failed && !kind->elsewhere && !isnan(options->gate) && confirm_is_needed(result))
		failed = confirm(kind, experiment, options, spawner, cancel, &progress, result, &err);
	spawner_quit(spawner);
	saver_mark(&saver, result);
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
	struct whole_options whole = {.limit = options->baseline && !failed ? NAN : options->gate,
	                              .welcome = welcome_of(experiment),
	                              .allow_missing = options->allow_missing,
	                              .missing = missing};
	int unsettled = gate_settle(result, &whole, failed ? &err : NULL);
	code = code ? code : unsettled;
	int told = 0;
	static const struct document_makers makers = {.markdown = make_markdown};
	const struct measured measured = {kind, options};
	struct told what = {.results = result,
	                    .count = 1,
	                    .makers = &makers,
	                    .context = &measured,
	                    .table = {measure_look(options).time_unit, options->sort_by_time, options->export_reference},
	                    .allow_missing = !missing && result_has_samples(result),
	                    .unjudged = options->baseline != NULL};
	if (result_has_samples(result))
		told = tell(&what, result, &saver.document);
	else
		tell_nothing(&what);
	code = code ? code : told;
	int64_t id = saver_finish(&saver, result);
	const char *decides = saver_deciding(&saver, result);
	saver_release(&saver);
	struct result *judged = result;
	if (!failed && options->baseline)
		compare_with_baseline(&what, experiment, baseline, id, decides, result, &against, &judged, &code);
	else if (options->baseline && result_has_samples(result))
		tell_judges(&what, &code);
	return gate_finish(judged, options->confidence, code, documents_on_stdout(&options->out));
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
	SCOPED(result) struct result result = result_empty();
	SCOPED(repeat_plan) struct repeat_plan plan;
	struct host host = host_real();
	int code, cancel;
	repeat_plan_init(&plan);
	measure_look(options); /* what is said before the report keeps to --ascii, too */
	/* First of all, while this process is small: a command's peak memory starts at the spawner's. */
	struct spawner *spawner = instrument_needs_spawner(kind->instrument) ? spawner_open(&host, &err) : NULL;
	if (instrument_needs_spawner(kind->instrument) && !spawner)
		return measure_failed(options, &err);
	bool stop_given = options->stop || !isnan(options->gate);
	if (measure_follow_plan(options->plan, &plan, stop_given, options->max_time > 0, experiment, &err) != 0 ||
	    session_check(kind->instrument, experiment, &err) != 0 || check_outputs(options, &err) != 0 ||
	    check_gate(experiment, options, &err) != 0 || describe(&result, experiment, options, argc, argv, &err) != 0 ||
	    interrupt_open(&cancel, &err) != 0) {
		code = measure_failed(options, &err);
	} else {
		code = measure(kind, experiment, options, spawner, cancel, &result);
		interrupt_close();
	}
	spawner_close(spawner);
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
