/* The steps of a look:
 *
 *  1. Warm-up: change points of the level (stats/changepoint.h, α = 0.01, least segment 5); readings before the last one are
 *     left out, and as many as the least number must follow it: chance makes a change now and then, and few readings hide that
 *     they are correlated. "Drop the first k" is no law.
 *  2. Readings of 0 and 1 alone are a proportion: Clopper and Pearson, and its half-width in percentage points.
 *  3. Equal readings are perfectly stable: the interval has no width, and five are enough where no number was asked for.
 *  4. y = x, 1/x or ln x by the kind of mean. Strict: when r₁ is under its one-sided 31 % point (mean −1/n, sd about
 *     1/√n) the readings count as independent: ȳ ± t·√(1 + 5/n)·s/√n. Otherwise they must be worth 30 independent ones
 *     by r = r₁ + (1 + 3r₁)/n (Kendall) and leave ten subsessions at the limit asked for: ȳ ± t₈·√(1 + 10/n_e)·se by eight
 *     cosines (stats/ewc.h). Guard: t·√(1 + 5/n) times the factor of stats/runcorr.h.
 *
 * A low threshold costs independent readings little (three sessions of ten measure longer) and is what keeps AR(0.5) at
 * 28 readings covered: at 10 % one in ten is missed there. A level that lasts longer than the session cannot be seen by
 * any rule: 40 readings of warm-up take a session of more than 40. tests/coverage/replay.c has the rates. */
#include "decide/readings.h"

#include "base/memory.h"
#include "stats/changepoint.h"
#include "stats/critical.h"
#include "stats/ewc.h"
#include "stats/proportion.h"
#include "stats/runcorr.h"
#include "stats/subsession.h"
#include "stats/summary.h"

#include <math.h>

enum { LEAST_SEGMENT = 5, ENOUGH_EQUAL = 5 };

static const double least_effective = 30, independent_z = 0.5;

struct readings_rule readings_rule_for(const struct experiment *e, const struct performance_index *pi)
{
	static const struct {
		double precision, autocorrelation;
		size_t least, least_rounds;
	} presets[] = {
		[PRESET_NONE] = {NAN, 0.1, 10, 10},
		[PRESET_QUICK] = {0.1, 0.8, 28, 5},
		[PRESET_NORMAL] = {0.05, 0.2, 45, 10},
		[PRESET_STRICT] = {0.05, 0.1, 100, 20},
	};
	bool averages = pi->units || e->preset == PRESET_NONE;
	struct readings_rule rule = {
		.mean = pi->mean,
		.precision = !isnan(pi->precision)                            ? pi->precision
	                 : e->precision_given || e->preset == PRESET_NONE ? e->precision
	                                                                  : presets[e->preset].precision,
		.level = isnan(pi->confidence) ? experiment_confidence_one(e) : pi->confidence,
		.autocorrelation = isnan(pi->autocorrelation) ? presets[e->preset].autocorrelation : pi->autocorrelation,
		.least = e->min_runs_given ? e->min_runs
	             : averages        ? presets[e->preset].least_rounds
	                               : presets[e->preset].least,
		.asked = e->min_runs_given ? e->min_runs : 0,
		.strict = !averages,
		.once = e->stop == STOP_FIXED && !e->earlier, /* what is gone on with was looked at */
	};
	rule.least = rule.least < 2 ? 2 : rule.least;
	return rule;
}

const char *readings_wait_words(enum readings_wait wait)
{
	switch (wait) {
	case READINGS_ENOUGH: return "enough";
	case READINGS_FEW: return "too few readings";
	case READINGS_WARMUP: return "the level changed a short while ago";
	case READINGS_DEPENDENT: return "consecutive readings are correlated: more of them are needed";
	case READINGS_WIDE: return "the interval is wider than requested";
	case READINGS_UNFIT: return "the mean is not defined for these readings";
	}
	return "";
}

size_t readings_next_look(size_t n)
{
	return n + 1 + n / 20;
}

