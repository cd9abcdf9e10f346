/* The shuffle diagnostic of the duet paper (section 4.2), without its chance.
 *
 * With L_r = ln y_r − ln x_r the width of an interval is proportional to sd(L). Pairing run r of one
 * program with run π(r) of the other gives L^π_r = ln y_π(r) − ln x_r, and over all R! permutations
 * the covariance of ln x and ln y∘π averages to exactly 0, so that the mean of var(L^π) is
 * var(ln x) + var(ln y). The ratio is
 *
 *	√((var ln x + var ln y) / var L)
 *
 * the root mean square over every shuffle. One random shuffle, as in the paper, scatters around it.
 * Runs are permuted, not iterations: inside a run the estimate does not depend on the order, and
 * iterations spread over other runs would average the differences between runs away. */
#include "stats/shuffle.h"

#include "stats/comoment.h"

#include <math.h>

enum stats_status shuffle_width_ratio(const double *base, const double *new_, size_t runs, double *out)
{
	struct comoment logs = {0};
	for (size_t r = 0; r < runs; r++) {
		if (!isfinite(base[r]) || !isfinite(new_[r]))
			return STATS_NOT_FINITE;
		if (base[r] <= 0 || new_[r] <= 0)
			return STATS_NOT_POSITIVE;
		double x = log(base[r]), y = log(new_[r]);
		comoment_add(&logs, (const double[]){x, y, y - x}, 3);
	}
	if (runs < 3)
		return runs == 0 ? STATS_EMPTY : STATS_TOO_FEW;
	double paired = comoment_covariance(&logs, 2, 2);
	if (!(paired > 0))
		return STATS_CONSTANT;
	*out = sqrt((comoment_covariance(&logs, 0, 0) + comoment_covariance(&logs, 1, 1)) / paired);
	return STATS_OK;
}
