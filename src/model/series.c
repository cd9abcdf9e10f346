#include "model/series.h"

#include "base/array.h"
#include "base/memory.h"

#include <string.h>

void series_init(struct series *series, const enum level *levels, unsigned depth)
{
	memset(series, 0, sizeof(*series));
	series->depth = depth;
	memcpy(series->levels, levels, depth * sizeof(*levels));
}

void series_release(struct series *series)
{
	mem_free(series->values);
	for (unsigned k = 0; k + 1 < LEVEL_COUNT; k++)
		mem_free(series->starts[k]);
	series_forget_pairs(series);
	memset(series, 0, sizeof(*series));
}

void series_forget_pairs(struct series *series)
{
	mem_free(series->pair_key);
	mem_free(series->run_key);
	series->pair_key = series->run_key = NULL;
}

/* Room for one more value and one more group with its closing entry. */
static int reserve(struct series *series, unsigned open, struct error *err)
{
	if (series->n >= UINT32_MAX - 1)
		return error_set(err, ERROR_INPUT, "more than 4 294 967 294 values in one series");
	if (array_reserve(&series->values, &series->capacity, series->n + 1) != 0)
		return error_memory(err);
	for (unsigned k = open; k + 1 < series->depth; k++)
		if (array_reserve(&series->starts[k], &series->group_capacity[k], series->groups[k] + 2) != 0)
			return error_memory(err);
	return 0;
}

int series_append(struct series *series, unsigned open, double value, struct error *err)
{
	if (series->n == 0)
		open = 0;
	if (reserve(series, open, err) != 0)
		return -1;
	for (unsigned k = open; k + 1 < series->depth; k++) {
		size_t child = k + 2 < series->depth ? series->groups[k + 1] : series->n;
		series->starts[k][series->groups[k]++] = (uint32_t)child;
	}
	series->values[series->n++] = value;
	/* The closing entry of every level whose last group has grown. */
	for (unsigned k = 0; k + 1 < series->depth; k++)
		series->starts[k][series->groups[k]] = (uint32_t)(k + 2 < series->depth ? series->groups[k + 1] : series->n);
	return 0;
}

size_t series_span(const struct series *series, size_t g, size_t *n)
{
	size_t first = g, end = g + 1;
	for (unsigned k = 0; k + 1 < series->depth; k++) {
		first = series->starts[k][first];
		end = series->starts[k][end];
	}
	*n = end - first;
	return first;
}
