/* The analysis of one series; see analysis.h. */
#ifndef TARE_ANALYSIS_MEASUREMENT_H
#define TARE_ANALYSIS_MEASUREMENT_H

#include "analysis/analysis.h"

int analyse_measurement(struct result *result, const struct subject *subject, struct measurement *m,
                        const struct analysis_options *options, struct error *err);

/* The kind of mean that is reported: a method that is asked for by name has its own. */
enum mean_kind measurement_kind(const struct measurement *m, const struct analysis_options *options);

/* The clock step that a comparison takes: the one that is known, else what the values show, warm-up left out. 0: none
 * seen, or no memory. */
double measurement_quantum(const struct measurement *m);

#endif
