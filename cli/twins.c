#include "cli/twins.h"

#include "cli/programs.h"
#include "host/binary.h"
#include "host/search.h"

#include <stdio.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_words(const char *const *a, const char *const *b)
{
	size_t i = 0;
	if (!a || !b)
		return a == b;
	while (a[i] && b[i] && strcmp(a[i], b[i]) == 0)
		i++;
	return !a[i] && !b[i];
}

static bool same_circumstances(const struct experiment_subject *a, const struct experiment_subject *b)
{
	return same_text(a->directory, b->directory) && same_text(a->prepare, b->prepare) &&
	       same_text(a->conclude, b->conclude) && same_text(a->setup, b->setup) && same_text(a->cleanup, b->cleanup) &&
	       same_text(a->build, b->build) && same_words(a->env, b->env);
}

static void find_content(const struct host *host, const char *word, const char *directory, struct binary *out)
{
	char path[4096];
	struct error unknown;
	*out = (struct binary){.hash = ""};
	bool relative = directory && word[0] != '/' && strchr(word, '/');
	if (relative && snprintf(path, sizeof(path), "%s/%s", directory, word) < (int)sizeof(path))
		binary_describe(host, path, out);
	else if (!relative && search_program(host, word, NULL, path, sizeof(path), &unknown) == 0)
		binary_describe(host, path, out);
}

/* What stands behind the first word; NULL: that one is quoted. */
static const char *arguments_of(const char *command, const char *word)
{
	size_t length = strlen(word);
	return strncmp(command, word, length) == 0 && (!command[length] || command[length] == ' ') ? command + length
	                                                                                           : NULL;
}

static bool same_command(const struct experiment_subject *a, const struct experiment_subject *b, struct arena *arena)
{
	struct host host = host_real();
	struct binary one, other;
	if (strcmp(a->command, b->command) == 0)
		return true;
	const char *x = programs_first_word(arena, a->command), *y = programs_first_word(arena, b->command);
	const char *behind_x = x ? arguments_of(a->command, x) : NULL, *behind_y = y ? arguments_of(b->command, y) : NULL;
	if (!behind_x || !behind_y || strcmp(behind_x, behind_y) != 0)
		return false;
	find_content(&host, x, a->directory, &one);
	find_content(&host, y, b->directory, &other);
	return one.hash[0] && strcmp(one.hash, other.hash) == 0;
}

int twins_note(const struct experiment *experiment, struct result *result, struct error *err)
{
	const struct experiment_subject *base = &experiment->subjects[experiment->reference];
	struct arena arena = {0};
	int status = 0;
	for (size_t i = 0; i < experiment->subject_count && status == 0; i++) {
		const struct experiment_subject *other = &experiment->subjects[i];
		if (other == base || !base->command || !other->command || !same_circumstances(base, other))
			continue;
		bool same = experiment->shell ? strcmp(base->command, other->command) == 0 : same_command(base, other, &arena);
		if (!same)
			continue;
		if (experiment->subject_count == 2
		        ? result_warn(result, "same-program",
		                      "both are the same program: any difference comes from the machine") != 0
		        : result_warn(result, "same-program",
		                      "%s and %s are the same program: any difference comes from the machine", base->name,
		                      other->name) != 0)
			status = error_memory(err);
		break;
	}
	arena_release(&arena);
	return status;
}
