/* Changes of level in histories of results.
 *
 * Each series by itself: E-divisive with the significance test of stats/edivisive.h, so alpha is the chance of any
 * false change in a series whatever its autocorrelation. Then across the series of one machine: a change that at least
 * five series cover and two thirds of them made in the same direction, their intervals of position overlapping in time,
 * is the machine's or the suite's and no commit's. Code rarely slows everything alike. A threshold of two thirds allows
 * for series too noisy to show it. */
#include "analysis/history.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "stats/edivisive.h"

#include <math.h>
#include <string.h>

enum { LEAST_FOR_SUITE = 5 };

struct change_search {
	struct history *history;
	struct edivisive_options options;
	unsigned char *failed; /* one per series: no races */
};

/* Finite values with their places. */
static size_t take_values(const struct history_series *series, double *values, size_t *places)
{
	size_t n = 0;
	for (size_t i = 0; i < series->n; i++)
		if (isfinite(series->points[i].value)) {
			values[n] = series->points[i].value;
			places[n++] = i;
		}
	return n;
}

/* Up and down again, to about the levels of two changes ago, at distances that are about even. */
static bool goes_up_and_down(const struct history_series *series)
{
	enum { LEAST_CHANGES = 3 };
	const struct history_change *c = series->changes;
	size_t n = series->change_count, shortest = SIZE_MAX, longest = 0;
	if (n < LEAST_CHANGES)
		return false;
	for (size_t k = 1; k < n; k++) {
		size_t distance = c[k].at - c[k - 1].at;
		shortest = distance < shortest ? distance : shortest;
		longest = distance > longest ? distance : longest;
		if ((c[k].size > 0) == (c[k - 1].size > 0) || fabs(c[k].after - c[k - 1].before) > fabs(c[k].size) / 2)
			return false;
	}
	return longest <= 2 * shortest;
}

/* Of histories with a true step in which it is found, about 1 % are called wandering where the noise is white or AR(0.5),
 * but half of 300 values of AR(0.8). Of random walks under as much white noise, 5 % are in 50 values, 38 % in 100 and 92 %
 * in 300 (changepoint-rates -p; seeds that the limits below were not chosen on). */
static enum history_pattern pattern_of(const struct history_series *series, const struct edivisive *found)
{
	static const double alike = 0.65, lasting = 0.2, drift_alpha = 0.01;
	if (series->change_count == 0)
		return PATTERN_NONE;
	if (goes_up_and_down(series))
		return PATTERN_CYCLES;
	bool alike_between = series->change_count >= 2 && found->correlation > alike;
	bool wanders = alike_between || found->memory > lasting || found->drift_p < drift_alpha;
	return wanders ? PATTERN_WANDERS : PATTERN_NONE;
}

static int keep_changes(struct history_series *series, const struct edivisive *found, const size_t *places)
{
	mem_free(series->changes);
	series->change_count = 0;
	series->changes = mem_zalloc(found->count + 1, sizeof(*series->changes));
	if (!series->changes)
		return -1;
	for (size_t k = 0; k < found->count; k++) {
		const struct edivisive_change *c = &found->changes[k];
		series->changes[k] = (struct history_change){
			.at = places[c->at],
			.low = places[c->low],
			.high = places[c->high],
			.gradual = c->gradual,
			.before = c->before,
			.after = c->after,
			.size = c->size,
			.size_low = c->size_interval.low,
			.size_high = c->size_interval.high,
			.relative = c->relative,
			.relative_low = c->relative_interval.low,
			.relative_high = c->relative_interval.high,
			.p_value = c->p_value,
		};
	}
	series->change_count = found->count;
	series->pattern = pattern_of(series, found);
	for (size_t k = 0; k < found->outlier_count; k++)
		series->points[places[found->outliers[k]]].outlier = true;
	return 0;
}

