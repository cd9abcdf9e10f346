/* The interval of one run ("this run only"): equal-weighted cosines, 8 of them. */
#ifndef TARE_STATS_EWC_H
#define TARE_STATS_EWC_H

#include "stats/status.h"

enum { EWC_COSINES = 8, EWC_LEAST_SIZE = 25 };

/* The standard error of the mean of an autocorrelated series; n ≥ 9. */
enum stats_status ewc_standard_error(const double *x, size_t n, double *out);

/* The squares Λ_1² … Λ_8² of the cosines of n ≥ 1 values about their mean, lowest frequency first. */
void ewc_powers(const double *x, size_t n, double mean, double out[EWC_COSINES]);

/* Mean and interval by t with 8 degrees of freedom at level in (0, 1). STATS_TOO_FEW when the effective
 * sample size is under 25, STATS_CONSTANT without variance. Allocates. */
enum stats_status ewc_interval(const double *x, size_t n, double level, double *mean, struct interval *out);

#endif
