/* Change points of the run (stats/changepoint.h, at 1 % for the whole run, least segment 5), neighbouring levels that
 * differ by less than half the wanted precision taken for one. The last level is the steady one when at least a third
 * of the values are at it; it reaches back over excursions (segments of another level with the steady one before and
 * after) as long as these are at most a quarter of what follows.
 *
 * A smooth approach is a staircase to such a search, whose last step comes too early or too late. Where level +
 * reach·r(i/time) (stats/approach.h: exponential, hyperbolic or straight) fits better than the steps by Schwarz's criterion, the steady part
 * begins where the curve is within half the wanted precision of its level. The same is done where no step was found
 * and the curve explains what noise would not (gain).
 *
 * One to four slow values at the very start (the first calls of a new process) are too few for a change of level: those
 * that stand far apart from the next are left out, unless the tool had warmed up.
 *
 * Of a run that is longer than `most` values, means of neighbours are searched, and the step is then placed among the
 * values themselves. */
#include "stats/onset.h"

#include "base/memory.h"
#include "stats/approach.h"
#include "stats/changepoint.h"
#include "stats/quantile.h"
#include "stats/summary.h"
#include "stats/winsor_mad.h"

#include <math.h>
#include <string.h>

enum {
	MOST = 4096, /* values that are searched */
	LEAST_SEGMENT = 5,
	SCREEN_PARTS = 32,
	LEAST_SCREENED = 320, /* values; fewer are searched at once */
	NEIGHBOURS = 5,       /* on each side, of a running median */
	MOST_LEADING = 4,     /* slow values at the start that are no level */
	CLEAR_GAIN = 25,      /* of a curve where no step was found: about 5 standard errors */
	LEAST_SHARE = 3,      /* a third of the values are at the steady level */
	EXCURSIONS = 4,       /* at most a quarter of the steady part is at other levels */
};

static const double ALPHA = 0.01, REACH = 5, LEADING_REACH = 6, NORMAL_MAD = 1.4826;

/* Segment k is values[borders[k]] … values[borders[k + 1] − 1]. */
struct run_levels {
	const double *x; /* values, with single ones far from their neighbours pulled in */
	size_t n;
	size_t *borders; /* count + 1 */
	double *level;   /* count */
	size_t count;
	double factor;  /* long-run variance over variance */
	double spread;  /* of the values about their levels */
	size_t steps;   /* segments before those that are alike were joined, … */
	double squares; /* … and the sum of squares about their levels */
};

static void levels_release(struct run_levels *levels)
{
	mem_free(levels->borders);
	mem_free(levels->level);
	*levels = (struct run_levels){0};
}

static double mean_between(const double *x, size_t from, size_t to)
{
	struct running sum = {0};
	running_add_all(&sum, x + from, to - from);
	return running_mean(&sum);
}

/* Values farther from the median of their neighbours than 5 spreads are moved there: one slow value weighs no more. The
 * windows shrink towards the ends, so that a steep start keeps its shape. */
static enum stats_status pull_in(const double *x, size_t n, double *out, double *spread)
{
	double window[2 * NEIGHBOURS + 1], mad;
	for (size_t i = 0; i < n; i++) {
		size_t half = i < NEIGHBOURS ? i : NEIGHBOURS;
		half = n - 1 - i < half ? n - 1 - i : half;
		memcpy(window, x + i - half, (2 * half + 1) * sizeof(*window));
		out[i] = x[i] - median_in_place(window, 2 * half + 1);
	}
	enum stats_status status = mad_about(out, n, 0, &mad);
	*spread = NORMAL_MAD * mad;
	double most = mad > 0 ? REACH * NORMAL_MAD * mad : INFINITY;
	for (size_t i = 0; i < n && status == STATS_OK; i++)
		out[i] = x[i] - out[i] + fmin(fmax(out[i], -most), most);
	return status;
}

/* How many values at the very start are no part of a level or a curve: the last of them is three times as far from the
 * later half as the next one, and more. They are set to the next one in x. */
static enum stats_status pull_leading(double *x, size_t n, double spread, size_t *leading)
{
	double level;
	enum stats_status status = median_of(x + n / 2, n - n / 2, &level);
	*leading = 0;
	for (size_t k = MOST_LEADING; k-- > 0 && *leading == 0 && status == STATS_OK && spread > 0;)
		if (fabs(x[k] - level) > 3 * fabs(x[k + 1] - level) + LEADING_REACH * spread)
			*leading = k + 1;
	for (size_t k = 0; k < *leading; k++)
		x[k] = x[*leading];
	return status;
}

