/* Strict UTF-8, then one rule per code point: keep, escape, or (ASCII) transliterate. */
#include "report/text_width.h"

#include "report/width_tables.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MARKS_MAX = 4 }; /* combining marks on one base: enough for every living script */

uint32_t text_decode(const char *text, unsigned *length)
{
	const unsigned char *s = (const unsigned char *)text;
	*length = 1;
	if (s[0] == 0)
		*length = 0;
	if (s[0] < 0x80)
		return s[0];
	unsigned count = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return UINT32_MAX;
	uint32_t code = s[0] & (0x7fu >> count);
	for (unsigned i = 1; i < count; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return UINT32_MAX;
		code = code << 6 | (s[i] & 0x3fu);
	}
	bool overlong = (count == 3 && code < 0x800) || (count == 4 && code < 0x10000);
	if (overlong || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff)
		return UINT32_MAX;
	*length = count;
	return code;
}

unsigned text_encode(uint32_t code, char *text)
{
	unsigned count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
	for (unsigned i = count - 1; i > 0; i--) {
		text[i] = (char)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	text[0] = (char)(lead[count] | code);
	text[count] = '\0';
	return count;
}

static bool in_ranges(const struct code_range *ranges, size_t count, uint32_t code)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (code > ranges[middle].last)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && code >= ranges[low].first;
}

static unsigned width_of(uint32_t code)
{
	if (code < 0x300)
		return 1;
	if (in_ranges(width_zero, width_zero_count, code))
		return 0;
	return in_ranges(width_wide, width_wide_count, code) ? 2 : 1;
}

/* What a terminal or a browser would act on, or nobody could see. */
static bool is_hidden(uint32_t code)
{
	static const struct code_range hidden[] = {
		{0x0000, 0x001f}, {0x007f, 0x009f}, {0x00ad, 0x00ad},                     /* controls, soft hyphen */
		{0x061c, 0x061c}, {0x180e, 0x180e}, {0x200b, 0x200b},   {0x200e, 0x200f}, /* direction, zero width */
		{0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff},                     /* line ends, isolates, BOM */
		{0xfff0, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe0fff},                   /* annotations, tags */
	};
	return in_ranges(hidden, sizeof(hidden) / sizeof(hidden[0]), code);
}

static const char *ascii_form(uint32_t code)
{
	static const struct {
		uint32_t code;
		const char *form;
	} signs[] = {
		{0xb5, "u"},   {0x3bc, "u"},  {0xb1, "+-"},     {0xd7, "x"},    {0x2212, "-"}, {0x2026, "..."},
		{0x2013, "-"}, {0x2014, "-"}, {0x2264, "<="},   {0x2265, ">="}, {0x2248, "~"}, {0x2192, "->"},
		{0xb2, "^2"},  {0x3c3, "sd"}, {0x221a, "sqrt"}, {0xa0, " "},    {0x2009, " "}, {0xb0, "deg "},
	};
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (signs[i].code == code)
			return signs[i].form;
	return NULL;
}

static void escape(struct text_glyph *glyph, uint32_t code, unsigned char byte)
{
	int length;
	if (code == '\n' || code == '\t' || code == '\r')
		length = snprintf(glyph->text, sizeof(glyph->text), "\\%c", code == '\n' ? 'n' : code == '\t' ? 't' : 'r');
	else if (code == UINT32_MAX || code < 0x80)
		length = snprintf(glyph->text, sizeof(glyph->text), "\\x%02x", byte);
	else if (code < 0x10000)
		length = snprintf(glyph->text, sizeof(glyph->text), "\\u%04x", (unsigned)code);
	else
		length = snprintf(glyph->text, sizeof(glyph->text), "\\U%08x", (unsigned)code);
	glyph->length = glyph->width = (unsigned)length;
}

