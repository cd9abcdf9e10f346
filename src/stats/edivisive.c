/* E-divisive (Matteson and James 2014, JASA 109:334) for histories of results.
 *
 * Steps: single outliers are set aside (stats/spike.h); the change points of what is left (stats/changepoint.h: the
 * E-divisive statistic with exponent 2 of normal scores, so a change of the level; a test that allows for
 * autocorrelation instead of a permutation test that does not); neighbouring gradual changes in one direction become
 * one; changes below the least magnitude are dropped; sizes.
 *
 * Size: difference of the mean levels, Welch's t interval with each variance of a mean multiplied by the long-run
 * factor τ² and the degrees of freedom divided by it. A change is kept when that interval excludes 0. Sizes of changes that are barely significant are too large, for smaller ones were not
 * seen: the interval that is told is conditional on having been seen (stats/selected.h), with the standard error that
 * the t interval amounts to, and reaches down to 0 for those. The relative size is that over the level before.
 *
 * A ramp is cut into as many levels as its height over the noise can show. Such cuts follow a line better than a step;
 * they are joined and reported as one gradual change whose interval spans them. */
#include "stats/edivisive.h"

#include "base/memory.h"
#include "stats/changepoint.h"
#include "stats/distribution.h"
#include "stats/ewc.h"
#include "stats/selected.h"
#include "stats/spike.h"
#include "stats/split.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>

enum { MAGNITUDE_WINDOW = 30 };

/* What choosing the place adds to the deviate of a change that is barely seen (simulation, `make rates`). */
static const double SEARCHED = 0.3;

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

static bool is_gradual(const struct divided *history, size_t level)
{
	return (level > 0 && history->shifts[level - 1].point.gradual) ||
	       (level < history->count && history->shifts[level].point.gradual);
}

/* Noise of short memory has as much power in the lowest two cosines of a level as in the next ones, by F; a walk or a
 * piece of a cycle has most of it there. Higher cosines are used up to a tenth of a turn per value: beyond that AR(0.5)
 * noise has less power, too. Gradual changes are told as such. */
static double drift_between(const struct divided *history)
{
	enum { LOW = 2, LEAST_LEVEL = 20, VALUES_PER_COSINE = 5 };
	double low = 0, high = 0, low_count = 0, high_count = 0;
	for (size_t k = 0; k <= history->count; k++) {
		size_t from = level_start(history, k), length = level_end(history, k) - from;
		size_t cosines = length / VALUES_PER_COSINE < EWC_COSINES ? length / VALUES_PER_COSINE : EWC_COSINES;
		double powers[EWC_COSINES];
		if (length < LEAST_LEVEL || is_gradual(history, k))
			continue;
		ewc_powers(history->x + from, length, mean_between(history, from, from + length), powers);
		for (size_t j = 0; j < cosines; j++)
			*(j < LOW ? &low : &high) += powers[j];
		low_count += LOW;
		high_count += (double)(cosines - LOW);
	}
	return high > 0 ? f_upper_tail(low / low_count / (high / high_count), low_count, high_count) : 1;
}

