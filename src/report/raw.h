/* The raw data to put into a report: whole where they are few, thinned where they are many. */
#ifndef TARE_REPORT_RAW_H
#define TARE_REPORT_RAW_H

#include "model/result.h"

/* Values of all metrics of all subjects. */
size_t raw_values(const struct result *result);

/* A copy in which no series has more than `most` (at least 2) values: of each stretch of a longer one the smallest and
 * the largest stay, in their runs. All numbers stay those of the whole result; its warning "thinned" says what
 * happened. Pairs are given up where anything was left out, and so are the phases of a series that lost values. The
 * copy refers to `result`, which must outlive it. -1: no memory. */
int raw_thinned(const struct result *result, size_t most, struct result *out, struct error *err);

#endif
