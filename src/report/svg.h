/* SVG drawings: the document around a drawing and the marks in it.
 *
 * A plot is made in two passes: layout finds out where everything goes (svg_panel.h), then
 * drawing writes marks from front to back. Sizes are CSS pixels at the drawing's own size;
 * a page may scale it. Colours are CSS classes, so that light and dark pages and paper work;
 * svg_style() is what a page with plots needs once, and a drawing that stands alone brings it.
 * Marks carry a <title>, which browsers show on hovering; the drawing has a title and a
 * description for those who cannot see it. */
#ifndef TARE_REPORT_SVG_H
#define TARE_REPORT_SVG_H

#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>

struct svg_options {
	const char *id;          /* unique on its page; made into an identifier */
	const char *title;       /* NULL: the plot's own words */
	const char *description; /* NULL: the plot's own words */
	double width;            /* 0: 560; at least 240 is taken */
	double height;           /* 0: what suits the plot; at least 120 is taken; notes and legends come on top */
	size_t points;           /* marks to draw of a large series, about; 0: 600 */
	bool plain;              /* marks without a title each: a third of the size */
	bool standalone;         /* a file of its own: with style and background */
};

enum { SVG_FONT = 12, SVG_LINE = 16, SVG_FEW = 250 /* marks that each get a title */ };

struct svg_box {
	double x, y, width, height;
};

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

double svg_width(const struct svg_options *options);
double svg_height(const struct svg_options *options, double suitable);
size_t svg_points(const struct svg_options *options);

/* The CSS rules, without <style>. */
const char *svg_style(void);

/* <svg …> with title and description, and its end. */
void svg_open(struct buffer *out, const struct svg_options *options, double width, double height, const char *title,
              const char *description);
void svg_close(struct buffer *out);

/* An upper estimate of the width of text in pixels; the fonts of readers differ. */
double svg_text_width(const char *text);

/* Marks. Classes are words of svg_style(); titles and texts are escaped here; title NULL: none. */
void svg_line(struct buffer *out, const char *class_, double x1, double y1, double x2, double y2);
void svg_rect(struct buffer *out, const char *class_, struct svg_box box, const char *title);
void svg_circle(struct buffer *out, const char *class_, double x, double y, double radius, const char *title);
void svg_text(struct buffer *out, const char *class_, double x, double y, enum svg_anchor anchor, const char *text);

/* Text that is made to fit `width` pixels; where that took something away its title is the whole text
 * (up to 300 columns). */
void svg_text_fit(struct buffer *out, const char *class_, double x, double y, enum svg_anchor anchor, const char *text,
                  double width);

/* An arrow head of 8 × 7 pixels with its tip at (x, y), pointing up (-1) or down (1), left and right alike. */
void svg_arrow(struct buffer *out, const char *class_, double x, double y, int across, int down, const char *title);

/* Points: each with its title while they are few and not plain, else one path with titles for nobody. */
struct svg_dots {
	struct buffer *out;
	const char *class_;
	bool few;
};
void svg_dots_begin(struct svg_dots *dots, struct buffer *out, const char *class_, size_t count, bool plain);
void svg_dot(struct svg_dots *dots, double x, double y, const char *title); /* title is used when dots->few */
void svg_dots_end(struct svg_dots *dots);

/* A coordinate with one decimal, without needless zeros. */
void svg_number(struct buffer *out, double value);

#endif
