/* The line of rounds over work amounts, seconds = intercept + slope·work, where rounds vary in proportion to how long
 * they take. */
#ifndef TARE_STATS_WORK_LINE_H
#define TARE_STATS_WORK_LINE_H

#include "stats/status.h"

struct work_line {
	size_t n;
	double intercept, slope;
	double intercept_variance, slope_variance, covariance; /* HC3 */
	double intercept_se,
		slope_se; /* by HC3, and not below those that take the variation to be in proportion to the time */
	double intercept_factor, slope_factor; /* by how much rounds that resemble their neighbours in time widen; ≥ 1 */
	double relative_sd; /* of one round, of the time that the line gives it: √(Σ(e/t)²/(n − 2)) */
	double leverage;    /* the largest of a round, 0 to 1 */
	double curvature_p; /* t test of a square term with its HC3 error; NaN when it cannot be tested */
};

/* Rounds in the order they ran. STATS_TOO_FEW below three, STATS_CONSTANT when all amounts are equal,
 * STATS_NOT_POSITIVE for a time that is not above 0. Allocates. */
enum stats_status work_line_fit(const double *work, const double *seconds, size_t n, struct work_line *out);

double work_line_at(const struct work_line *line, double work);

/* The standard error of the line itself at an amount. */
double work_line_error(const struct work_line *line, double work);

#endif
