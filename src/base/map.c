/* Open addressing, at most half full. */
#include "base/map.h"

#include "base/array.h"
#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

enum { SLOTS_LEAST = 64 };

/* What is looked for: a text, or a number where that is NULL. */
struct wanted {
	const char *text;
	size_t length;
	uint64_t key;
};

void map_release(struct map *map)
{
	arena_release(&map->arena);
	mem_free(map->text);
	mem_free(map->length);
	mem_free(map->key);
	mem_free(map->slots);
	memset(map, 0, sizeof(*map));
}

static uint32_t hash_key(uint64_t key)
{
	key = (key ^ key >> 31) * 0x9e3779b97f4a7c15u;
	key = (key ^ key >> 29) * 0xbf58476d1ce4e5b9u;
	return (uint32_t)(key >> 32);
}

static uint32_t hash_text(const char *text, size_t length)
{
	uint64_t h = 0x9e3779b97f4a7c15u ^ length;
	while (length >= 8) {
		uint64_t word;
		memcpy(&word, text, 8);
		h = (h ^ word) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
		text += 8;
		length -= 8;
	}
	uint64_t word = 0;
	memcpy(&word, text, length);
	h = (h ^ word) * 0xff51afd7ed558ccdu;
	h ^= h >> 29;
	h *= 0xc4ceb9fe1a85ec53u;
	return (uint32_t)(h >> 32);
}

static bool is_wanted(const struct map *map, uint32_t number, const struct wanted *wanted)
{
	if (!wanted->text)
		return map->key[number] == wanted->key;
	return map->length[number] == wanted->length && memcmp(map->text[number], wanted->text, wanted->length) == 0;
}

/* The slot that holds the key, or the free one where it belongs. */
static uint32_t *slot_of(const struct map *map, const struct wanted *wanted)
{
	uint32_t mask = map->slot_count - 1;
	uint32_t slot = (wanted->text ? hash_text(wanted->text, wanted->length) : hash_key(wanted->key)) & mask;
	for (;; slot = (slot + 1) & mask) {
		uint32_t at = map->slots[slot];
		if (at == 0 || is_wanted(map, at - 1, wanted))
			return &map->slots[slot];
	}
}

static void fill_slots(struct map *map)
{
	for (uint32_t i = 0; i < map->count; i++) {
		struct wanted own = map->key ? (struct wanted){.key = map->key[i]}
		                             : (struct wanted){map->text[i], map->length[i], 0};
		*slot_of(map, &own) = i + 1;
	}
}

static int grow_slots(struct map *map)
{
	uint32_t count = map->slot_count ? 2 * map->slot_count : SLOTS_LEAST;
	uint32_t *slots = mem_zalloc(count, sizeof(*slots));
	if (!slots)
		return -1;
	mem_free(map->slots);
	map->slots = slots;
	map->slot_count = count;
	fill_slots(map);
	return 0;
}

static int grow_keys(struct map *map, bool texts)
{
	size_t larger = array_larger(map->capacity, (size_t)map->count + 1);
	if (texts ? array_resize(&map->text, larger) != 0 || array_resize(&map->length, larger) != 0
	          : array_resize(&map->key, larger) != 0)
		return -1;
	map->capacity = larger;
	return 0;
}

static uint32_t find(const struct map *map, const struct wanted *wanted)
{
	uint32_t at = map->slot_count == 0 ? 0 : *slot_of(map, wanted);
	return at ? at - 1 : MAP_NONE;
}

static uint32_t find_or_add(struct map *map, const struct wanted *wanted)
{
	/* A column mostly says the same as in the row before, or keys take turns in the order in which they came first. */
	if (map->last < map->count && is_wanted(map, map->last, wanted))
		return map->last;
	uint32_t next = map->last + 1 < map->count ? map->last + 1 : 0;
	if (next < map->count && is_wanted(map, next, wanted))
		return map->last = next;
	uint32_t number = find(map, wanted);
	if (number != MAP_NONE)
		return map->last = number;
	if (map->count >= UINT32_MAX / 4 || wanted->length > UINT32_MAX / 2)
		return MAP_NONE;
	if (map->count + 1 > map->slot_count / 2 && grow_slots(map) != 0)
		return MAP_NONE;
	if (map->count == map->capacity && grow_keys(map, wanted->text) != 0)
		return MAP_NONE;
	if (wanted->text) {
		map->text[map->count] = arena_strndup(&map->arena, wanted->text, wanted->length);
		if (!map->text[map->count])
			return MAP_NONE;
		map->length[map->count] = (uint32_t)wanted->length;
	} else {
		map->key[map->count] = wanted->key;
	}
	*slot_of(map, wanted) = map->count + 1;
	return map->last = map->count++;
}

uint32_t map_text(struct map *map, const char *text, size_t length)
{
	return find_or_add(map, &(struct wanted){text ? text : "", length, 0});
}

uint32_t map_key(struct map *map, uint64_t key)
{
	return find_or_add(map, &(struct wanted){.key = key});
}

uint32_t map_find_text(const struct map *map, const char *text, size_t length)
{
	return find(map, &(struct wanted){text ? text : "", length, 0});
}

uint32_t map_find_key(const struct map *map, uint64_t key)
{
	return find(map, &(struct wanted){.key = key});
}

void map_truncate(struct map *map, uint32_t count)
{
	if (count >= map->count)
		return;
	map->count = count;
	memset(map->slots, 0, map->slot_count * sizeof(*map->slots));
	fill_slots(map);
}
