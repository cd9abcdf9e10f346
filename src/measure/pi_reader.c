#include "measure/pi_reader.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/parse.h"
#include "measure/json_path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int keep_number(struct pi_numbers *list, double value, struct error *err)
{
	if (array_reserve(&list->values, &list->capacity, list->n + 1) != 0)
		return error_memory(err);
	list->values[list->n++] = value;
	return 0;
}

void pi_numbers_release(struct pi_numbers *list)
{
	mem_free(list->values);
	*list = (struct pi_numbers){NULL, 0, 0};
}

static int bad(const struct performance_index *pi, const char *what, struct error *err)
{
	error_set(err, ERROR_USAGE, "%s", what);
	return error_on(err, "--pi %s, '%s'", pi->metric.name, pi->pattern);
}

static int compile(struct pi_reader *reader, struct error *err)
{
	/* Line by line: ^ and $ are the ends of a line, and . does not go past one. */
	int problem = regcomp(&reader->regex, reader->pi->pattern, REG_EXTENDED | REG_NEWLINE);
	if (problem == REG_ESPACE)
		return error_memory(err);
	if (problem) {
		char why[100], text[200];
		regerror(problem, &reader->regex, why, sizeof(why));
		snprintf(text, sizeof(text), "not a regular expression: %s", why);
		return bad(reader->pi, text, err);
	}
	reader->compiled = true;
	if (reader->regex.re_nsub == 0) {
		pi_reader_release(reader);
		bad(reader->pi, "the expression has no group", err);
		return error_next(err, "put brackets around the number: 'time: ([0-9.]+)'");
	}
	return 0;
}

int pi_reader_init(struct pi_reader *reader, const struct performance_index *pi, struct error *err)
{
	int64_t column;
	memset(reader, 0, sizeof(*reader));
	reader->pi = pi;
	switch (pi->source) {
	case PI_REGEX: return compile(reader, err);
	case PI_COLUMN:
		if (parse_integer(pi->pattern, 1, 10000, &column, err) != 0)
			return bad(pi, "the column is not a number from 1 on", err);
		reader->column = (size_t)column;
		return 0;
	case PI_CSV: return 0;
	case PI_JSON: return json_path_valid(pi->pattern) ? 0 : bad(pi, "not a path such as results[0].rate", err);
	}
	return bad(pi, "no such source", err);
}

