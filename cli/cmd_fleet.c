/* tare fleet: an experiment on many machines, prepared, worked on, watched and collected. */
#include "cli/commands.h"
#include "cli/fleet_use.h"
#include "host/interrupt.h"
#include "cli/message.h"
#include "fleet/wait.h"
#include "fleet/worker.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct fleet_options {
	int64_t slot, machines, machines_max;
	bool all;
	int argc; /* the words of another command: all from its name on, or options for what it prints */
	char **argv;
};

#define OFFSET(field) offsetof(struct fleet_options, field)

static const struct option fleet_options[] = {
	OPTION_WITHIN(0, "slot", "K", OPTION_INTEGER, OFFSET(slot), 0, 1e9,
                  "work: which slot (from the engine's variable)"),
	OPTION_WITHIN(0, "machines", "N", OPTION_INTEGER, OFFSET(machines), 1, FLEET_SLOTS_MOST,
                  "prepare: machines to measure on (8)"),
	OPTION_WITHIN(0, "machines-max", "M", OPTION_INTEGER, OFFSET(machines_max), 1, FLEET_SLOTS_MOST,
                  "prepare: and at most, if there is no verdict"),
	OPTION(0, "all", NULL, OPTION_FLAG, OFFSET(all), "collect: also slots after one that is not done"),
	{0},
};

/* Suite files as they were frozen: they may have changed since, or not be on this host. */
static int place_suites(struct fleet_folder *folder, const char **words, size_t *count, struct error *err)
{
	struct fleet_experiment *experiment = &folder->experiment;
	for (size_t i = 0; i < experiment->folder_count; i++) {
		size_t program = experiment->subjects[i].program;
		char path[FLEET_PATH];
		if (program >= experiment->program_count)
			continue;
		if (fleet_see_program(folder, experiment->programs[program].hash, path, err) != 0)
			return -1;
		const char *copy = arena_printf(&experiment->arena, "--placed=copy.%zu=%s", i, path);
		const char *seen_from = arena_printf(&experiment->arena, "--placed=file.%zu=%s", i, experiment->folders[i]);
		if (!copy || !seen_from)
			return error_memory(err);
		words[(*count)++] = copy;
		words[(*count)++] = seen_from;
	}
	return 0;
}

/* The command line of the experiment once more, with what to do about it in front; in the arena, NULL at the end. */
static const char **words_again(struct fleet_folder *folder, const char *on, const struct fleet_options *options,
                                size_t *count, struct error *err)
{
	struct fleet_experiment *experiment = &folder->experiment;
	size_t most = experiment->given_count + 2 * experiment->folder_count + (size_t)options->argc + 4;
	const char **words = arena_alloc(&experiment->arena, most, sizeof(*words));
	const char *fleet = arena_printf(&experiment->arena, "--fleet=%s", folder->path);
	const char *where = arena_printf(&experiment->arena, "--on=%s", on);
	if (!words || !fleet || !where) {
		error_memory(err);
		return NULL;
	}
	*count = 0;
	words[(*count)++] = experiment->command;
	words[(*count)++] = fleet;
	words[(*count)++] = where;
	if (place_suites(folder, words, count, err) != 0)
		return NULL;
	for (int i = 0; i < options->argc; i++)
		words[(*count)++] = options->argv[i];
	for (size_t i = 1; i < experiment->given_count; i++)
		words[(*count)++] = experiment->given[i];
	return words;
}

static int follow(struct fleet_folder *folder, const char *on, const struct fleet_options *options, struct error *err)
{
	size_t count;
	const struct command *command = command_find(folder->experiment.command);
	const char **words = words_again(folder, on, options, &count, err);
	if (!words)
		return -1;
	/* Relative names, and the project's store, are as they were; where the folder is not here, as they are. */
	if (chdir(folder->experiment.directory) != 0)
		message_note("%s is not on this host; names are taken from here", folder->experiment.directory);
	return command->main(command, (int)count, (char **)(uintptr_t)words);
}

static int wait_for(struct fleet_folder *folder, const struct fleet_options *options, struct error *err)
{
	return follow(folder, "wait", options, err);
}

