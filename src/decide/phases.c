/* Change points cut a run's unit readings into segments; the one that dominates (the longest, more than half) is the
 * stable phase (Li et al. 2016, section III-A). What stands before it is warm-up, what stands behind it cool-down.
 * Set-up does no work, so a program that reports as it goes shows it as readings of next to no speed at the very start
 * (a rate of 0, a first unit that takes as long as twenty); these are taken off before anything is searched. What a
 * program does before its first reading is not in them.
 *
 * edm: E-divisive with medians, least segment 30, as Pilot asks for. auto: the search behind it with the least segment
 * from the number of readings (1/50 of them, 5 to 30), so that short phases of short runs are seen; neighbours of the
 * longest segment whose medians are within 2 % of its own belong to it, since a long run shows steps that matter to
 * nobody. Both tests allow for autocorrelation. Steps say little about where a slow approach ends; so auto also fits an
 * exponential one, and where that explains the run up to the cool-down better than the steps do, the stable phase
 * begins when it is within 2 %. */
#include "decide/phases.h"

#include "base/memory.h"
#include "stats/approach.h"
#include "stats/changepoint.h"
#include "stats/edm.h"
#include "stats/means.h"
#include "stats/quantile.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>

static const double negligible = 0.02, near_enough = 0.05, standstill = 0.05;

/* "auto", "edm", "none" */
static const char *rule_name(enum phases_rule rule)
{
	static const char *const names[] = {"auto", "edm", "none"};
	return names[rule];
}

enum phases_rule phases_rule_by_name(const char *name)
{
	for (int rule = PHASES_AUTO; rule <= PHASES_NONE; rule++)
		if (strcmp(name, rule_name((enum phases_rule)rule)) == 0)
			return (enum phases_rule)rule;
	return PHASES_AUTO;
}

static double segment_median(const double *x, size_t from, size_t to)
{
	double median;
	return median_of(x + from, to - from, &median) == STATS_OK ? median : NAN;
}

/* Whether the segment [from, to) is so near to `level` that it is the same phase. */
static bool belongs(const double *x, size_t from, size_t to, double level)
{
	return fabs(segment_median(x, from, to) - level) <= negligible * fabs(level);
}

/* The longest segment between the borders (ascending, the first 0, the last n), with neighbours that belong to it. */
static struct phase grow_longest(const double *x, const size_t *borders, size_t segments)
{
	size_t first = 0;
	for (size_t i = 1; i < segments; i++)
		if (borders[i + 1] - borders[i] > borders[first + 1] - borders[first])
			first = i;
	size_t last = first;
	double level = segment_median(x, borders[first], borders[first + 1]);
	while (first > 0 && belongs(x, borders[first - 1], borders[first], level))
		first--;
	while (last + 1 < segments && belongs(x, borders[last + 1], borders[last + 2], level))
		last++;
	return (struct phase){.from = borders[first], .to = borders[last + 1]};
}

/* The sum of squares that the steps between borders leave of x[0 … to). */
static double step_squares(const double *x, const size_t *borders, size_t segments, size_t to, size_t *used)
{
	double squares = 0;
	*used = 0;
	for (size_t i = 0; i < segments && borders[i] < to; i++, ++*used) {
		struct summary summary;
		size_t end = borders[i + 1] < to ? borders[i + 1] : to;
		if (summary_of(x + borders[i], end - borders[i], &summary) == STATS_OK && summary.n > 1)
			squares += summary.variance * ((double)summary.n - 1);
	}
	return squares;
}

/* A slow approach in place of steps up to phase->to; without a phase that dominates, up to the end. */
static void try_approach(const double *x, size_t n, const size_t *borders, size_t segments, struct phase *phase)
{
	enum { CLEAR_GAIN = 25 };
	struct approach approach;
	size_t to = phase->to > phase->from ? phase->to : n, used;
	if (approach_fit(x, to, &approach) != STATS_OK || approach.gain < CLEAR_GAIN)
		return;
	double steps = step_squares(x, borders, segments, to, &used), count = (double)to;
	/* Schwarz's criterion: three numbers against a level and a place for each step. */
	if (count * log(approach.squares) + 3 * log(count) >= count * log(steps) + (2 * (double)used - 1) * log(count))
		return;
	double end = ceil(approach_end(&approach, negligible));
	if (2 * (count - end) > (double)n)
		*phase = (struct phase){.from = (size_t)end, .to = to};
}

