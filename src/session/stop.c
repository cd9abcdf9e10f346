/* Whether to go on: after every round for counts and time, after every unit for what the data shows. */
#include "session/state.h"

#include "analysis/measurement.h"

#include <math.h>

enum { LEAST_RUNS = 10 };

double session_alpha(const struct session *session)
{
	double level = session->experiment->confidence;
	if (isnan(level))
		level = session->experiment->subject_count > 1 || session->experiment->rank ? 0.99 : 0.95;
	return 1 - level;
}

static size_t least_runs(const struct session *session)
{
	return session->experiment->min_runs ? session->experiment->min_runs : LEAST_RUNS;
}

static bool one_is_precise(const struct session *session)
{
	return estimate_is_precise(&session->estimate, session_alpha(session), session->experiment->precision,
	                           least_runs(session));
}

static void sides_of(const struct session *session, size_t judge, size_t *base, size_t *new_)
{
	*base = session->experiment->reference;
	*new_ = judge + (judge >= *base);
	if (session->experiment->rank)
		rank_sides(session, judge, base, new_);
}

void session_tell_quantum(struct session *session)
{
	const struct subject *subjects = session->result->subjects;
	double known = source_quantum(session->source, session->deciding);
	for (size_t i = 0; i < session->jury.count; i++) {
		size_t base, new_;
		sides_of(session, i, &base, &new_);
		double *quantum = &session->jury.judges[i].options.verdict.quantum;
		*quantum = known > 0 ? known
		                     : fmax(measurement_quantum(&subjects[base].metrics[session->deciding]),
		                            measurement_quantum(&subjects[new_].metrics[session->deciding]));
	}
	session->quantum_rounds = session->rounds;
}

static bool all_decided(struct session *session)
{
	int status = session->experiment->rank ? rank_look(session) : jury_look(&session->jury, &session->look, NULL);
	return status == 0 && session->look.open == 0;
}

/* After a whole unit; in between nothing new is known. */
static bool jury_is_done(struct session *session)
{
	if ((session->block && session->rounds % session->block != 0) || session->rounds < session->experiment->min_runs)
		return false;
	session->checks++;
	/* The clock's step is sought in all values: when they are a tenth more, and before the last word. */
	if (10 * session->rounds >= 11 * session->quantum_rounds)
		session_tell_quantum(session);
	bool done = all_decided(session);
	if (done && session->quantum_rounds < session->rounds) {
		session_tell_quantum(session);
		done = all_decided(session);
	}
	return done;
}

bool session_is_bound_by_time(const struct session *session)
{
	const struct experiment *e = session->experiment;
	return e->stop != STOP_FIXED || e->max_time || !e->runs;
}

enum session_end session_look_single(struct session *session, bool out_of_time)
{
	const struct experiment *e = session->experiment;
	size_t most = e->runs ? e->runs : e->max_runs;
	session->checks++;
	if (most && session->rounds >= most)
		return SESSION_COUNTED;
	if (e->stop != STOP_FIXED && one_is_precise(session))
		return SESSION_PRECISE;
	return out_of_time && (!e->runs || e->max_time) ? SESSION_OUT_OF_TIME : SESSION_GO_ON;
}

enum session_end session_look(struct session *session)
{
	const struct experiment *e = session->experiment;
	if (e->runs && session->rounds >= e->runs)
		return SESSION_COUNTED;
	if (e->max_runs && session->rounds >= e->max_runs)
		return SESSION_COUNTED;
	if (e->stop != STOP_FIXED) {
		if (e->subject_count == 1 && !e->rank) {
			session->checks++;
			if (session_judges_indices(session) ? session_indices_are_enough(session) : one_is_precise(session))
				return SESSION_PRECISE;
		} else if (jury_is_done(session)) {
			return e->stop == STOP_PRECISION ? SESSION_PRECISE : SESSION_DECIDED;
		}
	}
	if (session_is_bound_by_time(session) && session_elapsed(session) + session->round_time > session->budget)
		return SESSION_OUT_OF_TIME;
	return SESSION_GO_ON;
}

static void one_outlook(struct session *session, struct session_progress *p)
{
	double alpha = session_alpha(session);
	estimate_now(&session->estimate, alpha, &p->estimate, &p->low, &p->high);
	double missing = estimate_missing(&session->estimate, alpha, session->experiment->precision, least_runs(session));
	p->left = missing * session->round_time;
	p->target = session->experiment->precision;
}

static void jury_outlook(struct session *session, struct session_progress *p)
{
	const struct verdict_numbers *n = &session->jury.numbers[session->look.worst];
	size_t base, subject;
	sides_of(session, session->look.worst, &base, &subject);
	p->subject = session->experiment->subjects[subject].name;
	p->is_ratio = true;
	if (n->units < 2)
		return;
	const struct verdict_part *part = n->typical.used ? &n->typical : &n->total;
	p->estimate = part->estimate;
	p->low = part->unbounded ? NAN : part->interval.low;
	p->high = part->unbounded ? NAN : part->interval.high;
	double least = (double)session->jury.judges[0].options.verdict.least_units, units = (double)n->units;
	double more = fmax(session->look.missing * units, fmax(least - units, 0));
	p->left = more * (double)session->block * session->round_time;
}

/* Rounds that a fixed number of runs still needs, as session->round_time counts them: in a solo of several a run of
 * each is a round, though they come one after the other. */
static double rounds_left(const struct session *session)
{
	const struct experiment *e = session->experiment;
	double runs = (double)e->runs, done = (double)session->rounds, subjects = (double)e->subject_count;
	if (e->work.given)
		return session_work_rounds_left(session);
	if (session->design != DESIGN_SOLO)
		return fmax(runs - done, 0);
	return fmax((runs * (subjects - (double)session->leading) - done) / subjects, 0);
}

void session_outlook(struct session *session, struct session_progress *p)
{
	const struct experiment *e = session->experiment;
	p->estimate = p->low = p->high = p->left = NAN;
	p->unit = source_metric(session->source, session->deciding)->unit;
	if (e->work.given)
		session_work_outlook(session, p);
	else if (session_judges_indices(session))
		session_indices_outlook(session, p);
	else if (e->subject_count == 1)
		one_outlook(session, p);
	else if (session->jury.count > 0)
		jury_outlook(session, p);
	double rest = fmax(p->budget - p->elapsed, 0);
	if (e->runs)
		p->left = rounds_left(session) * session->round_time;
	if ((!e->runs || e->max_time) && !(p->left < rest))
		p->left = rest;
}
