/* From the answers of a run to rows of numbers, and from these to the series of the result. */
#include "session/programs.h"

#include "base/array.h"
#include "decide/phases.h"

#include <math.h>
#include <string.h>

static size_t find_own(const struct bench_columns *columns, const char *name)
{
	size_t i = 0;
	while (i < columns->own_count && strcmp(columns->own[i].name, name) != 0)
		i++;
	return i;
}

static bool is_built_in(const char *name)
{
	for (int c = 0; c < COLUMN_OWN; c++)
		if (strcmp(bench_column(NULL, c).name, name) == 0)
			return true;
	return false;
}

/* A name that tare uses itself is tare's. */
static void see_own(struct session *session, struct bench_columns *columns, const char *name, const char *unit,
                    bool higher)
{
	struct arena *arena = &session->result->arena;
	size_t i = find_own(columns, name);
	if (i < columns->own_count || i == COLUMN_COUNT - COLUMN_OWN || is_built_in(name))
		return;
	struct metric metric = {arena_strdup(arena, name), arena_strdup(arena, strcmp(unit, "-") == 0 ? "" : unit),
	                        higher ? BETTER_HIGHER : BETTER_LOWER};
	if (!metric.name || !metric.unit)
		return; /* the next allocation will say so */
	columns->own[i] = metric;
	columns->own_count++;
	columns->used[COLUMN_OWN + i] = true;
}

void bench_see_columns(struct session *session, struct bench_columns *columns, const struct harness_sample *sample)
{
	columns->used[METRIC_WALL] = true;
	columns->used[METRIC_CPU] |= sample->cpu >= 0;
	columns->used[METRIC_DELAY] |= sample->delay >= 0;
	columns->used[METRIC_NET] |= sample->delay >= 0 && sample->thread_count == 1;
	columns->used[COLUMN_ITEMS] |= sample->items > 0;
	columns->used[COLUMN_BYTES] |= sample->bytes > 0;
	for (size_t i = 0; i < sample->metric_count; i++)
		see_own(session, columns, sample->metrics[i].name, sample->metrics[i].unit, sample->metrics[i].better != 0);
	if (sample->unit_name)
		see_own(session, columns, sample->unit_name, sample->unit_unit, sample->unit_higher_is_better);
}

static void set_own(const struct bench_columns *columns, double *row, const char *name, double value)
{
	size_t i = find_own(columns, name);
	if (i < columns->own_count)
		row[COLUMN_OWN + i] = value;
}

/* The mean of an iteration's unit readings in its stable phase; of all where none dominates, so that an iteration keeps
 * its place. The search is over means of neighbours where there are many: it takes longer than many an iteration. */
static int mean_of_units(const struct harness_sample *sample, enum phases_rule rule, double *mean, struct error *err)
{
	enum { MOST_SEARCHED = 400 };
	double searched[MOST_SEARCHED];
	size_t n = sample->unit_count, each = (n + MOST_SEARCHED - 1) / MOST_SEARCHED, count = n / each;
	struct phase found, all = {.to = n};
	for (size_t i = 0; i < count; i++) {
		struct phase neighbours = {.from = i * each, .to = (i + 1) * each};
		searched[i] = phases_mean(sample->units, &neighbours, MEAN_ARITHMETIC);
	}
	if (!phases_of_round(searched, count, rule, sample->unit_higher_is_better ? BETTER_HIGHER : BETTER_LOWER, &found))
		return error_memory(err);
	struct phase stable = {.from = found.from * each, .to = found.to == count ? n : found.to * each};
	*mean = phases_mean(sample->units, stable.to > stable.from ? &stable : &all, MEAN_ARITHMETIC);
	return 0;
}

static void fill_row(double *row, const struct bench_columns *columns, const struct harness_overhead *overhead,
                     const struct harness_sample *sample)
{
	double invocations = (double)sample->invocations;
	double wall = harness_wall_per_invocation(sample, overhead) / 1e9;
	for (int c = 0; c < COLUMN_COUNT; c++)
		row[c] = NAN;
	row[METRIC_WALL] = wall;
	row[METRIC_CPU] = harness_cpu_per_invocation(sample, overhead) / 1e9;
	if (sample->delay >= 0) {
		row[METRIC_DELAY] = (double)sample->delay / invocations / 1e9;
		/* The delay is read outside of the wall clock and may hold a wait that it does not. */
		if (sample->thread_count == 1)
			row[METRIC_NET] = fmax(wall - row[METRIC_DELAY], sample->cpu >= 0 ? fmin(row[METRIC_CPU], wall) : 0);
	}
	if (wall > 0 && sample->items > 0)
		row[COLUMN_ITEMS] = sample->items / (wall * invocations);
	if (wall > 0 && sample->bytes > 0)
		row[COLUMN_BYTES] = sample->bytes / (wall * invocations);
	for (size_t i = 0; i < sample->metric_count; i++)
		set_own(columns, row, sample->metrics[i].name, sample->metrics[i].value);
}

int bench_table_add(const struct session *session, struct bench_table *table, const struct bench_columns *columns,
                    const struct harness_sample *sample, struct error *err)
{
	static const struct harness_overhead none; /* of another framework's loop: it is in its values already */
	double *row, units;
	if (array_reserve(&table->values, &table->capacity, (table->rows + 1) * COLUMN_COUNT) != 0)
		return error_memory(err);
	row = table->values + table->rows * COLUMN_COUNT;
	fill_row(row, columns, session->guests ? &none : bench_source_overhead(session->programs), sample);
	if (sample->unit_name && sample->unit_count > 0) {
		if (mean_of_units(sample, session->experiment->phases, &units, err) != 0)
			return -1;
		set_own(columns, row, sample->unit_name, units);
	}
	table->rows++;
	return 0;
}

double bench_table_at(const struct bench_table *table, size_t row, int column)
{
	return table->values[row * COLUMN_COUNT + (size_t)column];
}

struct metric bench_column(const struct bench_columns *columns, int column)
{
	if (column >= COLUMN_OWN)
		return columns->own[column - COLUMN_OWN];
	if (column == COLUMN_ITEMS)
		return (struct metric){"items", "items/s", BETTER_HIGHER};
	if (column == COLUMN_BYTES)
		return (struct metric){"bytes", "bytes/s", BETTER_HIGHER};
	return metric_of((enum metric_id)column);
}

int bench_keep_run(struct session *session, struct question *benchmark, struct error *err)
{
	for (size_t s = session->first; s < session->last; s++) {
		const struct bench_table *table = &session->tables[s];
		for (int c = 0; c < COLUMN_COUNT; c++) {
			if (!benchmark->columns[s].used[c])
				continue;
			struct subject *subject = &session->result->subjects[benchmark->subject + s];
			struct measurement *m = &subject->metrics[benchmark->columns[s].metric[c]];
			for (size_t row = 0; row < table->rows; row++)
				if (series_append(&m->series, row == 0 ? 0 : 1, bench_table_at(table, row, c), err) != 0)
					return -1;
		}
	}
	benchmark->runs++;
	return 0;
}
