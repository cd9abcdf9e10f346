/* Plain numbers: one or more columns between blanks, '#' begins a comment; ministat's files; and tables with a column for
 * each subject ("old,new"), whose columns may be of different length.
 *
 * A column is a subject and a value a run of it. A first line of words names the columns; a unit at the end of such a
 * name (old_ms) is theirs, and so is the direction of a name such as rps. A single column whose name has a unit or says
 * that higher is better is named by its file and measured by that name, which may have blanks in it: "time (ms)".
 * Whether the rows are pairs is not known, so they are not. */
#include "exchange/formats.h"

#include "base/parse.h"
#include "exchange/csv_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS_MAX = 4096 };

static size_t blanks(const char *text, size_t length)
{
	size_t n = 0;
	while (n < length && (text[n] == ' ' || text[n] == '\t' || text[n] == '\r' || text[n] == '\f' || text[n] == '\v'))
		n++;
	return n;
}

/* The next word of a line; false at its end or at a comment. */
static bool next_word(const char **at, const char *end, const char **word, size_t *length)
{
	*at += blanks(*at, (size_t)(end - *at));
	if (*at == end || **at == '#')
		return false;
	*word = *at;
	while (*at < end && blanks(*at, 1) == 0)
		(*at)++;
	*length = (size_t)(*at - *word);
	return true;
}

static bool is_number(const char *word, size_t length)
{
	double value;
	return parse_number_prefix(word, length, &value) == length;
}

/* Words and numbers of a line. */
static void count_words(const char *line, size_t length, size_t *words, size_t *numbers)
{
	const char *at = line, *word;
	size_t n;
	*words = *numbers = 0;
	while (next_word(&at, line + length, &word, &n)) {
		++*words;
		*numbers += is_number(word, n);
	}
}

static bool is_wide(const char *head, size_t length)
{
	const char *at = head, *end = head + length, *header, *row;
	size_t n, m;
	return csv_head_line(&at, end, &header, &n) && csv_head_line(&at, end, &row, &m) && csv_is_wide(header, n, row, m);
}

/* Whether the name of a column says what its values are, and not only whose. */
static bool says_what(const char *name)
{
	char unit[32];
	size_t stem;
	return units_in_name(name, unit, sizeof(unit), &stem) || units_better(name, "") == BETTER_HIGHER;
}

/* A line without its comment and the blanks around it. */
static struct csv_field whole_line(const char *line, size_t length)
{
	const char *comment = memchr(line, '#', length);
	return csv_trimmed((struct csv_field){line, comment ? (size_t)(comment - line) : length});
}

/* Whether a first line of several words is the name of the only column: "time (ms)". */
static bool has_single_name(const char *head, size_t length)
{
	const char *at = head, *end = head + length, *line;
	size_t n, words = 0, numbers;
	char name[512];
	while (words == 0 && csv_head_line(&at, end, &line, &n))
		count_words(line, n, &words, &numbers);
	if (words < 2 || numbers > 0)
		return false;
	struct csv_field whole = whole_line(line, n);
	snprintf(name, sizeof(name), "%.*s", (int)(whole.length < 500 ? whole.length : 500), whole.text);
	if (!says_what(name) || !csv_head_line(&at, end, &line, &n))
		return false;
	count_words(line, n, &words, &numbers);
	return words == 1 && numbers == 1;
}

static bool plain_matches(const char *head, size_t length, const struct import_options *options)
{
	const char *at = head, *end = head + length;
	if (!options->columns && (is_wide(head, length) || has_single_name(head, length)))
		return true;
	size_t header = 0;
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((stop ? stop : end) - at), words, numbers;
		count_words(at, n, &words, &numbers);
		if (words > 0 && numbers > 0)
			return header == 0 ? is_number(at + blanks(at, n), strcspn(at + blanks(at, n), " \t\r\n#"))
			                   : words == header;
		if (words > 0 && header > 0)
			return false;
		header = words > 0 ? words : header;
		at = stop ? stop + 1 : end;
	}
	return false;
}

struct columns_read {
	struct import *import;
	struct unit_scale unit;   /* of columns whose name has none */
	struct unit_scale *units; /* by column */
	size_t count;             /* columns; 0 before the first line */
	bool single_name;         /* the first line is the name of the only one */
	size_t *empty;            /* by column of a table: empty cells since its last value, which may be its end */
	size_t *subjects;         /* by column, where some were asked for: its subject, SIZE_MAX: none; NULL: all in turn */
};

