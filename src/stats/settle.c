/* In this order:
 *
 *	1. The warm-up of every run by its own changes of level (stats/onset.h).
 *	2. A last level that is too short to be called steady in one run is taken all the same where every run changes to it
 *	   at about the same iteration (code that is compiled again, a cache that is full) and enough follows.
 *	3. No level that lasts in most runs, or one that still moves after the warm-up (12 batch means, by votes of the
 *	   first three runs): never.
 *	4. No dependence between iterations in most of the first three runs (ranks, Ljung-Box and the largest
 *	   autocorrelation): independent; else initialised.
 *
 * A test by votes of three runs is wrong about as often as three times the square of what each is. Of 300 iterations it
 * sees steps and trends of a standard deviation and autocorrelation of 0.5 (docs/methods.md has the table); whether
 * strong dependence is a level that moves cannot be told from 300 iterations, and does not matter: both mean that runs
 * are to be repeated, not iterations. */
#include "stats/settle.h"

#include "base/memory.h"
#include "stats/quantile.h"

#include <stdlib.h>

enum {
	LEAST_REST = 50,         /* iterations after a late change */
	MOST_SEARCHED = 1 << 17, /* values that are searched for the warm-up in all runs, … */
	MOST_OF_A_RUN = 4096,    /* … in one, */
	LEAST_SEARCHED = 256,    /* … and at least in each */
	MANY_RUNS = 1000,
	MOST_TRIED = 200,
};

struct data {
	const double *values;
	const uint32_t *starts;
	size_t runs, shortest; /* the shortest of the first SETTLE_RUNS */
	const struct settle_options *options;
	size_t *cuts;
	struct onset *onset; /* of each run; NULL: the warm-up is given */
};

static size_t length(const struct data *data, size_t r)
{
	return data->starts[r + 1] - data->starts[r];
}

static bool most(size_t votes, size_t runs)
{
	return 2 * votes > runs;
}

static enum stats_status find_onset(const struct data *data, size_t r, struct onset *out)
{
	struct onset_options options = {.precision = data->options->precision, .warmed = data->options->warmed};
	/* Of thousands of runs each is searched more coarsely: it is not to take seconds. */
	options.most = MOST_SEARCHED / data->runs > LEAST_SEARCHED ? MOST_SEARCHED / data->runs : LEAST_SEARCHED;
	options.most = options.most < MOST_OF_A_RUN ? options.most : MOST_OF_A_RUN;
	*out = (struct onset){.ratio = 1};
	enum stats_status status = onset_find(data->values + data->starts[r], length(data, r), &options, out);
	return status == STATS_TOO_FEW ? STATS_OK : status;
}

static int by_from(const void *a, const void *b)
{
	const struct onset *x = a, *y = b;
	return (x->from > y->from) - (x->from < y->from);
}

/* Of more than MANY_RUNS as many as MOST_TRIED are searched, evenly spread; the others leave out what nine of ten of
 * these do. */
static enum stats_status try_some(const struct data *data, struct onset *typical)
{
	struct onset tried[MOST_TRIED];
	size_t never = 0;
	for (size_t k = 0; k < MOST_TRIED; k++) {
		enum stats_status status = find_onset(data, k * data->runs / MOST_TRIED, &tried[k]);
		if (status != STATS_OK)
			return status;
		never += tried[k].kind == ONSET_NEVER;
	}
	qsort(tried, MOST_TRIED, sizeof(*tried), by_from);
	*typical = tried[MOST_TRIED * 9 / 10];
	typical->late = 0;
	if (most(never, MOST_TRIED))
		typical->kind = ONSET_NEVER;
	else if (typical->kind == ONSET_NEVER)
		typical->kind = typical->from > 0 ? ONSET_STEP : ONSET_NONE;
	return STATS_OK;
}

static enum stats_status find_onsets(const struct data *data, struct settle *settle)
{
	struct onset typical;
	bool many = data->runs > MANY_RUNS;
	enum stats_status status = many ? try_some(data, &typical) : STATS_OK;
	for (size_t r = 0; r < data->runs && status == STATS_OK; r++) {
		if (many)
			data->onset[r] = typical;
		else
			status = find_onset(data, r, &data->onset[r]);
		if (status != STATS_OK)
			return status;
		data->cuts[r] = data->onset[r].from < length(data, r) ? data->onset[r].from : 0;
		settle->never += data->onset[r].kind == ONSET_NEVER;
	}
	return status;
}

static void take_given(const struct data *data)
{
	for (size_t r = 0; r < data->runs; r++)
		data->cuts[r] = data->options->skips ? data->options->skips[r] : (size_t)data->options->skip;
}

/* Votes of the first runs. */
static enum stats_status count_moving(const struct data *data, struct settle *settle)
{
	settle->moving = 0;
	for (size_t r = 0; r < settle->runs; r++) {
		struct steady *one = &settle->run[r].steady;
		enum stats_status status = steady_test(data->values + data->starts[r], length(data, r), data->cuts[r],
		                                       data->options->precision, one);
		if (status != STATS_OK)
			return status;
		settle->moving += one->unsteady;
	}
	return STATS_OK;
}

