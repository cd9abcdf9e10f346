/* tare bench: measure the benchmarks in harness programs, and compare programs benchmark by benchmark. */
#include "analysis/suite.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/measure.h"
#include "cli/measure_options.h"
#include "cli/message.h"
#include "design/parameters.h"
#include "report/bench_report.h"
#include "report/suite_report.h"
#include "report/words.h"
#include "session/bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct bench_options {
	struct measure_options measure;
	const char *filter, *vary;
	struct text_list params, names;
	int64_t iteration_time, iterations, min_warmup, max_warmup, start_limit;
	const char *priority;
	bool list, ignore_failure, allow_missing;
};

#define OFFSET(field) offsetof(struct bench_options, field)

static const struct option bench_options[] = {
	MEASURE_OPTIONS(struct bench_options),
	{0, "list", NULL, OPTION_FLAG, OFFSET(list), "print the names of the benchmarks", 0, 0, NULL, 0},
	{0, "filter", "REGEX", OPTION_TEXT, OFFSET(filter), "only benchmarks whose name matches (-REGEX: not)", 0, 0, NULL, 0},
	{0, "param", "NAME=A,…", OPTION_LIST, OFFSET(params), "only these values of a parameter", 0, 0, NULL, 0},
	{0, "vary", "NAME=A,B,…", OPTION_TEXT, OFFSET(vary), "compare values of a parameter or variable", 0, 0, NULL, 0},
	{'n', "program-name", "NAME", OPTION_LIST, OFFSET(names), "name of the next program", 0, 0, NULL, 0},
	{0, "iteration-time", "TIME", OPTION_DURATION, OFFSET(iteration_time), "of one iteration (found: 1ms or more)", 0, 0, NULL, 0},
	{0, "iterations", "N", OPTION_INTEGER, OFFSET(iterations), "of a run, after its warm-up (20)", 1, 1e9, NULL, 0},
	{0, "min-warmup", "N", OPTION_INTEGER, OFFSET(min_warmup), "iterations left out of each run (found)", 0, 1e9, NULL, 0},
	{0, "max-warmup", "N", OPTION_INTEGER, OFFSET(max_warmup), NULL, 0, 1e9, NULL, 0},
	{0, "start-limit", "TIME", OPTION_DURATION, OFFSET(start_limit), NULL, 0, 0, NULL, 0},
	{0, "priority", "WHICH", OPTION_CHOICE, OFFSET(priority), NULL, 0, 0, "auto|keep", 0},
	{'i', "ignore-failure", NULL, OPTION_FLAG, OFFSET(ignore_failure), "do without benchmarks that fail", 0, 0, NULL, 0},
	{0, "allow-missing", NULL, OPTION_FLAG, OFFSET(allow_missing), NULL, 0, 0, NULL, 0},
	{0},
};

/* The names that the sides of --vary have, and the environment that makes them. */
static int set_variation(struct experiment *experiment, struct experiment_subject *subject, const char *name, const char *value,
                         struct error *err)
{
	struct arena *arena = &experiment->arena;
	const char **env = arena_alloc(arena, 2, sizeof(*env));
	subject->parameters = arena_alloc(arena, 1, sizeof(*subject->parameters));
	if (!env || !subject->parameters)
		return error_memory(err);
	env[0] = arena_printf(arena, "%s=%s", name, value);
	subject->parameters[0] = (struct parameter){name, value};
	subject->parameter_count = 1;
	subject->env = env;
	subject->name = arena_printf(arena, "%s=%s %s", name, value, subject->name);
	return env[0] && subject->name ? 0 : error_memory(err);
}

static int read_variation(const char *text, struct experiment *experiment, struct parameter_axis *axis, struct error *err)
{
	const char *equals = strchr(text, '=');
	if (!equals || equals == text) {
		error_set(err, ERROR_USAGE, "'%.100s' is not NAME=VALUE,VALUE", text);
		return error_on(err, "--vary");
	}
	char *name = arena_strndup(&experiment->arena, text, (size_t)(equals - text));
	if (!name)
		return error_memory(err);
	if (parameter_list(&experiment->arena, name, equals + 1, axis, err) != 0)
		return -1;
	experiment->bench.vary = name;
	return 0;
}

