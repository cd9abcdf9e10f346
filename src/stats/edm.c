/* E-divisive with medians, James, Kejariwal and Matteson (2014, arXiv:1411.7955), with a significance test.
 *
 * The E-divisive statistic with exponent 2 is 2·m₁m₂/(m₁ + m₂)·(x̄₂ − x̄₁)²; EDM-X puts medians for the means. The
 * published search takes the place with the largest statistic, splits there and goes on in both parts. Here such
 * splits are candidates, beside those of stats/changepoint.h, and every point must pass that file's test, the
 * first one too; its level alpha holds for the whole series, with autocorrelation allowed for.
 *
 * Why not medians alone: they are blind to a change of a rate (readings that are 0 or 1 keep their median) and
 * weak at places near an end. The test compares normal scores about the medians, which are as robust.
 * Why not Pilot's weights: m₁m₂/(m₁ + m₂)² favours balanced splits (30 low, 130 high, 30 low is split at 131 instead of
 * 160), and its whole numbers overflow; the weight above is the published one, in doubles.
 * A published penalty for each change is a least statistic here (`penalty`).
 *
 * Medians of all prefixes and suffixes by counts in the bins of a sorted sample, as the published code uses a tree
 * over bins: O(n) steps in all when the median moves little. */
#include "stats/edm.h"

#include "base/array.h"
#include "base/memory.h"
#include "stats/changepoint.h"
#include "stats/quantile.h"
#include "stats/split.h"

#include <math.h>
#include <string.h>

/* The median of a growing set of values, to the bin of a sorted sample: half of the values lie in bins below or in
 * `bin`, `below` of them in lower ones. Bin b holds what lies in (values[b − 1], values[b]]. */
struct growing_median {
	const struct score_table *table;
	size_t *counts; /* table->distinct + 1 bins */
	size_t total, bin, below;
};

static void grow(struct growing_median *median, double x)
{
	size_t bin = score_bin(median->table, x), half;
	median->counts[bin]++;
	median->total++;
	median->below += bin < median->bin;
	half = (median->total + 1) / 2;
	while (median->below >= half)
		median->below -= median->counts[--median->bin];
	while (median->below + median->counts[median->bin] < half)
		median->below += median->counts[median->bin++];
}

/* The value of rank (total + 1)/2; the mean with the next one when the total is even, as a median is. */
static double grown(const struct growing_median *median)
{
	const double *values = median->table->values;
	size_t last = median->table->distinct - 1, next = median->bin;
	double value = values[median->bin < last ? median->bin : last];
	if (median->total % 2 == 1 || median->below + median->counts[next] > median->total / 2)
		return value;
	do
		next++;
	while (median->counts[next] == 0);
	return 0.5 * value + 0.5 * values[next < last ? next : last];
}

static void restart(struct growing_median *median)
{
	memset(median->counts, 0, (median->table->distinct + 1) * sizeof(*median->counts));
	median->total = median->bin = median->below = 0;
}

/* The place with the largest published statistic; `after` has room for n values. */
static size_t split_by_medians(struct growing_median *median, const double *x, size_t n, size_t least, double *after)
{
	size_t place = least;
	double best = -1;
	restart(median);
	for (size_t t = n; t-- > least;) {
		grow(median, x[t]);
		after[t] = grown(median);
	}
	restart(median);
	for (size_t t = 1; t <= n - least; t++) {
		grow(median, x[t - 1]);
		if (t < least)
			continue;
		double difference = after[t] - grown(median);
		double statistic = (double)t / (double)n * (double)(n - t) * difference * difference;
		if (statistic > best * (1 + 1e-12)) {
			best = statistic;
			place = t;
		}
	}
	return place;
}

static enum stats_status median_bins(struct growing_median *median, const struct score_table *table)
{
	*median = (struct growing_median){.table = table};
	median->counts = mem_alloc(table->distinct + 1, sizeof(*median->counts));
	return median->counts ? STATS_OK : STATS_NO_MEMORY;
}

enum stats_status edm_split(const double *x, size_t n, size_t min_segment, size_t *at)
{
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	if (min_segment < 1 || n / 2 < min_segment)
		return min_segment < 1 ? STATS_BAD_ARGUMENT : STATS_TOO_FEW;
	struct score_table table = {0};
	struct growing_median median = {0};
	double *after = mem_alloc(n, sizeof(*after));
	status = after ? score_table_build(&table, x, n) : STATS_NO_MEMORY;
	if (status == STATS_OK)
		status = median_bins(&median, &table);
	if (status == STATS_OK)
		*at = split_by_medians(&median, x, n, min_segment, after);
	mem_free(median.counts);
	mem_free(after);
	score_table_release(&table);
	return status;
}

struct bisection {
	struct split_model model;
	struct score_table values;
	struct growing_median median;
	double *after, critical;
	size_t *hints, count, capacity;
};

static enum stats_status add_hint(struct bisection *bisection, size_t at)
{
	if (array_reserve(&bisection->hints, &bisection->capacity, bisection->count + 1) != 0)
		return STATS_NO_MEMORY;
	bisection->hints[bisection->count++] = at;
	return STATS_OK;
}

/* Published splits of [from, to), in order, as long as they are worth a test. The depth is limited: splits that leave
 * only a sliver each would make the search quadratic. */
