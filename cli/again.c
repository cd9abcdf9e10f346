#include "cli/again.h"

#include "cli/message.h"
#include "cli/stored.h"
#include "design/fit.h"
#include "exchange/import.h"
#include "store/maintain.h"
#include "store/programs.h"
#include "store/query.h"

#include <string.h>

void again_release(struct again *again)
{
	result_release(&again->result);
}

static void blame(const struct again *again, struct error *err)
{
	if (again->file)
		error_on(err, "%s", again->file);
	else
		error_on(err, "@%lld", (long long)again->id);
}

/* Runs can be added to what 'tare run' measured. */
static int check_design(const struct again *again, struct error *err)
{
	const char *design = again->result.design.name;
	if (design && design_by_name(design) != DESIGN_COUNT)
		return 0;
	error_set(err, ERROR_USAGE, "this result was not measured by 'tare run': no runs can be added to it");
	blame(again, err);
	return error_next(err, "'tare compare' and 'tare analyze' read it");
}

static int load_stored(struct again *again, struct store *store, struct error *err)
{
	if (stored_load(store, again->id, &again->result, err) != 0 ||
	    store_facts(store, again->id, &again->result.arena, &again->facts, err) != 0)
		return -1;
	if (strcmp(again->facts.state, "running") == 0 && !again->facts.orphaned)
		return store_may_go(store, again->id, err);
	return check_design(again, err);
}

int again_load(struct again *again, const char *argument, struct error *err)
{
	again->loaded = true;
	if (!stored_is_named(argument)) {
		again->file = argument;
		return import_file(argument, NULL, &again->result, err) == 0 ? check_design(again, err) : -1;
	}
	SCOPED(stored) struct store *store = stored_open(err);
	return store && store_find(store, argument + 1, &again->id, err) == 0 ? load_stored(again, store, err) : -1;
}

/* The newest of each, or 0. */
struct candidates {
	int64_t broken, running;
};

static int take_candidate(void *context, const struct store_row *row, struct error *err)
{
	struct candidates *found = context;
	(void)err;
	bool broken = row->orphaned || strcmp(row->state, "interrupted") == 0 || strcmp(row->state, "killed") == 0;
	if (stored_is_confirmation(row))
		return 0;
	if (found->broken == 0 && broken)
		found->broken = row->id;
	if (found->running == 0 && !broken && strcmp(row->state, "running") == 0)
		found->running = row->id;
	return 0;
}

static int nothing_to_resume(const struct candidates *found, struct error *err)
{
	if (found->running)
		return error_full(err, ERROR_USAGE, NULL,
		                  "no other was interrupted or killed; wait until that run has ended, or end it",
		                  "experiment %lld is still being measured", (long long)found->running);
	return error_full(err, ERROR_NO_DATA, NULL,
	                  "'tare history list' shows what there is; --append @ID continues any of them",
	                  "no run was interrupted or killed");
}

int again_load_broken(struct again *again, struct error *err)
{
	again->loaded = again->broken = true;
	SCOPED(stored) struct store *store = stored_open(err);
	struct candidates found = {0};
	if (!store || store_list(store, &(struct store_filter){0}, take_candidate, &found, err) != 0)
		return -1;
	again->id = found.broken;
	return found.broken ? load_stored(again, store, err) : nothing_to_resume(&found, err);
}

int again_not_known(const struct again *again, struct error *err)
{
	error_set(err, ERROR_USAGE, "the earlier result does not say how 'tare run' measured it");
	blame(again, err);
	return error_next(err, again->broken
	                           ? "'tare history list' shows what there is; --append @ID continues any 'tare run'"
	                           : "give its commands and options beside --append");
}

/* What --append asks for anew: how much is measured, and where it goes. */
static bool is_left_out(const char *name, bool anew)
{
	return option_is_among(name, "append resume") ||
	       (anew && option_is_among(name, "runs min-runs max-runs max-time json csv markdown html export-json junit "
	                                      "graph traces no-save latex"));
}

