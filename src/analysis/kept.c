#include "analysis/kept.h"

#include "base/memory.h"
#include "decide/phases.h"
#include "stats/summary.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static void view(struct nested *out, const struct series *series)
{
	memset(out, 0, sizeof(*out));
	out->depth = series->depth;
	out->n = series->n;
	out->values = series->values;
	for (unsigned k = 0; k + 1 < series->depth; k++) {
		out->groups[k] = series->groups[k];
		out->starts[k] = series->starts[k];
	}
}

/* The iterations of each run that stay: so many are left out at its start (of each its own, or the same of all), and at
 * most so many follow. */
struct kept_range {
	size_t skip, most;
	const struct measurement *own[2]; /* their warm-ups, the longer one of each run; NULL: skip */
	const double *beside;             /* the other side of pairs; NULL: there is none */
};

static bool is_lost(const struct series *series, const struct kept_range *part, size_t i)
{
	return isnan(series->values[i]) || (part->beside && isnan(part->beside[i]));
}

/* The members of run g that stay, of members from … to − 1. */
static void limit(const struct kept_range *part, size_t g, size_t *from, size_t *to)
{
	size_t skip = part->skip;
	for (int side = 0; side < 2; side++)
		if (part->own[side] && measurement_skip(part->own[side], g) > skip)
			skip = measurement_skip(part->own[side], g);
	*from = skip < *to - *from ? *from + skip : *to;
	*to = *to - *from > part->most ? *from + part->most : *to;
}

/* Copies group g of level k; *open is the outermost level that began since the last kept value. */
static int copy_group(struct series *out, const struct series *series, unsigned k, size_t g,
                      const struct kept_range *part, unsigned *open, struct error *err)
{
	size_t from = series->starts[k][g], to = series->starts[k][g + 1];
	if (k < *open)
		*open = k;
	bool innermost = k + 2 == series->depth;
	if (series->levels[k + 1] == LEVEL_ITERATION || (innermost && series->levels[k + 1] < LEVEL_ITERATION))
		limit(part, g, &from, &to);
	if (!innermost) {
		for (size_t child = from; child < to; child++)
			if (copy_group(out, series, k + 1, child, part, open, err) != 0)
				return -1;
		return 0;
	}
	for (size_t i = from; i < to; i++) {
		if (is_lost(series, part, i))
			continue;
		if (series_append(out, *open, series->values[i], err) != 0)
			return -1;
		*open = series->depth - 1;
	}
	return 0;
}

static bool keeps_all(const struct kept_range *part)
{
	bool all = part->skip == 0 && part->most == SIZE_MAX;
	for (int side = 0; side < 2; side++)
		all &= !part->own[side] || part->own[side]->skip == 0;
	return all;
}

static int init_part(struct kept *kept, const struct series *series, const struct kept_range *part, struct error *err)
{
	memset(kept, 0, sizeof(*kept));
	for (size_t i = 0; i < series->n; i++)
		kept->lost += is_lost(series, part, i);
	if (keeps_all(part) && kept->lost == 0) {
		view(&kept->values, series);
		return 0;
	}
	unsigned open = 0;
	series_init(&kept->own, series->levels, series->depth);
	/* Iterations of one run may be the outermost level themselves. */
	size_t from = 0, to = series->groups[0];
	if (series->levels[0] == LEVEL_ITERATION)
		limit(part, 0, &from, &to);
	for (size_t g = from; g < to; g++) {
		if (copy_group(&kept->own, series, 0, g, part, &open, err) != 0) {
			kept_release(kept);
			return -1;
		}
	}
	view(&kept->values, &kept->own);
	return 0;
}

int kept_init(struct kept *kept, const struct series *series, size_t skip, struct error *err)
{
	return init_part(kept, series, &(struct kept_range){.skip = skip, .most = SIZE_MAX}, err);
}

int kept_init_as(struct kept *kept, const struct series *series, const struct measurement *m, struct error *err)
{
	return init_part(kept, series, &(struct kept_range){.most = SIZE_MAX, .own = {m}}, err);
}

int kept_init_pair(struct kept *kept, const struct measurement *m, const struct measurement *other, struct error *err)
{
	return init_part(kept, &m->series,
	                 &(struct kept_range){.most = SIZE_MAX, .own = {m, other}, .beside = other->series.values}, err);
}

