/* Ranks of a sample, equal values sharing the mean of theirs. */
#ifndef TARE_STATS_RANK_H
#define TARE_STATS_RANK_H

#include "stats/status.h"

/* ranks[i] in 1 … n for x[i]. *ties, if not NULL, gets Σ(t³ − t) over groups of t equal values. Allocates. */
enum stats_status ranks_of(const double *x, size_t n, double *ranks, double *ties);

#endif
