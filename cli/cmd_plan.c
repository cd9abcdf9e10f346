/* tare plan: how many repetitions an experiment needs. */
#include "base/parse.h"
#include "base/text.h"
#include "machine/fingerprint.h"
#include "session/builds.h"
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/measure_options.h"
#include "host/interrupt.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/reading.h"
#include "design/subjects.h"
#include "cli/suite_use.h"
#include "decide/plan.h"
#include "exchange/plan_document.h"
#include "host/clock.h"
#include "host/file.h"
#include "host/search.h"
#include "host/spawner.h"
#include "report/plan_text.h"
#include "session/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct plan_options {
	struct measure_options measure; /* of the first experiment */
	const char *cost, *levels, *build, *from, *output, *shell, *filter;
	const char *setup, *cleanup;
	struct text_list names;
	struct side_lists hooks;
	double precision; /* to plan for */
	int64_t budget, build_timeout, warmup, builds, iteration_time;
	bool no_shell, ignore_failure;
};

enum { PROGRAM_NAME = 4096 };

static const char usual_output[] = "tare-plan.json";

#define OFFSET(field) offsetof(struct plan_options, field)

static const struct option plan_options[] = {
	OPTION(0, "levels", "LIST", OPTION_TEXT, OFFSET(levels), "what to repeat, of build,run,iteration (auto)"),
	OPTION(0, "build", "CMD", OPTION_TEXT, OFFSET(build), "how the program is built, to repeat builds too"),
	OPTION_WITHIN(0, "builds", "N", OPTION_INTEGER, OFFSET(builds), 2, 10000,
                  "builds of the first experiment (20, where they fit)"),
	OPTION(0, "build-timeout", "TIME", OPTION_DURATION, OFFSET(build_timeout), NULL),
	OPTION_WITHIN(0, "precision", "PCT", OPTION_PERCENT, OFFSET(precision), 1e-4, 1000, "half-width to plan for (1%)"),
	OPTION(0, "budget", "TIME", OPTION_DURATION, OFFSET(budget), "instead: the best interval that this time can buy"),
	OPTION(0, "confidence", "PCT", OPTION_TEXT, OFFSET(measure.confidence), "of the interval to plan for (95)"),
	OPTION('o', "output", "FILE", OPTION_TEXT, OFFSET(output), "where the plan goes (tare-plan.json)"),
	OPTION(0, "no-save", NULL, OPTION_FLAG, OFFSET(measure.no_save), "only print it"),
	OPTION(0, "from", "RESULT", OPTION_TEXT, OFFSET(from), "plan from this result, without a first experiment"),
	OPTION(0, "cost", "LIST", OPTION_TEXT, OFFSET(cost), "with --from, what one costs: run=3s,iteration=0.1s"),
	OPTION(0, "max-time", "TIME", OPTION_DURATION, OFFSET(measure.max_time), "for the first experiment (60s)"),
	OPTION_WITHIN('r', "runs", "N", OPTION_INTEGER, OFFSET(measure.runs), 2, 1e6, "runs of it (25, where they fit)"),
	OPTION_WITHIN('w', "warmup", "N", OPTION_INTEGER, OFFSET(warmup), 0, 1e9,
                  "runs of each command before them (auto)"),
	OPTION(0, "metric", "NAME", OPTION_LIST, OFFSET(measure.metrics), "what to plan for (wall)"),
	OPTION(0, "filter", "REGEX", OPTION_TEXT, OFFSET(filter), "only benchmarks whose name matches (-REGEX: not)"),
	OPTION(0, "iteration-time", "TIME", OPTION_DURATION, OFFSET(iteration_time), NULL),
	OPTION('n', "command-name", "NAME", OPTION_LIST, OFFSET(names), "name of the next command"),
	OPTION('s', "setup", "CMD", OPTION_TEXT, OFFSET(setup), "before the measurements"),
	OPTION('p', "prepare", "CMD", OPTION_LIST, OFFSET(hooks.prepare), "before each run of a command"),
	OPTION('C', "conclude", "CMD", OPTION_LIST, OFFSET(hooks.conclude), NULL),
	OPTION('c', "cleanup", "CMD", OPTION_TEXT, OFFSET(cleanup), "after the measurements, also after a failure"),
	OPTION('i', "ignore-failure", NULL, OPTION_FLAG, OFFSET(ignore_failure), "continue when something fails"),
	OPTION('S', "shell", "SHELL", OPTION_TEXT, OFFSET(shell), "run commands in a shell ('default': sh)"),
	OPTION('N', "no-shell", NULL, OPTION_FLAG, OFFSET(no_shell), NULL),
	OPTION(0, "timeout", "TIME", OPTION_DURATION, OFFSET(measure.timeout), NULL),
	OPTION(0, "cpus", "LIST", OPTION_TEXT, OFFSET(measure.cpus), "CPUs to measure on, like 1 or 2-3"),
	OPTION_WITHIN(0, "seed", "N", OPTION_INTEGER, OFFSET(measure.seed), 0, 9e18, NULL),
	OPTION(0, "dry-run", NULL, OPTION_FLAG, OFFSET(measure.dry_run), "show the first experiment and its time"),
	OPTION('q', "quiet", NULL, OPTION_FLAG, OFFSET(measure.quiet), "no progress, no notes while measuring"),
	OPTION_OF(0, "progress", "WHEN", OPTION_CHOICE, OFFSET(measure.progress), "auto|plain|none", "auto, plain or none"),
	OPTION_OF(0, "color", "WHEN", OPTION_CHOICE, OFFSET(measure.color), "auto|always|never", "auto, always or never"),
	OPTION(0, "ascii", NULL, OPTION_FLAG, OFFSET(measure.ascii), "ASCII only, no Unicode"),
	{0},
};