/* The last change of level that the readings show. */
static enum stats_status find_warmup(const double *x, size_t n, size_t *from)
{
	struct changepoint_options options = {0.01, LEAST_SEGMENT};
	struct changepoints found;
	enum stats_status status = changepoint_find(x, n, &options, NULL, 0, &found);
	if (status != STATS_OK)
		return status;
	*from = found.count ? found.points[found.count - 1].at : 0;
	changepoints_release(&found);
	return STATS_OK;
}

static bool is_proportion(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (x[i] != 0 && x[i] != 1)
			return false;
	return n > 0;
}

static void take_proportion(const double *x, const struct readings_rule *rule, struct readings *out)
{
	size_t successes = 0;
	struct interval interval;
	for (size_t i = 0; i < out->used; i++)
		successes += x[i] == 1;
	out->mean = (double)successes / (double)out->used;
	if (proportion_clopper_pearson(successes, out->used, rule->level, &interval) != STATS_OK)
		return;
	double half = (interval.high - interval.low) / 2;
	out->low = interval.low;
	out->high = interval.high;
	out->method = "Clopper-Pearson";
	out->wait = out->used < rule->least && !rule->once ? READINGS_FEW
	            : half <= rule->precision              ? READINGS_ENOUGH
	                                                   : READINGS_WIDE;
	double needed = (double)out->used * half / rule->precision * half / rule->precision;
	out->missing = fmax(fmax(needed, (double)rule->least) - (double)out->used, 0);
}

/* y = x, 1/x or ln x. */
static enum stats_status transform(const double *x, size_t n, enum mean_kind mean, double *y)
{
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]))
			return STATS_NOT_FINITE;
		if (mean != MEAN_ARITHMETIC && !(x[i] > 0))
			return STATS_NOT_POSITIVE;
		y[i] = mean == MEAN_HARMONIC ? 1 / x[i] : mean == MEAN_GEOMETRIC ? log(x[i]) : x[i];
	}
	return STATS_OK;
}

static void back(enum mean_kind kind, double mean, double half, struct readings *out)
{
	switch (kind) {
	case MEAN_HARMONIC:
		out->mean = 1 / mean;
		out->low = 1 / (mean + half);
		out->high = half >= mean ? INFINITY : 1 / (mean - half);
		return;
	case MEAN_GEOMETRIC:
		out->mean = exp(mean);
		out->low = exp(mean - half);
		out->high = exp(mean + half);
		return;
	case MEAN_ARITHMETIC:
		out->mean = mean;
		out->low = mean - half;
		out->high = mean + half;
	}
}

/* Half-width of the mean of y as that of a series; NaN while it is worth too little. */
static double series_half_width(const double *y, const struct readings_rule *rule, struct readings *out)
{
	double se, alpha = 1 - rule->level;
	out->dependent = true;
	if (out->effective < least_effective || out->subsession == 0 || ewc_standard_error(y, out->used, &se) != STATS_OK)
		return NAN;
	out->method = "eight cosines, precision stop";
	return critical_t(alpha, EWC_COSINES) * (rule->once ? 1 : sqrt(1 + 10 / out->effective)) * se;
}

static double half_width(const double *y, const struct summary *summary, const struct readings_rule *rule,
                         struct readings *out)
{
	double n = (double)summary->n, alpha = 1 - rule->level, r = out->autocorrelation;
	double c = rule->once ? critical_t(alpha, n - 1) : critical_precision(alpha, n, n - 1);
	double se = sqrt(summary->variance / n);
	out->method = rule->once ? "t" : "precision stop";
	if (rule->strict) {
		double threshold = independent_z * (n - 2) / (n * sqrt(n - 1)) - 1 / n;
		if (!(r > threshold))
			return c * se;
		double corrected = fmin(0.97, r + (1 + 3 * r) / n);
		out->effective = fmin(n, n * (1 - corrected) / (1 + corrected));
		return series_half_width(y, rule, out);
	}
	/* Fewer say nothing about each other. */
	double factor = n >= LEAST_SEGMENT ? runcorr_factor(r, n) : 1;
	out->dependent = factor > 1;
	out->effective = n / (factor * factor);
	return c * factor * se;
}

