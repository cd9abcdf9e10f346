/* Laaber et al. (2020), section 5.3: "remove outliers that are a magnitude larger than
 * the median", "a weighted sample of 1,000 invocations per iteration".
 *
 * The published code draws 1 000 with replacement even from ten values, which makes a small
 * sample look like a large one; here a sample is never larger than its source.
 *
 * Places of the sample among all occurrences: k distinct numbers by drawing, sorting and drawing
 * again for each repeat. Where more than half are wanted, those to leave out are drawn. */
#include "stats/criteria_data.h"

#include "base/memory.h"
#include "base/random.h"
#include "stats/quantile.h"

#include <gsl/gsl_sort.h>
#include <stdbool.h>
#include <stdlib.h>

/* Sum of the counts; false when one is 0 or the sum overflows. */
static bool occurrences_of(const uint64_t *counts, size_t n, uint64_t *total)
{
	*total = n;
	if (!counts)
		return true;
	*total = 0;
	for (size_t i = 0; i < n; i++)
		if (counts[i] == 0 || __builtin_add_overflow(*total, counts[i], total))
			return false;
	return true;
}

/* The occurrence at that 0-based place of ascending values. */
static double occurrence_at(const double *values, const uint64_t *counts, const size_t *order, uint64_t place)
{
	size_t i = 0;
	while (place >= counts[order[i]])
		place -= counts[order[i++]];
	return values[order[i]];
}

static enum stats_status weighted_median(const double *values, const uint64_t *counts, size_t n, uint64_t total,
                                         double *median)
{
	if (!counts)
		return median_of(values, n, median);
	size_t *order = mem_alloc(n, sizeof(*order));
	if (!order)
		return STATS_NO_MEMORY;
	gsl_sort_index(order, values, 1, n);
	double low = occurrence_at(values, counts, order, (total - 1) / 2);
	double high = occurrence_at(values, counts, order, total / 2);
	*median = low == high ? low : 0.5 * low + 0.5 * high;
	mem_free(order);
	return STATS_OK;
}

enum stats_status criteria_filter(const double *values, const uint64_t *counts, size_t n, double *out,
                                  uint64_t *out_counts, size_t *kept)
{
	uint64_t total;
	double median;
	enum stats_status status = stats_check_finite(values, n);
	if (status != STATS_OK)
		return status;
	if (!occurrences_of(counts, n, &total))
		return STATS_BAD_ARGUMENT;
	status = weighted_median(values, counts, n, total, &median);
	if (status != STATS_OK)
		return status;
	if (!(median > 0))
		return STATS_NOT_POSITIVE;
	size_t inside = 0;
	for (size_t i = 0; i < n; i++) {
		if (values[i] < median / 10 || values[i] > 10 * median)
			continue;
		out[inside] = values[i];
		if (counts)
			out_counts[inside] = counts[i];
		inside++;
	}
	*kept = inside;
	return STATS_OK;
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* k distinct places in 0 … total − 1, ascending; k ≤ (total + 1)/2, so a repeat is the exception. */
static void distinct_places(uint64_t *places, size_t k, uint64_t total, struct random *random)
{
	for (size_t have = 0; have < k;) {
		for (size_t i = have; i < k; i++)
			places[i] = random_below(random, total);
		qsort(places, k, sizeof(*places), ascending);
		have = k > 0;
		for (size_t i = 1; i < k; i++)
			if (places[i] != places[i - 1])
				places[have++] = places[i];
	}
}

/* Values at the given ascending places, or at all others. */
static size_t take(const double *values, const uint64_t *counts, size_t n, const uint64_t *places, size_t k,
                   bool others, double *out)
{
	size_t next = 0, taken = 0;
	uint64_t place = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t end = place + (counts ? counts[i] : 1);
		for (; others && place < end; place++) {
			if (next < k && places[next] == place)
				next++;
			else
				out[taken++] = values[i];
		}
		for (; !others && next < k && places[next] < end; next++)
			out[taken++] = values[i];
		place = end;
	}
	return taken;
}

enum stats_status criteria_sample(const double *values, const uint64_t *counts, size_t n, size_t most, uint64_t seed,
                                  double *out, size_t *kept)
{
	uint64_t total;
	enum stats_status status = stats_check_finite(values, n);
	if (status != STATS_OK)
		return status;
	if (most == 0 || !occurrences_of(counts, n, &total))
		return STATS_BAD_ARGUMENT;
	uint64_t left_out = total > most ? total - most : 0;
	bool others = left_out < most;
	size_t k = others ? (size_t)left_out : most;
	uint64_t *places = mem_alloc(k, sizeof(*places));
	if (!places)
		return STATS_NO_MEMORY;
	struct random random;
	random_seed(&random, seed);
	distinct_places(places, k, total, &random);
	*kept = take(values, counts, n, places, k, others, out);
	mem_free(places);
	return STATS_OK;
}
