/* A grid of terminal cells to draw on: text, single signs, and dots finer than a cell.
 *
 * Dots are braille (2 across, 4 down in a cell); with TEXT_ASCII ' . and : (1 across,
 * 2 down). Drawing outside is ignored. Drawing does not fail: only canvas_init() allocates. */
#ifndef TARE_REPORT_CANVAS_H
#define TARE_REPORT_CANVAS_H

#include "base/buffer.h"
#include "base/error.h"
#include "report/look.h"

#include <stddef.h>

struct canvas_cell {
	char text[22];      /* "" blank; a base with its marks */
	unsigned char dots; /* braille bits */
	unsigned char emphasis;
	unsigned char covered; /* the second column of a wide character */
};

struct canvas {
	size_t width, height;
	enum text_charset charset;
	struct canvas_cell *cells; /* row by row */
};

/* A part of a canvas, in cells. */
struct canvas_area {
	size_t x, y, width, height;
};

int canvas_init(struct canvas *canvas, size_t width, size_t height, enum text_charset charset, struct error *err);
void canvas_release(struct canvas *canvas);

/* One sign of one column: `unicode`, or `ascii` with TEXT_ASCII. Replaces what was there. */
void canvas_sign(struct canvas *canvas, size_t x, size_t y, const char *unicode, char ascii, enum emphasis emphasis);

/* As canvas_sign, only where the cell is still blank. */
void canvas_under(struct canvas *canvas, size_t x, size_t y, const char *unicode, char ascii, enum emphasis emphasis);

/* Text, cleaned and made to fit `width` columns from x on. */
void canvas_text(struct canvas *canvas, size_t x, size_t y, size_t width, enum text_align align, const char *text,
                 enum emphasis emphasis);

/* Dots per cell of this canvas. */
size_t canvas_dots_across(const struct canvas *canvas);
size_t canvas_dots_down(const struct canvas *canvas);

/* A dot inside an area, `across` and `down` counted in dots from its upper left corner. */
void canvas_dot(struct canvas *canvas, const struct canvas_area *area, size_t across, size_t down,
                enum emphasis emphasis);

/* Appends the lines, without blanks at their ends. */
void canvas_write(const struct canvas *canvas, const struct look *look, struct buffer *out);

#endif
