#include "cli/options.h"

#include "base/format.h"
#include "base/parse.h"
#include "base/text.h"
#include "report/text.h"
#include "report/text_width.h"

#include <stdio.h>
#include <string.h>

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

/* The nearest of ours is no help to who types what another tool has. */
static const char *foreign_answer(const struct command *command, const char *word)
{
	for (const struct foreign_option *foreign = command->foreign; foreign && foreign->name; foreign++)
		if (strcmp(foreign->name, word) == 0)
			return foreign->answer;
	return NULL;
}

/* `dashes` is "--", or "-" before a letter, which is near to nothing. */
static int unknown_option(const struct command *command, const char *dashes, const char *word, struct error *err)
{
	const char *answer = foreign_answer(command, word);
	const char *nearest = NULL;
	size_t best = dashes[1] ? strlen(word) / 2 + 1 : 0; /* half of a short word changed makes another word */
	if (best > 4)
		best = 4;
	for (const struct option *option = command->options; option->name; option++) {
		size_t d = text_distance(word, option->name);
		if (strncmp(word, option->name, strlen(word)) == 0 && strlen(word) > 1)
			d = 1;
		if (d < best) {
			best = d;
			nearest = option->name;
		}
	}
	error_set(err, ERROR_USAGE, "there is no option %s%.60s", dashes, word);
	if (answer)
		return error_next(err, "%s", answer);
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

/* Limits are divided as what was read is, by `per`: multiplying that back would round it past its limit. */
static int check_range(const struct option *option, double value, double per, const char *unit, struct error *err)
{
	if ((option->low == 0 && option->high == 0) || (value >= option->low / per && value <= option->high / per))
		return 0;
	return error_set(err, ERROR_USAGE, "must be between %.10g%s and %.10g%s", option->low, unit, option->high, unit);
}

/* Who writes 0.02 may mean 2 %, as in a fraction. A whole measurement by the wrong one of the two would be lost. */
static int check_percent(const char *text, double fraction, struct error *err)
{
	char number[FORMAT_MAX], larger[FORMAT_MAX];
	double value = fraction * 100;
	if (!(value > 0 && value < 1) || strchr(text, '%'))
		return 0;
	snprintf(number, sizeof(number), "%.6g", value);
	snprintf(larger, sizeof(larger), "%.6g", value * 100);
	error_set(err, ERROR_USAGE, "'%.20s' could mean %s %% or %s %%", text, number, larger);
	return error_next(err, "write %s%% or %s%%", number, larger);
}

static int check_choice(const struct option *option, const char *text, struct error *err)
{
	if (is_choice(option->choices, text))
		return 0;
	error_set(err, ERROR_USAGE, "'%.60s' is not one of its values", text);
	return error_next(err, "choose one of %s", option->choices);
}

static int store(const struct option *option, const char *text, void *target, struct error *err)
{
	void *place = (char *)target + option->offset;
	bool percent = option->kind == OPTION_PERCENT;
	int64_t integer;
	double number;
	switch (option->kind) {
	case OPTION_FLAG: *(bool *)place = true; return 0;
	case OPTION_OPTIONAL:
	case OPTION_CHOICE:
		if ((option->kind == OPTION_CHOICE || (option->choices && text[0])) && check_choice(option, text, err) != 0)
			return -1;
		*(const char **)place = text;
		return 0;
	case OPTION_DOCUMENT:
	case OPTION_TEXT: *(const char **)place = text; return 0;
	case OPTION_LIST: return text_list_add(place, text) == 0 ? 0 : error_memory(err);
	case OPTION_INTEGER: {
		bool limited = option->low != 0 || option->high != 0;
		if (parse_integer(text, limited ? (int64_t)option->low : INT64_MIN, limited ? (int64_t)option->high : INT64_MAX,
		                  &integer, err) != 0)
			return -1;
		*(int64_t *)place = integer;
		return 0;
	}
	case OPTION_NUMBER:
	case OPTION_PERCENT:
		if ((percent ? parse_percent : parse_double)(text, &number, err) != 0 ||
		    check_range(option, number, percent ? 100 : 1, percent ? " %" : "", err) != 0 ||
		    (percent && check_percent(text, number, err) != 0))
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
	}
	return error_set(err, ERROR_INTERNAL, "option of unknown kind");
}

bool option_is_among(const char *name, const char *names)
{
	size_t length = strlen(name);
	for (const char *at = names; *at; at += strcspn(at, " "), at += *at == ' ')
		if (strcspn(at, " ") == length && memcmp(at, name, length) == 0)
			return true;
	return false;
}

bool option_takes_word(const struct option *option)
{
	return option->kind != OPTION_FLAG && (option->kind != OPTION_OPTIONAL || option->choices);
}

/* A result that is to be read must never be taken for the document to write. */
static bool is_result(const char *word)
{
	return word[0] == '@' || text_ends_with(word, ".json") || text_ends_with(word, ".json.gz");
}

/* How many of the words from `next` on (NULL: there is none) are values; `inside`: one is in the option's own word. */
static size_t values_after(const struct option *option, bool inside, const char *next)
{
	if (!option_takes_word(option))
		return 0;
	if (option->kind == OPTION_OPTIONAL)
		return !inside && next && is_choice(option->choices, next);
	if (option->kind == OPTION_DOCUMENT)
		return !inside && next && (next[0] != '-' || !next[1]) && !is_result(next);
	return (option->values > 1 ? (size_t)option->values : 1) - inside;
}

/* By the first bytes of a word. */
static const struct option *find_long(const struct option *table, const char *word, size_t length)
{
	for (const struct option *option = table; option->name; option++)
		if (strlen(option->name) == length && strncmp(option->name, word, length) == 0)
			return option;
	return NULL;
}

struct option_word option_word_of(const struct option *table, const char *word, const char *next)
{
	size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;
	const struct option *named = find_long(table, word + (length ? 2 : 0), length);
	if (named)
		return (struct option_word){named, 0, values_after(named, word[2 + length] == '=', next)};
	for (size_t i = 1; length == 0 && word[0] == '-' && word[i]; i++)
		for (const struct option *option = table; option->name; option++)
			if (option->letter == word[i] && option_takes_word(option))
				return (struct option_word){option, i - 1, values_after(option, word[i + 1] != '\0', next)};
	return (struct option_word){NULL, 0, 0};
}

/* What is being read, and where it goes. */
struct parsing {
	const struct command *command;
	char **argv;
	int argc, at;
	void *target;
	bool *given;
	struct error *err;
};

/* Stores and, on failure, says which option it was. */
static int take(struct parsing *p, const struct option *option, const char *text)
{
	if (store(option, text, p->target, p->err) != 0)
		return error_on(p->err, "--%s", option->name);
	if (p->given)
		p->given[option - p->command->options] = true;
	return 0;
}

const struct option *option_find(const struct command *command, const char *name)
{
	return find_long(command->options, name, strlen(name));
}

int option_store(const struct option *option, const char *text, void *target, struct error *err)
{
	static const char *const yes[] = {"true", "yes", "on"}, *const no[] = {"false", "no", "off"};
	bool optional = option->kind == OPTION_OPTIONAL;
	bool value = option->choices ? is_choice(option->choices, text) : text[0] >= '0' && text[0] <= '9';
	if (optional ? value : option_takes_word(option))
		return store(option, text, target, err);
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		bool is_yes = strcmp(text, yes[i]) == 0;
		if (!is_yes && strcmp(text, no[i]) != 0)
			continue;
		if (optional)
			*(const char **)(void *)((char *)target + option->offset) = is_yes ? "" : NULL;
		else
			*(bool *)((char *)target + option->offset) = is_yes;
		return 0;
	}
	return error_set(err, ERROR_USAGE, "'%.40s' is neither true nor false", text);
}

