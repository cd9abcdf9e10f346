/* Ordinary least squares through GSL, which centres both variables first. Intervals assume independent
 * normal residuals of one variance; stats/wps.h merges neighbours before it relies on them.
 *
 * Curvature: the residuals of y and of (x − x̄)² on x are regressed on each other (Frisch, Waugh and
 * Lovell), which gives the same F as fitting the parabola: F = R/((Q − R)/(n − 3)) with 1 and n − 3
 * degrees of freedom, Q the residual squares of the line, R what the square term takes off. */
#include "stats/regression.h"

#include "base/memory.h"
#include "stats/distribution.h"
#include "stats/summary.h"

#include <float.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdbool.h>

static enum stats_status check(const double *x, const double *y, size_t n, size_t least, struct summary *sx)
{
	enum stats_status status = summary_of(x, n, sx);
	if (status == STATS_OK)
		status = stats_check_finite(y, n);
	if (status != STATS_OK)
		return status;
	if (n < least)
		return STATS_TOO_FEW;
	return sx->min == sx->max ? STATS_CONSTANT : STATS_OK;
}

enum stats_status line_fit(const double *x, const double *y, size_t n, struct line *out)
{
	struct summary sx, sy;
	enum stats_status status = check(x, y, n, 3, &sx);
	if (status == STATS_OK)
		status = summary_of(y, n, &sy);
	if (status != STATS_OK)
		return status;
	struct line line = {.n = n, .x_mean = sx.mean, .x_squares = sx.variance * (double)(n - 1)};
	double cov00, cov01, cov11;
	gsl_fit_linear(x, 1, y, 1, n, &line.intercept, &line.slope, &cov00, &cov01, &cov11, &line.residual_squares);
	double y_squares = sy.variance * (double)(n - 1);
	line.residual_sd = sqrt(line.residual_squares / (double)(n - 2));
	line.slope_se = line.residual_sd / sqrt(line.x_squares);
	line.intercept_se = line.residual_sd * sqrt(1 / (double)n + sx.mean * sx.mean / line.x_squares);
	line.r_squared = y_squares > 0 ? fmax(0, 1 - line.residual_squares / y_squares) : 1;
	if (!isfinite(line.intercept) || !isfinite(line.slope) || !isfinite(line.intercept_se))
		return STATS_NOT_DEFINED;
	*out = line;
	return STATS_OK;
}

enum stats_status line_through_origin(const double *x, const double *y, size_t n, double *slope, double *se)
{
	enum stats_status status = stats_check_finite(x, n);
	if (status == STATS_OK)
		status = stats_check_finite(y, n);
	if (status != STATS_OK)
		return status;
	if (n < 2)
		return STATS_TOO_FEW;
	double found, variance, squares;
	bool any = false;
	for (size_t i = 0; i < n; i++)
		any |= x[i] != 0;
	if (!any)
		return STATS_CONSTANT;
	gsl_fit_mul(x, 1, y, 1, n, &found, &variance, &squares);
	if (!isfinite(found) || !isfinite(variance))
		return STATS_NOT_DEFINED;
	*slope = found;
	*se = sqrt(fmax(variance, 0));
	return STATS_OK;
}

double line_at(const struct line *line, double x)
{
	return line->intercept + line->slope * x;
}

struct interval line_slope_interval(const struct line *line, double c)
{
	return (struct interval){line->slope - c * line->slope_se, line->slope + c * line->slope_se};
}

struct interval line_intercept_interval(const struct line *line, double c)
{
	return (struct interval){line->intercept - c * line->intercept_se, line->intercept + c * line->intercept_se};
}

/* F of a term in the square of `scaled`, x centred and within ±1; NaN when x has two distinct values. */
static double square_term_f(const double *scaled, const double *square, const double *y, size_t n)
{
	double b0, b1, c0, c1, cov00, cov01, cov11, squares, line_squares;
	gsl_fit_linear(scaled, 1, y, 1, n, &b0, &b1, &cov00, &cov01, &cov11, &line_squares);
	gsl_fit_linear(scaled, 1, square, 1, n, &c0, &c1, &cov00, &cov01, &cov11, &squares);
	double xx = 0, xy = 0;
	for (size_t i = 0; i < n; i++) {
		double rest = square[i] - c0 - c1 * scaled[i];
		xx += rest * rest;
		xy += rest * (y[i] - b0 - b1 * scaled[i]);
	}
	if (!(xx > 1e-20 * (double)n)) /* a square of two distinct values lies on its line */
		return NAN;
	double taken = xy * xy / xx, left = line_squares - taken;
	/* Residuals within rounding of the values are none. */
	double noise = 0;
	for (size_t i = 0; i < n; i++)
		noise += 64 * DBL_EPSILON * DBL_EPSILON * y[i] * y[i];
	if (line_squares <= noise)
		return 0;
	return left > 0 ? taken / (left / (double)(n - 3)) : INFINITY;
}

enum stats_status line_curvature(const double *x, const double *y, size_t n, double *p)
{
	struct summary sx;
	enum stats_status status = check(x, y, n, 4, &sx);
	if (status != STATS_OK)
		return status;
	double *scaled = mem_alloc(2 * n, sizeof(*scaled));
	if (!scaled)
		return STATS_NO_MEMORY;
	double *square = scaled + n, largest = fmax(sx.max - sx.mean, sx.mean - sx.min);
	for (size_t i = 0; i < n; i++) {
		scaled[i] = (x[i] - sx.mean) / largest;
		square[i] = scaled[i] * scaled[i];
	}
	double f = square_term_f(scaled, square, y, n);
	mem_free(scaled);
	if (isnan(f))
		return STATS_NOT_DEFINED;
	*p = f_upper_tail(f, 1, (double)(n - 3));
	return STATS_OK;
}
