/* Rounds vary the more the longer they are, and the few largest carry the slope: the usual standard errors are then far too small. So
 * they come from the residuals as they are (HC3, MacKinnon and White 1985: e²/(1 − h)² in place of s², h the leverage of a point), never
 * below the usual ones, and a session does not end while one point has a leverage above a quarter.
 *
 * Rounds are chosen by their work, not by how long they took: leaving out those that happened to be fast would tilt the line.
 *
 * The line is refused when the time surely does not grow with the work, when a square term is significant (F test, p < 0.01) and it
 * matters (the speeds of the lower and the upper half of the amounts differ by more than a tenth, and by more than three of their own
 * standard errors: the F test takes all rounds to vary alike), or when the residuals are more
 * than a quarter of the times: then "so many per second" describes nothing. Small curvature that many rounds make significant is
 * let pass; it is in the result.
 *
 * Prediction: line ± c·√(s_w² + se²), se the line's own error at w, made like the others; s_w the larger of the
 * residuals' standard deviation and their relative one times t(w): machine noise grows with time, and an interval with the constant s
 * of small rounds is too short far out. */
#include "decide/work_fit.h"

#include "base/memory.h"
#include "stats/critical.h"
#include "stats/runcorr.h"
#include "stats/subsession.h"

#include <math.h>
#include <string.h>

static const struct {
	double shortest, precision, autocorrelation, budget;
	size_t least;
} presets[] = {
	[PRESET_NONE] = {0.5, NAN, 0.1, 60, 10},
	[PRESET_QUICK] = {3, 0.1, 0.5, 120, 8},
	[PRESET_NORMAL] = {10, 0.05, 0.2, 600, 10},
	[PRESET_STRICT] = {20, 0.05, 0.1, 3600, 20},
};

struct work_goal work_goal_for(const struct experiment *e)
{
	bool own = e->precision_given || e->preset == PRESET_NONE;
	struct work_goal goal = {.shortest = e->work.shortest > 0 ? (double)e->work.shortest / 1e9 : presets[e->preset].shortest,
	                         .from = INFINITY,
	                         .precision = own ? e->precision : presets[e->preset].precision,
	                         .level = isnan(e->confidence) ? 0.95 : e->confidence,
	                         .autocorrelation = presets[e->preset].autocorrelation,
	                         .least = e->min_runs_given ? e->min_runs : presets[e->preset].least,
	                         .once = e->stop == STOP_FIXED};
	goal.least = goal.least < 3 ? 3 : goal.least;
	return goal;
}

double work_budget_for(const struct experiment *e)
{
	return e->max_time ? (double)e->max_time / 1e9 : presets[e->preset].budget;
}

static const char bent[] = "the time is no straight line over the work amount";
static const char narrower[] = "measure a narrower range, or let the command report unit readings (--pi with the word units)";
static const double curvature_alpha = 0.01, curvature_matters = 0.1, error_limit = 0.25, growth_matters = 0.1, most_leverage = 0.25;

/* The speed of rounds with amounts in [from, to]; NaN below three. The slope and its variance by *slope. */
static double half_speed(const double *work, const double *seconds, size_t n, double from, double to, double *slope,
                         double *variance)
{
	double *x = mem_alloc(2 * n, sizeof(*x)), *y = x + n;
	size_t count = 0;
	struct line line;
	for (size_t i = 0; x && i < n; i++)
		if (work[i] >= from && work[i] <= to) {
			x[count] = work[i];
			y[count++] = seconds[i];
		}
	bool known = x && line_fit(x, y, count, &line) == STATS_OK && line.slope > 0;
	mem_free(x);
	*slope = known ? line.slope : NAN;
	*variance = known ? line.slope_se * line.slope_se : NAN;
	return known ? 1 / line.slope : NAN;
}

static void describe(const double *work, const double *seconds, size_t n, struct work_fit *out)
{
	double low = INFINITY, high = 0, squares = 0;
	size_t used = 0;
	for (size_t i = 0; i < n; i++) {
		double expected = line_at(&out->wps.line, work[i]);
		if (!(expected > 0))
			continue;
		low = fmin(low, work[i]);
		high = fmax(high, work[i]);
		squares += (seconds[i] / expected - 1) * (seconds[i] / expected - 1);
		used++;
	}
	out->prediction_error = used ? sqrt(squares / (double)used) : NAN;
	double lower, upper, lower_variance, upper_variance;
	out->low_speed = half_speed(work, seconds, n, low, (low + high) / 2, &lower, &lower_variance);
	out->high_speed = half_speed(work, seconds, n, (low + high) / 2, high, &upper, &upper_variance);
	out->halves_differ = fabs(out->high_speed / out->low_speed - 1) > curvature_matters &&
	                     fabs(upper - lower) > 3 * sqrt(lower_variance + upper_variance);
}

static void refuse(struct work_fit *out, const char *why, const char *instead, bool final)
{
	out->refused = why;
	out->instead = instead;
	out->final = final;
}

