/* Order statistics: the k-th smallest of many values, without sorting all of them. */
#ifndef TARE_STATS_ORDER_H
#define TARE_STATS_ORDER_H

#include "stats/status.h"

enum {
	ORDER_MOST = 8,
	ORDER_LARGE = 1 << 16 /* above so many values nothing is copied that grows with n */
};

/* out[i] = the value of rank ranks[i] (0 … n − 1 from the smallest) among n finite values, for `count` ≤
 * ORDER_MOST ranks in any order. x is not changed; at most a few megabytes are allocated, whatever n is. */
enum stats_status order_statistics(const double *x, size_t n, const size_t *ranks, size_t count, double *out);

/* The same among the distances |x − centre|. */
enum stats_status order_of_distances(const double *x, size_t n, double centre, const size_t *ranks, size_t count,
                                     double *out);

#endif
