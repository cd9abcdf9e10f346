/* From a table's gathered series to a result: order of the subjects, what could not be used. */
#include "exchange/csv_table.h"

#include "base/memory.h"
#include "base/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct csv_series *csv_next_series(const struct csv_table *t, size_t *index)
{
	while (*index < t->series_room && (*index < (size_t)t->keys.count * t->value_count)) {
		struct csv_series *series = t->series[(*index)++];
		if (series && series->gathered.rows > 0)
			return series;
	}
	return NULL;
}

/* What is measured, and by which of the programs compared; "" where the table does not say. Next to
 * a benchmark the subject is a program, unless there is a column for programs too. */
static const char *what_of(const struct csv_subject *subject)
{
	const char *what = subject->benchmark ? subject->benchmark : subject->program ? subject->subject : "";
	return what ? what : "";
}

static const char *which_of(const struct csv_subject *subject)
{
	const char *which = subject->program ? subject->program : subject->subject;
	return which ? which : "";
}

static const char *subject_label(struct csv_table *t, const struct csv_subject *subject, int side, const char **program)
{
	const char *what = what_of(subject), *which = which_of(subject);
	if (side < 0 && subject->subject && *subject->subject && subject->benchmark && subject->program) {
		*program = *which ? which : NULL;
		return subject->subject;
	}
	if (side >= 0)
		which = *which ? arena_printf(&t->arena, "%s %s", which, t->columns.sides[side]) : t->columns.sides[side];
	bool both = which && *what && *which;
	*program = which && *which && (both || subject->program || side >= 0) ? which : NULL;
	if (both)
		return arena_printf(&t->arena, "%s (%s)", what, which);
	return *what ? what : which && *which ? which : t->import->name;
}

/* Rows come in random order where somebody measured well; A is still before B and 1 before 2. */
static bool sorts_by_name(const struct map *which)
{
	bool letters = true, numbers = true;
	for (uint32_t i = 0; i < which->count; i++) {
		double value;
		letters &= which->length[i] == 1 && isalpha((unsigned char)which->text[i][0]);
		numbers &= which->length[i] > 0 &&
		           parse_number_prefix(which->text[i], which->length[i], &value) == which->length[i];
	}
	return letters || numbers;
}

struct csv_place {
	uint32_t what;
	double which;
	size_t index;
};

