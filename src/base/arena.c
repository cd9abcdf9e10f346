/* Chunks that are filled from the front, and with text from the back: 4 KiB at first, each twice the one before up to
 * 256 KiB, so that an arena of a few words stays small and one of a million does not waste a rest and the allocator's own
 * bytes in every page. */
#include "base/arena.h"

#include "base/memory.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK_LEAST = 4096, CHUNK_MOST = 256 * 1024 };

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, size;
	alignas(max_align_t) unsigned char data[];
};

/* A block that would fill much of a chunk gets one of its own, behind the newest, which stays open. */
static struct arena_chunk *add_chunk(struct arena *arena, size_t bytes)
{
	size_t room = arena->next_size < CHUNK_LEAST ? CHUNK_LEAST : arena->next_size;
	bool own = bytes > room / 4;
	struct arena_chunk *chunk = mem_alloc(1, sizeof(*chunk) + (own ? bytes : room));
	if (!chunk)
		return NULL;
	struct arena_chunk **place = own && arena->chunks ? &arena->chunks->next : &arena->chunks;
	*chunk = (struct arena_chunk){.next = *place, .size = own ? bytes : room};
	*place = chunk;
	if (!own)
		arena->next_size = room < CHUNK_MOST ? 2 * room : CHUNK_MOST;
	return chunk;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
		return NULL;
	bytes = (bytes + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
	struct arena_chunk *chunk = arena->chunks;
	if (!chunk || chunk->size - chunk->used < bytes)
		chunk = add_chunk(arena, bytes);
	if (!chunk)
		return NULL;
	void *block = chunk->data + chunk->used;
	chunk->used += bytes;
	return memset(block, 0, bytes);
}

/* The link to the chunk that a block fills alone, or NULL. */
static struct arena_chunk **find_own(struct arena *arena, const void *block)
{
	struct arena_chunk **link = &arena->chunks;
	while (*link && (const void *)(*link)->data != block)
		link = &(*link)->next;
	return *link && (*link)->used == (*link)->size ? link : NULL;
}

void *arena_grow(struct arena *arena, void *block, size_t old, size_t bytes)
{
	struct arena_chunk **link = old > CHUNK_MOST / 4 && bytes < SIZE_MAX / 2 ? find_own(arena, block) : NULL;
	if (!link) {
		void *larger = arena_alloc(arena, bytes, 1);
		if (larger && old > 0)
			memcpy(larger, block, old);
		return larger;
	}
	bytes = (bytes + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
	struct arena_chunk *chunk = mem_resize(*link, 1, sizeof(*chunk) + bytes);
	if (!chunk)
		return NULL;
	*link = chunk;
	memset(chunk->data + old, 0, bytes - old);
	chunk->used = chunk->size = bytes;
	return chunk->data;
}

void arena_give_back(struct arena *arena, const void *block, size_t bytes)
{
	struct arena_chunk **link = bytes > CHUNK_MOST / 4 ? find_own(arena, block) : NULL;
	if (!link)
		return;
	struct arena_chunk *chunk = *link;
	*link = chunk->next;
	mem_free(chunk);
}

/* Bytes for text, which needs no alignment, are taken from the end of the newest chunk. */
static char *alloc_text(struct arena *arena, size_t bytes)
{
	struct arena_chunk *chunk = arena->chunks;
	if (!chunk || chunk->size - chunk->used < bytes) {
		if (bytes > SIZE_MAX / 2 || !(chunk = add_chunk(arena, bytes)))
			return NULL;
	}
	chunk->size -= bytes;
	return (char *)chunk->data + chunk->size;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = length < SIZE_MAX ? alloc_text(arena, length + 1) : NULL;
	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	char *text = length < 0 ? NULL : alloc_text(arena, (size_t)length + 1);
	if (text)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

void arena_adopt(struct arena *arena, struct arena *from)
{
	/* Behind the newest, which stays open: the chain that is walked is that of `from`, however many were adopted before. */
	struct arena_chunk **place = arena->chunks ? &arena->chunks->next : &arena->chunks;
	struct arena_chunk *others = *place, **end = place;
	*place = from->chunks;
	while (*end)
		end = &(*end)->next;
	*end = others;
	*from = (struct arena){0};
}

void arena_release(struct arena *arena)
{
	while (arena->chunks) {
		struct arena_chunk *next = arena->chunks->next;
		mem_free(arena->chunks);
		arena->chunks = next;
	}
	arena->next_size = 0;
}
