/* Records of delimited text: RFC 4180 quoting, lines of '#' and empty lines left out. */
#ifndef TARE_EXCHANGE_CSV_RECORDS_H
#define TARE_EXCHANGE_CSV_RECORDS_H

#include "base/buffer.h"
#include "exchange/input.h"

struct csv_field {
	const char *text; /* without quotes, and without blanks around it unless quoted; not NUL-terminated */
	size_t length;
};

struct csv_records {
	struct input *input;
	char delimiter;
	struct csv_field *fields; /* of the last record, valid until the next one */
	size_t count, room;
	long line;                      /* where the last record began */
	const char *start;              /* its text, for columns in messages */
	struct buffer joined, unquoted; /* a record over several lines; fields with quotes */
	long unclear;                   /* the line of the first number like 12,345, and of one */
	bool decimals;                  /* whose comma can only be that of decimals, like 1,5 */
};

void csv_records_init(struct csv_records *records, struct input *input, char delimiter);
void csv_records_release(struct csv_records *records);

/* The next record: 1, 0 at the end, -1 and err. */
int csv_next(struct csv_records *records, struct error *err);

/* The next line from *at on that is neither empty nor a comment, without its end; *at is behind it then. */
bool csv_head_line(const char **at, const char *end, const char **line, size_t *length);

/* The delimiter that a line is most likely split by: tab, ';', ',' or '|'; 0: none is in it. */
char csv_delimiter(const char *line, size_t length);

/* 1-based column in the line where a field begins, for messages. */
long csv_column(const struct csv_records *records, size_t field);

static inline bool csv_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Without the blanks that were in its quotes, which are part of names but not of numbers. */
static inline struct csv_field csv_trimmed(struct csv_field field)
{
	while (field.length > 0 && csv_is_blank(field.text[0])) {
		field.text++;
		field.length--;
	}
	while (field.length > 0 && csv_is_blank(field.text[field.length - 1]))
		field.length--;
	return field;
}

/* Whether a cell says that there is no value: it is empty, "-", "NA", "null" or the like. */
bool csv_is_missing(const struct csv_field *cell);

/* Whether it is a number whose decimals follow a comma. */
bool csv_has_decimal_comma(const struct csv_field *cell);

/* The number of a cell, all of it; where ';' or a tab is between cells its decimals may follow a comma. */
bool csv_number(struct csv_records *records, const struct csv_field *cell, double *value);

/* The line of the first number like 12,345 of a table in which no other shows what the comma means; 0: none. */
long csv_unclear_comma(const struct csv_records *records);

/* ERROR_INPUT for a cell of the last record that is no number; returns -1. */
int csv_bad_number(const struct csv_records *records, size_t field, struct error *err);

/* -1 and err unless the last record has as many cells as the header; empty ones may follow. */
int csv_check_width(const struct csv_records *records, size_t header_count, struct error *err);

#endif
