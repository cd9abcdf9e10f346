/* What one look says of each part.
 *
 *	typical  exp(T̄ ± (c·s_T/√R + 0.6·q/t))     q = clock step, t = the smaller median time
 *	total    Fieller over pairs, or the side-adjusted log ratio, with c; widened by the clock's term
 *	share    runs with iterations: d̄ ± c·√(v/R); single runs: exact, from counts (stats/share.h); at the j-th of many
 *	         looks at 1/(j(j + 1)) of its alpha, which adds up to all of it
 *
 * A part excludes no effect at alpha where the interval does, so the smallest such alpha is a p value that allows for
 * the looks. A total also needs a bounded interval. Of every alpha these pairs have their share, `weight`, where others
 * were looked at before and left out: the errors of all phases add up to alpha. */
#include "stats/verdict_parts.h"

#include <math.h>

double parts_weight_of_total(const struct verdict_evidence *evidence)
{
	return evidence->paired ? 0.5 : 1;
}

static double phase_weight(const struct verdict_evidence *evidence)
{
	return evidence->weight > 0 ? evidence->weight : 1;
}

static double critical_of(const struct verdict_evidence *evidence, double alpha, double runs, double df)
{
	return critical_value(evidence->rule, alpha * phase_weight(evidence), runs, df);
}

static double p_of(const struct verdict_evidence *evidence, double t, double runs, double df)
{
	return fmin(1, critical_p_value(evidence->rule, t, runs, df) / phase_weight(evidence));
}

/* A total without pairs has the correlation of its units in the inflation, one with pairs in its variance. */
static double total_inflation(const struct verdict_evidence *evidence)
{
	return evidence->paired ? 1 : evidence->inflation;
}

/* estimate ± c·se ± extra; no bound when c is infinite, even with se = 0. */
static struct interval around(double estimate, double c, double se, double extra)
{
	double half = isinf(c) ? INFINITY : c * se + extra;
	return (struct interval){estimate - half, estimate + half};
}

/* An interval that no double can hold has no bound. */
static enum stats_status bounded(enum stats_status status, struct interval *interval)
{
	if (status != STATS_OK || (isfinite(interval->low) && isfinite(interval->high)))
		return status;
	*interval = (struct interval){-INFINITY, INFINITY};
	return STATS_UNBOUNDED;
}

enum stats_status parts_total(const struct verdict_evidence *evidence, double alpha, double *c, struct interval *out)
{
	const struct total *total = &evidence->total;
	double ratio;
	*c = total_inflation(evidence) * critical_of(evidence, alpha, total->runs, total->df);
	enum stats_status status = total_interval(total, *c, &ratio, out);
	if (status == STATS_OK) {
		out->low *= exp(out->low > 0 ? -evidence->total_clock : evidence->total_clock);
		out->high *= exp(evidence->total_clock);
	}
	return bounded(status, out);
}

enum stats_status parts_typical(const struct verdict_evidence *evidence, double alpha, double *c, struct interval *out)
{
	const struct verdict_mean *typical = &evidence->typical;
	*c = evidence->inflation * critical_of(evidence, alpha, typical->runs, typical->df);
	struct interval logs = around(typical->mean, *c, typical->se, typical->extra);
	*out = (struct interval){exp(logs.low), exp(logs.high)};
	return bounded(isinf(*c) ? STATS_UNBOUNDED : STATS_OK, out);
}

/* What the counts of one look have of alpha. */
static double look_weight(const struct verdict_evidence *evidence)
{
	double looks = (double)evidence->share_looks;
	return phase_weight(evidence) * (looks > 0 ? 1 / (looks * (looks + 1)) : 1);
}

enum stats_status parts_share(const struct verdict_evidence *evidence, double alpha, double *c, struct interval *out)
{
	*c = NAN;
	if (evidence->share_kind == SHARE_COUNTED)
		return share_exact(&evidence->counts, alpha * look_weight(evidence), out);
	*c = evidence->inflation * critical_of(evidence, alpha, evidence->share.runs, evidence->share.df);
	*out = around(evidence->share.mean, *c, evidence->share.se, 0);
	return isinf(*c) ? STATS_UNBOUNDED : STATS_OK;
}

/* The p of a total's t, not below the p at which its interval is bounded at all. */
static double p_of_total(const struct verdict_evidence *evidence, double t)
{
	const struct total *total = &evidence->total;
	double least = fmin(t, total_bound(total)) / total_inflation(evidence);
	return least > 0 ? p_of(evidence, least, total->runs, total->df) : 1;
}

static double p_of_mean(const struct verdict_evidence *evidence, const struct verdict_mean *mean, double beyond)
{
	if (!(beyond > 0))
		return 1;
	double t = mean->se > 0 ? beyond / mean->se : INFINITY;
	return p_of(evidence, t / evidence->inflation, mean->runs, mean->df);
}

double parts_total_beyond_p(const struct verdict_evidence *evidence, int sign, double limit)
{
	return p_of_total(evidence, sign * total_t(&evidence->total, limit * exp(sign * evidence->total_clock)));
}

double parts_total_p(const struct verdict_evidence *evidence)
{
	return fmin(parts_total_beyond_p(evidence, 1, 1), parts_total_beyond_p(evidence, -1, 1));
}

double parts_typical_beyond_p(const struct verdict_evidence *evidence, int sign, double limit)
{
	const struct verdict_mean *typical = &evidence->typical;
	if (!typical->known)
		return 1;
	double beyond = sign * (typical->mean - log(limit)) - typical->extra;
	return p_of_mean(evidence, typical, beyond);
}

double parts_typical_p(const struct verdict_evidence *evidence)
{
	return fmin(parts_typical_beyond_p(evidence, 1, 1), parts_typical_beyond_p(evidence, -1, 1));
}

double parts_share_p(const struct verdict_evidence *evidence)
{
	switch (evidence->share_kind) {
	case SHARE_OF_RUNS: return p_of_mean(evidence, &evidence->share, fabs(evidence->share.mean));
	case SHARE_COUNTED: return fmin(1, share_exact_p(&evidence->counts) / look_weight(evidence));
	default: return 1;
	}
}

/* The exact interval has no formula for it: halving in the logarithm of alpha. */
static double counted_beyond_p(const struct verdict_evidence *evidence, double limit)
{
	const struct share_counts *counts = &evidence->counts;
	struct interval interval;
	double low = -60, high = 0;
	if (((double)counts->only_new - (double)counts->only_base) / (double)counts->pairs <= limit)
		return 1;
	for (int i = 0; i < 40; i++) {
		double middle = (low + high) / 2;
		bool beyond = share_exact(counts, exp(middle), &interval) == STATS_OK && interval.low > limit;
		*(beyond ? &high : &low) = middle;
	}
	return fmin(1, exp(high) / look_weight(evidence));
}

double parts_share_beyond_p(const struct verdict_evidence *evidence, double limit)
{
	switch (evidence->share_kind) {
	case SHARE_OF_RUNS: return p_of_mean(evidence, &evidence->share, evidence->share.mean - limit);
	case SHARE_COUNTED: return counted_beyond_p(evidence, limit);
	default: return 1;
	}
}
