#include "exchange/csv_records.h"

#include "base/cell.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/parse.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

void csv_records_init(struct csv_records *records, struct input *input, char delimiter)
{
	memset(records, 0, sizeof(*records));
	records->input = input;
	records->delimiter = delimiter;
	buffer_init(&records->joined, INPUT_LINE_MAX);
}

void csv_records_release(struct csv_records *records)
{
	mem_free(records->fields);
	buffer_release(&records->joined);
	buffer_release(&records->unquoted);
}

bool csv_head_line(const char **at, const char *end, const char **line, size_t *length)
{
	while (*at < end) {
		const char *stop = memchr(*at, '\n', (size_t)(end - *at));
		*line = *at;
		*length = (size_t)((stop ? stop : end) - *at);
		*at = stop ? stop + 1 : end;
		if (*length > 0 && (*line)[*length - 1] == '\r')
			(*length)--;
		if (*length > 0 && **line != '#')
			return true;
	}
	return false;
}

char csv_delimiter(const char *line, size_t length)
{
	static const char candidates[] = "\t;,|";
	size_t best = 0;
	char chosen = '\0';
	for (const char *c = candidates; *c; c++) {
		size_t n = 0;
		bool quoted = false;
		for (size_t i = 0; i < length; i++) {
			quoted ^= line[i] == '"';
			n += !quoted && line[i] == *c;
		}
		if (n > best) {
			best = n;
			chosen = *c;
		}
	}
	return chosen;
}

long csv_column(const struct csv_records *records, size_t field)
{
	uintptr_t text = (uintptr_t)records->fields[field].text, start = (uintptr_t)records->start;
	uintptr_t unquoted = (uintptr_t)records->unquoted.data;
	/* A field that was unquoted lies elsewhere, be it a little further on: its place is not known. */
	if (unquoted && text >= unquoted && text < unquoted + records->unquoted.length)
		return 0;
	return text >= start && text - start < INPUT_LINE_MAX ? (long)(text - start) + 1 : 0;
}

/* The column behind the last field. */
static long end_column(const struct csv_records *records)
{
	long last = csv_column(records, records->count - 1);
	return last ? last + (long)records->fields[records->count - 1].length : 0;
}

bool csv_is_missing(const struct csv_field *cell)
{
	static const char *const words[] = {"", "-", "NA", "N/A", "null", "none", "nan"};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == cell->length && strncasecmp(words[i], cell->text, cell->length) == 0)
			return true;
	return false;
}

bool csv_has_decimal_comma(const struct csv_field *cell)
{
	const char *comma = memchr(cell->text, ',', cell->length);
	double before, after;
	size_t left = comma ? (size_t)(comma - cell->text) : 0;
	return comma && parse_number_prefix(cell->text, left, &before) == left && left > 0 &&
	       parse_number_prefix(comma + 1, cell->length - left - 1, &after) == cell->length - left - 1;
}

/* 12,345 and -1,234 may have a comma between thousands; 0,345 and 12,34 have decimals. */
static bool may_be_thousands(const struct csv_field *cell)
{
	const char *from = cell->text, *end = cell->text + cell->length, *comma = memchr(from, ',', cell->length);
	from += from < comma && (*from == '-' || *from == '+');
	return comma - from >= 1 && comma - from <= 3 && *from != '0' && end - comma == 4 &&
	       memchr(from, '.', (size_t)(end - from)) == NULL;
}

long csv_unclear_comma(const struct csv_records *records)
{
	return records->decimals ? 0 : records->unclear;
}

bool csv_number(struct csv_records *records, const struct csv_field *cell, double *value)
{
	char dotted[64];
	if (cell->length > 0 && parse_number_prefix(cell->text, cell->length, value) == cell->length)
		return true;
	if (records->delimiter == ',' || cell->length >= sizeof(dotted) || !csv_has_decimal_comma(cell))
		return false;
	if (!may_be_thousands(cell))
		records->decimals = true;
	else if (records->unclear == 0)
		records->unclear = records->line;
	for (size_t i = 0; i < cell->length; i++)
		dotted[i] = cell->text[i] == ',' ? '.' : cell->text[i];
	return parse_number_prefix(dotted, cell->length, value) == cell->length;
}

/* What is wrong with a cell that should be a number, and what to do about it. */
static const char *wrong_number(const struct csv_field *cell, const char **next)
{
	double value;
	const char *comma = memchr(cell->text, ',', cell->length), *dot = memchr(cell->text, '.', cell->length);
	size_t used = parse_number_prefix(cell->text, cell->length, &value);
	if (comma && dot && used > 0) {
		*next = "write numbers without separators, and decimals with a dot";
		return "has separators between thousands";
	}
	if (csv_has_decimal_comma(cell) && may_be_thousands(cell)) {
		*next = "write numbers without separators between thousands, and decimals with a dot";
		return "has a comma, between thousands or before decimals";
	}
	if (csv_has_decimal_comma(cell)) {
		*next = "write decimals with a dot";
		return "has a decimal comma";
	}
	if (used > 0 && used < cell->length && !comma) {
		*next = "leave the number alone in its cell; a unit belongs in the header (time_ms) or in a column 'unit'";
		return "is not only a number";
	}
	*next = "say which column holds the values: --columns value=COLUMN";
	return "is not a number";
}