/* The same program twice is compared with itself; its second side gets a number. */
static int tell_apart(struct experiment *experiment, struct error *err)
{
	for (size_t i = 1; i < experiment->subject_count; i++) {
		size_t same = 0;
		for (size_t j = 0; j < i; j++)
			same += strcmp(experiment->subjects[j].command, experiment->subjects[i].command) == 0;
		bool taken = false;
		for (size_t j = 0; j < i; j++)
			taken |= strcmp(experiment->subjects[j].name, experiment->subjects[i].name) == 0;
		if (!taken)
			continue;
		experiment->subjects[i].name = arena_printf(&experiment->arena, "%s #%zu", experiment->subjects[i].name, same + 1);
		if (!experiment->subjects[i].name)
			return error_memory(err);
	}
	return 0;
}

static int add_sides(struct experiment *experiment, const struct bench_options *options, const struct text_list *programs,
                     struct error *err)
{
	struct parameter_axis axis = {NULL, NULL, 1};
	if (options->vary && read_variation(options->vary, experiment, &axis, err) != 0)
		return -1;
	if (axis.count > BENCH_SIDES_MOST || programs->count > BENCH_SIDES_MOST / axis.count)
		return error_set(err, ERROR_USAGE, "more than %d programs or values to compare", BENCH_SIDES_MOST);
	experiment->subjects = arena_alloc(&experiment->arena, axis.count * programs->count, sizeof(*experiment->subjects));
	if (!experiment->subjects)
		return error_memory(err);
	for (size_t i = 0; i < programs->count; i++)
		for (size_t v = 0; v < axis.count; v++) {
			struct experiment_subject *subject = &experiment->subjects[experiment->subject_count++];
			subject->command = programs->items[i];
			subject->name = i < options->names.count ? options->names.items[i] : programs->items[i];
			if (options->vary && set_variation(experiment, subject, axis.name, axis.values[v], err) != 0)
				return -1;
		}
	return tell_apart(experiment, err);
}

static int build_experiment(struct experiment *experiment, const struct bench_options *options, const struct text_list *programs,
                            struct error *err)
{
	if (programs->count == 0) {
		error_set(err, ERROR_USAGE, "no program to measure");
		return error_next(err, "for example: tare bench ./suite, or tare bench ./old ./new");
	}
	if (options->names.count > programs->count)
		return error_set(err, ERROR_USAGE, "%zu names for %zu programs", options->names.count, programs->count);
	if (measure_options_apply(&options->measure, experiment, err) != 0 || add_sides(experiment, options, programs, err) != 0)
		return -1;
	experiment->timeout = options->measure.timeout; /* 0: what suits iterations, not whole commands */
	experiment->ignore_failure = options->ignore_failure;
	experiment->bench.filter = options->filter;
	experiment->bench.values = options->params.items;
	experiment->bench.value_count = options->params.count;
	experiment->bench.iteration_time = options->iteration_time;
	experiment->bench.iterations = (size_t)options->iterations;
	experiment->bench.min_warmup = options->min_warmup > 0 ? (size_t)options->min_warmup : 0;
	if (options->max_warmup >= 0)
		experiment->bench.max_warmup = (size_t)options->max_warmup;
	experiment->bench.start_limit = options->start_limit;
	experiment->bench.keep_priority = options->priority && strcmp(options->priority, "keep") == 0;
	if (experiment->bench.min_warmup > experiment->bench.max_warmup)
		return error_set(err, ERROR_USAGE, "--min-warmup is more than --max-warmup");
	return 0;
}

/* Measuring, as measure_and_report wants it. */

static int run(const struct experiment *experiment, struct spawner *spawner, int cancel, const struct session_observer *observer,
               struct result *out, bool *missing, struct error *err)
{
	struct bench_summary summary;
	(void)spawner;
	int status = bench_run(experiment, cancel, observer, out, &summary, err);
	*missing = summary.missing > 0;
	return status;
}

