/* An experiment: 20 members at every level as the first one, tare's plan from it (decide/plan.h), then outermost
 * members one by one until the interval by the precision rule is as short as wanted, from ten on; the counts inside are
 * estimated again from its own data when it has as many members as the first experiment had, and at twice that, and so
 * on.
 *
 * The best fixed counts: outermost members' means are normal with variance V(r), so the expected number until the stop
 * is a function of V/half-width² alone, simulated on a grid of it (3 % apart, 4000 sequences each). Every combination
 * of counts up to 60 inside is then reckoned. */
#include "plans.h"

#include "base/memory.h"
#include "base/random.h"
#include "decide/estimate.h"
#include "decide/plan.h"
#include "stats/counts.h"
#include "stats/variance.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST = 20, MOST_UNITS = 4000, GRID = 140, SEQUENCES = 4000, MOST_INSIDE = 60 };

static const double ALPHA = 0.05, GRID_LOW = 0.05, GRID_STEP = 1.08;

/* Relative: the smaller the interval, the more of the costs that are the same in each cell matter. */
const struct plans_cell plans_cells[] = {
	{"runs dear, iterations noisy", 2, {0.01, 0.03}, {1, 0.05}, 0.01},
	{"runs dear and noisy", 2, {0.03, 0.01}, {1, 0.05}, 0.01},
	{"runs cheap", 2, {0.02, 0.02}, {0.1, 0.1}, 0.01},
	{"long warm-up", 2, {0.01, 0.02}, {10, 0.1}, 0.005},
	{"iterations alone", 2, {0.002, 0.04}, {0.5, 0.02}, 0.005},
	{"runs alone", 2, {0.03, 0.002}, {0.2, 0.02}, 0.01},
	{"wide interval", 2, {0.01, 0.03}, {1, 0.05}, 0.025},
	{"very noisy", 2, {0.05, 0.1}, {1, 0.1}, 0.015},
	{"builds, all alike", 3, {0.02, 0.02, 0.02}, {20, 1, 0.1}, 0.01},
	{"builds alone", 3, {0.03, 0.005, 0.01}, {10, 0.5, 0.05}, 0.015},
	{"builds quiet", 3, {0.005, 0.02, 0.03}, {20, 0.5, 0.05}, 0.01},
	{"builds cheap", 3, {0.02, 0.01, 0.03}, {2, 1, 0.1}, 0.01},
};
const size_t plans_cell_count = sizeof(plans_cells) / sizeof(plans_cells[0]);

/* ---- made-up data ---- */

struct heap {
	double *values;
	uint32_t *starts[PLANS_DEPTH_MOST];
	size_t n, groups[PLANS_DEPTH_MOST], capacity;
};

static void heap_clear(struct heap *heap)
{
	heap->n = 0;
	for (unsigned k = 0; k < PLANS_DEPTH_MOST; k++)
		heap->groups[k] = 0;
}

static void heap_reserve(struct heap *heap, size_t n)
{
	if (n <= heap->capacity)
		return;
	heap->capacity = 2 * n;
	heap->values = mem_resize(heap->values, heap->capacity, sizeof(double));
	for (unsigned k = 0; k < PLANS_DEPTH_MOST; k++)
		heap->starts[k] = mem_resize(heap->starts[k], heap->capacity + 1, sizeof(uint32_t));
}

/* A member of level k with all inside it; its mean. */
static double draw(const struct plans_cell *cell, const size_t *counts, unsigned k, double level, struct random *random,
                   struct heap *heap)
{
	level += cell->sd[k] * random_normal(random);
	if (k + 1 == cell->depth) {
		heap->values[heap->n++] = level;
		return level;
	}
	double sum = 0;
	heap->starts[k][heap->groups[k]] = (uint32_t)(k + 2 == cell->depth ? heap->n : heap->groups[k + 1]);
	for (size_t i = 0; i < counts[k + 1]; i++)
		sum += draw(cell, counts, k + 1, level, random, heap);
	heap->groups[k]++;
	heap->starts[k][heap->groups[k]] = (uint32_t)(k + 2 == cell->depth ? heap->n : heap->groups[k + 1]);
	return sum / (double)counts[k + 1];
}

static size_t inside(const struct plans_cell *cell, const size_t *counts)
{
	size_t n = 1;
	for (unsigned k = 1; k < cell->depth; k++)
		n *= counts[k];
	return n;
}

/* The plan from data; counts gets those inside. False: it is not known. */
static bool dimension(const struct plans_cell *cell, const struct heap *heap, size_t *counts)
{
	static const enum level levels[][PLANS_DEPTH_MOST] = {{LEVEL_RUN, LEVEL_ITERATION},
	                                                      {LEVEL_BUILD, LEVEL_RUN, LEVEL_ITERATION}};
	struct nested data = {.depth = cell->depth, .n = heap->n, .values = heap->values};
	struct variance_components components;
	struct plan_subject subject = {.level_count = cell->depth};
	struct plan_row row;
	for (unsigned k = 0; k + 1 < cell->depth; k++) {
		data.groups[k] = heap->groups[k];
		data.starts[k] = heap->starts[k];
	}
	if (variance_components(&data, &components) != STATS_OK)
		return false;
	for (unsigned k = 0; k < cell->depth; k++)
		subject.levels[k] = (struct plan_level){.level = levels[cell->depth - 2][k],
		                                        .members = components.level[k].count,
		                                        .variance = components.level[k].t2,
		                                        .cost = cell->cost[k]};
	if (!plan_dimension(&subject) || !plan_row(&subject, cell->half_width, 1 - ALPHA, 0.99, &row))
		return false;
	for (unsigned k = 1; k < cell->depth; k++)
		counts[k] = row.counts[k];
	return true;
}

