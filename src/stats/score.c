/* Normal scores: Φ⁻¹(mid-rank/n), van der Waerden (1952), with mid-ranks for ties.
 *
 * Under independence the scores of n values are the n normal quantiles in random order whatever
 * the distribution was, so sums of them are nearly normal even for two or three terms. That is
 * what lets one set of critical values serve normal, lognormal, heavy-tailed and quantised noise.
 * Ties keep one score each; when nearly all values are tied the scores are skewed, which the
 * caller has to allow for.
 *
 * Looked up some 50 times for each value of a series, so the place in the sample comes from a grid
 * of cells rather than a binary search; it is exact all the same. */
#include "stats/score.h"

#include "base/memory.h"
#include "stats/distribution.h"
#include "stats/quantile.h"

#include <math.h>

static const double FARTHEST = 1000; /* times the extreme score, for values outside the sample's range */

static enum stats_status allocate(struct score_table *table, size_t n)
{
	if (table->n == n)
		return STATS_OK;
	score_table_release(table);
	table->sample = mem_alloc(n, sizeof(double));
	table->values = mem_alloc(n, sizeof(double));
	table->at = mem_alloc(n, sizeof(double));
	table->below = mem_alloc(n + 1, sizeof(double));
	table->quantiles = mem_alloc(2 * n + 1, sizeof(double));
	if (!table->sample || !table->values || !table->at || !table->below || !table->quantiles) {
		score_table_release(table);
		return STATS_NO_MEMORY;
	}
	table->n = n;
	double half_ranks = 2 * (double)n;
	for (size_t k = 1; k <= n; k++) {
		table->quantiles[k] = normal_quantile((double)k / half_ranks);
		table->quantiles[2 * n - k] = -table->quantiles[k];
	}
	table->quantiles[0] = table->quantiles[1];
	table->quantiles[2 * n] = -table->quantiles[1];
	return STATS_OK;
}

static void list_values(struct score_table *table)
{
	size_t n = table->n, distinct = 0, most = 0;
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && table->sample[end] == table->sample[i]; end++)
			continue;
		table->values[distinct] = table->sample[i];
		table->at[distinct] = table->quantiles[i + end];
		table->below[distinct++] = table->quantiles[2 * i];
		most = end - i > most ? end - i : most;
	}
	table->below[distinct] = table->quantiles[2 * n];
	table->distinct = distinct;
	table->tied = 2 * most > n && n > 2;
}

/* Cells over the middle 15/16 of the values, so that a heavy tail does not make them too wide. */
static void build_guide(struct score_table *table)
{
	size_t tail = table->distinct / 32, below = tail;
	double start = table->values[tail], width = table->values[table->distinct - 1 - tail] - start;
	table->guide_tail = tail;
	table->guide_start = start;
	table->cells_per_unit = width > 0 && SCORE_GUIDE / width < INFINITY ? SCORE_GUIDE / width : 0;
	for (size_t cell = 0; cell <= SCORE_GUIDE && table->cells_per_unit > 0; cell++) {
		double edge = start + (double)cell / table->cells_per_unit;
		while (below < table->distinct - tail && table->values[below] < edge)
			below++;
		table->guide[cell] = (unsigned short)below;
	}
}

enum stats_status score_table_build(struct score_table *table, const double *noise, size_t n)
{
	size_t kept = n < SCORE_TABLE_MAX ? n : SCORE_TABLE_MAX;
	enum stats_status status = allocate(table, kept);
	if (status != STATS_OK)
		return status;
	for (size_t i = 0; i < kept; i++)
		table->sample[i] = noise[kept == n ? i : (size_t)((double)i * (double)n / (double)kept)];
	sort_doubles(table->sample, kept);
	list_values(table);
	build_guide(table);
	return STATS_OK;
}

void score_table_release(struct score_table *table)
{
	mem_free(table->sample);
	mem_free(table->values);
	mem_free(table->at);
	mem_free(table->below);
	mem_free(table->quantiles);
	*table = (struct score_table){0};
}

/* How many of the values are below u, of which `low` are and those from `high` on are not. */
static size_t search_values(const double *values, size_t low, size_t high, double u)
{
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (values[middle] < u)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* How many of the values are below u. */
static inline size_t place_of(const struct score_table *table, double u)
{
	const double *values = table->values;
	double cell = (u - table->guide_start) * table->cells_per_unit;
	if (!(cell >= 0))
		return search_values(values, 0, table->guide_tail + 1, u);
	if (!(cell < SCORE_GUIDE))
		return search_values(values, table->distinct - 1 - table->guide_tail, table->distinct, u);
	if (table->cells_per_unit == 0)
		return search_values(values, 0, table->distinct, u);
	size_t below = table->guide[(size_t)cell];
	/* Rounding may have put u into the cell beside its own. */
	while (below > 0 && values[below - 1] >= u)
		below--;
	while (below < table->distinct && values[below] < u)
		below++;
	return below;
}

static double beyond(double u, double extreme, double score)
{
	double ratio = u / extreme; /* ∞ when there is no noise on this side */
	return score * (ratio > 0 && ratio < FARTHEST ? ratio : FARTHEST);
}

static inline double score_inline(const struct score_table *table, double u)
{
	size_t last = table->distinct - 1;
	if (u > table->values[last] && u > 0)
		return beyond(u, table->values[last], table->below[last + 1]);
	if (u < table->values[0] && u < 0)
		return beyond(u, table->values[0], table->below[0]);
	size_t place = place_of(table, u);
	return place <= last && table->values[place] == u ? table->at[place] : table->below[place];
}

double score_of(const struct score_table *table, double u)
{
	return score_inline(table, u);
}

void score_all(const struct score_table *table, const double *x, size_t n, double centre, double *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = score_inline(table, x[i] - centre);
}

size_t score_bin(const struct score_table *table, double x)
{
	return place_of(table, x);
}