static enum stats_status count_dependent(const struct data *data, struct settle *settle)
{
	settle->dependent = 0;
	for (size_t r = 0; r < settle->runs; r++) {
		struct independence *one = &settle->run[r].independence;
		size_t n = length(data, r) - data->cuts[r];
		enum stats_status status = independence_test(data->values + data->starts[r] + data->cuts[r], n, one);
		if (status == STATS_CONSTANT)
			*one = (struct independence){.ljung_box_p = 1, .largest_p = 1};
		else if (status != STATS_OK)
			return status;
		settle->dependent += one->dependent;
	}
	return STATS_OK;
}

/* Whether every run changes late, all of them at about the same place, with enough to follow. */
static bool all_change_late(const struct data *data)
{
	size_t first = SIZE_MAX, last = 0, reach = data->shortest / 20 > 5 ? data->shortest / 20 : 5;
	for (size_t r = 0; r < data->runs; r++) {
		/* The same level may hold a third of the values in one run and a little less in the next. */
		size_t at = data->onset[r].late ? data->onset[r].late : data->onset[r].from;
		if (at == 0 || at + LEAST_REST > length(data, r))
			return false;
		first = at < first ? at : first;
		last = at > last ? at : last;
	}
	return data->runs > 1 && last - first <= reach;
}

static enum stats_status look_later(const struct data *data, struct settle *settle)
{
	struct settle later = *settle;
	if (settle->never == 0 || !all_change_late(data))
		return STATS_OK;
	for (size_t r = 0; r < data->runs; r++)
		data->cuts[r] = data->onset[r].late ? data->onset[r].late : data->onset[r].from;
	enum stats_status status = count_moving(data, &later);
	bool taken = status == STATS_OK && !most(later.moving, later.runs);
	for (size_t r = 0; r < data->runs; r++) {
		struct onset *onset = &data->onset[r];
		if (taken && onset->late)
			*onset = (struct onset){.kind = ONSET_STEP, .from = onset->late, .ratio = onset->late_ratio};
		data->cuts[r] = onset->from;
	}
	if (taken) {
		later.later_level = true;
		later.never = 0;
		*settle = later;
	}
	return status;
}

/* Adds one run's change; the ratio is filled when all are in. */
static void add_change(struct settle_change *change, size_t at, double ratio, double *ratios)
{
	if (at == 0)
		return;
	change->first = change->runs == 0 || at < change->first ? at : change->first;
	change->last = at > change->last ? at : change->last;
	ratios[change->runs++] = ratio;
}

static enum stats_status tell_changes(const struct data *data, struct settle *settle)
{
	double *ratios = mem_alloc(2 * data->runs, sizeof(*ratios)), *late = ratios + data->runs;
	if (!ratios)
		return STATS_NO_MEMORY;
	for (size_t r = 0; r < data->runs; r++) {
		const struct onset *onset = &data->onset[r];
		add_change(&settle->warmup, onset->from, onset->ratio, ratios);
		add_change(&settle->late, onset->late, onset->late_ratio, late);
		settle->warmup.curves += onset->from > 0 && onset->kind == ONSET_CURVE;
		settle->warmup.several += onset->several;
	}
	settle->warmup.ratio = settle->warmup.runs ? median_in_place(ratios, settle->warmup.runs) : 1;
	settle->late.ratio = settle->late.runs ? median_in_place(late, settle->late.runs) : 1;
	mem_free(ratios);
	return STATS_OK;
}

static enum stats_status check_lengths(const struct data *data, struct settle *settle)
{
	settle->from = 0;
	for (size_t r = 0; r < data->runs; r++) {
		settle->from = data->cuts[r] > settle->from ? data->cuts[r] : settle->from;
		if (r < settle->runs && data->cuts[r] + STEADY_BATCHES > length(data, r))
			return STATS_TOO_FEW;
	}
	return STATS_OK;
}

static enum stats_status find(const struct data *data, struct settle *found)
{
	enum stats_status status = STATS_OK;
	if (data->onset)
		status = find_onsets(data, found);
	else
		take_given(data);
	if (status == STATS_OK)
		status = check_lengths(data, found);
	if (status == STATS_OK)
		status = count_moving(data, found);
	if (status == STATS_OK && data->onset)
		status = look_later(data, found);
	if (status == STATS_OK && data->onset)
		status = tell_changes(data, found);
	if (status == STATS_OK)
		status = check_lengths(data, found);
	if (status == STATS_OK)
		status = count_dependent(data, found);
	if (status != STATS_OK)
		return status;
	bool never = most(found->moving, found->runs) || most(found->never, data->runs);
	found->state = never ? SETTLE_NEVER : most(found->dependent, found->runs) ? SETTLE_INITIALISED : SETTLE_INDEPENDENT;
	return STATS_OK;
}

enum stats_status settle_find(const double *values, const uint32_t *starts, size_t runs,
                              const struct settle_options *options, size_t *cuts, struct settle *out)
{
	struct data data = {values, starts, runs, SIZE_MAX, options, cuts, NULL};
	struct settle found = {.runs = runs < SETTLE_RUNS ? runs : SETTLE_RUNS};
	if (runs == 0)
		return STATS_EMPTY;
	for (size_t r = 0; r < found.runs; r++)
		data.shortest = length(&data, r) < data.shortest ? length(&data, r) : data.shortest;
	if (data.shortest < ONSET_LEAST)
		return STATS_TOO_FEW;
	if (options->skip < 0) {
		data.onset = mem_alloc(runs, sizeof(*data.onset));
		if (!data.onset)
			return STATS_NO_MEMORY;
	}
	enum stats_status status = find(&data, &found);
	mem_free(data.onset);
	if (status == STATS_OK)
		*out = found;
	return status;
}
