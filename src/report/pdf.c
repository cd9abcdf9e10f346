/* The marks of a drawing, one element a line of svg.c, become operators of a content stream. The page is turned upside
 * down once, so that coordinates are those of the drawing; text is turned back. The file is PDF 1.4: a catalogue, a page, its
 * stream, two fonts of the reader and a graphics state for each opacity. */
#include "report/pdf.h"

#include "report/pdf_paint.h"
#include "report/svg.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { OBJECTS = 6, NAME_SIZE = 16 };

/* Adobe's widths of Helvetica, thousandths of its size, from the space to the tilde. */
static const short widths[] = {278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
                               556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
                               1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
                               667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
                               333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
                               556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};

/* ---- reading the drawing ---- */

/* The value of an attribute of the element at `at`, or NULL. */
static const char *attribute(const char *at, const char *name)
{
	const char *end = strchr(at, '>');
	char key[NAME_SIZE + 4];
	snprintf(key, sizeof(key), " %s=\"", name);
	const char *found = strstr(at, key);
	return found && (!end || found < end) ? found + strlen(key) : NULL;
}

/* As svg_number() writes them: digits and a point, whatever the locale. */
static double read_number(const char **at)
{
	const char *c = *at;
	double sign = 1, value = 0, unit = 1;
	while (*c == ' ' || *c == ',')
		c++;
	if (*c == '-') {
		sign = -1;
		c++;
	}
	for (; *c >= '0' && *c <= '9'; c++)
		value = 10 * value + (*c - '0');
	if (*c == '.')
		for (c++; *c >= '0' && *c <= '9'; c++)
			value += (unit /= 10) * (*c - '0');
	*at = c;
	return sign * value;
}

static double number_of(const char *at, const char *name)
{
	const char *value = attribute(at, name);
	return value ? read_number(&value) : 0;
}

/* ---- writing ---- */

static void put(struct buffer *out, double value)
{
	svg_number(out, value);
	buffer_char(out, ' ');
}

static void put_colour(struct buffer *out, unsigned colour, const char *operator)
{
	for (int shift = 16; shift >= 0; shift -= 8) {
		unsigned part = colour >> shift & 0xff;
		buffer_printf(out, "0.%03u ", part * 999 / 255);
	}
	buffer_printf(out, "%s\n", operator);
}

static void put_state(struct buffer *out, const struct pdf_paint *paint)
{
	buffer_printf(out, "/A%d gs [%s] 0 d %d J\n", paint->opacity, paint->dash, paint->round);
	put(out, paint->width);
	buffer_text_add(out, "w\n");
	if (paint->stroke != PDF_NONE)
		put_colour(out, paint->stroke, "RG");
	if (paint->fill != PDF_NONE)
		put_colour(out, paint->fill, "rg");
}

static void end_path(struct buffer *out, const struct pdf_paint *paint)
{
	buffer_text_add(out, paint->fill != PDF_NONE ? "f\n" : paint->stroke != PDF_NONE ? "S\n" : "n\n");
}

static void put_point(struct buffer *out, double x, double y, const char *operator)
{
	put(out, x);
	put(out, y);
	buffer_printf(out, "%s\n", operator);
}

/* Four curves, each a quarter; 0.5523 is 4/3·(√2 − 1). */
static void put_circle(struct buffer *out, double x, double y, double r)
{
	static const double turn[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
	put_point(out, x + r, y, "m");
	for (int i = 0; i < 4; i++) {
		const double *from = turn[i], *to = turn[(i + 1) % 4];
		put(out, x + r * (from[0] + 0.5523 * to[0]));
		put(out, y + r * (from[1] + 0.5523 * to[1]));
		put(out, x + r * (to[0] + 0.5523 * from[0]));
		put(out, y + r * (to[1] + 0.5523 * from[1]));
		put_point(out, x + r * to[0], y + r * to[1], "c");
	}
}

/* M L V and their like, as the plots use them. */
static void put_path(struct buffer *out, const char *at)
{
	double x = 0, y = 0;
	while (*at && *at != '"') {
		char command = *at++;
		switch (command) {
		case 'M':
		case 'L':
			x = read_number(&at);
			y = read_number(&at);
			break;
		case 'l':
			x += read_number(&at);
			y += read_number(&at);
			break;
		case 'h': x += read_number(&at); break;
		case 'v': y += read_number(&at); break;
		case 'H': x = read_number(&at); break;
		case 'V': y = read_number(&at); break;
		case 'z':
		case 'Z': buffer_text_add(out, "h\n"); continue;
		default: continue;
		}
		put_point(out, x, y, command == 'M' ? "m" : "l");
	}
}

/* ---- text ---- */

/* The next letter of escaped UTF-8, in code page 1252. */
static unsigned char next_letter(const char **at)
{
	static const struct {
		const char *text;
		unsigned char letter;
	} known[] = {{"&amp;", '&'},         {"&lt;", '<'},          {"&gt;", '>'},          {"&quot;", '"'},
	             {"&#39;", '\''},        {"\xe2\x80\xa6", 0x85}, {"\xe2\x80\x93", 0x96}, {"\xe2\x80\x94", 0x97},
	             {"\xe2\x80\x98", 0x91}, {"\xe2\x80\x99", 0x92}, {"\xe2\x82\xac", 0x80}, {"\xe2\x88\x92", '-'},
	             {"\xce\xbc", 0xb5}};
	const unsigned char *c = (const unsigned char *)*at;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strncmp(*at, known[i].text, strlen(known[i].text)) == 0) {
			*at += strlen(known[i].text);
			return known[i].letter;
		}
	if (c[0] < 0x80) {
		*at += 1;
		return c[0] < ' ' ? ' ' : c[0];
	}
	bool latin = (c[0] == 0xc2 || c[0] == 0xc3) && c[1] >= 0x80;
	unsigned char letter = latin ? (unsigned char)(c[0] << 6 | (c[1] & 0x3f)) : '?';
	for (*at += 1; (**at & 0xc0) == 0x80;)
		*at += 1;
	return letter;
}

