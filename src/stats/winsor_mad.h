/* Winsorising by the MAD: values far from the median are moved to a limit, in a copy. */
#ifndef TARE_STATS_WINSOR_MAD_H
#define TARE_STATS_WINSOR_MAD_H

#include "stats/status.h"

/* median ± k·1.4826·MAD, k > 0. STATS_OK with −∞, ∞ when the MAD is 0 (more than half of the values are
 * equal): the rest of them is then no outlier by this measure. Allocates. */
enum stats_status winsor_mad_limits(const double *x, size_t n, double k, struct interval *out);

static inline double winsor_mad_value(const struct interval *limits, double x)
{
	return x < limits->low ? limits->low : x > limits->high ? limits->high : x;
}

/* out[i] = x[i] moved into those limits; `out` may be x. *moved, if not NULL, gets how many were. Allocates. */
enum stats_status winsor_mad_copy(const double *x, size_t n, double k, double *out, size_t *moved);

#endif
