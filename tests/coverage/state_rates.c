/* The states of made-up benchmarks and what is said of them, as a table for docs/methods.md. */
#include "states.h"

#include <stdio.h>

static void put_share(int count, int of)
{
	if (count < 0)
		printf(" - |");
	else
		printf(" %.1f |", 100. * count / of);
}

int main(void)
{
	enum { BENCHMARKS = 1000, SEED = 2026 };
	int held = 1;
	printf("in per cent of %d benchmarks of %d runs of %d iterations, seed %d\n\n", BENCHMARKS, STATES_RUNS,
	       STATES_LENGTH, SEED);
	printf("| iterations | right answer | independent | initialised | never | right | Georges wrong | DaCapo wrong |\n"
	       "|---|---|---|---|---|---|---|---|\n");
	for (int kind = 0; kind < STATES_KINDS; kind++) {
		struct states_count count;
		states_count((enum states_kind)kind, BENCHMARKS, SEED, &count);
		printf("| %s | %s |", count.name, count.answer);
		put_share(count.independent, BENCHMARKS);
		put_share(count.initialised, BENCHMARKS);
		put_share(count.never, BENCHMARKS);
		put_share(count.right, BENCHMARKS);
		put_share(count.georges, BENCHMARKS);
		put_share(count.dacapo, BENCHMARKS);
		printf("\n");
		held &= count.right >= 0.95 * BENCHMARKS;
	}
	printf("\n%s\n", held ? "right in at least 95 % of every kind" : "NOT right in 95 % of every kind");
	return !held;
}
