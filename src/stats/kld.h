/* How alike two samples are, by the Kullback-Leibler divergence of their densities. */
#ifndef TARE_STATS_KLD_H
#define TARE_STATS_KLD_H

#include "stats/status.h"

struct kld {
	double probability; /* P; 1: alike, 0: nothing in common; rounding of the grid may lift it a little above 1 */
	double low, high;   /* the grid's ends */
	double bandwidth_a, bandwidth_b;     /* 0: more than half of the values are equal, then P is 1 */
	double divergence_ab, divergence_ba; /* nats; INFINITY when no point has both densities */
};

/* Values must not be negative as a whole (STATS_NOT_POSITIVE when the range lies below 0); at
 * least two on each side (STATS_TOO_FEW). */
enum stats_status kld_similarity(const double *a, size_t na, const double *b, size_t nb, struct kld *out);

/* An ascending sample with its standard deviation (n − 1). */
struct kld_sample {
	const double *sorted;
	size_t n;
	double sd;
};

enum { KLD_POINTS = 1000 };

/* The same for samples that are sorted, finite and of two values or more, by the fast sums of
 * stats/kde.h: within 1e-10 of kld_similarity(). Allocates where the samples are large. */
enum stats_status kld_of_sorted(const struct kld_sample *a, const struct kld_sample *b, struct kld *out);

#endif
