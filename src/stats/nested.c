/* Checks and means of values with levels.
 *
 * The mean of a group is the mean of its children's means, level by level (Kalibera and
 * Jones, eq. 4, take the mean over the means of the highest level). It stays the mean of the
 * top level's distribution when counts differ; the price is a somewhat larger variance than
 * that of the best weights, which would have to be estimated first. */
#include "stats/nested.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Level k counts upwards from 0 to the end of the next level's groups, none of them empty. */
static bool starts_hold(const uint32_t *starts, size_t groups, size_t end)
{
	if (!starts || groups == 0 || starts[0] != 0 || starts[groups] != end)
		return false;
	for (size_t g = 0; g < groups; g++)
		if (starts[g + 1] <= starts[g])
			return false;
	return true;
}

enum stats_status nested_check(const struct nested *data)
{
	if (data->depth < 1 || data->depth > NESTED_MAX_DEPTH)
		return STATS_BAD_ARGUMENT;
	if (data->n == 0)
		return STATS_EMPTY;
	for (unsigned k = 0; k + 1 < data->depth; k++)
		if (!starts_hold(data->starts[k], data->groups[k], k + 2 < data->depth ? data->groups[k + 1] : data->n))
			return STATS_BAD_ARGUMENT;
	return stats_check_finite(data->values, data->n);
}

size_t nested_top(const struct nested *data)
{
	return data->depth == 1 ? data->n : data->groups[0];
}

size_t nested_span(const struct nested *data, unsigned k, size_t g, size_t *n)
{
	size_t first = data->starts[k][g];
	*n = data->starts[k][g + 1] - first;
	return first;
}

/* Compensated, and from the first value, so that equal values give exactly that value. */
static double mean_of(const double *x, size_t n)
{
	double sum = 0, lost = 0;
	for (size_t i = 1; i < n; i++) {
		double add = x[i] - x[0], next = sum + add;
		lost += fabs(sum) >= fabs(add) ? (sum - next) + add : (add - next) + sum;
		sum = next;
	}
	return x[0] + (sum + lost) / (double)n;
}

enum stats_status nested_means(const struct nested *data, unsigned k, double *means)
{
	if (k + 1 >= data->depth) {
		memcpy(means, data->values, data->n * sizeof(*means));
		return STATS_OK;
	}
	/* From the innermost groups outwards in one array: group g of a level reads at g or later. */
	unsigned innermost = data->depth - 2;
	double *work = k == innermost ? means : mem_alloc(data->groups[innermost], sizeof(*work));
	if (!work)
		return STATS_NO_MEMORY;
	for (unsigned level = innermost + 1; level-- > k;) {
		const double *children = level == innermost ? data->values : work;
		for (size_t g = 0; g < data->groups[level]; g++) {
			size_t n, first = nested_span(data, level, g, &n);
			work[g] = mean_of(children + first, n);
		}
	}
	if (work != means) {
		memcpy(means, work, data->groups[k] * sizeof(*means));
		mem_free(work);
	}
	return STATS_OK;
}

enum stats_status nested_mean(const struct nested *data, double *out)
{
	enum stats_status status = nested_check(data);
	if (status != STATS_OK)
		return status;
	if (data->depth == 1) {
		*out = mean_of(data->values, data->n);
		return STATS_OK;
	}
	double *means = mem_alloc(data->groups[0], sizeof(*means));
	if (!means)
		return STATS_NO_MEMORY;
	status = nested_means(data, 0, means);
	if (status == STATS_OK)
		*out = mean_of(means, data->groups[0]);
	mem_free(means);
	return status;
}

bool nested_balanced(const struct nested *data)
{
	for (unsigned k = 0; k + 1 < data->depth; k++)
		for (size_t g = 1; g < data->groups[k]; g++)
			if (data->starts[k][g + 1] - data->starts[k][g] != data->starts[k][1])
				return false;
	return true;
}
