/* Planned experiments, as a table for docs/methods.md. */
#include "plans.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

int main(void)
{
	enum { EXPERIMENTS = 500, SEED = 2026 };
	double excess[64];
	int held = 1;
	printf("%d experiments each, seed %d\n\n", EXPERIMENTS, SEED);
	printf(
		"| system | covered at 95 %% | as short as wanted | best counts | cost of the best | cost above it | saved against tens | by theory |\n"
		"|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < plans_cell_count; i++) {
		const struct plans_cell *cell = &plans_cells[i];
		struct plans_outcome out;
		plans_simulate(cell, EXPERIMENTS, SEED, &out);
		excess[i] = out.cost / out.best - 1;
		printf("| %s | %.1f %% | %.1f %% | %zu%s%.0zu | %.1f s | %+.1f %% | %.0f %% | %.0f %% |\n", cell->name,
		       100 * out.covered, 100 * out.reached, out.best_counts[1], cell->depth > 2 ? " \xc3\x97 " : "",
		       cell->depth > 2 ? out.best_counts[2] : 0, out.best, 100 * excess[i], 100 * out.saving, 100 * out.theory);
		held &= out.covered > 0.95 - 3 * sqrt(0.95 * 0.05 / EXPERIMENTS) && out.reached == 1;
	}
	qsort(excess, plans_cell_count, sizeof(*excess), ascending);
	double median = (excess[(plans_cell_count - 1) / 2] + excess[plans_cell_count / 2]) / 2,
		   worst = excess[plans_cell_count - 1];
	held &= median <= 0.10 && worst <= 0.25;
	printf("\nabove the best fixed counts: median %.1f %%, worst %.1f %%\n%s\n", 100 * median, 100 * worst,
	       held ? "all claims hold" : "NOT all claims hold");
	return !held;
}
