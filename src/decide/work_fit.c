/* Rounds vary the more the longer they are: the line is fitted with weights, and its errors hold where these are wrong
 * and where neighbours in time are correlated (stats/work_line.h). A session does not end while one round has a leverage
 * above a quarter.
 *
 * Rounds are chosen by their work, not by how long they took: leaving out those that happened to be fast would tilt the
 * line.
 *
 * The line is refused when the time surely does not grow with the work, when a square term is significant (p < 0.01)
 * and it matters (the speeds of the lower and the upper half of the amounts differ by more than a tenth, and by more
 * than three of their own standard errors), or when rounds of the same work differ by more than a quarter: then "so
 * many per second" describes nothing. Small curvature that many rounds make significant is let pass; it is in the
 * result.
 *
 * Prediction: line ± c·√(s² + se²), se the line's own error at w, s the relative standard deviation of a round times
 * t(w): machine noise grows with time, and an interval with the s of small rounds is too short far out. Rounds that are
 * slow at times are no normal distribution: where the middle 95 % of the rounds seen reach farther than c·s on a side, that
 * is taken for it. */
#include "decide/work_fit.h"

#include "base/memory.h"
#include "stats/critical.h"
#include "stats/quantile.h"
#include "stats/subsession.h"

#include <math.h>
#include <string.h>

/* Pilot asked for rounds of 3, 10 and 20 s: no line in the first minute, and 17 rounds in ten. A machine whose speed
 * wanders for seconds to minutes spoils long rounds as much as short ones, and there are fewer of them. */
static const struct {
	double shortest, precision, autocorrelation, budget;
	size_t least;
} presets[] = {
	[PRESET_NONE] = {0.5, NAN, 0.1, 60, 10},
	[PRESET_QUICK] = {0.5, 0.1, 0.5, 120, 8},
	[PRESET_NORMAL] = {1, 0.05, 0.2, 1200, 10},
	[PRESET_STRICT] = {5, 0.05, 0.1, 3600, 20},
};

