/* Backward elimination between neighbours.
 *
 * A candidate's p value depends on its neighbours alone (they are the borders of its two segments) and on the noise,
 * which is estimated once and kept. So one that is weaker than both neighbours can be dropped without looking at the
 * rest, and only these two have to be tested again: a few passes over the series, however many candidates there
 * were. */
#include "stats/pruning.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { SWEEPS_MAX = 20, SEARCHES_MAX = 50 };

void pruning_release(struct pruning *pruning)
{
	split_model_release(&pruning->model);
	mem_free(pruning->items);
	mem_free(pruning->places);
	*pruning = (struct pruning){0};
}

static enum stats_status reserve(struct pruning *pruning, size_t count)
{
	if (count <= pruning->capacity)
		return STATS_OK;
	size_t capacity = 2 * count + 16;
	struct candidate *items = mem_resize(pruning->items, capacity, sizeof(*items));
	if (items)
		pruning->items = items;
	size_t *places = mem_resize(pruning->places, capacity, sizeof(*places));
	if (places)
		pruning->places = places;
	if (!items || !places)
		return STATS_NO_MEMORY;
	pruning->capacity = capacity;
	return STATS_OK;
}

static size_t border_before(const struct pruning *pruning, size_t k)
{
	return k == 0 ? 0 : pruning->items[k - 1].at;
}

static size_t border_after(const struct pruning *pruning, size_t k)
{
	return k + 1 < pruning->count ? pruning->items[k + 1].at : pruning->model.n;
}

enum stats_status pruning_fit_noise(struct pruning *pruning)
{
	for (size_t k = 0; k < pruning->count; k++)
		pruning->places[k] = pruning->items[k].at;
	return split_model_fit(&pruning->model, pruning->places, pruning->count);
}

static void test_candidate(struct pruning *pruning, size_t k)
{
	struct candidate *item = &pruning->items[k];
	size_t from = border_before(pruning, k), to = border_after(pruning, k);
	struct split split;
	item->stale = false;
	if (!split_best(&pruning->model, from, to, pruning->model.min_segment, &split)) {
		item->z = 0;
		item->p_value = 1;
		return;
	}
	if (split.at != item->at) {
		item->at = split.at;
		if (k > 0)
			pruning->items[k - 1].stale = true;
		if (k + 1 < pruning->count)
			pruning->items[k + 1].stale = true;
	}
	item->z = split.z;
	item->p_value = split_p_value(&pruning->model, split.z, from, split.at, to);
}

/* Weaker than its neighbour; of equals the first. */
static bool weaker(const struct candidate *a, const struct candidate *b)
{
	if (a->p_value != b->p_value)
		return a->p_value > b->p_value;
	return a->z != b->z ? a->z < b->z : a < b;
}

static bool to_be_dropped(const struct pruning *pruning, size_t k)
{
	const struct candidate *item = &pruning->items[k];
	return item->p_value > pruning->alpha && (k == 0 || weaker(item, item - 1)) &&
	       (k + 1 == pruning->count || weaker(item, item + 1));
}

/* Drops the weakest of each neighbourhood; false when all pass. */
static bool drop_weakest(struct pruning *pruning)
{
	size_t kept = 0;
	bool after_dropped = false, any = false;
	for (size_t k = 0; k < pruning->count; k++)
		pruning->places[k] = to_be_dropped(pruning, k);
	for (size_t k = 0; k < pruning->count; k++) {
		if (pruning->places[k]) {
			any = after_dropped = true;
			if (kept > 0)
				pruning->items[kept - 1].stale = true;
			continue;
		}
		pruning->items[kept] = pruning->items[k];
		pruning->items[kept].stale |= after_dropped;
		after_dropped = false;
		kept++;
	}
	pruning->count = kept;
	return any;
}

/* Tests what is stale until no place moves. Places that move each other to and fro are given up. */
static void test_stale(struct pruning *pruning)
{
	bool any = true;
	for (int sweep = 0; any && sweep < SWEEPS_MAX; sweep++) {
		any = false;
		for (size_t k = 0; k < pruning->count; k++) {
			if (!pruning->items[k].stale)
				continue;
			test_candidate(pruning, k);
			any = true;
		}
	}
}

void pruning_eliminate(struct pruning *pruning)
{
	for (size_t k = 0; k < pruning->count; k++)
		pruning->items[k].stale = true;
	do
		test_stale(pruning);
	while (drop_weakest(pruning));
}

enum stats_status pruning_insert(struct pruning *pruning, size_t k, size_t at)
{
	enum stats_status status = reserve(pruning, pruning->count + 1);
	if (status != STATS_OK)
		return status;
	memmove(pruning->items + k + 1, pruning->items + k, (pruning->count - k) * sizeof(*pruning->items));
	pruning->items[k] = (struct candidate){.at = at};
	pruning->count++;
	return STATS_OK;
}

/* The best split of segment k (before item k) and its p value; 1 when there is none. */
static double best_in_segment(struct pruning *pruning, size_t k, size_t *at)
{
	size_t from = border_before(pruning, k), to = k < pruning->count ? pruning->items[k].at : pruning->model.n;
	struct split split;
	if (!split_best(&pruning->model, from, to, pruning->model.min_segment, &split))
		return 1;
	*at = split.at;
	return split_p_value(&pruning->model, split.z, from, split.at, to);
}

/* Noise about the present levels and the one place that is the most likely change among them; the factor of before is
 * kept when it is smaller. *any is false when no segment is long enough. */
static enum stats_status fit_with_best(struct pruning *pruning, bool *any)
{
	double least = 2;
	size_t where = 0, place = 0;
	for (size_t k = 0; k <= pruning->count; k++) {
		size_t at = 0;
		double p = best_in_segment(pruning, k, &at);
		if (at > 0 && p < least) {
			least = p;
			where = k;
			place = at;
		}
	}
	*any = least < 2;
	if (!*any)
		return STATS_OK;
	enum stats_status status = pruning_insert(pruning, where, place);
	double factor = pruning->model.noise.factor;
	if (status == STATS_OK)
		status = pruning_fit_noise(pruning);
	if (status != STATS_OK)
		return status;
	pruning->model.noise.factor = fmin(pruning->model.noise.factor, factor);
	memmove(pruning->items + where, pruning->items + where + 1, (pruning->count - where - 1) * sizeof(*pruning->items));
	pruning->count--;
	return STATS_OK;
}

enum stats_status pruning_add_missed(struct pruning *pruning, size_t *added)
{
	*added = 0;
	for (size_t k = 0; k <= pruning->count; k++) {
		size_t at = 0;
		if (best_in_segment(pruning, k, &at) > pruning->alpha)
			continue;
		enum stats_status status = pruning_insert(pruning, k, at);
		if (status != STATS_OK)
			return status;
		++*added;
		k++;
	}
	return STATS_OK;
}

enum stats_status pruning_search_segments(struct pruning *pruning)
{
	for (int i = 0; i < SEARCHES_MAX; i++) {
		bool any;
		size_t added = 0;
		enum stats_status status = fit_with_best(pruning, &any);
		if (status == STATS_OK && any)
			status = pruning_add_missed(pruning, &added);
		if (status != STATS_OK || added == 0)
			return status;
		pruning_eliminate(pruning);
	}
	return STATS_OK;
}