/* What the first experiment repeats besides runs. */
struct wants {
	bool builds, harness;
};

/* Whether the file holds the name by which a harness program is told where its channel is. */
static bool mentions_channel(const struct host *host, const char *path)
{
	static const char mark[] = "TARE_CHANNEL";
	enum { PIECE = 65536, MOST = 64 * 1024 * 1024 };
	char bytes[PIECE + sizeof(mark)];
	size_t kept = 0;
	struct error err;
	int fd = file_open(host->sys, path, &err);
	bool found = false;
	if (fd < 0)
		return false;
	for (long read = 0, n; !found && read < MOST && (n = file_read(host->sys, fd, bytes + kept, PIECE, &err)) > 0;
	     read += n) {
		size_t filled = kept + (size_t)n;
		found = memmem(bytes, filled, mark, sizeof(mark) - 1) != NULL;
		kept = filled < sizeof(mark) - 1 ? filled : sizeof(mark) - 2;
		memmove(bytes, bytes + filled - kept, kept);
	}
	host->sys->close(fd);
	return found;
}

/* The program of a command; false: it has none, or one with a name that is too long. */
static bool program_of(const char *command, char name[PROGRAM_NAME])
{
	size_t length = strcspn(command, " \t");
	snprintf(name, PROGRAM_NAME, "%.*s", (int)length, command);
	return length > 0 && length < PROGRAM_NAME;
}

static bool is_harness_program(const char *command)
{
	char name[PROGRAM_NAME], path[4096];
	struct host host = host_real();
	struct error err;
	return program_of(command, name) && search_program(&host, name, NULL, path, sizeof(path), &err) == 0 &&
	       file_kind(host.sys, path) == FILE_REGULAR && mentions_channel(&host, path);
}

static bool is_missing(const char *command)
{
	char name[PROGRAM_NAME];
	return program_of(command, name) && strchr(name, '/') && file_kind(&syscalls_libc, name) == FILE_MISSING;
}

/* --levels, as far as it can be done here. */
static int read_levels(const char *text, bool *builds, bool *iterations, struct error *err)
{
	bool run = false;
	*iterations = false;
	while (*text) {
		char name[20] = "";
		size_t length = strcspn(text, ",");
		memcpy(name, text, length < sizeof(name) ? length : sizeof(name) - 1);
		enum level level = level_by_name(name);
		text += length + (text[length] == ',');
		if (level == LEVEL_COUNT || level == LEVEL_INVOCATION || level == LEVEL_MACHINE)
			return error_full(
				err, ERROR_USAGE, "--levels",
				"give run for commands, run,iteration for a program with benchmarks, build in front where "
				"builds are repeated too; results with other levels: --from",
				"'%.20s' is not a level to plan", name);
		run |= level == LEVEL_RUN;
		*builds |= level == LEVEL_BUILD;
		*iterations |= level == LEVEL_ITERATION;
	}
	return run ? 0
	           : error_set(err, ERROR_USAGE,
	                       "--levels needs run: iterations of one process say nothing about the next");
}

