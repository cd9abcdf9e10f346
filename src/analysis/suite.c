/* Geometric mean of m ratios with independent errors: ln g = Σ ln r_i / m, with the variance
 * Σ v_i / m². v_i is read back from each interval: half its width in logs over the t quantile at the
 * units' degrees of freedom. The interval uses t at the Welch-Satterthwaite degrees of freedom
 * (Σ v)² / Σ (v_i²/ν_i). Intervals made for many looks are wider than t, so the result errs on the
 * wide side there.
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
#include <string.h>

enum { LEAST_FOR_SHIFT = 5 };

static bool usable(const struct comparison *c)
{
	return c->ratio > 0 && isfinite(c->ratio);
}

static bool has_interval(const struct comparison *c)
{
	return c->ci.low > 0 && isfinite(c->ci.high) && c->units > 1;
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

void suite_of(const struct result *result, double level, size_t side, struct suite *out)
{
	*out = (struct suite){.ratio = NAN, .common_shift = NAN, .ci = {.level = NAN, .low = NAN, .high = NAN}};
	double *logs = mem_alloc(result->comparison_count, sizeof(*logs));
	double sum = 0, variance = 0, df_sum = 0, margin = 0;
	size_t with_interval = 0, higher = 0;
	if (!logs)
		return;
	for (size_t i = 0; i < result->comparison_count; i++) {
		const struct comparison *c = &result->comparisons[i];
		if (!usable(c) || (side != NO_SIDE && result->subjects[c->new_].side != side))
			continue;
		bool turned = is_higher_better(result, c);
		higher += turned;
		logs[out->count++] = turned ? -log(c->ratio) : log(c->ratio);
		sum += log(c->ratio);
		margin = c->margin > margin ? c->margin : margin;
		if (!has_interval(c))
			continue;
		with_interval++;
		double df = (double)c->units - 1;
		double se = (log(c->ci.high) - log(c->ci.low)) / 2 / critical_t(1 - c->ci.level, df);
		variance += se * se;
		df_sum += se * se * se * se / df;
	}
	if (out->count > 0) {
		double m = (double)out->count, df = df_sum > 0 ? variance * variance / df_sum : INFINITY;
		double half = variance > 0 ? critical_t(1 - level, fmin(df, 1e6)) * sqrt(variance) / m : 0;
		bool mixed = higher > 0 && higher < out->count;
		out->ratio = mixed ? NAN : exp(sum / m);
		if (with_interval == out->count && !mixed)
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
