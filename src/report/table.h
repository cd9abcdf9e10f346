/* A small table: columns with headings, cells of text; written as text for a terminal,
 * GitHub Markdown, CSV or LaTeX.
 *
 * Building never fails at the call: a table that ran out of memory remembers it and every
 * writer then returns -1. Cells are filled row by row, left to right; cells that a row
 * leaves out are empty, cells past the last column are ignored. All text is copied. */
#ifndef TARE_REPORT_TABLE_H
#define TARE_REPORT_TABLE_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/format.h"
#include "report/look.h"

#include <stdbool.h>
#include <stddef.h>

enum table_align {
	TABLE_LEFT,
	TABLE_RIGHT,
	TABLE_DECIMAL, /* the decimal points of the first number of each cell stand below each other */
};

enum table_column_kind {
	TABLE_FIXED = 0,
	TABLE_SHRINKS = 1,  /* may lose the middle of its text: names */
	TABLE_OPTIONAL = 2, /* may be left out, the last such column first */
};

struct table_cell {
	const char *text;
	enum emphasis emphasis;
};

struct table_column {
	const char *heading;
	enum table_align align;
	enum table_column_kind kind;
};

/* 8 bytes, for there may be a million. */
struct table_row {
	size_t start : 63; /* in table.cells */
	bool rule : 1;     /* a line above it */
};

struct table {
	struct arena arena;
	struct table_column *columns;
	size_t column_count, column_capacity;
	struct buffer cells; /* row by row: a byte of emphasis, then the text with its NUL */
	struct table_row *rows;
	size_t row_count, row_capacity;
	size_t filled; /* cells of the last row */
	bool rule_next;
	bool out_of_memory;
	double time_unit; /* of struct look */
	bool compact;     /* no line below the headings */
};

/* A zeroed table is valid and empty. */
void table_release(struct table *table);

/* Columns first, all before the first row. */
void table_column(struct table *table, const char *heading, enum table_align align, enum table_column_kind kind);

void table_row(struct table *table);
void table_cell(struct table *table, enum emphasis emphasis, const char *text);
void table_cellf(struct table *table, enum emphasis emphasis, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The scale that a value of this unit has in the table. */
struct format_scale table_scale(const struct table *table, double value, const char *unit);

/* An empty one where the row leaves it out. */
struct table_cell table_cell_at(const struct table *table, size_t row, size_t column);

/* A line between the row before and the row to come. */
void table_rule(struct table *table);

/* Text of at most look->width columns (0: 80). What is too wide first loses the middle of its
 * TABLE_SHRINKS columns, down to 12 columns each, then its TABLE_OPTIONAL columns; when
 * even that does not help, each row is written as lines "heading  cell". */
int table_text(const struct table *table, const struct look *look, struct buffer *out, struct error *err);

/* A GitHub table; nothing in a cell is taken for Markdown, HTML or a mention. */
int table_markdown(const struct table *table, struct buffer *out, struct error *err);

/* RFC 4180 with a heading line, the bytes of the cells as they are; lines end in \n. */
int table_csv(const struct table *table, struct buffer *out, struct error *err);

/* A tabular with the rules of the package booktabs. */
int table_latex(const struct table *table, struct buffer *out, struct error *err);

/* Text made harmless for Markdown and LaTeX, for use outside of tables too. */
void markdown_escape(struct buffer *out, const char *text);
void latex_escape(struct buffer *out, const char *text);

#endif
