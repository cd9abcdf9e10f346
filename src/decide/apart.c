/* Fieller's interval of independent means with the smaller count and degrees of freedom of the two, by the constant for
 * how often one looks (docs/methods.md, "Stopping"). Welch's p is that of equation 8 of Li et al. (2016); it allows for
 * one look alone, so it is shown and does not decide.
 *
 * Assumes that merged neighbours are independent, and that the machine was the same for both: nobody can check the
 * second from the data. */
#include "decide/apart.h"

#include "base/memory.h"
#include "stats/fieller.h"
#include "stats/runcorr.h"
#include "stats/subsession.h"
#include "stats/welch.h"

#include <math.h>

enum { LEAST_READINGS = 3 };

/* Harmonic means are compared by the means of reciprocals, geometric ones by those of logarithms. */
static double turned(double x, enum mean_kind kind)
{
	if (kind == MEAN_ARITHMETIC)
		return x;
	return !(x > 0) ? NAN : kind == MEAN_HARMONIC ? 1 / x : log(x);
}

static enum stats_status side_of(double *x, size_t n, double limit, struct apart_side *out)
{
	struct subsession subsession;
	struct summary summary;
	struct runcorr alike = {.factor = 1};
	size_t size = 1;
	enum stats_status found = subsession_find(x, n, limit, &subsession);
	if (found == STATS_NO_MEMORY)
		return found;
	if (found == STATS_OK && n / subsession.size >= LEAST_READINGS)
		size = subsession.size;
	else if (runcorr_of(x, n, &alike) != STATS_OK)
		alike.factor = 1;
	subsession_means(x, n, size, x);
	enum stats_status status = summary_of(x, n / size, &summary);
	if (status != STATS_OK)
		return status;
	double count = (double)summary.n;
	*out = (struct apart_side){.mean = summary.mean,
	                           .variance = summary.variance / count * alike.factor * alike.factor,
	                           .runs = count,
	                           .df = count - 1,
	                           .merged = found == STATS_OK ? size : 0};
	return STATS_OK;
}

enum stats_status apart_readings(const double *x, size_t n, enum mean_kind kind, double limit, struct apart_side *out)
{
	double *kept = mem_alloc(n, sizeof(*kept));
	size_t count = 0;
	if (!kept)
		return STATS_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		double value = turned(x[i], kind);
		if (!isnan(value))
			kept[count++] = value;
		else if (!isnan(x[i])) {
			mem_free(kept);
			return STATS_NOT_POSITIVE;
		}
	}
	enum stats_status status = count < LEAST_READINGS ? STATS_TOO_FEW : side_of(kept, count, limit, out);
	mem_free(kept);
	return status;
}

static bool interval_at(const struct fieller *means, const struct apart_rule *rule, double alpha, double runs,
                        double df, double *ratio, struct interval *out)
{
	double c = critical_value(rule->looks, alpha, runs, df);
	if (rule->kind != MEAN_GEOMETRIC)
		return fieller_interval(means, c, ratio, out) == STATS_OK;
	double distance = means->new_ - means->base, half = c * sqrt(means->base_variance + means->new_variance);
	*ratio = exp(distance);
	*out = (struct interval){exp(distance - half), exp(distance + half)};
	return isfinite(half);
}

static double welch_p(const struct apart_side *a, const struct apart_side *b)
{
	struct summary first = {.n = (size_t)a->runs, .mean = a->mean, .variance = a->variance * a->runs};
	struct summary second = {.n = (size_t)b->runs, .mean = b->mean, .variance = b->variance * b->runs};
	struct welch test;
	return welch_from(&first, &second, 0.95, &test) == STATS_OK ? test.p : NAN;
}

void apart_compare(const struct apart_side *base, const struct apart_side *new_, const struct apart_rule *rule,
                   struct apart *out)
{
	bool harmonic = rule->kind == MEAN_HARMONIC; /* more of a reciprocal is less */
	const struct apart_side *lower = harmonic ? new_ : base, *upper = harmonic ? base : new_;
	struct fieller means = {lower->mean, upper->mean, lower->variance, upper->variance, 0};
	double runs = fmin(base->runs, new_->runs), df = fmin(base->df, new_->df);
	struct interval wide, near;
	/* Of negative means a ratio does not say which is larger. */
	bool negative = rule->kind == MEAN_ARITHMETIC && (base->mean < 0 || new_->mean < 0);
	double ratio = negative                       ? NAN
	               : rule->kind == MEAN_GEOMETRIC ? exp(new_->mean - base->mean)
	                                              : upper->mean / lower->mean;
	struct apart now = {
		.verdict = VERDICT_UNDECIDED, .ratio = ratio, .low = NAN, .high = NAN, .p = welch_p(base, new_)};
	if (!negative && interval_at(&means, rule, rule->alpha, runs, df, &now.ratio, &wide)) {
		now.low = wide.low;
		now.high = wide.high;
		bool above = wide.low > 1, below = wide.high < 1;
		if (above || below)
			now.verdict = above == rule->higher_is_better ? VERDICT_FASTER : VERDICT_SLOWER;
		else if (interval_at(&means, rule, fmin(2 * rule->alpha, 0.5), runs, df, &now.ratio, &near) &&
		         near.low >= 1 / (1 + rule->margin) && near.high <= 1 + rule->margin)
			now.verdict = VERDICT_SAME;
	}
	*out = now;
}
