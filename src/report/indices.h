/* The performance indices of a session: what was reached, and the phases of their unit readings. */
#ifndef TARE_REPORT_INDICES_H
#define TARE_REPORT_INDICES_H

#include "base/buffer.h"
#include "model/result.h"
#include "report/look.h"
#include "report/plot.h"
#include "report/table.h"

/* Whether a subject has any. */
bool indices_any(const struct subject *subject);

/* One row an index: mean, interval, how narrow it is and was to be, autocorrelation, readings. */
void indices_table(const struct subject *subject, struct table *table);

/* A line an index: what each subject reached and what was wanted. Of `metric`, which has a table, only where something
 * was wanted. */
void indices_brief(const struct result *result, const char *metric, struct buffer *out);

/* For each index with unit readings one bar: set-up, warm-up, stable phase and cool-down of the usual run, with their
 * shares. Nothing where there are none. */
void indices_phases(const struct subject *subject, const struct look *look, struct buffer *out);

/* Ends of phases of the usual run, as shares of the run. */
struct usual_phases {
	double set_up;   /* where warm-up begins; 0: no set-up is seen */
	double from, to; /* the stable phase */
};

/* False where no run has a stable phase. */
bool indices_usual_phases(const struct measurement *m, struct usual_phases *out);

/* Their marks in a plot of runs over each other, the longest of that many readings; how many, at most USUAL_MARKS. */
enum { USUAL_MARKS = 3 };
size_t indices_marks(const struct usual_phases *usual, size_t longest, struct plot_mark *marks);

/* What the unit readings cost, where that was measured. */
void indices_overhead(const struct subject *subject, struct buffer *out);

/* The unit readings of all runs over each other, with the ends of the phases; for --plot. */
int indices_plots(const struct subject *subject, const struct look *look, struct buffer *out, struct error *err);

#endif
