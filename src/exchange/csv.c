/* Tables with a header: comma, semicolon, tab or '|' between the cells.
 *
 * A row is a value with its keys; rows may come in any order. Each distinct subject and
 * metric is a series that is gathered apart. A table may also hold one row per pair, with a
 * column for each side. Two subjects are paired only by a pair column or by such rows. */
#include "exchange/csv_table.h"

#include "base/memory.h"
#include "base/parse.h"

#include <string.h>
#include <strings.h>

enum { WIDE_MOST = 64 }; /* columns of a table that has one for each subject */

/* ---- recognising ---- */

static size_t cells_in(const char *line, size_t length, char delimiter)
{
	size_t n = 1;
	bool quoted = false;
	for (size_t i = 0; i < length; i++) {
		quoted ^= line[i] == '"';
		n += !quoted && line[i] == delimiter;
	}
	return n;
}

/* Whether a cell of a line is a number, with a dot or (not between commas) a comma. */
static bool cell_is_number(const char *text, size_t length, char delimiter)
{
	double value;
	struct csv_records records = {.delimiter = delimiter};
	struct csv_field cell = csv_trimmed((struct csv_field){text, length});
	return csv_number(&records, &cell, &value);
}

/* Counts the cells of a line, and how many of them are numbers. */
static size_t count_numbers(const char *line, size_t length, char delimiter, size_t *cells)
{
	size_t numbers = 0;
	*cells = 0;
	for (const char *at = line, *end = line + length; at <= end;) {
		const char *stop = memchr(at, delimiter, (size_t)(end - at));
		stop = stop ? stop : end;
		++*cells;
		numbers += cell_is_number(at, (size_t)(stop - at), delimiter);
		at = stop + 1;
	}
	return numbers;
}

