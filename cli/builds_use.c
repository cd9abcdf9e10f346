#include "cli/builds_use.h"

#include "cli/message.h"
#include "model/level.h"

#include <string.h>

static void note(const char *text)
{
	message_note("%s", text);
}

static int bad_level(const char *word, size_t length, const char *next, struct error *err)
{
	error_set(err, ERROR_USAGE, "'%.*s' cannot be repeated here", (int)(length < 40 ? length : 40), word);
	error_on(err, "--levels");
	return error_next(err, "%s", next);
}

int builds_use_read(struct builds *builds, const struct builds_options *options, struct error *err)
{
	for (const char *at = options->levels; at && *at;) {
		size_t length = strcspn(at, ",");
		char name[16] = "";
		if (length < sizeof(name))
			memcpy(name, at, length);
		enum level level = level_by_name(name);
		if (level == LEVEL_COUNT)
			return bad_level(at, length, "the levels are build, run, iteration and invocation", err);
		if (level == LEVEL_MACHINE)
			return bad_level(at, length, "join results of several machines: tare analyze FILE…", err);
		builds->wanted |= level == LEVEL_BUILD;
		at += length + (at[length] == ',');
	}
	builds->count = options->builds ? (size_t)options->builds : BUILDS_USUAL;
	builds->given = options->builds > 0;
	builds->keep = options->keep;
	builds->print = message_log;
	builds->note = note;
	builds->wanted |= options->builds > 0;
	if (!builds->wanted && options->keep) {
		error_set(err, ERROR_USAGE, "--keep-builds without builds to repeat");
		return error_next(err, "add --levels build,run");
	}
	return 0;
}
