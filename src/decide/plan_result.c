/* From a first experiment to a plan, and from an experiment that followed one back to it. */
#include "decide/plan.h"

#include "base/format.h"
#include "stats/comoment.h"
#include "stats/distribution.h"

#include <math.h>
#include <string.h>

enum { PAIRS_MOST = 1000 }; /* runs that the correlation of two is taken of */

/* What a subject is judged by: the one asked for, its own, or the first metric. */
static const struct measurement *judged(const struct subject *subject, const char *metric)
{
	metric = metric ? metric : subject->metric;
	const struct measurement *own = metric ? subject_find_metric(subject, metric) : NULL;
	return own ? own : subject->metric_count > 0 ? &subject->metrics[0] : NULL;
}

static const char *copy(struct repeat_plan *plan, const char *text, bool *failed)
{
	char *own = text ? arena_strdup(&plan->arena, text) : NULL;
	*failed |= text && !own;
	return own;
}

/* False: out of memory. */
static bool take_subject(struct repeat_plan *plan, const struct subject *from, const struct measurement *m,
                         struct plan_subject *to)
{
	bool failed = false;
	double scale = measurement_scale(m);
	*to = (struct plan_subject){.name = copy(plan, subject_title(from), &failed),
	                            .command = copy(plan, from->command, &failed),
	                            .benchmark = copy(plan, from->benchmark, &failed),
	                            .metric = copy(plan, m->metric.name, &failed),
	                            .unit = copy(plan, m->metric.unit, &failed),
	                            .mean = m->mean,
	                            .state = m->steady_why && strcmp(m->steady_why, "given") != 0 ? STEADY_UNKNOWN
	                                                                                          : m->steady,
	                            .skip = m->skip,
	                            .level_count = m->described->level_count,
	                            .half_width = NAN,
	                            .pairing = NAN};
	for (size_t k = 0; k < m->described->level_count; k++) {
		const struct level_share *share = &m->described->levels[k];
		to->levels[k] = (struct plan_level){.level = share->level,
		                                    .members = share->n,
		                                    .cost = share->cost,
		                                    .variance = share->variance / (scale * scale),
		                                    .sd_low = share->sd_ci.low / scale,
		                                    .sd_high = share->sd_ci.high / scale};
	}
	return !failed;
}

/* ---- pairs ---- */

static double run_mean(const struct measurement *m, unsigned level, size_t run)
{
	const struct series *series = &m->series;
	size_t from = series->starts[level][run], to = series->starts[level][run + 1];
	double sum = 0;
	from = to - from > m->skip ? from + m->skip : to - 1;
	for (size_t i = from; i < to; i++)
		sum += series->values[i];
	return sum / (double)(to - from);
}

/* The means of the runs, or of machines those of their runs, without the warm-up; 0 where there are other levels
 * above. */
static size_t outer_means(const struct measurement *m, double *out)
{
	const struct series *series = &m->series;
	size_t n = series->groups[0] < PAIRS_MOST ? series->groups[0] : PAIRS_MOST;
	bool machines = series->levels[0] == LEVEL_MACHINE;
	if (series->depth != (machines ? 3 : 2))
		return 0;
	for (size_t i = 0; i < n; i++) {
		size_t first = machines ? series->starts[0][i] : i, end = machines ? series->starts[0][i + 1] : i + 1;
		out[i] = 0;
		for (size_t run = first; run < end; run++)
			out[i] += run_mean(m, series->depth - 2, run) / (double)(end - first);
	}
	return n;
}

/* Machines by which both sides are slow alike: the variance of their log ratios (the interaction of version and
 * machine, and what noise is left in a machine's mean) over twice the machines' own, at most 1. */
static double machine_pairing(const struct measurement *a, const struct measurement *b)
{
	enum { LEAST = 4 };
	double x[PAIRS_MOST], y[PAIRS_MOST], scale = measurement_scale(a);
	double own = a->described->levels[0].variance / (scale * scale);
	size_t n = outer_means(a, x);
	struct comoment sums = {0};
	if (n < LEAST || outer_means(b, y) != n || !(own > 0))
		return NAN;
	for (size_t i = 0; i < n; i++) {
		if (!(x[i] > 0) || !(y[i] > 0))
			return NAN;
		comoment_add(&sums, (const double[]){log(y[i] / x[i])}, 1);
	}
	return fmin(comoment_covariance(&sums, 0, 0) / (2 * own), 1);
}

