/* For a given time the model is a straight line in the rest e_i = r(i/time): least squares gives level and reach.
 * The time is searched on a logarithmic grid (steps of 12 %), then by golden section about the best. The gain divides
 * the sum of squares that the approach explains by σ²·(1 + r)/(1 − r), r the lag-1 autocorrelation of the residuals (a
 * first-order autoregression); values with a longer memory make it too large.
 *
 * approach_fit_any() fits x_i − r·x_{i−1} where r is above 0.1 (Prais and Winsten 1954), r from ordinary least squares: neighbours that are
 * alike say little twice, and a steep start is known better than its residuals suggest. Shapes are told apart by the
 * sum of squares of these differences. */
#include "stats/approach.h"

#include "stats/summary.h"

#include <math.h>

enum { LEAST = 10 };

static const double SLIGHT = 0.1; /* autocorrelation that makes no difference */
static const double STEP = 1.12;
static const double NOTHING = 9; /* a gain that noise alone may have */

/* The values, and the autocorrelation that is taken out of them. */
struct approach_sample {
	const double *x;
	size_t n;
	double mean, r;
};

struct fit {
	double level, reach, squares;
};

/* What is left of the reach at each place, one after the other. */
struct rest {
	double value, step, time, at;
	enum approach_shape shape;
};

static struct rest rest_start(enum approach_shape shape, double time)
{
	return (struct rest){1, exp(-1 / time), time, 0, shape};
}

static void rest_next(struct rest *rest)
{
	rest->at++;
	switch (rest->shape) {
	case APPROACH_EXPONENTIAL: rest->value *= rest->step; break;
	case APPROACH_HYPERBOLIC: rest->value = rest->time / (rest->time + rest->at); break;
	case APPROACH_STRAIGHT: rest->value = fmax(0, 1 - rest->at / rest->time); break;
	}
}

/* Squares are those of the differences; without autocorrelation, of the residuals. */
static struct fit fit_at(const struct approach_sample *sample, enum approach_shape shape, double time)
{
	struct rest e = rest_start(shape, time);
	const double *x = sample->x;
	double first = sqrt(1 - sample->r * sample->r), one = 1 - sample->r;
	double y = first * (x[0] - sample->mean), d = first, before = 1;
	double ones = first * first, od = first * d, oy = first * y, dd = d * d, dy = d * y, yy = y * y;
	for (size_t i = 1; i < sample->n; i++) {
		rest_next(&e);
		d = e.value - sample->r * before;
		y = x[i] - sample->mean - sample->r * (x[i - 1] - sample->mean);
		before = e.value;
		od += d;
		oy += y;
		dd += d * d;
		dy += d * y;
		yy += y * y;
	}
	/* The first of the sums over `one` had another weight. */
	od = first * first + one * (od - first * first);
	oy = first * first * (x[0] - sample->mean) + one * (oy - first * first * (x[0] - sample->mean));
	ones += one * one * ((double)sample->n - 1);
	double free_dd = dd - od * od / ones, free_dy = dy - od * oy / ones, total = yy - oy * oy / ones;
	if (!(free_dd > 1e-12 * dd))
		return (struct fit){sample->mean + oy / ones, 0, total};
	double reach = free_dy / free_dd;
	return (struct fit){sample->mean + (oy - reach * od) / ones, reach, total - reach * free_dy};
}

/* Golden section in the logarithm of the time. */
static double refine(const struct approach_sample *sample, enum approach_shape shape, double low, double high)
{
	const double golden = 0.6180339887498949;
	double a = log(low), b = log(high), c = b - golden * (b - a), d = a + golden * (b - a);
	double at_c = fit_at(sample, shape, exp(c)).squares, at_d = fit_at(sample, shape, exp(d)).squares;
	for (int i = 0; i < 20; i++) {
		if (at_c < at_d) {
			b = d;
			d = c;
			at_d = at_c;
			c = b - golden * (b - a);
			at_c = fit_at(sample, shape, exp(c)).squares;
		} else {
			a = c;
			c = d;
			at_c = at_d;
			d = a + golden * (b - a);
			at_d = fit_at(sample, shape, exp(d)).squares;
		}
	}
	return exp((a + b) / 2);
}

