/* E-divisive (Matteson and James 2014, JASA 109:334) for histories of results.
 *
 * Steps: single outliers are set aside (stats/spike.h); the change points of what is left (stats/changepoint.h: the
 * E-divisive statistic with exponent 2 of normal scores, so a change of the level; a test that allows for
 * autocorrelation instead of a permutation test that does not); neighbouring gradual changes in one direction become
 * one; changes below the least magnitude are dropped; sizes.
 *
 * Size: difference of the mean levels, Welch's t interval with each variance of a mean multiplied by the long-run
 * factor τ² and the degrees of freedom divided by it; relative size by Fieller's theorem. The place was chosen to make
 * the difference large, which the interval does not know: the size of a change that is barely significant is too large
 * (the 95 % interval then holds in some 90 %), that of a clear one is not.
 *
 * A ramp is cut into as many levels as its height over the noise can show. Such cuts follow a line better than a step;
 * they are joined and reported as one gradual change whose interval spans them. */
#include "stats/edivisive.h"

#include "base/memory.h"
#include "stats/changepoint.h"
#include "stats/distribution.h"
#include "stats/fieller.h"
#include "stats/spike.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>

enum { MAGNITUDE_WINDOW = 30 };

/* A change of the series without outliers: levels end before `start` and begin at `end`. */
struct shift {
	size_t start, end; /* equal but for joined gradual changes */
	struct changepoint point;
};

struct divided {
	double *x;       /* without outliers */
	size_t *indices; /* of these values in the series as given */
	size_t n;
	struct shift *shifts;
	size_t count;
};

static void history_release(struct divided *history)
{
	mem_free(history->x);
	mem_free(history->indices);
	mem_free(history->shifts);
	*history = (struct divided){0};
}

static enum stats_status set_aside(struct divided *history, const double *x, size_t n, const size_t *outliers,
                                   size_t outlier_count)
{
	history->x = mem_alloc(n, sizeof(*history->x));
	history->indices = mem_alloc(n, sizeof(*history->indices));
	if (!history->x || !history->indices)
		return STATS_NO_MEMORY;
	for (size_t i = 0, next = 0; i < n; i++) {
		if (next < outlier_count && outliers[next] == i) {
			next++;
			continue;
		}
		history->x[history->n] = x[i];
		history->indices[history->n++] = i;
	}
	return STATS_OK;
}

static size_t level_start(const struct divided *history, size_t k)
{
	return k == 0 ? 0 : history->shifts[k - 1].end;
}

static size_t level_end(const struct divided *history, size_t k)
{
	return k < history->count ? history->shifts[k].start : history->n;
}

static double mean_between(const struct divided *history, size_t from, size_t to)
{
	struct running running = {0};
	for (size_t i = from; i < to; i++)
		running_add(&running, history->x[i]);
	return running_mean(&running);
}

static bool rises(const struct divided *history, size_t k)
{
	return mean_between(history, level_start(history, k + 1), level_end(history, k + 1)) >
	       mean_between(history, level_start(history, k), level_end(history, k));
}

/* A gradual change reaches from the change before to the one after it; runs of them in one direction become one. */
static void join_gradual(struct divided *history)
{
	size_t kept = 0;
	for (size_t k = 0; k < history->count; k++) {
		struct shift *shift = &history->shifts[k];
		if (shift->point.gradual) {
			shift->point.low = k == 0 ? 1 : history->shifts[k - 1].point.at;
			shift->point.high = k + 1 < history->count ? history->shifts[k + 1].point.at : history->n - 1;
		}
	}
	for (size_t k = 0; k < history->count; k++) {
		struct shift joined = history->shifts[k];
		bool up = rises(history, k);
		while (joined.point.gradual && k + 1 < history->count && history->shifts[k + 1].point.gradual &&
		       rises(history, k + 1) == up) {
			const struct shift *next = &history->shifts[++k];
			joined.end = next->end;
			joined.point.high = next->point.high;
			if (next->point.p_value < joined.point.p_value) {
				joined.point.p_value = next->point.p_value;
				joined.point.at = next->point.at;
			}
		}
		history->shifts[kept++] = joined;
	}
	history->count = kept;
}

/* |relative change| as seen in the values next to shift k; infinite from a level that is not above 0. */
static double magnitude(const struct divided *history, size_t k)
{
	const struct shift *shift = &history->shifts[k];
	size_t from = level_start(history, k), to = level_end(history, k + 1);
	if (shift->start - from > MAGNITUDE_WINDOW)
		from = shift->start - MAGNITUDE_WINDOW;
	if (to - shift->end > MAGNITUDE_WINDOW)
		to = shift->end + MAGNITUDE_WINDOW;
	double before = mean_between(history, from, shift->start), after = mean_between(history, shift->end, to);
	return before > 0 ? fabs(after / before - 1) : INFINITY;
}

