/* The data of one system, ready to be resampled; shared by stats/bootstrap.c and what keeps it between checks. */
#ifndef TARE_STATS_BOOTSTRAP_SIDE_H
#define TARE_STATS_BOOTSTRAP_SIDE_H

#include "stats/nested.h"
#include "stats/resample.h"

struct bootstrap_side {
	struct nested data; /* a view; innermost groups of one value each are left out of it */
	double centre;      /* sums are taken from here: the first value */
	size_t group_count;
	struct resample_plan *groups;    /* innermost */
	double *extremes;                /* the pool that the plans point into */
	size_t widest[NESTED_MAX_DEPTH]; /* most children of a node that has groups as children; [0] the root */
	double draws;                    /* random numbers of one replicate, about */
};

/* Of checked data; STATS_OK or what nested_check() says, or STATS_NO_MEMORY. */
enum stats_status bootstrap_side_init(struct bootstrap_side *side, const struct nested *data, double tolerance);
void bootstrap_side_release(struct bootstrap_side *side);

/* The error that moments may add where so many replicates are made; see resample_plan(). */
double bootstrap_tolerance(size_t replicates);

/* Percentile interval of the mean, or of side over base where base is not NULL; see bootstrap_mean(). */
enum stats_status bootstrap_side_interval(const struct bootstrap_side *base, const struct bootstrap_side *side,
                                          size_t replicates, double level, uint64_t seed, struct interval *out);

/* Most children of a group of level k. */
size_t bootstrap_largest_group(const struct nested *data, unsigned k);

#endif
