#include "report/pdf_paint.h"

#include <stddef.h>
#include <string.h>

enum {
	INK = 0x1d2733,
	SOFT = 0x5a6672,
	RULE = 0xe1e6eb,
	AXIS = 0x98a3ae,
	ONE = 0x1666c5,
	TWO = 0xbf560f,
	THREE = 0x7b45b5,
	GOOD = 0x127746,
	BAD = 0xbd2430,
	WARN = 0x9a6100,
	BAND = 0x8794a1
};

static bool has(const char *classes, const char *word)
{
	size_t length = strlen(word);
	for (const char *at = classes; *at && *at != '"';) {
		size_t own = strcspn(at, " \"");
		if (own == length && strncmp(at, word, length) == 0)
			return true;
		at += own + (at[own] == ' ');
	}
	return false;
}

static unsigned colour_of(const char *classes, unsigned otherwise)
{
	static const struct {
		const char *word;
		unsigned colour;
	} colours[] = {{"one", ONE},   {"two", TWO},   {"three", THREE}, {"good", GOOD}, {"bad", BAD},
	               {"warn", WARN}, {"soft", SOFT}, {"tick", SOFT},   {"note", WARN}};
	for (size_t i = 0; i < sizeof(colours) / sizeof(colours[0]); i++)
		if (has(classes, colours[i].word))
			return colours[i].colour;
	return otherwise;
}

/* Lines and paths that are not filled. */
static struct pdf_paint line_paint(const char *classes, struct pdf_paint paint)
{
	bool told = has(classes, "good") || has(classes, "bad") || has(classes, "warn") || has(classes, "soft");
	paint.stroke = colour_of(classes, PDF_NONE);
	paint.width = told ? 2 : 1;
	if (has(classes, "rule") || has(classes, "edge"))
		paint.stroke = RULE;
	if (has(classes, "axis"))
		paint.stroke = AXIS;
	if (has(classes, "dash")) {
		paint.stroke = SOFT;
		paint.dash = "4 3";
	}
	if (has(classes, "change")) {
		paint.stroke = WARN;
		paint.width = 1.5;
		paint.dash = "5 3";
	}
	if (has(classes, "mark")) {
		paint.stroke = INK;
		paint.width = 2;
	}
	return paint;
}

static struct pdf_paint path_paint(const char *classes, struct pdf_paint paint)
{
	paint = line_paint(classes, paint);
	paint.width = 1;
	if (has(classes, "dots")) {
		paint.width = has(classes, "small") ? 2.4 : 3.6;
		paint.opacity = 55;
		paint.round = true;
	} else if (has(classes, "range")) {
		paint.opacity = 35;
	} else if (has(classes, "curve")) {
		paint.width = 2;
	} else if (has(classes, "area")) {
		paint.stroke = PDF_NONE; /* its curve is the edge of what is filled */
		paint.fill = colour_of(classes, ONE);
		paint.opacity = 22;
	} else if (has(classes, "arrow")) {
		paint.stroke = PDF_NONE;
		paint.fill = colour_of(classes, WARN);
	}
	return paint;
}

struct pdf_paint pdf_paint_of(const char *element, const char *classes)
{
	struct pdf_paint paint = {.stroke = PDF_NONE, .fill = PDF_NONE, .width = 1, .opacity = 100, .dash = ""};
	if (strcmp(element, "line") == 0)
		return line_paint(classes, paint);
	if (strcmp(element, "path") == 0)
		return path_paint(classes, paint);
	if (strcmp(element, "text") == 0) {
		paint.fill = colour_of(classes, INK);
		paint.bold = has(classes, "head");
		return paint;
	}
	paint.fill = colour_of(classes, INK);
	if (strcmp(element, "circle") == 0)
		paint.opacity = has(classes, "one") || has(classes, "two") || has(classes, "three") ? 65 : 100;
	else if (has(classes, "bar"))
		paint.opacity = 80;
	else if (has(classes, "band")) {
		paint.fill = BAND;
		paint.opacity = 22;
	} else if (has(classes, "interval")) {
		paint.fill = ONE;
		paint.opacity = 20;
	}
	return paint;
}
