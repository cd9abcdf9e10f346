/* tare run: measure commands and compare them. */
#include "base/format.h"
#include "base/parse.h"
#include "cli/commands.h"
#include "cli/measure.h"
#include "cli/measure_options.h"
#include "cli/message.h"
#include "design/parameters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct run_options {
	struct measure_options measure;
	int64_t warmup;
	const char *setup, *cleanup;
	struct text_list prepare, conclude, names, scans, steps, lists, pis;
	const char *shell, *input, *output, *check, *reference, *expect_exit, *time_unit;
	bool no_shell, ignore_failure, show_output, no_pad, refill, counters;
};

#define OFFSET(field) offsetof(struct run_options, field)

static const struct option run_options[] = {
	MEASURE_OPTIONS(struct run_options),
	{'w', "warmup", "N", OPTION_INTEGER, OFFSET(warmup), "runs of each before the kept ones (found)", 0, 1e9, NULL, 0},
	{0, "pi", "SPEC", OPTION_LIST, OFFSET(pis), "a number the program prints: NAME:UNIT:FROM", 0, 0, NULL, 0},
	{0, "counters", NULL, OPTION_FLAG, OFFSET(counters), "hardware counters, where there are any", 0, 0, NULL, 0},
	{'P', "parameter-scan", "VAR MIN MAX", OPTION_LIST, OFFSET(scans), "one command for each value of {VAR}", 0, 0, NULL, 3},
	{'D', "parameter-step-size", "STEP", OPTION_LIST, OFFSET(steps), NULL, 0, 0, NULL, 0},
	{'L', "parameter-list", "VAR A,B,…", OPTION_LIST, OFFSET(lists), "the same, from a list", 0, 0, NULL, 2},
	{'n', "command-name", "NAME", OPTION_LIST, OFFSET(names), "name of the next command", 0, 0, NULL, 0},
	{0, "reference", "NAME", OPTION_TEXT, OFFSET(reference), "compare with this one (the first)", 0, 0, NULL, 0},
	{'s', "setup", "CMD", OPTION_TEXT, OFFSET(setup), "before the measurements", 0, 0, NULL, 0},
	{'p', "prepare", "CMD", OPTION_LIST, OFFSET(prepare), "before each run", 0, 0, NULL, 0},
	{'C', "conclude", "CMD", OPTION_LIST, OFFSET(conclude), NULL, 0, 0, NULL, 0},
	{'c', "cleanup", "CMD", OPTION_TEXT, OFFSET(cleanup), "after the measurements, also after a failure", 0, 0, NULL, 0},
	{'S', "shell", "SHELL", OPTION_TEXT, OFFSET(shell), "run commands by a shell ('default': sh)", 0, 0, NULL, 0},
	{'N', "no-shell", NULL, OPTION_FLAG, OFFSET(no_shell), NULL, 0, 0, NULL, 0},
	{0, "input", "FILE", OPTION_TEXT, OFFSET(input), NULL, 0, 0, NULL, 0},
	{0, "output", "WHERE", OPTION_TEXT, OFFSET(output), NULL, 0, 0, NULL, 0},
	{0, "show-output", NULL, OPTION_FLAG, OFFSET(show_output), NULL, 0, 0, NULL, 0},
	{0, "check", "CMD", OPTION_TEXT, OFFSET(check), NULL, 0, 0, NULL, 0},
	{0, "expect-exit", "CODES", OPTION_TEXT, OFFSET(expect_exit), NULL, 0, 0, NULL, 0},
	{'i', "ignore-failure", NULL, OPTION_FLAG, OFFSET(ignore_failure), "go on when a command fails", 0, 0, NULL, 0},
	{'u', "time-unit", "UNIT", OPTION_CHOICE, OFFSET(time_unit), NULL, 0, 0, "microsecond|millisecond|second", 0},
	{0, "no-pad", NULL, OPTION_FLAG, OFFSET(no_pad), NULL, 0, 0, NULL, 0},
	{0, "refill", NULL, OPTION_FLAG, OFFSET(refill), NULL, 0, 0, NULL, 0},
	{0},
};

static int read_axes(const struct run_options *options, struct arena *arena, struct parameter_axis *axes,
                     struct error *err)
{
	size_t count = 0;
	for (size_t i = 0; i < options->scans.count; i += 3, count++) {
		const char *step = i / 3 < options->steps.count ? options->steps.items[i / 3] : NULL;
		const char **words = options->scans.items + i;
		if (parameter_range(arena, words[0], words[1], words[2], step, &axes[count], err) != 0)
			return -1;
	}
	for (size_t i = 0; i < options->lists.count; i += 2, count++)
		if (parameter_list(arena, options->lists.items[i], options->lists.items[i + 1], &axes[count], err) != 0)
			return -1;
	return 0;
}

