/* Filling error records and turning them into words. */
#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void reset(struct error *err, enum error_kind kind, int errnum)
{
	memset(err, 0, sizeof(*err));
	err->kind = kind;
	err->errnum = errnum;
}

int error_set(struct error *err, enum error_kind kind, const char *what, ...)
{
	if (!err)
		return -1;
	reset(err, kind, 0);
	va_list args;
	va_start(args, what);
	vsnprintf(err->what, sizeof(err->what), what, args);
	va_end(args);
	return -1;
}

int error_system(struct error *err, int errnum, const char *what, ...)
{
	if (!err)
		return -1;
	reset(err, ERROR_SYSTEM, errnum);
	va_list args;
	va_start(args, what);
	vsnprintf(err->what, sizeof(err->what), what, args);
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

/* Appends printable text; a terminal must not act on what a file or a command contained. The
 * controls above 0x7f (0x9b begins an escape sequence) are two bytes in UTF-8, the first 0xc2. */
static void append_clean(char *text, size_t size, const char *more)
{
	size_t used = strlen(text);
	unsigned char before = 0;
	for (; *more && used + 5 < size; more++) {
		unsigned char c = (unsigned char)*more, next = (unsigned char)more[1];
		bool high_control = (c == 0xc2 && next >= 0x80 && next < 0xa0) || (before == 0xc2 && c >= 0x80 && c < 0xa0);
		before = c;
		if (c < 0x20 || c == 0x7f || high_control)
			used += (size_t)snprintf(text + used, size - used, "\\x%02x", c);
		else
			text[used++] = (char)c;
	}
	text[used] = '\0';
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
		size_t used = strlen(text);
		if (used + 2 < size) {
			text[used] = '\n';
			text[used + 1] = '\0';
		}
		append_clean(text, size, err->next);
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
