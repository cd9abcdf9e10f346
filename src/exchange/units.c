/* One table of names. Powers of ten below one are divisions, because 1e-9 is no double and 1e9 is. */
#include "exchange/units.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
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
	{"Bps", {"bytes/s", 1, 1}, true},
	{"kBps", {"bytes/s", 1e3, 1}, true},
	{"KBps", {"bytes/s", 1e3, 1}, true},
	{"MBps", {"bytes/s", 1e6, 1}, true},
	{"GBps", {"bytes/s", 1e9, 1}, true},
	{"KiBps", {"bytes/s", 1024, 1}, true},
	{"MiBps", {"bytes/s", 1048576, 1}, true},
	{"GiBps", {"bytes/s", 1073741824, 1}, true},
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

/* The word of a name that ends before *end, which becomes where the word begins; its length. */
static size_t word_before(const char *name, size_t *end)
{
	size_t stop = *end;
	while (stop > 0 && joins(name[stop - 1]))
		stop--;
	size_t start = stop;
	while (start > 0 && !joins(name[start - 1]))
		start--;
	*end = start;
	return stop - start;
}

static bool is_word(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && strncasecmp(text, word, length) == 0;
}

/* What rates are per. */
static const char *denominator(const char *text)
{
	static const char *const words[][2] = {
		{"s", "s"},     {"sec", "s"},          {"second", "s"},      {"seconds", "s"}, {"ms", "ms"},
		{"msec", "ms"}, {"millisecond", "ms"}, {"us", "us"},         {"usec", "us"},   {"microsecond", "us"},
		{"ns", "ns"},   {"nsec", "ns"},        {"nanosecond", "ns"}, {"min", "min"},   {"minute", "min"},
		{"hour", "h"},  {"byte", "byte"},
	};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasecmp(text, words[i][0]) == 0)
			return words[i][1];
	return NULL;
}

/* Amounts that stand before an s without a "per": read_mb_s, ops_s. */
static bool is_amount(const char *text, size_t length)
{
	static const char *const words[] = {"kb", "mb", "gb", "kib", "mib", "gib", "ops", "req", "reqs"};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (is_word(text, length, words[i]))
			return true;
	return false;
}

/* requests_per_second is in requests/s: its last word, which begins at `at` and is in `unit`, is no unit of its own. */
static bool rate_in_name(const char *name, size_t at, char *unit, size_t size)
{
	const char *below = denominator(unit);
	size_t before = at, length = below ? word_before(name, &before) : 0;
	bool by_second = below && strcmp(below, "s") == 0 && is_amount(name + before, length);
	if (!below || !(by_second || is_word(name + before, length, "per")))
		return false;
	if (!by_second)
		length = word_before(name, &before);
	/* Small letters are what names of columns are written in. */
	const char *of = is_word(name + before, length, "kb")   ? "kB"
	                 : is_word(name + before, length, "mb") ? "MB"
	                 : is_word(name + before, length, "gb") ? "GB"
	                                                        : NULL;
	int written = of           ? snprintf(unit, size, "%s/%s", of, below)
	              : length > 0 ? snprintf(unit, size, "%.*s/%s", (int)length, name + before, below)
	                           : snprintf(unit, size, "1/%s", below);
	if (written < 0 || (size_t)written >= size)
		snprintf(unit, size, "1/%s", below);
	return true;
}

/* Of bits, and of bytes where the case says so: Mbps. */
static bool is_bits_per_second(const char *unit)
{
	size_t length = strlen(unit);
	return length >= 3 && length <= 5 && strcasecmp(unit + length - 3, "bps") == 0;
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
	*stem = strlen(name);
	if (rate_in_name(name, start, unit, size))
		return true;
	bool per = strchr(unit, '/') != NULL || is_bits_per_second(unit);
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

/* Whether a word of the name may end or begin at `at`: at an end, beside what is no letter, and where hitRate goes on in
 * upper case. */
static bool between_words(const char *name, const char *at)
{
	if (at == name || !isalpha((unsigned char)at[-1]) || !isalpha((unsigned char)*at))
		return true;
	return islower((unsigned char)at[-1]) && isupper((unsigned char)*at);
}

static bool has_word(const char *name, const char *word)
{
	for (const char *at = name; (at = strcasestr(at, word)) != NULL; at++)
		if (between_words(name, at) && between_words(name, at + strlen(word)))
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
	static const char *const words[] = {"ops",  "iops", "qps",      "rps", "tps",   "fps",     "pps",
	                                    "mpps", "mips", "bogomips", "ipc", "speed", "speedup", "rate"};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (has_word(name, words[i]))
			return true;
	return false;
}

/* Of what is better when it is rare a rate is so too; a transmission is no miss. */
static bool is_of_what_is_rare(const char *name)
{
	static const char *const rare[] = {"error", "miss", "fail", "drop", "loss", "abort", "reject", NULL};
	return has_part(name, rare) && !strcasestr(name, "mission");
}

enum better units_better(const char *name, const char *unit)
{
	static const char *const rates[] = {"throughput", "bandwidth", "per_sec", "per sec", "persec", "flops", NULL};
	bool bare = !*unit || strcmp(unit, name) == 0 || strcmp(unit, "%") == 0;
	char own[64];
	size_t stem;
	bool has_own = units_in_name(name, own, sizeof(own), &stem), rare = is_of_what_is_rare(name);
	if (has_own && stem == strlen(name) && rare)
		return BETTER_LOWER;
	if (bare && has_own && !rare && better_from_unit(own) == BETTER_HIGHER)
		return BETTER_HIGHER;
	bool rate = strcmp(unit, "s") != 0 && (has_part(name, rates) || (bare && has_word_of_rate(name)));
	return rate && !rare ? BETTER_HIGHER : better_from_unit(unit);
}
