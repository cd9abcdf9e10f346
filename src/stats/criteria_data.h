/* The data on which the criteria of Laaber et al. 2020 (CV, RCIW, KLD) are computed: an iteration's values
 * without gross outliers, and no more of them than a check can afford. */
#ifndef TARE_STATS_CRITERIA_DATA_H
#define TARE_STATS_CRITERIA_DATA_H

#include "stats/status.h"

#include <stdint.h>

enum { CRITERIA_MOST_VALUES = 1000 };

/* Copies to out[] (room for n) the values inside [median/10, 10·median], ends included, in their
 * order; with counts (how often each value occurred, at least 1; NULL: once) their counts go to
 * out_counts[] and the median is that of all occurrences. *kept is at least 1.
 * STATS_NOT_POSITIVE when the median is not above 0; STATS_BAD_ARGUMENT for a count of 0. */
enum stats_status criteria_filter(const double *values, const uint64_t *counts, size_t n, double *out,
                                  uint64_t *out_counts, size_t *kept);

/* Draws `most` of the occurrences without replacement, each as likely as the other, so a value
 * counts by its weight; where there are no more than `most` it takes them all and never draws one
 * twice. out[] has room for `most`; values keep their order. STATS_BAD_ARGUMENT when most is 0 or a
 * count is 0. */
enum stats_status criteria_sample(const double *values, const uint64_t *counts, size_t n, size_t most, uint64_t seed,
                                  double *out, size_t *kept);

#endif
