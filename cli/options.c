#include "cli/options.h"

#include "base/memory.h"
#include "base/parse.h"
#include "base/text.h"
#include "report/text.h"
#include "report/text_width.h"

#include <stdio.h>
#include <string.h>

int text_list_add(struct text_list *list, const char *text)
{
	const char **items = mem_resize(list->items, list->count + 1, sizeof(*items));
	if (!items)
		return -1;
	list->items = items;
	items[list->count++] = text;
	return 0;
}

void text_list_release(struct text_list *list)
{
	mem_free(list->items);
	list->items = NULL;
	list->count = 0;
}

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

static int unknown_option(const struct command *command, const char *word, struct error *err)
{
	const char *nearest = NULL;
	size_t best = 4;
	for (const struct option *option = command->options; option->name; option++) {
		size_t d = text_distance(word, option->name);
		if (strncmp(word, option->name, strlen(word)) == 0 && strlen(word) > 1)
			d = 1;
		if (d < best) {
			best = d;
			nearest = option->name;
		}
	}
	error_set(err, ERROR_USAGE, "there is no option --%.60s", word);
	if (nearest)
		return error_next(err, "did you mean --%s? 'tare %s --help' lists the options", nearest, command->name);
	return error_next(err, "'tare %s --help' lists the options", command->name);
}

static bool is_choice(const char *choices, const char *text)
{
	size_t length = strlen(text);
	for (const char *at = choices; at; at = strchr(at, '|'), at = at ? at + 1 : NULL)
		if (strncmp(at, text, length) == 0 && (at[length] == '|' || at[length] == '\0'))
			return length > 0;
	return false;
}

static int check_range(const struct option *option, double value, const char *unit, struct error *err)
{
	if ((option->low == 0 && option->high == 0) || (value >= option->low && value <= option->high))
		return 0;
	return error_set(err, ERROR_USAGE, "must be between %g%s and %g%s", option->low, unit, option->high, unit);
}

static int store(const struct option *option, const char *text, void *target, struct error *err)
{
	void *place = (char *)target + option->offset;
	int64_t integer;
	double number;
	switch (option->kind) {
	case OPTION_FLAG: *(bool *)place = true; return 0;
	case OPTION_TEXT: *(const char **)place = text; return 0;
	case OPTION_LIST: return text_list_add(place, text) == 0 ? 0 : error_memory(err);
	case OPTION_INTEGER:
		if (parse_integer(text, INT64_MIN, INT64_MAX, &integer, err) != 0 ||
		    check_range(option, (double)integer, "", err) != 0)
			return -1;
		*(int64_t *)place = integer;
		return 0;
	case OPTION_NUMBER:
		if (parse_double(text, &number, err) != 0 || check_range(option, number, "", err) != 0)
			return -1;
		*(double *)place = number;
		return 0;
	case OPTION_PERCENT:
		if (parse_percent(text, &number, err) != 0 || check_range(option, number * 100, " %", err) != 0)
			return -1;
		*(double *)place = number;
		return 0;
	case OPTION_DURATION:
		if (parse_duration(text, &integer, err) != 0)
			return -1;
		if (integer <= 0)
			return error_set(err, ERROR_USAGE, "must be longer than 0");
		*(int64_t *)place = integer;
		return 0;
	case OPTION_CHOICE:
		if (!is_choice(option->choices, text)) {
			error_set(err, ERROR_USAGE, "'%.60s' is not one of its values", text);
			return error_next(err, "choose one of %s", option->choices);
		}
		*(const char **)place = text;
		return 0;
	}
	return error_set(err, ERROR_INTERNAL, "option of unknown kind");
}

/* Stores and, on failure, says which option it was. */
static int take(const struct option *option, const char *text, void *target, struct error *err)
{
	if (store(option, text, target, err) == 0)
		return 0;
	return error_on(err, "--%s", option->name);
}

const struct option *option_find(const struct command *command, const char *name)
{
	for (const struct option *option = command->options; option->name; option++)
		if (strcmp(option->name, name) == 0)
			return option;
	return NULL;
}

int option_store(const struct option *option, const char *text, void *target, struct error *err)
{
	static const char *const yes[] = {"true", "yes", "on"}, *const no[] = {"false", "no", "off"};
	if (option->kind != OPTION_FLAG)
		return store(option, text, target, err);
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		if (strcmp(text, yes[i]) == 0 || strcmp(text, no[i]) == 0) {
			*(bool *)((char *)target + option->offset) = strcmp(text, yes[i]) == 0;
			return 0;
		}
	return error_set(err, ERROR_USAGE, "'%.40s' is neither true nor false", text);
}

static int missing_argument(const struct option *option, struct error *err)
{
	error_set(err, ERROR_USAGE, "needs a value (%s)", option->argument);
	return error_on(err, "--%s", option->name);
}

