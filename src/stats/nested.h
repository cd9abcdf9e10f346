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

#include <stdbool.h>
#include <stdint.h>

enum { NESTED_MAX_DEPTH = 6 };

struct nested {
	unsigned depth;
	size_t n; /* values */
	const double *values;
	size_t groups[NESTED_MAX_DEPTH - 1];
	const uint32_t *starts[NESTED_MAX_DEPTH - 1]; /* groups[k] + 1 entries each */
};

/* STATS_EMPTY, STATS_BAD_ARGUMENT when the arrays do not describe a tree, or STATS_NOT_FINITE. */
enum stats_status nested_check(const struct nested *data);

/* Groups of the outermost level; the values themselves where depth is 1. */
size_t nested_top(const struct nested *data);

/* Values or groups inside group g of level k < depth − 1: the first by return, the count by *n. */
size_t nested_span(const struct nested *data, unsigned k, size_t g, size_t *n);

/* The mean of every group of level k, into means[0 … groups[k] − 1]; k = depth − 1 copies the
 * values. A group's mean is the plain mean of its children's means, so that a run with more
 * iterations than its neighbours does not count for more; with equal counts it is the mean of
 * its values. The data must have passed nested_check(). STATS_OK or STATS_NO_MEMORY. */
enum stats_status nested_means(const struct nested *data, unsigned k, double *means);

/* The mean of the outermost means. Statuses of nested_check() and STATS_NO_MEMORY. */
enum stats_status nested_mean(const struct nested *data, double *out);

/* True when the groups of each level have equal sizes. */
bool nested_balanced(const struct nested *data);

#endif