static enum stats_status drop_small(struct divided *history, double least)
{
	if (least <= 0 || history->count == 0)
		return STATS_OK;
	double *sizes = mem_alloc(history->count, sizeof(*sizes));
	if (!sizes)
		return STATS_NO_MEMORY;
	for (size_t k = 0; k < history->count; k++)
		sizes[k] = magnitude(history, k);
	while (history->count > 0) {
		size_t smallest = 0;
		for (size_t k = 1; k < history->count; k++)
			if (sizes[k] < sizes[smallest])
				smallest = k;
		if (sizes[smallest] >= least)
			break;
		size_t after = --history->count - smallest;
		memmove(history->shifts + smallest, history->shifts + smallest + 1, after * sizeof(*history->shifts));
		memmove(sizes + smallest, sizes + smallest + 1, after * sizeof(*sizes));
		if (smallest > 0)
			sizes[smallest - 1] = magnitude(history, smallest - 1);
		if (smallest < history->count)
			sizes[smallest] = magnitude(history, smallest);
	}
	mem_free(sizes);
	return STATS_OK;
}

static enum stats_status find_shifts(struct divided *history, const struct edivisive_options *options, double *factor)
{
	const struct changepoint_options search = {options->alpha, options->min_segment};
	struct changepoints found = {0};
	enum stats_status status = changepoint_find(history->x, history->n, &search, NULL, 0, &found);
	if (status != STATS_OK)
		return status;
	*factor = found.longrun_factor;
	history->shifts = mem_alloc(found.count, sizeof(*history->shifts));
	if (history->shifts) {
		history->count = found.count;
		for (size_t k = 0; k < found.count; k++)
			history->shifts[k] = (struct shift){found.points[k].at, found.points[k].at, found.points[k]};
		join_gradual(history);
	}
	changepoints_release(&found);
	return history->shifts ? drop_small(history, options->min_relative) : STATS_NO_MEMORY;
}

/* Welch-Satterthwaite for two means whose variances are a and b, of m₁ and m₂ values that count as m/τ² each. */
static double degrees_of_freedom(double a, double m1, double b, double m2, double factor)
{
	double df1 = fmax(m1 / factor - 1, 1), df2 = fmax(m2 / factor - 1, 1);
	return a + b > 0 ? (a + b) * (a + b) / (a * a / df1 + b * b / df2) : df1 + df2;
}

static void measure_size(const struct divided *history, size_t k, double confidence, double factor,
                         struct edivisive_change *change)
{
	struct summary before, after;
	size_t from = level_start(history, k), middle = level_end(history, k);
	summary_of(history->x + from, middle - from, &before);
	from = level_start(history, k + 1);
	summary_of(history->x + from, level_end(history, k + 1) - from, &after);
	double m1 = (double)before.n, m2 = (double)after.n;
	/* A level is two values at least; the long-run factor cannot count for more than all values being one. */
	double variance1 = before.variance / m1 * fmin(factor, m1), variance2 = after.variance / m2 * fmin(factor, m2);
	double c = -t_quantile((1 - confidence) / 2, degrees_of_freedom(variance1, m1, variance2, m2, factor));
	double half = c * sqrt(variance1 + variance2), ratio = NAN;
	change->before = before.mean;
	change->after = after.mean;
	change->size = after.mean - before.mean;
	change->size_interval = (struct interval){change->size - half, change->size + half};
	change->relative = NAN;
	change->relative_interval = (struct interval){NAN, NAN};
	const struct fieller means = {before.mean, after.mean, variance1, variance2, 0};
	struct interval interval;
	if (!(before.mean > 0))
		return;
	enum stats_status status = fieller_interval(&means, c, &ratio, &interval);
	if (status == STATS_OK || status == STATS_UNBOUNDED) {
		change->relative = ratio - 1;
		change->relative_interval = (struct interval){interval.low - 1, interval.high - 1};
	}
}

/* Places in the series as given: an outlier beside a border may belong to either side of it. */
static void give_indices(const struct divided *history, const struct changepoint *point,
                         struct edivisive_change *change)
{
	change->at = history->indices[point->at];
	change->low = history->indices[point->low - 1] + 1;
	change->high = history->indices[point->high];
	change->p_value = point->p_value;
	change->gradual = point->gradual;
}

static bool options_hold(const struct edivisive_options *options)
{
	const struct changepoint_options search = {options->alpha, options->min_segment};
	return changepoint_options_hold(&search) && options->min_relative >= 0 && options->confidence > 0 &&
	       options->confidence < 1;
}

enum stats_status edivisive_find(const double *x, size_t n, const struct edivisive_options *options,
                                 struct edivisive *out)
{
	if (!options_hold(options))
		return STATS_BAD_ARGUMENT;
	struct edivisive result = {0};
	struct divided history = {0};
	enum stats_status status = spike_points(x, n, &result.outliers, &result.outlier_count);
	if (status == STATS_OK)
		status = set_aside(&history, x, n, result.outliers, result.outlier_count);
	if (status == STATS_OK)
		status = find_shifts(&history, options, &result.longrun_factor);
	if (status == STATS_OK && !(result.changes = mem_zalloc(history.count, sizeof(*result.changes))))
		status = STATS_NO_MEMORY;
	if (status == STATS_OK) {
		result.count = history.count;
		for (size_t k = 0; k < history.count; k++) {
			give_indices(&history, &history.shifts[k].point, &result.changes[k]);
			measure_size(&history, k, options->confidence, result.longrun_factor, &result.changes[k]);
		}
		*out = result;
	} else {
		edivisive_release(&result);
	}
	history_release(&history);
	return status;
}

void edivisive_release(struct edivisive *result)
{
	mem_free(result->changes);
	mem_free(result->outliers);
	*result = (struct edivisive){0};
}
