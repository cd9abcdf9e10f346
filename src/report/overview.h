/* The tables at a glance: one row a subject, one row a comparison; for text, Markdown and CSV alike. */
#ifndef TARE_REPORT_OVERVIEW_H
#define TARE_REPORT_OVERVIEW_H

#include "base/buffer.h"
#include "model/result.h"
#include "report/table.h"

/* Subjects: the mean of the deciding metric with interval, then those of wall time, CPU time and peak memory where
 * measured, runs. */
void overview_subjects(const struct result *result, struct table *table);

/* Comparisons: subject, change with interval, verdict, by what it was decided. */
void overview_comparisons(const struct result *result, struct table *table);

/* The same for a terminal, under a line that says what they are compared with. */
int overview_comparisons_text(const struct result *result, const struct look *look, struct buffer *out,
                              struct error *err);

/* For a pull request: the verdicts first, then the tables; of the look only the unit of times counts. */
int overview_markdown(const struct result *result, const struct look *look, struct buffer *out, struct error *err);

/* For a terminal: the subjects' table, the verdicts with their numbers, the warnings. */
int overview_text(const struct result *result, const struct look *look, struct buffer *out, struct error *err);

/* The metric that the comparisons were decided by, or the first of the first subject. */
const char *overview_metric(const struct result *result);

#endif
