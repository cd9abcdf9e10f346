/* Open addressing, at most half full. */
#include "exchange/names.h"

#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

void names_release(struct names *names)
{
	arena_release(&names->arena);
	mem_free(names->text);
	mem_free(names->length);
	mem_free(names->slots);
	memset(names, 0, sizeof(*names));
}

static uint32_t hash_of(const char *text, size_t length)
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

static bool is_text(const struct names *names, uint32_t id, const char *text, size_t length)
{
	return names->length[id] == length && memcmp(names->text[id], text, length) == 0;
}

/* The slot that holds the text, or the free one where it belongs. */
static uint32_t slot_of(const struct names *names, const char *text, size_t length)
{
	uint32_t mask = names->slot_count - 1, slot = hash_of(text, length) & mask;
	for (;; slot = (slot + 1) & mask) {
		uint32_t id = names->slots[slot];
		if (id == 0 || is_text(names, id - 1, text, length))
			return slot;
	}
}

static int grow_slots(struct names *names)
{
	uint32_t count = names->slot_count ? 2 * names->slot_count : 64;
	uint32_t *slots = mem_zalloc(count, sizeof(*slots)), *old = names->slots;
	if (!slots)
		return -1;
	names->slots = slots;
	names->slot_count = count;
	for (uint32_t id = 0; id < names->count; id++)
		slots[slot_of(names, names->text[id], names->length[id])] = id + 1;
	mem_free(old);
	return 0;
}

static int grow_texts(struct names *names)
{
	uint32_t room = names->room ? 2 * names->room : 32;
	const char **text = mem_resize(names->text, room, sizeof(*text));
	if (!text)
		return -1;
	names->text = text;
	uint32_t *length = mem_resize(names->length, room, sizeof(*length));
	if (!length)
		return -1;
	names->length = length;
	names->room = room;
	return 0;
}

uint32_t names_find(const struct names *names, const char *text, size_t length)
{
	if (names->slot_count == 0)
		return NAMES_NONE;
	uint32_t id = names->slots[slot_of(names, text, length)];
	return id ? id - 1 : NAMES_NONE;
}

uint32_t names_id(struct names *names, const char *text, size_t length)
{
	/* A column mostly says the same as in the row before. */
	if (names->count > 0 && is_text(names, names->last, text, length))
		return names->last;
	uint32_t id = names_find(names, text, length);
	if (id != NAMES_NONE)
		return names->last = id;
	if (names->count >= UINT32_MAX / 4 || length > UINT32_MAX / 2)
		return NAMES_NONE;
	if (names->count + 1 > names->slot_count / 2 && grow_slots(names) != 0)
		return NAMES_NONE;
	if (names->count == names->room && grow_texts(names) != 0)
		return NAMES_NONE;
	char *copy = arena_strndup(&names->arena, text, length);
	if (!copy)
		return NAMES_NONE;
	id = names->count++;
	names->text[id] = copy;
	names->length[id] = (uint32_t)length;
	names->slots[slot_of(names, text, length)] = id + 1;
	return names->last = id;
}
