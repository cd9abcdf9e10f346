/* Two subjects with rounds of different work: see slopes.c. */
#ifndef TARE_ANALYSIS_SLOPES_H
#define TARE_ANALYSIS_SLOPES_H

#include "analysis/analysis.h"
#include "analysis/numbers.h"

/* Compares the time of a unit of work. Unknown, with *judged as it was, where one has no line over comparison->metric,
 * or their work is in different units. -1: no memory. */
int slopes_compare(struct result *result, struct comparison *comparison, const struct analysis_options *options,
                   struct judged *judged, struct error *err);

#endif