/* The columns that --columns names, by the words of the first line, which may be their names. */
static int choose_columns(struct columns_read *c, const char *line, size_t length, size_t count)
{
	struct import *import = c->import;
	struct arena *arena = &import->out->arena;
	struct columns columns;
	const char **names = arena_alloc(arena, count, sizeof(*names)), *at = line, *word;
	size_t n, column = 0, subjects = 0;
	c->subjects = arena_alloc(arena, count, sizeof(*c->subjects));
	if (!names || !c->subjects)
		return error_memory(import->err);
	while (next_word(&at, line + length, &word, &n))
		if (!(names[column++] = arena_strndup(arena, word, n)))
			return error_memory(import->err);
	if (columns_plan(names, count, NULL, import->options->columns, arena, &columns, import->err) != 0)
		return -1;
	for (const char *role = import->options->columns; role; role = strchr(role, ',') ? strchr(role, ',') + 1 : NULL)
		if (strncmp(role, "value=", 6) != 0)
			return error_full(import->err, ERROR_USAGE, NULL,
			                  "for other roles give a table with a header line, with commas between its cells",
			                  "--columns: between blanks there are columns of values only");
	for (column = 0; column < count; column++)
		c->subjects[column] = SIZE_MAX;
	for (size_t i = 0; i < columns_of(&columns, ROLE_VALUE); i++)
		c->subjects[columns.sources[columns.first[ROLE_VALUE] + i].column] = 0;
	for (column = 0; column < count; column++)
		if (c->subjects[column] == 0)
			c->subjects[column] = subjects++;
	return 0;
}

static bool is_wanted(const struct columns_read *c, size_t column)
{
	return !c->subjects || c->subjects[column] != SIZE_MAX;
}

/* A column by the name that it has, or by its number. */
static int add_column(struct columns_read *c, const char *name, bool alone)
{
	struct import *import = c->import;
	struct arena *arena = &import->out->arena;
	struct unit_scale *unit = &c->units[c->count - 1];
	const char *subject_name = name, *metric = "value";
	char text[32];
	size_t stem;
	*unit = c->unit;
	if (!name && alone)
		subject_name = import->name;
	else if (!name)
		subject_name = arena_printf(arena, "%s:%zu", import->name, c->count);
	bool has_unit = name && units_in_name(name, text, sizeof(text), &stem) && (stem > 0 || alone);
	if (has_unit) {
		const char *own = arena_strdup(arena, text);
		if (!own)
			return error_memory(import->err);
		*unit = units_meaning(own);
	}
	if (name && alone && says_what(name)) {
		if (!has_unit)
			stem = strlen(name);
		if (stem > 0 || strchr(name, '/'))
			metric = arena_strndup(arena, name, stem > 0 ? stem : strlen(name));
		subject_name = import->name;
	}
	struct subject *subject = subject_name && metric ? result_add_subject(import->out, subject_name) : NULL;
	return subject && import_metric(import, subject, metric, unit->name, NULL, 0) ? 0 : error_memory(import->err);
}

static int add_columns(struct columns_read *c, const char *line, size_t length, bool names)
{
	struct import *import = c->import;
	const char *at = line, *word;
	struct csv_field whole = whole_line(line, length);
	size_t n, words = 1, numbers;
	if (!c->single_name)
		count_words(line, length, &words, &numbers);
	if (words > COLUMNS_MAX)
		return input_problem(import->input, import->input->line, 0, import->err, "more than %d columns", COLUMNS_MAX);
	c->units = arena_alloc(&import->out->arena, words, sizeof(*c->units));
	if (!c->units)
		return error_memory(import->err);
	if (import->options->columns && choose_columns(c, line, length, words) != 0)
		return -1;
	while (c->count < words && next_word(&at, line + length, &word, &n)) {
		char name[512];
		c->count++;
		if (c->single_name) {
			word = whole.text;
			n = whole.length;
		}
		snprintf(name, sizeof(name), "%.*s", (int)(n < 500 ? n : 500), word);
		if (is_wanted(c, c->count - 1) && add_column(c, names ? name : NULL, words == 1) != 0)
			return -1;
	}
	if (names && words > 1)
		import_direction_of_names(import);
	return 0;
}

static int bad_word(const struct columns_read *c, const char *line, const char *word, size_t length)
{
	struct import *import = c->import;
	const char *comma = memchr(word, ',', length);
	size_t left = comma ? (size_t)(comma - word) : 0;
	input_problem(import->input, import->input->line, (long)(word - line) + 1, import->err, "'%.*s' is not a number",
	              (int)(length < 60 ? length : 60), word);
	if (comma && left > 0 && is_number(word, left))
		return error_next(import->err, "write decimals with a dot and no commas between thousands");
	return error_next(
		import->err,
		"give numbers between blanks, or a table with a header line and ',', ';' or tabs between its columns");
}