/* Further values of an option that takes several, from the words after it. */
static int take_more(const struct option *option, char **argv, int argc, int *at, void *target, struct error *err)
{
	for (int more = 1; more < option->values; more++) {
		if (*at + 1 >= argc)
			return missing_argument(option, err);
		if (take(option, argv[++*at], target, err) != 0)
			return -1;
	}
	return 0;
}

static int parse_long(const struct command *command, char **argv, int argc, int *at, void *target, struct error *err)
{
	const char *word = argv[*at] + 2;
	const char *equals = strchr(word, '=');
	size_t length = equals ? (size_t)(equals - word) : strlen(word);
	for (const struct option *option = command->options; option->name; option++) {
		if (strlen(option->name) != length || strncmp(option->name, word, length) != 0)
			continue;
		if (option->kind == OPTION_FLAG && equals) {
			error_set(err, ERROR_USAGE, "takes no value");
			return error_on(err, "--%s", option->name);
		}
		if (option->kind == OPTION_FLAG)
			return take(option, NULL, target, err);
		if (!equals && *at + 1 >= argc)
			return missing_argument(option, err);
		const char *value = equals ? equals + 1 : argv[++*at];
		if (take(option, value, target, err) != 0)
			return -1;
		return take_more(option, argv, argc, at, target, err);
	}
	char name[64];
	snprintf(name, sizeof(name), "%.*s", (int)(length < 60 ? length : 60), word);
	return unknown_option(command, name, err);
}

static int parse_letters(const struct command *command, char **argv, int argc, int *at, void *target, bool *help,
                         struct error *err)
{
	for (const char *letter = argv[*at] + 1; *letter; letter++) {
		const struct option *option = command->options;
		while (option->name && option->letter != *letter)
			option++;
		if (!option->name && *letter == 'h') {
			*help = true;
			return 0;
		}
		if (!option->name) {
			error_set(err, ERROR_USAGE, "there is no option -%c", *letter);
			return error_next(err, "'tare %s --help' lists the options", command->name);
		}
		if (option->kind == OPTION_FLAG) {
			if (take(option, NULL, target, err) != 0)
				return -1;
			continue;
		}
		if (!letter[1] && *at + 1 >= argc)
			return missing_argument(option, err);
		const char *value = letter[1] ? letter + 1 + (letter[1] == '=') : argv[++*at];
		if (take(option, value, target, err) != 0)
			return -1;
		return take_more(option, argv, argc, at, target, err);
	}
	return 0;
}

int options_parse(const struct command *command, int argc, char **argv, void *target, struct text_list *arguments,
                  bool *help, struct error *err)
{
	*help = false;
	bool options_ended = false;
	for (int at = 1; at < argc && !*help; at++) {
		const char *word = argv[at];
		int failed = 0;
		if (options_ended || word[0] != '-' || word[1] == '\0')
			failed = text_list_add(arguments, word) != 0 ? error_memory(err) : 0;
		else if (strcmp(word, "--") == 0)
			options_ended = true;
		else if (strcmp(word, "--help") == 0)
			*help = true;
		else if (word[1] == '-')
			failed = parse_long(command, argv, argc, &at, target, err);
		else
			failed = parse_letters(command, argv, argc, &at, target, help, err);
		if (failed)
			return -1;
	}
	return 0;
}

void options_release(const struct command *command, void *target)
{
	for (const struct option *option = command->options; option->name; option++)
		if (option->kind == OPTION_LIST)
			text_list_release((struct text_list *)(void *)((char *)target + option->offset));
}

void options_help(const struct command *command, struct buffer *out)
{
	enum { HELP_COLUMN = 27 };
	buffer_printf(out, "usage: %s\n\n%s\n\noptions:\n", command->usage, command->about);
	for (const struct option *option = command->options; option->name; option++) {
		if (!option->help)
			continue;
		struct buffer head = {0};
		if (option->letter)
			buffer_printf(&head, "  -%c, --%s", option->letter, option->name);
		else
			buffer_printf(&head, "      --%s", option->name);
		if (option->argument)
			buffer_printf(&head, " %s", option->argument);
		buffer_text_add(out, buffer_text(&head));
		size_t width = text_width(buffer_text(&head), TEXT_UNICODE);
		if (width + 1 > HELP_COLUMN) {
			buffer_char(out, '\n');
			buffer_repeat(out, " ", HELP_COLUMN);
		} else {
			buffer_repeat(out, " ", HELP_COLUMN - width);
		}
		buffer_release(&head);
		text_wrap(out, option->help, HELP_COLUMN, HELP_COLUMN);
	}
	buffer_printf(out, "\n'man tare-%s' lists every option.\n", command->name);
}
