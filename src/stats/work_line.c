/* Weighted least squares with weights 1/t², t what the line itself gives a round: a machine that is 5 % slower for a
 * while adds 5 % to a round, whatever its length. The first line is unweighted; then three times weights and line in
 * turn. A round is never taken to be shorter than half the shortest one, so that a steep first line cannot give a small
 * round all the weight.
 *
 * Weights only decide how well the data is used; errors do not believe them. They come from the residuals as they are
 * (HC3, MacKinnon and White 1985): with d the work less its weighted mean, W and S the weighted sums of 1 and of d²,
 *
 *	slope     = Σ a·t, a = w·d/S,             variance Σ a²·e²/(1 − h)²
 *	intercept = Σ b·t, b = w·(1/W − m·d/S),   variance Σ b²·e²/(1 − h)²      h = w·(1/W + d²/S), the leverage
 *
 * Neighbours in time that are alike widen both: with r the lag-1 autocorrelation of the relative residuals, its bias
 * taken off and at least 0, rounds i and j share r^|i − j| of theirs, and z = a·t or b·t is what each adds. Small and
 * large amounts in turns pull in opposite directions, so that a machine that wanders widens least then.
 *
 * Curvature: the residuals on what the weighted line leaves of the square (Frisch, Waugh and Lovell), with HC3 as
 * well; an F test that takes all rounds to vary alike finds bends in noise. Checked against R
 * (tests/known/make_work_line.R). */
#include "stats/work_line.h"

#include "base/memory.h"
#include "stats/distribution.h"
#include "stats/regression.h"

#include <float.h>
#include <math.h>

/* Weighted sums of amounts, and room for a number a round. */
struct line_sums {
	size_t n;
	const double *x, *y;
	double *weight, *rest, *part;
	double all, mean, squares; /* Σw, weighted mean of x, Σw·d² */
};

static enum stats_status check(const double *work, const double *seconds, size_t n)
{
	enum stats_status status = stats_check_finite(work, n);
	if (status == STATS_OK)
		status = stats_check_finite(seconds, n);
	for (size_t i = 0; i < n && status == STATS_OK; i++)
		if (!(seconds[i] > 0))
			status = STATS_NOT_POSITIVE;
	return status == STATS_EMPTY ? STATS_TOO_FEW : status;
}

/* Weights by the line so far, and the sums with them. */
static void weigh(struct line_sums *s, const struct work_line *line, double least)
{
	s->all = s->mean = s->squares = 0;
	for (size_t i = 0; i < s->n; i++) {
		double time = fmax(work_line_at(line, s->x[i]), least);
		s->weight[i] = 1 / (time * time);
		s->all += s->weight[i];
		s->mean += s->weight[i] * s->x[i];
	}
	s->mean /= s->all;
	for (size_t i = 0; i < s->n; i++)
		s->squares += s->weight[i] * (s->x[i] - s->mean) * (s->x[i] - s->mean);
}

static void solve(const struct line_sums *s, struct work_line *line)
{
	double mean = 0, products = 0;
	for (size_t i = 0; i < s->n; i++)
		mean += s->weight[i] * s->y[i] / s->all;
	for (size_t i = 0; i < s->n; i++)
		products += s->weight[i] * (s->x[i] - s->mean) * (s->y[i] - mean);
	line->slope = products / s->squares;
	line->intercept = mean - line->slope * s->mean;
}

static double leverage(const struct line_sums *s, size_t i)
{
	double d = s->x[i] - s->mean;
	return s->weight[i] * (1 / s->all + d * d / s->squares);
}

/* One whose leverage is 1 has no residual to go by. */
static double deleted(double residual, double leverage)
{
	return residual / fmax(1 - leverage, 0.05);
}

/* The lag-1 autocorrelation of relative residuals, corrected for their small number; 0 to 0.95. */
static double likeness(const double *rest, const double *weight, size_t n)
{
	double squares = 0, products = 0;
	for (size_t i = 0; i < n; i++) {
		squares += rest[i] * rest[i] * weight[i];
		products += i > 0 ? rest[i - 1] * rest[i] * sqrt(weight[i - 1] * weight[i]) : 0;
	}
	double r = squares > 0 ? products / squares : 0;
	return fmin(fmax(r + (2 + 4 * r) / (double)n, 0), 0.95);
}

/* √(Σ Σ z·z·r^|i − j| / Σ z²), z what a round of relative error 1 adds to an estimate. */
static double widening(const double *part, size_t n, double r)
{
	double all = 0, squares = 0, before = 0;
	for (size_t i = 0; i < n; i++) {
		squares += part[i] * part[i];
		all += part[i] * (part[i] + 2 * before);
		before = r * (before + part[i]);
	}
	return all > squares ? sqrt(all / squares) : 1;
}