/* The sum of squared residuals, and their lag-1 autocorrelation. */
static double residual_squares(const struct approach_sample *sample, const struct approach *a, double *autocorrelation)
{
	double before = 0, squares = 0, products = 0;
	struct rest e = rest_start(a->shape, a->time);
	for (size_t i = 0; i < sample->n; i++, rest_next(&e)) {
		double residual = sample->x[i] - a->level - a->reach * e.value;
		squares += residual * residual;
		products += before * residual;
		before = residual;
	}
	*autocorrelation = squares > 0 ? fmax(0, fmin(products / squares, 0.99)) : 0;
	return squares;
}

struct approach_found {
	struct approach approach;
	double squares, r; /* of the differences; autocorrelation of the residuals */
};

static struct approach_found fit_shape(const struct approach_sample *sample, enum approach_shape shape, double total)
{
	/* A hyperbola that is half over at once has a long tail still. */
	double shortest = shape == APPROACH_HYPERBOLIC ? 0.5 : 2, best = shortest, least = INFINITY, n = (double)sample->n;
	for (double time = shortest; time <= n / 2; time *= STEP) {
		double squares = fit_at(sample, shape, time).squares;
		if (squares < least) {
			least = squares;
			best = time;
		}
	}
	struct approach_found out = {.approach = {.shape = shape, .time = refine(sample, shape, best / STEP, best * STEP)}};
	struct approach *a = &out.approach;
	struct fit fit = fit_at(sample, shape, a->time);
	a->level = fit.level;
	a->reach = fit.reach;
	a->squares = residual_squares(sample, a, &out.r);
	a->noise = a->squares / (n - 3) * (1 + out.r) / (1 - out.r);
	a->gain = a->noise > 0 ? (total - a->squares) / a->noise : INFINITY;
	out.squares = fit.squares;
	return out;
}

static struct approach_found best_shape(const struct approach_sample *sample, double total)
{
	struct approach_found best = fit_shape(sample, APPROACH_EXPONENTIAL, total);
	for (int shape = APPROACH_HYPERBOLIC; shape <= APPROACH_STRAIGHT; shape++) {
		struct approach_found other = fit_shape(sample, (enum approach_shape)shape, total);
		best = other.squares < best.squares ? other : best;
	}
	return best;
}

static enum stats_status begin(const double *x, size_t n, struct approach_sample *sample, double *total)
{
	struct summary summary;
	enum stats_status status = summary_of(x, n, &summary);
	if (status != STATS_OK)
		return status;
	if (n < LEAST)
		return STATS_TOO_FEW;
	*sample = (struct approach_sample){x, n, summary.mean, 0};
	*total = summary.variance * ((double)n - 1);
	return summary.min == summary.max ? STATS_CONSTANT : STATS_OK;
}

enum stats_status approach_fit(const double *x, size_t n, struct approach *out)
{
	struct approach_sample sample;
	double total;
	enum stats_status status = begin(x, n, &sample, &total);
	if (status == STATS_OK)
		*out = fit_shape(&sample, APPROACH_EXPONENTIAL, total).approach;
	return status;
}

enum stats_status approach_fit_any(const double *x, size_t n, struct approach *out)
{
	struct approach_sample sample;
	double total;
	enum stats_status status = begin(x, n, &sample, &total);
	if (status != STATS_OK)
		return status;
	struct approach_found best = best_shape(&sample, total);
	sample.r = best.r;
	if (best.r > SLIGHT && best.approach.gain > NOTHING)
		best = best_shape(&sample, total);
	*out = best.approach;
	return STATS_OK;
}

double approach_end(const struct approach *approach, double share)
{
	double rest = fabs(approach->reach) / (share * fabs(approach->level));
	if (!(rest > 1))
		return 0;
	switch (approach->shape) {
	case APPROACH_HYPERBOLIC: return approach->time * (rest - 1);
	case APPROACH_STRAIGHT: return approach->time * (1 - 1 / rest);
	case APPROACH_EXPONENTIAL: break;
	}
	return approach->time * log(rest);
}
