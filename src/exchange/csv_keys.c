/* The keys of a row, and the series that they lead to. */
#include "exchange/csv_table.h"

#include "base/array.h"
#include "base/parse.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { SEPARATOR = 0x1f }; /* between the cells of a key */

static const enum role key_roles[] = {ROLE_SUBJECT, ROLE_BENCHMARK, ROLE_PROGRAM, ROLE_PARAMETER, ROLE_METRIC};

static bool is_name(enum role role)
{
	return role == ROLE_SUBJECT || role == ROLE_BENCHMARK || role == ROLE_PROGRAM || role == ROLE_PARAMETER ||
	       role == ROLE_METRIC;
}

/* The named parts of a cell that joins them by '-'. */
static struct csv_field cell_parts(const struct column_source *source, struct csv_field cell)
{
	const char *at = cell.text, *end = cell.text + cell.length;
	for (unsigned i = 0; i < source->first_part; i++) {
		const char *dash = memchr(at, '-', (size_t)(end - at));
		at = dash ? dash + 1 : end;
	}
	const char *stop = at;
	for (unsigned i = 0; i < source->part_count; i++) {
		const char *dash = memchr(stop, '-', (size_t)(end - stop));
		stop = dash ? dash + 1 : end + 1;
		if (!dash)
			break;
	}
	return (struct csv_field){at, (size_t)(stop - at) - (stop > at ? 1 : 0)};
}

/* Blanks in quotes belong to names alone. */
static inline struct csv_field cell_of(const struct csv_table *t, const struct column_source *source)
{
	struct csv_field cell = t->records.fields[source->column];
	if (!is_name(source->role))
		cell = csv_trimmed(cell);
	return source->part_count == 0 ? cell : cell_parts(source, cell);
}

struct csv_field csv_cell(const struct csv_table *t, const struct column_source *source)
{
	return cell_of(t, source);
}

int csv_bad_cell(const struct csv_table *t, size_t column, const char *what)
{
	const struct csv_field *cell = &t->records.fields[column];
	return input_problem(t->import->input, t->records.line, csv_column(&t->records, column), t->import->err,
	                     "'%.*s' %s", (int)(cell->length < 60 ? cell->length : 60), cell->text, what);
}

static int key_number(struct map *names, const struct csv_field *cell, uint32_t *out, struct error *err)
{
	uint32_t number = pair_names_number(names, cell->text, cell->length);
	if (number == MAP_NONE)
		return error_memory(err);
	*out = number;
	return 0;
}

/* The run, or the cells of all columns that make it up. */
static int run_key(struct csv_table *t, uint32_t *out)
{
	size_t n = columns_of(&t->columns, ROLE_RUN);
	struct csv_field cell = cell_of(t, csv_source(t, ROLE_RUN, 0));
	if (n > 1) {
		buffer_clear(&t->key);
		for (size_t i = 0; i < n; i++) {
			cell = cell_of(t, csv_source(t, ROLE_RUN, i));
			buffer_add(&t->key, cell.text, cell.length);
			buffer_char(&t->key, SEPARATOR);
		}
		cell = (struct csv_field){buffer_text(&t->key), t->key.length};
	}
	return key_number(&t->names->runs, &cell, out, t->import->err);
}

