/* tare run: measure commands and compare them. */
#include "base/parse.h"
#include "base/text.h"
#include "cli/again.h"
#include "cli/commands.h"
#include "cli/fleet_use.h"
#include "cli/git_sides.h"
#include "cli/measure.h"
#include "cli/measure_options.h"
#include "cli/message.h"
#include "cli/reading.h"
#include "cli/run_hints.h"
#include "design/subjects.h"
#include "cli/suite_use.h"
#include "decide/phases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct run_options {
	struct measure_options measure;
	struct git_options git;
	struct builds_options builds;
	int64_t warmup;
	const char *setup, *cleanup;
	struct side_lists given; /* for all commands or for each */
	struct text_list names, scans, steps, lists, pis, with;
	const char *shell, *input, *check, *reference, *reference_name, *expect_exit, *ignore_failure, *phases, *work,
		*append, *sort, *style;
	int64_t min_round;
	bool resume, no_shell, show_output, no_pad, refill, counters, rank, welch, overhead;
};

#define OFFSET(field) offsetof(struct run_options, field)

static const struct option run_options[] = {
	MEASURE_OPTIONS(OFFSET),
	FLEET_OPTIONS(OFFSET),
	GIT_OPTIONS(struct run_options),
	BUILDS_OPTIONS(struct run_options),
	OPTION_WITHIN('w', "warmup", "N", OPTION_INTEGER, OFFSET(warmup), 0, 1e9,
                  "runs of each before the kept ones (auto)"),
	OPTION(0, "pi", "SPEC", OPTION_LIST, OFFSET(pis), "a number the program prints: NAME:UNIT:FROM"),
	OPTION_OF(0, "phases", "RULE", OPTION_CHOICE, OFFSET(phases), "auto|edm|none", NULL),
	OPTION(0, "work", "MIN:MAX[:UNIT]", OPTION_TEXT, OFFSET(work), "tare chooses {work} in the command"),
	OPTION(0, "overhead", NULL, OPTION_FLAG, OFFSET(overhead), NULL),
	OPTION(0, "rank", NULL, OPTION_FLAG, OFFSET(rank), "order several commands, neighbours compared"),
	OPTION(0, "with", "RESULT", OPTION_LIST, OFFSET(with), "an earlier result takes part in --rank"),
	OPTION(0, "welch", NULL, OPTION_FLAG, OFFSET(welch), NULL),
	OPTION(0, "min-round", "TIME", OPTION_DURATION, OFFSET(min_round), NULL),
	OPTION(0, "counters", NULL, OPTION_FLAG, OFFSET(counters), "hardware counters, where there are any"),
	{'P', "parameter-scan", "VAR MIN MAX", OPTION_LIST, OFFSET(scans), "one command for each value of {VAR}", 0, 0,
     NULL, 3},
	OPTION('D', "parameter-step-size", "STEP", OPTION_LIST, OFFSET(steps), NULL),
	{'L', "parameter-list", "VAR A,B,…", OPTION_LIST, OFFSET(lists), "the same, from a list", 0, 0, NULL, 2},
	OPTION('n', "command-name", "NAME", OPTION_LIST, OFFSET(names), "name of the next command"),
	OPTION(0, "reference", "CMD", OPTION_TEXT, OFFSET(reference), "compare with this one (the first)"),
	OPTION(0, "reference-name", "NAME", OPTION_TEXT, OFFSET(reference_name), NULL),
	OPTION('s', "setup", "CMD", OPTION_TEXT, OFFSET(setup), "before the measurements"),
	OPTION('p', "prepare", "CMD", OPTION_LIST, OFFSET(given.prepare), "before each run"),
	OPTION('C', "conclude", "CMD", OPTION_LIST, OFFSET(given.conclude), NULL),
	OPTION('c', "cleanup", "CMD", OPTION_TEXT, OFFSET(cleanup), "after the measurements, also after a failure"),
	OPTION('S', "shell", "SHELL", OPTION_TEXT, OFFSET(shell), "run commands in a shell ('default': sh)"),
	OPTION('N', "no-shell", NULL, OPTION_FLAG, OFFSET(no_shell), NULL),
	OPTION(0, "input", "FILE", OPTION_TEXT, OFFSET(input), NULL),
	OPTION(0, "output", "WHERE", OPTION_LIST, OFFSET(given.outputs), NULL),
	OPTION(0, "show-output", NULL, OPTION_FLAG, OFFSET(show_output), NULL),
	OPTION(0, "check", "CMD", OPTION_TEXT, OFFSET(check), NULL),
	OPTION(0, "expect-exit", "CODES", OPTION_TEXT, OFFSET(expect_exit), NULL),
	OPTION('i', "ignore-failure", "CODES", OPTION_OPTIONAL, OFFSET(ignore_failure), "continue when a command fails"),
	OPTION_OF('u', "time-unit", "UNIT", OPTION_CHOICE, OFFSET(measure.time_unit), "microsecond|millisecond|second",
              NULL),
	OPTION(0, "export-csv", "FILE", OPTION_TEXT, OFFSET(measure.out.export_tables[HYPERFINE_CSV]), NULL),
	OPTION(0, "export-markdown", "FILE", OPTION_TEXT, OFFSET(measure.out.export_tables[HYPERFINE_MARKDOWN]), NULL),
	OPTION(0, "export-asciidoc", "FILE", OPTION_TEXT, OFFSET(measure.out.export_tables[HYPERFINE_ASCIIDOC]), NULL),
	OPTION(0, "export-orgmode", "FILE", OPTION_TEXT, OFFSET(measure.out.export_tables[HYPERFINE_ORGMODE]), NULL),
	OPTION_OF(0, "sort", "ORDER", OPTION_CHOICE, OFFSET(sort), "auto|command|mean-time", NULL),
	OPTION_OF(0, "style", "STYLE", OPTION_CHOICE, OFFSET(style), "auto|basic|full|nocolor|color|none", NULL),
	OPTION(0, "append", "RESULT", OPTION_TEXT, OFFSET(append), "continue a result: keep its runs, add new ones"),
	OPTION(0, "resume", NULL, OPTION_FLAG, OFFSET(resume), "continue the last run that was interrupted"),
	OPTION(0, "no-pad", NULL, OPTION_FLAG, OFFSET(no_pad), NULL),
	OPTION(0, "refill", NULL, OPTION_FLAG, OFFSET(refill), NULL),
	{0},
};