struct work_goal work_goal_for(const struct experiment *e)
{
	bool own = e->precision_given || e->preset == PRESET_NONE;
	struct work_goal goal = {.shortest = e->work.shortest > 0 ? (double)e->work.shortest / 1e9
	                                                          : presets[e->preset].shortest,
	                         .from = INFINITY,
	                         .precision = own ? e->precision : presets[e->preset].precision,
	                         .level = experiment_confidence_one(e),
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

static const char bent[] = "the time is not a straight line over the work amount";
static const char narrower[] =
	"measure a narrower range, or let the command report unit readings (--pi with the word units)";
static const double curvature_alpha = 0.01, curvature_matters = 0.1, error_limit = 0.25, growth_matters = 0.1,
					most_leverage = 0.25, room_for_leverage = 3;

/* The speed of rounds with amounts in [from, to]; NaN below three. The slope and its variance by *slope. */
static double half_speed(const double *work, const double *seconds, size_t n, double from, double to, double *slope,
                         double *variance)
{
	double *x = mem_alloc(2 * n, sizeof(*x)), *y = x + n;
	size_t count = 0;
	struct work_line line;
	for (size_t i = 0; x && i < n; i++)
		if (work[i] >= from && work[i] <= to) {
			x[count] = work[i];
			y[count++] = seconds[i];
		}
	bool known = x && work_line_fit(x, y, count, &line) == STATS_OK && line.slope > 0;
	double error = known ? line.slope_se * line.slope_factor : NAN;
	mem_free(x);
	*slope = known ? line.slope : NAN;
	*variance = error * error;
	return known ? 1 / line.slope : NAN;
}

static void describe(const double *work, const double *seconds, size_t n, double level, struct work_fit *out)
{
	double low = INFINITY, high = 0, squares = 0, *ratios = mem_alloc(n, sizeof(*ratios));
	const double ends[] = {(1 - level) / 2, (1 + level) / 2};
	double middle[] = {NAN, NAN};
	size_t used = 0;
	for (size_t i = 0; i < n; i++) {
		double expected = work_line_at(&out->line, work[i]);
		if (!(expected > 0))
			continue;
		low = fmin(low, work[i]);
		high = fmax(high, work[i]);
		squares += (seconds[i] / expected - 1) * (seconds[i] / expected - 1);
		if (ratios)
			ratios[used] = seconds[i] / expected;
		used++;
	}
	if (ratios && used > 0 && quantiles_of(ratios, used, ends, 2, 6, middle) == STATS_OK)
		out->ratios = (struct interval){middle[0], middle[1]};
	mem_free(ratios);
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

/* Why there is no fit although there are rounds: by a line through all of them. */
static enum stats_status diagnose(const double *work, const double *seconds, size_t n, const struct work_goal *goal,
                                  struct work_fit *out)
{
	struct work_line *line = &out->line;
	enum stats_status status = n >= goal->least ? work_line_fit(work, seconds, n, line) : STATS_TOO_FEW;
	if (status != STATS_OK)
		return status;
	if (line->slope <= critical_t(1 - goal->level, (double)n - 2) * line->slope_se)
		return STATS_NOT_DEFINED;
	if (line->curvature_p < curvature_alpha) {
		out->wps.curvature_p = line->curvature_p;
		describe(work, seconds, n, goal->level, out);
		if (out->halves_differ)
			refuse(out, bent, narrower, true);
	}
	return STATS_TOO_FEW;
}

/* Whether the time certainly does not grow: even the steepest line that the rounds allow (99 %) adds less than a tenth
 * over the whole range. Otherwise it cannot be told yet. */
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

static void judge_line(const double *work, const double *seconds, size_t n, const struct work_goal *goal,
                       struct work_fit *out)
{
	bool grows = out->status != STATS_NOT_DEFINED && out->status != STATS_UNBOUNDED;
	if (out->status == STATS_CONSTANT) {
		refuse(out, "all rounds had the same work amount", "give a wider range", false);
	} else if (!grows && n >= goal->least && surely_flat(work, seconds, n)) {
		refuse(out, "the time does not grow with the work amount",
		       "does the command use {work}? A wider range shows more", true);
	} else if (!grows) {
		out->waits_for = "it is not clear yet whether the time grows with the work amount";
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
static size_t take_rounds(const double *work, const double *seconds, size_t n, const struct wps *wps, double *x,
                          double *y)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (seconds[i] > fabs(wps->alpha)) {
			x[kept] = work[i];
			y[kept++] = seconds[i];
		}
	return kept;
}

/* The intervals, with the looks of a session that stops when they are short enough. */
static void find_intervals(const struct work_goal *goal, struct work_fit *out)
{
	struct wps *wps = &out->wps;
	const struct work_line *line = &out->line;
	double n = (double)line->n, alpha = 1 - goal->level;
	wps->critical = goal->once ? critical_t(alpha, n - 2) : critical_precision(alpha, n, n - 2);
	double slope = wps->critical * line->slope_se * line->slope_factor;
	double intercept = wps->critical * line->intercept_se * line->intercept_factor;
	wps->alpha = line->intercept;
	wps->alpha_interval = (struct interval){line->intercept - intercept, line->intercept + intercept};
	wps->speed = 1 / line->slope;
	wps->speed_interval = (struct interval){1 / (line->slope + slope),
	                                        line->slope > slope ? 1 / (line->slope - slope) : INFINITY};
}

static enum stats_status finish_fit(const double *work, const double *seconds, size_t n, const struct work_goal *goal,
                                    struct work_fit *out)
{
	double *x = mem_alloc(2 * n, sizeof(*x));
	struct subsession subsession;
	struct work_line all;
	if (!x)
		return STATS_NO_MEMORY;
	double *y = x + n;
	size_t used = take_rounds(work, seconds, n, &out->wps, x, y);
	enum stats_status status = work_line_fit(x, y, used, &out->line);
	if (status == STATS_OK) {
		find_intervals(goal, out);
		for (size_t i = 0; i < used; i++)
			y[i] -= work_line_at(&out->line, x[i]);
		if (subsession_find(y, used, goal->autocorrelation, &subsession) == STATS_OK)
			out->subsession = subsession.size;
		/* A bend shows best before the short rounds are left out. */
		out->wps.curvature_p = work_line_fit(work, seconds, n, &all) == STATS_OK ? all.curvature_p
		                                                                         : out->line.curvature_p;
		status = !(out->line.slope > 0)                ? STATS_NOT_DEFINED
		         : isinf(out->wps.speed_interval.high) ? STATS_UNBOUNDED
		                                               : STATS_OK;
	}
	mem_free(x);
	return status;
}

static void judge_precision(const struct work_goal *goal, struct work_fit *fit)
{
	const struct interval *speed = &fit->wps.speed_interval;
	double half = (speed->high - speed->low) / 2 / fit->wps.speed, rounds = (double)fit->wps.rounds;
	double needed = rounds * (half / goal->precision) * (half / goal->precision);
	/* Where few rounds bear the line, their own errors are in it more than its interval says; far below what was asked
	 * for there is room for that, unless one bears it alone. */
	double allowed = half <= goal->precision / room_for_leverage ? 2 * most_leverage : most_leverage;
	bool even = fit->line.leverage <= allowed;
	fit->enough = half <= goal->precision && fit->wps.rounds >= goal->least && !fit->refused && even;
	if (!fit->enough && !fit->refused)
		fit->waits_for = half > goal->precision ? "the interval is wider than requested" : "too few rounds";
	/* The leverage of the ends of n evenly spaced rounds is about 4/n. */
	double least = fmax((double)goal->least, even ? 0 : rounds * fit->line.leverage / allowed);
	fit->missing = fit->enough ? 0 : fmax(fmax(needed, least) - rounds, 1);
}

static bool fit_used(const double *work, const double *seconds, size_t n, const struct work_goal *goal,
                     struct work_fit *out)
{
	struct wps_options options = {0, 1, goal->level, WPS_MERGE_RESIDUALS};
	struct work_fit fit = {
		.prediction_error = NAN, .ratios = {NAN, NAN}, .low_speed = NAN, .high_speed = NAN, .missing = INFINITY};
	fit.status = n < 3 ? STATS_TOO_FEW : wps_fit(work, seconds, n, &options, &fit.wps);
	if (fit.status == STATS_TOO_FEW && n >= goal->least)
		fit.status = diagnose(work, seconds, n, goal, &fit);
	if (fit.status == STATS_OK || fit.status == STATS_UNBOUNDED) {
		fit.status = finish_fit(work, seconds, n, goal, &fit);
		describe(work, seconds, n, goal->level, &fit);
	}
	if (fit.status == STATS_NO_MEMORY)
		return false;
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

double work_fit_besides(const struct work_fit *fit)
{
	const struct interval *alpha = &fit->wps.alpha_interval;
	double surely = fmax(fmax(alpha->low, -alpha->high), 0);
	return surely * fit->wps.speed;
}

struct interval work_fit_predict(const struct work_fit *fit, double work, double *seconds)
{
	double time = work_line_at(&fit->line, work), error = fit->wps.critical * work_line_error(&fit->line, work);
	double single = fit->wps.critical * fmax(fit->line.relative_sd, fit->prediction_error) * time;
	/* fmax() leaves out what is not known. */
	double below = fmax(single, (1 - fit->ratios.low) * time), above = fmax(single, (fit->ratios.high - 1) * time);
	*seconds = time;
	return (struct interval){fmax(time - hypot(below, error), 0), time + hypot(above, error)};
}