void pi_reader_release(struct pi_reader *reader)
{
	if (reader->compiled)
		regfree(&reader->regex);
	reader->compiled = false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The whole of text[0 … length), blanks around it apart, as one finite number. */
static bool whole_number(const char *text, size_t length, double *out)
{
	double value;
	while (length > 0 && is_blank(*text)) {
		text++;
		length--;
	}
	while (length > 0 && is_blank(text[length - 1]))
		length--;
	if (length == 0 || parse_number_prefix(text, length, &value) != length || !isfinite(value))
		return false;
	*out = value;
	return true;
}

/* The first match from *at on; *at moves behind it. 0 when there is none. A match whose group is no number is passed
 * over only where `all` are asked for. */
static int find_match(const struct pi_reader *reader, const char *text, size_t length, size_t *at, bool all,
                      double *out, struct error *err)
{
	while (*at < length) {
		/* With REG_STARTEND the text need not end with a NUL, and may hold some. */
		regmatch_t match[2] = {{.rm_so = (regoff_t)*at, .rm_eo = (regoff_t)length}};
		int flags = REG_STARTEND | (*at > 0 && text[*at - 1] != '\n' ? REG_NOTBOL : 0);
		int problem = regexec(&reader->regex, text, 2, match, flags);
		if (problem)
			return problem == REG_ESPACE ? error_memory(err) : 0;
		*at = (size_t)match[0].rm_eo + (match[0].rm_eo == match[0].rm_so);
		if (match[1].rm_so >= 0 && whole_number(text + match[1].rm_so, (size_t)(match[1].rm_eo - match[1].rm_so), out))
			return 1;
		if (!all)
			return 0;
	}
	return 0;
}

static bool is_separator(char c)
{
	return is_blank(c) || c == ',' || c == ';';
}

/* Moves *line to the field after `stop`; blanks in a row separate once, every comma and semicolon counts. */
static void next_field(const char **line, const char *stop, const char *end)
{
	bool comma = false;
	for (*line = stop; *line < end && is_separator(**line); ++*line) {
		bool separates = **line == ',' || **line == ';';
		if (separates && comma)
			break;
		comma = comma || separates;
	}
}

static const char *field_end(const char *line, const char *end)
{
	while (line < end && !is_separator(*line))
		line++;
	return line;
}

static const char *skip_indent(const char *line, const char *end)
{
	while (line < end && (*line == ' ' || *line == '\t'))
		line++;
	return line;
}

/* The field of a line by its number. */
static bool find_field(const char *line, const char *end, size_t column, double *out)
{
	line = skip_indent(line, end);
	for (size_t field = 1; line < end; field++) {
		const char *stop = field_end(line, end);
		if (field == column)
			return whole_number(line, (size_t)(stop - line), out);
		next_field(&line, stop, end);
	}
	return false;
}

/* The number of the field that reads `heading`, quoted or not; 0: none does. Here only commas, semicolons and tabs
 * separate: a heading may hold blanks. */
static size_t find_heading(const char *line, const char *end, const char *heading)
{
	size_t length = strlen(heading);
	for (size_t field = 1; line <= end; field++) {
		const char *stop = line;
		while (stop < end && *stop != ',' && *stop != ';' && *stop != '\t')
			stop++;
		const char *from = line, *to = stop;
		while (from < to && (is_blank(*from) || *from == '"'))
			from++;
		while (to > from && (is_blank(to[-1]) || to[-1] == '"'))
			to--;
		if ((size_t)(to - from) == length && memcmp(from, heading, length) == 0)
			return field;
		line = stop + 1;
	}
	return 0;
}

/* The number of a row's field, by commas, semicolons and tabs alone. */
static bool find_cell(const char *line, const char *end, size_t column, double *out)
{
	for (size_t field = 1; line <= end; field++) {
		const char *stop = line;
		while (stop < end && *stop != ',' && *stop != ';' && *stop != '\t')
			stop++;
		if (field == column) {
			bool quoted = stop - line >= 2 && line[0] == '"' && stop[-1] == '"';
			return whole_number(line + quoted, (size_t)(stop - line) - 2 * (size_t)quoted, out);
		}
		line = stop + 1;
	}
	return false;
}

/* The next number of a column from *at on; *at moves behind its line. *column is 0 until the heading was seen. */
static bool find_in_lines(const struct pi_reader *reader, const char *text, size_t length, size_t *at, size_t *column,
                          double *out)
{
	while (*at < length) {
		const char *line = text + *at, *end = text + length;
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		const char *stop = newline ? newline : end;
		*at = (size_t)(stop - text) + 1;
		if (reader->pi->source == PI_COLUMN) {
			if (find_field(line, stop, reader->column, out))
				return true;
			continue;
		}
		size_t heading = find_heading(line, stop, reader->pi->pattern);
		if (heading)
			*column = heading; /* a program that repeats or changes its headings is followed */
		else if (*column && find_cell(line, stop, *column, out))
			return true;
	}
	return false;
}

int pi_reader_find(const struct pi_reader *reader, const char *text, size_t length, double *out, struct error *err)
{
	size_t at = 0, column = 0;
	switch (reader->pi->source) {
	case PI_REGEX: return find_match(reader, text, length, &at, false, out, err);
	case PI_COLUMN:
	case PI_CSV: return find_in_lines(reader, text, length, &at, &column, out);
	case PI_JSON: return json_path_number(text, length, reader->pi->pattern, out);
	}
	return 0;
}

/* For json_path_each(). */
struct adding {
	struct pi_numbers *out;
	struct error *err;
	int status;
};

static void add_number(void *context, double value)
{
	struct adding *adding = context;
	if (adding->status == 0)
		adding->status = keep_number(adding->out, value, adding->err);
}

int pi_reader_all(const struct pi_reader *reader, const char *text, size_t length, struct pi_numbers *out,
                  struct error *err)
{
	size_t at = 0, column = 0;
	double value;
	int found;
	if (reader->pi->source == PI_JSON) {
		struct adding adding = {out, err, 0};
		json_path_each(text, length, reader->pi->pattern, add_number, &adding);
		return adding.status;
	}
	while ((found = reader->pi->source == PI_REGEX ? find_match(reader, text, length, &at, true, &value, err)
	                                               : find_in_lines(reader, text, length, &at, &column, &value)) > 0)
		if (keep_number(out, value, err) != 0)
			return -1;
	return found;
}
