/* The growing array. Its owner keeps three fields: the items, how many are used, and how many there is room for; the
 * last starts at 0 and only these functions change it. Zeroed fields are an empty array; mem_free() frees the items.
 *
 *     if (array_reserve(&list->items, &list->capacity, list->count + 1) != 0)
 *             return error_memory(err);
 *     list->items[list->count++] = item;
 */
#ifndef TARE_BASE_ARRAY_H
#define TARE_BASE_ARRAY_H

#include "base/arena.h"

#include <stddef.h>

/* Makes room for `needed` items in all; adding one by one costs a constant time each. 0, or -1 when there is no memory:
 * the array is then as it was. */
#define array_reserve(items, capacity, needed) array_reserve_sized(items, capacity, needed, sizeof(**(items)))

/* Room for one more item, cleared, in an array in an arena that has `count` of them and was grown by nothing else:
 * the count alone tells when it is full (it doubles). Outgrown copies of small arrays stay until the arena is
 * released: at most as much again. 0, or -1 when there is no memory. */
#define array_add_in(arena, items, count) array_add_arena(arena, items, count, sizeof(**(items)))

/* For arrays that grow together: the capacity that all should get where `needed` does not fit into the one they
 * have, and the change of each. 0, or -1 when there is no memory: the array is then as it was. */
size_t array_larger(size_t capacity, size_t needed);
#define array_resize(items, capacity) array_resize_sized(items, capacity, sizeof(**(items)))

/* What the macros call, with a pointer to the pointer to the items. */
int array_grow_sized(void *items, size_t *capacity, size_t needed, size_t size);
static inline int array_reserve_sized(void *items, size_t *capacity, size_t needed, size_t size)
{
	return needed <= *capacity ? 0 : array_grow_sized(items, capacity, needed, size);
}
int array_add_arena(struct arena *arena, void *items, size_t count, size_t size);
int array_resize_sized(void *items, size_t capacity, size_t size);

#endif
