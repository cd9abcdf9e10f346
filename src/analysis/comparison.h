/* One comparison; see analysis.h. */
#ifndef TARE_ANALYSIS_COMPARISON_H
#define TARE_ANALYSIS_COMPARISON_H

#include "analysis/analysis.h"
#include "analysis/numbers.h"

/* The metric to compare by: the one asked for, else that of the lines over work, else the first that both have; NULL:
 * there is none. */
const char *comparison_metric(const struct subject *base, const struct subject *new_, const char *wanted);

/* Adds the comparison of a couple to the result. *judged stays zeroed where nothing could be computed. */
int comparison_of_couple(struct result *result, struct couple couple, const struct analysis_options *options,
                         struct judged *judged, struct error *err);

/* A comparison that this made is judged again, in its place: nothing of it changes, warnings are kept once. */
int comparison_again(struct result *result, struct comparison *comparison, const struct judge *judge,
                     const struct analysis_options *options, struct judged *judged, struct error *err);

#endif
