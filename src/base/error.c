/* Filling error records and turning them into words. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 4, 0))) static void fill(struct error *err, enum error_kind kind, int errnum,
                                                       const char *what, va_list args)
{
	memset(err, 0, sizeof(*err));
	err->kind = kind;
	err->errnum = errnum;
	vsnprintf(err->what, sizeof(err->what), what, args);
}

int error_set(struct error *err, enum error_kind kind, const char *what, ...)
{
	if (!err)
		return -1;
	va_list args;
	va_start(args, what);
	fill(err, kind, 0, what, args);
	va_end(args);
	return -1;
}

int error_full(struct error *err, enum error_kind kind, const char *on, const char *next, const char *what, ...)
{
	if (!err)
		return -1;
	va_list args;
	va_start(args, what);
	fill(err, kind, 0, what, args);
	va_end(args);
	snprintf(err->on, sizeof(err->on), "%s", on ? on : "");
	snprintf(err->next, sizeof(err->next), "%s", next ? next : "");
	return -1;
}

int error_system(struct error *err, int errnum, const char *what, ...)
{
	if (!err)
		return -1;
	va_list args;
	va_start(args, what);
	fill(err, ERROR_SYSTEM, errnum, what, args);
	va_end(args);
	return -1;
}

void error_fill_memory(struct error *err)
{
	error_set(err, ERROR_MEMORY, "out of memory");
}

int error_on(struct error *err, const char *on, ...)
{
	if (!err)
		return -1;
	va_list args;
	va_start(args, on);
	vsnprintf(err->on, sizeof(err->on), on, args);
	va_end(args);
	return -1;
}

int error_at(struct error *err, const char *file, long line, long column)
{
	if (!err)
		return -1;
	snprintf(err->on, sizeof(err->on), "%s", file);
	err->line = line;
	err->column = column;
	return -1;
}

int error_next(struct error *err, const char *next, ...)
{
	if (!err)
		return -1;
	va_list args;
	va_start(args, next);
	vsnprintf(err->next, sizeof(err->next), next, args);
	va_end(args);
	return -1;
}

int error_type(struct error *err, const char *line)
{
	if (!err)
		return -1;
	snprintf(err->type, sizeof(err->type), "%s", line);
	return -1;
}

/* Bytes of the character at `text`, or 0: a control, or not UTF-8. The controls above 0x7f (0x9b begins an escape
 * sequence) are 0xc2 and themselves, and alone they are no UTF-8. */
static size_t character_length(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	if (c[0] < 0x80)
		return c[0] >= 0x20 && c[0] != 0x7f;
	size_t length = c[0] >= 0xc2 && c[0] < 0xe0   ? 2
	                : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
	                : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
	                                              : 0;
	unsigned char least = c[0] == 0xc2 || c[0] == 0xe0 ? 0xa0 : c[0] == 0xf0 ? 0x90 : 0x80;
	for (size_t i = 1; i < length; i++)
		if (c[i] < (i == 1 ? least : 0x80) || c[i] >= 0xc0)
			return 0;
	return length;
}

/* Appends printable text; a terminal must not act on what a file or a command contained. */
static void append_clean(char *text, size_t size, const char *more)
{
	size_t used = strlen(text);
	while (*more && used + 5 < size) {
		size_t length = character_length(more);
		if (length == 0)
			used += (size_t)snprintf(text + used, size - used, "\\x%02x", (unsigned char)*more);
		memcpy(text + used, more, length);
		used += length;
		more += length ? length : 1;
	}
	text[used] = '\0';
}

static void append_newline(char *text, size_t size)
{
	size_t used = strlen(text);
	if (used + 2 < size) {
		text[used] = '\n';
		text[used + 1] = '\0';
	}
}

void error_text(const struct error *err, char *text, size_t size)
{
	if (size == 0)
		return;
	text[0] = '\0';
	if (err->on[0]) {
		append_clean(text, size, err->on);
		char place[64] = "";
		if (err->line > 0 && err->column > 0)
			snprintf(place, sizeof(place), ":%ld:%ld", err->line, err->column);
		else if (err->line > 0)
			snprintf(place, sizeof(place), ":%ld", err->line);
		append_clean(text, size, place);
		append_clean(text, size, ": ");
	}
	append_clean(text, size, err->what);
	if (err->errnum) {
		append_clean(text, size, ": ");
		append_clean(text, size, strerror(err->errnum));
	}
	if (err->next[0]) {
		append_newline(text, size);
		append_clean(text, size, err->next);
	}
	if (err->type[0]) {
		append_newline(text, size);
		append_clean(text, size, "  ");
		append_clean(text, size, err->type);
	}
}

int error_exit_code(enum error_kind kind)
{
	switch (kind) {
#define X(name, code, meaning) \
	case name: return code;
		ERROR_KINDS(X)
#undef X
	}
	return 1;
}
