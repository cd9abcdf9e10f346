/* A session over work amounts: tare chooses how much the command does in each round (METHODS 7).
 *
 * Without unit readings the speed of the stable phase comes from the line through times over amounts. With them a round gives
 * many readings, and amounts grow until there are enough: at most five times the mean so far (paper 001, section III-E). */
#include "session/state.h"

#include "base/format.h"
#include "decide/work_fit.h"
#include "design/parameters.h"
#include "design/work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { UNIT_READINGS_WANTED = 100 }; /* a round */

struct work_preset {
	double shortest, precision, autocorrelation;
	size_t least;
};

static const struct work_preset presets[] = {
	[PRESET_NONE] = {0.5, NAN, 0.1, 10},
	[PRESET_QUICK] = {3, 0.1, 0.5, 8},
	[PRESET_NORMAL] = {10, 0.05, 0.2, 10},
	[PRESET_STRICT] = {20, 0.05, 0.1, 20},
};

static struct work_goal goal_of(const struct session *session)
{
	const struct experiment *e = session->experiment;
	const struct work_preset *preset = &presets[e->preset];
	bool own = e->precision_given || e->preset == PRESET_NONE;
	struct work_goal goal = {.shortest = e->work.shortest > 0 ? (double)e->work.shortest / 1e9 : preset->shortest,
	                         .precision = own ? e->precision : preset->precision,
	                         .level = isnan(e->confidence) ? 0.95 : e->confidence,
	                         .autocorrelation = preset->autocorrelation,
	                         .least = e->min_runs_given ? e->min_runs : preset->least,
	                         .once = e->stop == STOP_FIXED};
	goal.least = goal.least < 3 ? 3 : goal.least;
	return goal;
}

/* The index whose unit readings decide how long rounds are; NULL: the line does. */
static const struct performance_index *unit_index(const struct experiment *e)
{
	for (size_t i = 0; i < e->pi_count; i++)
		if (e->pis[i].units && !e->pis[i].watched)
			return &e->pis[i];
	return NULL;
}

static int set_amount(struct session *session, double work, struct error *err)
{
	char text[FORMAT_MAX];
	if (work == floor(work) && fabs(work) < 1e15)
		snprintf(text, sizeof(text), "%.0f", work);
	else
		format_exact(text, sizeof(text), work);
	struct parameter value = {"work", text};
	struct arena arena = {NULL};
	char *command = parameter_substitute(&arena, session->experiment->subjects[0].command, &value, 1);
	int status = command ? source_set_command(session->source, 0, command, err) : error_memory(err);
	arena_release(&arena);
	return status;
}

/* Unit readings in stable phases so far, of the index that decides. */
static double stable_readings(const struct session *session, const struct performance_index *pi)
{
	char name[200];
	snprintf(name, sizeof(name), "%.190s" METRIC_UNITS, pi->metric.name);
	const struct measurement *m = subject_find_metric(&session->result->subjects[0], name);
	double n = 0;
	for (size_t i = 0; m && i < m->phase_count; i++)
		n += (double)(m->phases[i].to - m->phases[i].from);
	return n;
}

static double next_amount(struct session *session, struct work_session *work, const struct work_goal *goal)
{
	const struct performance_index *pi = unit_index(session->experiment);
	double left = session->budget - session_elapsed(session);
	if (!pi || work->n == 0)
		return work_session_next(work, left);
	return work_session_next_for_units(work, UNIT_READINGS_WANTED * (double)goal->least, stable_readings(session, pi));
}