static void join(struct run_levels *levels, size_t k)
{
	levels->level[k] = mean_between(levels->x, levels->borders[k], levels->borders[k + 2]);
	memmove(levels->borders + k + 1, levels->borders + k + 2, (levels->count - k - 1) * sizeof(*levels->borders));
	memmove(levels->level + k + 1, levels->level + k + 2, (levels->count - k - 2) * sizeof(*levels->level));
	levels->count--;
}

/* Joins neighbours that are alike, the nearest first. */
static void join_alike(struct run_levels *levels, double precision)
{
	while (levels->count > 1) {
		size_t nearest = 0;
		double least = INFINITY, scale = fabs(levels->level[levels->count - 1]);
		for (size_t k = 0; k + 1 < levels->count; k++) {
			double apart = fabs(levels->level[k + 1] - levels->level[k]);
			if (apart < least) {
				least = apart;
				nearest = k;
			}
		}
		if (least >= precision / 2 * scale)
			return;
		join(levels, nearest);
	}
}

static double squares_about(const struct run_levels *levels)
{
	double squares = 0;
	for (size_t k = 0; k < levels->count; k++)
		for (size_t i = levels->borders[k]; i < levels->borders[k + 1]; i++)
			squares += (levels->x[i] - levels->level[k]) * (levels->x[i] - levels->level[k]);
	return squares;
}

static enum stats_status find_levels(const double *x, size_t n, double precision, struct run_levels *out)
{
	struct changepoint_options options = {ALPHA, LEAST_SEGMENT};
	struct changepoints found;
	struct run_levels levels = {.x = x, .n = n};
	enum stats_status status = changepoint_find(x, n, &options, NULL, 0, &found);
	if (status != STATS_OK)
		return status;
	levels.borders = mem_alloc(found.count + 2, sizeof(*levels.borders));
	levels.level = mem_alloc(found.count + 1, sizeof(*levels.level));
	if (!levels.borders || !levels.level) {
		changepoints_release(&found);
		levels_release(&levels);
		return STATS_NO_MEMORY;
	}
	levels.borders[0] = 0;
	levels.count = found.count + 1;
	levels.factor = found.longrun_factor;
	for (size_t k = 0; k < found.count; k++)
		levels.borders[k + 1] = found.points[k].at;
	levels.borders[levels.count] = n;
	for (size_t k = 0; k < levels.count; k++)
		levels.level[k] = mean_between(x, levels.borders[k], levels.borders[k + 1]);
	changepoints_release(&found);
	levels.steps = levels.count;
	levels.squares = squares_about(&levels);
	join_alike(&levels, precision);
	*out = levels;
	return STATS_OK;
}

static size_t length(const struct run_levels *levels, size_t k)
{
	return levels->borders[k + 1] - levels->borders[k];
}

/* Segments a and b are at one level: apart by less than half the precision, or than noise may explain. */
static bool alike(const struct run_levels *levels, size_t a, size_t b, double precision)
{
	double apart = fabs(levels->level[a] - levels->level[b]);
	double se = levels->spread * sqrt(levels->factor * (1 / (double)length(levels, a) + 1 / (double)length(levels, b)));
	return apart < fmax(precision / 2 * fabs(levels->level[b]), 3 * se);
}

/* The first segment of the steady part that ends with segment `last`, and how many values in it are at its level. */
static size_t reach_back(const struct run_levels *levels, size_t last, double precision, size_t *held)
{
	size_t first = last, at_level = length(levels, last), others = 0, between = 0;
	*held = at_level;
	for (size_t k = last; k-- > 0;) {
		if (!alike(levels, k, last, precision)) {
			between += length(levels, k);
			continue;
		}
		at_level += length(levels, k);
		others += between;
		between = 0;
		if (others * EXCURSIONS > at_level + others)
			break;
		first = k;
		*held = at_level;
	}
	return first;
}

static bool lasts(size_t held, size_t n)
{
	return held * LEAST_SHARE >= n;
}

/* Nothing lasts: the first level is left out where it is short and farther from the mean of the rest than any other is,
 * by twice. */
static bool first_is_apart(const struct run_levels *levels)
{
	double mean = mean_between(levels->x, levels->borders[1], levels->n), farthest = 0;
	for (size_t k = 1; k < levels->count; k++)
		farthest = fmax(farthest, fabs(levels->level[k] - mean));
	return length(levels, 0) * EXCURSIONS <= levels->n && fabs(levels->level[0] - mean) > 2 * farthest;
}