/* What a run is and how it is measured: the earlier runs stay as they are, so this cannot be asked for otherwise. */
static bool is_fixed(const char *name)
{
	return option_is_among(name, "design metric cpus seed plan warmup pi phases work with parameter-scan "
	                             "parameter-step-size parameter-list command-name setup prepare conclude "
	                             "cleanup shell no-shell input output show-output check expect-exit "
	                             "ignore-failure no-pad refill counters min-round overhead git build levels "
	                             "builds on machines machines-max fleet detach");
}

/* The first option of a word that cannot be changed, or NULL. */
static const struct option *fixed_option(const struct option *table, const char *word)
{
	const struct option *found = option_word_of(table, word, NULL).option;
	if (strncmp(word, "--", 2) == 0)
		return found && is_fixed(found->name) ? found : NULL;
	for (size_t i = 1; word[0] == '-' && word[i]; i++)
		for (const struct option *option = table; option->name; option++)
			if (option->letter == word[i]) {
				if (is_fixed(option->name))
					return option;
				if (option_takes_word(option))
					return NULL; /* the rest is its value */
			}
	return NULL;
}

int again_check_options(const struct command *command, int given_count, char *const *given, struct error *err)
{
	for (int i = 1; i < given_count && strcmp(given[i], "--") != 0; i++) {
		const struct option *option = fixed_option(command->options, given[i]);
		if (option) {
			error_set(err, ERROR_USAGE,
			          "--resume continues the run as it was started, and this option would change its runs");
			error_on(err, "--%s", option->name);
			return error_next(err, "leave it out, or measure anew without --resume");
		}
		i += (int)option_word_of(command->options, given[i], i + 1 < given_count ? given[i + 1] : NULL).values;
	}
	return 0;
}

/* Words of a command line, taken over one by one. */
struct taking {
	struct arena *arena;
	const struct option *table;
	bool anew;
	char **words;
	size_t count;
};

/* Takes over the word and the values that follow it, unless that option is left out; how many words these were. */
static size_t take(struct taking *taking, const char *const *from, size_t left)
{
	struct option_word word = option_word_of(taking->table, from[0], left > 1 ? from[1] : NULL);
	size_t length = 1 + (word.values < left ? word.values : left - 1);
	if (word.option && is_left_out(word.option->name, taking->anew)) {
		if (word.flags > 0)
			taking->words[taking->count++] = arena_strndup(taking->arena, from[0], 1 + word.flags);
		return length;
	}
	for (size_t i = 0; i < length; i++)
		taking->words[taking->count++] = arena_strdup(taking->arena, from[i]);
	return length;
}

/* given[0] is "run", and none is a command. */
static void take_given(struct taking *taking, int given_count, char *const *given)
{
	bool before = taking->anew;
	taking->anew = false;
	for (size_t i = 1, count = (size_t)given_count; i < count;)
		i += i + 1 == count && strcmp(given[i], "--") == 0 ? 1
		                                                   : take(taking, (const char *const *)given + i, count - i);
	taking->anew = before;
}

/* --append stands directly after "run", where it is an option whatever follows; older ones are dropped. */
int again_words(struct again *again, const struct command *command, int given_count, char *const *given, int *argc,
                char ***argv, struct error *err)
{
	const struct result *result = &again->result;
	struct arena *arena = &again->result.arena;
	if (result->argc < 2 || strcmp(result->argv[1], "run") != 0)
		return again_not_known(again, err);
	struct taking taking = {.arena = arena, .table = command->options, .anew = !again->broken};
	taking.words = arena_alloc(arena, result->argc + 1 + (size_t)given_count, sizeof(*taking.words));
	if (!taking.words)
		return error_memory(err);
	taking.words[taking.count++] = arena_strdup(arena, result->argv[1]);
	taking.words[taking.count++] = again->file ? arena_printf(arena, "--append=%s", again->file)
	                                           : arena_printf(arena, "--append=@%lld", (long long)again->id);
	size_t i = 2;
	while (i < result->argc && strcmp(result->argv[i], "--") != 0)
		i += take(&taking, (const char *const *)result->argv + i, result->argc - i);
	take_given(&taking, given_count, given);
	for (; i < result->argc; i++)
		taking.words[taking.count++] = arena_strdup(arena, result->argv[i]);
	for (size_t w = 0; w < taking.count; w++)
		if (!taking.words[w])
			return error_memory(err);
	*argc = (int)taking.count;
	*argv = taking.words;
	return 0;
}

