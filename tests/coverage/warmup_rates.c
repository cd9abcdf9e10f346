/* Warm-ups that are known and where they are cut, as a table for docs/methods.md. */
#include "warmups.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	enum { SEED = 2026 };
	const double SHORT = 0.05; /* of the bound, which is for a known shape and known noise */
	int benchmarks = argc > 1 ? atoi(argv[1]) : 200, held = 1;
	printf("in per cent of %d runs of %d iterations, seed %d; intervals of %d runs each\n\n", benchmarks * WARMUPS_RUNS,
	       WARMUPS_LENGTH, SEED, WARMUPS_RUNS);
	printf(
		"| warm-up | autocorrelation | cut right | at best | left out | mean in its 95 %% interval |\n|---|---|---|---|---|---|\n");
	for (int kind = 0; kind < WARMUPS_KINDS; kind++) {
		for (size_t noise = 0; noise < WARMUPS_NOISES; noise++) {
			struct warmups_count count;
			warmups_count((enum warmups_kind)kind, noise, benchmarks, SEED, &count);
			double coverage = (double)count.held / count.means;
			printf("| %s | %.1f | %.1f | %.1f | %.1f | %.1f |\n", count.name, warmups_correlation(noise),
			       100. * count.right / count.runs, 100 * count.bound, 100 * count.cut, 100 * coverage);
			fflush(stdout);
			/* Three standard errors of the simulation below the nominal rate. */
			double least = fmin(0.95, count.bound - SHORT);
			held &= count.right >= least * count.runs && coverage >= 0.95 - 3 * sqrt(0.95 * 0.05 / count.means);
			held &= kind != WARMUPS_NOTHING || count.cut <= 0.01;
		}
	}
	printf("\n%s\n",
	       held ? "cut right in at least 95 % of every kind, or within 5 of what is possible, and intervals hold"
	            : "NOT right in 95 % of every kind, or intervals do NOT hold");
	return !held;
}
