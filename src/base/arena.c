/* Chunks of at least 4 KiB, filled from the front. */
#include "base/arena.h"

#include "base/memory.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK_SIZE = 4096 };

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, size;
	alignas(max_align_t) unsigned char data[];
};

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
		return NULL;
	bytes = (bytes + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
	struct arena_chunk *chunk = arena->chunks;
	if (!chunk || chunk->size - chunk->used < bytes) {
		size_t room = bytes > CHUNK_SIZE ? bytes : CHUNK_SIZE;
		chunk = mem_alloc(1, sizeof(*chunk) + room);
		if (!chunk)
			return NULL;
		chunk->used = 0;
		chunk->size = room;
		chunk->next = arena->chunks;
		arena->chunks = chunk;
	}
	void *block = chunk->data + chunk->used;
	chunk->used += bytes;
	return memset(block, 0, bytes);
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1, 1);
	if (copy)
		memcpy(copy, text, length);
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
	char *text = length < 0 ? NULL : arena_alloc(arena, (size_t)length + 1, 1);
	if (text)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

void arena_adopt(struct arena *arena, struct arena *from)
{
	struct arena_chunk **end = &arena->chunks;
	while (*end)
		end = &(*end)->next;
	*end = from->chunks;
	from->chunks = NULL;
}

void arena_release(struct arena *arena)
{
	while (arena->chunks) {
		struct arena_chunk *next = arena->chunks->next;
		mem_free(arena->chunks);
		arena->chunks = next;
	}
}