static enum stats_status bisect(struct bisection *bisection, size_t from, size_t to, int depth)
{
	struct split_model *model = &bisection->model;
	struct split split;
	if (depth == 0 || to - from < 2 * model->min_segment)
		return STATS_OK;
	size_t at = from +
	            split_by_medians(&bisection->median, model->x + from, to - from, model->min_segment, bisection->after);
	split_at(model, from, at, to, &split);
	if (!split_is_candidate(model, split.z, to - from, bisection->critical))
		return STATS_OK;
	enum stats_status status = bisect(bisection, from, at, depth - 1);
	if (status == STATS_OK)
		status = add_hint(bisection, at);
	return status == STATS_OK ? bisect(bisection, at, to, depth - 1) : status;
}

static enum stats_status published_splits(struct bisection *bisection, const double *x, size_t n,
                                          const struct edm_options *options)
{
	enum stats_status status = split_model_init(&bisection->model, x, n, options->min_segment);
	if (status == STATS_OK)
		status = split_model_fit_roughly(&bisection->model);
	if (status == STATS_OK)
		status = score_table_build(&bisection->values, x, n);
	if (status == STATS_OK)
		status = median_bins(&bisection->median, &bisection->values);
	if (status == STATS_OK && !(bisection->after = mem_alloc(n, sizeof(double))))
		status = STATS_NO_MEMORY;
	if (status == STATS_OK) {
		bisection->critical = split_critical(n, options->min_segment, options->alpha);
		status = bisect(bisection, 0, n, 8);
	}
	split_model_release(&bisection->model);
	score_table_release(&bisection->values);
	mem_free(bisection->median.counts);
	mem_free(bisection->after);
	return status;
}

/* Medians, statistics, and the penalty: the change with the least statistic goes first, its neighbours are computed
 * anew. `room` has a place for each value. */
static void measure_changes(const double *x, size_t n, double penalty, double *room, struct edm *edm)
{
	struct edm_change *changes = edm->changes;
	for (;;) {
		size_t weakest = 0, start = 0;
		double median = NAN;
		for (size_t k = 0; k <= edm->count; k++) {
			size_t end = k < edm->count ? changes[k].at : n;
			memcpy(room, x + start, (end - start) * sizeof(*room));
			median = median_in_place(room, end - start);
			if (k > 0)
				changes[k - 1].after = median;
			if (k < edm->count)
				changes[k].before = median;
			start = end;
		}
		for (size_t k = 0; k < edm->count; k++) {
			double left = (double)(changes[k].at - (k == 0 ? 0 : changes[k - 1].at));
			double right = (double)((k + 1 < edm->count ? changes[k + 1].at : n) - changes[k].at);
			double difference = changes[k].after - changes[k].before;
			changes[k].statistic = left / (left + right) * right * difference * difference;
			if (changes[k].statistic < changes[weakest].statistic)
				weakest = k;
		}
		if (edm->count == 0 || changes[weakest].statistic >= penalty)
			return;
		memmove(changes + weakest, changes + weakest + 1, (edm->count - weakest - 1) * sizeof(*changes));
		edm->count--;
	}
}

static enum stats_status write_out(const double *x, size_t n, double penalty, const struct changepoints *found,
                                   struct edm *out)
{
	struct edm edm = {.count = found->count, .longrun_factor = found->longrun_factor};
	double *room = mem_alloc(n, sizeof(*room));
	edm.changes = mem_zalloc(found->count, sizeof(*edm.changes));
	if (!room || !edm.changes) {
		mem_free(room);
		mem_free(edm.changes);
		return STATS_NO_MEMORY;
	}
	for (size_t k = 0; k < found->count; k++) {
		const struct changepoint *point = &found->points[k];
		edm.changes[k] = (struct edm_change){.at = point->at,
		                                     .low = point->low,
		                                     .high = point->high,
		                                     .p_value = point->p_value,
		                                     .gradual = point->gradual};
	}
	measure_changes(x, n, penalty, room, &edm);
	mem_free(room);
	*out = edm;
	return STATS_OK;
}

enum stats_status edm_find(const double *x, size_t n, const struct edm_options *options, struct edm *out)
{
	const struct changepoint_options search = {options->alpha, options->min_segment};
	if (!changepoint_options_hold(&search) || !(options->penalty >= 0))
		return STATS_BAD_ARGUMENT;
	enum stats_status status = stats_check_finite(x, n);
	if (status != STATS_OK)
		return status;
	struct bisection bisection = {0};
	struct changepoints found = {0};
	if (n / 2 >= options->min_segment)
		status = published_splits(&bisection, x, n, options);
	if (status == STATS_OK)
		status = changepoint_find(x, n, &search, bisection.hints, bisection.count, &found);
	mem_free(bisection.hints);
	if (status == STATS_OK)
		status = write_out(x, n, options->penalty, &found, out);
	changepoints_release(&found);
	return status;
}

void edm_release(struct edm *edm)
{
	mem_free(edm->changes);
	*edm = (struct edm){0};
}

bool edm_dominant(const struct edm *edm, size_t n, size_t *from, size_t *to)
{
	size_t start = 0;
	for (size_t k = 0; k <= edm->count; k++) {
		size_t end = k < edm->count ? edm->changes[k].at : n;
		if (end - start > n / 2) { /* more than half: there is only one */
			*from = start;
			*to = end;
			return true;
		}
		start = end;
	}
	return false;
}
