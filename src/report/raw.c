#include "report/raw.h"

#include "base/memory.h"
#include "report/thin.h"

#include <string.h>

size_t raw_values(const struct result *result)
{
	size_t count = 0;
	for (size_t s = 0; s < result->subject_count; s++)
		for (size_t m = 0; m < result->subjects[s].metric_count; m++)
			count += result->subjects[s].metrics[m].series.n;
	return count;
}

/* Moves `groups` (the group at each level) on to value `index` and tells the outermost level at which a new one
 * began. */
static unsigned move_to(const struct series *series, size_t groups[LEVEL_COUNT], size_t index)
{
	unsigned open = series->depth - 1;
	size_t child = index;
	for (unsigned k = series->depth - 1; k-- > 0;) {
		size_t before = groups[k];
		while (series->starts[k][groups[k] + 1] <= child)
			groups[k]++;
		if (groups[k] != before)
			open = k;
		child = groups[k];
	}
	return open;
}

static int thin(const struct series *series, size_t most, struct series *out, struct error *err)
{
	size_t *kept = mem_alloc(most, sizeof(*kept)), groups[LEVEL_COUNT] = {0};
	if (!kept)
		return error_memory(err);
	size_t count = thin_series(series->values, series->n, most / 2, kept);
	int status = 0;
	series_init(out, series->levels, series->depth);
	for (size_t i = 0; i < count && status == 0; i++) {
		unsigned open = move_to(series, groups, kept[i]);
		status = series_append(out, open, series->values[kept[i]], err);
	}
	mem_free(kept);
	return status;
}

static int copy_series(const struct series *series, struct series *out, struct error *err)
{
	size_t groups[LEVEL_COUNT] = {0};
	int status = 0;
	series_init(out, series->levels, series->depth);
	for (size_t i = 0; i < series->n && status == 0; i++) {
		unsigned open = move_to(series, groups, i);
		status = series_append(out, open, series->values[i], err);
	}
	return status;
}

static int copy_subject(struct result *out, const struct subject *from, size_t most, struct error *err)
{
	struct subject *subject = &out->subjects[out->subject_count];
	*subject = *from;
	subject->metric_count = 0;
	subject->metrics = arena_alloc(&out->arena, from->metric_count + 1, sizeof(*subject->metrics));
	if (!subject->metrics)
		return error_memory(err);
	out->subject_count++;
	for (size_t m = 0; m < from->metric_count; m++) {
		const struct series *series = &from->metrics[m].series;
		subject->metrics[m] = from->metrics[m];
		memset(&subject->metrics[m].series, 0, sizeof(*series));
		/* Phases tell places in whole runs. */
		if (series->n > most) {
			subject->metrics[m].phases = NULL;
			subject->metrics[m].phase_count = 0;
		}
		subject->metric_count++;
		if ((series->n > most ? thin(series, most, &subject->metrics[m].series, err)
		                      : copy_series(series, &subject->metrics[m].series, err)) != 0)
			return -1;
	}
	return 0;
}

static int say_thinned(struct result *out, const struct result *result, struct error *err)
{
	out->warnings = NULL; /* a list of its own */
	out->warning_count = 0;
	if (result_adopt_warnings(out, result) != 0 ||
	    result_warn(out, "thinned", "samples were thinned to fit into a report; the numbers are of all values") != 0)
		return error_memory(err);
	out->design.paired = false;
	out->design.order = NULL;
	out->design.order_count = 0;
	return 0;
}

int raw_thinned(const struct result *result, size_t most, struct result *out, struct error *err)
{
	struct result copy = *result;
	most = most < 2 ? 2 : most;
	copy.arena = (struct arena){0};
	copy.warning_codes = copy.warning_keys = (struct map){0};
	copy.subject_count = 0;
	copy.subjects = arena_alloc(&copy.arena, result->subject_count + 1, sizeof(*copy.subjects));
	int status = copy.subjects ? 0 : error_memory(err);
	for (size_t s = 0; s < result->subject_count && status == 0; s++)
		status = copy_subject(&copy, &result->subjects[s], most, err);
	if (status == 0 && raw_values(&copy) < raw_values(result))
		status = say_thinned(&copy, result, err);
	if (status == 0)
		*out = copy;
	else
		result_release(&copy);
	return status;
}