int csv_level_keys(struct csv_table *t, struct gather_key *key)
{
	struct error *err = t->import->err;
	if (t->plan.machine) {
		struct csv_field cell = cell_of(t, csv_source(t, ROLE_MACHINE, 0));
		key->machine = map_text(&t->names->machines, cell.text, cell.length);
	}
	if (t->plan.build) {
		struct csv_field cell = cell_of(t, csv_source(t, ROLE_BUILD, 0));
		key->build = map_text(&t->names->builds, cell.text, cell.length);
	}
	if (key->machine == MAP_NONE || key->build == MAP_NONE)
		return error_memory(err);
	if (t->plan.run && !t->columns.one_run && run_key(t, &key->run) != 0)
		return -1;
	if (t->plan.iteration) {
		struct csv_field cell = csv_trimmed(cell_of(t, csv_source(t, ROLE_ITERATION, 0)));
		if (cell.length == 0 || parse_number_prefix(cell.text, cell.length, &key->iteration) != cell.length ||
		    !isfinite(key->iteration))
			return csv_bad_cell(t, csv_source(t, ROLE_ITERATION, 0)->column, "is not the number of an iteration");
	}
	if (t->plan.pair && columns_of(&t->columns, ROLE_PAIR) > 0) {
		struct csv_field cell = cell_of(t, csv_source(t, ROLE_PAIR, 0));
		if (key_number(&t->names->pairs, &cell, &key->pair, err) != 0)
			return -1;
	}
	if (t->plan.order) {
		struct csv_field cell = cell_of(t, csv_source(t, ROLE_ORDER, 0));
		uint32_t id = cell.length ? map_text(&t->orders, cell.text, cell.length) : MAP_NONE;
		key->order = id < 254 ? (uint8_t)(id + 1) : 0;
	}
	return 0;
}

static void add_to_key(const struct csv_table *t, struct buffer *key, enum role role)
{
	for (size_t i = 0; i < columns_of(&t->columns, role); i++) {
		struct csv_field cell = cell_of(t, csv_source(t, role, i));
		buffer_add(key, cell.text, cell.length);
		buffer_char(key, SEPARATOR);
	}
}

/* The cells of a role joined, as text of the arena; NULL when the table has no such role. */
static const char *joined_cells(struct csv_table *t, enum role role, const char *joint)
{
	struct buffer text = {0};
	size_t n = columns_of(&t->columns, role);
	if (n == 0)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		struct csv_field cell = cell_of(t, csv_source(t, role, i));
		if (i > 0 && cell.length > 0 && text.length > 0)
			buffer_text_add(&text, joint);
		buffer_add(&text, cell.text, cell.length);
	}
	const char *copy = text.out_of_memory ? NULL : arena_strndup(&t->arena, buffer_text(&text), text.length);
	buffer_release(&text);
	return copy ? copy : "";
}

/* A NUL would end a name early: such a table is no text. */
static int check_names(const struct csv_table *t)
{
	for (size_t r = 0; r < sizeof(key_roles) / sizeof(key_roles[0]); r++) {
		for (size_t i = 0; i < columns_of(&t->columns, key_roles[r]); i++) {
			size_t column = csv_source(t, key_roles[r], i)->column;
			const struct csv_field *cell = &t->records.fields[column];
			if (!memchr(cell->text, '\0', cell->length))
				continue;
			csv_bad_cell(t, column, "is a name with a NUL byte in it");
			return error_next(t->import->err,
			                  "this is binary data, or text of two bytes to a letter: save it as UTF-8 text");
		}
	}
	return 0;
}

static int new_subject(struct csv_table *t)
{
	size_t n = t->subject_keys.count;
	if (array_reserve(&t->subjects, &t->subject_room, n) != 0)
		return error_memory(t->import->err);
	struct csv_subject *subject = &t->subjects[n - 1];
	subject->failures = NULL;
	subject->subject = joined_cells(t, ROLE_SUBJECT, " ");
	subject->benchmark = joined_cells(t, ROLE_BENCHMARK, "/");
	subject->program = joined_cells(t, ROLE_PROGRAM, " ");
	size_t parameters = columns_of(&t->columns, ROLE_PARAMETER);
	subject->parameters = parameters > 0 ? arena_alloc(&t->arena, parameters, sizeof(*subject->parameters)) : NULL;
	if (parameters > 0 && !subject->parameters)
		return error_memory(t->import->err);
	for (size_t i = 0; i < parameters; i++) {
		struct csv_field cell = cell_of(t, csv_source(t, ROLE_PARAMETER, i));
		subject->parameters[i] = arena_strndup(&t->arena, cell.text, cell.length);
		if (!subject->parameters[i])
			return error_memory(t->import->err);
	}
	return 0;
}

