/* What each level of repetition adds to the spread, and what an interval that ignored it would have claimed.
 *
 * The interval of the mean is over the outermost level with two members or more, also where that level shows no
 * variance: that an estimate of T² comes out at 0 or below does not show that there is none, and dropping the level
 * just where it happens to look small would make intervals too short. What taking the members of the next level for
 * independent would have claimed stands beside it. */
#include "analysis/work.h"
#include "stats/critical.h"
#include "stats/interval.h"
#include "stats/variance.h"

#include <math.h>

/* The t interval over all members of level index `below`, as if nothing stood above them. */
static int claim(struct work *work, unsigned below, double level, struct confidence *out, struct error *err)
{
	const struct nested *values = &work->kept.values;
	struct kept_units units;
	struct summary summary;
	struct interval interval;
	if (below + 1 == values->depth) {
		*out = work->described.pooled_ci;
		return 0;
	}
	if (kept_units_init(&units, values, below, MEAN_ARITHMETIC, err) != 0)
		return -1;
	enum stats_status status = summary_of(units.mean, units.n, &summary);
	if (status == STATS_OK)
		status = interval_of_summary(&summary, critical_t(1 - level, (double)units.n - 1), &interval);
	work_interval(
		out, level, &interval, status,
		arena_printf(&work->result->arena, "t over %zu %ss", units.n, level_name(work->m->series.levels[below])));
	kept_units_release(&units);
	return 0;
}

static void describe_sd(struct level_share *share, const struct variance_components *components, unsigned k,
                        double level)
{
	struct interval interval;
	enum stats_status status = variance_sd_interval(components, k, level, &interval);
	bool lowest = k + 1 == components->depth;
	/* A difference of two mean squares may come out so far below 0 that its limits hold nothing, and with one
	 * degree of freedom each the limits may coincide: no interval then. */
	bool constant = !(components->level[k].s2 > 0);
	if (status == STATS_OK && !constant &&
	    (interval.high <= interval.low || interval.high * interval.high < components->level[k].t2)) {
		share->sd_ci.why = "the values do not show it";
		return;
	}
	work_interval(&share->sd_ci, level, &interval, status, lowest ? "chi-squared" : "Ting et al.");
}

/* Seconds for one more of the level with index `first`, and of those up to `end` that have one member in each. */
static double cost_of(const struct measurement *m, unsigned first, unsigned end)
{
	double cost = m->costs[m->series.levels[first]];
	for (unsigned k = first + 1; k < end; k++)
		if (isfinite(m->costs[m->series.levels[k]]))
			cost += m->costs[m->series.levels[k]];
	return cost;
}

int work_describe_levels(struct work *work, double level, struct error *err)
{
	struct measurement *m = work->m;
	struct variance_components components;
	unsigned level_of[NESTED_MAX_DEPTH];
	struct nested values = kept_slim(&work->kept.values, level_of);
	bool known = variance_components(&values, &components) == STATS_OK;
	work->described.levels = work->levels;
	work->described.level_count = values.depth;
	for (unsigned k = 0; k < values.depth; k++) {
		size_t groups = k + 1 < values.depth ? values.groups[k] : values.n;
		size_t parents = k == 0 ? 1 : values.groups[k - 1];
		struct level_share *share = &work->levels[k];
		*share = level_share_unknown;
		share->level = m->series.levels[level_of[k]];
		share->n = (double)groups / (double)parents;
		share->cost = cost_of(m, level_of[k], k + 1 < values.depth ? level_of[k + 1] : m->series.depth);
		if (known && !isnan(components.level[k].t2)) {
			share->variance = components.level[k].t2;
			describe_sd(share, &components, k, level);
		} else {
			share->variance_why = share->sd_ci.why = groups < 2 ? "one repetition" : "not known";
		}
		if (k + 1 == values.depth)
			share->ignored.why = "the lowest level";
		else if (groups < 2)
			share->ignored.why = "one repetition";
		else if (claim(work, level_of[k + 1], level, &share->ignored, err) != 0)
			return -1;
	}
	return 0;
}
