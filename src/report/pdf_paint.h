/* How the marks of a drawing look on paper: what the rules of svg_style() say, by element and class. */
#ifndef TARE_REPORT_PDF_PAINT_H
#define TARE_REPORT_PDF_PAINT_H

#include <stdbool.h>

struct pdf_paint {
	unsigned stroke, fill; /* 0xRRGGBB, PDF_NONE: not done */
	double width;          /* of the stroke */
	int opacity;           /* per cent */
	const char *dash;      /* "4 3", or "" */
	bool round;            /* ends of lines */
	bool bold;
};

enum { PDF_NONE = 0x1000000 };

/* `element` is "line", "path", "rect", "circle" or "text"; `classes` words that end at a quote or a NUL. */
struct pdf_paint pdf_paint_of(const char *element, const char *classes);

#endif
