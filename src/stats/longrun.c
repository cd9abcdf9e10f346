/* Long-run variance by an autoregression, corrected for the levels that were taken out.
 *
 *	τ² = Λ/γ₀,  Λ = γ₀ + 2 Σ γ_h = σ²/(1 − Σφ)²  for an AR(p) with coefficients φ and innovation variance σ²
 *
 * (Berk 1974, Annals of Statistics 2:489). Order p by Akaike's criterion n·ln σ² + 2p among
 * 1 … 6(n/100)^¼, coefficients from the Yule-Walker equations by Levinson's recursion; never below what
 * the AR(1) alone gives.
 *
 * Taking the mean of each of k pieces out of n values lowers every autocovariance by about k·Λ/n, and a
 * border that was placed where it fits best lowers them by more (`search`). Left alone this makes
 * autocorrelated noise look whiter, the more so the more borders were fitted, and false alarms with it.
 * So the autocovariances are raised again: γ_h = r_h + Λ(k + search)/n, with Λ from the fit before (the
 * first one from solving the AR(1) relation r₁/r₀ = (ρ − a)/(1 − a), a = (k + search)(1 + ρ)/((1 − ρ)n), with ρ at
 * most 2/√n above what was seen). The order is chosen before that.
 *
 * Assumes short memory: correlation that dies out within a few times the highest order. Slow wandering
 * under white noise needs a long order and some 500 values to be seen; with fewer the factor is too
 * small. With few values per fitted level the correction is large and the factor errs to the high side. */
#include "stats/longrun.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { ORDER_MAX = 20 };

static const double COEFFICIENT_GAP_MIN = 0.03; /* least 1 − Σφ: closer to a unit root cannot be told from n values */
static const double RHO_MAX = 0.97;
static const double RHO_MARGIN = 2; /* standard errors by which the correction may raise a lag-1 correlation */

static unsigned highest_order(size_t n)
{
	unsigned order = (unsigned)(6 * pow((double)n / 100, 0.25));
	if (order > n / 8)
		order = (unsigned)(n / 8);
	if (order > ORDER_MAX)
		order = ORDER_MAX;
	return order < 1 ? 1 : order;
}

static void autocovariances(const double *e, const size_t *ends, size_t segments, unsigned highest, double *r)
{
	size_t n = ends[segments - 1];
	for (unsigned lag = 0; lag <= highest; lag++) {
		double sum = 0;
		size_t start = 0;
		for (size_t k = 0; k < segments; k++) {
			for (size_t i = start + lag; i < ends[k]; i++)
				sum += e[i] * e[i - lag];
			start = ends[k];
		}
		r[lag] = sum / (double)n;
	}
}

static double inflation(double rho)
{
	return (1 + rho) / (1 - rho);
}

/* ρ ≥ 0 of the AR(1) whose lag-1 correlation looks like r after `taken` = (k + search)/n was taken out. */
static double rho_before_fit(double r, double taken)
{
	double low = 0, high = RHO_MAX;
	for (int i = 0; i < 40; i++) {
		double rho = (low + high) / 2, a = taken * inflation(rho);
		if (rho - a < r * (1 - a))
			low = rho;
		else
			high = rho;
	}
	return low;
}

struct ar_fit {
	unsigned order;
	double longrun;
};

/* Levinson's recursion over g[0 … highest]. Keeps the order with the least Akaike criterion, or `order` if not 0. */
static struct ar_fit fit_autoregression(const double *g, unsigned highest, unsigned order, double n)
{
	double phi[ORDER_MAX + 1] = {0}, before[ORDER_MAX + 1], innovation = g[0], least = INFINITY;
	struct ar_fit best = {0, g[0]};
	for (unsigned p = 1; p <= highest && innovation > 0; p++) {
		double reflection = g[p];
		for (unsigned j = 1; j < p; j++)
			reflection -= phi[j] * g[p - j];
		reflection /= innovation;
		memcpy(before, phi, sizeof(before));
		phi[p] = reflection;
		for (unsigned j = 1; j < p; j++)
			phi[j] = before[j] - reflection * before[p - j];
		innovation *= 1 - reflection * reflection;
		double criterion = n * log(innovation) + 2 * p, gap = 1;
		if (order ? p != order : !(criterion < least))
			continue;
		least = criterion;
		for (unsigned j = 1; j <= p; j++)
			gap -= phi[j];
		gap = fmax(gap, COEFFICIENT_GAP_MIN);
		best = (struct ar_fit){p, innovation / (gap * gap)};
	}
	return best;
}

static double skewness(const double *e, size_t n, double variance)
{
	double cubes = 0;
	for (size_t i = 0; i < n; i++)
		cubes += e[i] * e[i] * e[i];
	return cubes / (double)n / (variance * sqrt(variance));
}

void longrun_fit(const double *residuals, const size_t *ends, size_t segments, double search, struct longrun *out)
{
	size_t n = ends[segments - 1];
	double count = (double)n, free_values = count - (double)segments, r[ORDER_MAX + 1], g[ORDER_MAX + 1];
	unsigned highest = highest_order(n);
	autocovariances(residuals, ends, segments, highest, r);
	*out = (struct longrun){.factor = 1};
	if (!(r[0] > 0) || free_values < 1)
		return;
	out->variance = r[0] * count / free_values;
	out->skewness = skewness(residuals, n, r[0]);
	double taken = ((double)segments + search) / count;
	double r1 = r[1] / r[0] * count / free_values;
	double first = inflation(fmin(rho_before_fit(r1, taken), fmax(r1, 0) + RHO_MARGIN / sqrt(count)));
	/* The order from what was seen: raised by a constant, the autocovariances would ask for ever longer ones. */
	struct ar_fit fit = {fit_autoregression(r, highest, 0, count).order, r[0] * first};
	for (int round = 0; round < 2; round++) {
		double raise = fit.longrun * taken;
		for (unsigned lag = 0; lag <= highest; lag++)
			g[lag] = r[lag] + raise * (1 - (double)lag / count);
		fit = fit_autoregression(g, fit.order, fit.order, count);
		fit.longrun = fmin(fit.longrun, LONGRUN_MAX * g[0]);
	}
	bool longer = fit.order > 1 && fit.longrun / g[0] > first;
	out->factor = fmin(fmax(1, longer ? fit.longrun / g[0] : first), LONGRUN_MAX);
	out->order = longer ? fit.order : 1;
}
