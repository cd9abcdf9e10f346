/* Performance indices in a session: unit readings with their phases, and all indices judged at once. */
#include "session/state.h"

#include "base/array.h"
#include "base/memory.h"
#include "decide/phases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The unit readings of one index of one subject in the last round. */
struct session_units {
	double *values;
	size_t n, capacity;
	struct phase phase;
	size_t metric;           /* index of the metric that keeps them; 0: readings only */
	struct round_phase *own; /* of every kept round and the one being measured: what its own search found */
	size_t own_count, own_capacity;
};

int session_open_indices(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	session->units = arena_alloc(&session->arena, e->subject_count * e->pi_count, sizeof(*session->units));
	session->readings = arena_alloc(&session->arena, e->pi_count, sizeof(*session->readings));
	if (!session->units || !session->readings)
		return error_memory(err);
	for (size_t s = 0; s < e->subject_count; s++)
		for (size_t i = 0; i < e->pi_count; i++) {
			const struct performance_index *pi = &e->pis[i];
			struct subject *subject = &session->result->subjects[s];
			struct measurement *m = &subject->metrics[session->first_index + i];
			struct readings_rule rule = readings_rule_for(e, pi);
			m->mean_kind = pi->mean;
			struct index_goal *index = measurement_own_index(session->result, m);
			if (!index)
				return error_memory(err);
			index->autocorrelation_limit = rule.autocorrelation;
			index->wanted = pi->watched || e->stop == STOP_FIXED || e->subject_count > 1 ? NAN : rule.precision;
			if (!pi->units)
				continue;
			char name[200];
			snprintf(name, sizeof(name), "%.190s" METRIC_UNITS, pi->metric.name);
			session->units[s * e->pi_count + i].metric = subject->metric_count;
			if (session_add_metric(session, subject, (struct metric){name, pi->metric.unit, pi->metric.better}, 0,
			                       err) != 0)
				return -1;
			subject->metrics[subject->metric_count - 1].mean_kind = pi->mean;
		}
	return 0;
}

void session_close_indices(struct session *session)
{
	for (size_t i = 0; session->units && i < session->sides * session->experiment->pi_count; i++) {
		mem_free(session->units[i].values);
		mem_free(session->units[i].own);
	}
}

/* Those of performance index i, and their stable phase, by the readings of the round and by what earlier rounds showed. */
static int take_units(struct session *session, size_t subject, size_t i, const struct pi_numbers *numbers,
                      struct error *err)
{
	const struct experiment *e = session->experiment;
	struct session_units *units = &session->units[subject * e->pi_count + i];
	if (array_reserve(&units->values, &units->capacity, numbers->n) != 0 ||
	    array_reserve(&units->own, &units->own_capacity, units->own_count + 1) != 0)
		return error_memory(err);
	if (numbers->n > 0)
		memcpy(units->values, numbers->values, numbers->n * sizeof(*units->values));
	struct round_phase *now = &units->own[units->own_count];
	now->n = units->n = numbers->n;
	if (!phases_of_round(units->values, units->n, e->phases, e->pis[i].metric.better, &now->phase))
		return error_memory(err);
	units->phase = phases_join(units->own, units->own_count + 1);
	session->samples[subject].values[session->first_index + i] = phases_mean(units->values, &units->phase,
	                                                                         e->pis[i].mean);
	return 0;
}

int session_take_units(struct session *session, size_t subject, const struct pi_numbers *numbers, struct error *err)
{
	const struct experiment *e = session->experiment;
	for (size_t i = 0; i < e->pi_count; i++)
		if (session->units[subject * e->pi_count + i].metric && take_units(session, subject, i, &numbers[i], err) != 0)
			return -1;
	return 0;
}

const struct measurement *session_units_kept(const struct session *session, size_t subject, size_t index)
{
	size_t metric = session->units[subject * session->experiment->pi_count + index].metric;
	return metric ? &session->result->subjects[subject].metrics[metric] : NULL;
}

int session_keep_units(struct session *session, size_t subject, bool lost, struct error *err)
{
	const struct experiment *e = session->experiment;
	for (size_t i = 0; i < e->pi_count; i++) {
		struct session_units *units = &session->units[subject * e->pi_count + i];
		if (!units->metric)
			continue;
		struct measurement *m = &session->result->subjects[subject].metrics[units->metric];
		bool none = lost || units->n == 0, forget = session->instrument->forgets_units;
		units->own_count += !none;
		for (size_t k = 0; k < units->n && !none && !forget; k++)
			if (series_append(&m->series, k == 0 ? 0 : 1, units->values[k], err) != 0)
				return -1;
		if (none && series_append(&m->series, 0, NAN, err) != 0)
			return -1;
		if (array_add_in(&session->result->arena, &m->phases, m->phase_count) != 0)
			return error_memory(err);
		m->phases[m->phase_count++] = none ? (struct phase){0} : units->phase;
	}
	return 0;
}

