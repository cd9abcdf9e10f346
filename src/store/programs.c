#include "store/programs.h"

#include "base/text.h"
#include "host/binary.h"
#include "host/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static const char *script_of(const struct host *host, struct arena *arena, const char *words, const char *directory)
{
	const char *absolute = NULL;
	struct stat status;
	while (words[strspn(words, " \t\n")]) {
		const char *word = search_next_word(arena, &words);
		if (!word || (word[0] == '/' && absolute))
			continue;
		const char *path = directory && word[0] != '/' ? arena_printf(arena, "%s/%s", directory, word) : word;
		if (!path || host->sys->stat(path, &status) != 0 || !S_ISREG(status.st_mode))
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
	const char *path = elsewhere ? script_of(host, arena, words, directory) : NULL;
	struct store_program script = path ? describe(host, path, arena) : (struct store_program){NULL, NULL, NULL};
	if (script.path) {
		program.path = arena_printf(arena, "%s %s", program.path, script.path);
		program.hash = arena_printf(arena, "%s %s", program.hash, script.hash);
	}
	return program.path && program.hash ? program : (struct store_program){NULL, NULL, NULL};
}

struct store_program *store_programs_of(const struct experiment *experiment, struct arena *arena)
{
	struct host host = host_real();
	struct store_program *programs = arena_alloc(arena, experiment->subject_count, sizeof(*programs));
	for (size_t i = 0; programs && i < experiment->subject_count; i++) {
		const struct experiment_subject *subject = &experiment->subjects[i];
		const char *rest = subject->command, *word;
		char path[4096];
		size_t same = 0;
		while (strcmp(experiment->subjects[same].command, subject->command) != 0 ||
		       !text_same(experiment->subjects[same].directory, subject->directory))
			same++;
		if (same < i) {
			programs[i] = programs[same];
			continue;
		}
		if (!(word = search_next_word(arena, &rest)))
			return NULL;
		if (search_seen_from(&host, word, subject->directory, path, sizeof(path)) != 0)
			continue;
		programs[i] = with_script(&host, describe(&host, path, arena), rest, subject->directory, arena);
	}
	return programs;
}
