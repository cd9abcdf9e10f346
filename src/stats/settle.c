/* docs/methods.md, "Warm-up and steady state", in this order, over the first three runs:
 *
 *	1. W, the largest warm-up by MSER-5.
 *	2. The level still moves after W in most runs (12 batch means): then it may have changed late, at the same iteration
 *	   of every run (code that is compiled again, a cache that is full). If the last change of level (stats/changepoint.h)
 *	   of all runs is abrupt and at about the same place, and what follows is long and steady, that is where the steady
 *	   part begins. A level that changes here in one run and there in another has no steady part: never.
 *	3. From there on: no dependence between iterations in most runs (ranks, Ljung-Box and the largest autocorrelation):
 *	   independent. Else they may become independent later: a start up to half of the rest later at which no run shows
 *	   dependence is taken. Else initialised.
 *
 * A test by votes of three runs is wrong about as often as three times the square of what each is. Of 300 iterations it
 * sees steps and trends of a standard deviation and autocorrelation of 0.5 (docs/methods.md has the table); whether
 * strong dependence is a level that moves cannot be told from 300 iterations, and does not matter: both mean that runs
 * are to be repeated, not iterations. One run alone cannot show that its late change is one of all runs. */
#include "stats/settle.h"

#include "stats/changepoint.h"
#include "stats/mser.h"

enum {
	LEAST_VALUES = 20,
	LEAST_FOR_SEARCH = 100,
	LEAST_REST = 50,      /* iterations after a late change */
	MOST_LOOKED = 1 << 17 /* iterations of a run that are looked at for dependence and changes */
};

struct data {
	const double *values;
	const uint32_t *starts;
	size_t runs, shortest;
	double precision;
	bool fixed; /* the warm-up is given, or the runs are too short to look for another start */
};

static size_t length(const struct data *data, size_t r)
{
	return data->starts[r + 1] - data->starts[r];
}

static enum stats_status find_warmups(const struct data *data, long skip, struct settle *settle)
{
	settle->from = skip >= 0 ? (size_t)skip : 0;
	for (size_t r = 0; r < data->runs; r++) {
		enum stats_status status = mser_skip(data->values + data->starts[r], length(data, r), &settle->run[r].warmup);
		if (status != STATS_OK)
			return status;
		if (skip < 0 && settle->run[r].warmup > settle->from)
			settle->from = settle->run[r].warmup;
	}
	return STATS_OK;
}

/* Votes of all runs from `from` on. */
static enum stats_status count_moving(const struct data *data, size_t from, struct settle *settle)
{
	settle->moving = 0;
	for (size_t r = 0; r < data->runs; r++) {
		struct steady *one = &settle->run[r].steady;
		enum stats_status status = steady_test(data->values + data->starts[r], length(data, r), from, data->precision,
		                                       one);
		if (status != STATS_OK)
			return status;
		settle->moving += one->unsteady;
	}
	return STATS_OK;
}

static enum stats_status count_dependent(const struct data *data, size_t from, struct settle *settle)
{
	settle->dependent = 0;
	for (size_t r = 0; r < data->runs; r++) {
		struct independence *one = &settle->run[r].independence;
		size_t n = length(data, r) - from;
		n = n > MOST_LOOKED ? MOST_LOOKED : n;
		enum stats_status status = independence_test(data->values + data->starts[r] + from, n, one);
		if (status == STATS_CONSTANT)
			*one = (struct independence){.ljung_box_p = 1, .largest_p = 1};
		else if (status != STATS_OK)
			return status;
		settle->dependent += one->dependent;
	}
	return STATS_OK;
}

static bool most(size_t votes, size_t runs)
{
	return 2 * votes > runs;
}

/* The last change of level of one run; 0: there is none, or it is gradual. */
static enum stats_status last_change(const struct data *data, size_t r, size_t *at)
{
	struct changepoint_options options = {.alpha = 0.01, .min_segment = 10};
	struct changepoints found;
	size_t n = length(data, r) > MOST_LOOKED ? MOST_LOOKED : length(data, r);
	enum stats_status status = changepoint_find(data->values + data->starts[r], n, &options, NULL, 0, &found);
	if (status != STATS_OK)
		return status;
	const struct changepoint *last = found.count ? &found.points[found.count - 1] : NULL;
	*at = last && !last->gradual ? last->at : 0;
	changepoints_release(&found);
	return STATS_OK;
}

