#include "cli/fleet_use.h"

#include "cli/fleet_pilot.h"
#include "cli/message.h"
#include "fleet/wait.h"
#include "host/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_MACHINES = 8 };

/* A fleet that is watched from here. */
struct fleet_use {
	struct fleet_folder folder;
	bool collect, all; /* take what is there, of the drawn order or all of it; else wait */
};

bool fleet_use_is_taken_up(const struct measure_options *options)
{
	return options->on && (strcmp(options->on, "wait") == 0 || strncmp(options->on, "collect", 7) == 0);
}

/* Where fleets lie that were given no folder: it must be one that all machines see, as homes mostly are. */
static int root_of(char path[FLEET_PATH], struct error *err)
{
	const char *given = getenv("TARE_FLEET"), *home = getenv("HOME");
	if (given && given[0])
		snprintf(path, FLEET_PATH, "%.3000s", given);
	else if (home && home[0])
		snprintf(path, FLEET_PATH, "%.3000s/.cache/tare/fleet", home);
	else {
		return error_full(err, ERROR_USAGE, NULL, "name one that all machines see: --fleet DIR",
		                  "there is no folder for the fleet: neither TARE_FLEET nor HOME is set");
	}
	return 0;
}

/* A link named by the ID, so that @ID finds the folder, wherever it is. */
static void remember(const struct fleet_folder *folder, const char *id)
{
	char root[FLEET_PATH], path[FLEET_PATH + 32];
	struct error err;
	if (root_of(root, &err) != 0)
		return;
	snprintf(path, sizeof(path), "%s/@%s", root, id);
	if (file_make_folders(&syscalls_libc, path, &err) == 0 && symlink(folder->path, path) != 0)
		return; /* the folder itself is still told */
}

int fleet_use_find(const char *name, char path[FLEET_PATH], struct error *err)
{
	char root[FLEET_PATH];
	if (name[0] != '@') {
		snprintf(path, FLEET_PATH, "%.4000s", name);
		return 0;
	}
	if (root_of(root, err) != 0)
		return -1;
	snprintf(path, FLEET_PATH, "%.3000s/%.40s", root, name);
	if (file_kind(&syscalls_libc, path) == FILE_FOLDER)
		return 0;
	return error_full(err, ERROR_NO_DATA, root, "give its folder; TARE_FLEET names the folder of fleets",
	                  "there is no fleet %.40s", name);
}

/* A folder of its own for a new fleet. */
static int new_folder(struct fleet_use *use, const struct measure_options *options, struct error *err)
{
	char root[FLEET_PATH], path[FLEET_PATH];
	if (options->fleet)
		return fleet_folder_make(&use->folder, options->fleet, err);
	if (root_of(root, err) != 0)
		return -1;
	snprintf(path, sizeof(path), "%.3000s/%016llx", root, (unsigned long long)file_unguessable(&syscalls_libc));
	return fleet_folder_make(&use->folder, path, err);
}

static int check(const struct measure_options *options, struct error *err)
{
	if (options->machines && options->machines_max && options->machines_max < options->machines)
		return error_set(err, ERROR_USAGE, "--machines-max is less than --machines");
	if (options->builds)
		return error_set(err, ERROR_USAGE, "--on does not go with --levels build");
	if (options->dry_run)
		return error_set(err, ERROR_USAGE, "--on does not go with --dry-run");
	if (options->baseline)
		return error_set(err, ERROR_USAGE, "--on does not go with --baseline, which is for one machine");
	return 0;
}

/* "slurm:batch" → engine and partition; "prepare" has none. */
static int set_engine(struct fleet_experiment *frozen, const char *on, const char *partition, struct error *err)
{
	struct arena *arena = &frozen->arena;
	const char *colon = strchr(on, ':');
	if (!colon && partition)
		frozen->partition = partition;
	if (strcmp(on, "prepare") == 0) {
		frozen->engine = "";
		return 0;
	}
	frozen->engine = colon ? arena_strndup(arena, on, (size_t)(colon - on)) : arena_strdup(arena, on);
	if (colon && colon[1])
		frozen->partition = arena_strdup(arena, colon + 1);
	if (!frozen->engine || (colon && colon[1] && !frozen->partition))
		return error_memory(err);
	if (fleet_engine_find(frozen->engine))
		return 0;
	return error_full(err, ERROR_USAGE, "--on", "tare knows slurm; for any other: tare fleet prepare (man tare-fleet)",
	                  "'%.40s' is not an engine that tare knows", frozen->engine);
}

