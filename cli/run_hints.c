#include "cli/run_hints.h"

#include "base/buffer.h"
#include "cli/programs.h"
#include "host/search.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

/* A hint that does not fit its record is worse than none: half a line cannot be typed. */
enum { LONGEST_LINE = 180 };

/* Of hyperfine, then of Pilot: what is not needed here, or has another name. */
const struct foreign_option run_foreign_options[] = {
	{"min-benchmarking-time", "--min-runs N and --max-time TIME say when to stop; --precision PCT says what for"},
	{"debug-mode", "--progress plain says what is done; --json FILE keeps all of it"},
	{"show-elapsed", "the progress line shows the time spent; --progress plain prints it where there is no terminal"},
	{"export-html", "--html FILE writes a page with plots"},
	{"metrics", "--metric NAME chooses what to judge by; the table and --json have the others"},
	{"version", "'tare --version' prints it"},
	{"V", "'tare --version' prints the version"},
	{"E", "--export-json, --export-csv, --export-markdown, --export-asciidoc and --export-orgmode write tables"},
	{"export", "--export-json, --export-csv, --export-markdown, --export-asciidoc and --export-orgmode write tables"},
	{"benchmark_filter", "'tare bench --filter REGEX PROGRAM' measures benchmarks inside a program"},
	{"work-amount", "--work MIN:MAX:UNIT sets the range; {work} in the command is replaced"},
	{"wps", "--work MIN:MAX:UNIT finds the speed; {work} in the command is replaced"},
	{"duration-col", "--pi 't:s:column=K' --metric t beside --work; columns count from 1"},
	{"ci-perc", "--precision PCT is the half-width to reach, as in --precision 5%"},
	{"ci", "--precision PCT is the half-width to reach, as in --precision 5%"},
	{"confidence-level", "--confidence PCT sets it, as in --confidence 95"},
	{"ac", "ac=LIMIT in --pi sets it for an index"},
	{"min-sample-size", "--min-runs N sets the least number of runs"},
	{"session-limit", "--max-time TIME limits the session, as in --max-time 10m"},
	{"valid-rc", "--expect-exit CODES accepts exit codes, as in --expect-exit 0,1"},
	{"env", "put it into the command: 'env NAME=VALUE COMMAND'"},
	{"output-dir", "--json FILE keeps everything; every run is also saved ('tare history')"},
	{0},
};

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

/* Whether a shell, and tare, take the word as it is. */
static bool is_plain(const char *word)
{
	bool plain = word[0] != '\0';
	for (const char *at = word; *at; at++)
		plain &= isalnum((unsigned char)*at) || strchr("-_=./,:@%+", *at) != NULL;
	return plain;
}

void run_hints_put_word(struct buffer *out, const char *word)
{
	if (is_plain(word)) {
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

/* "tare run 'WORD WORD…'": the words as one command. A word that would not stay one gets quotes of its own. */
static void put_quoted(struct buffer *line, const char *const *words, size_t count)
{
	bool inner = false;
	for (size_t i = 0; i < count; i++)
		inner |= !is_plain(words[i]);
	struct buffer command = {0};
	for (size_t i = 0; i < count; i++) {
		buffer_text_add(&command, i ? " " : "");
		run_hints_put_word(&command, words[i]);
	}
	bool plain = !strpbrk(buffer_text(&command), "\"$`\\!");
	buffer_text_add(line, "tare run ");
	if (inner && plain)
		buffer_printf(line, "\"%s\"", buffer_text(&command));
	else if (inner)
		run_hints_put_word(line, buffer_text(&command));
	else
		buffer_printf(line, "'%s'", buffer_text(&command));
	buffer_release(&command);
}

static bool is_bare(const char *word)
{
	return word[0] && !strpbrk(word, " \t\n'\"{");
}

/* Where the first command stands in argv, and whether options of one letter follow it, as most programs have them. */
static int find_first(const struct text_list *words, int argc, char **argv, bool *letters)
{
	int first = 1;
	while (first < argc && argv[first] != words->items[0])
		first++;
	*letters = false;
	for (int i = first + 1; i < argc; i++)
		*letters |= argv[i][0] == '-' && isalpha((unsigned char)argv[i][1]);
	return first;
}

/* A program that runs what stands behind its -c, which is no command to clean up with. */
static bool is_interpreter(const char *command)
{
	static const char *const names[] = {"sh", "bash", "dash", "zsh", "ksh", "fish"};
	const char *slash = strrchr(command, '/'), *name = slash ? slash + 1 : command;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return strncmp(name, "python", 6) == 0 || strncmp(name, "pypy", 4) == 0;
}

/* The option of tare that took what was meant for the command before it; NULL: it is ours for all we know. */
static const char *taken_option(const char *command, const char *option, const char *value)
{
	if (strcmp(option, "-c") == 0 && is_interpreter(command))
		return "cleanup";
	return strcmp(option, "-n") == 0 && access(value, F_OK) == 0 ? "command-name" : NULL;
}

static bool all_bare(const struct text_list *words)
{
	for (size_t i = 0; i < words->count; i++)
		if (!is_bare(words->items[i]))
			return false;
	return words->count > 0;
}

int run_hints_check_quotes(const struct text_list *words, int argc, char **argv, struct error *err)
{
	struct buffer line = {0};
	size_t wrong = 1;
	bool letters;
	if (!all_bare(words))
		return 0;
	int first = find_first(words, argc, argv, &letters);
	const char *taken = first + 2 < argc ? taken_option(words->items[0], argv[first + 1], argv[first + 2]) : NULL;
	while (wrong < words->count && run_hints_can_start(words->items[wrong]))
		wrong++;
	if ((wrong >= words->count && !taken) || !run_hints_can_start(words->items[0]))
		return 0;
	if (taken) {
		error_set(err, ERROR_USAGE, "%s is --%s of tare, not an option of %.60s", argv[first + 1], taken,
		          words->items[0]);
	} else {
		error_set(err, ERROR_USAGE, "there is no such program");
		error_on(err, "%s", words->items[wrong]);
	}
	if (letters)
		put_quoted(&line, (const char *const *)argv + first, (size_t)(argc - first));
	else
		put_quoted(&line, words->items, words->count);
	hint(&line, "did you mean ", "? Quote a command together with its arguments", err);
	buffer_release(&line);
	return -1;
}

void run_hints_for_options(const struct text_list *words, int argc, char **argv, struct error *err)
{
	struct buffer line = {0};
	bool letters; /* of options with long names, the answer that is there names the nearest */
	if (err->kind != ERROR_USAGE || words->count == 0 || !is_bare(words->items[0]))
		return;
	int first = find_first(words, argc, argv, &letters);
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
		run_hints_put_word(&line, argv[i]);
	}
	hint(&line, "to run it in a shell: ", "", err);
	buffer_release(&line);
}