/* By the levels: the steady part, or a late change, or no level that lasts. */
static void judge_levels(const struct run_levels *levels, double precision, struct onset *out)
{
	size_t last = levels->count - 1, held, first = reach_back(levels, last, precision, &held);
	*out = (struct onset){.kind = ONSET_NONE, .ratio = 1};
	if (!lasts(held, levels->n) && last > 0) {
		out->late = levels->borders[last];
		out->late_ratio = levels->level[last] / levels->level[last - 1];
		first = reach_back(levels, last - 1, precision, &held);
		out->kind = ONSET_NEVER;
		if (!lasts(held, levels->n)) {
			out->late = 0;
			first = first_is_apart(levels) ? 1 : 0;
		}
	}
	out->from = levels->borders[first];
	if (out->from > 0) {
		out->kind = out->kind == ONSET_NEVER ? ONSET_NEVER : ONSET_STEP;
		out->ratio = levels->level[first] / levels->level[0];
		out->several = first > 1;
	}
}

/* A curve in place of the steps, where it fits better. */
static void try_curve(const struct run_levels *levels, const struct onset_options *options, struct onset *out)
{
	struct approach curve;
	double n = (double)levels->n, places = 2 * (double)levels->steps - 1;
	if (approach_fit_any(levels->x, levels->n, &curve) != STATS_OK || curve.gain < CLEAR_GAIN)
		return;
	/* Schwarz's criterion, in units of the long-run variance. */
	if (levels->steps > 1 && n * log(curve.squares) + 4 * levels->factor * log(n) >=
	                             n * log(levels->squares) + places * levels->factor * log(n))
		return;
	double end = ceil(approach_end(&curve, options->precision / 2));
	if (end * LEAST_SHARE > n * (LEAST_SHARE - 1)) {
		out->kind = ONSET_NEVER;
		return;
	}
	*out = (struct onset){.kind = end > 0 ? ONSET_CURVE : ONSET_NONE, .from = (size_t)end, .ratio = 1};
	if (end > 0)
		out->ratio = curve.level / (curve.level + curve.reach);
}

static void cut_leading(const double *x, size_t n, size_t leading, struct onset *out)
{
	if (out->from >= leading)
		return;
	out->from = leading;
	out->ratio = mean_between(x, leading, n) / mean_between(x, 0, leading);
	out->several = false;
	out->kind = out->kind == ONSET_NEVER ? ONSET_NEVER : ONSET_STEP;
}

static enum stats_status search(const double *x, size_t n, const struct onset_options *options, struct onset *out)
{
	struct run_levels levels = {0};
	double *pulled = mem_alloc(n, sizeof(*pulled)), spread = 0;
	size_t leading = 0;
	enum stats_status status = pulled ? pull_in(x, n, pulled, &spread) : STATS_NO_MEMORY;
	if (status == STATS_OK)
		status = pull_leading(pulled, n, spread, &leading);
	if (status == STATS_OK)
		status = find_levels(pulled, n, options->precision, &levels);
	if (status == STATS_OK) {
		levels.spread = spread;
		judge_levels(&levels, options->precision, out);
		if (!options->warmed) {
			try_curve(&levels, options, out);
			cut_leading(x, n, leading, out);
		}
	}
	levels_release(&levels);
	mem_free(pulled);
	return status;
}

/* A step that was found among means of `batch` values, placed among the values: where the squares about the levels on
 * both sides are least. */
static size_t place_step(const double *x, size_t n, size_t at, size_t batch)
{
	size_t from = at > 4 * batch ? at - 4 * batch : 0, to = at + 4 * batch < n ? at + 4 * batch : n;
	size_t low = at > batch ? at - batch : 1, high = at + batch < to ? at + batch : to - 1, best = at;
	double before = mean_between(x, from, low > from ? low : from + 1), after = mean_between(x, high, to);
	double cost = 0, least = INFINITY;
	for (size_t i = low; i <= high; i++) {
		if (cost < least) {
			least = cost;
			best = i;
		}
		cost += fabs(x[i] - before) - fabs(x[i] - after);
	}
	return best;
}

