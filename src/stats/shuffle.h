/* How much of an interval's shortness comes from the pairing. */
#ifndef TARE_STATS_SHUFFLE_H
#define TARE_STATS_SHUFFLE_H

#include "stats/status.h"

/* base[r], new_[r] > 0: what run r measured (mean, or geometric mean, of each program). *out: the
 * width of the log-ratio interval when the runs of one program are shuffled against those of the
 * other, over its width as paired. Near 1: pairing gains nothing; 5: five times shorter by pairing;
 * below 1: the pairs disturb each other. STATS_TOO_FEW below three runs, STATS_NOT_POSITIVE,
 * STATS_CONSTANT when the paired log ratios have no spread. */
enum stats_status shuffle_width_ratio(const double *base, const double *new_, size_t runs, double *out);

#endif
