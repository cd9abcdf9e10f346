/* How text output looks: its size, its characters, its colours.
 *
 * Colour is never the only carrier of meaning: whatever is emphasised is also said by a
 * word or a sign, so that output without colour loses nothing. */
#ifndef TARE_REPORT_LOOK_H
#define TARE_REPORT_LOOK_H

#include "base/buffer.h"
#include "model/result.h"
#include "report/text_width.h"

#include <stdbool.h>
#include <stddef.h>

struct look {
	size_t width;  /* columns; 0: 80 */
	size_t height; /* lines of one plot; 0: what suits the plot */
	enum text_charset charset;
	bool colour;      /* ANSI colours */
	bool verbose;     /* everything that is known, not only the answer */
	bool has_page;    /* a page with plots is written too */
	double time_unit; /* of times in tables, in seconds: 1e-3 for ms; 0: by size */
};

enum emphasis {
	EMPHASIS_NONE,
	EMPHASIS_STRONG, /* the number that matters */
	EMPHASIS_FAINT,  /* what may be overlooked */
	EMPHASIS_GOOD,   /* faster */
	EMPHASIS_BAD,    /* slower */
	EMPHASIS_WARN,   /* mixed, a warning */
	EMPHASIS_FIRST,  /* the first and second series of a plot */
	EMPHASIS_SECOND,
	EMPHASIS_COUNT
};

size_t look_width(const struct look *look); /* with the default */

/* Begin and end colour: nothing without look->colour or for EMPHASIS_NONE. */
void look_begin(const struct look *look, enum emphasis emphasis, struct buffer *out);
void look_end(const struct look *look, enum emphasis emphasis, struct buffer *out);

/* A verdict's emphasis, and its sign (one column): faster ✔, slower ✘, mixed ◆, same =,
 * undecided ?; in ASCII +, !, *, =, ?. */
enum emphasis verdict_emphasis(enum verdict verdict);
const char *verdict_sign(enum verdict verdict, enum text_charset charset);

#endif