static enum stats_status find_shifts(struct divided *history, const struct edivisive_options *options,
                                     struct edivisive *out)
{
	const struct changepoint_options search = {options->alpha, options->min_segment};
	struct changepoints found = {0};
	enum stats_status status = changepoint_find(history->x, history->n, &search, NULL, 0, &found);
	if (status != STATS_OK)
		return status;
	out->longrun_factor = found.longrun_factor;
	history->shifts = mem_alloc(found.count, sizeof(*history->shifts));
	if (history->shifts) {
		history->count = found.count;
		for (size_t k = 0; k < found.count; k++)
			history->shifts[k] = (struct shift){found.points[k].at, found.points[k].at, found.points[k]};
		join_gradual(history);
		out->drift_p = drift_between(history); /* small changes that are then dropped are no drift */
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

/* Size and t interval of change k. */
static double measure_size(const struct divided *history, size_t k, double confidence, double factor,
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
	double half = c * sqrt(variance1 + variance2);
	change->before = before.mean;
	change->after = after.mean;
	change->size = after.mean - before.mean;
	change->size_interval = (struct interval){change->size - half, change->size + half};
	change->relative = before.mean > 0 ? change->size / before.mean : NAN;
	change->relative_interval = (struct interval){NAN, NAN};
	/* What the level before adds to the uncertainty of the ratio. */
	return before.mean > 0 ? sqrt(variance1) / before.mean : NAN;
}

/* The interval that is told: conditional on the change having been seen. */
static void tell_size(const struct divided *history, const struct edivisive_options *options, double level_error,
                      struct edivisive_change *change)
{
	double half = (change->size_interval.high - change->size_interval.low) / 2;
	double z = -normal_quantile((1 - options->confidence) / 2);
	double critical = split_critical(history->n, options->min_segment, options->alpha) + SEARCHED;
	struct interval seen;
	/* The end towards 0 alone: the place is searched too, and the other end would come out too near. */
	if (half > 0 && selected_interval(change->size, half / z, critical, options->confidence, &seen) == STATS_OK) {
		if (change->size > 0)
			change->size_interval.low = fmin(seen.low, change->size_interval.low);
		else
			change->size_interval.high = fmax(seen.high, change->size_interval.high);
	}
	if (isnan(change->relative))
		return;
	/* A level that may be 0 has no ratio. */
	if (z * level_error >= 1) {
		change->relative_interval = (struct interval){-INFINITY, INFINITY};
		return;
	}
	double widen = z * level_error * fabs(change->relative), scale = fabs(change->before);
	change->relative_interval = (struct interval){change->size_interval.low / scale - widen,
	                                              change->size_interval.high / scale + widen};
	if (change->size_interval.low == 0 || change->size_interval.high == 0) {
		if (change->size > 0)
			change->relative_interval.low = 0;
		else
			change->relative_interval.high = 0;
	}
}

/* Drops changes whose interval holds 0, the weakest first: its levels join. */
static void drop_unclear(struct divided *history, const struct edivisive_options *options, double factor)
{
	while (history->count > 0) {
		size_t weakest = 0;
		double least = INFINITY;
		for (size_t k = 0; k < history->count; k++) {
			struct edivisive_change change;
			measure_size(history, k, options->confidence, factor, &change);
			double half = (change.size_interval.high - change.size_interval.low) / 2;
			double clear = half > 0 ? fabs(change.size) / half : INFINITY;
			if (clear < least) {
				least = clear;
				weakest = k;
			}
		}
		if (least >= 1)
			return;
		memmove(history->shifts + weakest, history->shifts + weakest + 1,
		        (--history->count - weakest) * sizeof(*history->shifts));
	}
}

/* The mean autocorrelation at these lags of what the levels leave. */
static double residual_correlation(const struct divided *history, size_t first_lag, size_t last_lag)
{
	double squares = 0, products = 0;
	for (size_t k = 0; k <= history->count; k++) {
		size_t from = level_start(history, k), to = level_end(history, k);
		double mean = mean_between(history, from, to);
		for (size_t i = from; i < to; i++) {
			double residual = history->x[i] - mean;
			squares += residual * residual;
			for (size_t lag = first_lag; lag <= last_lag && lag <= i - from; lag++)
				products += residual * (history->x[i - lag] - mean);
		}
	}
	return squares > 0 ? products / squares / (double)(last_lag - first_lag + 1) : 0;
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
		status = find_shifts(&history, options, &result);
	if (status == STATS_OK)
		drop_unclear(&history, options, result.longrun_factor);
	if (status == STATS_OK && !(result.changes = mem_zalloc(history.count, sizeof(*result.changes))))
		status = STATS_NO_MEMORY;
	if (status == STATS_OK) {
		result.count = history.count;
		result.correlation = residual_correlation(&history, 1, 1);
		result.memory = residual_correlation(&history, 4, 8);
		for (size_t k = 0; k < history.count; k++) {
			give_indices(&history, &history.shifts[k].point, &result.changes[k]);
			double error = measure_size(&history, k, options->confidence, result.longrun_factor, &result.changes[k]);
			tell_size(&history, options, error, &result.changes[k]);
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
