/* The counts below the top come from eq. 3 (stats/counts.h): they are best whatever the precision, as long as many
 * outermost members are needed. A precision stop looks from ten of them on; where ten would be more than enough, fewer
 * members inside each are cheaper, so the counts for a given half-width are looked for: the cheapest of those on a grid
 * of round numbers with the fewest outermost members that reach it, c(R)·√(V/R) ≤ half-width, c = t·√(1 + 5/R).
 *
 * Costs are those of one more member without what is inside it: of an iteration; of starting a run and warming it up;
 * of a build. A level at which nothing could be seen (T² ≤ 0) counts as 0.1·S². */
#include "decide/plan.h"

#include "stats/counts.h"

#include <math.h>
#include <string.h>

const double plan_half_widths[PLAN_ROWS] = {0.005, 0.01, 0.015, 0.025, 0.05};

/* The levels as stats/counts.h wants them. S² follows from the T² and counts below: S_k² = T_k² + S_{k+1}²/r_{k+1}. */
static bool as_counts(const struct plan_subject *subject, struct count_level *levels)
{
	double s2 = 0, below = 1;
	for (size_t k = subject->level_count; k-- > 0;) {
		const struct plan_level *level = &subject->levels[k];
		if (!isfinite(level->variance) || !(level->cost > 0) || !isfinite(level->cost) || !(level->members >= 1))
			return false;
		s2 = fmax(level->variance, 0) + s2 / below;
		below = level->members;
		levels[k] = (struct count_level){.t2 = level->variance, .s2 = s2, .cost = level->cost, .pilot = level->members};
	}
	return subject->level_count > 0;
}

static bool is_taken_once(const struct plan_subject *subject, size_t k)
{
	return subject->levels[k].level >= LEVEL_ITERATION &&
	       (subject->state == STEADY_INITIALISED || subject->state == STEADY_NEVER);
}

static void set_counts(struct plan_subject *subject, const struct count_level *levels, const size_t *counts)
{
	unsigned depth = (unsigned)subject->level_count;
	for (unsigned k = 0; k < depth; k++)
		subject->levels[k].count = k == 0 ? 0 : counts[k];
	subject->unit_variance = counts_top_variance(levels, depth, counts);
	subject->unit_cost = counts_top_cost(levels, depth, counts);
}

bool plan_dimension(struct plan_subject *subject)
{
	struct count_level levels[LEVEL_COUNT];
	size_t counts[LEVEL_COUNT] = {1};
	if (!as_counts(subject, levels) || counts_best(levels, (unsigned)subject->level_count, counts, NULL) != STATS_OK)
		return false;
	for (size_t k = 1; k < subject->level_count; k++)
		if (is_taken_once(subject, k))
			counts[k] = 1;
	set_counts(subject, levels, counts);
	return true;
}

/* ---- counts on a grid ---- */

struct search {
	const struct plan_subject *subject;
	struct count_level levels[LEVEL_COUNT];
	unsigned depth;
	double half_width, alpha; /* half_width NaN: seconds instead */
	bool ratio;               /* of two like it */
	double seconds;
	struct plan_row best;
	double least; /* cost, or half-width, of the best */
};

/* The next larger number of 1, 2, 3 …, 10, 12, 15, 18, 22, …: about a fifth more each from 10 on. */
static size_t next_count(size_t count)
{
	return count < 10 ? count + 1 : count + (count + 4) / 5;
}

/* Whether both sides were measured on each machine. */
static bool shares_machines(const struct plan_subject *subject)
{
	return subject->levels[0].level == LEVEL_MACHINE && !isnan(subject->pairing);
}

