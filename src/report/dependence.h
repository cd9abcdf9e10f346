/* What the plots of dependence compute for themselves: ranks and their autocorrelations. */
#ifndef TARE_REPORT_DEPENDENCE_H
#define TARE_REPORT_DEPENDENCE_H

#include "report/plot.h"

#include <stddef.h>

/* Ranks from 1 with ties at their middle; what cannot be shown stays lost (NaN). `space`: n doubles. */
void dependence_ranks(const double *x, size_t n, double *ranks, double *space);

/* r_k = Σ (x_i − m)(x_{i+k} − m) / Σ (x_i − m)² for k = 1 … lags over pairs inside a run; NaN
 * where there is no variation. */
void dependence_acf(const struct plot_series *series, double *acf, size_t lags);

/* How many lags to show of n values on `columns` columns: at most n/4 and 40, at least 1. */
enum { DEPENDENCE_LAGS_MAX = 40 };
size_t dependence_lags(size_t n, size_t columns);

#endif