static int missing_argument(const struct option *option, struct error *err)
{
	error_set(err, ERROR_USAGE, "needs a value (%s)", option->argument);
	return error_on(err, "--%s", option->name);
}

/* The value that stands in the same word, or the next word; further ones of an option that takes several. */
static int take_values(struct parsing *p, const struct option *option, const char *value)
{
	const char *next = p->at + 1 < p->argc ? p->argv[p->at + 1] : NULL;
	size_t words = values_after(option, value != NULL, next);
	if (!value && words == 0)
		value = option->kind == OPTION_DOCUMENT ? "-" : "";
	if (value && take(p, option, value) != 0)
		return -1;
	for (; words > 0; words--) {
		if (p->at + 1 >= p->argc)
			return missing_argument(option, p->err);
		if (take(p, option, p->argv[++p->at]) != 0)
			return -1;
	}
	return 0;
}

static int parse_long(struct parsing *p)
{
	const char *word = p->argv[p->at] + 2;
	size_t length = strcspn(word, "=");
	const char *value = word[length] ? word + length + 1 : NULL;
	const struct option *option = find_long(p->command->options, word, length);
	if (!option) {
		char name[64];
		snprintf(name, sizeof(name), "%.*s", (int)(length < 60 ? length : 60), word);
		return unknown_option(p->command, "--", name, p->err);
	}
	if (option->kind == OPTION_FLAG && value) {
		error_set(p->err, ERROR_USAGE, "takes no value");
		return error_on(p->err, "--%s", option->name);
	}
	return take_values(p, option, value);
}

