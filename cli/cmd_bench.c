/* tare bench: measure the benchmarks in harness programs, and compare programs benchmark by benchmark. */
#include "analysis/suite.h"
#include "base/parse.h"
#include "cli/commands.h"
#include "cli/fleet_use.h"
#include "cli/git_sides.h"
#include "cli/measure.h"
#include "cli/measure_options.h"
#include "cli/message.h"
#include "cli/run_hints.h"
#include "design/subjects.h"
#include "cli/suite_use.h"
#include "decide/phases.h"
#include "host/file.h"
#include "report/bench_report.h"
#include "report/suite_report.h"
#include "report/words.h"
#include "session/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct bench_options {
	struct measure_options measure;
	struct git_options git;
	struct builds_options builds;
	const char *filter, *vary, *program, *phases, *adapter, *state;
	struct text_list params, names, pis;
	int64_t iteration_time, iterations, min_warmup, max_warmup, start_limit;
	const char *priority, *variant;
	int64_t window, warmup_runs, stop_values;
	bool list, ignore_failure, lift, refill;
};

#define OFFSET(field) offsetof(struct bench_options, field)

static const struct option bench_options[] = {
	MEASURE_OPTIONS(OFFSET),
	FLEET_OPTIONS(OFFSET),
	GIT_OPTIONS(struct bench_options),
	BUILDS_OPTIONS(struct bench_options),
	OPTION(0, "program", "FILE", OPTION_TEXT, OFFSET(program), "the program that the build makes"),
	OPTION(0, "adapter", "NAME", OPTION_TEXT, OFFSET(adapter), "the framework of the suites (recognised)"),
	OPTION(0, "list", NULL, OPTION_FLAG, OFFSET(list), "print the names of the benchmarks"),
	OPTION(0, "filter", "REGEX", OPTION_TEXT, OFFSET(filter), "only benchmarks whose name matches (-REGEX: not)"),
	OPTION(0, "param", "NAME=A,…", OPTION_LIST, OFFSET(params), "only these values of a parameter"),
	OPTION(0, "pi", "NAME[:PCT]", OPTION_LIST, OFFSET(pis), "a number of the program's that must be precise too"),
	OPTION_OF(0, "phases", "RULE", OPTION_CHOICE, OFFSET(phases), "auto|edm|none", NULL),
	OPTION(0, "vary", "NAME=A,B,…", OPTION_TEXT, OFFSET(vary), "compare values of a parameter or variable"),
	OPTION('n', "program-name", "NAME", OPTION_LIST, OFFSET(names), "name of the next program"),
	OPTION(0, "iteration-time", "TIME", OPTION_DURATION, OFFSET(iteration_time),
           "of one iteration (found: 1ms or more)"),
	OPTION_WITHIN(0, "iterations", "N", OPTION_INTEGER, OFFSET(iterations), 1, 1e9, "of a run, after its warm-up (20)"),
	OPTION_WITHIN(0, "min-warmup", "N", OPTION_INTEGER, OFFSET(min_warmup), 0, 1e9,
                  "iterations left out of each run (auto)"),
	OPTION_WITHIN(0, "max-warmup", "N", OPTION_INTEGER, OFFSET(max_warmup), 0, 1e9, NULL),
	OPTION_OF(0, "state", "NAME", OPTION_CHOICE, OFFSET(state), "initialised", NULL),
	OPTION(0, "lift", NULL, OPTION_FLAG, OFFSET(lift), NULL),
	OPTION_OF(0, "stop-variant", "WHICH", OPTION_CHOICE, OFFSET(variant), "published|paper|fork", NULL),
	OPTION_WITHIN(0, "window", "N", OPTION_INTEGER, OFFSET(window), 1, 1e6, NULL),
	OPTION_WITHIN(0, "warmup-runs", "N", OPTION_INTEGER, OFFSET(warmup_runs), 0, 1e9, NULL),
	OPTION_WITHIN(0, "stop-values", "N", OPTION_INTEGER, OFFSET(stop_values), 2, 1e6, NULL),
	OPTION(0, "start-limit", "TIME", OPTION_DURATION, OFFSET(start_limit), NULL),
	OPTION_OF(0, "priority", "WHICH", OPTION_CHOICE, OFFSET(priority), "auto|keep", NULL),
	OPTION(0, "refill", NULL, OPTION_FLAG, OFFSET(refill), NULL),
	OPTION('i', "ignore-failure", NULL, OPTION_FLAG, OFFSET(ignore_failure), "continue without benchmarks that fail"),
	OPTION(0, "allow-missing", NULL, OPTION_FLAG, OFFSET(measure.allow_missing),
           "with --gate: benchmarks may be missing"),
	{0},
};

