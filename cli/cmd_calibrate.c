/* tare calibrate: what this machine is able to see. */
#include "cli/calibration_file.h"
#include "cli/commands.h"
#include "host/interrupt.h"
#include "machine/load.h"
#include "cli/measure.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/run_hints.h"
#include "exchange/calibration_document.h"
#include "host/clock.h"
#include "host/spawner.h"
#include "machine/fingerprint.h"
#include "report/calibration_text.h"
#include "report/words.h"
#include "session/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

struct calibrate_options {
	struct measure_options measure;
	int64_t runs;
	const char *shell, *json;
	struct text_list pis;
};

#define OFFSET(field) offsetof(struct calibrate_options, field)

static const struct option calibrate_options[] = {
	OPTION(0, "max-time", "TIME", OPTION_DURATION, OFFSET(measure.max_time), "for the whole calibration (60s)"),
	OPTION_WITHIN('r', "runs", "N", OPTION_INTEGER, OFFSET(runs), 1, 1e9,
                  "pairs in every design, however long they take"),
	OPTION(0, "timeout", "TIME", OPTION_DURATION, OFFSET(measure.timeout), "for one run (10m)"),
	OPTION(0, "cpus", "LIST", OPTION_TEXT, OFFSET(measure.cpus), "CPUs to measure on, like 1 or 2-3"),
	OPTION('S', "shell", "SHELL", OPTION_TEXT, OFFSET(shell), "run COMMAND in a shell ('default': sh)"),
	OPTION(0, "pi", "SPEC", OPTION_LIST, OFFSET(pis), "by a number that COMMAND prints: NAME:UNIT:FROM"),
	OPTION_WITHIN(0, "seed", "N", OPTION_INTEGER, OFFSET(measure.seed), 0, 9e18, "seed of the random order"),
	OPTION(0, "json", "FILE", OPTION_TEXT, OFFSET(json), "write the calibration ('-': standard output)"),
	OPTION(0, "no-save", NULL, OPTION_FLAG, OFFSET(measure.no_save), "do not keep it for later results"),
	OPTION(0, "ascii", NULL, OPTION_FLAG, OFFSET(measure.ascii), "ASCII only, no Unicode"),
	OPTION('q', "quiet", NULL, OPTION_FLAG, OFFSET(measure.quiet), "no progress, no notes while measuring"),
	OPTION_OF(0, "progress", "WHEN", OPTION_CHOICE, OFFSET(measure.progress), "auto|plain|none", "auto, plain or none"),
	OPTION_OF(0, "color", "WHEN", OPTION_CHOICE, OFFSET(measure.color), "auto|always|never", "auto, always or never"),
	{0},
};

static char *finish(struct buffer *text, struct arena *arena, struct error *err)
{
	char *copy = buffer_keep(text, arena);
	if (!copy)
		error_memory(err);
	return copy;
}

/* The user's command: one argument as it is, several word by word. */
static char *user_command(const struct text_list *words, struct arena *arena, struct error *err)
{
	struct buffer text = {0};
	if (words->count == 1)
		buffer_text_add(&text, words->items[0]);
	else
		run_hints_put_words(&text, words->items, words->count);
	return finish(&text, arena, err);
}

/* This program itself, under the name that it was found by. */
static char *own_command(const char *kind, struct arena *arena, struct error *err)
{
	char self[4096];
	struct buffer text = {0};
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (length <= 0) {
		error_full(err, ERROR_SYSTEM, NULL, "calibrate with a command of your own: tare calibrate -- COMMAND",
		           "cannot find out where tare itself is: /proc/self/exe cannot be read");
		return NULL;
	}
	self[length] = '\0';
	words_argument(self, &text);
	buffer_printf(&text, " __load %s", kind);
	return finish(&text, arena, err);
}

static const char *own_metric[] = {"cpu"};
static const int64_t usual_time = INT64_C(60000000000); /* ns */

static int make_experiment(struct experiment *experiment, const struct calibrate_options *options, const char *command,
                           bool own, struct error *err)
{
	struct measure_options measure = options->measure;
	if (own)
		measure.metrics = (struct text_list){own_metric, 1};
	if (measure_options_apply(&measure, experiment, err) != 0 || measure_read_pis(experiment, &options->pis, err) != 0)
		return -1;
	experiment->subjects = arena_alloc(&experiment->arena, 2, sizeof(*experiment->subjects));
	if (!experiment->subjects)
		return error_memory(err);
	experiment->subjects[0] = (struct experiment_subject){.name = command, .command = command};
	experiment->subjects[1] = experiment->subjects[0];
	experiment->subject_count = 2;
	experiment->output = "null";
	experiment->pad = true;
	experiment->shell = own ? NULL : measure_shell(options->shell);
	return session_check(&instrument_commands, experiment, err);
}

struct job {
	struct arena arena;
	struct experiment experiments[LOAD_COUNT];
	struct calibrate_program programs[LOAD_COUNT];
	size_t count;
};

