/* Traces of a monitor beside the runs that they were taken with. */
#ifndef TARE_REPORT_WATCHED_H
#define TARE_REPORT_WATCHED_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/result.h"
#include "report/look.h"
#include "report/plot.h"
#include "report/svg.h"

enum { WATCHED_TRACES = 3 };

/* The traces that say most: of what was near its limit, then the busiest. At most `most` indices; how many. */
size_t watched_choose(const struct monitoring *monitoring, size_t *out, size_t most);

/* The mean of a trace in each of `count` runs of the subject that begins with run `first`, NaN where nothing was
 * seen. */
void watched_by_run(const struct monitoring *monitoring, const struct trace *trace, size_t first, size_t count,
                    double *out);

/* Which of the runs of monitoring->runs are those of a subject's metric: the first, or SIZE_MAX where that cannot be
 * told. */
size_t watched_first_run(const struct result *result, size_t subject, const struct measurement *m);

/* Below a run-sequence plot: the chosen traces over the same runs; over time where runs cannot be told. */
int plots_watched(const struct result *result, size_t subject, const struct measurement *m, const struct look *look,
                  struct buffer *out, struct error *err);

/* The run-sequence plot of `series`, the values of `m`, with the traces below it in one drawing. */
int svg_watched(const struct result *result, size_t subject, const struct measurement *m,
                const struct plot_series *series, const struct svg_options *options, struct buffer *out,
                struct error *err);

#endif
