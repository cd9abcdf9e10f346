#include "cli/run_hints.h"

#include "base/buffer.h"
#include "base/text.h"
#include "host/search.h"
#include "report/words.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A hint that does not fit its record is worse than none: half a line cannot be typed. */
enum { LONGEST_LINE = 180 };

/* Of hyperfine, then of Pilot: what is not needed here, or has another name. */
const struct foreign_option run_foreign_options[] = {
	{"min-benchmarking-time", "--precision PCT, --min-runs N and --max-time TIME decide when tare stops"},
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
	SCOPED(arena) struct arena arena = {0};
	struct host host = host_real();
	struct error err;
	char path[4096];
	const char *word = search_first_word(&arena, command);
	return word && word[0] && search_program(&host, word, NULL, path, sizeof(path), &err) == 0 &&
	       access(path, X_OK) == 0;
}

void run_hints_put_words(struct buffer *out, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		buffer_text_add(out, i ? " " : "");
		words_argument(words[i], out);
	}
}

static void hint(const struct buffer *line, const char *before, const char *after, struct error *err)
{
	if (line->length <= LONGEST_LINE && !line->out_of_memory)
		error_next(err, "%s%s%s", before, buffer_text(line), after);
}

/* "tare run OPTIONS 'WORD WORD…'": the words as one command. A word that would not stay one gets quotes of its own. */
static void put_quoted(struct buffer *line, char **options, size_t option_count, const char *const *words, size_t count)
{
	SCOPED(buffer) struct buffer command = {0};
	run_hints_put_words(&command, words, count);
	bool inner = strchr(buffer_text(&command), '\''), plain = !strpbrk(buffer_text(&command), "\"$`\\!");
	buffer_text_add(line, "tare run ");
	run_hints_put_words(line, (const char *const *)options, option_count);
	buffer_text_add(line, option_count ? " " : "");
	if (inner && plain)
		buffer_printf(line, "\"%s\"", buffer_text(&command));
	else if (inner)
		words_argument(buffer_text(&command), line);
	else
		buffer_printf(line, "'%s'", buffer_text(&command));
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

/* ./WORD is a second program that is missing, not an argument of the first. */
static bool is_path_from_here(const char *word)
{
	return strncmp(word, "./", 2) == 0 || strncmp(word, "../", 3) == 0;
}

int run_hints_check_quotes(const struct text_list *words, int argc, char **argv, struct error *err)
{
	SCOPED(buffer) struct buffer line = {0};
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
	if (!taken && is_path_from_here(words->items[wrong]))
		return 0;
	if (taken) {
		error_set(err, ERROR_USAGE, "%s is --%s of tare, not an option of %.60s", argv[first + 1], taken,
		          words->items[0]);
	} else {
		error_full(err, ERROR_USAGE, words->items[wrong], NULL, "there is no such program");
	}
	if (letters)
		put_quoted(&line, argv + 1, (size_t)first - 1, (const char *const *)argv + first, (size_t)(argc - first));
	else
		put_quoted(&line, argv + 1, (size_t)first - 1, words->items, words->count);
	hint(&line, "did you mean ", "? Quote a command together with its arguments", err);
	return -1;
}

void run_hints_for_options(const struct text_list *words, int argc, char **argv, struct error *err)
{
	SCOPED(buffer) struct buffer line = {0};
	bool letters; /* of options with long names, the answer that is there names the nearest */
	if (err->kind != ERROR_USAGE || words->count == 0 || !is_bare(words->items[0]))
		return;
	int first = find_first(words, argc, argv, &letters);
	if (!letters)
		return;
	put_quoted(&line, argv + 1, (size_t)first - 1, (const char *const *)argv + first, (size_t)(argc - first));
	hint(&line, "did you mean ", "? Options of a command go inside its quotes", err);
}

void run_hints_for_shell(int argc, char **argv, struct error *err)
{
	SCOPED(buffer) struct buffer line = {0};
	/* What was refused is a command, parameters substituted. An open quote is refused too; no shell would close it. */
	bool variable = text_sets_variable(err->on);
	if (err->on[0] == '-' || !(variable || strpbrk(err->on, "|&;<>()`$*?[~#\n")))
		return;
	buffer_text_add(&line, "tare run -S default ");
	run_hints_put_words(&line, (const char *const *)argv + 1, (size_t)argc - 1);
	if (line.length <= LONGEST_LINE && !line.out_of_memory) {
		error_next(err, variable ? "put 'env' in front of it, or run it in a shell:" : "to run it in a shell:");
		error_type(err, buffer_text(&line));
	}
}

int run_hints_refuse_data(const struct text_list *words, const char *command, struct error *err)
{
	for (size_t i = 0; i < words->count; i++) {
		const char *file = words->items[i];
		struct stat status;
		if (stat(file, &status) != 0 || !S_ISREG(status.st_mode) || (status.st_mode & 0111))
			continue;
		if (text_ends_with(file, ".json") || text_ends_with(file, ".csv"))
			return error_full(err, ERROR_USAGE, file, "'tare analyze FILE' and 'tare compare OLD NEW' read it",
			                  "this is a file of measurements, not a program");
		if (text_ends_with(file, ".py")) {
			error_full(err, ERROR_USAGE, file, NULL, "this script is not executable");
			return error_next(err, "type tare %s 'python3 %.120s'", command, file);
		}
	}
	return 0;
}