/* Names of columns that number or date the rows: then they are no subjects. */
static bool tells_rows_apart(const char *name)
{
	static const char *const names[] = {"time", "date",  "timestamp", "epoch", "commit", "revision",
	                                    "rev",  "index", "seq",       "row",   "no",     "n",
	                                    "id",   "",      "number",    "day",   "x"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcasecmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Names no role by any of the words of a header. */
static bool says_nothing(const char *line, size_t length)
{
	struct arena arena = {0};
	struct columns columns;
	struct error unused;
	const char *names[WIDE_MOST];
	char delimiter = csv_delimiter(line, length);
	size_t count = 0;
	bool nothing = true;
	for (const char *at = line, *end = line + length; at <= end && count < WIDE_MOST && nothing;) {
		const char *stop = memchr(at, delimiter, (size_t)(end - at));
		stop = stop ? stop : end;
		struct csv_field cell = csv_trimmed((struct csv_field){at, (size_t)(stop - at)});
		names[count] = arena_strndup(&arena, cell.text, cell.length);
		nothing = names[count] && !tells_rows_apart(names[count]) && !memchr(cell.text, '"', cell.length);
		count++;
		at = stop + 1;
	}
	nothing = nothing && columns_plan(names, count, NULL, NULL, &arena, &columns, &unused) != 0 && columns.count == 0;
	arena_release(&arena);
	return nothing;
}

bool csv_is_wide(const char *header, size_t header_length, const char *row, size_t row_length)
{
	char delimiter = csv_delimiter(header, header_length);
	size_t names, cells;
	if (!delimiter || count_numbers(header, header_length, delimiter, &names) > 0)
		return false;
	size_t numbers = count_numbers(row, row_length, delimiter, &cells);
	return names >= 2 && names <= WIDE_MOST && cells == names && numbers == cells &&
	       says_nothing(header, header_length);
}

static bool csv_matches(const char *head, size_t length, const struct import_options *options)
{
	const char *at = head, *end = head + length, *line, *next;
	size_t n, m;
	if (!csv_head_line(&at, end, &line, &n))
		return false;
	char delimiter = csv_delimiter(line, n);
	if (!delimiter)
		return false;
	/* Numbers between tabs are plain columns, unless somebody names their roles. */
	double value;
	size_t first = strcspn(line, "\t;,|\n\r");
	bool number = first > 0 && parse_number_prefix(line, first, &value) == first;
	if (delimiter == '\t' && number && !options->columns)
		return false;
	if (!csv_head_line(&at, end, &next, &m))
		return true;
	if (!options->columns && csv_is_wide(line, n, next, m))
		return false;
	/* A row that is cut off at the end of the head, or has quotes that may go on, proves nothing. */
	return at >= end || memchr(next, '"', m) || cells_in(next, m, delimiter) == cells_in(line, n, delimiter);
}

/* ---- beginning ---- */

static const char **copy_cells(struct csv_table *t, size_t count)
{
	const char **cells = arena_alloc(&t->arena, count + 1, sizeof(*cells));
	for (size_t i = 0; cells && i < count; i++) {
		struct csv_field cell = i < t->records.count ? csv_trimmed(t->records.fields[i]) : (struct csv_field){"", 0};
		cells[i] = arena_strndup(&t->arena, cell.text, cell.length);
		if (!cells[i])
			return NULL;
	}
	return cells;
}

static int plan_columns(struct csv_table *t, const char *const *names, const char *const *cells, long line)
{
	struct import *import = t->import;
	if (columns_plan(names, t->header_count, cells, import->options->columns, &t->arena, &t->columns, import->err) == 0)
		return 0;
	return import->err->kind == ERROR_INPUT ? error_at(import->err, import->input->name, line, 0) : -1;
}

static int first_record(struct csv_table *t)
{
	struct import *import = t->import;
	int more = csv_next(&t->records, import->err);
	if (more != 0)
		return more == 1 ? 0 : -1;
	return error_full(import->err, ERROR_NO_DATA, import->input->name, "give a header line and rows of values below it",
	                  "the table is empty");
}

/* The header and, where there is one, the first row of data. */
static int begin(struct csv_table *t, bool *has_row)
{
	struct import *import = t->import;
	if (input_need(import->input, INPUT_BLOCK / 16, import->err) != 0)
		return -1;
	const char *at = import->input->block + import->input->at, *end = import->input->block + import->input->end, *line;
	size_t length;
	char delimiter = csv_head_line(&at, end, &line, &length) ? csv_delimiter(line, length) : ',';
	csv_records_init(&t->records, import->input, delimiter ? delimiter : ',');
	if (first_record(t) != 0)
		return -1;
	long header_line = t->records.line;
	t->header_count = t->records.count;
	const char **names = copy_cells(t, t->header_count), **cells = NULL;
	if (!names)
		return error_memory(import->err);
	/* Without a header the first record is data, and its cells are in hand already. */
	struct columns probe;
	struct error unused;
	*has_row = columns_plan(names, t->header_count, NULL, import->options->columns, &t->arena, &probe, &unused) == 0 &&
	           probe.headerless;
	if (!*has_row) {
		int more = csv_next(&t->records, import->err);
		if (more < 0)
			return -1;
		*has_row = more == 1;
		cells = more == 1 ? copy_cells(t, t->header_count) : NULL;
	}
	return plan_columns(t, names, cells, header_line);
}

/* Names from elsewhere, and the first row of data. */
static int begin_named(struct csv_table *t, char delimiter, const char *const *names, size_t count)
{
	csv_records_init(&t->records, t->import->input, delimiter);
	if (first_record(t) != 0)
		return -1;
	t->header_count = t->records.count;
	const char **own = arena_alloc(&t->arena, t->header_count, sizeof(*own));
	for (size_t i = 0; own && i < t->header_count; i++)
		own[i] = i < count ? names[i] : "";
	return own ? plan_columns(t, own, NULL, t->records.line) : error_memory(t->import->err);
}

static int plan_levels(struct csv_table *t)
{
	const struct columns *c = &t->columns;
	t->value_count = columns_of(c, ROLE_VALUE);
	t->names = t->import->options->pair_names ? t->import->options->pair_names : &t->own_names;
	t->plan = (struct gather_plan){
		.machine = columns_of(c, ROLE_MACHINE) > 0,
		.build = columns_of(c, ROLE_BUILD) > 0,
		.run = columns_of(c, ROLE_RUN) > 0 || c->one_run,
		.iteration = columns_of(c, ROLE_ITERATION) > 0,
		.pair = columns_of(c, ROLE_PAIR) > 0 || c->sides[0],
		.order = columns_of(c, ROLE_ORDER) > 0,
		.invocations = c->invocations,
	};
	t->cell[0] = mem_alloc(CELL_VALUES_MAX, sizeof(double));
	t->cell[1] = mem_alloc(CELL_VALUES_MAX, sizeof(double));
	return t->cell[0] && t->cell[1] ? 0 : error_memory(t->import->err);
}

static void release(struct csv_table *t)
{
	for (size_t i = 0; i < t->series_room; i++)
		if (t->series[i])
			gather_release(&t->series[i]->gathered);
	mem_free(t->series);
	mem_free(t->subjects);
	mem_free(t->exits);
	mem_free(t->cell[0]);
	mem_free(t->cell[1]);
	pair_names_release(&t->own_names);
	struct map *names[] = {&t->keys, &t->subject_keys, &t->align_keys, &t->orders};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		map_release(names[i]);
	buffer_release(&t->key);
	buffer_release(&t->recent[0].key);
	buffer_release(&t->recent[1].key);
	csv_records_release(&t->records);
	arena_release(&t->arena);
}

static int read_table(struct csv_table *t, int status, bool has_row)
{
	if (status == 0)
		status = plan_levels(t);
	while (status == 0 && has_row) {
		status = csv_add_row(t);
		int more = status == 0 ? csv_next(&t->records, t->import->err) : 0;
		status = more < 0 ? -1 : status;
		has_row = more == 1;
	}
	if (status == 0)
		status = csv_finish(t);
	release(t);
	return status;
}

static int csv_read(struct import *import)
{
	struct csv_table t = {.import = import};
	bool has_row = false;
	int status = begin(&t, &has_row);
	return read_table(&t, status, has_row);
}

int csv_read_named(struct import *import, char delimiter, const char *const *names, size_t count)
{
	struct csv_table t = {.import = import};
	return read_table(&t, begin_named(&t, delimiter, names, count), true);
}

const struct text_format csv_format = {"csv", csv_matches, csv_read};