static void search_one(void *context, unsigned worker, size_t piece)
{
	struct change_search *search = context;
	struct history_series *series = &search->history->series[piece];
	struct edivisive found = {0};
	double *values = mem_alloc(series->n + 1, sizeof(*values));
	size_t *places = mem_alloc(series->n + 1, sizeof(*places));
	(void)worker;
	search->failed[piece] = 1;
	if (values && places) {
		size_t n = take_values(series, values, places);
		enum stats_status status = n ? edivisive_find(values, n, &search->options, &found) : STATS_EMPTY;
		/* Of values too far apart to be searched nothing is known; the other series are not to blame. */
		search->failed[piece] = status == STATS_OK ? keep_changes(series, &found, places) != 0
		                                           : status == STATS_NO_MEMORY;
	}
	edivisive_release(&found);
	mem_free(values);
	mem_free(places);
}

/* The instants between which a change lies: after the last point that surely was before it, up to the last it may be
 * at. */
static void span(const struct history_series *series, const struct history_change *c, int64_t *from, int64_t *to)
{
	*from = series->points[c->low > 0 ? c->low - 1 : 0].when;
	*to = series->points[c->high].when;
}

static bool worse(const struct history_series *series, const struct history_change *c)
{
	return (c->after > c->before) == (series->better == BETTER_LOWER);
}

/* Points not later than an instant. */
static size_t count_until(const struct history_series *series, int64_t when)
{
	size_t low = 0, high = series->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (series->points[middle].when <= when)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Whether a series covers the time of a change, and whether it changed then in the same direction. */
static void ask(const struct history_series *series, int64_t from, int64_t to, bool direction, size_t least,
                struct history_change *asker)
{
	if (count_until(series, from) < least || series->n - count_until(series, to - 1) < least)
		return;
	asker->of++;
	for (size_t k = 0; k < series->change_count; k++) {
		int64_t other_from, other_to;
		span(series, &series->changes[k], &other_from, &other_to);
		if (other_from < to && from < other_to && worse(series, &series->changes[k]) == direction) {
			asker->moved++;
			return;
		}
	}
}

/* What several runs do at the same iteration, such as to warm up, is neither the machine's doing nor the suite's. */
static bool same_suite(const struct history_series *a, const struct history_series *b)
{
	if (a->iterations || b->iterations)
		return false;
	return a->stratum == b->stratum || strcmp(a->stratum, b->stratum) == 0;
}

static void compare_series(struct history *history, size_t least)
{
	for (size_t s = 0; s < history->count; s++) {
		struct history_series *series = &history->series[s];
		for (size_t k = 0; k < series->change_count; k++) {
			struct history_change *c = &series->changes[k];
			int64_t from, to;
			span(series, c, &from, &to);
			for (size_t other = 0; other < history->count; other++)
				if (same_suite(series, &history->series[other]))
					ask(&history->series[other], from, to, worse(series, c), least, c);
			c->environment = c->of >= LEAST_FOR_SUITE && 3 * c->moved >= 2 * c->of;
		}
	}
}

int history_search(struct history *history, const struct history_search *options, struct error *err)
{
	struct change_search search = {.history = history, .options = EDIVISIVE_DEFAULTS};
	if (!(options->alpha > 0 && options->alpha < 0.5) || !(options->min_change >= 0) || options->min_points < 2)
		return error_set(
			err, ERROR_USAGE,
			"the search for changes needs 0 < alpha < 0.5, at least 2 points at a level and a least change of 0 or more");
	search.options.alpha = options->alpha;
	search.options.min_relative = options->min_change;
	search.options.min_segment = options->min_points;
	history->min_points = options->min_points;
	search.failed = mem_zalloc(history->count + 1, 1);
	if (!search.failed)
		return error_memory(err);
	parallel_run(parallel_workers(), history->count, search_one, &search);
	bool failed = false;
	for (size_t i = 0; i < history->count; i++)
		failed |= search.failed[i];
	mem_free(search.failed);
	if (failed)
		return error_memory(err);
	compare_series(history, options->min_points);
	return 0;
}
