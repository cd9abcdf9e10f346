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
		if (series->group_capacity[k] > 0)
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

#define RESERVE(items, capacity, needed) reserve_sized(items, capacity, needed, sizeof(**(items)))
static int reserve_sized(void *items, uint32_t *capacity, size_t needed, size_t size)
{
	size_t room = *capacity;
	if (array_reserve_sized(items, &room, needed, size) != 0)
		return -1;
	*capacity = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
	return 0;
}

/* Starts that are behind the values get memory of their own, so that the values can grow. */
static int detach_starts(struct series *series)
{
	for (unsigned k = 0; k + 1 < series->depth; k++) {
		if (!series->starts[k] || series->group_capacity[k] > 0)
			continue;
		uint32_t count = series->groups[k] + 1, *own = mem_alloc(count, sizeof(*own));
		if (!own)
			return -1;
		series->starts[k] = memcpy(own, series->starts[k], count * sizeof(*own));
		series->group_capacity[k] = count;
	}
	return 0;
}

/* Room for one more value and one more group with its closing entry. */
static int reserve(struct series *series, unsigned open, struct error *err)
{
	if (series->n >= UINT32_MAX - 1)
		return error_set(err, ERROR_INPUT, "more than 4 294 967 294 values in one series");
	if (series->n == series->capacity && detach_starts(series) != 0)
		return error_memory(err);
	if (RESERVE(&series->values, &series->capacity, series->n + 1) != 0)
		return error_memory(err);
	for (unsigned k = open; k + 1 < series->depth; k++)
		if (RESERVE(&series->starts[k], &series->group_capacity[k], series->groups[k] + 2) != 0)
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

/* Group g of level k, which is further inside in `to` where that has more levels. */
static int append_group(struct series *to, const struct series *from, unsigned k, size_t g, unsigned *open,
                        struct error *err)
{
	unsigned level = k + to->depth - from->depth;
	if (level < *open)
		*open = level;
	for (size_t i = from->starts[k][g]; i < from->starts[k][g + 1]; i++) {
		if (k + 2 < from->depth) {
			if (append_group(to, from, k + 1, i, open, err) != 0)
				return -1;
			continue;
		}
		if (series_append(to, *open, from->values[i], err) != 0)
			return -1;
		*open = to->depth - 1;
	}
	return 0;
}

int series_append_all(struct series *to, const struct series *from, unsigned open, struct error *err)
{
	series_forget_pairs(to);
	for (size_t g = 0; g < from->groups[0]; g++)
		if (append_group(to, from, 0, g, &open, err) != 0)
			return -1;
	return 0;
}

int series_group(struct series *out, const struct series *from, size_t g, struct error *err)
{
	struct series group;
	unsigned open;
	series_init(&group, from->levels + 1, from->depth - 1);
	/* The same without the outermost level. */
	struct series inside = *from;
	inside.depth--;
	memmove(inside.levels, from->levels + 1, inside.depth * sizeof(*inside.levels));
	memmove(inside.groups, from->groups + 1, (inside.depth - 1) * sizeof(*inside.groups));
	memmove(inside.starts, from->starts + 1, (inside.depth - 1) * sizeof(inside.starts[0]));
	for (size_t i = from->starts[0][g]; i < from->starts[0][g + 1]; i++) {
		open = 0;
		if (append_group(&group, &inside, 0, i, &open, err) != 0) {
			series_release(&group);
			return -1;
		}
	}
	*out = group;
	return 0;
}

int series_wrap(struct series *series, enum level level, struct error *err)
{
	uint32_t *starts = mem_alloc(2, sizeof(*starts));
	if (!starts || series->depth == LEVEL_COUNT) {
		mem_free(starts);
		return error_memory(err);
	}
	series_forget_pairs(series);
	memmove(series->levels + 1, series->levels, series->depth * sizeof(*series->levels));
	memmove(series->groups + 1, series->groups, (series->depth - 1) * sizeof(*series->groups));
	memmove(series->group_capacity + 1, series->group_capacity, (series->depth - 1) * sizeof(*series->group_capacity));
	memmove(series->starts + 1, series->starts, (series->depth - 1) * sizeof(series->starts[0]));
	starts[0] = 0;
	starts[1] = (uint32_t)series->groups[1];
	series->levels[0] = level;
	series->groups[0] = series->n > 0 ? 1 : 0;
	series->group_capacity[0] = 2;
	series->starts[0] = starts;
	series->depth++;
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
