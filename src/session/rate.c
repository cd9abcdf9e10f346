/* What watching costs, by rounds with and without a monitor in random order, none of them kept; and from that the rate. */
#include "session/state.h"

#include "base/random.h"
#include "decide/rate.h"

#include <math.h>

enum { LEAST_PAIRS = 8, MOST_PAIRS = 40 };
static const double most_seconds = 8, most_share = 0.15, lowest_rate = 1, highest_rate = 1000;
static const double least_block = 0.05; /* seconds of a side of a pair, and at least three samples long */

/* Wall seconds of a round, all subjects. */
static double round_length(const struct session *session)
{
	double sum = 0;
	for (size_t s = 0; s < session->experiment->subject_count; s++)
		sum += session_value(session, s, SOURCE_WALL);
	return sum;
}

/* Rounds one after the other, watched at a rate or (0) not; the logarithm of their length, NaN where a run was lost. */
static int one_side(struct session *session, double rate, size_t rounds, double *length, struct error *err)
{
	double seconds = 0;
	if (rate > 0 && watch_resume(session->monitor, rate, err) != 0)
		return -1;
	for (size_t i = 0; i < rounds; i++) {
		int lost = session_round(session, session->design, false, err);
		if (lost < 0)
			return -1;
		seconds += lost ? NAN : round_length(session);
	}
	if (rate > 0)
		watch_pause(session->monitor);
	*length = log(seconds);
	return 0;
}

static size_t rounds_of_side(const struct session *session, double rate)
{
	return (size_t)ceil(fmax(least_block, 3 / rate) / session->round_time);
}

/* Pairs of sides at a rate, as many as fit into `seconds`; 0: too few. */
static int measure_overhead(struct session *session, struct random *random, double rate, double seconds, struct monitoring *out,
                            struct error *err)
{
	double ratios[MOST_PAIRS];
	size_t n = 0, rounds = rounds_of_side(session, rate);
	double affordable = seconds / (2 * (double)rounds * session->round_time);
	size_t pairs = affordable < MOST_PAIRS ? (size_t)affordable : MOST_PAIRS;
	if (pairs < LEAST_PAIRS)
		return 0;
	for (size_t i = 0; i < pairs; i++) {
		double with = NAN, without = NAN;
		bool first = random_below(random, 2) == 0;
		if (one_side(session, first ? rate : 0, rounds, first ? &with : &without, err) != 0 ||
		    one_side(session, first ? 0 : rate, rounds, first ? &without : &with, err) != 0)
			return -1;
		if (isfinite(with) && isfinite(without))
			ratios[n++] = with - without;
		session_tell(session, "finding the rate");
		if (source_cancelled(session->source))
			return error_set(err, ERROR_INTERRUPTED, "interrupted");
	}
	rate_overhead(ratios, n, &out->overhead, &out->overhead_low, &out->overhead_high);
	return 1;
}

int session_find_rate(struct session *session, struct error *err)
{
	struct monitoring *out = &session->result->monitoring;
	const struct experiment_monitor *asked = &session->experiment->monitor;
	struct rate_search search;
	struct random random;
	if (!watch_beside(session->monitor))
		return 0;
	double end = session_elapsed(session) + fmin(most_seconds, most_share * (session->budget - session_elapsed(session)));
	random_stream(&random, session->experiment->seed, 7);
	rate_search_init(&search, asked->overhead, watch_cost(session->monitor), lowest_rate, highest_rate);
	if (asked->rate > 0)
		search.rate = asked->rate;
	watch_pause(session->monitor);
	for (int left = asked->rate > 0 ? 1 : RATE_TRIES; left > 0 && !search.over; left--) {
		double seconds = (end - session_elapsed(session)) / (left > 2 ? 2 : left);
		int measured = measure_overhead(session, &random, search.rate, seconds, out, err);
		if (measured < 0)
			return -1;
		if (measured == 0)
			break;
		/* An interval of 95 % is about four standard errors wide. */
		double error = (out->overhead_high - out->overhead_low) / 3.92;
		if (asked->rate == 0)
			rate_search_add(&search, out->overhead, error);
	}
	if (isnan(out->overhead))
		out->overhead_why = "the time does not hold enough pairs of rounds with and without it";
	return watch_again(session->monitor, search.rate, err);
}
