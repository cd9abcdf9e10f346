#include "exchange/merge.h"

#include "base/memory.h"
#include "exchange/identity.h"
#include "model/machines.h"

#include <math.h>
#include <stddef.h>
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

enum { NO_SUBJECT = -1 };

/* same[i]: the first subject of `into` that subject i of `from` is too, or NO_SUBJECT. */
static int find_same(const struct result *into, const struct result *from, ptrdiff_t *same, struct error *err)
{
	struct map known = {0};
	size_t *first = mem_alloc(into->subject_count, sizeof(*first)); /* by the number of an identity */
	int status = first ? 0 : error_memory(err);
	for (size_t i = 0; status == 0 && i < into->subject_count; i++) {
		uint32_t before = known.count, number = identity_number(&known, &into->subjects[i]);
		if (number == MAP_NONE)
			status = error_memory(err);
		else if (number == before)
			first[number] = i;
	}
	uint32_t old = known.count;
	for (size_t i = 0; status == 0 && i < from->subject_count; i++) {
		uint32_t number = identity_number(&known, &from->subjects[i]);
		same[i] = number < old ? (ptrdiff_t)first[number] : NO_SUBJECT;
		if (number == MAP_NONE)
			status = error_memory(err);
	}
	map_release(&known);
	mem_free(first);
	return status;
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
		return error_full(err, ERROR_INPUT, NULL,
		                  "give the files labels, so that they are subjects of their own: a=FILE b=FILE",
		                  "'%.60s' of subject '%.60s' %s than in an earlier file", more->metric.name, from->name,
		                  same_levels ? "has another unit" : "has other levels");
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

/* Runs of which the tool told nothing but their mean and its error, or single values taken for such. */
static struct stated_runs stated_of(const struct measurement *m)
{
	struct stated_runs runs = {0};
	double squares = 0;
	if (m->stated->n > 1)
		return *m->stated;
	for (size_t i = 0; i < m->series.n; i++) {
		double step = m->series.values[i] - runs.mean;
		if (!isfinite(step))
			continue;
		runs.mean += step / (double)++runs.n;
		squares += step * (m->series.values[i] - runs.mean);
	}
	runs.sem = runs.n > 1 ? sqrt(squares / (double)(runs.n - 1) / (double)runs.n) : 0;
	return runs;
}

/* The mean of all runs and its error, by their counts, means and sums of squares (Chan, Golub and LeVeque 1983). */
static int join_stated(struct result *result, struct measurement *have, const struct measurement *more,
                       struct error *err)
{
	struct stated_runs a = stated_of(have), b = stated_of(more), *own;
	double n = (double)a.n, m = (double)b.n, apart = b.mean - a.mean;
	if ((have->stated->n < 2 && more->stated->n < 2) || b.n == 0)
		return 0;
	if (!(own = measurement_own_stated(result, have)))
		return error_memory(err);
	double squares = a.sem * a.sem * n * (n - 1) + b.sem * b.sem * m * (m - 1) + apart * apart * n * m / (n + m);
	*own = (struct stated_runs){a.n + b.n, a.mean + apart * m / (n + m), sqrt(squares / (n + m) / (n + m - 1))};
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
			have->mean_kind = more->mean_kind;
			have->warmed = more->warmed;
		}
		series_forget_pairs(&have->series);
		have->quantum = fmax(have->quantum, more->quantum);
		have->lost += more->lost;
		have->warmed = have->warmed && more->warmed;
		if (append_skips(result, have, more, err) != 0 || join_stated(result, have, more, err) != 0 ||
		    series_append_all(&have->series, &more->series, 0, err) != 0)
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

static bool any_same(const ptrdiff_t *same, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (same[i] != NO_SUBJECT)
			return true;
	return false;
}

/* Subject i of `from` goes behind the runs of `into`'s subject same[i], or becomes one of its own. */
static int join(struct result *into, struct result *from, const ptrdiff_t *same, struct error *err)
{
	for (size_t i = 0; i < from->subject_count; i++)
		if (same[i] != NO_SUBJECT && check_metrics(&into->subjects[same[i]], &from->subjects[i], err) != 0)
			return -1;
	arena_adopt(&into->arena, &from->arena);
	int status = 0;
	for (size_t i = 0; status == 0 && i < from->subject_count; i++)
		status = same[i] != NO_SUBJECT ? append_subject(into, &into->subjects[same[i]], &from->subjects[i], err)
		                               : move_subject(into, &from->subjects[i], err);
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

int merge_results(struct result *into, struct result *from, struct error *err)
{
	if (into->subject_count == 0) {
		arena_adopt(&from->arena, &into->arena);
		*into = *from;
		result_init(from);
		return 0;
	}
	const char *unfinished = result_unfinished(from);
	ptrdiff_t *same = mem_alloc(from->subject_count, sizeof(*same));
	int status = same ? find_same(into, from, same, err) : error_memory(err);
	if (status == 0)
		status = machines_differ(into, from) && any_same(same, from->subject_count) ? machines_add(into, from, err)
		                                                                            : join(into, from, same, err);
	if (status == 0)
		result_adopt_end(into, unfinished);
	mem_free(same);
	return status;
}
