#include "cli/programs.h"

#include "host/binary.h"
#include "host/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *programs_first_word(struct arena *arena, const char *command)
{
	const char *at = command + strspn(command, " \t\n");
	size_t length = *at == '\'' || *at == '"' ? strcspn(at + 1, *at == '"' ? "\"" : "'") : strcspn(at, " \t\n");
	return arena_strndup(arena, *at == '\'' || *at == '"' ? at + 1 : at, length);
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

struct store_program *programs_of(const struct experiment *experiment, struct arena *arena)
{
	struct host host = host_real();
	struct store_program *programs = arena_alloc(arena, experiment->subject_count, sizeof(*programs));
	const char **words = arena_alloc(arena, experiment->subject_count, sizeof(*words));
	for (size_t i = 0; programs && words && i < experiment->subject_count; i++) {
		const char *directory = experiment->subjects[i].directory;
		char path[4096];
		size_t same = 0;
		if (!(words[i] = programs_first_word(arena, experiment->subjects[i].command)))
			return NULL;
		while (strcmp(words[same], words[i]) != 0 || !same_folder(experiment->subjects[same].directory, directory))
			same++;
		if (same < i)
			programs[i] = programs[same];
		else if (find_file(&host, words[i], directory, path, sizeof(path)) == 0)
			programs[i] = describe(&host, path, arena);
	}
	return words ? programs : NULL;
}