int again_tags(const struct again *again, struct text_list *tags, struct error *err)
{
	for (size_t i = 0; i < again->facts.tag_count; i++)
		if (strcmp(again->facts.tags[i], STORE_CONFIRMATION) != 0 && text_list_add(tags, again->facts.tags[i]) != 0)
			return error_memory(err);
	return 0;
}

void again_set(struct experiment *experiment, const struct again *again)
{
	const struct result *earlier = &again->result;
	experiment->earlier = earlier;
	if (strcmp(experiment->design, "auto") == 0 && earlier->design.name)
		experiment->design = earlier->design.name;
	if (!experiment->name)
		experiment->name = earlier->name;
}

static bool is_made_by_hook(const struct experiment_subject *subject)
{
	return subject->setup || subject->prepare || subject->conclude || subject->cleanup;
}

/* What a hook may make anew is compared by its place alone. */
static int check_program(const struct store_program *then, const struct store_program *now,
                         const struct experiment_subject *subject, struct error *err)
{
	bool known = then->path[0] == '/' && now->path && now->path[0] == '/';
	/* What was yet to be made then may have become a link. */
	bool alike = known && (then->hash[0] || strcmp(strrchr(then->path, '/'), strrchr(now->path, '/')) == 0);
	size_t length = strlen(then->path);
	/* Of a result that is older the interpreter alone is known. */
	bool prefix = known && strncmp(then->path, now->path, length) == 0 && now->path[length] == ' ';
	bool moved = alike && !prefix && strcmp(then->path, now->path) != 0;
	bool changed = known && !prefix && !is_made_by_hook(subject) && then->hash[0] && now->hash[0] &&
	               strcmp(then->hash, now->hash) != 0;
	if (!moved && !changed)
		return 0;
	error_set(err, ERROR_USAGE,
	          moved ? "the earlier result was of another program (%.200s)"
	                : "the program was changed since the earlier result (%.200s)",
	          then->path);
	error_on(err, "%.300s", subject->name);
	return error_next(err, moved ? "continue in the folder where it was started, or measure this one separately"
	                             : "measure it separately; 'tare compare' puts results side by side");
}

/* A file says what its programs were, not where: it may come from another folder. Older ones do not say it. */
static int check_programs_of_file(const struct again *again, const struct experiment *experiment,
                                  const struct store_program *now, struct error *err)
{
	for (size_t i = 0; i < experiment->subject_count; i++) {
		const struct subject *subject = &again->result.subjects[i];
		if (strcmp(subject->name, experiment->subjects[i].name) != 0 || subject->build_count > 0 || !now[i].path)
			continue;
		struct store_program then = {.path = now[i].path, .hash = subject->loop->hash ? subject->loop->hash : ""};
		if (check_program(&then, &now[i], &experiment->subjects[i], err) != 0)
			return -1;
		if (!subject->loop->hash && now[i].hash[0] && !is_made_by_hook(&experiment->subjects[i]))
			message_note(
				"%s does not say what the program of '%s' was: whether it was changed since could not be checked",
				again->file, subject->name);
	}
	return 0;
}

int again_check_programs(const struct again *again, const struct experiment *experiment, struct error *err)
{
	SCOPED(arena) struct arena arena = {0};
	size_t known = again->file ? again->result.subject_count : again->facts.program_count;
	/* Another number of commands is for the session to refuse. */
	if (known != experiment->subject_count || again->result.subject_count != experiment->subject_count)
		return 0;
	const struct store_program *now = store_programs_of(experiment, &arena);
	if (!now)
		return error_memory(err);
	if (again->file)
		return check_programs_of_file(again, experiment, now, err);
	for (size_t i = 0; i < experiment->subject_count; i++)
		if (strcmp(again->result.subjects[i].name, experiment->subjects[i].name) == 0 &&
		    check_program(&again->facts.programs[i], &now[i], &experiment->subjects[i], err) != 0)
			return -1;
	return 0;
}
