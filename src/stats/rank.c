#include "stats/rank.h"

#include "base/memory.h"

#include <gsl/gsl_sort.h>

enum stats_status ranks_of(const double *x, size_t n, double *ranks, double *ties)
{
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	size_t *order = mem_alloc(n, sizeof(*order));
	if (!order)
		return STATS_NO_MEMORY;
	gsl_sort_index(order, x, 1, n);
	double sum = 0;
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && x[order[end]] == x[order[first]]; end++)
			;
		double size = (double)(end - first);
		for (size_t i = first; i < end; i++)
			ranks[order[i]] = (double)first + (size + 1) / 2;
		sum += size * (size * size - 1);
	}
	mem_free(order);
	if (ties)
		*ties = sum;
	return STATS_OK;
}
