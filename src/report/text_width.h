/* Text from elsewhere on a terminal: what it looks like, how wide it is, how to make it fit.
 *
 * Names come from files, commands and other people's programs. text_clean() is the one
 * place that makes them harmless: a terminal, a table or a page never acts on a name.
 * Kept as they are: printable UTF-8, with up to four marks on a base character. Shown as
 * an escape: control characters (\n, \t, \r, \x1b, \u0085), bytes that are no UTF-8
 * (\xff), marks that turn the writing direction or cannot be seen (\u202e), combining
 * marks without a base. Clean text stays as it is, so cleaning twice changes nothing.
 *
 * Widths are in terminal columns: 0 for combining marks, 2 for wide East Asian characters
 * and emoji, else 1. They are those of the cleaned text, and do not depend on the locale.
 * All functions take NUL-terminated text, clean it themselves and write to the end of a
 * buffer (check it once, with buffer_error()). */
#ifndef TARE_REPORT_TEXT_WIDTH_H
#define TARE_REPORT_TEXT_WIDTH_H

#include "base/buffer.h"

#include <stddef.h>
#include <stdint.h>

/* TEXT_ASCII shows every other character as an escape, but for the few signs that tare
 * prints itself (µ as u, ± as +-, … as ...). */
enum text_charset { TEXT_UNICODE, TEXT_ASCII };

enum text_align { TEXT_LEFT, TEXT_RIGHT, TEXT_CENTER };

/* One character as it is shown: a code point, or the escape that stands for it. */
struct text_glyph {
	char text[16];
	unsigned length; /* bytes in text */
	unsigned width;  /* columns; 0: joins the glyph before */
};

/* Walks over text. Set `at` to its start and the rest to zero. */
struct text_walk {
	const char *at;
	enum text_charset charset;
	unsigned marks; /* on the present base */
	int has_base;
};

/* The next glyph; 0 at the end of the text. */
int text_next(struct text_walk *walk, struct text_glyph *glyph);

/* The code point at `text` and the bytes it takes by *length; UINT32_MAX with *length 1
 * for a byte that is no UTF-8 (overlong forms and surrogates included). 0 at the end. */
uint32_t text_decode(const char *text, unsigned *length);

/* UTF-8 of a code point into `text` (NUL-terminated, 5 bytes); returns the bytes. */
unsigned text_encode(uint32_t code, char *text);

size_t text_width(const char *text, enum text_charset charset);
void text_clean(struct buffer *out, const char *text, enum text_charset charset);

/* Text of several lines, clean already, with the signs of TEXT_ASCII; lines and colours stay. */
void text_to_ascii(struct buffer *out, const char *text);

/* Cleaned and never wider than `width`: what is too wide loses its middle ("/usr/…/bin"). */
void text_fit(struct buffer *out, const char *text, size_t width, enum text_charset charset);

/* As text_fit, then filled with blanks to exactly `width` columns. */
void text_field(struct buffer *out, const char *text, size_t width, enum text_align align, enum text_charset charset);

#endif
