/* Cells hold a sign or dots; a sign wins where both are. */
#include "report/canvas.h"

#include "base/memory.h"

#include <string.h>

int canvas_init(struct canvas *canvas, size_t width, size_t height, enum text_charset charset, struct error *err)
{
	size_t count;
	if (__builtin_mul_overflow(width, height, &count))
		return error_memory(err);
	struct canvas_cell *cells = mem_zalloc(count, sizeof(*cells));
	if (!cells)
		return error_memory(err);
	*canvas = (struct canvas){width, height, charset, cells};
	return 0;
}

void canvas_release(struct canvas *canvas)
{
	mem_free(canvas->cells);
	memset(canvas, 0, sizeof(*canvas));
}

static struct canvas_cell *cell_at(struct canvas *canvas, size_t x, size_t y)
{
	return x < canvas->width && y < canvas->height ? &canvas->cells[y * canvas->width + x] : NULL;
}

static void put(struct canvas *canvas, size_t x, size_t y, const char *text, size_t length, enum emphasis emphasis)
{
	struct canvas_cell *cell = cell_at(canvas, x, y);
	if (!cell || length >= sizeof(cell->text))
		return;
	memcpy(cell->text, text, length);
	cell->text[length] = '\0';
	cell->emphasis = (unsigned char)emphasis;
	cell->covered = 0;
}

void canvas_sign(struct canvas *canvas, size_t x, size_t y, const char *unicode, char ascii, enum emphasis emphasis)
{
	if (canvas->charset == TEXT_ASCII)
		put(canvas, x, y, &ascii, 1, emphasis);
	else
		put(canvas, x, y, unicode, strlen(unicode), emphasis);
}

void canvas_under(struct canvas *canvas, size_t x, size_t y, const char *unicode, char ascii, enum emphasis emphasis)
{
	const struct canvas_cell *cell = cell_at(canvas, x, y);
	if (cell && !cell->text[0] && !cell->dots && !cell->covered)
		canvas_sign(canvas, x, y, unicode, ascii, emphasis);
}

/* A mark joins the cell before it; an escape takes a cell per character. */
static size_t put_glyph(struct canvas *canvas, size_t x, size_t y, const struct text_glyph *glyph,
                        enum emphasis emphasis)
{
	if (glyph->width == 0) {
		struct canvas_cell *cell = x > 0 ? cell_at(canvas, x - 1, y) : NULL;
		if (cell && cell->covered && x > 1)
			cell = cell_at(canvas, x - 2, y);
		if (cell && strlen(cell->text) + glyph->length < sizeof(cell->text))
			memcpy(cell->text + strlen(cell->text), glyph->text, glyph->length + 1);
		return 0;
	}
	if (glyph->width == glyph->length) {
		for (unsigned i = 0; i < glyph->length; i++)
			put(canvas, x + i, y, glyph->text + i, 1, emphasis);
		return glyph->width;
	}
	put(canvas, x, y, glyph->text, glyph->length, emphasis);
	for (unsigned i = 1; i < glyph->width; i++) {
		struct canvas_cell *cell = cell_at(canvas, x + i, y);
		if (cell)
			*cell = (struct canvas_cell){.covered = 1};
	}
	return glyph->width;
}

void canvas_text(struct canvas *canvas, size_t x, size_t y, size_t width, enum text_align align, const char *text,
                 enum emphasis emphasis)
{
	if (x >= canvas->width)
		return;
	width = width > canvas->width - x ? canvas->width - x : width;
	/* A buffer that cannot grow, so that drawing needs no memory; far longer than a line. */
	char fixed[1024];
	struct buffer fitted = {.data = fixed, .capacity = sizeof(fixed), .maximum = sizeof(fixed) - 1};
	fixed[0] = '\0';
	text_fit(&fitted, text, width, canvas->charset);
	size_t needed = text_width(fixed, canvas->charset);
	x += align == TEXT_RIGHT ? width - needed : align == TEXT_CENTER ? (width - needed) / 2 : 0;
	struct text_walk walk = {.at = fixed, .charset = canvas->charset};
	struct text_glyph glyph;
	while (text_next(&walk, &glyph))
		x += put_glyph(canvas, x, y, &glyph, emphasis);
}

size_t canvas_dots_across(const struct canvas *canvas)
{
	return canvas->charset == TEXT_ASCII ? 1 : 2;
}

size_t canvas_dots_down(const struct canvas *canvas)
{
	return canvas->charset == TEXT_ASCII ? 2 : 4;
}

void canvas_dot(struct canvas *canvas, const struct canvas_area *area, size_t across, size_t down,
                enum emphasis emphasis)
{
	static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
	size_t wide = canvas_dots_across(canvas), high = canvas_dots_down(canvas);
	if (across >= area->width * wide || down >= area->height * high)
		return;
	struct canvas_cell *cell = cell_at(canvas, area->x + across / wide, area->y + down / high);
	if (!cell)
		return;
	cell->dots |= bits[down % high][across % wide];
	cell->emphasis = (unsigned char)emphasis;
}

static size_t cell_text(const struct canvas *canvas, const struct canvas_cell *cell, char *text)
{
	if (cell->covered)
		return 0;
	if (cell->text[0]) {
		strcpy(text, cell->text);
		return strlen(text);
	}
	if (cell->dots && canvas->charset == TEXT_ASCII) {
		static const char shapes[] = " '.:";
		text[0] = shapes[cell->dots & 3];
		return 1;
	}
	if (cell->dots)
		return text_encode(0x2800u + cell->dots, text);
	text[0] = ' ';
	return 1;
}

static size_t used_width(const struct canvas *canvas, const struct canvas_cell *row)
{
	size_t width = canvas->width;
	while (width > 0 && !row[width - 1].dots && !row[width - 1].covered &&
	       (!row[width - 1].text[0] || strcmp(row[width - 1].text, " ") == 0))
		width--;
	return width;
}

void canvas_write(const struct canvas *canvas, const struct look *look, struct buffer *out)
{
	for (size_t y = 0; y < canvas->height; y++) {
		const struct canvas_cell *row = &canvas->cells[y * canvas->width];
		enum emphasis now = EMPHASIS_NONE;
		size_t width = used_width(canvas, row);
		for (size_t x = 0; x < width; x++) {
			char text[sizeof(row->text)];
			size_t length = cell_text(canvas, &row[x], text);
			enum emphasis wanted = row[x].covered ? now : (enum emphasis)row[x].emphasis;
			if (wanted != now) {
				look_end(look, now, out);
				look_begin(look, wanted, out);
				now = wanted;
			}
			buffer_add(out, text, length);
		}
		look_end(look, now, out);
		buffer_char(out, '\n');
	}
}
