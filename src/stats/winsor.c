/* The outlier rule of the duet paper (Bulej et al., ICPE 2020, section 4): "replacing at most one
 * observation in a run with its nearest neighbor when that observation is further than 20 % away
 * from the min-max range of the remaining observations".
 *
 * 20 % is taken of the width of that range. When all others are equal the range has no width and
 * any other value counts as far away. The rule biases a real tail away, which is why no default
 * of ours uses it. */
#include "stats/winsor.h"

#include <math.h>

bool winsor_one(double *x, size_t n, double fraction)
{
	if (n < 3)
		return false;
	size_t lowest = 0, highest = 0;
	for (size_t i = 1; i < n; i++) {
		if (x[i] < x[lowest])
			lowest = i;
		if (x[i] > x[highest])
			highest = i;
	}
	/* The neighbours: the extremes once the lowest, or the highest, is left out. */
	double above_lowest = INFINITY, below_highest = -INFINITY;
	for (size_t i = 0; i < n; i++) {
		if (i != lowest)
			above_lowest = fmin(above_lowest, x[i]);
		if (i != highest)
			below_highest = fmax(below_highest, x[i]);
	}
	double low_gap = above_lowest - x[lowest], high_gap = x[highest] - below_highest;
	bool low_far = low_gap > fraction * (x[highest] - above_lowest);
	bool high_far = high_gap > fraction * (below_highest - x[lowest]);
	if (low_far && (!high_far || low_gap > high_gap))
		x[lowest] = above_lowest;
	else if (high_far)
		x[highest] = below_highest;
	return low_far || high_far;
}