static int build_experiment(struct experiment *experiment, const struct plan_options *options,
                            const struct text_list *words, const struct wants *wants, struct error *err)
{
	enum { USUAL = 25, IN_A_BUILD = 20 };
	struct measure_options measure = options->measure;
	struct side *sides = sides_of_words(&experiment->arena, words, &options->names);
	if (!measure.max_time)
		measure.max_time = INT64_C(60000000000);
	if (!measure.runs)
		measure.runs = wants->builds ? IN_A_BUILD : USUAL;
	if (!sides)
		return error_memory(err);
	if (sides_check_names(&options->names, words->count, "command", err) != 0)
		return -1;
	for (size_t i = 0; i < words->count; i++) {
		sides[i].setup = options->setup;
		sides[i].cleanup = options->cleanup;
	}
	if (measure_options_apply(&measure, experiment, err) != 0 ||
	    sides_set(sides, words->count, &options->hooks, err) != 0 ||
	    subjects_add(experiment, NULL, sides, words->count, NULL, 0, err) != 0)
		return -1;
	experiment->max_time_given = options->measure.max_time > 0;
	/* Two are planned as the pairs that they will be compared by. */
	experiment->design = experiment->subject_count < 2 ? "solo" : wants->harness ? "auto" : "shuffled";
	experiment->output = "null";
	experiment->pad = true;
	experiment->shell = measure_shell(options->shell);
	experiment->warmup = (long)options->warmup;
	experiment->ignore_failure = options->ignore_failure;
	if (!wants->harness)
		return session_check(&instrument_commands, experiment, err);
	experiment->timeout = options->measure.timeout;
	experiment->bench.filter = options->filter;
	experiment->bench.iteration_time = options->iteration_time;
	experiment->bench.first = true;
	return session_check(&instrument_programs, experiment, err);
}

/* Whether the program is one with benchmarks, of which only a build can tell: it is built once, in a copy. */
static int look_at_build(const struct experiment *experiment, const struct plan_options *options,
                         struct spawner *spawner, bool *harness, struct error *err)
{
	struct host host = host_real();
	SCOPED(builds) struct builds builds = {.wanted = true, .print = message_log};
	SCOPED(buffer) struct buffer log = {0};
	int cancel, status = 0;
	if (interrupt_open(&cancel, err) != 0)
		return -1;
	struct tool tool = {spawner, cancel, 0}, builder = {spawner, cancel, options->build_timeout};
	if (builds_plan(&builds, experiment, options->build, err) != 0 ||
	    copies_open(&builds.copies, &host, false, err) != 0 ||
	    copies_make(&builds.copies, &tool, 0, builds.trees[0].source, err) != 0 ||
	    copies_build(&builds.copies, &builder, 0, builds.trees[0].command, 1, &log, err) != 0)
		status = -1;
	if (status != 0 && err->kind == ERROR_SUBJECT) {
		message_log(&log);
		error_on(err, "%.300s", options->build);
		error_next(err, log.length ? "its last lines are above" : "it printed nothing");
	}
	if (status == 0) {
		char place[8192];
		snprintf(place, sizeof(place), "%s/%s", builds.copies.places[0], experiment->subjects[0].command);
		*harness = is_harness_program(place);
	}
	interrupt_close();
	return status;
}

/* Builds and what is inside each of them; or what they would be. */
static int measure_builds(const struct instrument *instrument, const struct experiment *experiment,
                          const struct plan_options *options, struct spawner *spawner, int cancel,
                          const struct session_observer *observer, struct buffer *text, struct result *out,
                          struct error *err)
{
	enum { USUAL = 20 };
	SCOPED(builds)
	struct builds builds = {.wanted = true,
	                        .given = true,
	                        .count = options->builds ? (size_t)options->builds : USUAL,
	                        .timeout = options->build_timeout};
	bool missing = false;
	if (builds_plan(&builds, experiment, options->build, err) != 0)
		return -1;
	if (!options->measure.dry_run)
		return session_run_builds(&builds, instrument, experiment, spawner, cancel, observer, options->measure.quiet,
		                          out, &missing, err);
	builds_describe(&builds, experiment, text);
	return 0;
}