static int add_line(struct columns_read *c, const char *line, size_t length)
{
	struct import *import = c->import;
	const char *at = line, *end = line + length, *word;
	size_t n, words = 0, numbers;
	if (c->count == 0) {
		count_words(line, length, &words, &numbers);
		if (words == 0)
			return 0;
		if (add_columns(c, line, length, numbers == 0) != 0)
			return -1;
		if (numbers == 0)
			return 0;
		words = 0;
	}
	for (at += blanks(at, length); at < end && *at != '#'; at += blanks(at, (size_t)(end - at))) {
		double value;
		n = parse_number_prefix(at, (size_t)(end - at), &value);
		if (n == 0 || (at + n < end && blanks(at + n, 1) == 0)) {
			next_word(&at, end, &word, &n);
			return bad_word(c, line, word, n);
		}
		at += n;
		if (words++ >= c->count || !is_wanted(c, words - 1))
			continue;
		struct measurement *metric = &import->out->subjects[c->subjects ? c->subjects[words - 1] : words - 1]
		                                  .metrics[0];
		if (!isfinite(value) && ++metric->lost)
			import->missing++;
		else if (series_append(&metric->series, 0, units_convert(&c->units[words - 1], value), import->err) != 0)
			return error_at(import->err, import->input->name, import->input->line, 0);
	}
	if (words == c->count || words == 0)
		return 0;
	input_problem(import->input, import->input->line, 0, import->err, "%zu number%s where the lines before have %zu",
	              words, words == 1 ? "" : "s", c->count);
	return error_next(import->err, "complete the line; columns of different length belong in files of their own");
}

/* ---- a column for each subject ---- */

static int add_wide_header(struct columns_read *c, const struct csv_records *records)
{
	c->units = arena_alloc(&c->import->out->arena, records->count, sizeof(*c->units));
	c->empty = arena_alloc(&c->import->out->arena, records->count, sizeof(*c->empty));
	if (!c->units || !c->empty)
		return error_memory(c->import->err);
	for (size_t i = 0; i < records->count; i++) {
		char name[512];
		struct csv_field cell = csv_trimmed(records->fields[i]);
		c->count++;
		snprintf(name, sizeof(name), "%.*s", (int)(cell.length < 500 ? cell.length : 500), cell.text);
		if (add_column(c, name, false) != 0)
			return -1;
	}
	import_direction_of_names(c->import);
	return 0;
}

static int add_wide_row(struct columns_read *c, struct csv_records *records)
{
	struct import *import = c->import;
	if (csv_check_width(records, c->count, import->err) != 0)
		return -1;
	for (size_t i = 0; i < c->count; i++) {
		struct csv_field cell = csv_trimmed(records->fields[i]);
		double value = NAN;
		if (cell.length == 0) {
			c->empty[i]++;
			continue;
		}
		if (!csv_is_missing(&cell) && !csv_number(records, &cell, &value))
			return csv_bad_number(records, i, import->err);
		struct measurement *metric = &import->out->subjects[i].metrics[0];
		/* A column goes on below its empty cells: those were values. */
		metric->lost += c->empty[i];
		import->missing += c->empty[i];
		c->empty[i] = 0;
		if (import_value(import, metric, 0, units_convert(&c->units[i], value)) != 0)
			return -1;
	}
	return 0;
}

static int read_wide(struct columns_read *c, char delimiter)
{
	struct import *import = c->import;
	struct csv_records records;
	int more, status = 0;
	csv_records_init(&records, import->input, delimiter);
	while (status == 0 && (more = csv_next(&records, import->err)) != 0)
		status = more < 0 ? -1 : c->count == 0 ? add_wide_header(c, &records) : add_wide_row(c, &records);
	if (status == 0)
		status = import_warn_comma(import, csv_unclear_comma(&records));
	csv_records_release(&records);
	return status;
}

static int plain_read(struct import *import)
{
	if (input_need(import->input, INPUT_BLOCK / 16, import->err) != 0)
		return -1;
	const char *head = import->input->block + import->input->at, *at = head, *first;
	size_t head_length = import->input->end - import->input->at, first_length;
	struct columns_read c = {.import = import,
	                         .unit = units_meaning(import->options->unit ? import->options->unit : "")};
	char *line;
	size_t length;
	int more;
	if (!import->options->columns && is_wide(head, head_length) &&
	    csv_head_line(&at, head + head_length, &first, &first_length))
		return read_wide(&c, csv_delimiter(first, first_length));
	c.single_name = !import->options->columns && has_single_name(head, head_length);
	while ((more = input_line(import->input, &line, &length, import->err)) == 1)
		if (add_line(&c, line, length) != 0)
			return -1;
	if (more < 0)
		return -1;
	return 0;
}

const struct text_format plain_format = {"plain", plain_matches, plain_read};
