/* A session over work amounts: tare chooses how much the command does in each round (docs/methods.md,
 * "Sessions of readings, and of work amounts").
 *
 * Without unit readings the speed of the stable phase comes from the line through times over amounts. With them a round
 * gives many readings, and amounts grow until there are enough: at most five times the mean so far (Li et al. 2016, section
 * III-E). */
#include "session/state.h"

#include "base/format.h"
#include "base/memory.h"
#include "decide/work_fit.h"
#include "design/parameters.h"
#include "design/work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { UNIT_READINGS_WANTED = 100 }; /* a round */

/* One subject's rounds. */
struct session_work {
	struct work_session amounts;
	struct work_goal goal;
	struct work_fit fit;
	size_t refused; /* looks in a row that refused the line for good */
};

/* The index whose unit readings decide how long rounds are; NULL: the line does. */
static const struct performance_index *unit_index(const struct experiment *e)
{
	for (size_t i = 0; i < e->pi_count; i++)
		if (e->pis[i].units && !e->pis[i].watched)
			return &e->pis[i];
	return NULL;
}

static int set_amount(struct session *session, size_t subject, double work, struct error *err)
{
	if (work == floor(work) && fabs(work) < 1e15)
		snprintf(session->work_text, sizeof(session->work_text), "%.0f", work);
	else
		format_exact(session->work_text, sizeof(session->work_text), work);
	struct parameter value = {"work", session->work_text};
	struct arena arena = {0};
	char *command = parameter_substitute(&arena, session->experiment->subjects[subject].command, &value, 1);
	int status = command ? source_set_command(session->source, subject, command, err) : error_memory(err);
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

static double next_amount(struct session *session, struct session_work *work)
{
	const struct performance_index *pi = unit_index(session->experiment);
	double left = (session->budget - session_elapsed(session)) / (double)session->experiment->subject_count;
	if (!pi || work->amounts.n == 0)
		return work_session_next(&work->amounts, left);
	return work_session_next_for_units(&work->amounts, UNIT_READINGS_WANTED * (double)work->goal.least,
	                                   stable_readings(session, pi));
}

/* Whether every round of every subject has a value of the metric. */
static bool is_known(const struct session *session, size_t metric)
{
	for (size_t s = 0; s < session->experiment->subject_count; s++) {
		const struct series *series = &session->result->subjects[s].metrics[metric].series;
		for (size_t i = 0; i < series->n; i++)
			if (!isfinite(series->values[i]))
				return false;
	}
	return true;
}

static void set_time(struct session *session, size_t deciding, size_t line)
{
	session->deciding = deciding;
	session->line_metric = line;
	for (size_t i = 0; i < session->count; i++)
		session->questions[i].metric[0] = deciding;
}

/* A later round may lack what the first ones had. */
static void keep_to_known(struct session *session)
{
	if (session->line_metric == METRIC_WALL || is_known(session, session->line_metric))
		return;
	set_time(session, METRIC_WALL, METRIC_WALL);
	session->result->design.metric_why = "the other times are not known of every round";
}

/* The time that decides, once rounds are long enough to tell. */
static int choose_time(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	size_t found;
	session->line_chosen = true;
	session->facts.subjects = e->subject_count;
	session->facts.least_cpu_share = 1;
	session->line_metric = METRIC_WALL;
	if (unit_index(e)) {
		set_time(session, METRICS_OF_COMMANDS, METRIC_WALL);
		return 0;
	}
	for (size_t s = 0; s < e->subject_count; s++) {
		const struct measurement *metrics = session->result->subjects[s].metrics;
		size_t n = metrics[METRIC_WALL].series.n;
		double wall = n ? metrics[METRIC_WALL].series.values[n - 1] : NAN,
			   net = n ? metrics[METRIC_NET].series.values[n - 1] : NAN;
		double running = isnan(net) ? wall : net, cpu = n ? metrics[METRIC_CPU].series.values[n - 1] : NAN;
		session->facts.least_cpu_share = fmin(session->facts.least_cpu_share, running > 0 ? cpu / running : 0);
	}
	if (session_find_metric(session, &found, err) != 0)
		return -1;
	set_time(session, found, found);
	keep_to_known(session);
	return 0;
}

/* A session that nobody gave a time to gets what its least number of rounds needs. */
static void stretch_budget(struct session *session, const struct session_work *work, double seconds)
{
	const struct experiment *e = session->experiment;
	double share = work->amounts.from / work->amounts.work[work->amounts.n - 1];
	double needed = session_elapsed(session) +
	                1.5 * (double)work->goal.least * 2.5 * seconds * share * (double)e->subject_count;
	char text[160], budget[FORMAT_MAX], limit[FORMAT_MAX];
	if (e->max_time || e->stop == STOP_FIXED || unit_index(e) || needed <= session->budget)
		return;
	snprintf(text, sizeof(text),
	         "%zu rounds of different work take longer than %s: measuring for up to %s (--max-time sets it)",
	         work->goal.least, format_duration(limit, sizeof(limit), (int64_t)(session->budget * 1e9)),
	         format_duration(budget, sizeof(budget), (int64_t)(needed * 1e9)));
	session->budget = session->until = needed;
	session_say(session, text);
}

static bool fit_subject(struct session *session, const struct question *question)
{
	struct session_work *work = question->work;
	const struct subject *subject = &session->result->subjects[question->subject];
	keep_to_known(session);
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

static int keep_amount(struct session *session, size_t subject, double amount, struct error *err)
{
	struct measurement *m = subject_find_metric(&session->result->subjects[subject], METRIC_WORK);
	return series_append(&m->series, 0, amount, err);
}

int work_round(struct session *session, struct question *question, struct error *err)
{
	struct session_work *work = question->work;
	size_t s = question->subject;
	double amount = next_amount(session, work);
	bool found = work->amounts.found;
	if (isnan(amount))
		return error_memory(err);
	if (set_amount(session, s, amount, err) != 0)
		return -1;
	int lost = session_single(session, s, true, err);
	if (lost != 0)
		return lost < 0 ? -1 : ROUND_LOST;
	double seconds = session_value(session, s, METRIC_WALL);
	session->facts.single_threaded &= session->samples[s].single_threaded;
	if (keep_amount(session, s, amount, err) != 0)
		return -1;
	if (work_session_is_short(&work->amounts, amount, seconds))
		session_drop_units(session);
	if (seconds > 0 && work_session_add(&work->amounts, amount, seconds, err) != 0)
		return -1;
	if (!found && work->amounts.found)
		stretch_budget(session, work, seconds);
	return ROUND_KEPT;
}

static bool all_found(const struct session *session)
{
	for (size_t i = 0; i < session->count; i++)
		if (!session->questions[i].work->amounts.found)
			return false;
	return true;
}

/* ---- as a rule ---- */

static int feed(struct session *session, struct question *question, struct error *err)
{
	if (!session->line_chosen && all_found(session) && choose_time(session, err) != 0)
		return -1;
	question->fed = question->runs;
	return fit_subject(session, question) ? 0 : error_memory(err);
}

static int look(struct session *session, struct question *question, struct error *err)
{
	const struct session_work *work = question->work;
	bool by_units = unit_index(session->experiment) != NULL;
	(void)err;
	session->checks++;
	if (by_units ? session_indices_are_enough(session, question->runs) : work->fit.enough)
		question->end = SESSION_PRECISE;
	/* More rounds will not make a line of it: seen in as many looks as it needs rounds, after the first estimate. */
	else if (!by_units && work->refused >= work->goal.least && work->amounts.planned_count == 0)
		question->end = SESSION_DECIDED;
	return 0;
}

/* Where amounts are kept, and how long it may take. */
int work_open(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	static const enum level levels[] = {LEVEL_RUN, LEVEL_ITERATION};
	session->budget = work_budget_for(e);
	session->facts.single_threaded = true;
	for (size_t s = 0; s < e->subject_count; s++) {
		struct subject *subject = &session->result->subjects[s];
		struct session_work *work = mem_zalloc(1, sizeof(*work));
		if (!work)
			return error_memory(err);
		session->questions[s].work = work;
		session->questions[s].rule = &rule_work;
		work->goal = work_goal_for(e);
		struct work_rule rule = {.low = e->work.low,
		                         .high = e->work.high,
		                         .shortest = work->goal.shortest,
		                         .first_estimate = fmin(60, session->budget / 2),
		                         .rounds = 50,
		                         .least = work->goal.least,
		                         .seed = e->seed + s};
		work_session_init(&work->amounts, &rule);
		subject->work = arena_alloc(&session->result->arena, 1, sizeof(*subject->work));
		if (!subject->work ||
		    !result_add_metric(session->result, subject, METRIC_WORK, e->work.unit, BETTER_HIGHER, levels, 2))
			return error_memory(err);
		work_result_init(subject->work);
		subject->work->speed_unit = arena_printf(&session->result->arena, "%s/s", e->work.unit[0] ? e->work.unit : "1");
		if (!subject->work->speed_unit)
			return error_memory(err);
	}
	/* A metric that is no time is told before anything runs. */
	if (e->metric_count > 0 && session_find_metric(session, &session->line_metric, err) != 0)
		return -1;
	const struct metric *metric = source_metric(session->source, session->line_metric);
	if (strcmp(metric->unit, "s") != 0) {
		error_set(err, ERROR_USAGE, "work amounts need a metric that is a time, not '%.60s'", metric->name);
		error_on(err, "--metric");
		return error_next(err, "choose wall, cpu, net, user or system");
	}
	return session_apart_design(session, err);
}

int work_learn(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	for (size_t s = 0; s < e->subject_count && session->monitor; s++) {
		double smallest = e->work.low > 0 ? e->work.low : fmin(1, e->work.high);
		if (set_amount(session, s, smallest, err) != 0 || session_single(session, s, false, err) < 0)
			return -1;
	}
	return 0;
}

static void warn_short_rounds(struct session *session)
{
	bool too_short = false;
	char time[FORMAT_MAX];
	for (size_t i = 0; i < session->count; i++)
		too_short |= session->questions[i].work->amounts.too_short;
	if (too_short)
		result_warn(session->result, "short-rounds",
		            "even the largest work amount takes less than %s: shorter rounds are used; give a wider range",
		            format_duration(time, sizeof(time), (int64_t)(session->questions[0].work->goal.shortest * 1e9)));
}

/* With --ignore-failure a session may end without a single time. */
static int check_any(const struct session *session, struct error *err)
{
	for (size_t s = 0; s < session->experiment->subject_count; s++) {
		const struct subject *subject = &session->result->subjects[s];
		if (subject->metrics[0].series.n > 0)
			continue;
		error_set(err, ERROR_SUBJECT, "every run failed, the first with: %.160s",
		          subject->failure_count ? subject->failures[0].what : "nothing");
		error_on(err, "%s", subject->name);
		return error_next(err, "look at its output with --show-output");
	}
	return 0;
}

int work_end(struct session *session, int status, struct error *err)
{
	if (session->count == 0 || !session->questions[session->count - 1].work)
		return 0;
	warn_short_rounds(session);
	if (status != 0 || check_any(session, err) == 0)
		return 0;
	session->result->stopped.reason = "failed";
	return -1;
}

void work_close(struct session *session)
{
	for (size_t i = 0; i < session->count; i++) {
		struct session_work *work = session->questions[i].work;
		if (work)
			work_session_release(&work->amounts);
		mem_free(work);
	}
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
	keep_to_known(session);
	const struct series *amounts = &subject_find_metric(subject, METRIC_WORK)->series;
	const struct series *times = &subject->metrics[session->line_metric].series;
	const struct work_fit *fit = &work->fit;
	size_t n = amounts->n < times->n ? amounts->n : times->n;
	out->unit = arena_strdup(&session->result->arena, session->experiment->work.unit);
	out->metric = arena_strdup(&session->result->arena, source_metric(session->source, session->line_metric)->name);
	if (!out->unit || !out->metric || !fit_subject(session, question) ||
	    !fit_wall(session, subject, &work->goal, n, out))
		return error_memory(err);
	describe_rounds(session, work, amounts, n, out);
	bool by_units = unit_index(session->experiment) != NULL,
		 line = fit->status == STATS_OK || fit->status == STATS_UNBOUNDED;
	out->refused = fit->refused ? fit->refused : fit->status == STATS_OK ? NULL : fit->waits_for;
	out->instead = fit->refused   ? fit->instead
	               : out->refused ? "allow more time (--max-time), a wider range or shorter rounds (--min-round)"
	                              : NULL;
	const char *who = session->experiment->subject_count > 1 ? subject->name : "speed";
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

double work_rounds_left(const struct session *session)
{
	double left = 0;
	for (size_t i = 0; i < session->count; i++)
		left += fmax((double)session->experiment->runs - (double)session->questions[i].tried, 0);
	return left;
}

static void outlook(struct session *session, const struct question *question, struct session_progress *p)
{
	const struct session_work *work = question->work;
	p->unit = session_deciding(session, question, 0)->metric.unit;
	if (unit_index(session->experiment)) {
		session_indices_outlook(session, p);
		return;
	}
	if (work->fit.status != STATS_OK || work->fit.wps.rounds < 3)
		return;
	p->subject = "speed";
	p->unit = session->result->subjects[question->subject].work->speed_unit;
	p->estimate = work->fit.wps.speed;
	p->low = work->fit.wps.speed_interval.low;
	p->high = work->fit.wps.speed_interval.high;
	p->left = work->fit.missing * session->round_time;
	p->target = work->goal.precision;
}

const struct rule rule_work = {
	.name = "work",
	.feed = feed,
	.look = look,
	.outlook = outlook,
	.conclude = conclude,
};
