/* The sums of stats/kde.c without a term for each value and point.
 *
 * Values are gathered in cells as wide as the grid's step, a cell around each point of the grid and of its continuation
 * to both sides. A value at x = c + h·u in the cell around c adds to the point y, with t = (y − c)/h,
 *	exp(−(t − u)²/2) = exp(−t²/2) · Σ_k He_k(t)·u^k/k!,  He_{k+1}(t) = t·He_k(t) − k·He_{k−1}(t)
 * (the generating function of Hermite's polynomials), so a cell is known by its sums of u^k/k!, and t depends only on
 * how many cells y and c are apart: the density is a sum of a few convolutions. |u| ≤ step/2h is small: TERMS_MOST
 * terms leave less than 1e-10 of the value while step ≤ 0.2·h.
 *
 * The kernel is cut at ±5h. That falls at the same place inside a cell for every point, so the sums of the part of each
 * cell below (and above) that place are kept beside those of the whole cell. A value within a rounding of the cut may
 * count on the other side of it: 4e-6 of one value's weight.
 *
 * Few values, or cells too wide for this, are summed the plain way. */
#include "stats/kde.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>

enum { TERMS_MOST = 12, FEW = 1500 };
static const double widest_cell = 0.2, most_reach = 2000, left_out = 1e-10;

/* Sums of u^k/k! by cell: of whole cells, of the part below the upper cut, of the part from the lower cut on. */
enum part { WHOLE, BELOW, ABOVE, PARTS };

struct cells {
	double h, low, step;
	long points, reach; /* cells beyond each end of the grid */
	long count;
	unsigned terms;
	long upper, lower;         /* offsets of the cells that the cuts fall into */
	double upper_at, lower_at; /* where in them, from their middle, in steps */
	double *sums;              /* [part][term][cell] */
};

static double *row(const struct cells *cells, enum part part, unsigned term)
{
	return cells->sums + ((size_t)part * cells->terms + term) * (size_t)cells->count;
}

static unsigned terms_for(double half_cell)
{
	double term = 1;
	unsigned k = 0;
	while (k < TERMS_MOST && term > left_out)
		term *= 5.2 * half_cell / ++k;
	return k;
}

static void gather(struct cells *cells, const double *sorted, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double place = (sorted[i] - cells->low) / cells->step, middle = floor(place + 0.5);
		if (middle < (double)-cells->reach || middle >= (double)(cells->points + cells->reach))
			continue;
		size_t cell = (size_t)((long)middle + cells->reach);
		double at = place - middle, u = (sorted[i] - (cells->low + middle * cells->step)) / cells->h, power = 1;
		bool below = at < cells->upper_at, above = at >= cells->lower_at;
		for (unsigned k = 0; k < cells->terms; power *= u / ++k) {
			row(cells, WHOLE, k)[cell] += power;
			if (below)
				row(cells, BELOW, k)[cell] += power;
			if (above)
				row(cells, ABOVE, k)[cell] += power;
		}
	}
}

/* Adds what cells `offset` places from each point give it. */
static void spread(const struct cells *cells, enum part part, long offset, double *density)
{
	double t = -(double)offset * cells->step / cells->h, weight = exp(-0.5 * t * t), before = 0;
	for (unsigned k = 0; k < cells->terms; k++) {
		const double *sums = row(cells, part, k) + cells->reach + offset;
		for (long j = 0; j < cells->points; j++)
			density[j] += weight * sums[j];
		double next = t * weight - (double)k * before;
		before = weight;
		weight = next;
	}
}

enum stats_status kde_by_cells(const double *sorted, size_t n, double h, double low, double step, size_t points,
                               double *density)
{
	double cut = 5 * h / step;
	if (n < FEW || step > widest_cell * h || !(cut < most_reach)) {
		kde_on_grid(sorted, n, h, low, step, points, density);
		return STATS_OK;
	}
	struct cells cells = {.h = h,
	                      .low = low,
	                      .step = step,
	                      .points = (long)points,
	                      .reach = (long)cut + 2,
	                      .terms = terms_for(0.5 * step / h),
	                      .upper = (long)floor(cut + 0.5),
	                      .lower = (long)floor(0.5 - cut)};
	cells.count = cells.points + 2 * cells.reach;
	cells.upper_at = cut - (double)cells.upper;
	cells.lower_at = -cut - (double)cells.lower;
	cells.sums = mem_zalloc((size_t)cells.count, PARTS * cells.terms * sizeof(*cells.sums));
	if (!cells.sums)
		return STATS_NO_MEMORY;
	gather(&cells, sorted, n);
	for (size_t j = 0; j < points; j++)
		density[j] = 0;
	for (long offset = cells.lower + 1; offset < cells.upper; offset++)
		spread(&cells, WHOLE, offset, density);
	spread(&cells, BELOW, cells.upper, density);
	spread(&cells, ABOVE, cells.lower, density);
	mem_free(cells.sums);
	double norm = 1 / (sqrt(2 * M_PI) * h * (double)n);
	for (size_t j = 0; j < points; j++)
		density[j] *= norm;
	return STATS_OK;
}