static enum stats_status find_auto(const double *x, size_t n, struct phase *out)
{
	size_t least = n / 50 < 5 ? 5 : n / 50 > 30 ? 30 : n / 50;
	struct changepoint_options options = {0.01, least};
	struct changepoints found;
	enum stats_status status = changepoint_find(x, n, &options, NULL, 0, &found);
	if (status != STATS_OK)
		return status;
	size_t *borders = mem_alloc(found.count + 2, sizeof(*borders));
	if (borders) {
		borders[0] = 0;
		for (size_t i = 0; i < found.count; i++)
			borders[i + 1] = found.points[i].at;
		borders[found.count + 1] = n;
		struct phase phase = grow_longest(x, borders, found.count + 1);
		if (2 * (phase.to - phase.from) <= n)
			phase = (struct phase){0};
		try_approach(x, n, borders, found.count + 1, &phase);
		*out = phase;
	}
	status = borders ? STATS_OK : STATS_NO_MEMORY;
	mem_free(borders);
	changepoints_release(&found);
	return status;
}

static enum stats_status find_edm(const double *x, size_t n, struct phase *out)
{
	struct edm found;
	enum stats_status status = edm_find(x, n, &EDM_DEFAULTS, &found);
	if (status != STATS_OK)
		return status;
	if (!edm_dominant(&found, n, &out->from, &out->to))
		*out = (struct phase){0};
	edm_release(&found);
	return STATS_OK;
}

bool phases_find(const double *x, size_t n, enum phases_rule rule, struct phase *out)
{
	struct phase phase = {.to = n};
	enum stats_status status = STATS_OK;
	if (rule != PHASES_NONE && n >= PHASES_LEAST && stats_check_finite(x, n) == STATS_OK)
		status = rule == PHASES_EDM ? find_edm(x, n, &phase) : find_auto(x, n, &phase);
	if (status == STATS_NO_MEMORY)
		return false;
	*out = phase;
	return true;
}

/* Readings at the start that show next to no speed; at most half of all. */
static size_t set_up_of(const double *x, size_t n, enum better better)
{
	double usual;
	size_t count = 0;
	if (n < PHASES_LEAST || stats_check_finite(x, n) != STATS_OK || median_of(x, n, &usual) != STATS_OK || !(usual > 0))
		return 0;
	while (2 * count < n && (better == BETTER_HIGHER ? x[count] < standstill * usual : standstill * x[count] > usual))
		count++;
	return count;
}

bool phases_of_round(const double *x, size_t n, enum phases_rule rule, enum better better, struct phase *out)
{
	size_t set_up = rule == PHASES_NONE ? 0 : set_up_of(x, n, better);
	struct phase phase;
	if (!phases_find(x + set_up, n - set_up, rule, &phase))
		return false;
	bool stable = phase.to > phase.from;
	*out = (struct phase){stable ? phase.from + set_up : 0, stable ? phase.to + set_up : 0, stable ? set_up : 0};
	return true;
}

static size_t cool_down(const struct round_phase *round)
{
	return round->n - round->phase.to;
}

/* The median of the lengths near the last one; the last one where most are elsewhere. */
static size_t join_lengths(const struct round_phase *rounds, size_t count, bool warm_up)
{
	enum { MOST = 64 };
	const struct round_phase *last = &rounds[count - 1];
	double own = (double)(warm_up ? last->phase.from : cool_down(last)), near[MOST];
	size_t n = 0, seen = 0;
	for (size_t i = count > MOST ? count - MOST : 0; i < count; i++) {
		double length = (double)(warm_up ? rounds[i].phase.from : cool_down(&rounds[i]));
		if (rounds[i].phase.to <= rounds[i].phase.from)
			continue;
		seen++;
		if (fabs(length - own) <= near_enough * (double)last->n)
			near[n++] = length;
	}
	return 2 * n > seen ? (size_t)lround(median_in_place(near, n)) : (size_t)own;
}

struct phase phases_join(const struct round_phase *rounds, size_t count)
{
	const struct round_phase *last = &rounds[count - 1];
	if (last->phase.to <= last->phase.from)
		return last->phase;
	size_t from = join_lengths(rounds, count, true), to = last->n - join_lengths(rounds, count, false);
	from = from < last->phase.set_up ? last->phase.set_up : from;
	return from < to ? (struct phase){from, to, last->phase.set_up} : last->phase;
}

double phases_mean(const double *x, const struct phase *phase, enum mean_kind kind)
{
	size_t n = phase->to - phase->from;
	const double *from = x + phase->from;
	double mean = NAN;
	struct summary summary;
	enum stats_status status;
	if (kind == MEAN_HARMONIC)
		status = mean_harmonic(from, n, 0, &mean, NULL);
	else if (kind == MEAN_GEOMETRIC)
		status = mean_geometric(from, n, 0, &mean, NULL);
	else if ((status = summary_of(from, n, &summary)) == STATS_OK)
		mean = summary.mean;
	return status == STATS_OK ? mean : NAN;
}