static const struct help_group screen[] = {
	{"what to measure", "filter param git"},
	{"when to stop", "precision max-time runs"},
	{"how to compare", "gate baseline"},
	{"outputs", "html json"},
	{0},
};

/* Of Google Benchmark and its like, for benchmarks that tare measures. */
static const struct foreign_option foreign[] = {
	{"benchmark_filter", "--filter REGEX chooses benchmarks"},
	{"benchmark_repetitions", "--runs N fixes the number of processes; without it the answer decides"},
	{"benchmark_min_time", "--iteration-time TIME is the time of one iteration, --max-time that of it all"},
	{"benchmark_out", "--json FILE keeps everything; 'tare export --format gbench' writes Google Benchmark's JSON"},
	{"benchmark_format", "--json FILE, --csv FILE and --markdown FILE write documents"},
	{"benchmark_list_tests", "--list prints the names of the benchmarks"},
	{0},
};

/* The names that the sides of --vary have, and the environment that makes them. */
static int set_variation(struct experiment *experiment, struct experiment_subject *subject, const char *name,
                         const char *value, struct error *err)
{
	struct arena *arena = &experiment->arena;
	size_t count = 0;
	while (subject->env && subject->env[count])
		count++;
	const char **env = arena_alloc(arena, count + 2, sizeof(*env));
	subject->parameters = arena_alloc(arena, 1, sizeof(*subject->parameters));
	if (!env || !subject->parameters)
		return error_memory(err);
	if (count > 0)
		memcpy(env, subject->env, count * sizeof(*env));
	env[count] = arena_printf(arena, "%s=%s", name, value);
	subject->parameters[0] = (struct parameter){name, value};
	subject->parameter_count = 1;
	subject->env = env;
	subject->name = arena_printf(arena, "%s=%s %s", name, value, subject->name);
	return env[count] && subject->name ? 0 : error_memory(err);
}

static int read_variation(const char *text, struct experiment *experiment, struct parameter_axis *axis,
                          struct error *err)
{
	const char *equals = strchr(text, '=');
	if (!equals || equals == text)
		return error_full(err, ERROR_USAGE, "--vary", NULL, "'%.100s' is not NAME=VALUE,VALUE", text);
	char *name = arena_strndup(&experiment->arena, text, (size_t)(equals - text));
	if (!name)
		return error_memory(err);
	if (parameter_list(&experiment->arena, name, equals + 1, axis, err) != 0)
		return -1;
	experiment->bench.vary = name;
	return 0;
}

/* A subject for every program and value of --vary. */
static int add_subjects(struct experiment *experiment, const struct bench_options *options, const struct side *sides,
                        size_t count, struct error *err)
{
	struct parameter_axis axis = {NULL, NULL, 1};
	if (options->vary && read_variation(options->vary, experiment, &axis, err) != 0)
		return -1;
	if (axis.count > BENCH_SIDES_MOST || count > BENCH_SIDES_MOST / axis.count)
		return error_set(err, ERROR_USAGE, "more than %d programs or values to compare", BENCH_SIDES_MOST);
	experiment->subjects = arena_alloc(&experiment->arena, axis.count * count, sizeof(*experiment->subjects));
	if (!experiment->subjects)
		return error_memory(err);
	for (size_t i = 0; i < count; i++)
		for (size_t v = 0; v < axis.count; v++) {
			struct experiment_subject *subject = &experiment->subjects[experiment->subject_count++];
			subject->command = sides[i].command;
			subject->name = sides[i].name ? sides[i].name : sides[i].command;
			subject->directory = sides[i].directory;
			subject->env = sides[i].env;
			subject->build = sides[i].build;
			subject->origin = sides[i].origin;
			if (axis.values && set_variation(experiment, subject, axis.name, axis.values[v], err) != 0)
				return -1;
		}
	return subjects_tell_apart(experiment, err);
}