static int collect(struct fleet_folder *folder, const struct fleet_options *options, struct error *err)
{
	return follow(folder, options->all ? "collect-all" : "collect", options, err);
}

static int work(struct fleet_folder *folder, const struct fleet_options *options, struct error *err)
{
	struct fleet_work done;
	int cancel;
	long slot = options->slot >= 0 ? (long)options->slot : fleet_slot_of_environment();
	if (slot < 0)
		return error_full(err, ERROR_USAGE, NULL,
		                  "give --slot K; Slurm, PBS, Grid Engine and Kubernetes set it in a variable", "which slot?");
	if (interrupt_open(&cancel, err) != 0)
		return -1;
	int code = fleet_work(folder, (size_t)slot, "/proc/self/exe", cancel, &done, err);
	if (code == 0)
		message_note("slot %ld: %zu chunk%s measured, %zu done before", slot, done.done, done.done == 1 ? "" : "s",
		             done.skipped);
	interrupt_close();
	return code;
}

static void print_slot(const struct fleet_experiment *experiment, size_t slot, const struct fleet_slot *state,
                       const struct fleet_task *tasks, size_t task_count)
{
	const struct fleet_task *task = NULL;
	for (size_t i = 0; i < task_count; i++)
		if (tasks[i].slot == slot)
			task = &tasks[i];
	printf("slot %-4zu %zu of %zu chunks", slot, state->chunks, experiment->chunks);
	if (state->chunks < experiment->chunks && task && task->state == FLEET_RUNNING)
		printf(", running on %s", task->node);
	else if (state->chunks < experiment->chunks && task)
		printf(", waiting%s%s", task->reason[0] ? ": " : "", task->reason);
	if (state->failures > 0)
		printf(", failed %zu time%s", state->failures, state->failures == 1 ? "" : "s");
	putchar('\n');
}

static int status(struct fleet_folder *folder, const struct fleet_options *options, struct error *err)
{
	(void)options;
	struct fleet_progress now;
	struct fleet_slot *slots;
	struct fleet_task *tasks;
	size_t task_count;
	SCOPED(arena) struct arena arena = {0};
	const struct fleet_experiment *experiment = &folder->experiment;
	int code = fleet_status(folder, &arena, &now, &slots, &tasks, &task_count, err);
	if (code == 0) {
		printf("fleet @%s: %zu of %zu machines done", experiment->id, now.done, now.wanted);
		if (experiment->engine[0])
			printf(", %zu running, %zu waiting", now.running, now.waiting);
		if (now.waiting && now.reason[0])
			printf(" (%s)", now.reason);
		printf("%s%s\n", fleet_has(folder, "cancelled") ? "; cancelled" : "",
		       experiment->engine[0] && !now.queue_known ? " (the engine does not answer)" : "");
		for (size_t i = 0; i < now.wanted; i++)
			print_slot(experiment, experiment->order[i], &slots[experiment->order[i]], tasks, task_count);
	}
	return code;
}

static int cancel_fleet(struct fleet_folder *folder, const struct fleet_options *options, struct error *err)
{
	(void)options;
	const struct fleet_engine *engine = fleet_engine_find(folder->experiment.engine);
	if (!engine)
		return error_full(err, ERROR_USAGE, NULL, "stop them where they run; finished work is kept",
		                  "the workers of this fleet were not started by tare, which cannot stop them");
	if (fleet_publish(folder, "cancelled", "", 0, err) < 0 || fleet_engine_cancel(engine, folder, err) != 0)
		return -1;
	message_note("cancelled; what is done stays: tare fleet collect @%s", folder->experiment.id);
	return 0;
}