static const struct help_group screen[] = {
	{"what to measure", "git shell"},
	{"when to stop", "precision max-time runs"},
	{"how to compare", "metric gate baseline"},
	{"outputs", "html json"},
	{"hooks", "prepare"},
	{0},
};

/* The parameters of the suite file, then those of the command line. */
static int read_axes(const struct run_options *options, struct arena *arena, struct parameter_axis **out, size_t *count,
                     struct error *err)
{
	struct parameter_axis *of_file = NULL;
	size_t n = 0;
	if (options->measure.suite && suite_use_axes(options->measure.suite, arena, &of_file, &n, err) != 0)
		return -1;
	struct parameter_axis *axes = arena_alloc(arena, n + options->scans.count / 3 + options->lists.count / 2 + 1,
	                                          sizeof(*axes));
	if (!axes)
		return error_memory(err);
	if (n > 0)
		memcpy(axes, of_file, n * sizeof(*axes));
	size_t of_file_count = n;
	struct parameter_axis axis;
	for (size_t i = 0; i < options->scans.count; i += 3) {
		const char *step = i / 3 < options->steps.count ? options->steps.items[i / 3] : NULL;
		const char **words = options->scans.items + i;
		if (parameter_range(arena, words[0], words[1], words[2], step, &axis, err) != 0 ||
		    parameter_add(axes, &n, of_file_count, &axis, err) != 0)
			return -1;
	}
	for (size_t i = 0; i < options->lists.count; i += 2)
		if (parameter_list(arena, options->lists.items[i], options->lists.items[i + 1], &axis, err) != 0 ||
		    parameter_add(axes, &n, of_file_count, &axis, err) != 0)
			return -1;
	*out = axes;
	*count = n;
	return 0;
}

