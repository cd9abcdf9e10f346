/* Rounds that are too short say nothing about the stable speed, nor do those that are mostly set-up: amounts are doubled from the
 * lowest until one is long enough and takes twice as long as the lowest. That amount is `from`. Then n rounds that grow by k seconds each, k = (2T − 2sn)/(n² − n), give a first estimate in T
 * seconds; n is at most T/2.5s, so that the last is about four times as long as the first. Afterwards the middles of the widest gaps keep amounts apart however many there
 * will be. */
#include "design/work.h"

#include "base/memory.h"
#include "stats/work_amounts.h"

#include <math.h>
#include <string.h>

void work_session_init(struct work_session *session, const struct work_rule *rule)
{
	memset(session, 0, sizeof(*session));
	session->rule = *rule;
	session->whole = rule->low == floor(rule->low) && rule->high == floor(rule->high);
	session->from = rule->low;
}

void work_session_release(struct work_session *session)
{
	mem_free(session->work);
	mem_free(session->seconds);
	memset(session, 0, sizeof(*session));
}

static int grow(struct work_session *session, struct error *err)
{
	if (session->n < session->capacity)
		return 0;
	size_t larger = session->capacity ? 2 * session->capacity : 64;
	double *work = mem_resize(session->work, larger, sizeof(*work));
	if (work)
		session->work = work;
	double *seconds = work ? mem_resize(session->seconds, larger, sizeof(*seconds)) : NULL;
	if (!seconds)
		return error_memory(err);
	session->seconds = seconds;
	session->capacity = larger;
	return 0;
}

/* The first round that is long enough: where amounts begin, and how the next ones grow. The speed is that of the work beyond the
 * first round's: what every round needs besides is not in it. */
static void begin_growing(struct work_session *session, double work, double seconds)
{
	struct work_plan plan;
	double more = session->n > 1 ? work - session->work[0] : work;
	double longer = session->n > 1 ? seconds - session->seconds[0] : seconds;
	session->found = true;
	session->from = session->first = work;
	/* So many that the last is about four times as long as the first: more would hardly differ, and say nothing about the slope. */
	double most = fmax(2, floor(session->rule.first_estimate / (2.5 * seconds)));
	size_t rounds = most < (double)session->rule.rounds ? (size_t)most : session->rule.rounds;
	if (!(more > 0 && longer > 0) || work_plan(session->rule.first_estimate, seconds, rounds, &plan) != STATS_OK)
		return;
	session->step = plan.step_seconds * more / longer;
	session->growing = plan.rounds - 1;
}

int work_session_add(struct work_session *session, double work, double seconds, struct error *err)
{
	if (grow(session, err) != 0)
		return -1;
	session->work[session->n] = work;
	session->seconds[session->n++] = seconds;
	if (session->found)
		return 0;
	bool works = session->n > 1 && seconds >= 2 * session->seconds[0];
	if (seconds >= session->rule.shortest && works) {
		begin_growing(session, work, seconds);
	} else if (work >= session->rule.high) {
		/* It will not get longer: an eighth of the range on, all that are there count. */
		session->too_short = seconds < session->rule.shortest;
		begin_growing(session, fmax(session->rule.low, session->rule.high / 8), fmax(seconds / 8, session->seconds[0]));
	}
	return 0;
}

void work_session_raise(struct work_session *session, double from)
{
	if (session->found && from > session->from && from < session->rule.high / 2)
		session->from = from;
}

static double amount(const struct work_session *session, double work)
{
	double rounded = session->whole ? round(work) : work;
	return fmin(fmax(rounded, session->rule.low), session->rule.high);
}

/* The largest amount that is worth its time: by the mean speed of the longest round. */
static double largest(const struct work_session *session, double left)
{
	size_t longest = 0;
	for (size_t i = 1; i < session->n; i++)
		longest = session->seconds[i] > session->seconds[longest] ? i : longest;
	double speed = session->work[longest] / session->seconds[longest];
	double affordable = fmax(speed * left / 4, 2 * session->from);
	return fmin(session->rule.high, affordable);
}

static double middle_of_gap(struct work_session *session, double left)
{
	double high = largest(session, left), next = high;
	double *used = mem_alloc(session->n, sizeof(*used));
	size_t n = 0;
	if (!used)
		return NAN;
	for (size_t i = 0; i < session->n; i++)
		if (session->work[i] >= session->from && session->work[i] <= high)
			used[n++] = session->work[i];
	/* The ends carry the slope: the upper one is measured before its middles. */
	bool has_end = false;
	for (size_t i = 0; i < n; i++)
		has_end |= used[i] >= 0.95 * high;
	enum stats_status status = STATS_OK;
	if (has_end && high > session->from)
		status = work_midpoint(used, n, session->from, high, &next);
	mem_free(used);
	return status == STATS_NO_MEMORY ? NAN : next;
}

double work_session_next(struct work_session *session, double left)
{
	const struct work_rule *rule = &session->rule;
	if (session->n == 0)
		return amount(session, rule->low > 0 ? rule->low : fmin(1, rule->high));
	double last = session->work[session->n - 1];
	if (!session->found)
		return amount(session, work_doubled(last, rule->high));
	if (session->growing > 0) {
		session->growing--;
		double next = fmax(last, session->from) + session->step;
		if (next <= largest(session, left))
			return amount(session, next);
		session->growing = 0;
	}
	double next = middle_of_gap(session, left);
	return isnan(next) ? NAN : amount(session, next);
}

double work_session_next_for_units(struct work_session *session, double wanted, double readings)
{
	const struct work_rule *rule = &session->rule;
	double done = 0, most = 0;
	if (session->n == 0)
		return work_session_next(session, INFINITY);
	for (size_t i = 0; i < session->n; i++) {
		done += session->work[i];
		most = fmax(most, session->work[i]);
	}
	double next = fmax(work_for_readings(wanted, readings, done, session->n, rule->high), most);
	double last = session->work[session->n - 1];
	if (work_session_is_short(session, last, session->seconds[session->n - 1]))
		next = fmax(next, work_doubled(last, rule->high));
	return amount(session, next);
}

bool work_session_is_short(const struct work_session *session, double work, double seconds)
{
	return seconds < session->rule.shortest && work < session->rule.high;
}
