#include "model/pi.h"

#include <string.h>

static int bad(const char *text, const char *what, struct error *err)
{
	error_set(err, ERROR_USAGE, "%s", what);
	error_on(err, "--pi %s", text);
	return error_next(err, "write NAME:UNIT[:higher|:lower]:regex=EXPRESSION, …:column=K or …:json=PATH, "
	                       "for example 'rate:MB/s:regex=([0-9.]+) MB/s'");
}

/* Moves *at behind `word` if it stands there. */
static int skip_word(const char **at, const char *word)
{
	size_t length = strlen(word);
	if (strncmp(*at, word, length) != 0)
		return 0;
	*at += length;
	return 1;
}

int pi_parse(struct arena *arena, const char *text, struct performance_index *out, struct error *err)
{
	struct performance_index pi = {.source = PI_REGEX};
	size_t name = strcspn(text, ":");
	if (name == 0 || text[name] == '\0')
		return bad(text, name ? "a unit and a source are missing" : "the name is missing", err);
	const char *unit = text + name + 1, *at = unit + strcspn(unit, ":");
	if (*at == '\0')
		return bad(text, "where the number comes from is missing", err);
	pi.metric.name = arena_strndup(arena, text, name);
	pi.metric.unit = arena_strndup(arena, unit, (size_t)(at - unit));
	if (!pi.metric.name || !pi.metric.unit)
		return error_memory(err);
	pi.metric.better = better_from_unit(pi.metric.unit);
	at++;
	if (skip_word(&at, "higher:"))
		pi.metric.better = BETTER_HIGHER;
	else if (skip_word(&at, "lower:"))
		pi.metric.better = BETTER_LOWER;
	if (skip_word(&at, "column="))
		pi.source = PI_COLUMN;
	else if (skip_word(&at, "json="))
		pi.source = PI_JSON;
	else if (!skip_word(&at, "regex="))
		return bad(text, "the source must be regex=…, column=… or json=…", err);
	if (*at == '\0')
		return bad(text, "nothing stands behind the last '='", err);
	pi.pattern = arena_strdup(arena, at);
	if (!pi.pattern)
		return error_memory(err);
	*out = pi;
	return 0;
}
