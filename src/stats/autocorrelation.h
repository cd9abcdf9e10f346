/* Autocorrelation of a series, and the Ljung-Box test of it.
 *
 * STATS_TOO_FEW below two values, STATS_CONSTANT when there is no variance to divide by. */
#ifndef TARE_STATS_AUTOCORRELATION_H
#define TARE_STATS_AUTOCORRELATION_H

#include "stats/status.h"

/* out[k − 1] = r_k for lags k = 1 … lags, 1 ≤ lags < n (else STATS_BAD_ARGUMENT). Allocates. */
enum stats_status autocorrelation(const double *x, size_t n, size_t lags, double *out);

/* r_1 alone; allocates nothing. */
enum stats_status autocorrelation_lag1(const double *x, size_t n, double *out);

/* n(n + 2)·Σ r_k²/(n − k) over the given autocorrelations of lags 1 … lags. */
double ljung_box_statistic(const double *r, size_t lags, size_t n);

#endif
