/* The hash map: keys to the numbers 0, 1, 2 … in order of first appearance, which index arrays of the caller.
 *
 * A map holds texts, which it copies, or 64-bit numbers, not both. */
#ifndef TARE_BASE_MAP_H
#define TARE_BASE_MAP_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

#define MAP_NONE UINT32_MAX

struct map {
	uint32_t count;
	const char **text; /* of a map of texts, by number; NUL-terminated copies (which may hold NULs of their own) */
	uint32_t *length;
	uint64_t *key; /* of a map of numbers, by number */
	size_t capacity;
	uint32_t last;   /* that map_text or map_key gave */
	uint32_t *slots; /* number + 1; 0: free */
	uint32_t slot_count;
	struct arena arena; /* of the texts */
};

/* A zeroed map is empty and valid. */
void map_release(struct map *map);

/* The number of a text or key, which is added where it is new; MAP_NONE when out of memory or at 2^30 keys. */
uint32_t map_text(struct map *map, const char *text, size_t length);
uint32_t map_key(struct map *map, uint64_t key);

/* The number of a text or key, or MAP_NONE. */
uint32_t map_find_text(const struct map *map, const char *text, size_t length);
uint32_t map_find_key(const struct map *map, uint64_t key);

/* Forgets the keys whose number is `count` or more. */
void map_truncate(struct map *map, uint32_t count);

/* One key of two small ones. */
static inline uint64_t map_pair(uint32_t a, uint32_t b)
{
	return (uint64_t)a << 32 | b;
}

#endif