static enum stats_status search_batches(const double *x, size_t n, size_t most, const struct onset_options *options,
                                        struct onset *out)
{
	size_t batch = (n + most - 1) / most, count = n / batch;
	double *means = mem_alloc(count, sizeof(*means));
	struct interval limits;
	/* One value of each batch is enough to know how far values may lie. */
	for (size_t b = 0; means && b < count; b++)
		means[b] = x[b * batch];
	enum stats_status status = means ? winsor_mad_limits(means, count, REACH, &limits) : STATS_NO_MEMORY;
	for (size_t b = 0; b < count && status == STATS_OK; b++) {
		double sum = 0;
		for (size_t i = b * batch; i < (b + 1) * batch; i++)
			sum += winsor_mad_value(&limits, x[i]);
		means[b] = sum / (double)batch;
	}
	if (status == STATS_OK)
		status = search(means, count, options, out);
	mem_free(means);
	if (status != STATS_OK)
		return status;
	bool step = out->kind == ONSET_STEP || out->kind == ONSET_NEVER;
	out->from = step && out->from > 0 ? place_step(x, n, out->from * batch, batch) : out->from * batch;
	out->late = out->late > 0 ? place_step(x, n, out->late * batch, batch) : 0;
	return STATS_OK;
}

/* Whether a change may be there at all: a look that costs little and lets pass what the search would not call. Means of
 * SCREEN_PARTS parts of the run, each value pulled in to within 5 spreads of a sample of the run, and of its first 5, 10,
 * 20, … values: does a split of the parts, or a start, differ by more than 3.3 standard errors, or do the first values
 * stand out? Standard errors of the parts are from their own differences to the next, which a change hardly touches and
 * which dependence over more than a part makes too small: then the search decides. */
static bool screen(const double *x, size_t n)
{
	enum { SAMPLE = 61 };
	static const double LIMIT = 3.3;
	double sample[SAMPLE], part[SCREEN_PARTS], total = 0, differences = 0;
	size_t length = n / SCREEN_PARTS, first = n - length * SCREEN_PARTS;
	for (size_t i = 0; i < SAMPLE; i++)
		sample[i] = x[(2 * i + 1) * n / (2 * SAMPLE)];
	double median = median_in_place(sample, SAMPLE);
	for (size_t i = 0; i < SAMPLE; i++)
		sample[i] = fabs(sample[i] - median);
	double spread = NORMAL_MAD * median_in_place(sample, SAMPLE);
	if (!(spread > 0))
		return true;
	double low = median - REACH * spread, high = median + REACH * spread, start = 0;
	for (size_t i = 0; i < MOST_LEADING; i++)
		if (x[i] < low || x[i] > high)
			return true;
	for (size_t p = 0; p < SCREEN_PARTS; p++) {
		const double *from = x + first + p * length;
		double sum = 0;
		for (size_t i = 0; i < length; i++)
			sum += from[i] < low ? low : from[i] > high ? high : from[i];
		part[p] = sum / (double)length;
		total += part[p];
		if (p > 0)
			differences += (part[p] - part[p - 1]) * (part[p] - part[p - 1]);
	}
	double variance = differences / (2. * (SCREEN_PARTS - 1)), before = 0, mean = total / SCREEN_PARTS;
	double factor = fmax(1, variance * (double)length / (spread * spread)); /* long-run variance over variance */
	for (size_t i = 0, check = LEAST_SEGMENT; i < first + length; i++) {
		start += fmin(fmax(x[i], low), high) - mean;
		if (i + 1 < check)
			continue;
		if (fabs(start) > LIMIT * spread * sqrt(factor * (double)check))
			return true;
		check *= 2;
	}
	for (size_t p = 1; p < SCREEN_PARTS; p++) {
		before += part[p - 1];
		double a = (double)p, b = SCREEN_PARTS - a, apart = before / a - (total - before) / b;
		if (apart * apart > LIMIT * LIMIT * variance * (1 / a + 1 / b))
			return true;
	}
	return false;
}

enum stats_status onset_find(const double *x, size_t n, const struct onset_options *options, struct onset *out)
{
	enum stats_status status = stats_check_finite(x, n);
	struct onset found = {0};
	if (status != STATS_OK)
		return status;
	if (!(options->precision >= 0))
		return STATS_BAD_ARGUMENT;
	if (n < ONSET_LEAST)
		return STATS_TOO_FEW;
	if (n >= LEAST_SCREENED && !screen(x, n)) {
		*out = (struct onset){.kind = ONSET_NONE, .ratio = 1};
		return STATS_OK;
	}
	size_t most = options->most > 0 ? options->most : MOST;
	status = n > most ? search_batches(x, n, most, options, &found) : search(x, n, options, &found);
	if (status == STATS_OK)
		*out = found;
	return status;
}
