/* Half as much again each time: large arrays grow in place (mremap), so that a larger step would only cost memory. The
 * first step is small, for a table of a million subjects has a few arrays of one item for each. */
#include "base/array.h"

#include "base/memory.h"

#include <stdint.h>
#include <string.h>

enum { LEAST = 2 };

size_t array_larger(size_t capacity, size_t needed)
{
	size_t larger = capacity > SIZE_MAX / 2 ? SIZE_MAX : capacity + capacity / 2;
	larger = larger < LEAST ? LEAST : larger;
	return larger < needed ? needed : larger;
}

int array_resize_sized(void *items, size_t capacity, size_t size)
{
	void *block;
	memcpy(&block, items, sizeof(block));
	block = mem_resize(block, capacity, size);
	if (!block)
		return -1;
	memcpy(items, &block, sizeof(block));
	return 0;
}

int array_grow_sized(void *items, size_t *capacity, size_t needed, size_t size)
{
	size_t larger = array_larger(*capacity, needed);
	if (array_resize_sized(items, larger, size) != 0)
		return -1;
	*capacity = larger;
	return 0;
}

int array_add_arena(struct arena *arena, void *items, size_t count, size_t size)
{
	if (count != 0 && (count & (count - 1)) != 0)
		return 0;
	void *block;
	size_t bytes, room = count ? 2 * count : 1;
	if (__builtin_mul_overflow(room, size, &bytes))
		return -1;
	memcpy(&block, items, sizeof(block));
	block = arena_grow(arena, block, count * size, bytes);
	if (!block)
		return -1;
	memcpy(items, &block, sizeof(block));
	return 0;
}
