/* Effective sample size of a series: how many independent values its mean is worth. */
#ifndef TARE_STATS_ESS_H
#define TARE_STATS_ESS_H

#include "stats/status.h"

/* Of a longer series the first so many speak for all. */
enum { ESS_MOST = 1 << 20 };

/* In (0, n]; a series that alternates is worth more than n, which is not relied on. STATS_TOO_FEW below
 * four values, STATS_CONSTANT without variance (in the first ESS_MOST values). Allocates. */
enum stats_status effective_sample_size(const double *x, size_t n, double *out);

#endif
