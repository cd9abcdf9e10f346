/* t = α + w/v by least squares over rounds (Li et al. 2016, section III-A, eq. 4): α gathers set-up, warm-up and
 * cool-down, v = 1/slope is the stable speed.
 *
 * Rounds shorter than a bound, and those that last no longer than |α|, are left out; the second rule is
 * applied until it changes nothing. Neighbouring rounds are averaged (not summed: a sum of q rounds has the
 * overhead qα) until the lag-1 autocorrelation is within the limit; then t_{h−2} gives intervals over h
 * points. v has no upper bound when the interval of the slope reaches 0.
 *
 * Assumes a straight line: curvature_p says whether the rounds bear it out. */
#include "stats/wps.h"

#include "base/memory.h"
#include "stats/autocorrelation.h"
#include "stats/distribution.h"
#include "stats/subsession.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The rounds in use and room for what is derived from them. */
struct rounds {
	size_t n;
	double *work, *seconds;      /* used rounds, in order */
	double *series;              /* residuals or speeds of them */
	double *points_x, *points_y; /* group means */
};

static enum stats_status check(const double *work, const double *seconds, size_t n, const struct wps_options *options)
{
	enum stats_status status = stats_check_finite(work, n);
	if (status == STATS_OK)
		status = stats_check_finite(seconds, n);
	if (status != STATS_OK)
		return status;
	if (!(options->shortest >= 0) || !(options->autocorrelation_limit > 0 && options->autocorrelation_limit <= 1) ||
	    !(options->level > 0 && options->level < 1))
		return STATS_BAD_ARGUMENT;
	for (size_t i = 0; i < n; i++)
		if (work[i] < 0 || seconds[i] <= 0)
			return STATS_NOT_POSITIVE;
	return STATS_OK;
}

static size_t keep_longer(struct rounds *rounds, double seconds)
{
	size_t kept = 0;
	for (size_t i = 0; i < rounds->n; i++) {
		if (rounds->seconds[i] <= seconds)
			continue;
		rounds->work[kept] = rounds->work[i];
		rounds->seconds[kept++] = rounds->seconds[i];
	}
	size_t dropped = rounds->n - kept;
	rounds->n = kept;
	return dropped;
}

/* The line over single rounds, after leaving out what its own α rules out. */
static enum stats_status select_rounds(struct rounds *rounds, struct line *line)
{
	enum stats_status status;
	do {
		status = line_fit(rounds->work, rounds->seconds, rounds->n, line);
	} while (status == STATS_OK && keep_longer(rounds, fabs(line->intercept)) > 0);
	return status == STATS_EMPTY ? STATS_TOO_FEW : status;
}

/* The smallest size whose group means of residuals have a lag-1 autocorrelation of at most the limit. */
static enum stats_status merge_residuals(struct rounds *rounds, const struct line *line, double limit, size_t *size)
{
	double largest = 0;
	for (size_t i = 0; i < rounds->n; i++) {
		rounds->series[i] = rounds->seconds[i] - line_at(line, rounds->work[i]);
		largest = fmax(largest, fabs(rounds->seconds[i]));
	}
	*size = 1;
	if (line->residual_sd <= 16 * DBL_EPSILON * largest) /* a perfect line leaves rounding only */
		return STATS_OK;
	for (; *size == 1 || rounds->n / *size >= SUBSESSION_LEAST; ++*size) {
		double r;
		subsession_means(rounds->series, rounds->n, *size, rounds->points_x);
		enum stats_status status = autocorrelation_lag1(rounds->points_x, rounds->n / *size, &r);
		if (status == STATS_CONSTANT || (status == STATS_OK && r <= limit))
			return STATS_OK;
		if (status != STATS_OK)
			return status;
	}
	return STATS_TOO_FEW;
}

static enum stats_status find_size(struct rounds *rounds, const struct line *line, const struct wps_options *options,
                                   size_t *size)
{
	if (options->merging == WPS_MERGE_RESIDUALS)
		return merge_residuals(rounds, line, options->autocorrelation_limit, size);
	struct subsession subsession;
	for (size_t i = 0; i < rounds->n; i++)
		rounds->series[i] = rounds->work[i] / rounds->seconds[i];
	enum stats_status status = subsession_find(rounds->series, rounds->n, options->autocorrelation_limit, &subsession);
	if (status == STATS_OK)
		*size = subsession.size;
	return status;
}

static enum stats_status fit_points(struct rounds *rounds, double level, struct wps *wps)
{
	size_t points = rounds->n / wps->size;
	subsession_means(rounds->work, rounds->n, wps->size, rounds->points_x);
	subsession_means(rounds->seconds, rounds->n, wps->size, rounds->points_y);
	enum stats_status status = line_fit(rounds->points_x, rounds->points_y, points, &wps->line);
	if (status != STATS_OK)
		return status;
	if (!(wps->line.slope > 0))
		return STATS_NOT_DEFINED;
	wps->critical = -t_quantile((1 - level) / 2, (double)(points - 2));
	wps->alpha = wps->line.intercept;
	wps->alpha_interval = line_intercept_interval(&wps->line, wps->critical);
	wps->speed = 1 / wps->line.slope;
	for (size_t i = 0; i < rounds->n; i++) {
		double residual = rounds->seconds[i] - line_at(&wps->line, rounds->work[i]);
		wps->residual_squares += residual * residual;
	}
	status = line_curvature(rounds->points_x, rounds->points_y, points, &wps->curvature_p);
	if (status == STATS_NO_MEMORY)
		return status;
	if (status != STATS_OK)
		wps->curvature_p = NAN;
	struct interval slope = line_slope_interval(&wps->line, wps->critical);
	wps->speed_interval = (struct interval){1 / slope.high, slope.low > 0 ? 1 / slope.low : INFINITY};
	return slope.low > 0 ? STATS_OK : STATS_UNBOUNDED;
}

static enum stats_status fit(struct rounds *rounds, const struct wps_options *options, struct wps *out)
{
	struct line line;
	struct wps wps = {0};
	/* A round of exactly the shortest time is long enough. */
	if (options->shortest > 0)
		keep_longer(rounds, nextafter(options->shortest, 0));
	enum stats_status status = select_rounds(rounds, &line);
	if (status == STATS_OK)
		status = find_size(rounds, &line, options, &wps.size);
	if (status == STATS_OK) {
		wps.rounds = rounds->n;
		status = fit_points(rounds, options->level, &wps);
	}
	if (status == STATS_OK || status == STATS_UNBOUNDED)
		*out = wps;
	return status;
}

enum stats_status wps_fit(const double *work, const double *seconds, size_t n, const struct wps_options *options,
                          struct wps *out)
{
	enum stats_status status = check(work, seconds, n, options);
	if (status != STATS_OK)
		return status;
	double *room = mem_alloc(n, 5 * sizeof(*room));
	if (!room)
		return STATS_NO_MEMORY;
	struct rounds rounds = {n, room, room + n, room + 2 * n, room + 3 * n, room + 4 * n};
	memcpy(rounds.work, work, n * sizeof(*work));
	memcpy(rounds.seconds, seconds, n * sizeof(*seconds));
	status = fit(&rounds, options, out);
	mem_free(room);
	return status;
}

struct interval wps_prediction(const struct wps *wps, double work)
{
	return line_prediction(&wps->line, work, wps->critical);
}
