/* Two subjects with rounds of different work: see slopes.c. */
#ifndef TARE_ANALYSIS_SLOPES_H
#define TARE_ANALYSIS_SLOPES_H

#include "analysis/analysis.h"
#include "decide/judge.h"

/* Compares the time of a unit of work. Unknown, with *numbers as it was, where one has no line over comparison->metric,
 * or their work is in different units. -1: no memory. */
int slopes_compare(struct result *result, struct comparison *comparison, const struct analysis_options *options,
                   struct verdict_numbers *numbers, struct error *err);

#endif
