/* Silverman's rule of thumb, and the sum of kernels point by point.
 *
 * Along the grid a Gaussian needs no exponential at each point: with d = y − x and step s,
 *	exp(−(d + s)²/2h²) = exp(−d²/2h²) · r,  r = exp(−(2ds + s²)/2h²),  r ← r · exp(−s²/h²)
 * so two products make the next point. Rounding grows with the square of the number of steps;
 * every ANCHOR points both are computed afresh, which keeps it near 1e-13. */
#include "stats/kde.h"

#include <math.h>

enum { ANCHOR = 32 };

double kde_bandwidth(const double *sorted, size_t n, double sd)
{
	if (n < 2)
		return NAN;
	double quartiles = sorted[n * 3 / 4] - sorted[n / 4];
	return 1.06 * fmin(sd, quartiles / 1.34) / pow((double)n, 0.2);
}

/* Grid points y_j with x − 5h < y_j ≤ x + 5h, as *first … end − 1. The test itself decides at the
 * edges, where the division is off by a rounding. */
static size_t points_near(double x, double h, double low, double step, size_t points, size_t *first)
{
	double from = (x - 5 * h - low) / step, to = (x + 5 * h - low) / step, last = (double)points;
	size_t j = from <= 1 ? 0 : from - 1 >= last ? points : (size_t)(from - 1);
	while (j < points && !(low + (double)j * step + 5 * h > x))
		j++;
	*first = j;
	size_t end = to + 2 <= 0 ? 0 : to + 2 >= last ? points : (size_t)(to + 2);
	while (end > j && !(low + (double)(end - 1) * step - 5 * h <= x))
		end--;
	return end;
}

void kde_on_grid(const double *sorted, size_t n, double h, double low, double step, size_t points, double *density)
{
	double scale = 1 / (2 * h * h), shrink = exp(-step * step / (h * h));
	for (size_t j = 0; j < points; j++)
		density[j] = 0;
	for (size_t i = 0; i < n; i++) {
		size_t first, end = points_near(sorted[i], h, low, step, points, &first);
		for (size_t start = first; start < end; start += ANCHOR) {
			size_t stop = start + ANCHOR < end ? start + ANCHOR : end;
			double d = low + (double)start * step - sorted[i];
			double kernel = exp(-d * d * scale), ratio = exp(-(2 * d + step) * step * scale);
			for (size_t j = start; j < stop; j++) {
				density[j] += kernel;
				kernel *= ratio;
				ratio *= shrink;
			}
		}
	}
	double norm = 1 / (sqrt(2 * M_PI) * h * (double)n);
	for (size_t j = 0; j < points; j++)
		density[j] *= norm;
}
