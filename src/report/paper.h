/* A result as parts of a paper: tables, the sentence of each comparison, and how it was measured. */
#ifndef TARE_REPORT_PAPER_H
#define TARE_REPORT_PAPER_H

#include "base/buffer.h"
#include "model/result.h"

/* LaTeX to be included: tabulars with the rules of booktabs, then paragraphs. */
int paper_latex(const struct result *result, struct buffer *out, struct error *err);

/* The paragraph on methods folded away, for the end of a Markdown text. */
void paper_methods_markdown(const struct result *result, struct buffer *out);

#endif
