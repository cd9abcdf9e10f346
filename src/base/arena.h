/* An arena: many small allocations that are freed together, such as the strings of a result. */
#ifndef TARE_BASE_ARENA_H
#define TARE_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *chunks; /* newest first, but for those of large blocks */
	size_t next_size;           /* of the next chunk, bytes; 0: the least */
};

/* All return NULL when there is no memory. Memory is aligned for any type, text is not. */
void *arena_alloc(struct arena *arena, size_t count, size_t size); /* cleared */
/* `block` of `old` bytes with room for `bytes`, the new ones cleared. It moves: a large one leaves nothing behind, a
 * small one its old copy. */
void *arena_grow(struct arena *arena, void *block, size_t old, size_t bytes);
/* Frees a block of so many bytes now, where it is a large one. */
void arena_give_back(struct arena *arena, const void *block, size_t bytes);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Takes over all that `from` holds; `from` is empty afterwards. */
void arena_adopt(struct arena *arena, struct arena *from);

/* Frees everything; the arena may be used again. A zeroed arena is empty and valid. */
void arena_release(struct arena *arena);

#endif
