/* What a comparison says of its machines: the statements, the kinds, a forest of machines. */
#ifndef TARE_REPORT_MACHINES_TEXT_H
#define TARE_REPORT_MACHINES_TEXT_H

#include "base/buffer.h"
#include "model/result.h"
#include "report/plot.h"

enum { MACHINES_SHOWN = 24 }; /* more are shown by their lowest and highest */

/* Lines for a terminal of 80 columns; nothing where the machine is no level. */
void machines_text(const struct result *result, const struct comparison *comparison, struct buffer *out);

/* Of a suite: whom its intervals speak of, and a forest of machines for each of the first comparisons that differ. */
void machines_suite_text(const struct result *result, struct buffer *out);

/* The sentences, one a line: this pool, these machines, the next machine, whether it depends on the machine, the odd
 * one. */
void machines_words(const struct result *result, const struct comparison *comparison, struct buffer *out);

/* The machines as ratios for a forest, lowest first where there are more than MACHINES_SHOWN; *left_out of them are
 * not among them. In the arena; NULL: no memory. */
struct plot_ratio *machines_forest(const struct result *result, const struct comparison *comparison,
                                   struct arena *arena, size_t *count, size_t *left_out);

#endif
