/* Effective sample size of a series: how many independent values its mean is worth. */
#ifndef TARE_STATS_ESS_H
#define TARE_STATS_ESS_H

#include "stats/status.h"

/* In (0, n]; a series that alternates is worth more than n, which is not relied on. STATS_TOO_FEW below
 * four values, STATS_CONSTANT without variance. Allocates. */
enum stats_status effective_sample_size(const double *x, size_t n, double *out);

#endif
