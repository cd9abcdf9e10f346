/* A line of the table that `make bench` ends with: bench/run collects it from the output of each program. */
#ifndef TARE_BENCH_FIGURE_H
#define TARE_BENCH_FIGURE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* `peer` NULL and `theirs` NaN: nobody to compare with. `goal` in words. */
static inline void figure(const char *what, const char *unit, const char *peer, double theirs, double ours,
                          const char *goal, bool met)
{
	printf("@figure\t%s\t%s\t%s\t%.6g\t%.6g\t%s\t%s\n", what, unit, peer ? peer : "", theirs, ours, goal,
	       met ? "met" : "missed");
	fflush(stdout);
}

#endif
