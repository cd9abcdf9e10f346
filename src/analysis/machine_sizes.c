#include "analysis/machine_sizes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SMALL = 10, LEAST_POOL = 5 };

static size_t largest_of(const struct series *series)
{
	size_t largest = 0, n;
	for (size_t g = 0; g < series->groups[0]; g++) {
		series_span(series, g, &n);
		largest = n > largest ? n : largest;
	}
	return largest;
}

bool machine_size_is_small(size_t n, size_t largest)
{
	return n * SMALL < largest;
}

bool machine_is_small(const struct series *series, size_t g)
{
	size_t n;
	series_span(series, g, &n);
	return machine_size_is_small(n, largest_of(series));
}

bool machines_count_by_pairs(const struct series *series)
{
	size_t largest = largest_of(series), small = 0, n;
	for (size_t g = 0; g < series->groups[0]; g++) {
		series_span(series, g, &n);
		small += machine_size_is_small(n, largest);
	}
	return small > 0 && series->groups[0] - small < LEAST_POOL;
}

/* What machine g has in the order: pairs or runs. */
static size_t entries_of(const struct design_info *design, const struct series *series, size_t g)
{
	size_t n;
	series_span(series, g, &n);
	return design->order_of_runs ? machine_runs_before(series, g + 1) - machine_runs_before(series, g) : n;
}

/* The orders of the machines one behind the other; those of a table are together already. Where one is not known, none
 * is; a machine without the subject has one lost value, of no order. */
static int join_orders(struct design_info *out, struct arena *arena, const struct design_info *design,
                       const struct measurement *m, struct error *err)
{
	size_t machines = m->series.groups[0], count = 0;
	const char **order = arena_alloc(arena, m->series.n, sizeof(*order));
	if (!order)
		return error_memory(err);
	for (size_t g = 0; g < machines; g++) {
		const struct machine_info *machine = g < design->machine_count ? &design->machines[g] : NULL;
		size_t n, entries = entries_of(design, &m->series, g), first = series_span(&m->series, g, &n);
		if (machine && machine->order && machine->order_count == entries)
			memcpy(order + count, machine->order, entries * sizeof(*order));
		else if (n == 1 && isnan(m->series.values[first]))
			order[count] = NULL;
		else
			return 0;
		count += entries;
	}
	out->order = order;
	out->order_count = count;
	return 0;
}

/* Both sides of all machines. */
static int add_sides(struct result *flat, const struct result *all, const struct comparison *comparison,
                     const struct analysis_options *options, struct error *err)
{
	const struct measurement *m = subject_find_metric(&all->subjects[comparison->base], comparison->metric);
	size_t machines = m->series.groups[0];
	if (machine_add_side(flat, all, comparison->base, comparison->metric, 0, machines, options, err) != 0 ||
	    machine_add_side(flat, all, comparison->new_, comparison->metric, 0, machines, options, err) != 0)
		return -1;
	flat->subjects[0].metrics[0].order = m->order;
	flat->subjects[0].metrics[0].order_count = m->order_count;
	return m->order ? 0 : join_orders(&flat->design, &flat->arena, &all->design, m, err);
}

static int warn(struct result *result, const struct series *series, struct error *err)
{
	size_t least = SIZE_MAX, n;
	for (size_t g = 0; g < series->groups[0]; g++) {
		series_span(series, g, &n);
		least = n < least ? n : least;
	}
	return result_warn(
			   result, "machine-sizes",
			   "the machines have %zu to %zu pairs: all pairs have equal weight, and this says nothing about other machines",
			   least, largest_of(series)) == 0
	           ? 0
	           : error_memory(err);
}

int machines_compare_pairs(struct result *result, struct comparison *comparison, const struct analysis_options *options,
                           machines_compare_one *one, struct judged *judged, struct error *err)
{
	uint32_t base = comparison->base, new_ = comparison->new_;
	struct result flat;
	result_init(&flat);
	flat.design = result->design;
	flat.elapsed = result->elapsed;
	int status = add_sides(&flat, result, comparison, options, err);
	if (status == 0)
		status = one(&flat, (struct couple){.base = 0, .new_ = 1, .metric = comparison->metric}, options, judged, err);
	if (status == 0) {
		const char *metric = comparison->metric;
		*comparison = flat.comparisons[0];
		comparison->base = base;
		comparison->new_ = new_;
		comparison->metric = metric;
		arena_adopt(&result->arena, &flat.arena);
		status = warn(result, &subject_find_metric(&result->subjects[base], metric)->series, err);
	}
	result_release(&flat);
	return status;
}