/* The time left for the progress line, and whether to go on. */
static enum session_end look(struct session *session, struct work_session *work, const struct work_goal *goal)
{
	const struct experiment *e = session->experiment;
	struct work_goal now = *goal;
	now.from = work->found ? work->first : 0;
	now.shortest = work->too_short ? 0 : goal->shortest;
	session->checks++;
	session->goal = now;
	if (!work_fit(work->work, work->seconds, work->n, &now, &session->fit))
		return SESSION_OUT_OF_TIME;
	if (session->fit.status == STATS_OK)
		work_session_raise(work, fabs(session->fit.wps.alpha) * session->fit.wps.speed);
	if ((e->runs && session->rounds >= e->runs) || (e->max_runs && session->rounds >= e->max_runs))
		return SESSION_COUNTED;
	if (e->stop != STOP_FIXED && (unit_index(e) ? session_indices_are_enough(session) : session->fit.enough))
		return SESSION_PRECISE;
	/* More rounds will not make a line of it. */
	if (e->stop != STOP_FIXED && !unit_index(e) && session->fit.refused && work->growing == 0 && session->rounds >= 4 * goal->least)
		return SESSION_DECIDED;
	bool bound_by_time = e->stop != STOP_FIXED || e->max_time || !e->runs;
	double last = work->n ? work->seconds[work->n - 1] : 0;
	return bound_by_time && session_elapsed(session) + last > session->budget ? SESSION_OUT_OF_TIME : SESSION_GO_ON;
}

static int keep_amount(struct session *session, double amount, struct error *err)
{
	struct measurement *m = subject_find_metric(&session->result->subjects[0], METRIC_WORK);
	return series_append(&m->series, 0, amount, err);
}

static int measure_amounts(struct session *session, struct work_session *work, const struct work_goal *goal,
                           enum session_end *end, struct error *err)
{
	do {
		double amount = next_amount(session, work, goal);
		if (isnan(amount))
			return error_memory(err);
		int64_t before = source_now(session->source);
		if (set_amount(session, amount, err) != 0)
			return -1;
		int lost = session_single(session, 0, err);
		if (lost < 0)
			return -1;
		double seconds = session_value(session, 0, SOURCE_WALL);
		if (lost == 0 && keep_amount(session, amount, err) != 0)
			return -1;
		if (lost == 0 && work_session_is_short(work, amount, seconds))
			session_drop_units(session);
		if (lost == 0 && seconds > 0 && work_session_add(work, amount, seconds, err) != 0)
			return -1;
		session_kept(session);
		if (source_cancelled(session->source))
			return error_set(err, ERROR_INTERRUPTED, "interrupted");
		session->round_time = (double)(source_now(session->source) - before) / 1e9;
		*end = look(session, work, goal);
		session_tell(session, "measuring");
	} while (*end == SESSION_GO_ON);
	return 0;
}

/* Before the first round: where amounts are kept, and how long it may take. */
static int prepare(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	struct subject *subject = &session->result->subjects[0];
	session->deciding = SOURCE_WALL;
	if (unit_index(e))
		session->deciding = SOURCE_BUILT_IN;
	session->budget = e->max_time ? (double)e->max_time / 1e9
	                  : e->preset == PRESET_NONE ? 60
	                  : e->preset == PRESET_QUICK ? 120
	                  : e->preset == PRESET_NORMAL ? 600 : 3600;
	subject->work = arena_alloc(&session->result->arena, 1, sizeof(*subject->work));
	if (!subject->work || !result_add_metric(session->result, subject, METRIC_WORK, e->work.unit, BETTER_HIGHER, levels, 2))
		return error_memory(err);
	work_result_init(subject->work);
	subject->work->speed_unit = arena_printf(&session->result->arena, "%s/s", e->work.unit[0] ? e->work.unit : "1");
	if (!subject->work->speed_unit)
		return error_memory(err);
	return session_choose_design(session, err);
}

