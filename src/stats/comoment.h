/* Means, variances and covariances of up to three quantities measured together, as they grow. */
#ifndef TARE_STATS_COMOMENT_H
#define TARE_STATS_COMOMENT_H

#include <stddef.h>

enum { COMOMENT_MAX = 3 };

/* A zeroed struct is empty. */
struct comoment {
	size_t n;
	double origin[COMOMENT_MAX];                 /* the first observation; the rest is kept relative to it */
	double shift[COMOMENT_MAX];                  /* mean − origin */
	double products[COMOMENT_MAX][COMOMENT_MAX]; /* sums of products of deviations; j ≤ i is filled */
};

/* One observation of `dimensions` ≤ COMOMENT_MAX quantities, the same number at every call. */
void comoment_add(struct comoment *moments, const double *x, unsigned dimensions);

double comoment_mean(const struct comoment *moments, unsigned i); /* NaN while empty */

/* Covariance of quantities i and j (variance for i = j), divided by n − 1; NaN below two observations. */
double comoment_covariance(const struct comoment *moments, unsigned i, unsigned j);

#endif
