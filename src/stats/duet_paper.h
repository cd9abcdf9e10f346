/* The duet paper's own estimate and interval, for comparison with published results. */
#ifndef TARE_STATS_DUET_PAPER_H
#define TARE_STATS_DUET_PAPER_H

#include "stats/nested.h"

#include <stdbool.h>

enum { DUET_PAPER_REPLICATES = 10000 };

struct duet_paper {
	double ratio;             /* grand geometric mean of new/base */
	struct interval interval; /* percentile bootstrap over runs */
	size_t replaced;          /* values that winsorising replaced, both programs together */
};

/* Pairs base[i], new_[i] in runs: both of depth 2 and of the same shape, else STATS_BAD_ARGUMENT.
 * `winsorise` applies the paper's outlier rule to the times of each program in each run.
 * `level` (0.99) must lie inside (0, 1), replicates ≥ 1. run_ratios receives the geometric mean of
 * every run, or is NULL. STATS_TOO_FEW below two runs; STATS_NOT_POSITIVE for a time ≤ 0. */
enum stats_status duet_paper_of(const struct nested *base, const struct nested *new_, bool winsorise, size_t replicates,
                                double level, uint64_t seed, double *run_ratios, struct duet_paper *out);

#endif
