#include "session/rate.h"

#include "base/random.h"
#include "decide/rate.h"

#include <math.h>

enum { LEAST_PAIRS = 8, MOST_PAIRS = 40 };
static const double most_seconds = 8, most_share = 0.15, lowest_rate = 1, highest_rate = 1000;
static const double least_block = 0.05; /* seconds of a side of a pair, and at least three samples long */

struct trial {
	struct watch *monitor;
	const struct rate_rounds *rounds;
	struct random random;
};

/* Rounds one after the other, watched at a rate or (0) not; the logarithm of their length, NaN where a run was lost. */
static int one_side(struct trial *trial, double rate, size_t count, double *length, struct error *err)
{
	double sum = 0, seconds;
	if (rate > 0 && watch_resume(trial->monitor, rate, err) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (trial->rounds->round(trial->rounds->context, &seconds, err) != 0)
			return -1;
		sum += seconds;
	}
	if (rate > 0)
		watch_pause(trial->monitor);
	*length = log(sum);
	return 0;
}

/* Pairs of sides at a rate, as many as fit into `seconds`; 0: too few. */
static int measure_overhead(struct trial *trial, double rate, double seconds, struct monitoring *out, struct error *err)
{
	const struct rate_rounds *rounds = trial->rounds;
	double ratios[MOST_PAIRS];
	size_t n = 0, count = (size_t)ceil(fmax(least_block, 3 / rate) / rounds->round_time);
	double affordable = seconds / (2 * (double)count * rounds->round_time);
	size_t pairs = affordable < MOST_PAIRS ? (size_t)affordable : MOST_PAIRS;
	if (pairs < LEAST_PAIRS)
		return 0;
	for (size_t i = 0; i < pairs; i++) {
		double with = NAN, without = NAN;
		bool first = random_below(&trial->random, 2) == 0;
		if (one_side(trial, first ? rate : 0, count, first ? &with : &without, err) != 0 ||
		    one_side(trial, first ? 0 : rate, count, first ? &without : &with, err) != 0)
			return -1;
		if (isfinite(with) && isfinite(without))
			ratios[n++] = with - without;
		rounds->tell(rounds->context);
		if (rounds->cancelled(rounds->context))
			return error_set(err, ERROR_INTERRUPTED, "interrupted");
	}
	rate_overhead(ratios, n, &out->overhead, &out->overhead_low, &out->overhead_high);
	return 1;
}

int rate_find(struct watch *monitor, const struct experiment *experiment, const struct rate_rounds *rounds, struct monitoring *out,
              struct error *err)
{
	const struct experiment_monitor *asked = &experiment->monitor;
	struct trial trial = {.monitor = monitor, .rounds = rounds};
	struct rate_search search;
	if (!watch_beside(monitor))
		return 0;
	double elapsed = rounds->elapsed(rounds->context);
	double end = elapsed + fmin(most_seconds, most_share * (rounds->budget - elapsed));
	random_stream(&trial.random, experiment->seed, 7);
	rate_search_init(&search, asked->overhead, watch_cost(monitor), lowest_rate, highest_rate);
	if (asked->rate > 0)
		search.rate = asked->rate;
	watch_pause(monitor);
	for (int left = asked->rate > 0 ? 1 : RATE_TRIES; left > 0 && !search.over; left--) {
		double seconds = (end - rounds->elapsed(rounds->context)) / (left > 2 ? 2 : left);
		int measured = measure_overhead(&trial, search.rate, seconds, out, err);
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
	return watch_again(monitor, search.rate, err);
}