/* Why there is no fit although there are rounds: by a plain line through all of them. */
static enum stats_status diagnose(const double *work, const double *seconds, size_t n, const struct work_goal *goal,
                                  struct work_fit *out)
{
	struct line line;
	enum stats_status status = n >= goal->least ? line_fit(work, seconds, n, &line) : STATS_TOO_FEW;
	if (status == STATS_OK) {
		double p, c = critical_t(1 - goal->level, (double)n - 2);
		status = STATS_TOO_FEW;
		if (line_slope_interval(&line, c).low <= 0) {
			status = STATS_NOT_DEFINED;
		} else if (line_curvature(work, seconds, n, &p) == STATS_OK && p < curvature_alpha) {
			out->wps.line = line;
			out->wps.curvature_p = p;
			describe(work, seconds, n, out);
			if (out->halves_differ)
				refuse(out, bent, narrower, true);
		}
	}
	return status;
}

/* Whether the time certainly does not grow: even the steepest line that the rounds allow (99 %) adds less than a tenth over the
 * whole range. Otherwise it cannot be told yet. */
static bool surely_flat(const double *work, const double *seconds, size_t n)
{
	struct line line;
	double low = INFINITY, high = 0, mean = 0;
	if (n < 3 || line_fit(work, seconds, n, &line) != STATS_OK)
		return false;
	for (size_t i = 0; i < n; i++) {
		low = fmin(low, work[i]);
		high = fmax(high, work[i]);
		mean += seconds[i] / (double)n;
	}
	return line_slope_interval(&line, critical_t(0.01, (double)n - 2)).high * (high - low) < growth_matters * mean;
}

static void judge_line(const double *work, const double *seconds, size_t n, const struct work_goal *goal, struct work_fit *out)
{
	bool grows = out->status != STATS_NOT_DEFINED && out->status != STATS_UNBOUNDED;
	if (out->status == STATS_CONSTANT) {
		refuse(out, "all rounds had the same work amount", "give a wider range", false);
	} else if (!grows && n >= goal->least && surely_flat(work, seconds, n)) {
		refuse(out, "the time does not grow with the work amount", "does the command use {work}? A wider range shows more", true);
	} else if (!grows) {
		out->waits_for = "whether the time grows with the work amount cannot be told yet";
	} else if (out->status != STATS_OK) {
		out->waits_for = out->refused ? NULL : "too few rounds that are long enough and differ in work";
	} else if (out->wps.curvature_p < curvature_alpha && out->halves_differ) {
		refuse(out, bent, narrower, true);
	} else if (out->prediction_error > error_limit) {
		refuse(out, "rounds of the same work take times that differ too much for a line",
		       "allow longer rounds (--min-round), or let the command report unit readings", false);
	}
}

/* The rounds of the line: those that last no longer than |alpha| are left out. */
static size_t take_rounds(const double *work, const double *seconds, size_t n, const struct wps *wps, double *x, double *y)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (seconds[i] > fabs(wps->alpha)) {
			x[kept] = work[i];
			y[kept++] = seconds[i];
		}
	return kept;
}

/* Standard errors from the residuals as they are. */
static void robust_errors(const double *x, const double *y, size_t points, struct work_fit *out)
{
	struct line *line = &out->wps.line;
	double n = (double)points, slope = 0, intercept = 0, mixed = 0;
	for (size_t i = 0; i < points; i++) {
		double d = x[i] - line->x_mean, leverage = 1 / n + d * d / line->x_squares;
		double e = (y[i] - line_at(line, x[i])) / fmax(1 - leverage, 0.05);
		double a = d / line->x_squares, b = 1 / n - line->x_mean * a;
		slope += a * a * e * e;
		intercept += b * b * e * e;
		mixed += a * b * e * e;
		out->leverage = fmax(out->leverage, leverage);
	}
	line->slope_se = fmax(line->slope_se, sqrt(slope));
	line->intercept_se = fmax(line->intercept_se, sqrt(intercept));
	out->slope_variance = slope;
	out->intercept_variance = intercept;
	out->covariance = mixed;
}

static double lag1(const double *x, size_t n, double mean)
{
	double squares = 0, products = 0;
	for (size_t i = 0; i < n; i++) {
		squares += (x[i] - mean) * (x[i] - mean);
		products += i > 0 ? (x[i - 1] - mean) * (x[i] - mean) : 0;
	}
	return squares > 0 ? products / squares : 0;
}

/* By how much neighbouring residuals that are alike widen the intervals; residuals take the place of y. The variance of a mean grows by
 * (1 + r)/(1 − r) (stats/runcorr.h), that of a slope by (1 + r·ρ)/(1 − r·ρ), ρ the autocorrelation of the amounts: in random order
 * they have next to none, and nothing has to be merged, which would draw the amounts together. */
static void find_inflation(const double *x, double *y, size_t n, struct work_fit *out)
{
	for (size_t i = 0; i < n; i++)
		y[i] -= line_at(&out->wps.line, x[i]);
	out->inflation = out->slope_inflation = 1;
	if (n < 3)
		return;
	out->inflation = runcorr_factor(lag1(y, n, 0), (double)n);
	double squared = out->inflation * out->inflation, r = (squared - 1) / (squared + 1);
	double both = r * fmax(0, lag1(x, n, out->wps.line.x_mean));
	out->slope_inflation = sqrt((1 + both) / (1 - both));
}

