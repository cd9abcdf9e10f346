/* slow share: by how much more often one program has a slow iteration, in one unit and over units. */
#ifndef TARE_STATS_SHARE_H
#define TARE_STATS_SHARE_H

#include "stats/status.h"
#include "stats/summary.h"

#include <stdbool.h>

/* One unit. */
struct share {
	size_t n;
	size_t slow_base, slow_new;
	double difference; /* (slow_new − slow_base)/n, above 0: new is slow more often */
	double median_base, median_new;
};

/* n finite values of each program. A value is slow above 1.25 times its own program's median; for a
 * metric where higher is better, below the median over 1.25. Allocates. */
enum stats_status share_of(const double *base, const double *new_, size_t n, bool higher_is_better, struct share *out);

/* Over units; a zeroed struct is empty. */
struct share_sum {
	struct running difference, base, new_;
	double slow;            /* slow iterations seen on both sides */
	double inverse_squares; /* Σ 1/n² */
};

/* Pairs of single runs, counted: a zeroed struct is empty. */
struct share_counts {
	size_t pairs;
	size_t slow_base, slow_new, only_base, only_new;
};

/* Adds n pairs of finite values whose typical log ratio is known. Allocates. */
enum stats_status share_count(struct share_counts *counts, const double *base, const double *new_, size_t n,
                              double log_ratio, bool higher_is_better);

/* The difference (only_new − only_base)/pairs at 1 − alpha: Clopper and Pearson's intervals of both shares, each at
 * alpha/2. STATS_EMPTY without pairs, STATS_BAD_ARGUMENT for an alpha outside (0, 1). */
enum stats_status share_exact(const struct share_counts *counts, double alpha, struct interval *out);

/* The smallest alpha at which share_exact excludes 0, at most 1; 1 without pairs. */
double share_exact_p(const struct share_counts *counts);

struct share_estimate {
	double base, new_, difference; /* means over units */
	double se;                     /* of the difference; never 0, see share.c */
	double df;
};

void share_add(struct share_sum *sum, const struct share *unit);

/* STATS_EMPTY, STATS_TOO_FEW below two units. */
enum stats_status share_estimate(const struct share_sum *sum, struct share_estimate *out);

#endif
