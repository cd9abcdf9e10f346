#include "measure/pi_reader.h"

#include "base/parse.h"
#include "measure/json_path.h"

#include <math.h>
#include <string.h>

static int bad(const struct performance_index *pi, const char *what, struct error *err)
{
	error_set(err, ERROR_USAGE, "%s", what);
	return error_on(err, "--pi %s … %s", pi->metric.name, pi->pattern);
}

static int compile(struct pi_reader *reader, struct error *err)
{
	/* Line by line: ^ and $ are the ends of a line, and . does not go past one. */
	int problem = regcomp(&reader->regex, reader->pi->pattern, REG_EXTENDED | REG_NEWLINE);
	if (problem) {
		char text[160];
		regerror(problem, &reader->regex, text, sizeof(text));
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
	case PI_REGEX:
		return compile(reader, err);
	case PI_COLUMN:
		if (parse_integer(pi->pattern, 1, 10000, &column, err) != 0)
			return bad(pi, "the column is not a number from 1 on", err);
		reader->column = (size_t)column;
		return 0;
	case PI_JSON:
		return json_path_valid(pi->pattern) ? 0 : bad(pi, "not a path such as results[0].rate", err);
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

static bool find_match(const struct pi_reader *reader, const char *text, size_t length, double *out)
{
	/* With REG_STARTEND the text need not end with a NUL, and may hold some. */
	regmatch_t match[2] = {{.rm_so = 0, .rm_eo = (regoff_t)length}};
	if (regexec(&reader->regex, text, 2, match, REG_STARTEND) != 0 || match[1].rm_so < 0)
		return false;
	return whole_number(text + match[1].rm_so, (size_t)(match[1].rm_eo - match[1].rm_so), out);
}

static bool is_separator(char c)
{
	return is_blank(c) || c == ',' || c == ';';
}

/* The field of a line by its number; blanks in a row separate once, every comma and semicolon counts. */
static bool find_field(const char *line, const char *end, size_t column, double *out)
{
	while (line < end && (*line == ' ' || *line == '\t'))
		line++;
	for (size_t field = 1; line < end; field++) {
		const char *stop = line;
		while (stop < end && !is_separator(*stop))
			stop++;
		if (field == column)
			return whole_number(line, (size_t)(stop - line), out);
		bool comma = false;
		for (line = stop; line < end && is_separator(*line); line++) {
			bool separates = *line == ',' || *line == ';';
			if (separates && comma)
				break;
			comma = comma || separates;
		}
	}
	return false;
}

static bool find_column(const struct pi_reader *reader, const char *text, size_t length, double *out)
{
	const char *end = text + length;
	for (const char *line = text; line < end;) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		const char *stop = newline ? newline : end;
		if (find_field(line, stop, reader->column, out))
			return true;
		line = stop + 1;
	}
	return false;
}

bool pi_reader_find(const struct pi_reader *reader, const char *text, size_t length, double *out)
{
	switch (reader->pi->source) {
	case PI_REGEX: return find_match(reader, text, length, out);
	case PI_COLUMN: return find_column(reader, text, length, out);
	case PI_JSON: return json_path_number(text, length, reader->pi->pattern, out);
	}
	return false;
}
