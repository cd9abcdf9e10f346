/* How much autocorrelation inflates the variance of a mean: the long-run variance over the variance. */
#ifndef TARE_STATS_LONGRUN_H
#define TARE_STATS_LONGRUN_H

#include "stats/status.h"

struct longrun {
	double factor;   /* long-run variance over variance, 1 … LONGRUN_MAX; 1 for negative autocorrelation */
	double variance; /* of the residuals, divided by their degrees of freedom */
	double skewness; /* of the residuals; 0 when they are all 0 */
	unsigned order;  /* of the autoregression that gave the factor; 0 when there is no variance */
};

#define LONGRUN_MAX 60.0

/* `residuals`: n ≥ 1 values in `segments` ≥ 1 pieces, piece k ending before ends[k] (ends[segments − 1] = n), each
 * with its own mean removed. Products across a border are not used. `search`: how much more than one mean a
 * piece the fit has taken out of the residuals, in units of the long-run variance: 0 for borders that were
 * known, the mean of the largest z² for one that was searched. */
void longrun_fit(const double *residuals, const size_t *ends, size_t segments, double search, struct longrun *out);

#endif