/* The intervals again with these errors, and with the looks of a session that stops when they are short enough. */
static void widen(const struct work_goal *goal, struct work_fit *out)
{
	struct wps *wps = &out->wps;
	if (!goal->once)
		wps->critical *= sqrt(1 + 10 / (double)wps->line.n);
	wps->alpha_interval = line_intercept_interval(&wps->line, wps->critical * out->inflation);
	struct interval slope = line_slope_interval(&wps->line, wps->critical * out->slope_inflation);
	wps->speed_interval = (struct interval){1 / slope.high, slope.low > 0 ? 1 / slope.low : INFINITY};
}

static bool finish_fit(const double *work, const double *seconds, size_t n, const struct work_goal *goal, struct work_fit *out)
{
	double *x = mem_alloc(2 * n, sizeof(*x)), p;
	struct subsession subsession;
	if (!x)
		return false;
	double *y = x + n;
	size_t used = take_rounds(work, seconds, n, &out->wps, x, y);
	robust_errors(x, y, used, out);
	find_inflation(x, y, used, out);
	widen(goal, out);
	if (subsession_find(y, used, goal->autocorrelation, &subsession) == STATS_OK)
		out->subsession = subsession.size;
	/* A bend shows best before the short rounds are left out. */
	if (line_curvature(work, seconds, n, &p) == STATS_OK)
		out->wps.curvature_p = p;
	mem_free(x);
	return true;
}

static void judge_precision(const struct work_goal *goal, struct work_fit *fit)
{
	const struct interval *speed = &fit->wps.speed_interval;
	double half = (speed->high - speed->low) / 2 / fit->wps.speed, rounds = (double)fit->wps.rounds;
	double needed = rounds * (half / goal->precision) * (half / goal->precision);
	bool even = fit->leverage <= most_leverage;
	fit->enough = half <= goal->precision && fit->wps.rounds >= goal->least && !fit->refused && even;
	if (!fit->enough && !fit->refused)
		fit->waits_for = half > goal->precision ? "the interval is wider than asked for" : "too few rounds";
	/* The leverage of the ends of n evenly spaced rounds is about 4/n. */
	double least = fmax((double)goal->least, even ? 0 : rounds * fit->leverage / most_leverage);
	fit->missing = fit->enough ? 0 : fmax(fmax(needed, least) - rounds, 1);
}

static bool fit_used(const double *work, const double *seconds, size_t n, const struct work_goal *goal, struct work_fit *out)
{
	struct wps_options options = {0, 1, goal->level, WPS_MERGE_RESIDUALS};
	struct work_fit fit = {.prediction_error = NAN, .low_speed = NAN, .high_speed = NAN, .missing = INFINITY,
	                       .inflation = 1, .slope_inflation = 1};
	fit.status = n < 3 ? STATS_TOO_FEW : wps_fit(work, seconds, n, &options, &fit.wps);
	if (fit.status == STATS_TOO_FEW && n >= goal->least)
		fit.status = diagnose(work, seconds, n, goal, &fit);
	if (fit.status == STATS_NO_MEMORY)
		return false;
	if (fit.status == STATS_OK || fit.status == STATS_UNBOUNDED) {
		if (!finish_fit(work, seconds, n, goal, &fit))
			return false;
		if (isinf(fit.wps.speed_interval.high))
			fit.status = STATS_UNBOUNDED;
		describe(work, seconds, n, &fit);
	}
	judge_line(work, seconds, n, goal, &fit);
	if (fit.status == STATS_OK)
		judge_precision(goal, &fit);
	*out = fit;
	return true;
}

bool work_fit(const double *work, const double *seconds, size_t n, const struct work_goal *goal, struct work_fit *out)
{
	double *x = mem_alloc(2 * n, sizeof(*x));
	size_t used = 0;
	if (!x)
		return false;
	double *y = x + n;
	for (size_t i = 0; i < n; i++)
		if (work[i] >= goal->from) {
			x[used] = work[i];
			y[used++] = seconds[i];
		}
	bool fine = fit_used(x, y, used, goal, out);
	mem_free(x);
	return fine;
}

struct interval work_fit_predict(const struct work_fit *fit, double work, double *seconds)
{
	const struct line *line = &fit->wps.line;
	double n = (double)line->n, d = work - line->x_mean, time = line_at(line, work);
	double single = fmax(line->residual_sd, fit->prediction_error * time);
	double usual = line->residual_sd * line->residual_sd * (1 / n + d * d / line->x_squares);
	double robust = fit->intercept_variance + 2 * work * fit->covariance + work * work * fit->slope_variance;
	double half = fit->wps.critical * sqrt(single * single + fit->inflation * fit->inflation * fmax(usual, robust));
	*seconds = time;
	return (struct interval){fmax(time - half, 0), time + half};
}
