#include "design/subjects.h"

#include "base/buffer.h"

#include <string.h>

enum { MOST_SUBJECTS = 10000 };

size_t command_program_length(const char *command)
{
	size_t length = strcspn(command, " \t\"'");
	return command[length] == '"' || command[length] == '\'' ? 0 : length;
}

struct side *sides_of_words(struct arena *arena, const struct text_list *words, const struct text_list *names)
{
	struct side *sides = arena_alloc(arena, words->count + 1, sizeof(*sides));
	for (size_t i = 0; sides && i < words->count; i++)
		sides[i] = (struct side){.command = words->items[i], .name = i < names->count ? names->items[i] : NULL};
	return sides;
}

int sides_check_names(const struct text_list *names, size_t count, const char *what, struct error *err)
{
	for (size_t i = 0; i < names->count; i++)
		if (!names->items[i][0])
			return error_set(err, ERROR_USAGE, "the name of %s %zu (-n) is empty", what, i + 1);
	if (names->count <= count)
		return 0;
	error_set(err, ERROR_USAGE, "%zu names for %zu %s%s", names->count, count, what, count == 1 ? "" : "s");
	return error_next(err, "-n names one %s, the first -n the first of them", what);
}

static int check_count(const struct text_list *list, size_t count, const char *option, struct error *err)
{
	if (list->count <= 1 || list->count == count)
		return 0;
	return error_set(err, ERROR_USAGE, "give --%s once, or once for each command", option);
}

/* What is given for this position: one for all, or one each. */
static const char *item_for(const struct text_list *list, size_t position)
{
	return list->count == 0 ? NULL : list->items[list->count == 1 ? 0 : position];
}

int sides_set(struct side *sides, size_t count, const struct side_lists *lists, struct error *err)
{
	if (check_count(&lists->prepare, count, "prepare", err) != 0 ||
	    check_count(&lists->conclude, count, "conclude", err) != 0 ||
	    check_count(&lists->outputs, count, "output", err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		sides[i].prepare = item_for(&lists->prepare, i);
		sides[i].conclude = item_for(&lists->conclude, i);
		sides[i].output = item_for(&lists->outputs, i);
	}
	return 0;
}

/* One combination of parameter values. */
struct values {
	struct arena *arena;
	const struct parameter *items;
	size_t count;
	bool failed; /* out of memory */
};

static const char *substitute(struct values *values, const char *text)
{
	const char *copy = text ? parameter_substitute(values->arena, text, values->items, values->count) : NULL;
	values->failed |= text && !copy;
	return copy;
}

static const char *const *substitute_all(struct values *values, const char *const *texts)
{
	size_t count = 0;
	while (texts && texts[count])
		count++;
	if (count == 0)
		return NULL;
	const char **copy = arena_alloc(values->arena, count + 1, sizeof(*copy));
	values->failed |= !copy;
	for (size_t i = 0; copy && i < count; i++)
		copy[i] = substitute(values, texts[i]);
	return copy;
}

/* Whether {name} stands in a text. */
static bool holds(struct values *values, const char *text, const struct parameter *item)
{
	const char *copy = parameter_substitute(values->arena, text, item, 1);
	values->failed |= !copy;
	return copy && strcmp(copy, text) != 0;
}

/* A name that was given, with its parameters; those that it does not hold follow it. */
static char *given_name(struct values *values, const char *given)
{
	struct buffer name = {0};
	const char *stem = substitute(values, given);
	size_t told = 0;
	buffer_text_add(&name, stem ? stem : "");
	for (size_t i = 0; i < values->count; i++)
		if (!holds(values, given, &values->items[i]))
			buffer_printf(&name, "%s%s=%s", told++ ? ", " : " (", values->items[i].name, values->items[i].value);
	buffer_text_add(&name, told ? ")" : "");
	char *copy = buffer_keep(&name, values->arena);
	values->failed |= !copy;
	return copy;
}

static int add_subject(struct experiment *experiment, const struct side *side, struct values *values, struct error *err)
{
	struct experiment_subject *subject = &experiment->subjects[experiment->subject_count];
	subject->parameters = arena_alloc(values->arena, values->count, sizeof(*values->items));
	subject->command = substitute(values, side->command);
	subject->prepare = substitute(values, side->prepare);
	subject->conclude = substitute(values, side->conclude);
	subject->setup = substitute(values, side->setup);
	subject->cleanup = substitute(values, side->cleanup);
	subject->output = substitute(values, side->output);
	subject->directory = substitute(values, side->directory);
	subject->env = substitute_all(values, side->env);
	subject->build = side->build;
	subject->origin = side->origin;
	if (!subject->parameters || values->failed)
		return error_memory(err);
	/* A command that holds its parameters is told apart by them already. */
	bool substituted = strcmp(subject->command, side->command) != 0;
	subject->name = !side->name && substituted ? subject->command
	                                           : given_name(values, side->name ? side->name : side->command);
	if (values->failed)
		return error_memory(err);
	memcpy(subject->parameters, values->items, values->count * sizeof(*values->items));
	subject->parameter_count = values->count;
	experiment->subject_count++;
	return 0;
}

int subjects_tell_apart(struct experiment *experiment, struct error *err)
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
		experiment->subjects[i].name = arena_printf(&experiment->arena, "%s #%zu", experiment->subjects[i].name,
		                                            same > 1 ? same : i + 1);
		if (!experiment->subjects[i].name)
			return error_memory(err);
	}
	return 0;
}

int subjects_add(struct experiment *experiment, const struct side *once, const struct side *sides, size_t count,
                 const struct parameter_axis *axes, size_t axis_count, struct error *err)
{
	struct arena *arena = &experiment->arena;
	struct parameter *items = arena_alloc(arena, axis_count + 1, sizeof(*items));
	size_t combinations = parameter_combinations(axes, axis_count);
	if (combinations > MOST_SUBJECTS / count)
		return error_full(err, ERROR_USAGE, NULL, "scan fewer values at a time",
		                  "the parameters make more than %d commands", MOST_SUBJECTS);
	experiment->subjects = arena_alloc(arena, combinations * count + 1, sizeof(*experiment->subjects));
	if (!items || !experiment->subjects)
		return error_memory(err);
	struct values none = {arena, items, 0, false}, values = {arena, items, axis_count, false};
	if (once && add_subject(experiment, once, &none, err) != 0)
		return -1;
	for (size_t c = 0; c < combinations; c++) {
		parameter_combination(axes, axis_count, c, items);
		for (size_t i = 0; i < count; i++)
			if (add_subject(experiment, &sides[i], &values, err) != 0)
				return -1;
	}
	return subjects_tell_apart(experiment, err);
}
