/* The performance indices of a session: what was reached, and the phases of their unit readings. */
#ifndef TARE_REPORT_INDICES_H
#define TARE_REPORT_INDICES_H

#include "base/buffer.h"
#include "model/result.h"
#include "report/look.h"
#include "report/table.h"

/* Whether a subject has any. */
bool indices_any(const struct subject *subject);

/* One row an index: mean, interval, how narrow it is and was to be, autocorrelation, readings. */
void indices_table(const struct subject *subject, struct table *table);

/* For each index with unit readings one bar: warm-up, stable phase and cool-down of the usual run, with their shares. Nothing
 * where there are none. */
void indices_phases(const struct subject *subject, const struct look *look, struct buffer *out);

/* Where the stable phase of the usual run begins and ends, as shares of the run; false where there is none. */
bool indices_phase(const struct measurement *m, double *from, double *to);

/* What the unit readings cost, where that was measured. */
void indices_overhead(const struct subject *subject, struct buffer *out);

/* The unit readings of all runs over each other, with the ends of the phases; for --plot. */
int indices_plots(const struct subject *subject, const struct look *look, struct buffer *out, struct error *err);

#endif