static void find_errors(struct line_sums *s, struct work_line *line)
{
	double n = (double)s->n, weighted = 0;
	for (size_t i = 0; i < s->n; i++) {
		double d = s->x[i] - s->mean, h = leverage(s, i);
		double a = s->weight[i] * d / s->squares, b = s->weight[i] * (1 / s->all - s->mean * d / s->squares);
		s->rest[i] = s->y[i] - work_line_at(line, s->x[i]);
		double e = deleted(s->rest[i], h);
		line->slope_variance += a * a * e * e;
		line->intercept_variance += b * b * e * e;
		line->covariance += a * b * e * e;
		line->leverage = fmax(line->leverage, h);
		weighted += s->weight[i] * s->rest[i] * s->rest[i];
		s->part[i] = a / sqrt(s->weight[i]);
	}
	double variance = weighted / (n - 2);
	line->relative_sd = sqrt(variance);
	line->slope_se = sqrt(fmax(line->slope_variance, variance / s->squares));
	line->intercept_se = sqrt(fmax(line->intercept_variance, variance * (1 / s->all + s->mean * s->mean / s->squares)));
	double r = likeness(s->rest, s->weight, s->n);
	line->slope_factor = widening(s->part, s->n, r);
	for (size_t i = 0; i < s->n; i++)
		s->part[i] = sqrt(s->weight[i]) * (1 / s->all - s->mean * (s->x[i] - s->mean) / s->squares);
	line->intercept_factor = widening(s->part, s->n, r);
}

/* What the weighted line leaves of the squared amounts, scaled to ±1; their weighted sum of squares. */
static double leave_square(struct line_sums *s)
{
	double scale = 0, mean = 0, slope = 0, squares = 0;
	for (size_t i = 0; i < s->n; i++)
		scale = fmax(scale, fabs(s->x[i] - s->mean));
	for (size_t i = 0; i < s->n; i++) {
		double d = (s->x[i] - s->mean) / scale;
		mean += s->weight[i] * d * d / s->all;
		slope += s->weight[i] * d * d * d * scale * scale / s->squares;
	}
	for (size_t i = 0; i < s->n; i++) {
		double d = (s->x[i] - s->mean) / scale;
		s->part[i] = d * d - mean - slope * d;
		squares += s->weight[i] * s->part[i] * s->part[i];
	}
	return squares;
}

static double curvature(struct line_sums *s)
{
	double squares = leave_square(s), bend = 0, variance = 0, largest = 0;
	if (s->n < 4 || !(squares > 1e-20 * s->all)) /* a square of two amounts lies on its line */
		return NAN;
	for (size_t i = 0; i < s->n; i++)
		bend += s->weight[i] * s->part[i] * s->rest[i] / squares;
	for (size_t i = 0; i < s->n; i++) {
		double h = leverage(s, i) + s->weight[i] * s->part[i] * s->part[i] / squares,
			   a = s->weight[i] * s->part[i] / squares;
		double e = deleted(s->rest[i] - bend * s->part[i], h);
		variance += a * a * e * e;
		largest = fmax(largest, fabs(s->rest[i]) * sqrt(s->weight[i]));
	}
	if (largest <= 64 * DBL_EPSILON) /* a perfect line leaves rounding only */
		return 1;
	double t = bend / sqrt(variance);
	return f_upper_tail(t * t, 1, (double)(s->n - 3));
}

enum stats_status work_line_fit(const double *work, const double *seconds, size_t n, struct work_line *out)
{
	enum { REWEIGHTED = 3 };
	struct line first;
	enum stats_status status = check(work, seconds, n);
	if (status == STATS_OK)
		status = line_fit(work, seconds, n, &first);
	if (status != STATS_OK)
		return status;
	double *room = mem_alloc(n, 3 * sizeof(*room)), shortest = INFINITY;
	if (!room)
		return STATS_NO_MEMORY;
	struct line_sums s = {.n = n, .x = work, .y = seconds, .weight = room, .rest = room + n, .part = room + 2 * n};
	struct work_line line = {.n = n, .intercept = first.intercept, .slope = first.slope};
	for (size_t i = 0; i < n; i++)
		shortest = fmin(shortest, seconds[i]);
	for (int i = 0; i < REWEIGHTED; i++) {
		weigh(&s, &line, shortest / 2);
		solve(&s, &line);
	}
	find_errors(&s, &line);
	line.curvature_p = curvature(&s);
	mem_free(room);
	if (!isfinite(line.slope) || !isfinite(line.intercept_se) || !isfinite(line.slope_se))
		return STATS_NOT_DEFINED;
	*out = line;
	return STATS_OK;
}

double work_line_at(const struct work_line *line, double work)
{
	return line->intercept + line->slope * work;
}

double work_line_error(const struct work_line *line, double work)
{
	double own = line->intercept_variance + 2 * work * line->covariance + work * work * line->slope_variance;
	return sqrt(fmax(own, 0)) * fmax(line->intercept_factor, line->slope_factor);
}
