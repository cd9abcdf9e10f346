/* From candidates to change points: test each with its neighbours as borders, drop the weakest, look again.
 *
 * 1. Candidates at every scale (stats/seeded.h) and the caller's hints; at least the best split of the whole.
 * 2. Noise: its distribution and its long-run factor after the levels between all candidates are removed
 *    (stats/split.h). Estimated about fewer levels, changes that are really there would count as
 *    autocorrelation and hide themselves.
 * 3. The segments between candidates are searched too: of a short bump only one end may be a candidate, and without
 *    the other it would not pass. Then each candidate is placed and tested between its neighbours. Of those above
 *    alpha the weakest of each neighbourhood is dropped and what was next to it tested again, until all that are left
 *    pass (stats/pruning.h).
 * 4. The segments that are left are searched once more, with the noise estimated after that place's levels are
 *    removed too.
 * 5. Places and their intervals (stats/place.h). A segment that is a steep line rather than a level is cut into
 * quarters
 *    that are marked gradual.
 *
 * White noise of any shape and AR(1) noise up to 0.9 keep alpha from 50 values on (`make rates`). What can go wrong:
 * noise that itself wanders slowly (half of its variance in an AR(0.95)) is reported as changes of level, as it also
 * looks to the eye; so are a few long periods of a cycle when the least segment is shorter than half of one. */
#include "stats/changepoint.h"

#include "base/memory.h"
#include "stats/place.h"
#include "stats/pruning.h"
#include "stats/seeded.h"
#include "stats/slope.h"

#include <float.h>
#include <math.h>

static const double SLOPE_SHARE = 10; /* slopes are tested at alpha over this, levels at alpha */
static const double LEAST_RISE =
	4; /* of a slope, in standard deviations; smaller ones are no reason to doubt a level */

/* Candidates and hints in one ascending list, the least segment apart; a hint gives way to a candidate. */
static enum stats_status merge(struct pruning *pruning, const size_t *found, size_t found_count, const size_t *hints,
                               size_t hint_count)
{
	size_t least = pruning->model.min_segment, n = pruning->model.n;
	enum stats_status status = STATS_OK;
	for (size_t i = 0; i < found_count && status == STATS_OK; i++)
		status = pruning_insert(pruning, i, found[i]);
	for (size_t h = 0, k = 0; h < hint_count && status == STATS_OK; h++) {
		while (k < pruning->count && pruning->items[k].at < hints[h])
			k++;
		size_t before = k == 0 ? 0 : pruning->items[k - 1].at, after = k < pruning->count ? pruning->items[k].at : n;
		if (hints[h] >= before + least && hints[h] + least <= after)
			status = pruning_insert(pruning, k, hints[h]);
	}
	return status;
}

static enum stats_status find_candidates(struct pruning *pruning, const size_t *hints, size_t hint_count)
{
	size_t *found = NULL, count = 0;
	enum stats_status status = split_model_fit_roughly(&pruning->model);
	if (status == STATS_OK)
		status = seeded_candidates(&pruning->model, pruning->alpha, &found, &count);
	if (status == STATS_OK)
		status = merge(pruning, found, count, hints, hint_count);
	mem_free(found);
	if (status == STATS_OK && pruning->count == 0) {
		struct split split;
		if (split_best(&pruning->model, 0, pruning->model.n, pruning->model.min_segment, &split))
			status = pruning_insert(pruning, 0, split.at);
	}
	return status;
}

/* A slope across a segment, with which no level fits: four quarters, or halves when these would be too short. Returns
 * how many points were written. */
static size_t cut_slope(struct pruning *pruning, size_t from, size_t to, struct changepoint *points)
{
	size_t length = to - from, pieces = length / 4 >= pruning->model.min_segment ? 4 : 2;
	if (length / 2 < pruning->model.min_segment)
		return 0;
	struct slope slope = slope_of(pruning->model.x + from, length, pruning->model.scratch, pruning->model.y);
	double p = slope.p_value * (double)pruning->model.n / (double)length;
	if (p > pruning->alpha / SLOPE_SHARE || slope.rise < LEAST_RISE)
		return 0;
	for (size_t k = 1; k < pieces; k++)
		points[k - 1] = (struct changepoint){from + length * k / pieces, from + 1, to - 1, p * SLOPE_SHARE, true};
	return pieces - 1;
}

static enum stats_status write_out(struct pruning *pruning, struct changepoints *out)
{
	size_t count = pruning->count, written = 0;
	struct changepoint *points = mem_zalloc(count, sizeof(*points));
	struct changepoint *all = mem_alloc(4 * (count + 1), sizeof(*all)); /* three more in each segment */
	double factor = pruning->model.noise.factor;
	enum stats_status status = points && all ? pruning_fit_noise(pruning) : STATS_NO_MEMORY;
	if (status != STATS_OK) {
		mem_free(points);
		mem_free(all);
		return status;
	}
	pruning->model.noise.factor = factor = fmin(factor, pruning->model.noise.factor);
	for (size_t k = 0; k < count; k++) {
		points[k].at = pruning->items[k].at;
		points[k].p_value = pruning->items[k].p_value;
	}
	status = place_points(&pruning->model, points, count);
	for (size_t k = 0; k <= count && status == STATS_OK; k++) {
		size_t from = k == 0 ? 0 : points[k - 1].at, to = k < count ? points[k].at : pruning->model.n;
		written += cut_slope(pruning, from, to, all + written);
		if (k < count)
			all[written++] = points[k];
	}
	mem_free(points);
	if (status == STATS_OK)
		*out = (struct changepoints){all, written, factor};
	else
		mem_free(all);
	return status;
}

/* Constant series have no change; in series whose squares over- or underflow nothing can be tested. */
static enum stats_status check_range(const double *x, size_t n, bool *constant)
{
	double low = x[0], high = x[0];
	for (size_t i = 1; i < n; i++) {
		low = fmin(low, x[i]);
		high = fmax(high, x[i]);
	}
	double range = high - low;
	*constant = range == 0;
	bool usable = range * range > DBL_MIN && isfinite(range * range * (double)n * (double)n);
	return *constant || usable ? STATS_OK : STATS_NOT_DEFINED;
}

bool changepoint_options_hold(const struct changepoint_options *options)
{
	return options->alpha > 0 && options->alpha < 0.5 && options->min_segment >= 2;
}

enum stats_status changepoint_find(const double *x, size_t n, const struct changepoint_options *options,
                                   const size_t *hints, size_t hint_count, struct changepoints *out)
{
	if (!changepoint_options_hold(options))
		return STATS_BAD_ARGUMENT;
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	bool constant;
	status = check_range(x, n, &constant);
	if (status != STATS_OK)
		return status;
	if (n / 2 < options->min_segment || constant) {
		*out = (struct changepoints){.longrun_factor = 1};
		return STATS_OK;
	}
	struct pruning pruning = {.alpha = options->alpha};
	status = split_model_init(&pruning.model, x, n, options->min_segment);
	if (status == STATS_OK)
		status = find_candidates(&pruning, hints, hint_count);
	if (status == STATS_OK)
		status = pruning_fit_noise(&pruning);
	size_t added;
	if (status == STATS_OK)
		status = pruning_add_missed(&pruning, &added);
	if (status == STATS_OK) {
		pruning_eliminate(&pruning);
		status = pruning_search_segments(&pruning);
	}
	if (status == STATS_OK)
		status = write_out(&pruning, out);
	pruning_release(&pruning);
	return status;
}

void changepoints_release(struct changepoints *list)
{
	mem_free(list->points);
	*list = (struct changepoints){0};
}
