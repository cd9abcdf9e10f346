/* Values with levels for tests: built from JSON, from a shape, or level by level. */
#ifndef TARE_TESTS_SUPPORT_TREE_H
#define TARE_TESTS_SUPPORT_TREE_H

#include "stats/nested.h"

#include <jansson.h>

struct tree {
	struct nested view;
	double *values;
	uint32_t *starts[NESTED_MAX_DEPTH - 1];
};

/* From nested arrays of equal depth, outermost first. */
struct tree tree_from_json(const json_t *array);

/* Balanced, with counts[0] outermost groups, counts[1] in each of them, …; values are 0. */
struct tree tree_balanced(unsigned depth, const size_t *counts);

/* sizes[k] lists the number of children of every group of level k; values are 0. */
struct tree tree_of_sizes(unsigned depth, const size_t *groups, const uint32_t *const *sizes);

void tree_release(struct tree *tree);

#endif
