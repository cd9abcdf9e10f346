#include "cli/again.h"

#include "cli/programs.h"
#include "cli/stored.h"
#include "exchange/import.h"
#include "store/query.h"

#include <string.h>

void again_init(struct again *again)
{
	*again = (struct again){.loaded = false};
	result_init(&again->result);
}

void again_release(struct again *again)
{
	result_release(&again->result);
}

static int load_stored(struct again *again, struct store *store, struct error *err)
{
	if (stored_load(store, again->id, &again->result, err) != 0)
		return -1;
	return store_facts(store, again->id, &again->result.arena, &again->facts, err);
}

int again_load(struct again *again, const char *argument, struct error *err)
{
	again->loaded = true;
	if (!stored_is_named(argument)) {
		again->file = argument;
		return import_file(argument, NULL, &again->result, err);
	}
	struct store *store = stored_open(err);
	int status = store ? store_find(store, argument + 1, &again->id, err) : -1;
	if (status == 0)
		status = load_stored(again, store, err);
	store_close(store);
	return status;
}

static int take_broken(void *context, const struct store_row *row, struct error *err)
{
	int64_t *id = context;
	(void)err;
	bool broken = row->orphaned || strcmp(row->state, "interrupted") == 0;
	if (*id == 0 && broken && !stored_is_confirmation(row))
		*id = row->id;
	return 0;
}

int again_load_broken(struct again *again, struct error *err)
{
	again->loaded = again->broken = true;
	struct store *store = stored_open(err);
	int status = store ? store_list(store, &(struct store_filter){0}, take_broken, &again->id, err) : -1;
	if (status == 0 && again->id == 0) {
		error_set(err, ERROR_NO_DATA, "no run was interrupted or killed");
		status = error_next(err, "'tare history list' shows what there is; --append @ID goes on with any of them");
	}
	if (status == 0)
		status = load_stored(again, store, err);
	store_close(store);
	return status;
}

int again_not_known(const struct again *again, struct error *err)
{
	error_set(err, ERROR_USAGE, "the earlier result does not say how 'tare run' measured it");
	if (again->file)
		error_on(err, "%s", again->file);
	else
		error_on(err, "@%lld", (long long)again->id);
	return error_next(err, again->broken ? "'tare history list' shows what there is; --append @ID goes on with any 'tare run'"
	                                     : "give its commands and options beside --append");
}

/* What --append asks for anew: how much is measured, and where it goes. */
static const struct {
	const char *name;
	char letter;
	bool has_value;
} anew[] = {
	{"runs", 'r', true},        {"min-runs", 'm', true}, {"max-runs", 'M', true}, {"max-time", '\0', true},
	{"json", '\0', true},       {"csv", '\0', true},     {"markdown", '\0', true}, {"html", '\0', true},
	{"export-json", '\0', true}, {"junit", '\0', true},   {"graph", '\0', true},    {"traces", '\0', true},
	{"no-save", '\0', false},
};

/* How many words of an option begin here: "--name value", "--name=value", "-n value" or "-nvalue". */
static size_t words_of(const char *word, const char *name, char letter, bool has_value)
{
	size_t length = strlen(name);
	if (letter && word[0] == '-' && word[1] == letter)
		return word[2] ? 1 : 2;
	if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, name, length) != 0)
		return 0;
	return word[2 + length] == '=' ? 1 : word[2 + length] ? 0 : 1 + has_value;
}

/* How many words begin here of --append, --resume and, of an earlier command line that is added to, what is asked for
 * anew. */
static size_t left_out(const char *word, bool of_earlier)
{
	size_t out = words_of(word, "append", '\0', true) + words_of(word, "resume", '\0', false);
	for (size_t i = 0; of_earlier && out == 0 && i < sizeof(anew) / sizeof(anew[0]); i++)
		out = words_of(word, anew[i].name, anew[i].letter, anew[i].has_value);
	return out;
}

/* given[0] is "run", and none is a command. */
static size_t add_given(struct arena *arena, int given_count, char *const *given, char **words, size_t count)
{
	for (int i = 1; i < given_count; i++) {
		int out = (int)left_out(given[i], false);
		if (out > 0)
			i += out - 1;
		else if (i + 1 < given_count || strcmp(given[i], "--") != 0)
			words[count++] = arena_strdup(arena, given[i]);
	}
	return count;
}

/* --append stands directly after "run", where it is an option whatever follows; older ones are dropped. */
int again_words(struct again *again, int given_count, char *const *given, int *argc, char ***argv, struct error *err)
{
	const struct result *result = &again->result;
	struct arena *arena = &again->result.arena;
	if (result->argc < 2 || strcmp(result->argv[1], "run") != 0)
		return again_not_known(again, err);
	char **words = arena_alloc(arena, result->argc + 1 + (size_t)given_count, sizeof(*words));
	if (!words)
		return error_memory(err);
	size_t count = 0;
	bool options_ended = false;
	words[count++] = arena_strdup(arena, result->argv[1]);
	words[count++] = again->file ? arena_printf(arena, "--append=%s", again->file)
	                             : arena_printf(arena, "--append=@%lld", (long long)again->id);
	for (size_t i = 2; i < result->argc; i++) {
		const char *word = result->argv[i];
		size_t out = options_ended ? 0 : left_out(word, !again->broken);
		if (!options_ended && strcmp(word, "--") == 0) {
			options_ended = true;
			count = add_given(arena, given_count, given, words, count);
		}
		if (out > 0)
			i += out - 1;
		else
			words[count++] = arena_strdup(arena, word);
	}
	if (!options_ended)
		count = add_given(arena, given_count, given, words, count);
	for (size_t i = 0; i < count; i++)
		if (!words[i])
			return error_memory(err);
	*argc = (int)count;
	*argv = words;
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

/* What a hook may make anew is compared by its place alone. */
static int check_program(const struct store_program *then, const struct store_program *now,
                         const struct experiment_subject *subject, struct error *err)
{
	bool known = then->path[0] == '/' && now->path && now->path[0] == '/';
	bool moved = known && strcmp(then->path, now->path) != 0;
	bool by_hook = subject->setup || subject->prepare || subject->conclude || subject->cleanup;
	bool changed = known && !by_hook && then->hash[0] && now->hash[0] && strcmp(then->hash, now->hash) != 0;
	if (!moved && !changed)
		return 0;
	error_set(err, ERROR_USAGE, moved ? "the earlier result was of another program (%.200s)"
	                                  : "the program was changed since the earlier result (%.200s)",
	          then->path);
	error_on(err, "%.300s", subject->name);
	return error_next(err, moved ? "go on where it was begun, or measure this one by itself"
	                             : "measure it by itself; 'tare compare' puts results side by side");
}

int again_check_programs(const struct again *again, const struct experiment *experiment, struct error *err)
{
	struct arena arena = {0};
	int status = 0;
	/* A file has none; another number of commands is for the session to refuse. */
	if (again->facts.program_count != experiment->subject_count ||
	    again->result.subject_count != experiment->subject_count)
		return 0;
	const struct store_program *now = programs_of(experiment, &arena);
	if (!now)
		status = error_memory(err);
	for (size_t i = 0; status == 0 && i < experiment->subject_count; i++)
		if (strcmp(again->result.subjects[i].name, experiment->subjects[i].name) == 0)
			status = check_program(&again->facts.programs[i], &now[i], &experiment->subjects[i], err);
	arena_release(&arena);
	return status;
}
