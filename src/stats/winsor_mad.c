/* 1.4826·MAD is the standard deviation for normal values and is not moved by outliers; k = 5 leaves
 * normal values alone. A winsorised copy serves to find the warm-up and to judge steadiness, never to
 * report a mean: a real tail is part of what was measured. */
#include "stats/winsor_mad.h"

#include "stats/quantile.h"

#include <math.h>

enum stats_status winsor_mad_limits(const double *x, size_t n, double k, struct interval *out)
{
	double median = NAN, mad = NAN;
	if (!(k > 0))
		return STATS_BAD_ARGUMENT;
	enum stats_status status = median_of(x, n, &median);
	if (status == STATS_OK)
		status = mad_about(x, n, median, &mad);
	if (status != STATS_OK)
		return status;
	double reach = mad > 0 ? k * 1.4826 * mad : INFINITY;
	*out = (struct interval){median - reach, median + reach};
	return STATS_OK;
}

enum stats_status winsor_mad_copy(const double *x, size_t n, double k, double *out, size_t *moved)
{
	struct interval limits;
	enum stats_status status = winsor_mad_limits(x, n, k, &limits);
	if (status != STATS_OK)
		return status;
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		double kept = winsor_mad_value(&limits, x[i]);
		count += kept != x[i];
		out[i] = kept;
	}
	if (moved)
		*moved = count;
	return STATS_OK;
}
