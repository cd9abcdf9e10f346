#include "model/history.h"

#include "base/array.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

size_t history_least(size_t min_points)
{
	enum { LEAST = 24 };
	return 2 * min_points > LEAST ? 2 * min_points : LEAST;
}

size_t history_values(const struct history_series *series)
{
	size_t n = 0;
	for (size_t i = 0; i < series->n; i++)
		n += isfinite(series->points[i].value);
	return n;
}

bool history_is_short(const struct history_series *series, size_t min_points)
{
	return series->change_count == 0 && history_values(series) < history_least(min_points);
}

static void release_series(struct history_series *series)
{
	mem_free(series->points);
	mem_free(series->changes);
}

void history_drop_aside(struct history *history)
{
	size_t kept = 0;
	for (size_t i = 0; i < history->count; i++) {
		if (history->series[i].aside)
			release_series(&history->series[i]);
		else
			history->series[kept++] = history->series[i];
	}
	history->count = kept;
}

void history_release(struct history *history)
{
	for (size_t i = 0; i < history->count; i++)
		release_series(&history->series[i]);
	mem_free(history->series);
	arena_release(&history->arena);
	memset(history, 0, sizeof(*history));
}

bool history_same_series(const struct history_series *a, const struct history_series *b)
{
	return strcmp(a->subject, b->subject) == 0 && strcmp(a->metric, b->metric) == 0 && strcmp(a->unit, b->unit) == 0 &&
	       strcmp(a->stratum, b->stratum) == 0;
}

static struct history_series *add_series(struct history *history, const struct history_series *of)
{
	if (array_reserve(&history->series, &history->capacity, history->count + 1) != 0)
		return NULL;
	struct history_series *series = &history->series[history->count];
	*series = (struct history_series){.subject = arena_strdup(&history->arena, of->subject),
	                                  .metric = arena_strdup(&history->arena, of->metric),
	                                  .unit = arena_strdup(&history->arena, of->unit),
	                                  .stratum = arena_strdup(&history->arena, of->stratum),
	                                  .better = of->better,
	                                  .iterations = of->iterations,
	                                  .aside = of->aside};
	if (!series->subject || !series->metric || !series->unit || !series->stratum)
		return NULL;
	history->count++;
	return series;
}

int history_add(struct history *history, const struct history_series *of, const struct history_point *point)
{
	bool goes_on = history->count > 0 && history_same_series(&history->series[history->count - 1], of);
	struct history_series *series = goes_on ? &history->series[history->count - 1] : add_series(history, of);
	if (!series)
		return -1;
	if (array_reserve(&series->points, &series->capacity, series->n + 1) != 0)
		return -1;
	/* Neighbours often share a commit. */
	const char *commit = series->n > 0 ? series->points[series->n - 1].commit : "";
	if (strcmp(commit, point->commit) != 0)
		commit = arena_strdup(&history->arena, point->commit);
	if (!commit)
		return -1;
	series->points[series->n] = *point;
	series->points[series->n++].commit = commit;
	return 0;
}