static bool is_key(const struct csv_table *t, const struct buffer *key)
{
	const char *at = buffer_text(key), *end = at + key->length;
	for (size_t r = 0; r < sizeof(key_roles) / sizeof(key_roles[0]); r++) {
		for (size_t i = 0; i < columns_of(&t->columns, key_roles[r]); i++) {
			struct csv_field cell = cell_of(t, csv_source(t, key_roles[r], i));
			if ((size_t)(end - at) <= cell.length || memcmp(at, cell.text, cell.length) != 0 ||
			    at[cell.length] != SEPARATOR)
				return false;
			at += cell.length + 1;
		}
	}
	return at == end;
}

/* Rows that follow one another mostly share it, or two take turns. */
int csv_find_key(struct csv_table *t)
{
	for (unsigned i = 0; t->keys.count > 0 && i < 2; i++) {
		unsigned guess = t->latest ^ t->turns ^ i;
		if (is_key(t, &t->recent[guess].key)) {
			t->turns = guess ^ t->latest;
			t->latest = guess;
			return 0;
		}
	}
	t->latest ^= 1;
	struct csv_key *recent = &t->recent[t->latest];
	buffer_clear(&recent->key);
	for (size_t r = 0; r < sizeof(key_roles) / sizeof(key_roles[0]); r++)
		add_to_key(t, &recent->key, key_roles[r]);
	if (recent->key.out_of_memory)
		return error_memory(t->import->err);
	recent->id = map_text(&t->keys, buffer_text(&recent->key), recent->key.length);
	return recent->id == MAP_NONE ? error_memory(t->import->err) : 0;
}

/* Tables of tare: partners may differ in a parameter, and pairs of another set than the first are named "set-pair". */
static bool is_own(const struct csv_table *t)
{
	return columns_of(&t->columns, ROLE_SUBJECT) > 0 && columns_of(&t->columns, ROLE_BENCHMARK) > 0 &&
	       columns_of(&t->columns, ROLE_PROGRAM) > 0 && columns_of(&t->columns, ROLE_PAIR) > 0;
}

static void add_pair_set(struct csv_table *t)
{
	struct csv_field cell = cell_of(t, csv_source(t, ROLE_PAIR, 0));
	const char *dash = memchr(cell.text, '-', cell.length);
	buffer_add(&t->key, cell.text, dash ? (size_t)(dash - cell.text) : 0);
	buffer_char(&t->key, SEPARATOR);
}

/* Series whose rows may be partners inside the table: those of one metric and, where it names benchmarks or programs,
 * of one benchmark. */
static int align_number(struct csv_table *t, const struct column_source *value, const char *metric, uint32_t *out)
{
	buffer_clear(&t->key);
	if (value->side >= 0 || columns_of(&t->columns, ROLE_PROGRAM) > 0 || columns_of(&t->columns, ROLE_BENCHMARK) > 0) {
		add_to_key(t, &t->key, ROLE_BENCHMARK);
		if (value->side < 0 && is_own(t))
			add_pair_set(t);
		else
			add_to_key(t, &t->key, ROLE_PARAMETER);
		if (value->side >= 0)
			add_to_key(t, &t->key, ROLE_PROGRAM);
		if (value->side >= 0 || columns_of(&t->columns, ROLE_BENCHMARK) == 0)
			add_to_key(t, &t->key, ROLE_SUBJECT);
	}
	buffer_text_add(&t->key, metric);
	*out = map_text(&t->align_keys, buffer_text(&t->key), t->key.length);
	return t->key.out_of_memory || *out == MAP_NONE ? error_memory(t->import->err) : 0;
}

