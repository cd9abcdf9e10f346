#include "exchange/merge.h"

#include "exchange/identity.h"
#include "model/machines.h"

#include <string.h>

int merge_label(struct result *result, const char *label, struct error *err)
{
	for (size_t i = 0; i < result->subject_count; i++) {
		struct subject *subject = &result->subjects[i];
		const char *name = result->subject_count == 1 ? arena_strdup(&result->arena, label)
		                                              : arena_printf(&result->arena, "%s/%s", label, subject->name);
		if (!name)
			return error_memory(err);
		subject->name = name;
		if (!subject->program && subject->benchmark)
			subject->program = arena_strdup(&result->arena, label);
	}
	return result_make_titles(result) == 0 ? 0 : error_memory(err);
}

static struct subject *find_same(const struct result *in, const struct subject *subject, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (identity_same(&in->subjects[i], subject))
			return &in->subjects[i];
	return NULL;
}

static int check_metrics(const struct subject *into, const struct subject *from, struct error *err)
{
	for (size_t m = 0; m < from->metric_count; m++) {
		const struct measurement *more = &from->metrics[m];
		const struct measurement *have = subject_find_metric(into, more->metric.name);
		if (!have)
			continue;
		bool same_levels = have->series.depth == more->series.depth &&
		                   memcmp(have->series.levels, more->series.levels,
		                          have->series.depth * sizeof(*have->series.levels)) == 0;
		if (strcmp(have->metric.unit, more->metric.unit) == 0 && have->metric.better == more->metric.better &&
		    same_levels)
			continue;
		error_set(err, ERROR_INPUT, "'%.60s' of subject '%.60s' %s than in an earlier file", more->metric.name,
		          from->name, same_levels ? "has another unit" : "has other levels");
		return error_next(err, "give the files labels, so that they are subjects of their own: a=FILE b=FILE");
	}
	return 0;
}

/* The warm-up of each run goes with it. */
static int append_skips(struct result *result, struct measurement *have, const struct measurement *more,
                        struct error *err)
{
	if (have->series.depth < 2)
		return 0;
	size_t runs = have->series.groups[have->series.depth - 2], others = more->series.groups[more->series.depth - 2];
	bool told = have->skip_count > 0 || more->skip_count > 0;
	have->skip_set = have->skip_set && more->skip_set;
	if (!have->skip_set && !told) {
		have->skip = 0; /* to be looked for in all of them */
		return 0;
	}
	bool same = !told && have->skip == more->skip;
	for (size_t r = have->skip_count; r < runs && !same; r++)
		if (measurement_add_skip(result, have, r, have->skip) != 0)
			return error_memory(err);
	for (size_t r = 0; r < others && !same; r++)
		if (measurement_add_skip(result, have, runs + r, measurement_skip(more, r)) != 0)
			return error_memory(err);
	return 0;
}

static int append_subject(struct result *result, struct subject *into, struct subject *from, struct error *err)
{
	size_t runs = into->metric_count ? into->metrics[0].series.groups[0] : 0;
	for (size_t m = 0; m < from->metric_count; m++) {
		struct measurement *more = &from->metrics[m];
		struct measurement *have = subject_find_metric(into, more->metric.name);
		if (!have) {
			have = result_add_metric(result, into, more->metric.name, more->metric.unit, more->metric.better,
			                         more->series.levels, more->series.depth);
			if (!have)
				return error_memory(err);
			have->skip = more->skip;
			have->skip_set = more->skip_set;
		}
		series_forget_pairs(&have->series);
		if (append_skips(result, have, more, err) != 0 || series_append_all(&have->series, &more->series, 0, err) != 0)
			return -1;
		series_release(&more->series);
	}
	for (size_t i = 0; i < from->failure_count; i++)
		if (result_add_failure(result, into,
		                       (struct failure){from->failures[i].what, runs + from->failures[i].run,
		                                        from->failures[i].exit_code}) != 0)
			return error_memory(err);
	return 0;
}

static int move_subject(struct result *into, struct subject *from, struct error *err)
{
	struct subject *subject = result_add_subject(into, from->name);
	if (!subject)
		return error_memory(err);
	*subject = *from;
	memset(from, 0, sizeof(*from)); /* its series have one owner */
	from->name = "";
	return 0;
}

static void merge_host(struct result *into, const struct result *from)
{
	if (!into->host.cpu && !into->host.os && into->host.cpus == 0)
		into->host = from->host;
}

static bool shares_subject(const struct result *into, const struct result *from)
{
	for (size_t i = 0; i < from->subject_count; i++)
		if (find_same(into, &from->subjects[i], into->subject_count))
			return true;
	return false;
}

int merge_results(struct result *into, struct result *from, struct error *err)
{
	if (into->subject_count == 0) {
		arena_adopt(&from->arena, &into->arena);
		*into = *from;
		result_init(from);
		return 0;
	}
	size_t before = into->subject_count;
	if (machines_differ(into, from) && shares_subject(into, from))
		return machines_add(into, from, err);
	for (size_t i = 0; i < from->subject_count; i++) {
		const struct subject *same = find_same(into, &from->subjects[i], before);
		if (same && check_metrics(same, &from->subjects[i], err) != 0)
			return -1;
	}
	arena_adopt(&into->arena, &from->arena);
	int status = 0;
	for (size_t i = 0; status == 0 && i < from->subject_count; i++) {
		struct subject *subject = &from->subjects[i], *same = find_same(into, subject, before);
		status = same ? append_subject(into, same, subject, err) : move_subject(into, subject, err);
	}
	if (status == 0 && result_adopt_warnings(into, from) != 0)
		status = error_memory(err);
	if (status == 0 && (into->design.paired || from->design.paired) &&
	    result_warn(into, "pairs", "values of several files are not taken as pairs") != 0)
		status = error_memory(err);
	merge_host(into, from);
	into->design.paired = false;
	into->design.order = NULL;
	into->design.order_count = 0;
	into->comparison_count = 0; /* they spoke of one file's values */
	into->comparisons = NULL;
	result_release(from);
	if (status == 0 && result_make_titles(into) != 0)
		status = error_memory(err);
	return status;
}