/* The command given for this position: one for all, or one each. */
static const char *hook_for(const struct text_list *hooks, size_t position)
{
	return hooks->count == 0 ? NULL : hooks->items[hooks->count == 1 ? 0 : position];
}

static char *subject_name(struct arena *arena, const char *stem, const struct parameter *values, size_t count)
{
	struct buffer name = {0};
	buffer_text_add(&name, stem);
	for (size_t i = 0; i < count; i++)
		buffer_printf(&name, "%s%s=%s", i ? ", " : " (", values[i].name, values[i].value);
	buffer_text_add(&name, count ? ")" : "");
	char *copy = buffer_error(&name, NULL) == 0 ? arena_strdup(arena, buffer_text(&name)) : NULL;
	buffer_release(&name);
	return copy;
}

static int add_subject(struct experiment *experiment, const struct run_options *options, const char *command,
                       size_t position, const struct parameter *values, size_t count, struct error *err)
{
	struct arena *arena = &experiment->arena;
	struct experiment_subject *subject = &experiment->subjects[experiment->subject_count];
	const char *prepare = hook_for(&options->prepare, position), *conclude = hook_for(&options->conclude, position);
	subject->parameters = arena_alloc(arena, count, sizeof(*values));
	subject->command = parameter_substitute(arena, command, values, count);
	subject->prepare = prepare ? parameter_substitute(arena, prepare, values, count) : NULL;
	subject->conclude = conclude ? parameter_substitute(arena, conclude, values, count) : NULL;
	const char *given = position < options->names.count ? options->names.items[position] : NULL;
	/* A command that holds its parameters is told apart by them already. */
	bool substituted = subject->command && strcmp(subject->command, command) != 0;
	subject->name = given ? subject_name(arena, given, values, count)
	                      : subject_name(arena, subject->command ? subject->command : "", values, substituted ? 0 : count);
	if (!subject->parameters || !subject->command || !subject->name || (prepare && !subject->prepare) ||
	    (conclude && !subject->conclude))
		return error_memory(err);
	memcpy(subject->parameters, values, count * sizeof(*values));
	subject->parameter_count = count;
	experiment->subject_count++;
	return 0;
}

static int add_subjects(struct experiment *experiment, const struct run_options *options,
                        const struct text_list *commands_given, struct error *err)
{
	enum { MOST_SUBJECTS = 10000 };
	struct arena *arena = &experiment->arena;
	size_t axis_count = options->scans.count / 3 + options->lists.count / 2;
	struct parameter_axis *axes = arena_alloc(arena, axis_count + 1, sizeof(*axes));
	struct parameter *values = arena_alloc(arena, axis_count + 1, sizeof(*values));
	if (!axes || !values)
		return error_memory(err);
	if (read_axes(options, arena, axes, err) != 0)
		return -1;
	size_t combinations = parameter_combinations(axes, axis_count);
	if (combinations > MOST_SUBJECTS / commands_given->count) {
		error_set(err, ERROR_USAGE, "the parameters make more than %d commands", MOST_SUBJECTS);
		return error_next(err, "scan fewer values at a time");
	}
	experiment->subjects = arena_alloc(arena, combinations * commands_given->count, sizeof(*experiment->subjects));
	if (!experiment->subjects)
		return error_memory(err);
	for (size_t c = 0; c < combinations; c++) {
		parameter_combination(axes, axis_count, c, values);
		for (size_t i = 0; i < commands_given->count; i++)
			if (add_subject(experiment, options, commands_given->items[i], i, values, axis_count, err) != 0)
				return -1;
	}
	return 0;
}

/* Two commands of one name would be one subject in every table: the later ones get a number. */
static int tell_apart(struct experiment *experiment, struct error *err)
{
	for (size_t i = 1; i < experiment->subject_count; i++) {
		size_t same = 1;
		for (size_t j = 0; j < i; j++)
			same += strcmp(experiment->subjects[j].command, experiment->subjects[i].command) == 0 &&
			        strncmp(experiment->subjects[j].name, experiment->subjects[i].name,
			                strlen(experiment->subjects[i].name)) == 0;
		bool taken = false;
		for (size_t j = 0; j < i; j++)
			taken |= strcmp(experiment->subjects[j].name, experiment->subjects[i].name) == 0;
		if (!taken)
			continue;
		experiment->subjects[i].name =
			arena_printf(&experiment->arena, "%s #%zu", experiment->subjects[i].name, same > 1 ? same : i + 1);
		if (!experiment->subjects[i].name)
			return error_memory(err);
	}
	return 0;
}