/* What is common to the two of a pair is not in their ratio: 1 − r of their variance is left. r is little known from a
 * few pairs, so that one standard error (of Fisher's z) less of it is taken, and at most 0.95. */
static double pairing_of(const struct measurement *a, const struct measurement *b)
{
	enum { LEAST = 8 };
	double x[PAIRS_MOST], y[PAIRS_MOST];
	size_t n = outer_means(a, x);
	struct comoment sums = {0};
	if (n < LEAST || outer_means(b, y) != n)
		return NAN;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]) || !isfinite(y[i]))
			return NAN;
		comoment_add(&sums, (const double[]){x[i], y[i]}, 2);
	}
	double r = comoment_covariance(&sums, 1, 0) /
	           sqrt(comoment_covariance(&sums, 0, 0) * comoment_covariance(&sums, 1, 1));
	return isfinite(r) ? 1 - fmin(fmax(tanh(atanh(r) - 1 / sqrt((double)n - 3)), 0), 0.95) : NAN;
}

/* The one that this one was measured in pairs with: the first of the same benchmark, or for that the second. */
static const struct subject *partner_of(const struct result *first, const struct subject *subject)
{
	for (size_t i = 0; first->design.paired && i < first->subject_count; i++) {
		const struct subject *other = &first->subjects[i];
		bool same = subject->benchmark ? other->benchmark && strcmp(other->benchmark, subject->benchmark) == 0
		                               : !other->benchmark;
		if (other != subject && same)
			return other;
	}
	return NULL;
}

static void dimension(const struct repeat_plan *plan, struct plan_subject *subject)
{
	struct plan_row row;
	bool found = isfinite(plan->budget)
	                 ? plan_budget(subject, plan->budget / (double)plan->subject_count, plan->confidence, &row)
	                 : plan_row(subject, plan->precision, plan->confidence, 0.99, &row);
	if (found)
		plan_take(subject, &row);
}

/* Whether all that a plan lacks of the subject is what its repetitions cost. */
static bool lacks_costs(const struct plan_subject *subject)
{
	bool lacks = false;
	for (size_t k = 0; k < subject->level_count; k++) {
		if (!isfinite(subject->levels[k].variance))
			return false;
		lacks |= !(subject->levels[k].cost > 0 && isfinite(subject->levels[k].cost));
	}
	return lacks;
}

static int no_plan(const struct measurement *meanless, bool costs, struct error *err)
{
	if (meanless)
		return error_full(err, ERROR_NO_DATA, NULL,
		                  "find out how it came about, or plan for another number with --metric",
		                  "the values of %.100s have no %s mean to plan by: one is zero or below",
		                  meanless->metric.name, mean_kind_name(meanless->mean_kind));
	if (costs) {
		return error_full(
			err, ERROR_NO_DATA, NULL,
			"say it: --cost run=3.3s,iteration=0.12s; results of tare's own runs have them: 'tare plan' with the "
			"command, or --from such a result",
			"the first experiment does not say how long a repetition of each level takes, and a plan weighs these costs");
	}
	return error_full(err, ERROR_NO_DATA, NULL, "give it more time with --max-time, or fewer levels with --levels",
	                  "the first experiment shows too little to plan by: it needs two repetitions of every level");
}

int plan_from_result(struct repeat_plan *plan, const struct result *first, const char *metric, struct error *err)
{
	size_t count = 0;
	bool costs = false;
	const struct measurement *meanless = NULL;
	plan->subjects = arena_alloc(&plan->arena, first->subject_count + 1, sizeof(*plan->subjects));
	if (!plan->subjects)
		return error_memory(err);
	for (size_t i = 0; i < first->subject_count; i++) {
		const struct subject *subject = &first->subjects[i];
		const struct measurement *m = judged(subject, metric);
		if (m && m->n > 0 && m->mean_kind != MEAN_ARITHMETIC && isnan(m->mean))
			meanless = m;
		if (!m || m->n < 2 || m->mean == 0 || !isfinite(m->mean))
			continue;
		if (!take_subject(plan, subject, m, &plan->subjects[count]))
			return error_memory(err);
		const struct subject *partner = partner_of(first, subject);
		const struct measurement *beside = partner ? judged(partner, metric) : NULL;
		if (beside)
			plan->subjects[count].pairing = m->described->level_count > 0 &&
			                                        m->described->levels[0].level == LEVEL_MACHINE
			                                    ? machine_pairing(m, beside)
			                                    : pairing_of(m, beside);
		bool planned = plan_dimension(&plan->subjects[count]);
		costs |= !planned && lacks_costs(&plan->subjects[count]);
		count += planned;
	}
	plan->subject_count = count;
	for (size_t i = 0; i < count; i++)
		dimension(plan, &plan->subjects[i]);
	plan->elapsed = first->elapsed;
	return count > 0 ? 0 : no_plan(meanless, costs, err);
}

