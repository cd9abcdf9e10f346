/* Text inside HTML, SVG and XML. Everything that comes from a result passes here and nowhere else. */
#ifndef TARE_REPORT_MARKUP_H
#define TARE_REPORT_MARKUP_H

#include "base/buffer.h"

#include <stddef.h>

/* The text as text, in an element or inside a quoted attribute: & < > " ' as entities, what a browser
 * would act on or nobody could see as escapes (text_clean), so that the output is valid XML. */
void markup_escape(struct buffer *out, const char *text);

/* As markup_escape, of at most `width` columns; what is wider loses its middle. */
void markup_escape_fit(struct buffer *out, const char *text, size_t width);

/* A JSON document inside a <script> element: < > & as \\u escapes, which mean the same inside its strings and occur
 * nowhere else in it. */
void markup_json(struct buffer *out, const char *json);

/* Inside the quotes of an OpenMetrics label: cleaned as above, \\ and \" escaped. */
void markup_label(struct buffer *out, const char *text);

/* A part of an identifier: letters, digits and -, everything else as -. */
void markup_identifier(struct buffer *out, const char *text);

#endif
