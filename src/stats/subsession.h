/* Subsessions: how many neighbouring values to merge until the means hardly depend on each other. */
#ifndef TARE_STATS_SUBSESSION_H
#define TARE_STATS_SUBSESSION_H

#include "stats/status.h"

/* Merging must leave this many groups: the three thirds of a ramp have an autocorrelation of 0. */
enum { SUBSESSION_LEAST = 10 };

struct subsession {
	size_t size;            /* values in a group; 1: as they are */
	size_t count;           /* whole groups; a rest at the end is left out of them */
	double mean;            /* of all n values */
	double variance;        /* of the group means about `mean`, divided by count − 1 */
	double autocorrelation; /* lag 1 of the group means about `mean`; 0 when they are equal */
};

/* The group means for one size, 1 ≤ size ≤ n/2. */
enum stats_status subsession_at(const double *x, size_t n, size_t size, struct subsession *out);

/* The smallest size with |autocorrelation| ≤ limit (0 < limit ≤ 1). Equal values are perfectly stable: size 1.
 * STATS_TOO_FEW when no size leaves SUBSESSION_LEAST groups (or n is under 2). Allocates. */
enum stats_status subsession_find(const double *x, size_t n, double limit, struct subsession *out);

/* out[g] = mean of group g; n/size of them. */
void subsession_means(const double *x, size_t n, size_t size, double *out);

#endif
