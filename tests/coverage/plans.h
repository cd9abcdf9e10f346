/* Planned experiments on made-up systems whose variances and costs are known. */
#ifndef TARE_TESTS_COVERAGE_PLANS_H
#define TARE_TESTS_COVERAGE_PLANS_H

#include <stddef.h>
#include <stdint.h>

enum { PLANS_DEPTH_MOST = 3 };

/* One system, levels outermost first, the mean is 1. */
struct plans_cell {
	const char *name;
	unsigned depth;
	double sd[PLANS_DEPTH_MOST], cost[PLANS_DEPTH_MOST];
	double half_width; /* wanted, at 95 % */
};

extern const struct plans_cell plans_cells[];
extern const size_t plans_cell_count;

struct plans_outcome {
	double covered; /* share of the intervals that hold the mean */
	double reached; /* share that are as short as wanted */
	double cost;    /* mean, the first experiment apart */
	double best;    /* of the best fixed counts under the same stop rule, by exhaustive search */
	size_t best_counts[PLANS_DEPTH_MOST];
	double ten;            /* of 10 of everything inside */
	double saving, theory; /* against these tens: 1 − cost/ten, and as the formula says for the best counts */
};

void plans_simulate(const struct plans_cell *cell, int experiments, uint64_t seed, struct plans_outcome *out);

#endif
