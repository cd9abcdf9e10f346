#include "support/tree.h"

#include <stdlib.h>

static void *checked(void *block)
{
	if (!block)
		abort();
	return block;
}

static struct tree tree_new(unsigned depth)
{
	struct tree tree = {.view = {.depth = depth}};
	return tree;
}

static void set_level(struct tree *tree, unsigned k, uint32_t *starts, size_t groups)
{
	tree->starts[k] = starts;
	tree->view.starts[k] = starts;
	tree->view.groups[k] = groups;
}

static void set_values(struct tree *tree, size_t n)
{
	tree->values = checked(calloc(n ? n : 1, sizeof(*tree->values)));
	tree->view.values = tree->values;
	tree->view.n = n;
}

struct tree tree_balanced(unsigned depth, const size_t *counts)
{
	struct tree tree = tree_new(depth);
	size_t groups = counts[0];
	for (unsigned k = 0; k + 1 < depth; k++) {
		uint32_t *starts = checked(calloc(groups + 1, sizeof(*starts)));
		for (size_t g = 0; g <= groups; g++)
			starts[g] = (uint32_t)(g * counts[k + 1]);
		set_level(&tree, k, starts, groups);
		groups *= counts[k + 1];
	}
	set_values(&tree, groups);
	return tree;
}

struct tree tree_of_sizes(unsigned depth, const size_t *groups, const uint32_t *const *sizes)
{
	struct tree tree = tree_new(depth);
	size_t end = groups[0];
	for (unsigned k = 0; k + 1 < depth; k++) {
		uint32_t *starts = checked(calloc(groups[k] + 1, sizeof(*starts)));
		for (size_t g = 0; g < groups[k]; g++)
			starts[g + 1] = starts[g] + sizes[k][g];
		set_level(&tree, k, starts, groups[k]);
		end = starts[groups[k]];
	}
	set_values(&tree, end);
	return tree;
}

static unsigned depth_of(const json_t *array)
{
	const json_t *first = json_array_get(array, 0);
	return json_is_array(first) ? 1 + depth_of(first) : 1;
}

/* Elements of all arrays that lie `k` levels inside. */
static size_t count_at(const json_t *array, unsigned k)
{
	size_t i, sum = 0;
	json_t *element;
	if (k == 0)
		return json_array_size(array);
	json_array_foreach(array, i, element) sum += count_at(element, k - 1);
	return sum;
}

static void fill_starts(const json_t *array, unsigned k, uint32_t *starts, size_t *g)
{
	size_t i;
	json_t *element;
	json_array_foreach(array, i, element)
	{
		if (k > 0) {
			fill_starts(element, k - 1, starts, g);
			continue;
		}
		starts[*g + 1] = starts[*g] + (uint32_t)json_array_size(element);
		++*g;
	}
}

static void fill_values(const json_t *array, double **next)
{
	size_t i;
	json_t *element;
	json_array_foreach(array, i, element)
	{
		if (json_is_array(element))
			fill_values(element, next);
		else
			*(*next)++ = json_number_value(element);
	}
}

struct tree tree_from_json(const json_t *array)
{
	struct tree tree = tree_new(depth_of(array));
	for (unsigned k = 0; k + 1 < tree.view.depth; k++) {
		size_t groups = count_at(array, k), g = 0;
		uint32_t *starts = checked(calloc(groups + 1, sizeof(*starts)));
		fill_starts(array, k, starts, &g);
		set_level(&tree, k, starts, groups);
	}
	set_values(&tree, count_at(array, tree.view.depth - 1));
	double *next = tree.values;
	fill_values(array, &next);
	return tree;
}

void tree_release(struct tree *tree)
{
	free(tree->values);
	for (unsigned k = 0; k < NESTED_MAX_DEPTH - 1; k++)
		free(tree->starts[k]);
}