void session_drop_units(struct session *session)
{
	const struct experiment *e = session->experiment;
	struct subject *subject = &session->result->subjects[0];
	for (size_t i = 0; i < e->pi_count; i++) {
		struct session_units *units = &session->units[i];
		if (!units->metric)
			continue;
		units->own_count -= units->own_count > 0 && units->n > 0;
		struct measurement *all = &subject->metrics[units->metric],
						   *reading = &subject->metrics[session->first_index + i];
		all->phases[all->phase_count - 1] = (struct phase){0};
		reading->series.values[reading->series.n - 1] = NAN;
	}
	session->short_rounds++;
}

bool session_judges_indices(const struct session *session)
{
	const struct experiment *e = session->experiment;
	/* Another metric that was asked for decides by itself. */
	bool other = e->metric_count > 0 && session->deciding < session->first_index;
	return e->pi_count > 0 && e->subject_count == 1 && !other;
}

/* Looks at the readings of every index of the one subject; false: no memory, what was known stays. */
static bool look_at_all(struct session *session)
{
	const struct experiment *e = session->experiment;
	bool fine = true;
	for (size_t i = 0; i < e->pi_count; i++) {
		const struct series *series = &session->result->subjects[0].metrics[session->first_index + i].series;
		struct readings_rule rule = readings_rule_for(e, &e->pis[i]);
		fine = readings_look(series->values, series->n, &rule, &session->readings[i]) && fine;
	}
	return fine;
}

bool session_indices_are_precise(const struct session *session)
{
	const struct experiment *e = session->experiment;
	bool enough = true, any = false;
	for (size_t i = 0; i < e->pi_count; i++) {
		any |= !e->pis[i].watched;
		enough &= e->pis[i].watched || session->readings[i].wait == READINGS_ENOUGH;
	}
	return enough && any;
}

static struct session_estimate index_estimate(const struct session *session, size_t i)
{
	const struct experiment *e = session->experiment;
	const struct readings *r = &session->readings[i];
	const struct session_units *units = &session->units[i];
	return (struct session_estimate){.subject = e->pis[i].metric.name,
	                                 .unit = e->pis[i].metric.unit,
	                                 .estimate = r->n ? r->mean : NAN,
	                                 .low = r->n ? r->low : NAN,
	                                 .high = r->n ? r->high : NAN,
	                                 .target = e->pis[i].watched ? NAN : readings_rule_for(e, &e->pis[i]).precision,
	                                 .decided = e->pis[i].watched || r->wait == READINGS_ENOUGH,
	                                 .phase = units->metric ? &units->phase : NULL,
	                                 .readings = units->n};
}

/* What a look says into the metric, in place of the interval over all runs. */
static void report_readings(struct session *session, const struct readings *r, double level, struct measurement *m)
{
	struct index_goal *index = measurement_own_index(session->result, m);
	struct description *described = measurement_own_description(session->result, m);
	if (index && described) {
		index->skip_runs = r->from;
		described->autocorrelation = r->autocorrelation;
		described->subsession = r->subsession;
	}
	if (isnan(r->mean))
		return;
	m->mean = r->mean;
	m->ci = (struct confidence){.level = level, .low = r->low, .high = r->high};
	m->ci.method = arena_printf(&session->result->arena, "%s over %zu runs", r->method ? r->method : "", r->used);
	if (isnan(r->low)) {
		m->ci.level = NAN;
		m->ci.why = readings_wait_words(r->wait);
	} else if (isinf(r->high)) {
		m->ci.unbounded = true;
		m->ci.low = m->ci.high = NAN;
	}
}

static void warn_phases(struct session *session, size_t subject)
{
	const struct experiment *e = session->experiment;
	for (size_t i = 0; i < e->pi_count; i++) {
		const struct session_units *units = &session->units[subject * e->pi_count + i];
		if (!units->metric)
			continue;
		const struct measurement *m = &session->result->subjects[subject].metrics[units->metric];
		size_t lost = 0;
		for (size_t run = 0; run < m->phase_count; run++)
			lost += m->phases[run].from == m->phases[run].to;
		lost -= lost < session->short_rounds ? lost : session->short_rounds;
		if (lost > 0)
			result_warn(
				session->result, "no-stable-phase",
				"%s, %s: %zu of %zu runs have no phase that lasts for more than half of them and are left out; let them "
				"run longer, or take all with --phases none",
				session->result->subjects[subject].name, e->pis[i].metric.name, lost, (size_t)m->phase_count);
	}
}

