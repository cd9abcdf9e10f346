/* Rounds of different work have no mean. What can be compared is the time of a unit of work, the slope of the line, as
 * a session does that measures both (session/work.c).
 *
 * Slope and standard error come from the speed and its interval: half of [1/high, 1/low] is c·se, and se is taken as
 * that half over t(n − 2). What the looks of the session widened stays in it, and one look follows. A line through n
 * rounds has the degrees of freedom of a mean of n − 1 values, and is given to the verdict rule as that.
 *
 * Assumes that the machine was the same for both. */
#include "analysis/slopes.h"

#include "analysis/numbers.h"
#include "stats/critical.h"

#include <string.h>

enum { LEAST_ROUNDS = 4, FEW_ROUNDS = 10 };

static bool slope_of(const struct work_result *work, struct running *out)
{
	const struct confidence *ci = &work->speed_ci;
	if (work->refused || work->used < LEAST_ROUNDS || !(work->speed > 0) || !(ci->low > 0) || !(ci->high >= ci->low) ||
	    !(ci->level > 0 && ci->level < 1))
		return false;
	double n = (double)work->used - 1;
	double se = (1 / ci->low - 1 / ci->high) / 2 / critical_t(1 - ci->level, n - 1);
	*out = (struct running){.n = work->used - 1, .mean = 1 / work->speed, .squares = se * se * n * (n - 1)};
	return true;
}

/* Why the two cannot be compared by their lines; NULL: they can. */
static const char *obstacle(const struct work_result *base, const struct work_result *new_, const char *metric)
{
	if (!base || !new_)
		return "rounds of different work have no mean, and one of them has no line: measure both with --work";
	if (strcmp(work_result_metric(base), work_result_metric(new_)) != 0)
		return "their lines are of different times: measure both with the same --metric";
	if (strcmp(work_result_metric(base), metric) != 0)
		return "rounds of different work have no mean: they are compared by the time of their lines";
	return strcmp(base->unit, new_->unit) != 0 ? "their work is in different units" : NULL;
}

int slopes_compare(struct result *result, struct comparison *comparison, const struct analysis_options *options,
                   struct judged *judged, struct error *err)
{
	const struct work_result *a = result->subjects[comparison->base].work, *b = result->subjects[comparison->new_].work;
	struct verdict_options rule = verdict_defaults(1 - options->confidence);
	struct running base, new_;
	const char *why = obstacle(a, b, comparison->metric);
	if (!why && !(slope_of(a, &base) && slope_of(b, &new_)))
		why = "one of them has no line";
	rule.margin = options->margin;
	rule.rule = CRITICAL_FIXED;
	rule.least_pairs = LEAST_ROUNDS - 1;
	enum stats_status status = why ? STATS_NOT_DEFINED : verdict_unpaired(&base, &new_, &rule, &judged->numbers);
	judged->rule = (struct judge_options){.verdict = rule};
	judged->method = "Fieller over the slopes of two lines";
	if (status != STATS_OK) {
		numbers_unknown(result, comparison, why ? why : stats_status_text(status));
		return 0;
	}
	if (numbers_fill(result, comparison, judged, err) != 0)
		return -1;
	comparison->units = a->used < b->used ? a->used : b->used;
	comparison->quick = comparison->units < FEW_ROUNDS;
	return 0;
}