static int parse_letters(struct parsing *p, bool *help)
{
	for (const char *letter = p->argv[p->at] + 1; *letter; letter++) {
		const struct option *option = p->command->options;
		while (option->name && option->letter != *letter)
			option++;
		if (!option->name && *letter == 'h') {
			*help = true;
			return 0;
		}
		if (!option->name)
			return unknown_option(p->command, "-", (const char[]){*letter, '\0'}, p->err);
		if (option_takes_word(option))
			return take_values(p, option, letter[1] ? letter + 1 + (letter[1] == '=') : NULL);
		bool with_value = option->kind == OPTION_OPTIONAL && letter[1] == '=';
		if (take(p, option, with_value ? letter + 2 : "") != 0)
			return -1;
		if (with_value)
			return 0;
	}
	return 0;
}

int options_parse(const struct command *command, int argc, char **argv, void *target, bool given[OPTIONS_MOST],
                  struct text_list *arguments, bool *help, struct error *err)
{
	struct parsing parsing = {command, argv, argc, 1, target, given, err};
	*help = false;
	bool options_ended = false;
	for (; parsing.at < argc && !*help; parsing.at++) {
		const char *word = argv[parsing.at];
		int failed = 0;
		if (options_ended || word[0] != '-' || word[1] == '\0')
			failed = text_list_add(arguments, word) != 0 ? error_memory(err) : 0;
		else if (strcmp(word, "--") == 0)
			options_ended = true;
		else if (strcmp(word, "--help") == 0)
			*help = true;
		else if (word[1] == '-')
			failed = parse_long(&parsing);
		else
			failed = parse_letters(&parsing, help);
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

static void help_option(const struct option *option, struct buffer *out)
{
	enum { HELP_COLUMN = 27 };
	SCOPED(buffer) struct buffer head = {0};
	if (option->letter)
		buffer_printf(&head, "  -%c, --%s", option->letter, option->name);
	else
		buffer_printf(&head, "      --%s", option->name);
	if (option->argument)
		buffer_printf(&head, option_takes_word(option) ? option->kind == OPTION_OPTIONAL ? " [%s]" : " %s" : "[=%s]",
		              option->argument);
	buffer_text_add(out, buffer_text(&head));
	size_t width = text_width(buffer_text(&head), TEXT_UNICODE);
	if (width + 1 > HELP_COLUMN) {
		buffer_char(out, '\n');
		buffer_repeat(out, " ", HELP_COLUMN);
	} else {
		buffer_repeat(out, " ", HELP_COLUMN - width);
	}
	text_wrap(out, option->help, HELP_COLUMN, HELP_COLUMN);
}

static void help_group(const struct command *command, const struct help_group *group, struct buffer *out)
{
	char name[64];
	buffer_printf(out, "%s:\n", group->title);
	for (const char *at = group->names; *at;) {
		size_t length = strcspn(at, " ");
		snprintf(name, sizeof(name), "%.*s", (int)length, at);
		help_option(option_find(command, name), out);
		at += length + strspn(at + length, " ");
	}
}

void options_help(const struct command *command, struct buffer *out)
{
	buffer_printf(out, "usage: %s\n\n%s\n", command->usage, command->about);
	if (command->screen)
		buffer_char(out, '\n');
	else if (command->options->name)
		buffer_text_add(out, "\noptions:\n");
	for (const struct option *option = command->options; !command->screen && option->name; option++)
		if (option->help)
			help_option(option, out);
	for (const struct help_group *group = command->screen; group && group->title; group++)
		help_group(command, group, out);
	buffer_printf(out, "\n'tare help %s --all' lists every option, as 'man tare-%s' does.\n", command->name,
	              command->name);
}