static int run_allowing(const struct experiment *experiment, struct spawner *spawner, int cancel,
                        const struct session_observer *observer, struct result *out, bool *missing, struct error *err)
{
	int status = run(experiment, spawner, cancel, observer, out, missing, err);
	*missing = false;
	return status;
}

static int dry_run(const struct experiment *experiment, struct spawner *spawner, int cancel, struct buffer *out,
                   struct error *err)
{
	(void)spawner;
	return bench_dry_run(experiment, cancel, out, err);
}

static struct suite_view view_of(const struct result *result)
{
	struct suite suite;
	double level = result->comparison_count > 0 && isfinite(result->comparisons[0].ci.level) ? result->comparisons[0].ci.level : 0.99;
	bool two = true;
	for (size_t i = 0; i < result->subject_count; i++)
		two &= !result->subjects[i].letter || strcmp(result->subjects[i].letter, "B") <= 0;
	suite_of(result, level, NULL, &suite);
	return (struct suite_view){.all_numbers = true, .geometric_mean = two ? suite.ratio : NAN, .geometric_ci = suite.ci};
}

/* Several programs beside the first: the mean of each. */
static void add_means(const struct result *result, struct buffer *out)
{
	const char *last = "B";
	for (size_t i = 0; i < result->subject_count; i++)
		if (result->subjects[i].letter && strcmp(result->subjects[i].letter, last) > 0)
			last = result->subjects[i].letter;
	for (char letter = 'B'; letter <= last[0] && last[0] > 'B'; letter++) {
		const char name[2] = {letter, '\0'};
		struct suite suite;
		suite_of(result, 0.99, name, &suite);
		if (suite.count < 2)
			continue;
		buffer_printf(out, "geometric mean of program %d: ", letter - 'A' + 1);
		words_change(suite.ratio, suite.ci.low, suite.ci.high, out);
		buffer_char(out, ' ');
		words_change_interval(&suite.ci, out);
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

static int markdown(const struct result *result, struct buffer *out, struct error *err)
{
	if (result->comparison_count == 0)
		return bench_report(result, NULL, out, err);
	struct suite_view view = view_of(result);
	return suite_report_markdown(result, &view, out, err);
}

static int list(const struct experiment *experiment)
{
	struct buffer names = {0};
	struct error err;
	int status = bench_list(experiment, -1, &names, &err);
	if (status == 0)
		status = message_print(&names, &err);
	buffer_release(&names);
	return status == 0 ? 0 : message_error(&err);
}

static int bench_main(const struct command *command, int argc, char **argv)
{
	static const struct measure_kind strict = {.check = bench_check, .run = run, .dry_run = dry_run, .text = text, .markdown = markdown};
	struct measure_kind kind = strict;
	struct bench_options options = {.max_warmup = -1};
	struct text_list words = {0};
	struct experiment experiment;
	struct error err;
	bool help;
	int code;
	measure_options_init(&options.measure);
	experiment_init(&experiment);
	if (options_parse(command, argc, argv, &options, &words, &help, &err) != 0)
		code = message_error(&err);
	else if (help)
		code = message_help(command);
	else if (build_experiment(&experiment, &options, &words, &err) != 0)
		code = measure_failed(&options.measure, &err);
	else if (options.list)
		code = list(&experiment);
	else {
		kind.run = options.allow_missing ? run_allowing : run;
		code = measure_and_report(&kind, &experiment, &options.measure, argc, argv);
	}
	experiment_release(&experiment);
	text_list_release(&words);
	options_release(command, &options);
	return code;
}

const struct command command_bench = {
	.name = "bench",
	.summary = "measure the benchmarks in a program; several: compare",
	.usage = "tare bench [options] PROGRAM…",
	.about = "Measures the benchmarks of each PROGRAM (written with <tare/bench.h> or a client);\n"
	         "several programs are compared benchmark by benchmark with the first.\n"
	         "Example: tare bench ./suite-old ./suite-new",
	.options = bench_options,
	.main = bench_main,
};
