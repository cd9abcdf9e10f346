/* What a session of tare/tare.h shows: estimates, the line over work amounts, phases, overhead. */
#include "library/library.h"

#include "base/memory.h"
#include "host/clock.h"
#include "stats/critical.h"
#include "stats/fieller.h"

#include <math.h>

enum tare_status tare_session_estimate(const struct tare_session *session, size_t pi, struct tare_estimate *out)
{
	struct readings look;
	if (!session || !out || pi >= session->experiment.pi_count)
		return TARE_BAD_ARGUMENT;
	if (tare_session_rounds(session) == 0)
		return TARE_NOT_KNOWN;
	const struct series *series = &session->result.subjects[0].metrics[1 + pi].series;
	struct readings_rule rule = readings_rule_for(&session->experiment, &session->experiment.pis[pi]);
	/* Afresh: the session may not have looked since the last round. */
	if (!readings_look(series->values, series->n, &rule, &look))
		return TARE_NO_MEMORY;
	*out = (struct tare_estimate){.mean = look.mean,
	                              .low = look.low,
	                              .high = look.high,
	                              .level = rule.level,
	                              .rounds = series->n,
	                              .used = look.used,
	                              .autocorrelation = look.autocorrelation,
	                              .subsession = look.subsession,
	                              .enough = look.wait == READINGS_ENOUGH,
	                              .missing = look.wait == READINGS_ENOUGH ? 0 : look.missing,
	                              .waits_for = readings_wait_words(look.wait)};
	if (isnan(look.mean))
		return TARE_NOT_KNOWN;
	return isinf(look.high) ? TARE_UNBOUNDED : TARE_OK;
}

/* The rounds of chosen work; NULL: none was looked at. */
static const struct session_work *work_of(const struct tare_session *session)
{
	return library_has_looked(session) ? library_question(session)->work : NULL;
}

enum tare_status tare_session_line(const struct tare_session *session, struct tare_line *out)
{
	if (!session || !out || !session->experiment.work.given)
		return TARE_BAD_ARGUMENT;
	const struct session_work *work = work_of(session);
	const struct work_fit *fit = work ? &work->fit : NULL;
	bool known = fit && (fit->status == STATS_OK || fit->status == STATS_UNBOUNDED);
	struct interval none = {NAN, NAN}, speed = known ? fit->wps.speed_interval : none,
					alpha = known ? fit->wps.alpha_interval : none;
	*out = (struct tare_line){.speed = known ? fit->wps.speed : NAN,
	                          .speed_low = speed.low,
	                          .speed_high = speed.high,
	                          .alpha = known ? fit->wps.alpha : NAN,
	                          .alpha_low = alpha.low,
	                          .alpha_high = alpha.high,
	                          .level = work_goal_for(&session->experiment).level,
	                          .rounds = tare_session_rounds(session),
	                          .used = known ? fit->wps.rounds : 0,
	                          .curvature_p = known ? fit->wps.curvature_p : NAN,
	                          .refused = fit ? fit->refused : NULL};
	return !known ? TARE_NOT_KNOWN : fit->status == STATS_OK ? TARE_OK : TARE_UNBOUNDED;
}

enum tare_status tare_session_predict(const struct tare_session *session, double work, double level, double *seconds,
                                      double *low, double *high)
{
	struct work_fit fit;
	if (!session || !session->experiment.work.given || !(work > 0) || !isfinite(work) || !library_level(level) ||
	    !seconds || !low || !high)
		return TARE_BAD_ARGUMENT;
	const struct session_work *rounds = work_of(session);
	if (!rounds)
		return TARE_NOT_KNOWN;
	struct work_goal goal = rounds->goal;
	goal.level = level;
	if (!work_fit(rounds->amounts.work, rounds->amounts.seconds, rounds->amounts.n, &goal, &fit))
		return TARE_NO_MEMORY;
	if (fit.status != STATS_OK || fit.refused)
		return TARE_NOT_KNOWN;
	double time;
	struct interval interval = work_fit_predict(&fit, work, &time);
	if (!(time > 0))
		return TARE_NOT_KNOWN;
	*seconds = time;
	*low = interval.low;
	*high = interval.high;
	return TARE_OK;
}

enum tare_status tare_session_phase(const struct tare_session *session, size_t pi, size_t round, size_t *from,
                                    size_t *to)
{
	if (!session || pi >= session->experiment.pi_count || !session->experiment.pis[pi].units ||
	    round >= tare_session_rounds(session) || !from || !to)
		return TARE_BAD_ARGUMENT;
	const struct phase *phase = &session_units_kept(&session->measuring, 0, pi)->phases[round];
	*from = phase->from;
	*to = phase->to;
	return TARE_OK;
}

/* The work of every round of the overhead: the largest so far, else the lowest. */
static double overhead_work(const struct tare_session *session)
{
	const struct experiment_work *range = &session->experiment.work;
	double most = range->low > 0 ? range->low : fmin(1, range->high);
	const struct work_session *amounts = session->begun && range->given ? &library_question(session)->work->amounts
	                                                                    : NULL;
	for (size_t i = 0; amounts && i < amounts->n; i++)
		most = fmax(most, amounts->work[i]);
	return range->given ? most : NAN;
}

static enum tare_status measure_pairs(struct tare_session *session, tare_workload workload, void *context, size_t pairs,
                                      double *without, double *with)
{
	struct random random;
	double work = overhead_work(session);
	random_seed(&random, 1);
	for (size_t i = 0; i < pairs; i++) {
		bool with_first = random_below(&random, 2) != 0;
		for (int k = 0; k < 2; k++) {
			bool units = (k == 0) == with_first;
			double seconds;
			enum tare_status status = library_round(session, workload, context, units, false, work, &seconds);
			if (status != TARE_OK)
				return status;
			(units ? with : without)[i] = seconds;
		}
	}
	return TARE_OK;
}

enum tare_status tare_session_overhead(struct tare_session *session, tare_workload workload, void *context,
                                       size_t pairs, struct tare_ratio *out)
{
	if (!session || !workload || !out || pairs < 2 || session->in_round)
		return TARE_BAD_ARGUMENT;
	double *seconds = mem_alloc(pairs, 2 * sizeof(*seconds)), ratio;
	struct interval interval;
	if (!seconds)
		return TARE_NO_MEMORY;
	int64_t before = clock_now(&session->host);
	bool begun = session->begun;
	double next_work = session->next_work;
	enum tare_status status = measure_pairs(session, workload, context, pairs, seconds, seconds + pairs);
	/* The session itself has not begun by this, or stood still. */
	session->next_work = next_work;
	if (begun)
		session->measuring.started += clock_now(&session->host) - before;
	else
		library_close(session);
	if (status == TARE_OK) {
		double c = critical_t(0.05, (double)pairs - 1);
		enum stats_status found = fieller_paired(seconds, seconds + pairs, pairs, c, &ratio, &interval);
		status = library_status(found);
		if (found == STATS_OK || found == STATS_UNBOUNDED)
			*out = (struct tare_ratio){ratio, interval.low, interval.high, 0.95, pairs};
	}
	mem_free(seconds);
	return status;
}
