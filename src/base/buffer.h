/* A growing byte buffer with a stated maximum, always NUL-terminated.
 *
 * Appending never fails at the call: a buffer that ran out of memory or over its
 * maximum keeps what fits, remembers that it failed and ignores what follows.
 * Check once, at the end, with buffer_error(). */
#ifndef TARE_BASE_BUFFER_H
#define TARE_BASE_BUFFER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct buffer {
	char *data;    /* NULL while empty and never grown; use buffer_text() */
	size_t length; /* without the final NUL */
	size_t capacity;
	size_t maximum; /* largest length; 0: no limit */
	bool out_of_memory;
	bool too_long;
};

/* A zeroed buffer is valid, empty and unlimited. */
void buffer_init(struct buffer *buffer, size_t maximum);
void buffer_release(struct buffer *buffer);

/* Empties the buffer and forgets its failures; keeps its memory. */
void buffer_clear(struct buffer *buffer);

void buffer_add(struct buffer *buffer, const void *bytes, size_t length);
void buffer_text_add(struct buffer *buffer, const char *text);
void buffer_char(struct buffer *buffer, char c);
void buffer_repeat(struct buffer *buffer, const char *text, size_t times);
void buffer_printf(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Room for `length` more bytes at the returned place, or NULL; buffer_grown() says how many were used. */
char *buffer_room(struct buffer *buffer, size_t length);
void buffer_grown(struct buffer *buffer, size_t length);

/* The text; "" while empty. Valid until the next change. */
const char *buffer_text(const struct buffer *buffer);

/* A copy of the text in the arena; NULL where that, or the text, is not whole. The buffer is released. */
struct arena;
char *buffer_keep(struct buffer *buffer, struct arena *arena);

/* 0, or -1 with err filled when anything was lost. */
int buffer_error(const struct buffer *buffer, struct error *err);

#endif
