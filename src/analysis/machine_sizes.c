#include "analysis/machine_sizes.h"

#include "analysis/comparison.h"
#include "analysis/measurement.h"

#include <stdint.h>

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

bool machine_is_small(const struct series *series, size_t g)
{
	size_t n;
	series_span(series, g, &n);
	return n * SMALL < largest_of(series);
}

bool machines_count_by_pairs(const struct series *series)
{
	size_t largest = largest_of(series), small = 0, n;
	for (size_t g = 0; g < series->groups[0]; g++) {
		series_span(series, g, &n);
		small += n * SMALL < largest;
	}
	return small > 0 && series->groups[0] - small < LEAST_POOL;
}

/* One side, without the level. Pairs stay pairs: both sides lose the same borders. */
static int add_side(struct result *flat, const struct result *all, size_t subject, const char *metric,
                    const struct analysis_options *options, struct error *err)
{
	const struct subject *from = &all->subjects[subject];
	const struct measurement *m = subject_find_metric(from, metric);
	struct subject *side = result_add_subject(flat, from->name);
	struct measurement *own = side ? result_add_metric(flat, side, metric, m->metric.unit, m->metric.better,
	                                                   m->series.levels + 1, m->series.depth - 1)
	                               : NULL;
	if (!own)
		return error_memory(err);
	side->side = result_side(all, subject);
	own->quantum = m->quantum;
	own->pair_set = m->pair_set;
	own->mean_kind = m->mean_kind;
	own->is_count = m->is_count;
	own->order = m->order;
	own->order_count = m->order_count;
	for (size_t g = 0; g < m->series.groups[0]; g++) {
		struct series group;
		if (series_group(&group, &m->series, g, err) != 0)
			return -1;
		int status = series_append_all(&own->series, &group, 0, err);
		series_release(&group);
		if (status != 0)
			return -1;
	}
	return analyse_measurement(flat, side, own, options, err);
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
	int status = add_side(&flat, result, base, comparison->metric, options, err);
	if (status == 0)
		status = add_side(&flat, result, new_, comparison->metric, options, err);
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
