/* Warnings for people: a warning that applies to several subjects is printed once. */
#include "base/memory.h"
#include "base/text.h"
#include "report/text.h"
#include "report/text_width.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 6, MOST_ALIKE = 4, MOST_NAMES = 3 };

static int by_place(const struct warning *a, const struct warning *b)
{
	return (a > b) - (a < b);
}

static int by_meaning(const void *a, const void *b)
{
	const struct warning *x = *(const struct warning *const *)a, *y = *(const struct warning *const *)b;
	int order = strcmp(x->code, y->code);
	if (order == 0)
		order = strcmp(warning_rest(x), warning_rest(y));
	return order ? order : by_place(x, y);
}

/* Failures are listed by name. */
static bool told_in_full(const struct warning *warning)
{
	return strcmp(warning->code, "failed") == 0;
}

/* Warnings that change the meaning of the answer are printed however little room there is. */
static bool always_told(const struct warning *warning)
{
	static const char *const codes[] = {"apart",   "bottleneck", "confirmed",   "designs",  "failures",   "fleet",
	                                    "machine", "machines",   "odd-machine", "settings", "unconfirmed"};
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (strcmp(warning->code, codes[i]) == 0)
			return true;
	return told_in_full(warning);
}

static bool same_group(const struct warning *a, const struct warning *b)
{
	return !told_in_full(a) && a->about && b->about && strcmp(a->code, b->code) == 0 &&
	       strcmp(warning_rest(a), warning_rest(b)) == 0;
}

static size_t group_length(const struct warning *const *entries, size_t count, size_t i)
{
	size_t j = i + 1;
	while (j < count && same_group(entries[i], entries[j]))
		j++;
	return j - i;
}

/* "a; b; c and 4 more" */
static void put_names(const struct warning *const *group, size_t count, struct buffer *out)
{
	size_t shown = count > MOST_NAMES + 1 ? MOST_NAMES : count;
	for (size_t i = 0; i < shown; i++) {
		buffer_text_add(out, i ? "; " : "");
		text_clean(out, group[i]->about, TEXT_UNICODE);
	}
	if (shown < count)
		buffer_printf(out, " and %zu more", count - shown);
}

/* "text (a; b)", or "a; b: text" where the text has brackets at its end. */
static void tell_group(const struct warning *const *group, size_t count, struct buffer *out)
{
	struct buffer text = {0};
	const char *rest = warning_rest(group[0]);
	if (count == 1) {
		text_clean(&text, group[0]->text, TEXT_UNICODE);
	} else if (text_ends_with(rest, ")")) {
		put_names(group, count, &text);
		buffer_text_add(&text, ": ");
		text_clean(&text, rest, TEXT_UNICODE);
	} else {
		text_clean(&text, rest, TEXT_UNICODE);
		buffer_text_add(&text, " (");
		put_names(group, count, &text);
		buffer_char(&text, ')');
	}
	buffer_text_add(out, "note: ");
	text_wrap(out, buffer_text(&text), INDENT, INDENT);
	buffer_release(&text);
}

/* What is printed: the first few groups of each code, then how many more there are. */
struct told_warning {
	const struct warning *first; /* of the group; for "more" the place only */
	const struct warning *const *group;
	size_t count; /* of the group */
	size_t more;
};

static int by_first(const void *a, const void *b)
{
	return by_place(((const struct told_warning *)a)->first, ((const struct told_warning *)b)->first);
}

static size_t choose(const struct warning *const *entries, size_t count, struct told_warning *told)
{
	size_t n = 0;
	for (size_t i = 0, next; i < count; i = next) {
		/* The groups of a code are adjacent, in the order of their first warnings; those that come first are printed. */
		struct told_warning *begin = told + n;
		size_t groups = 0;
		for (next = i; next < count && strcmp(entries[next]->code, entries[i]->code) == 0; groups++) {
			size_t length = group_length(entries, count, next);
			begin[groups] = (struct told_warning){entries[next], &entries[next], length, 0};
			next += length;
		}
		size_t most = groups > MOST_ALIKE + 1 && !told_in_full(entries[i]) ? MOST_ALIKE : groups;
		qsort(begin, groups, sizeof(*begin), by_first);
		if (most < groups) {
			begin[most] = (struct told_warning){.first = begin[most].first, .more = groups - most};
			most++;
		}
		n += most;
	}
	qsort(told, n, sizeof(*told), by_first);
	return n;
}

static size_t lines_of(const struct buffer *text)
{
	size_t lines = 0;
	for (size_t i = 0; i < text->length; i++)
		lines += text->data[i] == '\n';
	return lines;
}

/* In order while there is room; one line is reserved for the number of those left out. */
static void tell(const struct told_warning *told, size_t n, size_t room, bool few_are_told, struct buffer *out)
{
	size_t left_out = 0;
	for (size_t i = 0; i < n; i++) {
		if (told[i].group && strcmp(told[i].group[0]->code, "same-program") == 0)
			continue; /* the first line of all */
		if (few_are_told && told[i].group && strcmp(told[i].group[0]->code, "few-runs") == 0)
			continue;
		struct buffer note = {0};
		if (told[i].group)
			tell_group(told[i].group, told[i].count, &note);
		else
			buffer_printf(&note, "note: %zu more like this (--json has all)\n", told[i].more);
		size_t lines = lines_of(&note);
		bool last = i + 1 == n && left_out == 0;
		if (lines + !last <= room || (told[i].group && always_told(told[i].group[0]))) {
			buffer_add(out, note.data, note.length);
			room -= lines < room ? lines : room;
		} else {
			left_out++;
		}
		out->out_of_memory |= note.out_of_memory;
		buffer_release(&note);
	}
	if (left_out > 0 && room > 0)
		buffer_printf(out, "note: -v shows %zu %snote%s\n", left_out, left_out < n ? "more " : "",
		              left_out == 1 ? "" : "s");
}

/* The only comparison already gives the small number of pairs as its reason. */
static bool tells_of_few(const struct result *result)
{
	return result->comparison_count == 1 && result->comparisons[0].quick &&
	       result->comparisons[0].verdict == VERDICT_UNDECIDED && result->comparisons[0].unresolved;
}

void text_twins(const struct result *result, struct buffer *out)
{
	for (size_t i = 0; i < result->warning_count; i++)
		if (strcmp(result->warnings[i].code, "same-program") == 0)
			text_wrap(out, result->warnings[i].text, 0, 0);
}

void text_warnings(const struct result *result, size_t room, struct buffer *out)
{
	size_t count = result->warning_count;
	const struct warning **entries = count ? mem_alloc(count, sizeof(const struct warning *)) : NULL;
	struct told_warning *told = count ? mem_alloc(count, sizeof(*told)) : NULL;
	if (entries && told) {
		for (size_t i = 0; i < count; i++)
			entries[i] = &result->warnings[i];
		qsort(entries, count, sizeof(*entries), by_meaning);
		size_t n = choose(entries, count, told);
		tell(told, n, room, room < SIZE_MAX && tells_of_few(result), out);
	}
	mem_free(entries);
	mem_free(told);
}