static struct csv_series *new_series(struct csv_table *t, size_t v)
{
	const struct column_source *value = csv_source(t, ROLE_VALUE, v);
	if (check_names(t) != 0)
		return NULL;
	struct csv_series *series = arena_alloc(&t->arena, 1, sizeof(*series));
	if (!series)
		goto no_memory;
	buffer_clear(&t->key);
	add_to_key(t, &t->key, ROLE_SUBJECT);
	add_to_key(t, &t->key, ROLE_BENCHMARK);
	add_to_key(t, &t->key, ROLE_PROGRAM);
	add_to_key(t, &t->key, ROLE_PARAMETER);
	uint32_t known = t->subject_keys.count;
	series->subject = map_text(&t->subject_keys, buffer_text(&t->key), t->key.length);
	if (series->subject == MAP_NONE || (series->subject == known && new_subject(t) != 0))
		goto no_memory;
	series->side = value->side;
	const char *metric = joined_cells(t, ROLE_METRIC, " ");
	series->metric = !metric || !*metric ? value->name
	                 : t->value_count == 1 || strcmp(value->name, "value") == 0
	                     ? metric
	                     : arena_printf(&t->arena, "%s %s", metric, value->name);
	if (!series->metric || align_number(t, value, series->metric, &series->align) != 0)
		goto no_memory;
	const char *unit = value->unit[0] ? value->unit : t->import->options->unit ? t->import->options->unit : "";
	series->unit = units_meaning(unit);
	series->base = series->unit.name;
	return series;
no_memory:
	error_memory(t->import->err);
	return NULL;
}

struct csv_series *csv_series_at(struct csv_table *t, size_t v)
{
	size_t index = (size_t)t->recent[t->latest].id * t->value_count + v;
	size_t before = t->series_room;
	if (array_reserve(&t->series, &t->series_room, index + 1) != 0) {
		error_memory(t->import->err);
		return NULL;
	}
	if (t->series_room > before)
		memset(t->series + before, 0, (t->series_room - before) * sizeof(*t->series));
	if (!t->series[index])
		t->series[index] = new_series(t, v);
	return t->series[index];
}

/* The direction of this row, from its column. An empty cell says nothing. */
int csv_row_better(struct csv_table *t, struct csv_series *series)
{
	static const char *const words[] = {[IMPORT_BETTER_LOWER] = "lower", [IMPORT_BETTER_HIGHER] = "higher"};
	const struct column_source *source = csv_source(t, ROLE_BETTER, 0);
	struct csv_field cell = cell_of(t, source);
	enum import_better said = IMPORT_BETTER_BY_UNIT;
	for (enum import_better better = IMPORT_BETTER_LOWER; better <= IMPORT_BETTER_HIGHER; better++)
		if (cell.length == strlen(words[better]) && strncasecmp(cell.text, words[better], cell.length) == 0)
			said = better;
	if (cell.length == 0)
		return 0;
	if (said == IMPORT_BETTER_BY_UNIT) {
		csv_bad_cell(t, source->column, "is neither 'higher' nor 'lower'");
		return error_next(t->import->err, "write which values are better, or leave the column out: --columns better=");
	}
	if (series->better != IMPORT_BETTER_BY_UNIT && series->better != said) {
		csv_bad_cell(t, source->column, "where the same subject had the other direction before");
		return error_next(t->import->err, "name the column that tells the metrics apart: --columns metric=COLUMN");
	}
	series->better = said;
	return 0;
}

/* The unit of this row, from the unit column. */
int csv_row_unit(struct csv_table *t, struct csv_series *series)
{
	const struct column_source *source = csv_source(t, ROLE_UNIT, 0);
	struct csv_field cell = cell_of(t, source);
	if (series->unit_text && cell.length == series->unit_length &&
	    memcmp(cell.text, series->unit_text, cell.length) == 0)
		return 0;
	const char *text = arena_strndup(&t->arena, cell.text, cell.length);
	if (!text)
		return error_memory(t->import->err);
	struct unit_scale unit = units_meaning(text);
	if (series->unit_text && strcmp(unit.name, series->base) != 0) {
		input_problem(t->import->input, t->records.line, csv_column(&t->records, source->column), t->import->err,
		              "unit '%.40s' where the same subject had '%.40s' before", text, series->unit_text);
		return error_next(t->import->err, "name the column that tells the metrics apart: --columns metric=COLUMN");
	}
	series->unit = unit;
	series->base = unit.name;
	series->unit_text = text;
	series->unit_length = cell.length;
	return 0;
}
