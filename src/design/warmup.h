/* How many iterations at the start of each run of a benchmark to leave out, from its first runs. */
#ifndef TARE_DESIGN_WARMUP_H
#define TARE_DESIGN_WARMUP_H

#include <stdbool.h>
#include <stddef.h>

enum {
	WARMUP_RUNS = 3,   /* of each side that are looked at */
	WARMUP_LEAST = 20, /* iterations in a run before warm-up can be looked for */
};

struct warmup_run {
	const double *values; /* positive; a run with a NaN is not looked at */
	size_t n;
};

struct warmup {
	size_t skip;    /* iterations to leave out of every run */
	bool unsettled; /* most runs were still moving at their middle: they were too short to tell */
};

/* The first runs of all sides together. At least the first iteration of a run of four or more is left out, for in a new
 * process it is nearly always the slowest. -1: out of memory. */
int warmup_find(const struct warmup_run *runs, size_t count, struct warmup *out);

#endif
