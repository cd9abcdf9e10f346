#include "cli/run_hints.h"

#include "base/buffer.h"
#include "cli/programs.h"
#include "host/search.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

/* A hint that does not fit its record is worse than none: half a line cannot be typed. */
enum { LONGEST_LINE = 180 };

bool run_hints_can_start(const char *command)
{
	struct arena arena = {0};
	struct host host = host_real();
	struct error err;
	char path[4096];
	const char *word = programs_first_word(&arena, command);
	bool found = word && word[0] && search_program(&host, word, NULL, path, sizeof(path), &err) == 0 &&
	             access(path, X_OK) == 0;
	arena_release(&arena);
	return found;
}

/* One word, as a shell takes it. */
static void put_word(struct buffer *out, const char *word)
{
	bool plain = word[0] != '\0';
	for (const char *at = word; *at; at++)
		plain &= isalnum((unsigned char)*at) || strchr("-_=./,:@%+", *at) != NULL;
	if (plain) {
		buffer_text_add(out, word);
		return;
	}
	buffer_char(out, '\'');
	for (; *word; word++)
		buffer_text_add(out, *word == '\'' ? "'\\''" : (const char[]){*word, '\0'});
	buffer_char(out, '\'');
}

static void hint(const struct buffer *line, const char *before, const char *after, struct error *err)
{
	if (line->length <= LONGEST_LINE && !line->out_of_memory)
		error_next(err, "%s%s%s", before, buffer_text(line), after);
}

/* "tare run 'WORD WORD…'": the words as one command. */
static void put_quoted(struct buffer *line, const char *const *words, size_t count)
{
	buffer_text_add(line, "tare run '");
	for (size_t i = 0; i < count; i++)
		buffer_printf(line, "%s%s", i ? " " : "", words[i]);
	buffer_char(line, '\'');
}

static bool is_bare(const char *word)
{
	return word[0] && !strpbrk(word, " \t\n'\"{");
}

int run_hints_check_quotes(const struct text_list *words, struct error *err)
{
	struct buffer line = {0};
	size_t wrong = 1;
	for (size_t i = 0; i < words->count; i++)
		if (!is_bare(words->items[i]))
			return 0;
	while (wrong < words->count && run_hints_can_start(words->items[wrong]))
		wrong++;
	if (wrong >= words->count || !run_hints_can_start(words->items[0]))
		return 0;
	error_set(err, ERROR_USAGE, "there is no such program");
	error_on(err, "%s", words->items[wrong]);
	put_quoted(&line, words->items, words->count);
	hint(&line, "did you mean ", "? A command with its arguments is one quoted word", err);
	buffer_release(&line);
	return -1;
}

void run_hints_for_options(const struct text_list *words, int argc, char **argv, struct error *err)
{
	struct buffer line = {0};
	int first = 1;
	if (err->kind != ERROR_USAGE || words->count == 0 || !is_bare(words->items[0]))
		return;
	while (first < argc && argv[first] != words->items[0])
		first++;
	bool letters = false; /* as most programs have them; of ours, the answer that is there names the nearest */
	for (int i = first + 1; i < argc; i++)
		letters |= argv[i][0] == '-' && isalpha((unsigned char)argv[i][1]);
	if (!letters)
		return;
	put_quoted(&line, (const char *const *)argv + first, (size_t)(argc - first));
	hint(&line, "did you mean ", "? Options of a command go inside its quotes", err);
	buffer_release(&line);
}

void run_hints_for_shell(int argc, char **argv, struct error *err)
{
	struct buffer line = {0};
	/* What was refused is a command, parameters substituted. An open quote is refused too; no shell would close it. */
	if (err->on[0] == '-' || !strpbrk(err->on, "|&;<>()`$*?[~#\n"))
		return;
	buffer_text_add(&line, "tare run -S default");
	for (int i = 1; i < argc; i++) {
		buffer_char(&line, ' ');
		put_word(&line, argv[i]);
	}
	hint(&line, "to run it by a shell: ", "", err);
	buffer_release(&line);
}
