/* One table of names. Powers of ten below one are divisions, because 1e-9 is no double and 1e9 is. */
#include "exchange/units.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *text;
	struct unit_scale unit;
	bool exact_case; /* MB is not mb */
} known[] = {
	{"s", {"s", 1, 1}, true},
	{"sec", {"s", 1, 1}, false},
	{"secs", {"s", 1, 1}, false},
	{"second", {"s", 1, 1}, false},
	{"seconds", {"s", 1, 1}, false},
	{"ms", {"s", 1, 1e3}, true},
	{"msec", {"s", 1, 1e3}, false},
	{"msecs", {"s", 1, 1e3}, false},
	{"millisecond", {"s", 1, 1e3}, false},
	{"milliseconds", {"s", 1, 1e3}, false},
	{"us", {"s", 1, 1e6}, true},
	{"\xc2\xb5s", {"s", 1, 1e6}, true},
	{"\xce\xbcs", {"s", 1, 1e6}, true},
	{"usec", {"s", 1, 1e6}, false},
	{"usecs", {"s", 1, 1e6}, false},
	{"microsecond", {"s", 1, 1e6}, false},
	{"microseconds", {"s", 1, 1e6}, false},
	{"ns", {"s", 1, 1e9}, true},
	{"nsec", {"s", 1, 1e9}, false},
	{"nsecs", {"s", 1, 1e9}, false},
	{"nanosecond", {"s", 1, 1e9}, false},
	{"nanoseconds", {"s", 1, 1e9}, false},
	{"ps", {"s", 1, 1e12}, true},
	{"min", {"s", 60, 1}, true},
	{"minute", {"s", 60, 1}, false},
	{"minutes", {"s", 60, 1}, false},
	{"hr", {"s", 3600, 1}, false},
	{"hour", {"s", 3600, 1}, false},
	{"hours", {"s", 3600, 1}, false},
	{"B", {"bytes", 1, 1}, true},
	{"byte", {"bytes", 1, 1}, false},
	{"bytes", {"bytes", 1, 1}, false},
	{"kB", {"bytes", 1e3, 1}, true},
	{"KB", {"bytes", 1e3, 1}, true},
	{"MB", {"bytes", 1e6, 1}, true},
	{"GB", {"bytes", 1e9, 1}, true},
	{"kilobytes", {"bytes", 1e3, 1}, false},
	{"megabytes", {"bytes", 1e6, 1}, false},
	{"gigabytes", {"bytes", 1e9, 1}, false},
	{"KiB", {"bytes", 1024, 1}, false},
	{"MiB", {"bytes", 1048576, 1}, false},
	{"GiB", {"bytes", 1073741824, 1}, false},
	{"B/s", {"bytes/s", 1, 1}, true},
	{"bytes/s", {"bytes/s", 1, 1}, false},
	{"bytes/sec", {"bytes/s", 1, 1}, false},
	{"kB/s", {"bytes/s", 1e3, 1}, true},
	{"KB/s", {"bytes/s", 1e3, 1}, true},
	{"MB/s", {"bytes/s", 1e6, 1}, true},
	{"GB/s", {"bytes/s", 1e9, 1}, true},
	{"KiB/s", {"bytes/s", 1024, 1}, false},
	{"MiB/s", {"bytes/s", 1048576, 1}, false},
	{"GiB/s", {"bytes/s", 1073741824, 1}, false},
};

/* ns/op is ns: the time of one operation. Bytes and counts per operation lose the same ending. */
static size_t without_per_operation(const char *text)
{
	static const char *const endings[] = {"/op", "/iter", "/iteration", "/run", "/call"};
	size_t length = strlen(text);
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t n = strlen(endings[i]);
		if (length > n && strcasecmp(text + length - n, endings[i]) == 0)
			return length - n;
	}
	return length;
}

struct unit_scale units_meaning(const char *text)
{
	size_t length = without_per_operation(text);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strlen(known[i].text) != length)
			continue;
		if (known[i].exact_case ? strncmp(known[i].text, text, length) == 0
		                        : strncasecmp(known[i].text, text, length) == 0)
			return known[i].unit;
	}
	return (struct unit_scale){text, 1, 1};
}

static bool is_known(const char *text)
{
	struct unit_scale unit = units_meaning(text);
	return unit.name != text;
}

static bool joins(char c)
{
	return c == '_' || c == ' ' || c == '(' || c == '[' || c == '-' || c == '.' || c == ':' || c == ',';
}

bool units_in_name(const char *name, char *unit, size_t size, size_t *stem)
{
	size_t end = strlen(name);
	while (end > 0 && (name[end - 1] == ')' || name[end - 1] == ']' || name[end - 1] == ' '))
		end--;
	size_t start = end;
	while (start > 0 && !joins(name[start - 1]))
		start--;
	size_t length = end - start;
	if (length == 0 || length >= size)
		return false;
	memcpy(unit, name + start, length);
	unit[length] = '\0';
	bool per = strchr(unit, '/') != NULL;
	if ((!per && !is_known(unit)) || strcmp(unit, "min") == 0 || (start == 0 && length == 1))
		return false;
	while (start > 0 && joins(name[start - 1]))
		start--;
	*stem = start;
	return true;
}

const char *units_of_go(const char *name, char *unit, size_t size)
{
	size_t stem;
	return units_in_name(name, unit, size, &stem) && stem > 0 && name[stem] == '-' ? unit : name;
}

bool units_between_words(const char *name, const char *at)
{
	if (at == name || !isalpha((unsigned char)at[-1]) || !isalpha((unsigned char)*at))
		return true;
	return islower((unsigned char)at[-1]) && isupper((unsigned char)*at);
}

static bool has_word(const char *name, const char *word)
{
	for (const char *at = name; (at = strcasestr(at, word)) != NULL; at++)
		if (units_between_words(name, at) && units_between_words(name, at + strlen(word)))
			return true;
	return false;
}

static bool has_part(const char *name, const char *const *parts)
{
	for (; *parts; parts++)
		if (strcasestr(name, *parts))
			return true;
	return false;
}

/* The short words are parts of others: generate, loops. With a unit they say little: gc.alloc.rate.norm in bytes. */
static bool has_word_of_rate(const char *name)
{
	static const char *const words[] = {"ops", "iops", "qps", "rps", "tps", "fps", "rate"};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (has_word(name, words[i]))
			return true;
	return false;
}

enum better units_better(const char *name, const char *unit)
{
	static const char *const rates[] = {"throughput", "bandwidth", "per_sec", "per sec", "persec", "flops", NULL};
	static const char *const rare[] = {"error", "miss", "fail", "drop", "loss", "abort", "reject", NULL};
	bool bare = !*unit || strcmp(unit, name) == 0 || strcmp(unit, "%") == 0;
	bool rate = strcmp(unit, "s") != 0 && (has_part(name, rates) || (bare && has_word_of_rate(name)));
	return rate && !has_part(name, rare) ? BETTER_HIGHER : better_from_unit(unit);
}