/* --reference may be a command that is not among the others. */
static bool reference_is_command(const struct run_options *options, const struct text_list *commands_given)
{
	bool named = false;
	if (!options->reference || options->measure.suite || options->git.range)
		return false;
	for (size_t i = 0; i < commands_given->count; i++)
		named |= strcmp(commands_given->items[i], options->reference) == 0;
	for (size_t i = 0; i < options->names.count; i++)
		named |= strcmp(options->names.items[i], options->reference) == 0;
	/* A name with parameters, as the table shows it. */
	named |= (options->scans.count || options->lists.count) && !run_hints_can_start(options->reference);
	return !named && (options->reference_name || options->shell || run_hints_can_start(options->reference));
}

/* What is to be measured: the commands of the command line or of a suite file, or one command in two commits. */
static int find_sides(struct experiment *experiment, const struct run_options *options,
                      const struct text_list *commands_given, struct git_sides *git, struct side **out, size_t *count,
                      struct error *err)
{
	struct arena *arena = &experiment->arena;
	if (options->measure.suite)
		return suite_use_sides(options->measure.suite, false, arena, out, count, err);
	*count = options->git.range ? 2 : commands_given->count;
	*out = options->git.range ? arena_alloc(arena, 2, sizeof(**out))
	                          : sides_of_words(arena, commands_given, &options->names);
	if (!*out)
		return error_memory(err);
	if (options->git.range && git_sides_name(git, &options->git, commands_given->items[0], *out, err) != 0)
		return -1;
	if (reference_is_command(options, commands_given)) { /* in front; sides_of_words() leaves room for it */
		memmove(*out + 1, *out, *count * sizeof(**out));
		(*out)[0] = (struct side){.name = options->reference_name, .command = options->reference};
		++*count;
	}
	return sides_set(*out, *count, &options->given, err);
}

/* All of --setup is done before the commands are measured in turns: what it makes for one must not be what it makes
 * for another. */
static int check_setups(const struct experiment *experiment, struct error *err)
{
	for (size_t i = 1; i < experiment->subject_count && experiment->subjects[0].setup; i++)
		for (size_t j = 0; j < i; j++) {
			const struct experiment_subject *a = &experiment->subjects[j], *b = &experiment->subjects[i];
			if (text_same(a->setup, b->setup) || !text_same(a->command, b->command) ||
			    !text_same(a->prepare, b->prepare) || !text_same(a->directory, b->directory) ||
			    !text_same_lists(a->env, b->env))
				continue;
			return error_full(err, ERROR_USAGE, "--setup",
			                  "let it make a program for each value, with the parameter in its name, or use --prepare",
			                  "every setup is done before the commands are measured in turns: '%.60s' would be "
			                  "the same program each time",
			                  b->command);
		}
	return 0;
}

