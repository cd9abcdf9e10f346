/* typical: what a change does to the usual iteration of a unit (a pair of runs, or a block of pairs). */
#ifndef TARE_STATS_TYPICAL_H
#define TARE_STATS_TYPICAL_H

#include "stats/status.h"

struct typical {
	double log_ratio;    /* natural; new over base */
	double order_effect; /* half the difference between the two orders; NaN when there is one order only */
};

/* Pairs base[i], new_[i] > 0 of one unit. order[i]: 0 base went first, 1 new went first (duet: the CPU
 * side of base); NULL: not known, one stratum. Allocates. STATS_NOT_POSITIVE for a value ≤ 0. */
enum stats_status typical_of(const double *base, const double *new_, const unsigned char *order, size_t n,
                             struct typical *out);

/* The same where it is known what the first place adds (the order effect of many more pairs): it is taken off, and the
 * median is that of all pairs together. */
enum stats_status typical_adjusted(const double *base, const double *new_, const unsigned char *order, size_t n,
                                   double order_effect, struct typical *out);

/* 1.4826 · MAD of ln(new/base) − typical of its unit, over all pairs of all units: the spread of single
 * pairs. Unit u has the pairs starts[u] … starts[u + 1] − 1 and the typical log ratio typical[u]. One-sided
 * skew can move typical by up to 0.31 of it, so a smaller difference than 0.3 of it deserves a note. */
enum stats_status typical_private_sd(const double *base, const double *new_, const size_t *starts,
                                     const double *typical, size_t units, double *out);

#endif
