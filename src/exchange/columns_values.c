/* Which columns hold the values, where nothing says it: by their names and the units in them. */
#include "exchange/columns_plan.h"

#include "base/parse.h"
#include "exchange/units.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Columns that hold values by their name alone. "time" is often a date: it counts only when
 * nothing else can be meant. */
static const char *const value_names[] = {"duration", "elapsed", "elapsedtime", "runtime",    "wall",
                                          "walltime", "latency", "score",       "throughput", "result",
                                          "seconds",  "real",    "measurement", "cputime",    "time"};

/* Words of names with a unit that are moments, not durations. */
static const char *const moment_words[] = {"start", "end", "epoch", "timestamp", "date", "received", "begin", "stamp"};

static const char *const side_words[][2] = {{"a", "b"},          {"old", "new"},   {"base", "new"},
                                            {"before", "after"}, {"base", "head"}, {"baseline", "candidate"},
                                            {"f1", "f2"},        {"v1", "v2"}};

static bool in_list(const char *word, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(word, list[i]) == 0)
			return true;
	return false;
}
#define IN_LIST(word, list) in_list(word, list, sizeof(list) / sizeof((list)[0]))

static size_t word_end(const char *name)
{
	size_t n = 0;
	while (isalnum((unsigned char)name[n]))
		n++;
	return n;
}

static bool has_word(const char *name, const char *const *list, size_t count)
{
	char word[NORMAL_MAX];
	while (*name) {
		size_t n = word_end(name);
		if (n > 0 && n < sizeof(word)) {
			for (size_t i = 0; i < n; i++)
				word[i] = (char)tolower((unsigned char)name[i]);
			word[n] = '\0';
			if (in_list(word, list, count))
				return true;
		}
		name += n ? n : 1;
	}
	return false;
}

static bool holds_values(const char *name)
{
	char normal[NORMAL_MAX], unit[COLUMN_UNIT_MAX];
	size_t stem;
	planning_normalise(name, normal);
	if (has_word(name, moment_words, sizeof(moment_words) / sizeof(moment_words[0])))
		return false;
	return IN_LIST(normal, value_names) || units_in_name(name, unit, sizeof(unit), &stem);
}

/* The name without the word of a side (resp_A_ms and A give resp_ms); false when it is not in it. */
static bool without_word(const char *name, const char *word, char *rest, size_t size)
{
	size_t length = strlen(word);
	for (const char *at = name; *at;) {
		size_t n = word_end(at);
		if (n == length && strncasecmp(at, word, n) == 0 && strlen(name) < size) {
			size_t before = (size_t)(at - name);
			const char *after = at + n;
			if (*after && before > 0)
				after++; /* one of the two joining characters */
			else if (!*after && before > 0)
				before--;
			else if (*after)
				after++;
			snprintf(rest, size, "%.*s%s", (int)before, name, after);
			return true;
		}
		at += n ? n : 1;
	}
	return false;
}

/* Columns for two sides, resp_A_ms and resp_B_ms: each row is a pair. */
static int plan_sides(struct planning *p, bool *found)
{
	char rest[128], other[128];
	*found = false;
	for (size_t w = 0; w < sizeof(side_words) / sizeof(side_words[0]) && !*found; w++) {
		for (size_t a = 0; a < p->count; a++) {
			if (p->used[a] || !without_word(p->names[a], side_words[w][0], rest, sizeof(rest)))
				continue;
			for (size_t b = 0; b < p->count; b++) {
				if (p->used[b] || !without_word(p->names[b], side_words[w][1], other, sizeof(other)) ||
				    strcmp(rest, other) != 0)
					continue;
				char normal[NORMAL_MAX];
				planning_normalise(rest, normal);
				if (holds_values(rest) || units_better(rest, "") == BETTER_HIGHER) {
					if (planning_add_value(p, a, rest, 0) != 0 || planning_add_value(p, b, rest, 1) != 0)
						return -1;
					*found = true;
				} else if (strcmp(normal, "cold") == 0 && !p->decided[ROLE_SKIP]) {
					if (!planning_add(p, ROLE_SKIP, a) || !planning_add(p, ROLE_SKIP, b))
						return error_memory(p->err);
				} else if (strcmp(normal, "machine") == 0 && !p->decided[ROLE_MACHINE]) {
					/* The question is about the pairs, and a cloud may have made one of them on one machine and 747
					 * on the next: all pairs have equal weight, in the order of the rows. */
					p->used[a] = p->used[b] = true;
				}
				break;
			}
		}
		if (*found) {
			p->sides[0] = side_words[w][0];
			p->sides[1] = side_words[w][1];
		}
	}
	return 0;
}

/* Side names as the header spells them: resp_A_ms has A, not a. */
static int spell_sides(struct planning *p)
{
	for (int side = 0; side < 2 && p->sides[side]; side++) {
		for (size_t i = 0; i < p->source_count; i++) {
			if (p->sources[i].side != side)
				continue;
			const char *name = p->names[p->sources[i].column];
			for (const char *at = name; *at;) {
				size_t n = word_end(at);
				if (n == strlen(p->sides[side]) && strncasecmp(at, p->sides[side], n) == 0) {
					p->sides[side] = arena_strndup(p->arena, at, n);
					if (!p->sides[side])
						return error_memory(p->err);
					break;
				}
				at += n ? n : 1;
			}
			break;
		}
	}
	return 0;
}

/* Whether the first cell is a number that may well be measured: no moment, and no setting. */
static bool may_be_measured(const struct planning *p, size_t column)
{
	static const char *const settings[] = {"seed", "pid", "cpu", "cpus", "core", "thread", "threads", "size", "count"};
	double value;
	size_t length = p->cells ? strlen(p->cells[column]) : 0;
	return length > 0 && parse_number_prefix(p->cells[column], length, &value) == length &&
	       !IN_LIST(p->normal[column], settings) &&
	       !has_word(p->names[column], moment_words, sizeof(moment_words) / sizeof(moment_words[0]));
}

int planning_values(struct planning *p)
{
	bool sides;
	if (p->decided[ROLE_VALUE])
		return 0;
	if (plan_sides(p, &sides) != 0 || (sides && spell_sides(p) != 0))
		return -1;
	if (sides)
		return 0;
	size_t candidates = 0, others = 0, time_column = p->count, other = p->count;
	for (size_t c = 0; c < p->count; c++) {
		if (p->used[c] || planning_idle(p, c))
			continue;
		if (strcmp(p->normal[c], "time") == 0)
			time_column = c;
		else if (holds_values(p->names[c]))
			candidates++;
		else {
			others++;
			other = c;
		}
	}
	for (size_t c = 0; c < p->count && candidates > 0; c++)
		if (!p->used[c] && c != time_column && holds_values(p->names[c]) && planning_add_value(p, c, NULL, -1) != 0)
			return -1;
	if (candidates == 0 && time_column < p->count && others == 0)
		return planning_add_value(p, time_column, NULL, -1);
	/* All others play a role: run,cycles. */
	if (candidates == 0 && time_column == p->count && others == 1 && may_be_measured(p, other))
		return planning_add_value(p, other, NULL, -1);
	return 0;
}