/* tare fleet prepare DIR [--machines N] run|bench …: the command with --on=prepare. */
static int prepare(const struct fleet_options *options, const char *folder, struct error *err)
{
	int argc = options->argc;
	char **argv = options->argv;
	const struct command *command = argc > 0 ? command_find(argv[0]) : NULL;
	SCOPED(arena) struct arena arena = {0};
	if (!command || (strcmp(command->name, "run") != 0 && strcmp(command->name, "bench") != 0))
		return error_full(err, ERROR_USAGE, NULL, "for example: tare fleet prepare DIR run './old input' './new input'",
		                  "what is to be measured?");
	char **words = arena_alloc(&arena, (size_t)argc + 6, sizeof(*words));
	int n = 0;
	if (!words)
		return error_memory(err);
	words[n++] = argv[0];
	words[n++] = arena_printf(&arena, "--fleet=%.4000s", folder);
	words[n++] = (char[]){"--on=prepare"};
	if (options->machines)
		words[n++] = arena_printf(&arena, "--machines=%lld", (long long)options->machines);
	if (options->machines_max)
		words[n++] = arena_printf(&arena, "--machines-max=%lld", (long long)options->machines_max);
	for (int i = 0; i < n; i++)
		if (!words[i])
			return error_memory(err);
	memcpy(words + n, argv + 1, (size_t)(argc - 1) * sizeof(*words));
	return command->main(command, n + argc - 1, words);
}

/* Where the words of another command begin: at its name, or at the first option that is not of a fleet, behind the fleet
 * that is collected. */
static int command_at(int argc, char **argv)
{
	bool reports = argc > 1 && (strcmp(argv[1], "collect") == 0 || strcmp(argv[1], "wait") == 0);
	bool named = false;
	for (int i = 2; i < argc; i++) {
		bool is_option = argv[i][0] == '-' && strcmp(argv[i], "--all") != 0 && strcmp(argv[i], "--help") != 0 &&
		                 strcmp(argv[i], "-h") != 0;
		if (reports ? named && is_option : strcmp(argv[i], "run") == 0 || strcmp(argv[i], "bench") == 0)
			return i;
		named |= argv[i][0] != '-';
	}
	return argc;
}

/* What is done with a fleet that was prepared. */
static const struct {
	const char *name;
	int (*run)(struct fleet_folder *folder, const struct fleet_options *options, struct error *err);
} subcommands[] = {
	{"work", work}, {"status", status}, {"wait", wait_for}, {"collect", collect}, {"cancel", cancel_fleet}};

static int act_on(const void *given, const struct text_list *words, struct error *err)
{
	const struct fleet_options *options = given;
	const char *what = words->count > 0 ? words->items[0] : "", *name = words->count > 1 ? words->items[1] : NULL;
	if (what[0] && !option_is_among(what, "prepare work status wait collect cancel"))
		return error_full(err, ERROR_USAGE, NULL, "use prepare, work, status, wait, collect or cancel",
		                  "there is no 'tare fleet %.40s'", what);
	if (!name || words->count > 2)
		return error_full(err, ERROR_USAGE, NULL,
		                  "tare fleet prepare|work|status|wait|collect|cancel, then its folder or @ID",
		                  name ? "one fleet at a time" : "which fleet?");
	if (strcmp(what, "prepare") == 0)
		return prepare(options, name, err);
	for (size_t i = 0; i < sizeof(subcommands) / sizeof(subcommands[0]); i++) {
		struct fleet_folder folder;
		char path[FLEET_PATH];
		if (strcmp(what, subcommands[i].name) != 0)
			continue;
		if (fleet_use_find(name, path, err) != 0 || fleet_folder_open(&folder, path, err) != 0)
			return -1;
		int code = subcommands[i].run(&folder, options, err);
		fleet_folder_release(&folder);
		return code;
	}
	return error_set(err, ERROR_INTERNAL, "'%.40s' is not handled", what);
}

static int fleet_main(const struct command *command, int argc, char **argv)
{
	int own = command_at(argc, argv);
	struct fleet_options options = {.slot = -1, .argc = argc - own, .argv = argv + own};
	return act(command, own, argv, &options, act_on);
}

const struct command command_fleet = {
	.name = "fleet",
	.summary = "run an experiment on many machines",
	.usage = "tare fleet prepare|work|status|wait|collect|cancel DIR|@ID [options]",
	.about = "Measures on many machines, placed by Slurm ('tare run --on slurm') or by\n"
			 "anything that can start 'tare fleet work DIR --slot K' on each. After DIR, wait\n"
			 "and collect take the options of 'tare run' for output: -v, --html FILE, …\n"
			 "Example: tare fleet prepare DIR --machines 4 run './old in' './new in'",
	.options = fleet_options,
	.subcommands = "prepare|work|status|wait|collect|cancel",
	.main = fleet_main,
};