/* The first experiment, or with --dry-run what it would be. */
static int measure(const struct experiment *experiment, const struct plan_options *options, struct spawner *spawner,
                   const struct wants *wants, struct result *out, struct error *err)
{
	const struct instrument *instrument = wants->harness ? &instrument_programs : &instrument_commands;
	struct progress progress;
	struct session_observer observer = {.context = &progress, .progress = progress_update, .note = progress_note};
	SCOPED(buffer) struct buffer text = {0};
	bool missing = false;
	int cancel, status;
	if (interrupt_open(&cancel, err) != 0)
		return -1;
	progress_init(&progress, options->measure.progress, options->measure.quiet, options->measure.ascii);
	if (wants->builds)
		status = measure_builds(instrument, experiment, options, spawner, cancel, &observer, &text, out, err);
	else if (options->measure.dry_run)
		status = session_dry_run(instrument, experiment, spawner, cancel, &text, err);
	else
		status = session_run(instrument, experiment, spawner, cancel, &observer, out, &missing, err);
	progress_end(&progress);
	interrupt_close();
	return status == 0 && options->measure.dry_run ? message_print(&text, err) : status;
}

/* "run=3.3s,iteration=0.12s": seconds for one more of each level, without those below it. */
static int parse_costs(const char *text, double *costs, struct error *err)
{
	while (text && *text) {
		size_t length = strcspn(text, ",");
		const char *equals = memchr(text, '=', length);
		char word[64] = "", time[64] = "";
		int64_t nanoseconds;
		int level = 0;
		if (equals)
			snprintf(word, sizeof(word), "%.*s", (int)(equals - text), text);
		while (level < LEVEL_COUNT && strcmp(level_name((enum level)level), word) != 0)
			level++;
		if (!equals || level == LEVEL_COUNT || length >= sizeof(time))
			return error_full(err, ERROR_USAGE, "--cost",
			                  "levels are machine, build, run, iteration, invocation: --cost run=3.3s,iteration=0.12s",
			                  "'%.*s' is not LEVEL=TIME", (int)(length < 60 ? length : 60), text);
		snprintf(time, sizeof(time), "%.*s", (int)(text + length - equals - 1), equals + 1);
		if (parse_duration(time, &nanoseconds, err) != 0)
			return error_on(err, "--cost");
		costs[level] = (double)nanoseconds / 1e9;
		text += length + (text[length] == ',');
	}
	return 0;
}

static void set_costs(struct result *result, const double *costs)
{
	for (size_t s = 0; s < result->subject_count; s++)
		for (size_t i = 0; i < result->subjects[s].metric_count; i++) {
			struct measurement *m = &result->subjects[s].metrics[i];
			for (size_t k = 0; k < m->described->level_count; k++)
				if (costs[m->described->levels[k].level] > 0)
					m->described->levels[k].cost = costs[m->described->levels[k].level];
		}
}

static int read_first(const char *path, const struct plan_options *options, struct result *out, struct error *err)
{
	struct reading_options reading = READING_DEFAULTS;
	struct analysis_options analysis;
	struct text_list one = {&path, 1};
	reading.metrics = options->measure.metrics;
	if (reading_files(&reading, &one, NULL, out, err) != 0 || reading_analysis(&reading, &analysis, err) != 0)
		return -1;
	bool raw = out->subject_count > 0 && out->subjects[0].metric_count > 0 && out->subjects[0].metrics[0].n == 0;
	double costs[LEVEL_COUNT] = {0};
	if (parse_costs(options->cost, costs, err) != 0 || (raw && analyse_subjects(out, &analysis, err) != 0))
		return -1;
	set_costs(out, costs);
	return 0;
}

static int describe(struct repeat_plan *plan, const struct plan_options *options, struct error *err)
{
	struct host host = host_real();
	char now[64];
	clock_timestamp(&host, now, sizeof(now));
	plan->version = TARE_VERSION;
	plan->made = arena_strdup(&plan->arena, now);
	plan->confidence = 0.95;
	if (options->measure.confidence &&
	    measure_parse_confidence(options->measure.confidence, &plan->confidence, err) != 0)
		return -1;
	plan->budget = options->budget ? (double)options->budget / 1e9 : NAN;
	plan->precision = options->budget ? NAN : isnan(options->precision) ? 0.01 : options->precision;
	return plan->made ? fingerprint_read(&host, &plan->arena, &plan->machine, err) : error_memory(err);
}

