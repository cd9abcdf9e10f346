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
	if (!session || !out || pi >= session->index_count)
		return TARE_BAD_ARGUMENT;
	const struct library_index *index = &session->indices[pi];
	if (index->readings.n == 0)
		return TARE_NOT_KNOWN;
	/* Afresh: the session may not have looked since the last round. */
	if (!readings_look(index->readings.values, index->readings.n, &index->rule, &look))
		return TARE_NO_MEMORY;
	*out = (struct tare_estimate){.mean = look.mean,
	                              .low = look.low,
	                              .high = look.high,
	                              .level = index->rule.level,
	                              .rounds = index->readings.n,
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

enum tare_status tare_session_line(const struct tare_session *session, struct tare_line *out)
{
	if (!session || !out || !session->has_work)
		return TARE_BAD_ARGUMENT;
	const struct work_fit *fit = &session->fit;
	bool known = session->looked && (fit->status == STATS_OK || fit->status == STATS_UNBOUNDED);
	*out = (struct tare_line){.speed = NAN,
	                          .speed_low = NAN,
	                          .speed_high = NAN,
	                          .alpha = NAN,
	                          .alpha_low = NAN,
	                          .alpha_high = NAN,
	                          .level = session->goal.level,
	                          .rounds = session->work.n,
	                          .curvature_p = NAN,
	                          .refused = session->looked ? fit->refused : NULL};
	if (!known)
		return TARE_NOT_KNOWN;
	out->speed = fit->wps.speed;
	out->speed_low = fit->wps.speed_interval.low;
	out->speed_high = fit->wps.speed_interval.high;
	out->alpha = fit->wps.alpha;
	out->alpha_low = fit->wps.alpha_interval.low;
	out->alpha_high = fit->wps.alpha_interval.high;
	out->used = fit->wps.rounds;
	out->curvature_p = fit->wps.curvature_p;
	return fit->status == STATS_OK ? TARE_OK : TARE_UNBOUNDED;
}

enum tare_status tare_session_predict(const struct tare_session *session, double work, double level, double *seconds,
                                      double *low, double *high)
{
	struct work_fit fit;
	if (!session || !session->has_work || !(work > 0) || !isfinite(work) || !library_level(level) || !seconds || !low ||
	    !high)
		return TARE_BAD_ARGUMENT;
	struct work_goal goal = session->goal;
	goal.level = level;
	if (!session->looked)
		return TARE_NOT_KNOWN;
	if (!work_fit(session->work.work, session->work.seconds, session->work.n, &goal, &fit))
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
	if (!session || pi >= session->index_count || !session->indices[pi].pi.units ||
	    round >= session->indices[pi].readings.n || !from || !to)
		return TARE_BAD_ARGUMENT;
	*from = session->indices[pi].phases[round].from;
	*to = session->indices[pi].phases[round].to;
	return TARE_OK;
}

/* The work of every round of the overhead: the largest so far, else the lowest. */
static double overhead_work(const struct tare_session *session)
{
	double most = session->work.rule.low > 0 ? session->work.rule.low : fmin(1, session->work.rule.high);
	for (size_t i = 0; i < session->work.n; i++)
		most = fmax(most, session->work.work[i]);
	return session->has_work ? most : NAN;
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
	int64_t before = clock_now(&session->host), started = session->started;
	double budget = session->budget;
	enum tare_status status = measure_pairs(session, workload, context, pairs, seconds, seconds + pairs);
	/* The session itself has not begun by this, or stood still. */
	session->started = started ? started + clock_now(&session->host) - before : 0;
	session->budget = budget;
	session->next_work = started ? session->next_work : (double)NAN;
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