static int freeze(struct fleet_use *use, const struct command *command, const struct measure_options *options,
                  const struct experiment *experiment, int argc, char **argv, struct error *err)
{
	SCOPED(fleet_experiment)
	struct fleet_experiment frozen = {.machines = options->machines ? (size_t)options->machines : DEFAULT_MACHINES,
	                                  .options = options->on_options.items,
	                                  .option_count = options->on_options.count};
	frozen.machines_max = options->machines_max ? (size_t)options->machines_max : frozen.machines;
	char path[FLEET_PATH];
	if (set_engine(&frozen, options->on, options->partition, err) != 0 || new_folder(use, options, err) != 0 ||
	    fleet_pilot(&use->folder, command, options, experiment, argc, argv, &frozen, err) != 0 ||
	    fleet_folder_freeze(&use->folder, &frozen, err) != 0)
		return -1;
	remember(&use->folder, frozen.id);
	snprintf(path, sizeof(path), "%s", use->folder.path);
	return fleet_folder_open(&use->folder, path, err); /* as everybody else will see it */
}

/* Prepares the folder, or opens the one that is prepared. */
static int open_fleet(struct fleet_use *use, const struct command *command, const struct measure_options *options,
                      const struct experiment *experiment, int argc, char **argv, struct error *err)
{
	use->collect = strncmp(options->on, "collect", 7) == 0;
	use->all = strcmp(options->on, "collect-all") == 0;
	if (check(options, err) != 0)
		return -1;
	if (fleet_use_is_taken_up(options))
		return fleet_folder_open(&use->folder, options->fleet ? options->fleet : ".", err);
	return freeze(use, command, options, experiment, argc, argv, err);
}

static void tell(void *context, const char *text)
{
	const struct session_observer *observer = context;
	if (observer && observer->note)
		observer->note(observer->context, text);
	else
		message_note("%s", text);
}

/* What ends here says what to do next: the exit code; -1: go on. */
static int leave(const struct fleet_use *use, const struct measure_options *options)
{
	const struct fleet_experiment *experiment = &use->folder.experiment;
	const struct fleet_observer observer = {.note = tell};
	struct error err;
	char slots[40] = "slot 0";
	if (strcmp(options->on, "prepare") == 0) {
		printf("%s\n", use->folder.path);
		if (experiment->machines_max > 1)
			snprintf(slots, sizeof(slots), "slots 0 to %zu", experiment->machines_max - 1);
		message_note("fleet @%s: %s, %zu chunk%s of about %.0f s each", experiment->id, slots, experiment->chunks,
		             experiment->chunks == 1 ? "" : "s", experiment->seconds);
		message_note("on each machine: tare fleet work %s --slot K; then: tare fleet collect %s", use->folder.path,
		             use->folder.path);
		return 0;
	}
	if (!options->detach)
		return -1;
	if (fleet_submit(&use->folder, &observer, &err) != 0)
		return message_error(&err);
	printf("@%s\n", experiment->id);
	message_note("'tare fleet wait @%s' waits for it, on any host that sees %s", experiment->id, use->folder.path);
	return 0;
}

/* A line whenever something has changed. */
struct teller {
	const struct session_observer *observer;
	struct fleet_progress last;
};

