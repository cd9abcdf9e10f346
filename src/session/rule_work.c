/* A session over work amounts: tare chooses how much the command does in each round (docs/methods.md,
 * "Sessions of readings, and of work amounts").
 *
 * Without unit readings the speed of the stable phase comes from the line through times over amounts. With them a round
 * gives many readings, and amounts grow until there are enough: at most five times the mean so far (Li et al. 2016, section
 * III-E). */
#include "session/state.h"

#include <math.h>
#include <stdio.h>

enum { UNIT_READINGS_WANTED = 100 }; /* a round */

const struct performance_index *work_unit_index(const struct experiment *e)
{
	for (size_t i = 0; i < e->pi_count; i++)
		if (e->pis[i].units && !e->pis[i].watched)
			return &e->pis[i];
	return NULL;
}

int work_add(struct session *session, struct question *question, uint64_t seed, struct error *err)
{
	const struct experiment *e = session->experiment;
	struct subject *subject = &session->result->subjects[question->subject];
	struct session_work *work = question->work = arena_alloc(&session->arena, 1, sizeof(*work));
	if (!work)
		return error_memory(err);
	question->rule = &rule_work;
	work->goal = work_goal_for(e);
	struct work_rule rule = {.low = e->work.low,
	                         .high = e->work.high,
	                         .shortest = work->goal.shortest,
	                         .first_estimate = fmin(60, session->budget / 2),
	                         .rounds = 50,
	                         .least = work->goal.least,
	                         .seed = seed};
	work_session_init(&work->amounts, &rule);
	return session_add_metric(session, subject, (struct metric){METRIC_WORK, e->work.unit, BETTER_HIGHER}, 0, err);
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

double work_next(struct session *session, struct session_work *work)
{
	const struct performance_index *pi = work_unit_index(session->experiment);
	double left = (session->budget - session_elapsed(session)) / (double)session->sides;
	if (!pi || work->amounts.n == 0)
		return work_session_next(&work->amounts, left);
	return work_session_next_for_units(&work->amounts, UNIT_READINGS_WANTED * (double)work->goal.least,
	                                   stable_readings(session, pi));
}

/* Whether every round of every subject has a value of the metric. */
static bool is_known(const struct session *session, size_t metric)
{
	for (size_t s = 0; s < session->sides; s++) {
		const struct series *series = &session->result->subjects[s].metrics[metric].series;
		for (size_t i = 0; i < series->n; i++)
			if (!isfinite(series->values[i]))
				return false;
	}
	return true;
}

void work_set_time(struct session *session, size_t deciding, size_t line)
{
	session->deciding = deciding;
	session->line_metric = line;
	for (size_t i = 0; i < session->count; i++)
		session->questions[i].metric[0] = deciding;
}

/* A later round may lack what the first ones had. */
void work_keep_to_known(struct session *session)
{
	if (session->line_metric == METRIC_WALL || is_known(session, session->line_metric))
		return;
	work_set_time(session, METRIC_WALL, METRIC_WALL);
	session->result->design.metric_why = "the other times are not known of every round";
}

static bool fit_subject(struct session *session, const struct question *question)
{
	struct session_work *work = question->work;
	const struct subject *subject = &session->result->subjects[question->subject];
	work_keep_to_known(session);
	const struct series *amounts = &subject_find_metric(subject, METRIC_WORK)->series;
	const struct series *times = &subject->metrics[session->line_metric].series;
	work->goal.from = work->amounts.first;
	if (!work_fit(amounts->values, times->values, amounts->n < times->n ? amounts->n : times->n, &work->goal,
	              &work->fit))
		return false;
	if (work->fit.status == STATS_OK)
		work_session_raise(&work->amounts, work_fit_besides(&work->fit));
	work->refused = work->fit.final ? work->refused + 1 : 0;
	return true;
}

int work_keep(struct session *session, struct question *question, double amount, double seconds, struct error *err)
{
	struct session_work *work = question->work;
	struct subject *subject = &session->result->subjects[question->subject];
	if (series_append(&subject_find_metric(subject, METRIC_WORK)->series, 0, amount, err) != 0)
		return -1;
	if (work_session_is_short(&work->amounts, amount, seconds))
		session_drop_units(session);
	return seconds > 0 ? work_session_add(&work->amounts, amount, seconds, err) : 0;
}

/* ---- as a rule ---- */

static int feed(struct session *session, struct question *question, struct error *err)
{
	question->fed = question->runs;
	return fit_subject(session, question) ? 0 : error_memory(err);
}

static int look(struct session *session, struct question *question, struct error *err)
{
	const struct session_work *work = question->work;
	if (work_unit_index(session->experiment))
		return rule_readings.look(session, question, err);
	session->checks++;
	if (work->fit.enough)
		question->end = SESSION_PRECISE;
	/* More rounds will not make a line of it: seen in as many looks as it needs rounds, after the first estimate. */
	else if (work->refused >= work->goal.least && work->amounts.planned_count == 0)
		question->end = SESSION_DECIDED;
	return 0;
}

void work_close(struct session *session)
{
	for (size_t i = 0; i < session->count; i++)
		if (session->questions[i].work)
			work_session_release(&session->questions[i].work->amounts);
}

static void put_interval(struct confidence *ci, double level, struct interval interval, const char *method)
{
	*ci = (struct confidence){.level = level, .low = interval.low, .high = interval.high, .method = method};
	if (isinf(interval.high)) {
		ci->unbounded = true;
		ci->low = ci->high = NAN;
	}
}

/* The speed by wall time beside that of the time that decides. */
static bool fit_wall(const struct session *session, const struct subject *subject, const struct work_goal *goal,
                     size_t n, struct work_result *out)
{
	const struct series *amounts = &subject_find_metric(subject, METRIC_WORK)->series;
	struct work_fit fit;
	if (session->line_metric == METRIC_WALL)
		return true;
	if (!work_fit(amounts->values, subject->metrics[METRIC_WALL].series.values, n, goal, &fit))
		return false;
	if (fit.status != STATS_OK && fit.status != STATS_UNBOUNDED)
		return true;
	out->wall_speed = fit.wps.speed;
	put_interval(&out->wall_speed_ci, goal->level, fit.wps.speed_interval, "as the other");
	return true;
}

/* What was asked for, and the rounds that there are. */
static void describe_rounds(const struct session *session, const struct session_work *work,
                            const struct series *amounts, size_t n, struct work_result *out)
{
	const struct experiment *e = session->experiment;
	out->low = e->work.low;
	out->high = e->work.high;
	out->shortest = work->goal.shortest;
	out->from = isfinite(work->amounts.first) ? work->amounts.first : NAN;
	out->rounds = n;
	out->wanted = work->goal.precision;
	for (size_t i = 0; i < n; i++)
		out->short_rounds += amounts->values[i] < work->amounts.first;
}

/* The line through everything that was measured, also after a failure. */
static int conclude(struct session *session, struct question *question, struct error *err)
{
	struct subject *subject = &session->result->subjects[question->subject];
	struct session_work *work = question->work;
	struct work_result *out = subject->work;
	work_keep_to_known(session);
	const struct series *amounts = &subject_find_metric(subject, METRIC_WORK)->series;
	const struct series *times = &subject->metrics[session->line_metric].series;
	const struct work_fit *fit = &work->fit;
	size_t n = amounts->n < times->n ? amounts->n : times->n;
	out->unit = arena_strdup(&session->result->arena, session->experiment->work.unit);
	out->metric = arena_strdup(&session->result->arena, subject->metrics[session->line_metric].metric.name);
	if (!out->unit || !out->metric || !fit_subject(session, question) ||
	    !fit_wall(session, subject, &work->goal, n, out))
		return error_memory(err);
	describe_rounds(session, work, amounts, n, out);
	bool by_units = work_unit_index(session->experiment) != NULL,
		 line = fit->status == STATS_OK || fit->status == STATS_UNBOUNDED;
	out->refused = fit->refused ? fit->refused : fit->status == STATS_OK ? NULL : fit->waits_for;
	out->instead = fit->refused   ? fit->instead
	               : out->refused ? "allow more time (--max-time), a wider range or shorter rounds (--min-round)"
	                              : NULL;
	const char *who = session->sides > 1 ? subject->name : "speed";
	if (out->refused && !by_units)
		result_warn(session->result, "no-line", "%s: %s: %s", who, out->refused, out->instead);
	else if (!fit->enough && !work->goal.once && !by_units)
		result_warn(session->result, "not-converged", "%s: %s", who,
		            fit->waits_for ? fit->waits_for : "too few rounds");
	if (!line)
		return 0;
	const char *method = work->goal.once ? "t, weighted line, HC3" : "t x sqrt(1+5/n), weighted line, HC3";
	out->used = fit->wps.rounds;
	out->merged = fit->subsession;
	out->speed = fit->wps.speed;
	out->alpha = fit->wps.alpha;
	put_interval(&out->speed_ci, work->goal.level, fit->wps.speed_interval, method);
	put_interval(&out->alpha_ci, work->goal.level, fit->wps.alpha_interval, method);
	out->curvature_p = fit->wps.curvature_p;
	out->r_squared = fit->wps.line.r_squared;
	out->residual_sd = fit->wps.line.residual_sd;
	out->prediction_error = fit->prediction_error;
	return 0;
}

/* The time of a unit of work in the stable phase: that is what two commands are compared by. */
static struct apart_side side_of(const struct work_fit *fit)
{
	double n = (double)fit->line.n, se = fit->line.slope_se * fit->line.slope_factor;
	return (struct apart_side){
		.mean = fit->line.slope, .variance = se * se, .runs = n, .df = n - 2, .merged = fit->subsession};
}

int session_add_apart(struct session *session, size_t base, size_t new_, const struct apart *apart,
                      const struct apart_rule *rule, size_t runs, const char *method, struct error *err)
{
	struct comparison *c = result_add_comparison(session->result);
	const struct experiment *e = session->experiment;
	if (!c)
		return error_memory(err);
	c->metric = arena_strdup(&session->result->arena,
	                         session_deciding(session, &session->questions[0], 0)->metric.name);
	if (!c->metric)
		return error_memory(err);
	c->base = (uint32_t)base;
	c->new_ = (uint32_t)new_;
	c->margin = e->margin;
	c->design = session->result->design.name;
	c->ratio = apart->ratio;
	c->verdict = apart->verdict;
	c->p_value = isnan(apart->low) ? NAN : apart->p;
	c->scope = apart->verdict == VERDICT_SAME ? SCOPE_TOTAL : SCOPE_NONE;
	c->decided_by = apart->verdict == VERDICT_FASTER || apart->verdict == VERDICT_SLOWER ? "total" : NULL;
	const char *unknown = session->experiment->work.given
	                          ? "one of them has no line"
	                          : "too few runs, or a negative mean, to which a ratio is meaningless";
	c->unresolved = isnan(apart->ratio) ? unknown : apart->verdict == VERDICT_UNDECIDED ? "total" : NULL;
	c->units = runs;
	struct pair_findings paired = *c->paired;
	paired.share_why = paired.order_effect_why = paired.shuffle_why = "they were not measured in pairs";
	comparison_set_paired(session->result, c, &paired);
	if (isnan(apart->ratio))
		c->ratio_why = unknown;
	c->ci = (struct confidence){.level = 1 - rule->alpha, .low = apart->low, .high = apart->high, .method = method};
	c->ci.unbounded = isnan(apart->low) && !isnan(apart->ratio);
	return 0;
}

int work_compare(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	struct apart_rule rule = {.looks = e->stop == STOP_FIXED ? CRITICAL_FIXED : CRITICAL_PRECISION,
	                          .margin = e->margin,
	                          .alpha = session_alpha(session) / (double)(e->subject_count - 1)};
	const struct work_fit *base = &session->questions[e->reference].work->fit;
	for (size_t s = 0; s < e->subject_count; s++) {
		const struct work_fit *fit = &session->questions[s].work->fit;
		struct apart apart = {.verdict = VERDICT_UNDECIDED, .ratio = NAN, .low = NAN, .high = NAN, .p = NAN};
		if (s == e->reference)
			continue;
		bool lines = fit->status == STATS_OK && base->status == STATS_OK && !fit->refused && !base->refused;
		size_t runs = 0;
		if (lines) {
			struct apart_side sides[2] = {side_of(base), side_of(fit)};
			runs = (size_t)fmin(sides[0].runs, sides[1].runs);
			apart_compare(&sides[0], &sides[1], &rule, &apart);
			apart.p = NAN; /* a line is no mean of runs */
		}
		if (session_add_apart(session, e->reference, s, &apart, &rule, runs, "Fieller over the slopes of two lines",
		                      err) != 0)
			return -1;
	}
	return 0;
}

static double missing(const struct session *session, const struct question *question)
{
	if (work_unit_index(session->experiment))
		return rule_readings.missing(session, question);
	return question->work->fit.enough ? 0 : question->work->fit.missing;
}

static void outlook(struct session *session, const struct question *question, struct session_progress *p)
{
	const struct session_work *work = question->work;
	if (work_unit_index(session->experiment)) {
		rule_readings.outlook(session, question, p);
		return;
	}
	p->most.unit = session_deciding(session, question, 0)->metric.unit;
	if (work->fit.status != STATS_OK || work->fit.wps.rounds < 3)
		return;
	p->most.subject = "speed";
	p->most.unit = session->result->subjects[question->subject].work->speed_unit;
	p->most.estimate = work->fit.wps.speed;
	p->most.low = work->fit.wps.speed_interval.low;
	p->most.high = work->fit.wps.speed_interval.high;
	p->left = work->fit.missing * session->round_time;
	p->most.target = work->goal.precision;
}

const struct rule rule_work = {
	.feed = feed,
	.look = look,
	.missing = missing,
	.outlook = outlook,
	.conclude = conclude,
};
