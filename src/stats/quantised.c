/* The greatest common divisor of the distances between neighbouring distinct values, by Euclid's
 * algorithm on reals: a remainder within rounding counts as 0. The divisor is refined from ever
 * longer distances, last those to the smallest value, and every value must lie on the grid. Values without a grid
 * drive the divisor down to their rounding; k of them stay on a grid of 1000 roundings by chance with
 * probability about 1000^(2−k). */
#include "stats/quantised.h"

#include "base/memory.h"
#include "stats/quantile.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A step and how far it may be off. */
struct step {
	double size, error;
};

/* Fits the step to one distance; false when the distance is no multiple of it and the step was cut down. */
static bool fit(struct step *step, double d, double rounding)
{
	double count = nearbyint(d / step->size), rest = fabs(d - count * step->size);
	double allowed = rounding + count * step->error;
	if (allowed > step->size / 4) /* too far to count steps that are known this badly */
		return true;
	if (rest > allowed) {
		*step = (struct step){rest, allowed};
		return false;
	}
	if (rounding / count < step->error)
		*step = (struct step){d / count, rounding / count};
	return true;
}

/* Every value on the grid, and the step known well enough to tell. */
static bool fits_all(const struct step *step, const double *sorted, size_t n, double rounding)
{
	for (size_t i = 1; i < n; i++) {
		double d = sorted[i] - sorted[0], count = nearbyint(d / step->size), allowed = rounding + count * step->error;
		if (allowed > step->size / 100 || fabs(d - count * step->size) > allowed)
			return false;
	}
	return true;
}

/* sorted: n ≥ 2 distinct values; gaps: their n − 1 distances to the next, ascending. */
static double find_quantum(const double *sorted, const double *gaps, size_t n, double rounding)
{
	double least = 1000 * rounding;
	struct step step = {gaps[0], rounding};
	/* From short to long: each distance makes the step exact enough for the next. A step that was
	 * cut down, at least to half, begins anew. */
	for (size_t i = 1; i < n - 1 && step.size >= least;)
		i = fit(&step, gaps[i], rounding) ? i + 1 : 0;
	for (size_t i = 1; i < n && step.size >= least;)
		i = fit(&step, sorted[i] - sorted[0], rounding) ? i + 1 : 1;
	return step.size >= least && fits_all(&step, sorted, n, rounding) ? step.size : 0;
}

enum stats_status quantised_of(const double *x, size_t n, struct quantised *out)
{
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	double *sorted = mem_alloc(2 * n, sizeof(*sorted));
	if (!sorted)
		return STATS_NO_MEMORY;
	double *gaps = sorted + n;
	memcpy(sorted, x, n * sizeof(*sorted));
	sort_doubles(sorted, n);
	double rounding = 4 * DBL_EPSILON * fmax(fabs(sorted[0]), fabs(sorted[n - 1]));
	size_t distinct = 0, alone = 0;
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && sorted[end] - sorted[first] <= rounding; end++)
			;
		alone += end == first + 1;
		sorted[distinct++] = sorted[first];
	}
	for (size_t i = 1; i < distinct; i++)
		gaps[i - 1] = sorted[i] - sorted[i - 1];
	sort_doubles(gaps, distinct - 1);
	double quantum = distinct > 2 || (distinct == 2 && n > 2) ? find_quantum(sorted, gaps, distinct, rounding) : 0;
	mem_free(sorted);
	*out = (struct quantised){quantum, distinct, (double)(n - alone) / (double)n};
	return STATS_OK;
}