static int print_plan(const struct repeat_plan *plan, const struct plan_options *options, struct buffer *out,
                      struct error *err)
{
	struct look look = output_look(options->measure.color, options->measure.ascii, output_is_stdout(options->output));
	for (size_t i = 0; i < plan->subject_count; i++) {
		struct plan_row rows[PLAN_ROWS];
		size_t count = 0;
		for (size_t r = 0; r < PLAN_ROWS; r++)
			count += plan_row(&plan->subjects[i], plan_half_widths[r], plan->confidence, 0.99, &rows[count]);
		if (i > 0)
			buffer_char(out, '\n');
		if (plan_text(plan, &plan->subjects[i], rows, count, &look, out, err) != 0)
			return -1;
	}
	return 0;
}

static int make_plan(const struct told *told, struct buffer *out, struct error *err)
{
	return plan_document_write(told->context, out, err);
}

static int save(const struct repeat_plan *plan, const struct plan_options *options, const struct wants *wants,
                bool interrupted, struct buffer *text, struct error *err)
{
	static const struct document_makers makers = {.plan = make_plan};
	const char *path = options->output ? options->output : usual_output;
	if (options->measure.no_save)
		return 0;
	if (interrupted && !options->output && file_kind(&syscalls_libc, path) != FILE_MISSING) {
		buffer_printf(text, "\nnot saved: this is by an interrupted experiment, and there is a %s; -o FILE saves it\n",
		              path);
		return 0;
	}
	int status = documents_save(&(struct document_paths){.plan = path},
	                            &(struct told){.makers = &makers, .context = plan}, err);
	if (status == 0 && !output_is_stdout(path))
		buffer_printf(text, "\nsaved in %s; to follow it: tare %s --plan %s %s\n", path,
		              wants->harness ? "bench" : "run", path, wants->harness ? "PROGRAM" : "COMMAND");
	return status;
}

/* A plan that cannot be saved is printed all the same. */
static int conclude(const struct plan_options *options, const struct result *first, const struct wants *wants,
                    bool interrupted, struct error *err)
{
	SCOPED(repeat_plan) struct repeat_plan plan;
	SCOPED(buffer) struct buffer text = {0};
	struct error later;
	const char *metric = options->measure.metrics.count ? options->measure.metrics.items[0] : NULL;
	repeat_plan_init(&plan);
	if (describe(&plan, options, err) != 0 || plan_from_result(&plan, first, metric, err) != 0 ||
	    print_plan(&plan, options, &text, err) != 0)
		return -1;
	for (size_t i = 0; i < first->warning_count; i++)
		if (strcmp(first->warnings[i].code, "same-binary") == 0)
			buffer_printf(&text, "\nnote: %s\n", first->warnings[i].text);
	int status = save(&plan, options, wants, interrupted, &text, err);
	int printed = message_print_to(output_is_stdout(options->output), &text, status == 0 ? err : &later);
	return status == 0 ? printed : -1;
}

/* What a suite file says goes further than a first experiment: tare run or bench makes it. */
static int refuse_suites(const struct text_list *words, struct error *err)
{
	SCOPED(suite_use) struct suite_use suite = {.open = false};
	if (suite_use_open(&suite, words, err) != 0)
		return -1;
	if (!suite.open)
		return 0;
	error_full(err, ERROR_USAGE, words->items[0], NULL, "a suite file is measured first, then planned by its result");
	return error_next(err, "tare run %s --json first.json (programs: tare bench), then tare plan --from first.json",
	                  words->items[0]);
}

/* A saved result, or a file of results, is what --from takes. */
static int refuse_results(const struct text_list *words, struct error *err)
{
	for (size_t i = 0; i < words->count; i++) {
		const char *word = words->items[i];
		bool result = word[0] == '@' || text_ends_with(word, ".json");
		if (!result || access(word, X_OK) == 0)
			continue;
		error_set(err, ERROR_USAGE, "this is no command");
		error_on(err, "%s", word);
		return error_next(err, "to plan from a result: tare plan --from %s", word);
	}
	return 0;
}

