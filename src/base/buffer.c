/* Doubling growth up to the maximum. */
#include "base/buffer.h"

#include "base/arena.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void buffer_init(struct buffer *buffer, size_t maximum)
{
	memset(buffer, 0, sizeof(*buffer));
	buffer->maximum = maximum;
}

void buffer_release(struct buffer *buffer)
{
	mem_free(buffer->data);
	buffer_init(buffer, buffer->maximum);
}

void buffer_clear(struct buffer *buffer)
{
	buffer->length = 0;
	buffer->out_of_memory = buffer->too_long = false;
	if (buffer->data)
		buffer->data[0] = '\0';
}

char *buffer_room(struct buffer *buffer, size_t length)
{
	if (buffer->out_of_memory || buffer->too_long)
		return NULL;
	size_t limit = buffer->maximum ? buffer->maximum : SIZE_MAX / 4;
	if (length > limit - buffer->length) {
		buffer->too_long = true;
		return NULL;
	}
	size_t needed = buffer->length + length + 1;
	if (needed > buffer->capacity) {
		size_t capacity = buffer->capacity ? buffer->capacity : 64;
		while (capacity < needed)
			capacity *= 2;
		if (capacity > limit + 1)
			capacity = limit + 1;
		char *data = mem_resize(buffer->data, capacity, 1);
		if (!data) {
			buffer->out_of_memory = true;
			return NULL;
		}
		buffer->data = data;
		buffer->capacity = capacity;
	}
	return buffer->data + buffer->length;
}

void buffer_grown(struct buffer *buffer, size_t length)
{
	buffer->length += length;
	buffer->data[buffer->length] = '\0';
}

void buffer_add(struct buffer *buffer, const void *bytes, size_t length)
{
	char *place = buffer_room(buffer, length);
	if (!place)
		return;
	if (length > 0)
		memcpy(place, bytes, length);
	buffer_grown(buffer, length);
}

void buffer_text_add(struct buffer *buffer, const char *text)
{
	buffer_add(buffer, text, strlen(text));
}

void buffer_char(struct buffer *buffer, char c)
{
	buffer_add(buffer, &c, 1);
}

void buffer_repeat(struct buffer *buffer, const char *text, size_t times)
{
	for (size_t i = 0; i < times; i++)
		buffer_text_add(buffer, text);
}

void buffer_printf(struct buffer *buffer, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	char *place = length < 0 ? NULL : buffer_room(buffer, (size_t)length);
	if (place) {
		vsnprintf(place, (size_t)length + 1, format, again);
		buffer_grown(buffer, (size_t)length);
	}
	va_end(again);
}

const char *buffer_text(const struct buffer *buffer)
{
	return buffer->data ? buffer->data : "";
}

int buffer_error(const struct buffer *buffer, struct error *err)
{
	if (buffer->out_of_memory)
		return error_memory(err);
	if (buffer->too_long)
		return error_set(err, ERROR_SYSTEM, "more than %zu bytes of text", buffer->maximum);
	return 0;
}

char *buffer_keep(struct buffer *buffer, struct arena *arena)
{
	char *copy = buffer_error(buffer, NULL) == 0 ? arena_strdup(arena, buffer_text(buffer)) : NULL;
	buffer_release(buffer);
	return copy;
}