static void put_text(struct buffer *out, const char *element, const struct pdf_paint *paint)
{
	const char *at = strchr(element, '>'), *anchor = attribute(element, "text-anchor");
	struct buffer letters = {0};
	double width = 0;
	for (at = at ? at + 1 : ""; *at && *at != '<';) {
		unsigned char letter = next_letter(&at);
		if (letter == '(' || letter == ')' || letter == '\\')
			buffer_char(&letters, '\\');
		buffer_char(&letters, (char)letter);
		width += (letter >= ' ' && letter <= '~' ? widths[letter - ' '] : 556) / 1000.0 * (paint->bold ? 1.06 : 1);
	}
	double shift = !anchor ? 0 : anchor[0] == 'm' ? 0.5 : 1;
	buffer_printf(out, "BT /%s %d Tf 1 0 0 -1 ", paint->bold ? "F2" : "F1", SVG_FONT);
	put(out, number_of(element, "x") - shift * width * SVG_FONT);
	put(out, number_of(element, "y"));
	buffer_text_add(out, "Tm (");
	buffer_add(out, letters.data ? letters.data : "", letters.length);
	buffer_text_add(out, ") Tj ET\n");
	buffer_release(&letters);
}

/* ---- the page ---- */

static void put_element(struct buffer *out, const char *name, const char *at)
{
	const char *classes = attribute(at, "class"), *style = attribute(at, "style");
	struct pdf_paint paint = pdf_paint_of(name, classes ? classes : "");
	if (style && strncmp(style, "stroke-width:", 13) == 0) {
		style += 13;
		paint.width = read_number(&style);
	}
	put_state(out, &paint);
	if (strcmp(name, "text") == 0) {
		put_text(out, at, &paint);
		return;
	}
	if (strcmp(name, "line") == 0) {
		put_point(out, number_of(at, "x1"), number_of(at, "y1"), "m");
		put_point(out, number_of(at, "x2"), number_of(at, "y2"), "l");
	} else if (strcmp(name, "rect") == 0) {
		put(out, number_of(at, "x"));
		put(out, number_of(at, "y"));
		put_point(out, number_of(at, "width"), number_of(at, "height"), "re");
	} else if (strcmp(name, "circle") == 0) {
		put_circle(out, number_of(at, "cx"), number_of(at, "cy"), number_of(at, "r"));
	} else if (attribute(at, "d")) {
		put_path(out, attribute(at, "d"));
	}
	end_path(out, &paint);
}

static void put_marks(const char *svg, struct buffer *out)
{
	static const char *const marks[] = {"line", "rect", "circle", "text", "path"};
	for (const char *at = strchr(svg, '<'); at; at = strchr(at + 1, '<'))
		for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
			size_t length = strlen(marks[i]);
			if (strncmp(at + 1, marks[i], length) == 0 && at[1 + length] == ' ')
				put_element(out, marks[i], at);
		}
}

static void put_states(struct buffer *out)
{
	static const int opacities[] = {20, 22, 35, 55, 65, 80, 100};
	for (size_t i = 0; i < sizeof(opacities) / sizeof(opacities[0]); i++)
		buffer_printf(out, "/A%d << /ca %d.%02d /CA %d.%02d >> ", opacities[i], opacities[i] / 100, opacities[i] % 100,
		              opacities[i] / 100, opacities[i] % 100);
}

int pdf_of_drawing(const struct buffer *svg, struct buffer *out, struct error *err)
{
	size_t places[OBJECTS + 1], first = out->length;
	const char *text = buffer_text(svg);
	double width = number_of(text, "width"), height = number_of(text, "height");
	struct buffer marks = {0};
	buffer_text_add(&marks, "1 0 0 -1 0 ");
	put(&marks, height);
	buffer_text_add(&marks, "cm\n");
	put_marks(text, &marks);
	buffer_text_add(out, "%PDF-1.4\n");
	places[1] = out->length;
	buffer_text_add(out, "1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n");
	places[2] = out->length;
	buffer_text_add(out, "2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n");
	places[3] = out->length;
	buffer_text_add(out, "3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ");
	put(out, width);
	put(out, height);
	buffer_text_add(out, "] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> /ExtGState << ");
	put_states(out);
	buffer_text_add(out, ">> >> >>\nendobj\n");
	places[4] = out->length;
	buffer_printf(out, "4 0 obj\n<< /Length %zu >>\nstream\n", marks.length);
	buffer_add(out, marks.data ? marks.data : "", marks.length);
	buffer_text_add(out, "endstream\nendobj\n");
	for (int i = 5; i <= OBJECTS; i++) {
		places[i] = out->length;
		buffer_printf(out,
		              "%d 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica%s /Encoding /WinAnsiEncoding >>\n"
		              "endobj\n",
		              i, i == OBJECTS ? "-Bold" : "");
	}
	size_t table = out->length;
	buffer_printf(out, "xref\n0 %d\n0000000000 65535 f \n", OBJECTS + 1);
	for (int i = 1; i <= OBJECTS; i++)
		buffer_printf(out, "%010zu 00000 n \n", places[i] - first);
	buffer_printf(out, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%zu\n%%%%EOF\n", OBJECTS + 1, table - first);
	int status = buffer_error(&marks, err);
	buffer_release(&marks);
	return status == 0 ? buffer_error(out, err) : -1;
}
