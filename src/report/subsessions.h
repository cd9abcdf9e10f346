/* Pilot's subsession analysis of series that exist: how many neighbours to merge, and the interval of the merged ones. */
#ifndef TARE_REPORT_SUBSESSIONS_H
#define TARE_REPORT_SUBSESSIONS_H

#include "base/buffer.h"
#include "base/error.h"
#include "model/result.h"

/* Of the metric and of its unit readings (NULL: of each metric) the iterations of each run, or its runs where they have one
 * value each, without what was left out as warm-up; of unit readings their stable phase. `limit`: the largest
 * autocorrelation of neighbours that is allowed; `level`: of the interval. */
int subsessions_text(const struct result *result, const char *metric, double limit, double level, struct buffer *out,
                     struct error *err);

#endif