static void tell_progress(void *context, const struct fleet_progress *now)
{
	struct teller *teller = context;
	const struct fleet_progress *last = &teller->last;
	char text[300];
	if (last->wanted == now->wanted && last->done == now->done && last->given_up == now->given_up &&
	    last->running == now->running && last->waiting == now->waiting && last->chunks == now->chunks)
		return;
	int n = snprintf(text, sizeof(text), "machines: %zu of %zu done", now->done, now->wanted);
	if (now->running)
		n += snprintf(text + n, sizeof(text) - (size_t)n, ", %zu running", now->running);
	if (now->waiting)
		n += snprintf(text + n, sizeof(text) - (size_t)n, ", %zu waiting%s%.60s%s", now->waiting,
		              now->reason[0] ? " (" : "", now->reason, now->reason[0] ? ")" : "");
	if (now->given_up)
		n += snprintf(text + n, sizeof(text) - (size_t)n, ", %zu given up", now->given_up);
	if (now->chunks_wanted > now->wanted)
		snprintf(text + n, sizeof(text) - (size_t)n, "; %zu of %zu chunks", now->chunks, now->chunks_wanted);
	teller->last = *now;
	teller->last.reason = "";
	tell((void *)(uintptr_t)teller->observer, text);
}

static void tell_note(void *context, const char *text)
{
	struct teller *teller = context;
	tell((void *)(uintptr_t)teller->observer, text);
}

/* For measure_kind: waits for the fleet and collects it. */
static int run(const struct experiment *experiment, int cancel, const struct session_observer *observer,
               struct result *out, struct error *err)
{
	const struct fleet_use *use = experiment->fleet;
	struct teller teller = {.observer = observer};
	const struct fleet_observer own = {&teller, tell_progress, tell_note};
	char text[200];
	if (!use->collect) {
		snprintf(text, sizeof(text), "fleet @%s: %zu machine%s, %zu chunk%s of about %.0f s on each",
		         use->folder.experiment.id, use->folder.experiment.machines,
		         use->folder.experiment.machines == 1 ? "" : "s", use->folder.experiment.chunks,
		         use->folder.experiment.chunks == 1 ? "" : "s", use->folder.experiment.seconds);
		tell_note(&teller, text);
		return fleet_wait(&use->folder, cancel, &own, out, err);
	}
	size_t left_out;
	if (fleet_collect_now(&use->folder, use->all, out, &left_out, err) != 0)
		return -1;
	if (left_out > 0) {
		snprintf(text, sizeof(text),
		         "%zu finished slot%s left out, because an earlier one in the drawn order is not finished; --all uses "
		         "every slot, but favours fast machines",
		         left_out, left_out == 1 ? " is" : "s are");
		tell_note(&teller, text);
	}
	if (use->all && result_warn(out, "fleet", "slots in order of arrival: fast machines come first") != 0)
		return error_memory(err);
	return 0;
}

/* What only a fleet heeds is not ignored without one; '--on none' says that there is to be none. */
static int check_alone(const struct measure_options *options, struct error *err)
{
	const char *name = options->machines           ? "--machines"
	                   : options->machines_max     ? "--machines-max"
	                   : options->partition        ? "--partition"
	                   : options->on_options.count ? "--on-option"
	                   : options->strata           ? "--strata"
	                   : options->fleet            ? "--fleet"
	                   : options->detach           ? "--detach"
	                                               : NULL;
	if (!name || options->on)
		return 0;
	return error_full(err, ERROR_USAGE, NULL, "add --on slurm; 'man tare-fleet' shows other engines",
	                  "%s without --on: there are no machines but this one", name);
}

int fleet_use_measure(const struct measure_kind *kind, const struct command *command, struct experiment *experiment,
                      const struct measure_options *options, int argc, char **argv)
{
	struct fleet_use use = {.collect = false};
	struct measure_kind elsewhere = *kind;
	struct error err;
	if (check_alone(options, &err) != 0)
		return measure_failed(options, &err);
	if (!options->on || strcmp(options->on, "none") == 0)
		return measure_and_report(kind, experiment, options, argc, argv);
	if (open_fleet(&use, command, options, experiment, argc, argv, &err) != 0) {
		fleet_folder_release(&use.folder);
		return measure_failed(options, &err);
	}
	use.folder.experiment.gate = experiment->gate;
	int code = leave(&use, options);
	if (code < 0) {
		elsewhere.elsewhere = run;
		experiment->fleet = &use;
		code = measure_and_report(&elsewhere, experiment, options, argc, argv);
	}
	fleet_folder_release(&use.folder);
	return code;
}
