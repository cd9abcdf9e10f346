/* Histories as text: trends, and where they changed. */
#ifndef TARE_REPORT_HISTORY_TEXT_H
#define TARE_REPORT_HISTORY_TEXT_H

#include "model/history.h"
#include "report/look.h"
#include "report/table.h"

/* The day, or "#17" for a point that has no time. */
void history_text_when(int64_t when, struct buffer *out);

/* A commit as short as it is shown; "" where it is not known. */
void history_text_commit(const struct history_point *point, struct buffer *out);

/* "@17 2026-02-03 0123abcd", or "#17" for a point that has no time. */
void history_text_point(const struct history_point *point, struct buffer *out);

/* One series: a plot with its changes, and its last `rows` points with their intervals. */
int history_text_trend(const struct history_series *series, size_t rows, const struct look *look, struct buffer *out,
                       struct error *err);

/* Every change of every series, in words: direction and size with interval, between which results, gradual ones,
 * outliers, and what most of a suite did at once. Series too short for changes to be found (history_is_short()) are
 * counted apart from those without a change. */
void history_text_changes(const struct history *history, size_t min_points, struct buffer *out);

/* "only 14 results: too few to find changes (at least 24)", of a series that is too short. */
void history_text_short(const struct history_series *series, size_t min_points, struct buffer *out);

/* One change in a sentence: direction and size, place, and whether the suite moved as one. */
void history_text_change(const struct history_series *series, const struct history_change *change, struct buffer *out);

/* One point as a row of a table: subject, metric, unit, machine, id, when, commit, value, low, high, outlier. */
void history_text_row(const struct history_series *series, size_t i, struct table *table);

/* The changes as a table, one row each. */
void history_text_table(const struct history *history, struct table *table);

#endif