int session_conclude_indices(struct session *session, struct error *err)
{
	const struct experiment *e = session->experiment;
	struct subject *subject = &session->result->subjects[0];
	for (size_t s = 0; s < e->subject_count; s++)
		warn_phases(session, s);
	if (e->pi_count == 0 || e->subject_count > 1)
		return 0;
	if (!look_at_all(session))
		return error_memory(err);
	for (size_t i = 0; i < e->pi_count; i++) {
		const struct readings *r = &session->readings[i];
		struct readings_rule rule = readings_rule_for(e, &e->pis[i]);
		report_readings(session, r, rule.level, &subject->metrics[session->first_index + i]);
		if (r->from > 0)
			result_warn(session->result, "session-warm-up",
			            "%s: the level changed after run %zu; the mean is that of the %zu runs since then",
			            e->pis[i].metric.name, r->from, r->used);
		else if (e->preset == PRESET_QUICK && rule.strict && e->stop != STOP_FIXED && r->wait == READINGS_ENOUGH &&
		         r->low < r->high)
			result_warn(
				session->result, "short-session",
				"%s: a warm-up that lasts longer than these %zu readings would not be seen; --preset normal takes more",
				e->pis[i].metric.name, r->n);
		if (r->wait == READINGS_UNFIT)
			result_warn(session->result, "mean", "%s: there is no %s mean: %s", e->pis[i].metric.name,
			            mean_kind_name(e->pis[i].mean), stats_status_text(r->unfit));
		else if (!e->pis[i].watched && e->stop != STOP_FIXED && r->wait != READINGS_ENOUGH &&
		         session_judges_indices(session))
			result_warn(session->result, "not-converged", "%s: %s", e->pis[i].metric.name,
			            readings_wait_words(r->wait));
	}
	return 0;
}

size_t session_least_rounds(const struct session *session)
{
	const struct experiment *e = session->experiment;
	size_t least = 0;
	for (size_t i = 0; i < e->pi_count && session_judges_indices(session); i++) {
		size_t own = readings_rule_for(e, &e->pis[i]).least;
		least = own > least && !e->pis[i].watched ? own : least;
	}
	return least ? least : 10;
}

double session_preset_budget(const struct session *session)
{
	static const double seconds[] = {
		[PRESET_NONE] = 60, [PRESET_QUICK] = 120, [PRESET_NORMAL] = 600, [PRESET_STRICT] = 3600};
	const struct experiment *e = session->experiment;
	if (session_judges_indices(session))
		return seconds[e->preset];
	/* One command alone is described, and whoever wants more than that asks for it. */
	return e->subject_count == 1 && e->preset == PRESET_NONE && !e->precision_given ? 10 : 60;
}

/* ---- as a rule ---- */

static int look(struct session *session, struct question *question, struct error *err)
{
	(void)err;
	session->checks++;
	if (question->runs < session->next_look)
		return 0;
	session->next_look = readings_next_look(question->runs);
	if (look_at_all(session) && session_indices_are_precise(session))
		question->end = SESSION_PRECISE;
	return 0;
}

static double missing(const struct session *session, const struct question *question)
{
	const struct experiment *e = session->experiment;
	double most = 0;
	(void)question;
	for (size_t i = 0; i < e->pi_count; i++)
		if (!e->pis[i].watched && session->readings[i].wait != READINGS_ENOUGH)
			most = fmax(most, fmax(session->readings[i].missing, 1));
	return most;
}

/* All of them, and the one that needs most. */
static void outlook(struct session *session, const struct question *question, struct session_progress *p)
{
	const struct experiment *e = session->experiment;
	size_t worst = 0;
	p->most.unit = session_deciding(session, question, 0)->metric.unit;
	for (size_t i = 1; i < e->pi_count; i++)
		if (!e->pis[i].watched &&
		    (e->pis[worst].watched || session->readings[i].missing > session->readings[worst].missing))
			worst = i;
	for (size_t i = 0; i < e->pi_count && i < SESSION_ESTIMATES; i++)
		p->each[p->each_count++] = index_estimate(session, i);
	if (session->readings[worst].n == 0)
		return;
	p->most = index_estimate(session, worst);
	p->left = session->readings[worst].missing * session->round_time;
}

const struct rule rule_readings = {
	.look = look,
	.missing = missing,
	.outlook = outlook,
};
