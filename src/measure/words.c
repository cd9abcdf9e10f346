#include "measure/words.h"

#include <string.h>

static int bad(struct error *err, const char *command, const char *what)
{
	error_set(err, ERROR_USAGE, "%s", what);
	return error_on(err, "%.400s", command);
}

static int needs_shell(struct error *err, const char *command, char c)
{
	error_set(err, ERROR_USAGE, "'%c' means nothing without a shell", c);
	error_on(err, "%.400s", command);
	return error_next(err, "put it in quotes to pass it on as it is, or use --shell default");
}

/* Copies one word to *out; returns the place after it, or NULL when a quote is not closed. */
static const char *copy_word(const char *at, char **out)
{
	char *to = *out;
	while (*at && *at != ' ' && *at != '\t') {
		char quote = *at;
		if (quote == '\'' || quote == '"') {
			for (at++; *at && *at != quote; at++) {
				if (quote == '"' && *at == '\\' && (at[1] == '"' || at[1] == '\\'))
					at++;
				*to++ = *at;
			}
			if (!*at)
				return NULL;
			at++;
		} else if (*at == '\\' && at[1]) {
			*to++ = at[1];
			at += 2;
		} else {
			*to++ = *at++;
		}
	}
	*to++ = '\0';
	*out = to;
	return at;
}

/* A character that a shell would act on, outside of quotes; '\0': none. */
static char shell_character(const char *at)
{
	for (char quote = '\0'; *at; at++) {
		if (quote) {
			if (*at == '\\' && quote == '"' && at[1])
				at++;
			else if (*at == quote)
				quote = '\0';
		} else if (*at == '\'' || *at == '"') {
			quote = *at;
		} else if (*at == '\\' && at[1]) {
			at++;
		} else if (strchr("|&;<>$`*?()\n", *at)) {
			return *at;
		}
	}
	return '\0';
}

int words_split(struct arena *arena, const char *command, const char ***argv, size_t *count, struct error *err)
{
	size_t length = strlen(command), n = 0;
	/* Unquoting never makes a text longer; at most every second character begins a word. */
	char *text = arena_alloc(arena, length + 2, 1), *to = text;
	const char **words = arena_alloc(arena, length / 2 + 2, sizeof(*words));
	if (!text || !words)
		return error_memory(err);
	char c = shell_character(command);
	if (c != '\0')
		return needs_shell(err, command, c);
	for (const char *at = command; *(at += strspn(at, " \t"));) {
		words[n++] = to;
		at = copy_word(at, &to);
		if (!at)
			return bad(err, command, "a quote is not closed");
	}
	if (n == 0) {
		error_set(err, ERROR_USAGE, "an empty command cannot be measured");
		return error_next(err, "each command is one argument, like 'sort -n file'");
	}
	words[n] = NULL;
	*argv = words;
	*count = n;
	return 0;
}