int session_measure_work(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	struct work_goal goal = goal_of(session);
	if (prepare(session, err) != 0)
		return -1;
	struct work_rule rule = {.low = e->work.low, .high = e->work.high, .shortest = goal.shortest,
	                         .first_estimate = fmin(60, session->budget / 2), .rounds = 50};
	struct work_session work;
	enum session_end end = SESSION_OUT_OF_TIME;
	work_session_init(&work, &rule);
	int status = measure_amounts(session, &work, &goal, &end, err);
	if (work.too_short) {
		char text[160], time[FORMAT_MAX];
		snprintf(text, sizeof(text), "even the largest work amount takes less than %s: shorter rounds are used",
		         format_duration(time, sizeof(time), (int64_t)(goal.shortest * 1e9)));
		result_warn(session->result, "short-rounds", "%s; give a wider range", text);
	}
	if (status == 0)
		session->result->stopped.reason = session_reason(end);
	work_session_release(&work);
	return status;
}

static void put_interval(struct confidence *ci, double level, struct interval interval, const char *method)
{
	*ci = (struct confidence){.level = level, .low = interval.low, .high = interval.high, .method = method};
	if (isinf(interval.high)) {
		ci->unbounded = true;
		ci->low = ci->high = NAN;
	}
}

/* The line through everything that was measured, also after a failure. */
int session_conclude_work(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	struct subject *subject = &session->result->subjects[0];
	struct work_result *out = subject->work;
	const struct series *work = &subject_find_metric(subject, METRIC_WORK)->series;
	const struct series *wall = &subject->metrics[SOURCE_WALL].series;
	struct work_goal goal = session->goal.least ? session->goal : goal_of(session);
	struct work_fit fit;
	size_t n = work->n < wall->n ? work->n : wall->n;
	if (!work_fit(work->values, wall->values, n, &goal, &fit))
		return error_memory(err);
	out->unit = arena_strdup(&session->result->arena, e->work.unit);
	if (!out->unit)
		return error_memory(err);
	out->low = e->work.low;
	out->high = e->work.high;
	out->shortest = goal.shortest;
	out->from = goal.from;
	out->rounds = n;
	out->wanted = goal.precision;
	for (size_t i = 0; i < n; i++)
		out->short_rounds += wall->values[i] < goal.shortest || work->values[i] < goal.from;
	bool by_units = unit_index(e) != NULL;
	out->refused = fit.refused ? fit.refused : fit.status == STATS_OK ? NULL : "too few rounds that are long enough and differ in work";
	out->instead = fit.refused ? fit.instead : out->refused ? "allow more time, or shorter rounds (--min-round)" : NULL;
	if (out->refused && !by_units)
		result_warn(session->result, "no-line", "%s: %s", out->refused, out->instead);
	if (fit.status != STATS_OK && fit.status != STATS_UNBOUNDED)
		return 0;
	const char *method = goal.once ? "t, HC3, over the line" : "t x sqrt(1+10/n), HC3, over the line";
	out->used = fit.wps.rounds;
	out->merged = fit.wps.size;
	out->speed = fit.wps.speed;
	out->alpha = fit.wps.alpha;
	put_interval(&out->speed_ci, goal.level, fit.wps.speed_interval, method);
	put_interval(&out->alpha_ci, goal.level, fit.wps.alpha_interval, method);
	out->curvature_p = fit.wps.curvature_p;
	out->r_squared = fit.wps.line.r_squared;
	out->residual_sd = fit.wps.line.residual_sd;
	out->prediction_error = fit.prediction_error;
	if (!fit.enough && !out->refused && !goal.once && !by_units)
		result_warn(session->result, "not-converged", "speed: the interval is wider than asked for");
	return 0;
}

void session_work_outlook(struct session *session, struct session_progress *p)
{
	const struct work_fit *fit = &session->fit;
	if (unit_index(session->experiment)) {
		session_indices_outlook(session, p);
		return;
	}
	if (fit->status != STATS_OK || fit->wps.rounds < 3)
		return;
	p->subject = "speed";
	p->unit = session->result->subjects[0].work->speed_unit;
	p->estimate = fit->wps.speed;
	p->low = fit->wps.speed_interval.low;
	p->high = fit->wps.speed_interval.high;
	p->left = fit->missing * session->round_time;
	p->target = goal_of(session).precision;
}
