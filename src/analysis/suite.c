/* Geometric mean of m ratios with independent errors: ln g = Σ ln r_i / m, with the variance
 * Σ v_i / m². v_i is read back from each interval: half its width in logs over the t quantile at the
 * units' degrees of freedom. The interval uses t at the Welch-Satterthwaite degrees of freedom
 * (Σ v)² / Σ (v_i²/ν_i). Intervals made for many looks are wider than t, so the result errs on the
 * wide side there. The degrees of freedom are those of what the interval rests on: units, or the pairs themselves where
 * pairs are merged to units and only the total has an interval.
 *
 * Ratios that share a base (several commands against the first) have no independent errors and are no suite: no mean.
 *
 * "Moved together": at least 5 benchmarks, the median shift larger than the margin of each and more than
 * three times the spread (1.4826·MAD) of the log ratios around it, and 9 of 10 on its side of 1. Code
 * rarely slows everything alike; another CPU frequency or a neighbour does.
 *
 * Where some metrics are better when they are higher and others when they are lower, their ratios have no mean that
 * says anything; what moved together is then looked for in ratios that are all turned to "above 1 is worse". */
#include "analysis/suite.h"

#include "base/memory.h"
#include "stats/critical.h"
#include "stats/quantile.h"

#include <math.h>

enum { LEAST_FOR_SHIFT = 5 };

static bool usable(const struct comparison *c)
{
	return c->ratio > 0 && isfinite(c->ratio);
}

/* Units or pairs that the interval rests on. */
static size_t resting_on(const struct comparison *c)
{
	const struct confidence *total = &comparison_total(c)->ci;
	bool of_total = c->ci.low == total->low && c->ci.high == total->high;
	return c->block > 0 && of_total ? c->pairs : c->units;
}

static bool has_interval(const struct comparison *c)
{
	return c->ci.low > 0 && isfinite(c->ci.high) && resting_on(c) > 1;
}

/* The confidence that was asked for: among several comparisons the intervals have more. */
static double level_of(const struct result *result)
{
	double least = 1, alpha = result->stopped.alpha;
	for (size_t i = 0; i < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[i];
		if (!isnan(c->confidence))
			return c->confidence;
		least = fmin(least, c->ci.level);
	}
	return alpha > 0 && alpha < 1 ? 1 - alpha : least < 1 ? least : 0.99;
}

static void look_for_shift(struct suite *suite, double *logs, double margin)
{
	size_t n = suite->count, same_side = 0;
	double median, spread;
	if (n < LEAST_FOR_SHIFT || median_of(logs, n, &median) != STATS_OK || mad_of(logs, n, &spread) != STATS_OK)
		return;
	for (size_t i = 0; i < n; i++)
		same_side += (logs[i] > 0) == (median > 0);
	suite->common_shift = exp(median);
	suite->moved_together = fabs(median) > log1p(margin) && fabs(median) > 3 * 1.4826 * spread &&
	                        10 * same_side >= 9 * n;
}

static bool is_higher_better(const struct result *result, const struct comparison *c)
{
	const struct measurement *m = subject_find_metric(&result->subjects[c->base], c->metric);
	return m && m->metric.better == BETTER_HIGHER;
}

void suite_of(const struct result *result, size_t side, struct suite *out)
{
	*out = (struct suite){.ratio = NAN, .common_shift = NAN, .ci = {.level = NAN, .low = NAN, .high = NAN}};
	double *logs = mem_alloc(result->comparison_count, sizeof(*logs));
	double sum = 0, variance = 0, df_sum = 0, margin = 0;
	size_t with_interval = 0, higher = 0, base = SIZE_MAX;
	bool shared = false;
	if (!logs)
		return;
	for (size_t i = 0; i < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[i];
		if (!usable(c) || (side != NO_SIDE && result->subjects[c->new_].side != side))
			continue;
		bool turned = is_higher_better(result, c);
		shared |= c->base == base;
		base = base == SIZE_MAX ? c->base : base;
		higher += turned;
		logs[out->count++] = turned ? -log(c->ratio) : log(c->ratio);
		sum += log(c->ratio);
		margin = c->margin > margin ? c->margin : margin;
		if (!has_interval(c))
			continue;
		with_interval++;
		double df = (double)resting_on(c) - 1;
		double se = (log(c->ci.high) - log(c->ci.low)) / 2 / critical_t(1 - c->ci.level, df);
		variance += se * se;
		df_sum += se * se * se * se / df;
	}
	if (out->count > 0) {
		double m = (double)out->count, df = df_sum > 0 ? variance * variance / df_sum : INFINITY;
		double level = level_of(result);
		double half = variance > 0 ? critical_t(1 - level, fmin(df, 1e6)) * sqrt(variance) / m : 0;
		bool no_mean = shared || (higher > 0 && higher < out->count);
		out->ratio = no_mean ? NAN : exp(sum / m);
		if (with_interval == out->count && !no_mean)
			out->ci = (struct confidence){.level = level,
			                              .low = exp(sum / m - half),
			                              .high = exp(sum / m + half),
			                              .method = "t over these benchmarks"};
		for (size_t i = 0; higher == out->count && i < out->count; i++)
			logs[i] = -logs[i];
		look_for_shift(out, logs, margin);
	}
	mem_free(logs);
}