int csv_bad_number(const struct csv_records *records, size_t field, struct error *err)
{
	const struct csv_field *cell = &records->fields[field];
	const char *next, *what = wrong_number(cell, &next);
	input_problem(records->input, records->line, csv_column(records, field), err, "'%.*s' %s",
	              (int)(cell->length < 60 ? cell->length : 60), cell->text, what);
	return error_next(err, "%s", next);
}

int csv_check_width(const struct csv_records *records, size_t header_count, struct error *err)
{
	size_t count = records->count;
	while (count > header_count && records->fields[count - 1].length == 0)
		count--;
	if (count == header_count)
		return 0;
	long place = count > header_count ? csv_column(records, header_count) : end_column(records);
	input_problem(records->input, records->line, place, err, "%zu cell%s where the header has %zu", count,
	              count == 1 ? "" : "s", header_count);
	return error_next(err, "complete the row or remove it; put text with '%c' in it in quotes", records->delimiter);
}

static int add_field(struct csv_records *records, const char *text, size_t length, bool quoted, struct error *err)
{
	if (array_reserve(&records->fields, &records->room, records->count + 1) != 0)
		return error_memory(err);
	struct csv_field field = {text, length};
	if (!quoted)
		field = csv_trimmed(field);
	if (field.length > 0 && *field.text == '\'' && cell_is_guarded(field.text, field.length)) {
		field.text++;
		field.length--;
	}
	records->fields[records->count++] = field;
	return 0;
}

static int split_plain(struct csv_records *records, const char *line, size_t length, struct error *err)
{
	const char *end = line + length;
	records->count = 0;
	for (;;) {
		const char *next = memchr(line, records->delimiter, (size_t)(end - line));
		if (add_field(records, line, (size_t)((next ? next : end) - line), false, err) != 0)
			return -1;
		if (!next)
			return 0;
		line = next + 1;
	}
}

/* Whether a quote is open after the text; `open` says whether one was before it. *where: the last one that was
 * opened. */
static bool quote_open(const char *text, size_t length, char delimiter, bool open, size_t *where)
{
	bool at_start = !open;
	for (size_t i = 0; i < length; i++) {
		char c = text[i];
		if (c == '"' && (open || at_start)) {
			open = !open;
			*where = open ? i : *where;
			/* "" inside quotes closes and opens again; the next field begins only after a delimiter. */
			at_start = !open && i + 1 < length && text[i + 1] == '"';
		} else if (!open) {
			at_start = c == delimiter || (at_start && c == ' ');
		}
	}
	return open;
}

/* A record with quotes: unquoted copies of the fields that need one. */
static int split_quoted(struct csv_records *records, const char *line, size_t length, struct error *err)
{
	struct buffer *copy = &records->unquoted;
	buffer_clear(copy);
	/* Room for all of it at once: fields point into it. */
	if (!buffer_room(copy, length))
		return error_memory(err);
	const char *end = line + length;
	records->count = 0;
	for (;;) {
		const char *at = line;
		while (at < end && *at == ' ')
			at++;
		if (at == end || *at != '"') {
			const char *next = memchr(line, records->delimiter, (size_t)(end - line));
			if (add_field(records, line, (size_t)((next ? next : end) - line), false, err) != 0)
				return -1;
			if (!next)
				return 0;
			line = next + 1;
			continue;
		}
		size_t start = copy->length;
		for (at++; at < end && !(*at == '"' && (at + 1 == end || at[1] != '"')); at++) {
			if (*at == '"')
				at++;
			buffer_char(copy, *at);
		}
		at += at < end;
		/* What follows the closing quote belongs to the field, as spreadsheets read it, but for blanks at the end. */
		const char *stop = memchr(at, records->delimiter, (size_t)(end - at));
		stop = stop ? stop : end;
		size_t tail = (size_t)(stop - at);
		while (tail > 0 && csv_is_blank(at[tail - 1]))
			tail--;
		buffer_add(copy, at, tail);
		at = stop;
		if (add_field(records, copy->data + start, copy->length - start, true, err) != 0)
			return -1;
		if (at >= end)
			return 0;
		line = at + 1;
	}
}

/* A record whose quotes span lines is joined first. */
static int join_lines(struct csv_records *records, char **line, size_t *length, struct error *err)
{
	size_t where = 0, later = 0;
	bool open = quote_open(*line, *length, records->delimiter, false, &where);
	if (!open)
		return 0;
	buffer_clear(&records->joined);
	buffer_add(&records->joined, *line, *length);
	while (open) {
		int more = input_line(records->input, line, length, err);
		if (more < 0)
			return -1;
		if (more == 0 || records->joined.too_long) {
			input_problem(records->input, records->line, (long)where + 1, err, "a quote that is never closed");
			return error_next(err, "close the quote, or double it where it is part of the text");
		}
		open = quote_open(*line, *length, records->delimiter, true, &later);
		buffer_char(&records->joined, '\n');
		buffer_add(&records->joined, *line, *length);
	}
	*line = records->joined.data;
	*length = records->joined.length;
	return records->joined.out_of_memory ? error_memory(err) : 0;
}

int csv_next(struct csv_records *records, struct error *err)
{
	char *line;
	size_t length;
	do {
		int more = input_line(records->input, &line, &length, err);
		if (more != 1)
			return more;
	} while (length == 0 || *line == '#');
	records->line = records->input->line;
	records->start = line;
	if (!memchr(line, '"', length))
		return split_plain(records, line, length, err) == 0 ? 1 : -1;
	if (join_lines(records, &line, &length, err) != 0)
		return -1;
	records->start = line;
	return split_quoted(records, line, length, err) == 0 ? 1 : -1;
}
