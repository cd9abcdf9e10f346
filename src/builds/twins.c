#include "builds/twins.h"

#include "base/scoped.h"
#include "base/text.h"
#include "host/binary.h"
#include "host/search.h"

#include <string.h>

static bool same_circumstances(const struct experiment_subject *a, const struct experiment_subject *b)
{
	return text_same(a->directory, b->directory) && text_same(a->prepare, b->prepare) &&
	       text_same(a->conclude, b->conclude) && text_same(a->setup, b->setup) && text_same(a->cleanup, b->cleanup) &&
	       text_same(a->build, b->build) && text_same_lists(a->env, b->env);
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
	char path[4096];
	if (strcmp(a->command, b->command) == 0)
		return true;
	const char *x = search_first_word(arena, a->command), *y = search_first_word(arena, b->command);
	const char *behind_x = x ? arguments_of(a->command, x) : NULL, *behind_y = y ? arguments_of(b->command, y) : NULL;
	if (!behind_x || !behind_y || strcmp(behind_x, behind_y) != 0)
		return false;
	if (search_seen_from(&host, x, a->directory, path, sizeof(path)) != 0)
		return false;
	binary_describe(&host, path, &one);
	if (search_seen_from(&host, y, b->directory, path, sizeof(path)) != 0)
		return false;
	binary_describe(&host, path, &other);
	return one.hash[0] && strcmp(one.hash, other.hash) == 0;
}

int twins_note(const struct experiment *experiment, struct result *result, struct error *err)
{
	const struct experiment_subject *base = &experiment->subjects[experiment->reference];
	SCOPED(arena) struct arena arena = {0};
	SCOPED(buffer) struct buffer names = {0};
	const char *last = NULL;
	size_t count = 1;
	buffer_text_add(&names, base->name);
	for (size_t i = 0; i < experiment->subject_count; i++) {
		const struct experiment_subject *other = &experiment->subjects[i];
		if (other == base || !base->command || !other->command || !same_circumstances(base, other))
			continue;
		bool same = experiment->shell ? strcmp(base->command, other->command) == 0 : same_command(base, other, &arena);
		if (!same)
			continue;
		if (last)
			buffer_printf(&names, ", %s", last);
		last = other->name;
		count++;
	}
	if (!last)
		return 0;
	bool all = count == experiment->subject_count;
	if (!all)
		buffer_printf(&names, " and %s", last);
	if (buffer_error(&names, err) != 0)
		return -1;
	return result_warn(result, "same-program", "%s are the same program: any difference comes from the machine",
	                   !all         ? buffer_text(&names)
	                   : count == 2 ? "both"
	                                : "all") == 0
	           ? 0
	           : error_memory(err);
}