/* ---- after an experiment that followed it ---- */

static int warn_of_subject(struct result *result, const struct subject *subject, struct error *err)
{
	return result_about_warn(
			   result, "plan-subjects", subject_title(subject),
			   "the plan was made for other subjects and says nothing about this one; 'tare plan' makes one that does") ==
	               0
	           ? 0
	           : error_memory(err);
}

/* The variance of units as the plan expected it: with the counts that they really had. */
static double expected_variance(const struct plan_subject *plan, const struct measurement *m)
{
	double variance = 0, members = 1;
	for (size_t k = 0; k < plan->level_count; k++) {
		for (size_t i = 0; k > 0 && i < m->described->level_count; i++)
			if (m->described->levels[i].level == plan->levels[k].level)
				members *= m->described->levels[i].n;
		variance += fmax(plan->levels[k].variance, 0) / members;
	}
	return variance;
}

/* Units vary more or less than the first experiment can explain: F at 1 %. */
static int check_variance(struct result *result, const struct subject *subject, const struct measurement *m,
                          const struct plan_subject *plan, struct error *err)
{
	double expected = expected_variance(plan, m), scale = measurement_scale(m), seen = m->sd / scale * (m->sd / scale);
	double df = (double)m->units - 1, df_plan = plan->levels[0].members - 1;
	char was[FORMAT_MAX], now[FORMAT_MAX];
	if (!(expected > 0) || !(seen >= 0) || df < 2 || df_plan < 2 || m->unit != plan->levels[0].level)
		return 0;
	double p = f_upper_tail(seen / expected, df, df_plan);
	if (p > 0.005 && p < 0.995)
		return 0;
	double a = sqrt(expected), b = sqrt(seen);
	return result_about_warn(
			   result, "plan-stale", subject_title(subject),
			   "%ss vary by %s where the plan expected %s; the interval is from these %ss all the same, make a new plan",
			   level_name(m->unit), format_percent(now, sizeof(now), b, b, 0),
			   format_percent(was, sizeof(was), a, a, 0), level_name(m->unit)) == 0
	           ? 0
	           : error_memory(err);
}

static int check_costs(struct result *result, const struct subject *subject, const struct measurement *m,
                       const struct plan_subject *plan, struct error *err)
{
	char was[FORMAT_MAX], now[FORMAT_MAX];
	for (size_t k = 0; k < plan->level_count; k++)
		for (size_t i = 0; i < m->described->level_count; i++) {
			double before = plan->levels[k].cost, after = m->described->levels[i].cost;
			if (m->described->levels[i].level != plan->levels[k].level || !(after > 0) || !(before > 0) ||
			    (after < 2.5 * before && before < 2.5 * after))
				continue;
			if (result_about_warn(result, "plan-stale", subject_title(subject),
			                      "a %s takes %s where the plan expected %s; make a new plan",
			                      level_name(m->described->levels[i].level),
			                      format_duration(now, sizeof(now), (int64_t)(after * 1e9)),
			                      format_duration(was, sizeof(was), (int64_t)(before * 1e9))) != 0)
				return error_memory(err);
		}
	return 0;
}

int plan_check(const struct repeat_plan *plan, struct result *result, struct error *err)
{
	if (plan->elsewhere &&
	    result_warn(result, "plan-machine", "the plan was made on another machine (%s); make a new plan here",
	                plan->elsewhere) != 0)
		return error_memory(err);
	for (size_t i = 0; i < result->subject_count; i++) {
		const struct subject *subject = &result->subjects[i];
		const struct plan_subject *planned = plan_find(plan, subject->benchmark, subject->command);
		if (!planned) {
			if (warn_of_subject(result, subject, err) != 0)
				return -1;
			continue;
		}
		const struct measurement *m = judged(subject, planned->metric);
		if (!m || m->n == 0)
			continue;
		if (check_variance(result, subject, m, planned, err) != 0 || check_costs(result, subject, m, planned, err) != 0)
			return -1;
	}
	return 0;
}