/* Where a mean with an interval is: is it short enough, and what is missing. */
static void judge(const struct readings_rule *rule, struct readings *out)
{
	double used = (double)out->used, least = (double)rule->least;
	double half = (out->high - out->low) / 2, target = rule->precision * fabs(out->mean);
	out->wait = half <= target ? READINGS_ENOUGH : READINGS_WIDE;
	double needed = half <= target ? used : target > 0 ? used * (half / target) * (half / target) : INFINITY;
	if ((double)out->n < least && !rule->once)
		out->wait = READINGS_FEW;
	out->missing = fmax(fmax(needed - used, least - (double)out->n), 0);
}

static bool look_at_used(const double *x, const struct readings_rule *rule, struct readings *out)
{
	struct summary summary;
	struct subsession subsession;
	double *y = mem_alloc(out->used, sizeof(*y));
	if (!y)
		return false;
	out->unfit = transform(x, out->used, rule->mean, y);
	if (out->unfit == STATS_OK)
		out->unfit = summary_of(y, out->used, &summary);
	if (out->unfit != STATS_OK) {
		out->wait = READINGS_UNFIT;
		mem_free(y);
		return true;
	}
	back(rule->mean, summary.mean, NAN, out);
	if (summary.min == summary.max && out->used >= 2) {
		double few = fmax((double)ENOUGH_EQUAL - (double)out->used, (double)rule->asked - (double)out->n);
		bool enough = few <= 0 || rule->once;
		out->low = out->high = out->mean;
		out->method = "all readings are equal";
		out->subsession = 1;
		out->autocorrelation = 0;
		out->wait = enough ? READINGS_ENOUGH : READINGS_FEW;
		out->missing = enough ? 0 : few;
	} else if (out->used >= 2) {
		out->autocorrelation = subsession_at(y, out->used, 1, &subsession) == STATS_OK ? subsession.autocorrelation : 0;
		if (subsession_find(y, out->used, rule->autocorrelation, &subsession) == STATS_OK)
			out->subsession = subsession.size;
		double half = half_width(y, &summary, rule, out);
		if (isnan(half)) {
			out->wait = READINGS_DEPENDENT;
			out->missing = (double)out->used * fmax(least_effective / out->effective - 1, 0.1);
		} else {
			back(rule->mean, summary.mean, half, out);
			judge(rule, out);
		}
	}
	mem_free(y);
	return true;
}

bool readings_look(const double *x, size_t n, const struct readings_rule *rule, struct readings *out)
{
	struct readings now = {
		.wait = READINGS_FEW, .mean = NAN, .low = NAN, .high = NAN, .autocorrelation = NAN, .missing = INFINITY};
	double *kept = mem_alloc(n, sizeof(*kept));
	if (!kept)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isnan(x[i]))
			kept[now.n++] = x[i];
	enum stats_status status = STATS_OK;
	bool proportion = is_proportion(kept, now.n), fine = true;
	if (now.n > 0 && !proportion)
		status = find_warmup(kept, now.n, &now.from);
	now.used = now.n - now.from;
	now.effective = (double)now.used;
	/* What comes after a change must itself be long enough to be believed. */
	size_t after = rule->least > LEAST_SEGMENT ? rule->least : LEAST_SEGMENT;
	if (status == STATS_NO_MEMORY) {
		fine = false;
	} else if (status != STATS_OK) {
		now.wait = READINGS_UNFIT;
		now.unfit = status;
	} else if (proportion) {
		take_proportion(kept, rule, &now);
	} else if (now.n > 0) {
		fine = look_at_used(kept + now.from, rule, &now);
		if (now.from > 0 && now.used < after && now.wait != READINGS_UNFIT) {
			now.wait = READINGS_WARMUP;
			now.missing = fmax(isfinite(now.missing) ? now.missing : 0, (double)(after - now.used));
		}
	}
	mem_free(kept);
	if (fine)
		*out = now;
	return fine;
}
