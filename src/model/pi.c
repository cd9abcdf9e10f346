#include "model/pi.h"

#include "base/parse.h"

#include <math.h>
#include <string.h>

static int bad(const char *text, const char *what, struct error *err)
{
	error_set(err, ERROR_USAGE, "%s", what);
	error_on(err, "--pi %s", text);
	/* name,unit,column,type,must_satisfy, columns from 0 */
	if (strcspn(text, ",") < strcspn(text, ":"))
		return error_next(err, "Pilot's 'rate,MB/s,0,1,1' is 'rate:MB/s:harmonic:column=1' here: columns count from 1, "
		                       "and each index has its own --pi");
	return error_next(err, "write NAME:UNIT[:WORDS]:regex=EXPRESSION, …:column=K, …:csv=HEADING or …:json=PATH, "
	                       "for example 'rate:MB/s:regex=([0-9.]+) MB/s'; man tare-run has the words");
}

/* Moves *at behind `word` if it stands there. */
static bool skip_word(const char **at, const char *word)
{
	size_t length = strlen(word);
	if (strncmp(*at, word, length) != 0)
		return false;
	*at += length;
	return true;
}

/* Moves *at to the source and behind its '='; false when something else stands there. */
static bool take_source(const char **at, enum pi_source *out)
{
	static const struct {
		const char *word;
		enum pi_source source;
	} sources[] = {{"regex=", PI_REGEX}, {"column=", PI_COLUMN}, {"json=", PI_JSON}, {"csv=", PI_CSV}};
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		if (skip_word(at, sources[i].word)) {
			*out = sources[i].source;
			return true;
		}
	return false;
}

/* The text up to the next colon, with \: for a colon; *at behind that colon. NULL: no memory. */
static char *take_text(struct arena *arena, const char **at)
{
	char *text = arena_strdup(arena, *at), *out = text;
	const char *in = *at;
	if (!text)
		return NULL;
	for (; *in && *in != ':'; in++) {
		if (in[0] == '\\' && in[1] == ':')
			in++;
		*out++ = *in;
	}
	*out = '\0';
	*at = *in ? in + 1 : in;
	return text;
}

static bool is_plain_word(struct performance_index *pi, const char *word)
{
	static const char *const words[] = {"higher",   "lower",     "units",  "watch", "arithmetic",
	                                    "harmonic", "geometric", "stdout", "stderr"};
	size_t i = 0, count = sizeof(words) / sizeof(words[0]);
	while (i < count && strcmp(words[i], word) != 0)
		i++;
	switch (i) {
	case 0: pi->metric.better = BETTER_HIGHER; return true;
	case 1: pi->metric.better = BETTER_LOWER; return true;
	case 2: pi->units = true; return true;
	case 3: pi->watched = true; return true;
	case 4: pi->mean = MEAN_ARITHMETIC; return true;
	case 5: pi->mean = MEAN_HARMONIC; return true;
	case 6: pi->mean = MEAN_GEOMETRIC; return true;
	case 7: pi->place = PI_STDOUT; return true;
	case 8: pi->place = PI_STDERR; return true;
	default: return false;
	}
}

/* A word with a value; NULL when it makes sense, else what is wrong with it. */
static const char *take_value(struct performance_index *pi, const char *word)
{
	double value;
	if (skip_word(&word, "width=")) {
		if (parse_percent(word, &value, NULL) != 0 || !(value > 0 && value <= 10))
			return "the width is not a percentage such as 10%";
		pi->precision = value / 2;
	} else if (skip_word(&word, "confidence=")) {
		if (parse_percent(word, &value, NULL) != 0 || !(value >= 0.5 && value < 1))
			return "the confidence must be at least 50 and under 100 per cent";
		pi->confidence = value;
	} else if (skip_word(&word, "ac=")) {
		if (parse_double(word, &value, NULL) != 0 || !(value > 0 && value <= 1))
			return "the autocorrelation limit must be above 0 and at most 1";
		pi->autocorrelation = value;
	} else if (skip_word(&word, "file=") || skip_word(&word, "fifo=")) {
		pi->place = word[-2] == 'e' ? PI_FILE : PI_FIFO;
		pi->path = word;
		return *word ? NULL : "the path is missing";
	} else {
		return "the source must be regex=…, column=…, csv=… or json=…, and words before it known ones";
	}
	return NULL;
}

static int take_words(struct arena *arena, const char *text, const char **at, struct performance_index *pi,
                      struct error *err)
{
	while (!take_source(at, &pi->source)) {
		if (**at == '\0')
			return bad(text, "where the number comes from is missing", err);
		char *word = take_text(arena, at);
		if (!word)
			return error_memory(err);
		if (is_plain_word(pi, word))
			continue;
		const char *wrong = take_value(pi, word);
		if (wrong)
			return bad(text, wrong, err);
	}
	return 0;
}

/* A word behind the source, as in "column=2:units", would be taken for a part of it. A regular expression may well end
 * like that. */
static int check_end(struct arena *arena, const char *text, const char *pattern, const struct performance_index *pi,
                     struct error *err)
{
	struct performance_index unused = *pi;
	const char *colon = strchr(pattern, ':');
	if (!colon || pi->source == PI_REGEX)
		return 0;
	const char *source = pattern;
	while (source[-1] != ':')
		source--;
	for (const char *at = colon + 1;;) {
		char *word = take_text(arena, &at);
		if (!word)
			return error_memory(err);
		if (!is_plain_word(&unused, word) && take_value(&unused, word))
			return 0;
		if (*at == '\0')
			break;
	}
	error_set(err, ERROR_USAGE, "FROM (%.*s) goes to the end of the argument: words must come before it",
	          (int)(colon - source), source);
	error_on(err, "--pi %s", text);
	return error_next(err, "type --pi '%.*s%s:%.*s'", (int)(source - text), text, colon + 1, (int)(colon - source),
	                  source);
}

int pi_parse(struct arena *arena, const char *text, struct performance_index *out, struct error *err)
{
	struct performance_index pi = {.precision = NAN, .confidence = NAN, .autocorrelation = NAN};
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
	if (take_words(arena, text, &at, &pi, err) != 0)
		return -1;
	if (*at == '\0')
		return bad(text, "nothing follows the last '='", err);
	if (check_end(arena, text, at, &pi, err) != 0)
		return -1;
	pi.pattern = arena_strdup(arena, at);
	if (!pi.pattern)
		return error_memory(err);
	*out = pi;
	return 0;
}