static int add_subjects(struct experiment *experiment, const struct run_options *options,
                        const struct text_list *commands_given, struct git_sides *git, struct error *err)
{
	struct parameter_axis *axes;
	struct side *sides;
	size_t axis_count, count;
	if (read_axes(options, &experiment->arena, &axes, &axis_count, err) != 0 ||
	    find_sides(experiment, options, commands_given, git, &sides, &count, err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		sides[i].setup = options->setup;
		sides[i].cleanup = options->cleanup;
	}
	const struct side *once = reference_is_command(options, commands_given) ? &sides[0] : NULL;
	size_t own = once ? 1 : 0;
	return subjects_add(experiment, once, sides + own, count - own, axes, axis_count, err) != 0
	           ? -1
	           : check_setups(experiment, err);
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
	return error_full(err, ERROR_USAGE, "--reference",
	                  "give the name set by -n, a command of this line, or another one to measure",
	                  "no command is named '%.100s', and there is no such program", name);
}

/* --expect-exit has all codes that are no failure, -i=CODES those beside 0. */
static int read_exits(struct experiment *experiment, const struct run_options *options, struct error *err)
{
	struct welcome welcome;
	if (measure_parse_welcome(options->ignore_failure, &experiment->arena, &welcome, err) != 0)
		return -1;
	experiment->ignore_failure = welcome.alike;
	size_t expected = 0;
	int *codes = NULL;
	if (options->expect_exit &&
	    measure_parse_codes(options->expect_exit, "--expect-exit", &experiment->arena, &codes, &expected, err) != 0)
		return -1;
	if (welcome.code_count > 0) {
		int *all = arena_alloc(&experiment->arena, expected + welcome.code_count + 1, sizeof(*all));
		if (!all)
			return error_memory(err);
		if (expected > 0)
			memcpy(all, codes, expected * sizeof(*all));
		else
			all[expected++] = 0;
		memcpy(all + expected, welcome.codes, welcome.code_count * sizeof(*all));
		expected += welcome.code_count;
		codes = all;
	}
	experiment->expected_exits = codes;
	experiment->expected_exit_count = expected;
	return 0;
}

static int check_counts(const struct run_options *options, size_t commands_given, struct error *err)
{
	if (commands_given == 0) {
		error_set(err, ERROR_USAGE, "no command to measure");
		if (options->measure.plan)
			return error_next(err,
			                  "the plan says how often, not what: tare run --plan FILE './old input' './new input'");
		return error_next(err, "for example: tare run './old input' './new input'");
	}
	if (sides_check_names(&options->names, commands_given, "command", err) != 0)
		return -1;
	if (options->shell && options->no_shell)
		return error_set(err, ERROR_USAGE, "--shell and --no-shell contradict each other");
	if (options->steps.count > options->scans.count / 3)
		return error_set(err, ERROR_USAGE, "--parameter-step-size without --parameter-scan");
	if (options->reference_name && !options->reference)
		return error_set(err, ERROR_USAGE, "--reference-name names the command of --reference, which is missing");
	if (options->given.outputs.count && options->show_output)
		return error_set(err, ERROR_USAGE, "--output and --show-output contradict each other");
	return 0;
}

static bool has_unit_readings(const struct experiment *experiment)
{
	for (size_t i = 0; i < experiment->pi_count; i++)
		if (experiment->pis[i].units)
			return true;
	return false;
}

/* MIN:MAX[:UNIT] */
static int read_work(struct experiment *experiment, const struct run_options *options, struct error *err)
{
	struct experiment_work *work = &experiment->work;
	char *copy = options->work ? arena_strdup(&experiment->arena, options->work) : NULL, *rest = copy;
	work->shortest = options->min_round;
	if (!options->work)
		return options->min_round ? error_set(err, ERROR_USAGE, "--min-round goes with --work") : 0;
	if (!copy)
		return error_memory(err);
	const char *low = strsep(&rest, ":"), *high = strsep(&rest, ":");
	if (!high || parse_double(low, &work->low, err) != 0 || parse_double(high, &work->high, err) != 0 ||
	    !(work->low >= 0) || !(work->high > work->low))
		return error_full(err, ERROR_USAGE, "--work", "write it like 1:1000 or 1:1000:MB, the smaller first",
		                  "'%.60s' is not a range of work amounts", options->work);
	for (size_t s = 0; s < experiment->subject_count; s++)
		if (!strstr(experiment->subjects[s].command, "{work}"))
			return error_full(err, ERROR_USAGE, NULL, "for example: tare run --work 1:1000:MB './writer {work}'",
			                  "--work needs commands that have {work} in them");
	bool several = experiment->subject_count > 1;
	if (options->rank || (several && (has_unit_readings(experiment) || !isnan(experiment->gate))))
		return error_full(err, ERROR_USAGE, NULL, "leave out unit readings, --rank and --gate",
		                  "commands with --work are compared by the time of a unit of work");
	work->unit = rest ? rest : "";
	work->given = true;
	return 0;
}

static int check_sources(const struct run_options *options, size_t commands_given, bool with_builds, struct error *err)
{
	if (options->measure.suite && (options->git.range || options->names.count || options->given.prepare.count ||
	                               options->given.conclude.count || options->given.outputs.count > 1))
		return error_set(err, ERROR_USAGE,
		                 "names, --prepare, --conclude and --git go with commands, not with a suite file");
	if (!options->git.range && options->git.build && !with_builds && !options->measure.suite)
		return error_full(err, ERROR_USAGE, NULL,
		                  "name the commits to build: --git BASE[..HEAD]; or repeat builds: --levels build,run",
		                  "--build without --git");
	if (with_builds && (options->work || options->rank || options->overhead || options->append))
		return error_set(err, ERROR_USAGE, "--levels build goes with neither --work, --rank, --overhead nor --append");
	if (options->git.range &&
	    (commands_given > 1 || options->scans.count || options->lists.count || options->names.count ||
	     options->given.prepare.count > 1 || options->given.conclude.count > 1))
		return error_set(err, ERROR_USAGE, "--git compares one command in two commits, without names and parameters");
	return 0;
}

/* --rank and --overhead, where they make sense. */
static int read_questions(struct experiment *experiment, const struct run_options *options, struct error *err)
{
	bool one_with_units = experiment->subject_count == 1 && has_unit_readings(experiment);
	if (options->overhead && !one_with_units)
		return error_full(err, ERROR_USAGE, NULL, "add --pi NAME:UNIT:units:…",
		                  "--overhead needs one command with unit readings");
	experiment->overhead = options->overhead || (one_with_units && experiment->preset == PRESET_STRICT);
	experiment->rank = options->rank;
	experiment->welch = options->welch;
	if (!options->rank)
		return options->with.count || options->welch ? error_set(err, ERROR_USAGE, "--with and --welch go with --rank")
		                                             : 0;
	size_t all = experiment->subject_count + (experiment->rivals ? experiment->rivals->subject_count : 0);
	if (all < 2 || all > 20)
		return error_set(err, ERROR_USAGE, "--rank orders 2 to 20 commands, earlier ones counted");
	if (!isnan(experiment->gate) || options->reference)
		return error_set(err, ERROR_USAGE, "--rank compares neighbours: it goes with neither --gate nor --reference");
	if (strcmp(experiment->design, "solo") == 0)
		return error_set(err, ERROR_USAGE, "--rank needs rounds of all commands: --design solo has none");
	return 0;
}

/* --sort and --style, which hyperfine has: our own options win. */
static void apply_habits(struct run_options *options)
{
	struct measure_options *measure = &options->measure;
	const char *style = options->style ? options->style : "auto";
	bool plain = strcmp(style, "basic") == 0 || strcmp(style, "nocolor") == 0;
	bool coloured = strcmp(style, "full") == 0 || strcmp(style, "color") == 0;
	bool still = strcmp(style, "basic") == 0 || strcmp(style, "color") == 0;
	measure->sort_by_time = options->sort && strcmp(options->sort, "mean-time") == 0;
	measure->silent = strcmp(style, "none") == 0;
	measure->quiet |= measure->silent;
	if (!measure->color)
		measure->color = plain ? "never" : coloured ? "always" : NULL;
	if (!measure->progress && still)
		measure->progress = "none";
}

static int build_experiment(struct experiment *experiment, const struct run_options *options,
                            const struct text_list *commands_given, struct git_sides *git, struct builds *builds,
                            struct error *err)
{
	if (builds_use_read(builds, &options->builds, err) != 0 || check_counts(options, commands_given->count, err) != 0 ||
	    check_sources(options, commands_given->count, builds->wanted, err) != 0 ||
	    measure_options_apply(&options->measure, experiment, err) != 0 ||
	    add_subjects(experiment, options, commands_given, git, err) != 0 ||
	    find_reference(experiment, options->reference, err) != 0 || read_exits(experiment, options, err) != 0)
		return -1;
	if (experiment->stop == STOP_STABLE)
		return error_full(err, ERROR_USAGE, "--stop", "choose auto, precision, verdict or fixed",
		                  "'%.60s' looks at iterations inside a process, which a command does not have",
		                  experiment->bench.stability.rule);
	experiment->warmup = (long)options->warmup;
	experiment->shell = measure_shell(options->shell);
	experiment->directory = options->measure.suite && options->measure.suite->folder[0] ? options->measure.suite->folder
	                                                                                    : NULL;
	experiment->input = options->input && strcmp(options->input, "null") == 0 ? NULL : options->input;
	experiment->output = options->show_output                ? "inherit"
	                     : options->given.outputs.count == 1 ? options->given.outputs.items[0]
	                                                         : "null";
	experiment->check = options->check;
	experiment->pad = !options->no_pad;
	experiment->refill = options->refill;
	experiment->counters = options->counters;
	if (options->phases)
		experiment->phases = phases_rule_by_name(options->phases);
	if (measure_read_pis(experiment, &options->pis, err) != 0 || read_work(experiment, options, err) != 0 ||
	    read_questions(experiment, options, err) != 0)
		return -1;
	/* A session of performance indices takes the time of its own presets. */
	if (((experiment->pi_count > 0 && experiment->subject_count == 1) || experiment->work.given) &&
	    !options->measure.max_time)
		experiment->max_time = 0;
	return 0;
}

/* --with: results of another day. */
static int read_rivals(const struct run_options *options, struct result *rivals, struct experiment *experiment,
                       struct error *err)
{
	struct reading_options reading = READING_DEFAULTS;
	if (reading_files(&reading, &options->with, NULL, rivals, err) != 0)
		return -1;
	experiment->rivals = rivals;
	return 0;
}

static void note_idle(const char *option, const char *why)
{
	message_note("%s has no effect: %s", option, why);
}

/* Options that were given and change nothing. Those of a suite file are for its other subjects too. */
static void note_idle_options(const struct experiment *experiment, const struct run_options *options)
{
	const struct measure_options *measure = &options->measure;
	if (measure->quiet || measure->suite)
		return;
	if (options->phases && !has_unit_readings(experiment))
		note_idle("--phases", "there are no unit readings (--pi NAME:UNIT:units:…)");
	if (experiment->subject_count > 1)
		return;
	static const char why[] = "there is only one command";
	if (options->refill)
		note_idle("--refill", why);
	if (measure->until && !measure->baseline)
		note_idle("--until", why);
	if (options->sort)
		note_idle("--sort", why);
}

/* With what --append names in front. */
static int prepare(struct experiment *experiment, struct run_options *options, struct text_list *words,
                   struct git_sides *git, struct builds *builds, struct again *again, struct result *rivals,
                   struct error *err)
{
	if (options->with.count && read_rivals(options, rivals, experiment, err) != 0)
		return -1;
	if (options->append && options->work)
		return error_set(err, ERROR_USAGE,
		                 "--append and --work contradict each other: amounts of work are chosen anew");
	if (options->append && !again->loaded && again_load(again, options->append, err) != 0)
		return -1;
	if (again_tags(again, &options->measure.tags, err) != 0)
		return -1;
	options->measure.replaces = again->id;
	if (build_experiment(experiment, options, words, git, builds, err) != 0)
		return -1;
	if (options->reference)
		options->measure.export_reference = (long)experiment->reference;
	if (options->append)
		again_set(experiment, again);
	note_idle_options(experiment, options);
	/* Commits are built anew, each time in another place. */
	return options->git.range ? 0 : again_check_programs(again, experiment, err);
}

/* What a hook or a build is yet to make is not looked for. */
static int check_quotes(const struct run_options *options, const struct text_list *words, int argc, char **argv,
                        struct error *err)
{
	bool made = options->shell || options->measure.suite || options->git.range || options->git.build ||
	            options->setup || options->given.prepare.count;
	if (made)
		return 0;
	return run_hints_check_quotes(words, argc, argv, err) != 0 ? -1 : run_hints_refuse_data(words, "run", err);
}

static int run_words(const struct command *command, int argc, char **argv, struct again *again);

/* The command line of what was measured before, once more, with the options that now stand beside --append or
 * --resume. */
static int run_again(const struct command *command, int given_count, char **given, const struct run_options *options,
                     const struct text_list *words, struct again *again)
{
	struct error err = {0};
	char **argv = NULL;
	int argc = 0, status = -1;
	if (again->loaded) {
		again_not_known(again, &err); /* that command line had no commands itself */
	} else if (options->resume && options->append) {
		error_set(&err, ERROR_USAGE, "--append and --resume contradict each other");
	} else if (words->count) {
		error_set(&err, ERROR_USAGE, "--resume continues the commands of the interrupted run");
		error_on(&err, "%.300s", words->items[0]);
		error_next(&err, "leave it out, or measure anew without --resume");
	} else if (!options->resume) {
		status = again_load(again, options->append, &err);
	} else if (again_check_options(command, given_count, given, &err) == 0) {
		status = again_load_broken(again, &err);
	}
	if (status == 0)
		status = again_words(again, command, given_count, given, &argc, &argv, &err);
	return status == 0 ? run_words(command, argc, argv, again) : measure_failed(&options->measure, &err);
}

/* `again` is loaded where argv was made of it. */
static int run_words(const struct command *command, int argc, char **argv, struct again *again)
{
	struct run_options options = {.measure = MEASURE_DEFAULTS, .warmup = -1};
	SCOPED(text_list) struct text_list words = {0};
	SCOPED(suite_use) struct suite_use suite = {.open = false};
	SCOPED(result) struct result rivals = result_empty();
	SCOPED(experiment) struct experiment experiment;
	SCOPED(git_sides) struct git_sides git = {0};
	SCOPED(builds) struct builds builds = {.wanted = false};
	struct error err;
	bool help;
	int code;
	experiment_init(&experiment);
	int failed = suite_use_parse_options(&suite, command, argc, argv, &options, &words, &help, &err);
	options.measure.suite = suite.open ? &suite : NULL;
	apply_habits(&options);
	bool again_asked = options.resume || (options.append && words.count == 0);
	if (failed) {
		run_hints_for_options(&words, argc, argv, &err);
	} else if (!help && !again_asked) {
		failed = prepare(&experiment, &options, &words, &git, &builds, again, &rivals, &err) != 0 ||
		         check_quotes(&options, &words, argc, argv, &err) != 0 ||
		         git_sides_make(&git, &instrument_commands, &options.git, &options.measure, &builds, &experiment,
		                        &err) != 0;
		if (failed && !options.shell && !options.measure.suite && err.kind == ERROR_USAGE)
			run_hints_for_shell(argc, argv, &err);
	}
	if (failed)
		code = measure_failed(&options.measure, &err);
	else if (help)
		code = message_help(command);
	else if (again_asked)
		code = run_again(command, argc, argv, &options, &words, again);
	else
		code = fleet_use_measure(&measure_commands, command, &experiment, &options.measure, argc, argv);
	options_release(command, &options);
	return code;
}

static int run_main(const struct command *command, int argc, char **argv)
{
	SCOPED(again) struct again again = {.result = result_empty()};
	return run_words(command, argc, argv, &again);
}

const struct command command_run = {
	.name = "run",
	.summary = "measure a command, or compare several",
	.usage = "tare run [options] COMMAND… | FILE.yaml",
	.about = "Measures each COMMAND (one string, no shell) until the answer is certain.\n"
			 "Example: tare run './old input' './new input'",
	.options = run_options,
	.screen = screen,
	.foreign = run_foreign_options,
	.main = run_main,
};
