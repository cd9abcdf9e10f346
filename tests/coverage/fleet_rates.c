/* Simulated fleets, as a table for docs/methods.md. */
#include "fleets.h"

#include <math.h>
#include <stdio.h>

int main(void)
{
	enum { FLEETS = 20000, MANY = 1000, SEED = 2026 };
	bool held = true;
	printf("%d fleets each (of 1000 machines and more: %d), seed %d, at 99 %%\n\n", FLEETS, MANY, SEED);
	printf(
		"| fleet | this pool | kinds ignored | these machines | the next | wrongly named | bad one found | F test < 1 %% |\n"
		"|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < fleets_cell_count; i++) {
		const struct fleets_cell *cell = &fleets_cells[i];
		int fleets = cell->machines >= 1000 ? MANY : FLEETS;
		struct fleets_outcome out;
		fleets_simulate(cell, fleets, SEED, &out);
		printf("| %s | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.2f %% | %.1f %% | %.1f %% |\n", cell->name,
		       100 * out.pool, 100 * out.unstratified, 100 * out.these, 100 * out.next, 100 * out.accused,
		       100 * out.found, 100 * out.called);
		double error = 3 * sqrt(0.01 * 0.99 / fleets);
		bool symmetric = cell->noise != FLEETS_SKEWED && cell->noise != FLEETS_HEAVY;
		held &= out.pool >= cell->least - error && (!symmetric || cell->bad > 0 || out.accused <= 0.01 + error);
	}
	struct fleets_looks looks;
	fleets_look(24, FLEETS, SEED, &looks);
	printf(
		"\nno difference, looks after each of 8 to 24 machines: called in %.2f %% in the drawn order, %.1f %% in order of "
		"arrival\n",
		100 * looks.drawn, 100 * looks.arrival);
	held &= looks.drawn <= 0.01;
	printf("%s\n", held ? "all claims hold" : "NOT all claims hold");
	return !held;
}