static int make_job(struct job *job, const struct calibrate_options *options, const struct text_list *words,
                    struct error *err)
{
	bool own = words->count == 0;
	size_t count = own ? LOAD_COUNT : 1;
	if (own && options->pis.count > 0)
		return error_full(err, ERROR_USAGE, NULL, "name the command: tare calibrate --pi SPEC -- COMMAND",
		                  "--pi is for a number that your command prints");
	for (size_t i = 0; i < count; i++) {
		experiment_init(&job->experiments[i]);
		job->count = i + 1;
		char *command = own ? own_command(load_names[i], &job->arena, err) : user_command(words, &job->arena, err);
		if (!command || make_experiment(&job->experiments[i], options, command, own, err) != 0)
			return -1;
		job->programs[i] = (struct calibrate_program){own ? load_names[i] : command, own ? NULL : command,
		                                              &job->experiments[i]};
	}
	return 0;
}

static void job_release(struct job *job)
{
	for (size_t i = 0; i < job->count; i++)
		experiment_release(&job->experiments[i]);
	arena_release(&job->arena);
}

static int date_programs(struct calibration *calibration, struct error *err)
{
	struct host host = host_real();
	char now[64];
	clock_timestamp(&host, now, sizeof(now));
	calibration->version = TARE_VERSION;
	for (size_t i = 0; i < calibration->program_count; i++)
		if (!(calibration->programs[i].made = arena_strdup(&calibration->arena, now)))
			return error_memory(err);
	return fingerprint_read(&host, &calibration->arena, &calibration->machine, err);
}

/* Text first, then what is written: a calibration that was interrupted is shown and not kept. */
static int report(struct calibration *calibration, const struct calibrate_options *options, bool keep,
                  struct error *err)
{
	bool to_stderr = output_is_stdout(options->json);
	struct look look = output_look(options->measure.color, options->measure.ascii, to_stderr);
	SCOPED(buffer) struct buffer text = {0}, document = {0};
	char path[CALIBRATION_PATH];
	if (calibration_text(calibration, calibration->program_count, &look, &text, err) != 0 ||
	    (options->json && (calibration_document_write(calibration, &document, err) != 0 ||
	                       output_write(options->json, &document, err) != 0)))
		return -1;
	if (keep && !options->measure.no_save) {
		if (calibration_save(calibration, path, err) != 0)
			return -1;
		buffer_printf(&text, "\nkept in %s: tare run quotes it\n", path);
	}
	return message_print_to(to_stderr, &text, err);
}

static int measure(struct job *job, const struct calibrate_options *options, struct spawner *spawner, int cancel)
{
	struct progress progress;
	struct session_observer observer = {.context = &progress, .progress = progress_update, .note = progress_note};
	SCOPED(calibration) struct calibration calibration;
	struct error err, later;
	/* A number of pairs is kept to whatever it takes, unless a time was given too. */
	int64_t time = options->measure.max_time ? options->measure.max_time : options->runs ? 0 : usual_time;
	double seconds = time ? (double)time / 1e9 : INFINITY;
	calibration_init(&calibration);
	progress_init(&progress, options->measure.progress, options->measure.quiet, options->measure.ascii);
	int failed = session_calibrate(job->programs, job->count, seconds, (size_t)options->runs, spawner, cancel,
	                               &observer, &calibration, &err);
	progress_end(&progress);
	int code = failed ? message_error(&err) : 0;
	bool worth_telling = !failed || err.kind == ERROR_INTERRUPTED;
	if (worth_telling &&
	    (date_programs(&calibration, &later) != 0 || report(&calibration, options, !failed, &later) != 0))
		code = message_error(&later);
	return code;
}

static int calibrate(const void *given, const struct text_list *words, struct error *err)
{
	const struct calibrate_options *options = given;
	SCOPED(job) struct job job = {0};
	struct host host = host_real();
	int code = -1, cancel;
	struct spawner *spawner = spawner_open(&host, err);
	if (!spawner)
		return -1;
	if (make_job(&job, options, words, err) == 0 && output_check(options->json, err) == 0 &&
	    interrupt_open(&cancel, err) == 0) {
		code = measure(&job, options, spawner, cancel);
		interrupt_close();
	}
	spawner_close(spawner);
	return code;
}

static int calibrate_main(const struct command *command, int argc, char **argv)
{
	struct calibrate_options options = {.measure = MEASURE_DEFAULTS};
	options.measure.seed = 1;
	return act(command, argc, argv, &options, calibrate);
}

const struct command command_calibrate = {
	.name = "calibrate",
	.summary = "find out how small a change this machine can detect",
	.usage = "tare calibrate [options] [-- COMMAND]",
	.about = "Measures programs against themselves: how small a change this machine detects\n"
			 "in how much time, how often it reports one that is not there, and which design\n"
			 "is best. Later results of 'tare run' quote it.",
	.options = calibrate_options,
	.main = calibrate_main,
};