static int check(const struct plan_options *options, const struct text_list *words, struct wants *wants,
                 struct error *err)
{
	*wants = (struct wants){.builds = options->build || options->builds};
	if (options->budget && !isnan(options->precision))
		return error_set(err, ERROR_USAGE, "--budget and --precision contradict each other: plan for one of them");
	if (options->from && words->count > 0)
		return error_set(err, ERROR_USAGE, "--from plans from a result and takes no commands");
	if (!options->from && words->count == 0)
		return error_full(err, ERROR_USAGE, NULL, "for example: tare plan ./suite, or tare plan './sort input'",
		                  "nothing to plan for");
	if (refuse_suites(words, err) != 0 || refuse_results(words, err) != 0)
		return -1;
	if (options->cost && !options->from)
		return error_set(err, ERROR_USAGE, "--cost is for --from: a first experiment measures its costs");
	if (options->levels && options->from)
		return error_set(err, ERROR_USAGE, "--from has its own levels and takes no --levels");
	if (options->levels && read_levels(options->levels, &wants->builds, &wants->harness, err) != 0)
		return -1;
	if (!options->levels && !options->from)
		wants->harness = is_harness_program(words->items[0]) || session_recognises(words->items[0]);
	bool of_commands = options->setup || options->cleanup || options->hooks.prepare.count ||
	                   options->hooks.conclude.count || options->warmup >= 0;
	if (wants->harness && of_commands)
		return error_set(
			err, ERROR_USAGE,
			"--warmup, --setup, --prepare, --conclude and --cleanup go with commands, not with benchmarks");
	if (options->shell && options->no_shell)
		return error_set(err, ERROR_USAGE, "--shell and --no-shell contradict each other");
	if (options->from && (of_commands || options->measure.dry_run || options->ignore_failure))
		return error_set(err, ERROR_USAGE, "--from measures nothing and takes no hooks, --warmup, -i or --dry-run");
	if (wants->builds && options->from)
		return error_set(err, ERROR_USAGE, "--from plans from a result and takes no --build or --builds");
	const struct document_paths out = {.plan = options->output ? options->output : usual_output};
	return options->measure.no_save || options->measure.dry_run ? 0 : documents_check(&out, err);
}

static int plan(const void *chosen, const struct text_list *words, struct error *err)
{
	const struct plan_options *options = chosen;
	struct host host = host_real();
	struct spawner *spawner = NULL;
	SCOPED(experiment) struct experiment experiment;
	SCOPED(result) struct result first = result_empty();
	struct wants wants;
	experiment_init(&experiment);
	if (check(options, words, &wants, err) != 0)
		return -1;
	int status = 0;
	if (options->from) {
		status = read_first(options->from, options, &first, err);
	} else {
		spawner = wants.harness ? NULL : spawner_open(&host, err);
		status = spawner || wants.harness ? build_experiment(&experiment, options, words, &wants, err) : -1;
		bool unbuilt = status == 0 && wants.builds && !options->levels && is_missing(words->items[0]);
		if (unbuilt)
			status = look_at_build(&experiment, options, spawner, &wants.harness, err);
		if (unbuilt && status == 0 && wants.harness) {
			experiment_release(&experiment);
			experiment_init(&experiment);
			status = build_experiment(&experiment, options, words, &wants, err);
		}
		if (status == 0)
			status = measure(&experiment, options, spawner, &wants, &first, err);
	}
	for (size_t i = 0; i < first.subject_count && options->from; i++)
		wants.harness |= first.subjects[i].benchmark != NULL;
	struct error later;
	if (status == 0 && !options->measure.dry_run)
		status = conclude(options, &first, &wants, false, err);
	/* What was measured before an interruption is planned by all the same, where it is enough. */
	else if (status != 0 && err->kind == ERROR_INTERRUPTED && result_has_samples(&first) &&
	         conclude(options, &first, &wants, true, &later) != 0 && later.kind != ERROR_NO_DATA)
		message_error(&later);
	spawner_close(spawner);
	return status;
}

static int plan_main(const struct command *command, int argc, char **argv)
{
	struct plan_options options = {.measure = MEASURE_DEFAULTS, .precision = NAN, .warmup = -1};
	options.measure.seed = 1;
	return act(command, argc, argv, &options, plan);
}

const struct command command_plan = {
	.name = "plan",
	.summary = "how many repetitions an experiment needs",
	.usage = "tare plan [options] COMMAND… | PROGRAM…",
	.about = "Runs a first experiment, finds out what varies and what it costs, and says how\n"
			 "many runs and iterations each precision needs, and how long they take.\n"
			 "'tare run --plan FILE' and 'tare bench --plan FILE' follow the plan.\n"
			 "Example: tare plan --precision 0.5% ./suite",
	.options = plan_options,
	.main = plan_main,
};