static int by_place(const void *a, const void *b)
{
	const struct csv_place *x = a, *y = b;
	if (x->what != y->what)
		return x->what < y->what ? -1 : 1;
	if (x->which != y->which)
		return x->which < y->which ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Series by benchmark, then by program, then as they came. */
static int sort_series(struct csv_table *t, struct csv_series **sorted, size_t count)
{
	struct map what = {0}, which = {0};
	struct csv_place *places = mem_alloc(count, sizeof(*places));
	struct csv_series **copy = mem_alloc(count, sizeof(struct csv_series *));
	int status = places && copy ? 0 : -1;
	for (size_t i = 0; status == 0 && i < count; i++) {
		const struct csv_subject *subject = &t->subjects[sorted[i]->subject];
		places[i].index = i;
		places[i].what = map_text(&what, what_of(subject), strlen(what_of(subject)));
		uint32_t id = map_text(&which, which_of(subject), strlen(which_of(subject)));
		places[i].which = id;
		if (places[i].what == MAP_NONE || id == MAP_NONE)
			status = -1;
	}
	if (status == 0 && !t->judged && sorts_by_name(&which)) {
		for (size_t i = 0; i < count; i++) {
			const char *text = which.text[(uint32_t)places[i].which];
			if (parse_number_prefix(text, strlen(text), &places[i].which) != strlen(text))
				places[i].which = tolower((unsigned char)*text) * 256 + (unsigned char)*text;
		}
	}
	if (status == 0) {
		qsort(places, count, sizeof(*places), by_place);
		memcpy(copy, sorted, count * sizeof(*copy));
		for (size_t i = 0; i < count; i++)
			sorted[i] = copy[places[i].index];
	}
	map_release(&what);
	map_release(&which);
	mem_free(places);
	mem_free(copy);
	return status == 0 ? 0 : error_memory(t->import->err);
}

/* The sides of a pair are the programs of its benchmark, whose subjects follow each other. */
static void set_side(const struct result *out, struct subject *subject)
{
	size_t place = 0;
	for (size_t s = out->subject_count - 1; s-- > 0;) {
		const struct subject *before = &out->subjects[s];
		if (!before->benchmark || strcmp(before->benchmark, subject->benchmark) != 0)
			break;
		place += subject_same_parameters(before, subject);
	}
	if (place < SIDE_LETTERS)
		subject->side = place;
}

static int add_subject(struct csv_table *t, const struct csv_series *series, size_t *index)
{
	struct result *out = t->import->out;
	const struct csv_subject *from = &t->subjects[series->subject];
	const char *program, *name = subject_label(t, from, series->side, &program);
	struct subject *subject = name ? result_add_subject(out, name) : NULL;
	if (!subject)
		return error_memory(t->import->err);
	*index = out->subject_count;
	if (*what_of(from) && !(subject->benchmark = arena_strdup(&out->arena, what_of(from))))
		return error_memory(t->import->err);
	if (program && !(subject->program = arena_strdup(&out->arena, program)))
		return error_memory(t->import->err);
	for (size_t i = 0; i < columns_of(&t->columns, ROLE_PARAMETER); i++) {
		const char *key = t->columns.sources[t->columns.first[ROLE_PARAMETER] + i].name;
		if (*from->parameters[i] && result_add_parameter(out, subject, key, from->parameters[i]) != 0)
			return error_memory(t->import->err);
	}
	if (from->failures && csv_failures(t, subject, from->failures) != 0)
		return -1;
	if (t->plan.order && subject->benchmark)
		set_side(out, subject);
	return 0;
}

/* A subject of the table, or of one side of its rows. */
struct csv_slot {
	size_t index;                    /* in the result, from 1; 0: not yet there */
	const struct csv_series *failed; /* whose rows say which of its runs failed; NULL: none */
};

static struct csv_slot *slot_of(struct csv_slot *slots, const struct csv_series *series)
{
	return &slots[3 * (size_t)series->subject + (size_t)(series->side + 1)];
}

/* A series as a metric of its subject, which is made with its first one. */
static int add_series(struct csv_table *t, struct csv_series *series, struct csv_slot *slots)
{
	struct import *import = t->import;
	enum level levels[LEVEL_COUNT];
	unsigned depth = gather_levels(&t->plan, levels);
	size_t *index = &slot_of(slots, series)->index;
	if (*index == 0 && add_subject(t, series, index) != 0)
		return -1;
	struct measurement *metric = import_metric(import, &import->out->subjects[*index - 1], series->metric, series->base,
	                                           levels, depth);
	if (metric && series->better != IMPORT_BETTER_BY_UNIT && import->options->better == IMPORT_BETTER_BY_UNIT)
		metric->metric.better = series->better == IMPORT_BETTER_HIGHER ? BETTER_HIGHER : BETTER_LOWER;
	if (metric)
		metric->lost = t->plan.pair ? 0 : series->lost; /* those of pairs stay in the series */
	series->in_subject = *index - 1;
	series->in_metrics = import->out->subjects[*index - 1].metric_count - 1;
	return metric ? gather_to_series(&series->gathered, &t->plan, t->names, &metric->series, import->err) : -1;
}

/* Whether a row with a word that we do not know counts as a failed run. */
static bool counts(const struct csv_table *t, uint64_t unsure)
{
	return unsure == 0 || (t->told_status & unsure) != 0;
}

/* A run may have a row for each metric: those of one of them count. All of a subject's runs may have failed without a
 * value. */
static int add_exits(struct csv_table *t, struct csv_slot *slots)
{
	struct result *out = t->import->out;
	for (size_t i = 0; i < t->exit_count; i++) {
		const struct csv_exit *row = &t->exits[i];
		struct csv_slot *slot = slot_of(slots, row->series);
		if ((slot->failed && slot->failed != row->series) || !counts(t, row->unsure))
			continue;
		slot->failed = row->series;
		if (slot->index == 0 && add_subject(t, row->series, &slot->index) != 0)
			return -1;
		struct subject *subject = &out->subjects[slot->index - 1];
		if (result_add_failure(out, subject, (struct failure){row->what, subject->failure_count, row->code}) != 0)
			return error_memory(t->import->err);
	}
	return 0;
}

/* What has a name and no value was to be measured: nothing else is compared in its place. */
static int add_lost(struct csv_table *t, struct csv_slot *slots)
{
	size_t room = (size_t)t->keys.count * t->value_count;
	for (size_t i = 0; i < t->series_room && i < room; i++) {
		const struct csv_series *series = t->series[i];
		if (series && series->lost > 0 && slot_of(slots, series)->index == 0 &&
		    add_subject(t, series, &slot_of(slots, series)->index) != 0)
			return -1;
	}
	return 0;
}

static int to_result(struct csv_table *t)
{
	size_t count = 0, room = (size_t)t->keys.count * t->value_count;
	struct csv_slot *slots = mem_zalloc(3 * ((size_t)t->subject_keys.count + 1), sizeof(*slots));
	struct csv_series **sorted = mem_alloc(room, sizeof(struct csv_series *)), *series;
	int status = slots && sorted ? 0 : error_memory(t->import->err);
	for (size_t i = 0; status == 0 && (series = csv_next_series(t, &i));)
		sorted[count++] = series;
	if (status == 0)
		status = sort_series(t, sorted, count);
	for (size_t i = 0; status == 0 && i < count; i++)
		status = add_series(t, sorted[i], slots);
	if (status == 0)
		status = add_exits(t, slots);
	if (status == 0)
		status = add_lost(t, slots);
	mem_free(slots);
	mem_free(sorted);
	return status;
}

static int warn(struct csv_table *t)
{
	struct result *out = t->import->out;
	char list[400] = "";
	for (size_t i = 0; i < t->columns.unused_count; i++) {
		size_t used = strlen(list);
		if (used + strlen(t->columns.unused[i]) + 8 > sizeof(list)) {
			snprintf(list + used, sizeof(list) - used, ", …");
			break;
		}
		snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "", t->columns.unused[i]);
	}
	bool unordered = false, inside_runs = false;
	struct csv_series *series;
	for (size_t i = 0; (series = csv_next_series(t, &i));) {
		unordered |= series->gathered.unordered;
		inside_runs |= series->gathered.rows > series->gathered.groups;
	}
	int status = 0;
	if (list[0])
		status |= result_warn(out, "unmapped", "columns not used: %s (--columns gives them a role)", list);
	if (t->strange_status)
		status |= result_warn(out, "unmapped", "column %s: %s is not known to mean success or failure, and %s",
		                      t->strange_column, t->strange_status,
		                      counts(t, t->strange_unsure)
		                          ? "counts as failed (--columns status= leaves the column out)"
		                          : "the column is not used");
	if (t->skipped)
		status |= result_warn(out, "skipped", "%zu row%s marked as cold or warm-up left out", t->skipped,
		                      t->skipped == 1 ? "" : "s");
	if (t->zero_times && !t->judged) /* its CPU time in the kernel may be */
		status |= result_warn(out, "zero-times",
		                      "%zu time%s 0, the first in line %ld: too short for the clock, or not measured",
		                      t->zero_times, t->zero_times == 1 ? " is" : "s are", t->zero_line);
	status |= import_warn_comma(t->import, csv_unclear_comma(&t->records));
	if (inside_runs && t->judged)
		status |= result_warn(out, "warm-up-again",
		                      "the table does not say which iterations tare bench left out as "
		                      "warm-up: they are looked for again (the JSON document has them)");
	if (unordered)
		status |= result_warn(out, "iteration-order",
		                      "iteration numbers go down inside a run: rows are taken in the order of the file");
	return status ? error_memory(t->import->err) : 0;
}

int csv_finish(struct csv_table *t)
{
	size_t rows = 0;
	struct csv_series *series;
	for (size_t i = 0; (series = csv_next_series(t, &i)); rows += series->gathered.rows)
		if (gather_finish(&series->gathered, &t->plan, t->import->err) != 0)
			return -1;
	if (rows == 0) {
		error_set(t->import->err, ERROR_NO_DATA, t->skipped ? "every row is left out" : "no values in the table");
		error_on(t->import->err, "%s", t->import->input->name);
		return error_next(t->import->err, t->skipped
		                                      ? "all are marked as cold or warm-up; --columns skip= takes them in"
		                                      : "say which column holds the values: --columns value=COLUMN");
	}
	if (warn(t) != 0 || to_result(t) != 0)
		return -1;
	return t->plan.pair ? csv_pair(t) : 0;
}