int text_next(struct text_walk *walk, struct text_glyph *glyph)
{
	unsigned length;
	uint32_t code = text_decode(walk->at, &length);
	if (length == 0)
		return 0;
	const char *source = walk->at;
	walk->at += length;
	unsigned width = width_of(code);
	const char *form = walk->charset == TEXT_ASCII ? ascii_form(code) : NULL;
	bool stray = width == 0 && (!walk->has_base || walk->marks >= MARKS_MAX);
	if (form) {
		glyph->length = glyph->width = (unsigned)strlen(form);
		memcpy(glyph->text, form, glyph->length + 1);
	} else if (code == UINT32_MAX || is_hidden(code) || stray || (walk->charset == TEXT_ASCII && code >= 0x80)) {
		escape(glyph, code, (unsigned char)*source);
	} else {
		memcpy(glyph->text, source, length);
		glyph->text[length] = '\0';
		glyph->length = length;
		glyph->width = width;
	}
	walk->marks = glyph->width == 0 ? walk->marks + 1 : 0;
	walk->has_base = 1;
	return 1;
}

size_t text_width(const char *text, enum text_charset charset)
{
	struct text_walk walk = {.at = text, .charset = charset};
	struct text_glyph glyph;
	size_t width = 0;
	while (text_next(&walk, &glyph))
		width += glyph.width;
	return width;
}

void text_clean(struct buffer *out, const char *text, enum text_charset charset)
{
	struct text_walk walk = {.at = text, .charset = charset};
	struct text_glyph glyph;
	while (text_next(&walk, &glyph))
		buffer_add(out, glyph.text, glyph.length);
}

void text_to_ascii(struct buffer *out, const char *text)
{
	struct text_walk walk = {.at = text, .charset = TEXT_ASCII};
	struct text_glyph glyph;
	while (*walk.at)
		if ((unsigned char)*walk.at < 0x80)
			buffer_char(out, *walk.at++);
		else if (text_next(&walk, &glyph))
			buffer_add(out, glyph.text, glyph.length);
}

/* The glyphs from column `first` up to `last` that lie wholly inside, with the marks on them. */
static void add_columns(struct buffer *out, const char *text, size_t first, size_t last, enum text_charset charset)
{
	struct text_walk walk = {.at = text, .charset = charset};
	struct text_glyph glyph;
	size_t column = 0;
	bool inside = false;
	while (text_next(&walk, &glyph)) {
		if (glyph.width > 0)
			inside = column >= first && column + glyph.width <= last;
		if (inside)
			buffer_add(out, glyph.text, glyph.length);
		column += glyph.width;
		if (column > last)
			break;
	}
}

void text_fit(struct buffer *out, const char *text, size_t width, enum text_charset charset)
{
	size_t full = text_width(text, charset);
	if (full <= width) {
		text_clean(out, text, charset);
		return;
	}
	const char *dots = charset == TEXT_ASCII ? "..." : "\u2026";
	size_t dots_width = charset == TEXT_ASCII ? 3 : 1;
	if (width <= dots_width) {
		buffer_repeat(out, charset == TEXT_ASCII ? "." : dots, charset == TEXT_ASCII ? width : width > 0);
		return;
	}
	size_t keep = width - dots_width, tail = keep / 2;
	add_columns(out, text, 0, keep - tail, charset);
	buffer_text_add(out, dots);
	if (tail > 0)
		add_columns(out, text, full - tail, full, charset);
}

void text_field(struct buffer *out, const char *text, size_t width, enum text_align align, enum text_charset charset)
{
	/* Wide characters may leave a column free at the cut, so measure what came out. */
	size_t full = text_width(text, charset), start = out->length;
	if (full <= width) {
		size_t left = align == TEXT_RIGHT ? width - full : align == TEXT_CENTER ? (width - full) / 2 : 0;
		buffer_repeat(out, " ", left);
		text_clean(out, text, charset);
		buffer_repeat(out, " ", width - full - left);
		return;
	}
	text_fit(out, text, width, charset);
	if (out->length == start)
		return;
	size_t shown = text_width(buffer_text(out) + start, charset);
	buffer_repeat(out, " ", shown < width ? width - shown : 0);
}
