/* The tables at a glance: one row a subject, one row a comparison; for text, Markdown and CSV alike. */
#ifndef TARE_REPORT_OVERVIEW_H
#define TARE_REPORT_OVERVIEW_H

#include "base/buffer.h"
#include "model/result.h"
#include "report/table.h"

/* Subjects: the mean of the deciding metric with interval, spread and range, then those of wall time, CPU time and peak memory where
 * measured, runs. */
void overview_subjects(const struct result *result, struct table *table);

/* Comparisons: subject, change with interval, verdict, by what it was decided. */
void overview_comparisons(const struct result *result, struct table *table);

/* The subjects for a terminal; without the intervals of their means unless the look is verbose. */
int overview_subjects_text(const struct result *result, const struct look *look, struct buffer *out, struct error *err);

/* The comparisons for a terminal, under a line that says what they are compared with. */
int overview_comparisons_text(const struct result *result, const struct look *look, struct buffer *out,
                              struct error *err);

/* For a pull request: the verdicts first, then the tables; of the look only the unit of times counts. */
int overview_markdown(const struct result *result, const struct look *look, struct buffer *out, struct error *err);

/* For a terminal: the verdicts, the subjects' table, what to know beside; their numbers and every warning where the
 * look is verbose, else at most 12 lines for two commands, the last left for what to type next. */
int overview_text(const struct result *result, const struct look *look, struct buffer *out, struct error *err);

/* The metric that the comparisons were decided by, or the first of the first subject. */
const char *overview_metric(const struct result *result);

#endif
