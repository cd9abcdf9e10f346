/* What watching costs, by rounds with and without a monitor in random order, none of them kept; and from that the
 * rate. */
#include "session/state.h"

#include "base/random.h"
#include "decide/rate.h"

#include <math.h>

enum { LEAST_PAIRS = 8, ENOUGH_PAIRS = 40, MOST_PAIRS = 2000 };
/* Seconds where the user gave no time for the whole, and else a share of that time. */
static const double most_seconds = 8, most_share = 0.15, lowest_rate = 1, highest_rate = 1000;
static const double least_block = 0.05; /* seconds of a side of a pair, and at least one sample long */

struct rate_trial {
	struct session *session;
	struct question *question;
	struct random random;
	double rate;               /* of the pairs */
	double ratios[MOST_PAIRS]; /* logarithms, with over without; sorted */
	size_t pairs;
};

/* Rounds one after the other, watched at a rate or (0) not; the logarithm of their length, NaN where a run was lost. */
static int one_side(struct rate_trial *trial, double rate, size_t count, double *length, struct error *err)
{
	double sum = 0, seconds;
	if (rate > 0 && watch_resume(trial->session->monitor, rate, err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		seconds = NAN;
		if (trial->question->end == SESSION_GO_ON &&
		    trial->session->instrument->unkept(trial->session, trial->question, &seconds, err) < 0)
			return -1;
		sum += seconds;
	}
	if (rate > 0)
		watch_pause(trial->session->monitor);
	*length = log(sum);
	return 0;
}

/* Pairs of sides at a rate until the interval is narrow enough (a width is not chosen by where it lies) or the time is
 * over; those of the same rate before count too. 0: too few fit into the time. */
static int measure_overhead(struct rate_trial *trial, double rate, double until, double width, struct monitoring *out,
                            struct error *err)
{
	struct session *session = trial->session;
	double round_time = trial->question->unit_time;
	size_t count = (size_t)ceil(fmax(least_block, 1 / rate) / round_time);
	if (rate != trial->rate) {
		trial->pairs = 0;
		trial->rate = rate;
		if (session_elapsed(session) + LEAST_PAIRS * 2 * (double)count * round_time > until)
			return 0;
	}
	for (size_t i = 0; trial->pairs < MOST_PAIRS && (trial->pairs < LEAST_PAIRS || session_elapsed(session) < until) &&
	                   !session_is_stopped(session);
	     i++) {
		double with = NAN, without = NAN;
		bool first = random_below(&trial->random, 2) == 0;
		if (one_side(trial, first ? rate : 0, count, first ? &with : &without, err) != 0 ||
		    one_side(trial, first ? 0 : rate, count, first ? &without : &with, err) != 0)
			return -1;
		if (isfinite(with) && isfinite(without))
			trial->ratios[trial->pairs++] = with - without;
		session_tell(session, "finding the rate", NULL);
		if (session_cancelled(session))
			return error_set(err, ERROR_INTERRUPTED, "interrupted");
		rate_overhead(trial->ratios, trial->pairs, &out->overhead, &out->overhead_low, &out->overhead_high);
		if (trial->pairs >= ENOUGH_PAIRS && out->overhead_high - out->overhead_low <= width)
			break;
		if (i >= LEAST_PAIRS && trial->pairs == 0)
			return 0; /* every round is lost */
	}
	size_t known = trial->pairs < LEAST_PAIRS ? 0 : trial->pairs; /* fewer only where the user has stopped it */
	rate_overhead(trial->ratios, known, &out->overhead, &out->overhead_low, &out->overhead_high);
	return known > 0;
}

/* Newton's steps until the rate is found; `until` is when there is no more time for another. */
static int look_for_rate(struct rate_trial *trial, struct rate_search *search, double until, struct monitoring *out,
                         struct error *err)
{
	const struct session *session = trial->session;
	for (int left = RATE_TRIES; left > 0 && !search->over && !session_is_stopped(session); left--) {
		double now = session_elapsed(session);
		int measured = measure_overhead(trial, search->rate, now + (until - now) / (left > 2 ? 2 : left),
		                                search->threshold, out, err);
		if (measured <= 0)
			return measured;
		/* An interval of 95 % is about four standard errors wide. */
		rate_search_add(search, out->overhead, (out->overhead_high - out->overhead_low) / 3.92);
	}
	return 0;
}

int session_find_rate(struct session *session, struct question *question, struct error *err)
{
	const struct experiment *e = session->experiment;
	struct monitoring *out = &session->result->monitoring;
	struct rate_trial trial = {.session = session, .question = question};
	struct rate_search search;
	if (!watch_beside(session->monitor))
		return 0;
	double elapsed = session_elapsed(session), seconds = most_share * (session->budget - elapsed);
	if (!e->max_time)
		seconds = fmin(most_seconds, seconds);
	random_stream(&trial.random, e->seed, 7);
	rate_search_init(&search, e->monitor.overhead, watch_cost(session->monitor), lowest_rate, highest_rate);
	watch_pause(session->monitor);
	if (e->monitor.rate > 0)
		search.rate = e->monitor.rate;
	else if (look_for_rate(&trial, &search, elapsed + seconds / 2, out, err) != 0)
		return -1;
	/* What is told is the overhead of the rate that is used. */
	out->overhead = out->overhead_low = out->overhead_high = NAN;
	if (measure_overhead(&trial, search.rate, elapsed + seconds, search.threshold / 2, out, err) < 0)
		return -1;
	if (isnan(out->overhead))
		out->overhead_why = session_is_stopped(session)
		                        ? "it was stopped before there were enough pairs of rounds with and without it"
		                        : "the time does not hold enough pairs of rounds with and without it";
	return watch_again(session->monitor, search.rate, err);
}