/* *from: the place of a late change that all runs have; 0: there is none. */
static enum stats_status late_change(const struct data *data, size_t *from)
{
	size_t first = SIZE_MAX, last = 0, reach = data->shortest / 20 > 5 ? data->shortest / 20 : 5;
	*from = 0;
	for (size_t r = 0; r < data->runs && data->runs > 1; r++) {
		size_t at;
		enum stats_status status = last_change(data, r, &at);
		if (status != STATS_OK || at == 0)
			return status;
		first = at < first ? at : first;
		last = at > last ? at : last;
	}
	if (last >= first && last - first <= reach && last + LEAST_REST <= data->shortest)
		*from = last;
	return STATS_OK;
}

/* MSER-5 leaves out at most half of a run; what asks for all of that may want more. */
static bool is_at_limit(const struct data *data, const struct settle *settle)
{
	size_t votes = 0;
	for (size_t r = 0; r < data->runs; r++)
		votes += settle->run[r].warmup == length(data, r) / MSER_BATCH / 2 * MSER_BATCH;
	return most(votes, data->runs);
}

/* Where the level moves after the warm-up. */
static enum stats_status look_later(const struct data *data, struct settle *settle)
{
	struct settle later = *settle;
	enum stats_status status = late_change(data, &later.from);
	if (status != STATS_OK || later.from <= settle->from || data->fixed)
		return status;
	status = count_moving(data, later.from, &later);
	if (status == STATS_OK && !most(later.moving, data->runs)) {
		later.later_level = true;
		*settle = later;
	}
	return status;
}

/* Dependence that a shorter part no longer shows beyond doubt. */
static bool shows_traces(const struct settle *settle)
{
	static const double trace = 0.02;
	for (size_t r = 0; r < settle->runs; r++)
		if (settle->run[r].independence.ljung_box_p < trace || settle->run[r].independence.largest_p < trace)
			return true;
	return false;
}

/* Steady from settle->from on: independent as well, there or later? */
static enum stats_status look_for_independence(const struct data *data, struct settle *settle)
{
	enum { PARTS = 8 };
	size_t rest = data->shortest - settle->from;
	settle->state = SETTLE_INITIALISED;
	enum stats_status status = count_dependent(data, settle->from, settle);
	if (status != STATS_OK)
		return status;
	if (!most(settle->dependent, data->runs)) {
		settle->state = SETTLE_INDEPENDENT;
		return STATS_OK;
	}
	for (size_t part = 1; part <= PARTS / 2 && rest / 2 >= 2 * STEADY_BATCHES && !data->fixed; part++) {
		struct settle later = *settle;
		later.from = settle->from + rest * part / PARTS;
		status = count_dependent(data, later.from, &later);
		if (status == STATS_OK && later.dependent == 0)
			status = count_moving(data, later.from, &later);
		if (status != STATS_OK)
			return status;
		if (later.dependent == 0 && !shows_traces(&later) && !most(later.moving, data->runs)) {
			*settle = later;
			settle->state = SETTLE_INDEPENDENT;
			return STATS_OK;
		}
	}
	return STATS_OK;
}

enum stats_status settle_find(const double *values, const uint32_t *starts, size_t runs, double precision, long skip,
                              struct settle *out)
{
	struct data data = {values, starts, runs < SETTLE_RUNS ? runs : SETTLE_RUNS, SIZE_MAX, precision, false};
	struct settle found = {.runs = data.runs};
	if (runs == 0)
		return STATS_EMPTY;
	for (size_t r = 0; r < data.runs; r++)
		data.shortest = length(&data, r) < data.shortest ? length(&data, r) : data.shortest;
	if (data.shortest < LEAST_VALUES)
		return STATS_TOO_FEW;
	data.fixed = skip >= 0 || data.shortest < LEAST_FOR_SEARCH;
	enum stats_status status = find_warmups(&data, skip, &found);
	if (status != STATS_OK)
		return status;
	if (found.from + STEADY_BATCHES > data.shortest)
		return STATS_TOO_FEW;
	status = count_moving(&data, found.from, &found);
	if (status == STATS_OK && (most(found.moving, data.runs) || is_at_limit(&data, &found)))
		status = look_later(&data, &found);
	if (status == STATS_OK && most(found.moving, data.runs)) {
		found.state = SETTLE_NEVER;
		status = count_dependent(&data, found.from, &found);
	} else if (status == STATS_OK) {
		status = look_for_independence(&data, &found);
	}
	if (status == STATS_OK)
		*out = found;
	return status;
}