/* The programs of the command line or of a suite file, or one program in two commits. */
static int add_sides(struct experiment *experiment, const struct bench_options *options,
                     const struct text_list *programs, struct git_sides *git, struct error *err)
{
	const char *program[] = {options->program};
	const struct text_list one = {program, 1}, *named = options->program ? &one : programs;
	struct side commits[2], *sides = commits;
	size_t count = 2;
	int status = 0;
	if (options->git.range) {
		status = git_sides_name(git, &options->git, named->items[0], commits, err);
	} else if (options->measure.suite) {
		status = suite_use_sides(options->measure.suite, true, &experiment->arena, &sides, &count, err);
	} else {
		sides = sides_of_words(&experiment->arena, named, &options->names);
		count = named->count;
		status = sides ? 0 : error_memory(err);
	}
	return status == 0 ? add_subjects(experiment, options, sides, count, err) : -1;
}

static int check_programs(const struct bench_options *options, size_t programs, bool with_builds, struct error *err)
{
	if (!options->git.range && !with_builds && ((options->git.build && !options->measure.suite) || options->program))
		return error_full(err, ERROR_USAGE, NULL,
		                  "name the commits to build: --git BASE[..HEAD]; or repeat builds: --levels build,run",
		                  "--%s without --git", options->program ? "program" : "build");
	if (options->measure.suite && (options->git.range || options->names.count))
		return error_set(err, ERROR_USAGE, "names and --git go with programs, not with a suite file");
	if (options->program && programs > 0)
		return error_full(err, ERROR_USAGE, NULL, "name it once: --program FILE, or as a word",
		                  "the program is named twice");
	if (options->git.range && (programs + (options->program != NULL) > 1 || options->vary || options->names.count))
		return error_set(err, ERROR_USAGE, "--git compares one program in two commits, without names and --vary");
	if (programs == 0 && !options->program)
		return error_full(err, ERROR_USAGE, NULL,
		                  options->git.range ? "name it as it lies after the build: --program build/suite"
		                                     : "for example: tare bench ./suite, or tare bench ./old ./new",
		                  "no program to measure");
	return sides_check_names(&options->names, programs + (options->program != NULL), "program", err);
}

/* A folder cannot be started, and says so only as a want of permission. */
static int check_folders(const struct text_list *programs, struct error *err)
{
	for (size_t i = 0; i < programs->count; i++) {
		const char *program = programs->items[i];
		if (file_kind(&syscalls_libc, program) != FILE_FOLDER)
			continue;
		error_full(err, ERROR_USAGE, program, NULL, "this is a folder, not a program");
		return error_next(err, "name the program in it; for a Go package: tare bench 'go test %.200s'", program);
	}
	return 0;
}

/* Rules that stop look at the means of runs, and pairs are of the same iteration anyway. */
static int check_state(const struct bench_options *options, const struct experiment *experiment, struct error *err)
{
	bool solo = experiment->subject_count == 1 || strcmp(experiment->design, "solo") == 0;
	if (!options->state || (solo && options->measure.runs))
		return 0;
	return error_full(err, ERROR_USAGE, NULL, "add -r N, and --design solo where there are several programs",
	                  "--state initialised is for runs that are not pairs, and a fixed number of them");
}

/* Parameters of a suite file: benchmarks that have one are measured for these values, unless --param was given. */
static int add_values(struct experiment *experiment, const struct bench_options *options, struct error *err)
{
	struct parameter_axis *axes = NULL;
	size_t count = 0;
	experiment->bench.values = options->params.items;
	experiment->bench.value_count = options->params.count;
	if (!options->measure.suite || options->params.count > 0)
		return 0;
	if (suite_use_axes(options->measure.suite, &experiment->arena, &axes, &count, err) != 0)
		return -1;
	const char **values = arena_alloc(&experiment->arena, count + 1, sizeof(*values));
	for (size_t i = 0; values && i < count; i++) {
		struct buffer text = {0};
		buffer_printf(&text, "%s=", axes[i].name);
		for (size_t v = 0; v < axes[i].count; v++) {
			buffer_text_add(&text, v ? "," : "");
			for (const char *c = axes[i].values[v]; *c; c++) {
				buffer_text_add(&text, *c == ',' || *c == '\\' ? "\\" : "");
				buffer_char(&text, *c);
			}
		}
		values[i] = buffer_keep(&text, &experiment->arena);
		if (!values[i])
			return error_memory(err);
	}
	experiment->bench.values = values;
	experiment->bench.value_count = count;
	return values ? 0 : error_memory(err);
}

