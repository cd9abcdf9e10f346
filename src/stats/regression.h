/* A straight line by least squares, y = intercept + slope·x, with its intervals. */
#ifndef TARE_STATS_REGRESSION_H
#define TARE_STATS_REGRESSION_H

#include "stats/status.h"

struct line {
	size_t n;
	double intercept, slope;
	double intercept_se, slope_se; /* standard errors */
	double residual_squares;       /* sum of squared residuals */
	double residual_sd;            /* √(residual_squares/(n − 2)) */
	double r_squared;              /* 1 when all y are equal and on the line */
	double x_mean, x_squares;      /* Σ(x − x̄)² */
};

/* STATS_TOO_FEW below three points, STATS_CONSTANT when all x are equal. */
enum stats_status line_fit(const double *x, const double *y, size_t n, struct line *out);

/* y = slope·x: Σxy/Σx² and its standard error (n − 1 degrees of freedom). STATS_TOO_FEW below two points,
 * STATS_CONSTANT when all x are 0. */
enum stats_status line_through_origin(const double *x, const double *y, size_t n, double *slope, double *se);

double line_at(const struct line *line, double x);

struct interval line_slope_interval(const struct line *line, double c);
struct interval line_intercept_interval(const struct line *line, double c);

/* p value of the F test that a term in x² adds nothing. STATS_TOO_FEW below four points, STATS_NOT_DEFINED when
 * x has only two distinct values. Allocates. */
enum stats_status line_curvature(const double *x, const double *y, size_t n, double *p);

#endif
