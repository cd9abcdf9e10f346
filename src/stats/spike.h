/* Single points that stand apart from what is before and after them. */
#ifndef TARE_STATS_SPIKE_H
#define TARE_STATS_SPIKE_H

#include "stats/status.h"

/* Indices, ascending, of the isolated outliers of a series in *places (mem_free() it; NULL when there are none). A
 * point is one when it lies farther outside the medians of the five values before and the five after it than noise
 * would in any of n points, and its neighbours do not lie there too. The first and the last value are never called:
 * they may belong to a level that has not been seen. More than 2 % of such points (and more than two) are a tail of the
 * distribution, not outliers: then none is called. */
enum stats_status spike_points(const double *x, size_t n, size_t **places, size_t *count);

#endif