/* --pi NAME[:PCT] */
static int read_indices(struct experiment *experiment, const struct bench_options *options, struct error *err)
{
	struct performance_index *pis = arena_alloc(&experiment->arena, options->pis.count, sizeof(*pis));
	if (!pis)
		return error_memory(err);
	for (size_t i = 0; i < options->pis.count; i++) {
		char *name = arena_strdup(&experiment->arena, options->pis.items[i]), *width = name ? strchr(name, ':') : NULL;
		if (!name)
			return error_memory(err);
		pis[i] = (struct performance_index){.metric = {name, "", BETTER_LOWER},
		                                    .units = true,
		                                    .precision = NAN,
		                                    .confidence = NAN,
		                                    .autocorrelation = NAN};
		if (width) {
			*width = '\0';
			if (parse_percent(width + 1, &pis[i].precision, err) != 0 || !(pis[i].precision > 0))
				return error_full(err, ERROR_USAGE, "--pi", "write it like hit-rate:2%", "'%.60s' is not a width",
				                  width + 1);
		}
	}
	experiment->pis = pis;
	experiment->pi_count = options->pis.count;
	return 0;
}

static int build_experiment(struct experiment *experiment, const struct bench_options *options,
                            const struct text_list *programs, struct git_sides *git, struct builds *builds,
                            struct error *err)
{
	if (builds_use_read(builds, &options->builds, err) != 0 ||
	    check_programs(options, programs->count, builds->wanted, err) != 0 ||
	    (!options->git.range && check_folders(programs, err) != 0) ||
	    measure_options_apply(&options->measure, experiment, err) != 0 ||
	    add_sides(experiment, options, programs, git, err) != 0)
		return -1;
	experiment->timeout = options->measure.timeout; /* 0: what suits iterations, not whole commands */
	experiment->ignore_failure = options->ignore_failure;
	experiment->refill = options->refill;
	experiment->bench.filter = options->filter;
	experiment->bench.adapter = options->adapter;
	if (add_values(experiment, options, err) != 0)
		return -1;
	experiment->bench.iteration_time = options->iteration_time;
	experiment->bench.iterations = (size_t)options->iterations;
	experiment->bench.min_warmup = options->min_warmup > 0 ? (size_t)options->min_warmup : 0;
	experiment->bench.min_warmup_given = options->min_warmup >= 0;
	if (options->max_warmup >= 0)
		experiment->bench.max_warmup = (size_t)options->max_warmup;
	experiment->bench.same_iteration = options->state != NULL;
	if (check_state(options, experiment, err) != 0)
		return -1;
	experiment->bench.start_limit = options->start_limit;
	experiment->bench.stability.variant = options->variant;
	experiment->bench.stability.window = (size_t)options->window;
	experiment->bench.stability.warmup_runs = options->warmup_runs > 0 ? (size_t)options->warmup_runs : 0;
	experiment->bench.warmup_runs_given = options->warmup_runs >= 0;
	experiment->bench.stability.values = (size_t)options->stop_values;
	experiment->bench.stability.lift = options->lift;
	experiment->phases = options->phases ? phases_rule_by_name(options->phases) : PHASES_NONE;
	experiment->bench.keep_priority = options->priority && strcmp(options->priority, "keep") == 0;
	if (options->measure.suite && suite_use_specials(options->measure.suite, experiment, err) != 0)
		return -1;
	if (experiment->bench.min_warmup > experiment->bench.max_warmup)
		return error_set(err, ERROR_USAGE, "--min-warmup is more than --max-warmup");
	return options->pis.count ? read_indices(experiment, options, err) : 0;
}

static struct suite_view view_of(const struct result *result)
{
	struct suite suite;
	suite_of(result, NO_SIDE, &suite);
	return (struct suite_view){.all_numbers = true, .geometric_mean = suite.ratio, .geometric_ci = suite.ci};
}

