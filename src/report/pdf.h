/* A drawing as PDF, for papers: one page of its size, with the marks of svg.h, in the colours of a light page. Text is in
 * Helvetica, which every reader of PDF has; letters outside of Windows code page 1252 become question marks. */
#ifndef TARE_REPORT_PDF_H
#define TARE_REPORT_PDF_H

#include "base/buffer.h"
#include "base/error.h"

/* `svg` is a drawing made by svg_open() and the marks of svg.h; other SVG is not understood. */
int pdf_of_drawing(const struct buffer *svg, struct buffer *out, struct error *err);

#endif
