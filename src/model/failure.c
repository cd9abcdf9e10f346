/* Runs and sessions that failed, in words. */
#include "model/result.h"

#include <string.h>

enum { KINDS_NAMED = 3 };

/* How many failures are of the same kind as the first that is none of the kinds before; *first: its place. */
static size_t next_kind(const struct subject *subject, const size_t *known, size_t known_count, size_t *first)
{
	size_t count = 0;
	for (size_t i = 0; i < subject->failure_count; i++) {
		const char *what = subject->failures[i].what;
		bool told = false;
		for (size_t k = 0; k < known_count && !told; k++)
			told = strcmp(subject->failures[known[k]].what, what) == 0;
		if (told || (count > 0 && strcmp(subject->failures[*first].what, what) != 0))
			continue;
		*first = count++ ? *first : i;
	}
	return count;
}

size_t subject_runs(const struct subject *subject)
{
	size_t runs = subject->runs;
	for (size_t i = 0; i < subject->metric_count; i++) {
		const struct series *series = &subject->metrics[i].series;
		size_t own = series->depth > 1 ? series->groups[series->depth - 2] : series->n;
		runs = own > runs ? own : runs;
	}
	for (size_t i = 0; i < subject->failure_count; i++)
		runs = subject->failures[i].run >= runs ? subject->failures[i].run + 1 : runs;
	return runs > subject->failure_count ? runs : subject->failure_count;
}

enum { ENDS = 4 };
static const char *const ends[ENDS][2] = {{"interrupted", "was interrupted"},
                                          {"killed", "was killed"},
                                          {"running", "is still running"},
                                          {"failed", "failed"}};

static const char *const *find_end(const char *word)
{
	for (size_t i = 0; word && i < ENDS; i++)
		if (strcmp(word, ends[i][0]) == 0)
			return ends[i];
	return NULL;
}

const char *result_unfinished(const struct result *result)
{
	const char *const *end = find_end(result->stopped.reason);
	return end ? end[0] : NULL;
}

/* 0: not before its time. */
static int badness_of(const char *unfinished)
{
	return !unfinished ? 0 : strcmp(unfinished, "failed") == 0 ? 2 : 1;
}

void result_adopt_end(struct result *into, const char *unfinished)
{
	if (badness_of(unfinished) > badness_of(result_unfinished(into)))
		into->stopped.reason = unfinished;
}

const char *unfinished_words(const char *unfinished)
{
	const char *const *end = find_end(unfinished);
	return end ? end[1] : unfinished;
}

const char *result_stop_reason(const struct result *result)
{
	const char *unfinished = result_unfinished(result);
	return unfinished && strcmp(unfinished, "failed") != 0 ? "interrupted" : result->stopped.reason;
}

void subject_failure_words(const struct subject *subject, struct buffer *out)
{
	size_t known[KINDS_NAMED], kinds = 0, told = 0, runs = subject_runs(subject);
	buffer_printf(out, "%u of %zu run%s failed (", subject->failure_count, runs, runs == 1 ? "" : "s");
	for (size_t count; kinds < KINDS_NAMED && (count = next_kind(subject, known, kinds, &known[kinds])) > 0; kinds++) {
		buffer_printf(out, "%s%.100s", kinds ? ", " : "", subject->failures[known[kinds]].what);
		if (count < subject->failure_count)
			buffer_printf(out, " in %zu", count);
		told += count;
	}
	buffer_text_add(out, told < subject->failure_count ? " and others)" : ")");
}