/* The name of a side: that of its subjects without the benchmark, which is the last word. */
static void add_side_name(const struct result *result, size_t side, struct buffer *out)
{
	for (size_t i = 0; i < result->subject_count; i++) {
		const struct subject *subject = &result->subjects[i];
		const char *space = strrchr(subject->name, ' ');
		if (subject->side != side)
			continue;
		buffer_add(out, subject->name, space ? (size_t)(space - subject->name) : strlen(subject->name));
		return;
	}
}

/* Several programs beside the first: the mean of each. */
static void add_means(const struct result *result, struct buffer *out)
{
	size_t sides = result_sides(result);
	for (size_t side = 1; side < sides && sides > 2; side++) {
		struct suite suite;
		suite_of(result, side, &suite);
		if (suite.count < 2 || isnan(suite.ratio))
			continue;
		buffer_text_add(out, "geometric mean of ");
		add_side_name(result, side, out);
		buffer_text_add(out, ": ");
		words_change_with_interval(suite.ratio, &suite.ci, out);
		buffer_char(out, '\n');
	}
}

static int text(const struct result *result, const struct look *look, struct buffer *out, struct error *err)
{
	if (result->comparison_count == 0)
		return bench_report(result, look, out, err);
	struct suite_view view = view_of(result);
	add_means(result, out);
	return suite_report_text(result, &view, look, out, err);
}

static int markdown(const struct result *result, const struct look *look, struct buffer *out, struct error *err)
{
	(void)look;
	if (result->comparison_count == 0)
		return bench_report(result, NULL, out, err);
	struct suite_view view = view_of(result);
	return suite_report_markdown(result, &view, out, err);
}

static int list(const struct experiment *experiment, const struct document_paths *paths)
{
	struct buffer names = {0};
	struct error err;
	documents_note_idle(paths, "--list prints names and measures nothing");
	int status = session_list(experiment, -1, &names, &err);
	return message_finish(status, false, &names, &err) == 0 ? 0 : message_error(&err);
}

static int bench_main(const struct command *command, int argc, char **argv)
{
	static const struct measure_kind kind = {.instrument = &instrument_programs, .text = text, .markdown = markdown};
	struct bench_options options = {.measure = MEASURE_DEFAULTS, .min_warmup = -1, .max_warmup = -1, .warmup_runs = -1};
	SCOPED(text_list) struct text_list words = {0};
	SCOPED(suite_use) struct suite_use suite = {.open = false};
	SCOPED(experiment) struct experiment experiment;
	SCOPED(git_sides) struct git_sides git = {0};
	SCOPED(builds) struct builds builds = {.wanted = false};
	struct error err;
	bool help;
	int code;
	experiment_init(&experiment);
	int failed = suite_use_parse_options(&suite, command, argc, argv, &options, &words, &help, &err);
	options.measure.suite = suite.open ? &suite : NULL;
	if (failed)
		code = measure_failed(&options.measure, &err);
	else if (help)
		code = message_help(command);
	else if (run_hints_refuse_data(&words, "bench", &err) != 0 ||
	         build_experiment(&experiment, &options, &words, &git, &builds, &err) != 0 ||
	         git_sides_make(&git, &instrument_programs, &options.git, &options.measure, &builds, &experiment, &err) !=
	             0)
		code = measure_failed(&options.measure, &err);
	else if (options.list)
		code = list(&experiment, &options.measure.out);
	else
		code = fleet_use_measure(&kind, command, &experiment, &options.measure, argc, argv);
	options_release(command, &options);
	return code;
}

const struct command command_bench = {
	.name = "bench",
	.summary = "measure the benchmarks in a program, or compare programs",
	.usage = "tare bench [options] PROGRAM… | FILE.yaml",
	.about = "Measures the benchmarks of each PROGRAM: made with <tare/bench.h> or a client,\n"
			 "or a suite of Google Benchmark, Go, pytest-benchmark, Catch2, criterion,\n"
			 "nanobench, tinybench, mitata or JMH as it is. Several are compared.\n"
			 "Example: tare bench ./suite-old ./suite-new",
	.options = bench_options,
	.screen = screen,
	.foreign = foreign,
	.main = bench_main,
};
