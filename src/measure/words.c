/* One pass over the bytes; a word never grows longer than its source. */
#include "measure/words.h"

#include "base/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct splitter {
	const char *command, *at;
	char *out; /* end of what is written of the current word */
	bool in_word;
	bool plain; /* nothing of the current word was quoted */
	size_t words;
	struct error *err;
};

static int refuse_for(struct splitter *splitter, const char *what, const char *next)
{
	return error_full(splitter->err, ERROR_USAGE, splitter->command, next, "%s", what);
}

static int refuse(struct splitter *splitter, const char *what)
{
	return refuse_for(splitter, what,
	                  "quote it to pass it on as it is, or add --shell default to run the command in a shell");
}

static bool names_a_variable(char c)
{
	return isalnum((unsigned char)c) || (c != '\0' && strchr("_{(@*#?!$-", c) != NULL);
}

/* Why the unquoted character at `at` needs a shell, or NULL. */
static const char *shell_meaning(const struct splitter *splitter)
{
	const char *at = splitter->at;
	bool begins = !splitter->in_word;
	switch (*at) {
	case '|': return "'|' (a pipe) needs a shell, and tare runs commands without one";
	case '&': return "'&' needs a shell, and tare runs commands without one";
	case ';': return "';' needs a shell, and tare runs commands without one";
	case '\n': return "a line break in a command needs a shell, and tare runs commands without one";
	case '<':
	case '>': return "'<' and '>' need a shell; --input FILE and --output FILE redirect without one";
	case '(':
	case ')': return "parentheses need a shell, and tare runs commands without one";
	case '`': return "'`' needs a shell, and tare runs commands without one";
	case '$':
		return names_a_variable(at[1]) ? "'$' needs a shell to expand it, and tare runs commands without one" : NULL;
	case '*':
	case '?': return "'*' and '?' need a shell to match file names, and tare runs commands without one";
	case '[': {
		size_t rest = strcspn(at, " \t\n\"'\\");
		return memchr(at, ']', rest) ? "'[…]' needs a shell to match file names, and tare runs commands without one"
		                             : NULL;
	}
	case '~': return begins ? "'~' needs a shell to expand it, and tare runs commands without one" : NULL;
	case '#': return begins ? "'#' needs a shell to be a comment, and tare runs commands without one" : NULL;
	default: return NULL;
	}
}

static void put(struct splitter *splitter, char c)
{
	*splitter->out++ = c;
	splitter->in_word = true;
}

static int take_single_quoted(struct splitter *splitter)
{
	const char *end = strchr(splitter->at + 1, '\'');
	if (!end)
		return refuse_for(splitter, "a quote (') is not closed", "close it, or write \\' for one that is meant itself");
	splitter->in_word = true;
	for (const char *c = splitter->at + 1; c < end; c++)
		put(splitter, *c);
	splitter->at = end + 1;
	return 0;
}

/* Inside double quotes a backslash quotes only what would be special there. */
static int take_double_quoted(struct splitter *splitter)
{
	const char *at = splitter->at + 1;
	splitter->in_word = true;
	for (; *at != '"'; at++) {
		if (*at == '\0')
			return refuse_for(splitter, "a quote (\") is not closed",
			                  "close it, or write \\\" for one that is meant itself");
		if (*at == '\\' && at[1] && strchr("$`\"\\\n", at[1])) {
			at++;
			if (*at == '\n')
				continue;
		} else if (*at == '`' || (*at == '$' && names_a_variable(at[1]))) {
			return refuse(splitter, "'$' and '`' need a shell, also between \"\", and tare runs commands without one");
		}
		put(splitter, *at);
	}
	splitter->at = at + 1;
	return 0;
}

/* A backslash at the very end stands for itself, as in sh. */
static void take_escaped(struct splitter *splitter)
{
	splitter->at++;
	if (*splitter->at == '\n') {
		splitter->at++;
		return;
	}
	put(splitter, *splitter->at ? *splitter->at++ : '\\');
}

/* One word from splitter->at on; 1 when there is one, 0 at the end. */
static int take_word(struct splitter *splitter)
{
	while (*splitter->at == ' ' || *splitter->at == '\t')
		splitter->at++;
	char *begin = splitter->out;
	splitter->in_word = false;
	splitter->plain = true;
	while (*splitter->at && *splitter->at != ' ' && *splitter->at != '\t') {
		const char *meaning = shell_meaning(splitter);
		if (meaning)
			return refuse(splitter, meaning);
		if (*splitter->at == '\'' || *splitter->at == '"') {
			splitter->plain = false;
			if ((*splitter->at == '"' ? take_double_quoted(splitter) : take_single_quoted(splitter)) != 0)
				return -1;
		} else if (*splitter->at == '\\') {
			splitter->plain = false;
			take_escaped(splitter);
		} else {
			put(splitter, *splitter->at++);
		}
	}
	if (!splitter->in_word)
		return 0;
	*splitter->out++ = '\0';
	if (splitter->words++ == 0 && splitter->plain && text_sets_variable(begin)) {
		refuse(splitter, "a variable is set in front of the command, and there is no shell");
		return error_next(splitter->err,
		                  "put 'env' in front of it, or add --shell default to run the command in a shell");
	}
	return 1;
}

const char **words_split(struct arena *arena, const char *command, size_t *count, struct error *err)
{
	size_t length = strlen(command);
	/* No more words than every second byte, no more bytes than the command and a NUL for each word. */
	const char **words = arena_alloc(arena, length / 2 + 2, sizeof(*words));
	char *text = arena_alloc(arena, 2 * length + 2, 1);
	if (!words || !text) {
		error_memory(err);
		return NULL;
	}
	struct splitter splitter = {.command = command, .at = command, .out = text, .err = err};
	size_t n = 0;
	int got = 1;
	while (got == 1) {
		words[n] = splitter.out;
		got = take_word(&splitter);
		n += got == 1;
	}
	if (got < 0)
		return NULL;
	if (n == 0) {
		error_set(err, ERROR_USAGE, "the command is empty");
		return NULL;
	}
	words[n] = NULL;
	*count = n;
	return words;
}