static void try_for_width(struct search *search, const size_t *counts)
{
	size_t units;
	double variance = counts_top_variance(search->levels, search->depth, counts);
	bool whole = isnan(search->subject->pairing) || shares_machines(search->subject);
	double each = variance * (whole ? 1 : search->subject->pairing);
	enum stats_status status = search->ratio ? counts_for_ratio(each, each, search->half_width, search->alpha,
	                                                            CRITICAL_PRECISION, &units)
	                                         : counts_for_mean(variance, search->half_width, search->alpha,
	                                                           CRITICAL_PRECISION, &units);
	if (status != STATS_OK)
		return;
	units = units < PLAN_LEAST ? PLAN_LEAST : units;
	double cost = (search->ratio ? 2 : 1) * (double)units * counts_top_cost(search->levels, search->depth, counts);
	/* Both sides are on one machine, which is waited for once. */
	if (search->ratio && shares_machines(search->subject))
		cost -= (double)units * search->levels[0].cost;
	if (!(cost < search->least))
		return;
	search->least = search->best.seconds = cost;
	memcpy(search->best.counts, counts, search->depth * sizeof(*counts));
	search->best.counts[0] = units;
}

static void try_for_time(struct search *search, const size_t *counts)
{
	double variance = counts_top_variance(search->levels, search->depth, counts);
	double cost = counts_top_cost(search->levels, search->depth, counts),
		   units = floor(search->seconds / cost * (1 + 1e-12));
	if (!(units >= 2) || units > 1e9)
		return;
	double half = critical_t(search->alpha, units - 1) * sqrt(variance / units);
	if (!(half < search->least))
		return;
	search->least = search->best.half_width = half;
	memcpy(search->best.counts, counts, search->depth * sizeof(*counts));
	search->best.counts[0] = (size_t)units;
	search->best.seconds = units * cost;
}

/* Every count of level k and those below it; the best of eq. 3 is one of them. */
static void try_counts(struct search *search, unsigned k, size_t *counts)
{
	if (k == search->depth) {
		if (isnan(search->half_width))
			try_for_time(search, counts);
		else
			try_for_width(search, counts);
		return;
	}
	size_t best = search->subject->levels[k].count, most = (size_t)(10 * search->levels[k].pilot);
	most = best > most ? best : most;
	for (size_t count = 1; count <= most && !is_taken_once(search->subject, k); count = next_count(count)) {
		counts[k] = count;
		try_counts(search, k + 1, counts);
	}
	counts[k] = best;
	try_counts(search, k + 1, counts);
}

static bool look_for(struct search *search)
{
	size_t counts[LEVEL_COUNT] = {1};
	search->depth = (unsigned)search->subject->level_count;
	search->least = INFINITY;
	if (!as_counts(search->subject, search->levels))
		return false;
	/* What makes a machine slow makes both sides slow; of the runs in it no such thing is known. */
	if (search->ratio && shares_machines(search->subject))
		search->levels[0].t2 *= search->subject->pairing;
	try_counts(search, 1, counts);
	return isfinite(search->least);
}

bool plan_row(const struct plan_subject *subject, double half_width, double confidence, double ratio_confidence,
              struct plan_row *out)
{
	struct search one = {.subject = subject, .half_width = half_width, .alpha = 1 - confidence};
	/* A ratio needs more of the outermost, which other counts inside them suit. */
	struct search two = {.subject = subject, .half_width = half_width, .alpha = 1 - ratio_confidence, .ratio = true};
	if (!look_for(&one) || !look_for(&two))
		return false;
	*out = one.best;
	out->half_width = half_width;
	memcpy(out->ratio_counts, two.best.counts, sizeof(out->ratio_counts));
	out->ratio_seconds = two.best.seconds;
	return true;
}

bool plan_budget(const struct plan_subject *subject, double seconds, double confidence, struct plan_row *out)
{
	struct search search = {.subject = subject, .half_width = NAN, .seconds = seconds, .alpha = 1 - confidence};
	if (!(seconds > 0) || !look_for(&search))
		return false;
	*out = search.best;
	return true;
}

void plan_take(struct plan_subject *subject, const struct plan_row *row)
{
	struct count_level levels[LEVEL_COUNT];
	if (as_counts(subject, levels))
		set_counts(subject, levels, row->counts);
	for (size_t k = 1; k < subject->level_count; k++)
		subject->levels[k].ratio_count = row->ratio_counts[k];
	subject->units = row->counts[0];
	subject->half_width = row->half_width;
}