static int find_reference(struct experiment *experiment, const char *name, struct error *err)
{
	if (!name)
		return 0;
	for (size_t i = 0; i < experiment->subject_count; i++) {
		if (strcmp(experiment->subjects[i].name, name) == 0 || strcmp(experiment->subjects[i].command, name) == 0) {
			experiment->reference = i;
			return 0;
		}
	}
	error_set(err, ERROR_USAGE, "no command is named '%.100s'", name);
	error_on(err, "--reference");
	return error_next(err, "give the name set by -n, or the command as it was given");
}

static int parse_exits(struct experiment *experiment, const char *text, struct error *err)
{
	int *codes = arena_alloc(&experiment->arena, 256, sizeof(*codes));
	char *copy = arena_strdup(&experiment->arena, text), *rest = copy;
	if (!codes || !copy)
		return error_memory(err);
	for (char *word; (word = strsep(&rest, ",")) != NULL;) {
		int64_t code;
		if (experiment->expected_exit_count == 256 || parse_integer(word, 0, 255, &code, err) != 0)
			return error_on(err, "--expect-exit");
		codes[experiment->expected_exit_count++] = (int)code;
	}
	experiment->expected_exits = codes;
	return 0;
}

static int check_counts(const struct run_options *options, size_t commands_given, struct error *err)
{
	if (commands_given == 0) {
		error_set(err, ERROR_USAGE, "no command to measure");
		return error_next(err, "for example: tare run './old input' './new input'");
	}
	if (options->names.count > commands_given)
		return error_set(err, ERROR_USAGE, "%zu names for %zu commands", options->names.count, commands_given);
	if (options->prepare.count > 1 && options->prepare.count != commands_given)
		return error_set(err, ERROR_USAGE, "give --prepare once, or once for each command");
	if (options->conclude.count > 1 && options->conclude.count != commands_given)
		return error_set(err, ERROR_USAGE, "give --conclude once, or once for each command");
	if (options->shell && options->no_shell)
		return error_set(err, ERROR_USAGE, "--shell and --no-shell contradict each other");
	if (options->steps.count > options->scans.count / 3)
		return error_set(err, ERROR_USAGE, "--parameter-step-size without --parameter-scan");
	if (options->output && options->show_output)
		return error_set(err, ERROR_USAGE, "--output and --show-output contradict each other");
	return 0;
}

static int build_experiment(struct experiment *experiment, const struct run_options *options,
                            const struct text_list *commands_given, struct error *err)
{
	if (check_counts(options, commands_given->count, err) != 0 ||
	    measure_options_apply(&options->measure, experiment, err) != 0 ||
	    add_subjects(experiment, options, commands_given, err) != 0 || tell_apart(experiment, err) != 0 ||
	    find_reference(experiment, options->reference, err) != 0)
		return -1;
	if (options->expect_exit && parse_exits(experiment, options->expect_exit, err) != 0)
		return -1;
	if (experiment->stop == STOP_CV || experiment->stop == STOP_RCIW || experiment->stop == STOP_KLD) {
		error_set(err, ERROR_USAGE, "'%s' looks at iterations inside a process, which a command does not have",
		          stop_rule_name(experiment->stop));
		error_on(err, "--stop");
		return error_next(err, "choose auto, precision, verdict or fixed");
	}
	experiment->warmup = (long)options->warmup;
	experiment->shell = options->shell && strcmp(options->shell, "default") == 0 ? "sh" : options->shell;
	if (experiment->shell && strcmp(experiment->shell, "none") == 0)
		experiment->shell = NULL;
	experiment->setup = options->setup;
	experiment->cleanup = options->cleanup;
	experiment->input = options->input;
	experiment->output = options->show_output ? "inherit" : options->output ? options->output : "null";
	experiment->check = options->check;
	experiment->ignore_failure = options->ignore_failure;
	experiment->pad = !options->no_pad;
	experiment->refill = options->refill;
	experiment->counters = options->counters;
	return measure_read_pis(experiment, &options->pis, err);
}

static int run_main(const struct command *command, int argc, char **argv)
{
	struct run_options options = {.warmup = -1};
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
	else
		code = measure_and_report(&measure_commands, &experiment, &options.measure, argc, argv);
	experiment_release(&experiment);
	text_list_release(&words);
	options_release(command, &options);
	return code;
}

const struct command command_run = {
	.name = "run",
	.summary = "measure commands; several: which is faster",
	.usage = "tare run [options] COMMAND…",
	.about = "Measures each COMMAND (one string, no shell) until the answer is certain.\n"
	         "Example: tare run './old input' './new input'",
	.options = run_options,
	.main = run_main,
};