/* ---- the experiment ---- */

static double unit_cost(const struct plans_cell *cell, const size_t *counts)
{
	double cost = 0, members = 1;
	for (unsigned k = 0; k < cell->depth; k++) {
		members *= k > 0 ? (double)counts[k] : 1;
		cost += cell->cost[k] * members;
	}
	return cost;
}

static void follow(const struct plans_cell *cell, size_t *counts, struct random *random, struct heap *heap,
                   struct plans_outcome *out)
{
	struct estimate estimate = {0};
	double cost = 0, mean, low, high;
	size_t units = 0, next = FIRST;
	heap_clear(heap);
	do {
		heap_reserve(heap, heap->n + inside(cell, counts) + 1);
		estimate_add(&estimate, draw(cell, counts, 0, 1, random, heap));
		cost += unit_cost(cell, counts);
		units++;
		if (units == next) {
			dimension(cell, heap, counts);
			next *= 2;
		}
	} while (units < MOST_UNITS && !estimate_is_precise(&estimate, ALPHA, cell->half_width, PLAN_LEAST));
	estimate_now(&estimate, ALPHA, &mean, &low, &high);
	out->covered += low <= 1 && 1 <= high;
	out->reached += (high - low) / 2 <= cell->half_width * mean;
	out->cost += cost;
}

/* ---- the best fixed counts ---- */

/* Expected outermost members until the stop, for means of variance q times the wanted half-width squared. */
static double expected_units(double q, struct random *random)
{
	double sum = 0;
	for (int i = 0; i < SEQUENCES; i++) {
		struct estimate estimate = {0};
		size_t units = 0;
		do {
			estimate_add(&estimate, 1 + sqrt(q) * 1e-3 * random_normal(random));
			units++;
		} while (units < MOST_UNITS && !estimate_is_precise(&estimate, ALPHA, 1e-3, PLAN_LEAST));
		sum += (double)units;
	}
	return sum / SEQUENCES;
}

static const double *stop_table(void)
{
	static double table[GRID];
	if (table[0] == 0) {
		struct random random;
		random_seed(&random, 77);
		double q = GRID_LOW;
		for (int i = 0; i < GRID && q < 400; i++, q *= GRID_STEP)
			table[i] = expected_units(q, &random);
	}
	return table;
}

static double cost_of(const struct plans_cell *cell, const size_t *counts)
{
	const double *table = stop_table();
	double variance = 0, members = 1;
	for (unsigned k = 0; k < cell->depth; k++) {
		members *= k > 0 ? (double)counts[k] : 1;
		variance += cell->sd[k] * cell->sd[k] / members;
	}
	double q = variance / (cell->half_width * cell->half_width);
	double place = fmax(log(q / GRID_LOW) / log(GRID_STEP), 0);
	int i = (int)place;
	double part = place - i;
	return unit_cost(cell, counts) * (table[i] * (1 - part) + table[i + 1] * part);
}

static void search(const struct plans_cell *cell, unsigned k, size_t *counts, struct plans_outcome *out)
{
	if (k == cell->depth) {
		double cost = cost_of(cell, counts);
		if (out->best == 0 || cost < out->best) {
			out->best = cost;
			for (unsigned i = 1; i < cell->depth; i++)
				out->best_counts[i] = counts[i];
		}
		return;
	}
	for (counts[k] = 1; counts[k] <= MOST_INSIDE; counts[k]++)
		search(cell, k + 1, counts, out);
}

/* What the formula says: the product of cost and variance of the tens against that of the best counts. */
static double theory(const struct plans_cell *cell)
{
	double tens_cost = 0, tens_variance = 0, members = 1, best = 0;
	for (unsigned k = 0; k < cell->depth; k++) {
		members *= k > 0 ? 10 : 1;
		tens_cost += cell->cost[k] * members;
		tens_variance += cell->sd[k] * cell->sd[k] / members;
		best += sqrt(cell->cost[k]) * cell->sd[k];
	}
	return 1 - best * best / (tens_cost * tens_variance);
}

void plans_simulate(const struct plans_cell *cell, int experiments, uint64_t seed, struct plans_outcome *out)
{
	struct random random;
	struct heap heap = {0};
	size_t first[PLANS_DEPTH_MOST] = {FIRST, FIRST, FIRST}, tens[PLANS_DEPTH_MOST] = {0, 10, 10},
		   counts[PLANS_DEPTH_MOST] = {0};
	*out = (struct plans_outcome){0};
	random_stream(&random, seed, (unsigned)(cell - plans_cells));
	for (int e = 0; e < experiments; e++) {
		heap_clear(&heap);
		heap_reserve(&heap, FIRST * FIRST * FIRST + 1);
		for (size_t i = 0; i < FIRST; i++)
			draw(cell, first, 0, 1, &random, &heap);
		if (dimension(cell, &heap, counts))
			follow(cell, counts, &random, &heap, out);
	}
	out->covered /= experiments;
	out->reached /= experiments;
	out->cost /= experiments;
	search(cell, 1, counts, out);
	out->ten = cost_of(cell, tens);
	out->saving = 1 - out->cost / out->ten;
	out->theory = theory(cell);
	mem_free(heap.values);
	for (unsigned k = 0; k < PLANS_DEPTH_MOST; k++)
		mem_free(heap.starts[k]);
}