int kept_init_of(struct kept *kept, const struct measurement *m, struct error *err)
{
	if (m->iteration == 0)
		return kept_init_as(kept, &m->series, m, err);
	return init_part(kept, &m->series, &(struct kept_range){.skip = m->iteration - 1, .most = 1}, err);
}

int kept_init_phases(struct kept *kept, const struct series *series, const struct phase *phases, struct error *err)
{
	memset(kept, 0, sizeof(*kept));
	series_init(&kept->own, series->levels, series->depth);
	for (size_t g = 0; g < series->groups[0]; g++) {
		size_t n, first = series_span(series, g, &n), to = phases[g].to < n ? phases[g].to : n;
		bool open = true;
		for (size_t i = phases[g].from; i < to; i++) {
			if (isnan(series->values[first + i])) {
				kept->lost++;
				continue;
			}
			if (series_append(&kept->own, open ? 0 : 1, series->values[first + i], err) != 0) {
				kept_release(kept);
				return -1;
			}
			open = false;
		}
	}
	view(&kept->values, &kept->own);
	return 0;
}

void kept_release(struct kept *kept)
{
	series_release(&kept->own);
	memset(kept, 0, sizeof(*kept));
}

unsigned kept_unit_level(const struct nested *values)
{
	unsigned level = 0;
	while (level + 1 < values->depth && values->groups[level] < 2)
		level++;
	return level;
}

bool kept_is_one_run(const struct series *series, const struct nested *values)
{
	return values->n > 1 && series->levels[kept_unit_level(values)] >= LEVEL_ITERATION;
}

bool kept_is_positive(const struct nested *values)
{
	for (size_t i = 0; i < values->n; i++)
		if (!(values->values[i] > 0))
			return false;
	return true;
}

bool kept_is_in_range(const struct nested *values)
{
	static const double least = 1e-100, most = 1e100;
	double largest = 0;
	for (size_t i = 0; i < values->n; i++)
		largest = fmax(largest, fabs(values->values[i]));
	return largest == 0 || (largest >= least && largest <= most);
}

static double mean_of(const double *x, size_t n, enum mean_kind kind)
{
	struct running sum = {0};
	if (kind != MEAN_ARITHMETIC)
		return phases_mean(x, &(struct phase){.to = n}, kind);
	running_add_all(&sum, x, n);
	return running_mean(&sum);
}

/* The values of groups at `level` are single ones down to the values themselves. */
static bool single_values(const struct nested *values, unsigned level)
{
	return level + 1 >= values->depth || values->groups[level] == values->n;
}

int kept_units_init(struct kept_units *units, const struct nested *values, unsigned level, enum mean_kind kind,
                    struct error *err)
{
	*units = (struct kept_units){.mean = values->values, .n = values->n};
	if (single_values(values, level))
		return 0;
	for (unsigned k = values->depth - 1; k-- > level;) {
		double *above = mem_alloc(values->groups[k], sizeof(*above));
		for (size_t g = 0; above && g < values->groups[k]; g++)
			above[g] = mean_of(units->mean + values->starts[k][g], values->starts[k][g + 1] - values->starts[k][g],
			                   kind);
		kept_units_release(units);
		if (!above)
			return error_memory(err);
		*units = (struct kept_units){.mean = above, .n = values->groups[k], .own = above};
	}
	return 0;
}

void kept_units_release(struct kept_units *units)
{
	mem_free(units->own);
	*units = (struct kept_units){0};
}

struct nested kept_slim(const struct nested *values, unsigned *level_of)
{
	struct nested slim = {.n = values->n, .values = values->values};
	size_t parents = 1;
	for (unsigned k = 0; k < values->depth; k++) {
		bool last = k + 1 == values->depth;
		size_t members = last ? values->n : values->groups[k];
		/* One below each: what stood above takes its place. */
		if (k == 0 || members != parents)
			level_of[slim.depth++] = k;
		if (!last) {
			slim.groups[slim.depth - 1] = members;
			slim.starts[slim.depth - 1] = values->starts[k];
		}
		parents = members;
	}
	return slim;
}
