/* For a given time the model is a straight line in the rest e_i = r(i/time): ordinary least squares gives level and reach.
 * The time is searched on a logarithmic grid (steps of 12 %), then by golden section about the best. The gain divides
 * the sum of squares that the approach explains by σ²·(1 + r)/(1 − r), r the lag-1 autocorrelation of the residuals (a
 * first-order autoregression); values with a longer memory make it too large. */
#include "stats/approach.h"

#include "stats/summary.h"

#include <math.h>
#include <stdbool.h>

enum { LEAST = 10, CLEARLY = 9 /* three standard errors */ };

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

static struct fit fit_at(const double *x, size_t n, enum approach_shape shape, double time,
                         const struct summary *summary)
{
	struct rest e = rest_start(shape, time);
	double count = (double)n, sum = 0, squares = 0, ex = 0;
	for (size_t i = 0; i < n; i++, rest_next(&e)) {
		sum += e.value;
		squares += e.value * e.value;
		ex += e.value * (x[i] - summary->mean);
	}
	double mean_e = sum / count, ee = squares - sum * mean_e, total = summary->variance * (count - 1);
	if (!(ee > 1e-12 * squares))
		return (struct fit){summary->mean, 0, total};
	double reach = ex / ee;
	return (struct fit){summary->mean - reach * mean_e, reach, total - reach * ex};
}

/* Golden section in the logarithm of the time. */
static double refine(const double *x, size_t n, enum approach_shape shape, double low, double high,
                     const struct summary *summary)
{
	const double golden = 0.6180339887498949;
	double a = log(low), b = log(high);
	for (int i = 0; i < 20; i++) {
		double c = b - golden * (b - a), d = a + golden * (b - a);
		if (fit_at(x, n, shape, exp(c), summary).squares < fit_at(x, n, shape, exp(d), summary).squares)
			b = d;
		else
			a = c;
	}
	return exp((a + b) / 2);
}

static double residual_autocorrelation(const double *x, size_t n, const struct approach *a)
{
	double before = 0, squares = 0, products = 0;
	struct rest e = rest_start(a->shape, a->time);
	for (size_t i = 0; i < n; i++, rest_next(&e)) {
		double residual = x[i] - a->level - a->reach * e.value;
		squares += residual * residual;
		products += before * residual;
		before = residual;
	}
	return squares > 0 ? products / squares : 0;
}

static struct approach fit_shape(const double *x, size_t n, enum approach_shape shape, const struct summary *summary)
{
	double best = 2, least = INFINITY;
	for (double time = 2; time <= (double)n / 2; time *= 1.12) {
		double squares = fit_at(x, n, shape, time, summary).squares;
		if (squares < least) {
			least = squares;
			best = time;
		}
	}
	struct approach a = {.shape = shape, .time = refine(x, n, shape, best / 1.12, best * 1.12, summary)};
	struct fit fit = fit_at(x, n, shape, a.time, summary);
	a.level = fit.level;
	a.reach = fit.reach;
	a.squares = fmax(fit.squares, 0);
	double total = summary->variance * ((double)n - 1), r = fmax(0, fmin(residual_autocorrelation(x, n, &a), 0.99));
	a.noise = a.squares / ((double)n - 3) * (1 + r) / (1 - r);
	a.gain = a.noise > 0 ? (total - a.squares) / a.noise : INFINITY;
	return a;
}

static enum stats_status fit(const double *x, size_t n, bool any, struct approach *out)
{
	struct summary summary;
	enum stats_status status = summary_of(x, n, &summary);
	if (status != STATS_OK)
		return status;
	if (n < LEAST)
		return STATS_TOO_FEW;
	if (summary.min == summary.max)
		return STATS_CONSTANT;
	struct approach a = fit_shape(x, n, APPROACH_EXPONENTIAL, &summary);
	for (int shape = APPROACH_HYPERBOLIC; any && shape <= APPROACH_STRAIGHT; shape++) {
		struct approach other = fit_shape(x, n, (enum approach_shape)shape, &summary);
		a = a.squares - other.squares > CLEARLY * other.noise ? other : a;
	}
	*out = a;
	return STATS_OK;
}

enum stats_status approach_fit(const double *x, size_t n, struct approach *out)
{
	return fit(x, n, false, out);
}

enum stats_status approach_fit_any(const double *x, size_t n, struct approach *out)
{
	return fit(x, n, true, out);
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
