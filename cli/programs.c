#include "cli/programs.h"

#include "host/binary.h"
#include "host/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The next word of a command, as a user quotes it; *at behind it. NULL: no memory. */
static const char *next_word(struct arena *arena, const char **at)
{
	const char *from = *at + strspn(*at, " \t\n");
	bool quoted = *from == '\'' || *from == '"';
	size_t length = quoted ? strcspn(from + 1, *from == '"' ? "\"" : "'") : strcspn(from, " \t\n");
	const char *word = arena_strndup(arena, from + quoted, length);
	*at = from + quoted + length;
	*at += quoted && **at;
	return word;
}

const char *programs_first_word(struct arena *arena, const char *command)
{
	return next_word(arena, &command);
}

static bool same_folder(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* A path is seen from where the command runs. */
static int find_file(const struct host *host, const char *word, const char *directory, char *path, size_t size)
{
	if (!directory || word[0] == '/' || !strchr(word, '/'))
		return search_program(host, word, NULL, path, size, NULL);
	return (size_t)snprintf(path, size, "%s/%s", directory, word) < size ? 0 : -1;
}

/* Where a file is to be that a hook is yet to make. */
static const char *place_of(const char *path, struct arena *arena)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? arena_strndup(arena, path, (size_t)(slash - path) + 1) : arena_strdup(arena, ".");
	char *real = folder ? realpath(folder, NULL) : NULL;
	const char *place = real ? arena_printf(arena, "%s/%s", real, slash ? slash + 1 : path) : arena_strdup(arena, path);
	free(real);
	return place;
}

static struct store_program describe(const struct host *host, const char *path, struct arena *arena)
{
	struct binary binary;
	binary_describe(host, path, &binary);
	char *real = realpath(path, NULL);
	struct store_program program = {.path = real ? arena_strdup(arena, real) : place_of(path, arena),
	                                .build_id = arena_strdup(arena, binary.build_id),
	                                .hash = arena_strdup(arena, binary.hash)};
	free(real);
	return program.path && program.build_id && program.hash ? program : (struct store_program){NULL, NULL, NULL};
}

/* What an interpreter runs: the first word after the program that is a file, seen from the folder that the command runs
 * in; one with a place of its own ("/usr/bin/python3" after env, say) only where there is no other. NULL: none, or no
 * memory. */
static const char *script_of(struct arena *arena, const char *words, const char *directory)
{
	const char *absolute = NULL;
	struct stat status;
	while (words[strspn(words, " \t\n")]) {
		const char *word = next_word(arena, &words);
		if (!word || (word[0] == '/' && absolute))
			continue;
		const char *path = directory && word[0] != '/' ? arena_printf(arena, "%s/%s", directory, word) : word;
		if (!path || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
			continue;
		if (word[0] != '/')
			return path;
		absolute = path;
	}
	return absolute;
}

static bool is_in_folder(const char *path, const char *directory)
{
	char *folder = realpath(directory ? directory : ".", NULL);
	size_t length = folder ? strlen(folder) : 0;
	bool inside = folder && strncmp(path, folder, length) == 0 && path[length] == '/';
	free(folder);
	return inside;
}

/* "/usr/bin/python3 /home/me/x.py": a program from elsewhere is another one with another file. One in the folder that
 * the command runs in is known by its own place and content. */
static struct store_program with_script(const struct host *host, struct store_program program, const char *words,
                                        const char *directory, struct arena *arena)
{
	bool elsewhere = program.path && !is_in_folder(program.path, directory);
	const char *path = elsewhere ? script_of(arena, words, directory) : NULL;
	struct store_program script = path ? describe(host, path, arena) : (struct store_program){NULL, NULL, NULL};
	if (script.path) {
		program.path = arena_printf(arena, "%s %s", program.path, script.path);
		program.hash = arena_printf(arena, "%s %s", program.hash, script.hash);
	}
	return program.path && program.hash ? program : (struct store_program){NULL, NULL, NULL};
}

struct store_program *programs_of(const struct experiment *experiment, struct arena *arena)
{
	struct host host = host_real();
	struct store_program *programs = arena_alloc(arena, experiment->subject_count, sizeof(*programs));
	for (size_t i = 0; programs && i < experiment->subject_count; i++) {
		const struct experiment_subject *subject = &experiment->subjects[i];
		const char *rest = subject->command, *word;
		char path[4096];
		size_t same = 0;
		while (strcmp(experiment->subjects[same].command, subject->command) != 0 ||
		       !same_folder(experiment->subjects[same].directory, subject->directory))
			same++;
		if (same < i) {
			programs[i] = programs[same];
			continue;
		}
		if (!(word = next_word(arena, &rest)))
			return NULL;
		if (find_file(&host, word, subject->directory, path, sizeof(path)) != 0)
			continue;
		programs[i] = with_script(&host, describe(&host, path, arena), rest, subject->directory, arena);
	}
	return programs;
}

static bool ends_in(const char *name, const char *end)
{
	size_t length = strlen(name), its = strlen(end);
	return length > its && strcmp(name + length - its, end) == 0;
}

int programs_refuse_data(const struct text_list *words, const char *command, struct error *err)
{
	for (size_t i = 0; i < words->count; i++) {
		const char *file = words->items[i];
		struct stat status;
		if (stat(file, &status) != 0 || !S_ISREG(status.st_mode) || (status.st_mode & 0111))
			continue;
		if (ends_in(file, ".json") || ends_in(file, ".csv")) {
			error_set(err, ERROR_USAGE, "this is a file of measurements, not a program");
			error_on(err, "%s", file);
			return error_next(err, "'tare analyze FILE' and 'tare compare OLD NEW' read it");
		}
		if (ends_in(file, ".py")) {
			error_set(err, ERROR_USAGE, "this script is not executable");
			error_on(err, "%s", file);
			return error_next(err, "type tare %s 'python3 %.120s'", command, file);
		}
	}
	return 0;
}
