#include "cli/again.h"

#include "base/memory.h"
#include "cli/stored.h"
#include "exchange/import.h"
#include "store/loader.h"
#include "store/query.h"

#include <string.h>

static int load_tags(struct store *store, int64_t id, struct arena *arena, struct text_list *tags, struct error *err)
{
	struct store_facts facts;
	if (store_facts(store, id, arena, &facts, err) != 0)
		return -1;
	for (size_t i = 0; i < facts.tag_count; i++)
		if (strcmp(facts.tags[i], STORE_CONFIRMATION) != 0 && text_list_add(tags, facts.tags[i]) != 0)
			return error_memory(err);
	return 0;
}

int again_load(const char *argument, struct result *earlier, int64_t *id, struct text_list *tags, struct error *err)
{
	*id = 0;
	if (!stored_is_named(argument))
		return import_file(argument, NULL, earlier, err);
	struct store *store = stored_open(err);
	int status = store ? store_find(store, argument + 1, id, err) : -1;
	if (status == 0)
		status = stored_load(store, *id, earlier, err);
	if (status == 0)
		status = load_tags(store, *id, &earlier->arena, tags, err);
	store_close(store);
	return status;
}

int again_commands(const struct result *earlier, struct text_list *words, struct text_list *names, struct error *err)
{
	for (size_t i = 0; i < earlier->subject_count; i++) {
		if (!earlier->subjects[i].command) {
			error_set(err, ERROR_USAGE, "the earlier result has no commands to run");
			return error_on(err, "--append");
		}
		if (text_list_add(words, earlier->subjects[i].command) != 0 ||
		    text_list_add(names, earlier->subjects[i].name) != 0)
			return error_memory(err);
	}
	return 0;
}

void again_set(struct experiment *experiment, const struct result *earlier)
{
	experiment->earlier = earlier;
	if (strcmp(experiment->design, "auto") == 0 && earlier->design.name)
		experiment->design = earlier->design.name;
	if (!experiment->name)
		experiment->name = earlier->name;
}

static int take_broken(void *context, const struct store_row *row, struct error *err)
{
	int64_t *id = context;
	(void)err;
	bool broken = row->orphaned || strcmp(row->state, "interrupted") == 0;
	if (*id == 0 && broken && !strstr(row->tags, STORE_CONFIRMATION))
		*id = row->id;
	return 0;
}

/* The options beside --resume; given[0] is "run". */
static size_t add_given(struct arena *arena, int given_count, char *const *given, char **words, size_t count)
{
	for (int i = 1; i < given_count; i++)
		if (strcmp(given[i], "--resume") != 0)
			words[count++] = arena_strdup(arena, given[i]);
	return count;
}

/* --append stands directly after "run", where it is an option whatever follows; older ones are dropped. */
static int copy_words(struct arena *arena, const struct result *result, int64_t id, int given_count, char *const *given,
                      int *argc, char ***argv, struct error *err)
{
	char **words = arena_alloc(arena, result->argc + 1 + (size_t)given_count, sizeof(*words));
	if (!words)
		return error_memory(err);
	size_t count = 0;
	bool options_ended = false;
	words[count++] = arena_strdup(arena, result->argv[1]);
	words[count++] = arena_printf(arena, "--append=@%lld", (long long)id);
	for (size_t i = 2; i < result->argc; i++) {
		const char *word = result->argv[i];
		if (!options_ended && strcmp(word, "--") == 0) {
			options_ended = true;
			count = add_given(arena, given_count, given, words, count);
		}
		if (!options_ended && strcmp(word, "--append") == 0)
			i++; /* its value too */
		else if (options_ended || strncmp(word, "--append=", strlen("--append=")) != 0)
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

int again_find(struct arena *arena, int given_count, char *const *given, int *argc, char ***argv, struct error *err)
{
	int64_t id = 0;
	struct result result;
	result_init(&result);
	struct store *store = stored_open(err);
	int status = store ? store_list(store, &(struct store_filter){0}, take_broken, &id, err) : -1;
	if (status == 0 && id == 0) {
		error_set(err, ERROR_NO_DATA, "no run was interrupted or killed");
		status = error_next(err, "'tare history list' shows what there is; --append @ID goes on with any of them");
	}
	if (status == 0)
		status = stored_load(store, id, &result, err);
	if (status == 0 && (result.argc < 2 || strcmp(result.argv[1], "run") != 0)) {
		error_set(err, ERROR_USAGE, "the last experiment that was broken off is no 'tare run'");
		status = error_next(err, "only commands can be gone on with");
	}
	if (status == 0)
		status = copy_words(arena, &result, id, given_count, given, argc, argv, err);
	result_release(&result);
	store_close(store);
	return status;
}
