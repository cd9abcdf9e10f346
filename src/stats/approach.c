/* For a given time the model is a straight line in e_i = exp(−i/time): ordinary least squares gives level and reach.
 * The time is searched on a logarithmic grid (steps of 12 %), then by golden section about the best. The gain divides
 * the sum of squares that the approach explains by σ²·(1 + r)/(1 − r), r the lag-1 autocorrelation of the residuals (a
 * first-order autoregression); values with a longer memory make it too large. */
#include "stats/approach.h"

#include "stats/summary.h"

#include <math.h>

enum { LEAST = 10 };

struct fit {
	double level, reach, squares;
};

static struct fit fit_at(const double *x, size_t n, double time, const struct summary *summary)
{
	double step = exp(-1 / time), e = 1, count = (double)n;
	double mean_e = (1 - exp(-count / time)) / (1 - step) / count, ee = 0, ex = 0;
	for (size_t i = 0; i < n; i++, e *= step) {
		ee += (e - mean_e) * (e - mean_e);
		ex += (e - mean_e) * (x[i] - summary->mean);
	}
	double total = summary->variance * (count - 1);
	if (!(ee > 0))
		return (struct fit){summary->mean, 0, total};
	double reach = ex / ee;
	return (struct fit){summary->mean - reach * mean_e, reach, total - reach * ex};
}

/* Golden section in the logarithm of the time. */
static double refine(const double *x, size_t n, double low, double high, const struct summary *summary)
{
	const double golden = 0.6180339887498949;
	double a = log(low), b = log(high);
	for (int i = 0; i < 20; i++) {
		double c = b - golden * (b - a), d = a + golden * (b - a);
		if (fit_at(x, n, exp(c), summary).squares < fit_at(x, n, exp(d), summary).squares)
			b = d;
		else
			a = c;
	}
	return exp((a + b) / 2);
}

static double residual_autocorrelation(const double *x, size_t n, const struct approach *a)
{
	double before = 0, squares = 0, products = 0, step = exp(-1 / a->time), e = 1;
	for (size_t i = 0; i < n; i++, e *= step) {
		double residual = x[i] - a->level - a->reach * e;
		squares += residual * residual;
		products += before * residual;
		before = residual;
	}
	return squares > 0 ? products / squares : 0;
}

enum stats_status approach_fit(const double *x, size_t n, struct approach *out)
{
	struct summary summary;
	enum stats_status status = summary_of(x, n, &summary);
	if (status != STATS_OK)
		return status;
	if (n < LEAST)
		return STATS_TOO_FEW;
	if (summary.min == summary.max)
		return STATS_CONSTANT;
	double best = 2, least = INFINITY;
	for (double time = 2; time <= (double)n / 2; time *= 1.12) {
		double squares = fit_at(x, n, time, &summary).squares;
		if (squares < least) {
			least = squares;
			best = time;
		}
	}
	struct approach a = {.time = refine(x, n, best / 1.12, best * 1.12, &summary)};
	struct fit fit = fit_at(x, n, a.time, &summary);
	a.level = fit.level;
	a.reach = fit.reach;
	a.squares = fmax(fit.squares, 0);
	double total = summary.variance * ((double)n - 1), r = fmax(0, fmin(residual_autocorrelation(x, n, &a), 0.99));
	double noise = a.squares / ((double)n - 3) * (1 + r) / (1 - r);
	a.gain = noise > 0 ? (total - a.squares) / noise : INFINITY;
	*out = a;
	return STATS_OK;
}

double approach_end(const struct approach *approach, double share)
{
	double rest = fabs(approach->reach) / (share * fabs(approach->level));
	return rest > 1 ? approach->time * log(rest) : 0;
}
