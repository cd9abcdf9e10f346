/* Values with levels: a view of a tree that is kept as flat arrays.
 *
 * depth = number of levels, outermost first; depth 1 is a plain array. Level k of
 * the first depth − 1 levels has groups[k] groups; group g of level k spans
 * starts[k][g] … starts[k][g + 1] − 1 in the next level's groups, or in `values`
 * for the last grouping level (k = depth − 2). Example, 2 runs × 3 iterations:
 * depth 2, groups {2}, starts {{0, 3, 6}}. Groups may have unequal sizes, never 0. */
#ifndef TARE_STATS_NESTED_H
#define TARE_STATS_NESTED_H

#include "stats/status.h"

#include <stdint.h>

enum { NESTED_MAX_DEPTH = 6 };

struct nested {
	unsigned depth;
	size_t n; /* values */
	const double *values;
	size_t groups[NESTED_MAX_DEPTH - 1];
	const uint32_t *starts[NESTED_MAX_DEPTH - 1]; /* groups[k] + 1 entries each */
};

#endif
