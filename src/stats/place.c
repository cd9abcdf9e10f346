/* Place and interval of a change by the likelihood of the two levels.
 *
 * With levels m₁ and m₂ (medians of the segments beside the change) each value costs the square of its score
 * about its level (stats/score.h), at most COST_MAX. The place is the t with the least
 *
 *	F(t) = Σ_{i<t} cost(x_i − m₁) + Σ_{i≥t} cost(x_i − m₂)
 *
 * and its interval all t up to the last with F(t) − F(t̂) ≤ c·τ². For small changes F(t₀) − min F has the limit
 * distribution P(≤ c) = (1 − e^{−c/2})² (Hansen 2000, Econometrica 68:575), so c = −2 ln(1 − √0.95) = 7.35;
 * for large ones the interval is a little too wide. Levels that differ by less than one score carry
 * too little for that, and so do values most of which are equal (readings that are 0 or 1 may have the same
 * medians): then F is minus the gain of the split, m₁m₂/L·(ȳ₂ − ȳ₁)² over the variance, which has the same limit.
 *
 * Step or slope: a straight line is fitted over the segments beside a change, or beside a run of changes in one
 * direction, and compared with the levels. When the line does better, they are gradual: where they are is then only
 * where the line is cut best. */
#include "stats/place.h"

#include "base/memory.h"
#include "stats/quantile.h"

#include <math.h>
#include <string.h>

static const double CUTOFF = 7.3532; /* −2 ln(1 − √0.95) */
static const double COST_MAX = 16;
static const double SLOPE_MARGIN = 4; /* in units of the long-run variance */

static double median_between(const struct split_model *model, size_t from, size_t to)
{
	memcpy(model->scratch, model->x + from, (to - from) * sizeof(double));
	return median_in_place(model->scratch, to - from);
}

static double cost(const struct split_model *model, double away)
{
	double score = score_of(&model->table, away);
	return fmin(score * score, COST_MAX);
}

/* The place with the least f[t] that leaves `least` values on both sides of it, and the hull of all within `cutoff`
 * of it, whatever they leave: where the least segment has pushed the place aside, the interval still holds the
 * better one. */
static void least_of(const double *f, size_t length, size_t least, double cutoff, size_t offset,
                     struct changepoint *point)
{
	size_t best = least, low = 1, high = length - 1;
	for (size_t t = least; t <= length - least; t++)
		if (f[t] < f[best] - 1e-9 * fabs(f[best]))
			best = t;
	while (f[low] > f[best] + cutoff)
		low++;
	while (f[high] > f[best] + cutoff)
		high--;
	point->at = offset + best;
	point->low = offset + low;
	point->high = offset + high;
}

/* F(t) of the head comment in model->y, t counted from `from`. */
static void cost_of_levels(struct split_model *model, size_t from, size_t to, double before, double after)
{
	double sum = 0;
	for (size_t i = from; i < to; i++) {
		model->y[i - from] = sum;
		sum += cost(model, model->x[i] - before) - cost(model, model->x[i] - after);
	}
}

static void place_one(struct split_model *model, size_t from, size_t to, struct changepoint *point)
{
	size_t least = model->min_segment, length = to - from;
	double before = median_between(model, from, point->at), after = median_between(model, point->at, to);
	double apart = fmin(fabs(score_of(&model->table, after - before)), fabs(score_of(&model->table, before - after)));
	if (apart >= 1 && !model->table.tied) {
		cost_of_levels(model, from, to, before, after);
	} else {
		split_gains(model, from, to);
		for (size_t t = 0; t < length; t++)
			model->y[t] = -model->y[t];
	}
	least_of(model->y, length, least, CUTOFF * model->noise.factor, from, point);
}

/* Sums over a segment of its values, clipped to the range that holds 98 % of the noise about its median, and of their
 * places in the series. */
struct sums {
	double n, x, xx, i, ii, ix;
};

static struct sums sums_of(const struct split_model *model, size_t from, size_t to, double origin)
{
	const struct score_table *table = &model->table;
	double median = median_between(model, from, to), middle = (double)model->n / 2;
	double lowest = median + table->sample[table->n / 100],
		   highest = median + table->sample[table->n - 1 - table->n / 100];
	struct sums sums = {.n = (double)(to - from)};
	for (size_t k = from; k < to; k++) {
		double x = fmin(fmax(model->x[k], lowest), highest) - origin, i = (double)k - middle;
		sums.x += x;
		sums.xx += x * x;
		sums.i += i;
		sums.ii += i * i;
		sums.ix += i * x;
	}
	return sums;
}

static struct sums joined(struct sums a, struct sums b)
{
	return (struct sums){a.n + b.n, a.x + b.x, a.xx + b.xx, a.i + b.i, a.ii + b.ii, a.ix + b.ix};
}

/* What is left of the sum of squares about the mean, and about a line. */
static double about_level(struct sums s)
{
	return fmax(s.xx - s.x * s.x / s.n, 0);
}

static double about_line(struct sums s)
{
	double product = s.ix - s.i * s.x / s.n, places = s.ii - s.i * s.i / s.n;
	return fmax(about_level(s) - product * product / places, 0);
}

/* Whether one line does as well as `changes` steps: `all` are the sums over the segments beside them, `steps` what the
 * levels leave. One change is a slope only if the line clearly wins; of several, each costs a place and a level by
 * Schwarz's criterion. */
static bool line_fits(struct sums all, double steps, size_t changes, double factor)
{
	double freedom = all.n - 2 * (double)changes - 1, line = about_line(all);
	if (freedom < 1)
		return false;
	if (changes == 1)
		return steps - line > SLOPE_MARGIN * factor * line / (all.n - 2);
	return line - steps < (2 * (double)changes - 1) * log(all.n) * factor * steps / freedom;
}

static bool rises(const struct sums *segments, size_t k)
{
	return segments[k + 1].x / segments[k + 1].n > segments[k].x / segments[k].n;
}

/* Marks runs of changes in one direction that a line would explain. */
static void mark_gradual(const struct sums *segments, struct changepoint *points, size_t count, double factor)
{
	for (size_t k = 0; k < count; k++) {
		struct sums all = joined(segments[k], segments[k + 1]);
		double steps = about_level(segments[k]) + about_level(segments[k + 1]);
		size_t last = k;
		points[k].gradual |= line_fits(all, steps, 1, factor);
		while (last + 1 < count && rises(segments, last + 1) == rises(segments, k)) {
			all = joined(all, segments[last + 2]);
			steps += about_level(segments[last + 2]);
			if (!line_fits(all, steps, last + 2 - k, factor))
				break;
			last++;
		}
		for (size_t m = k; last > k && m <= last; m++)
			points[m].gradual = true;
	}
}

enum stats_status place_points(struct split_model *model, struct changepoint *points, size_t count)
{
	for (int round = 0; round < 2; round++)
		for (size_t k = 0; k < count; k++)
			place_one(model, k == 0 ? 0 : points[k - 1].at, k + 1 < count ? points[k + 1].at : model->n, &points[k]);
	struct sums *segments = mem_alloc(count + 1, sizeof(*segments));
	if (!segments)
		return STATS_NO_MEMORY;
	size_t start = 0;
	for (size_t k = 0; k <= count; k++) {
		size_t end = k < count ? points[k].at : model->n;
		segments[k] = sums_of(model, start, end, model->x[0]);
		start = end;
	}
	mark_gradual(segments, points, count, model->noise.factor);
	mem_free(segments);
	return STATS_OK;
}
