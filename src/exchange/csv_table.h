/* A table while it is read: csv.c begins it, csv_keys.c and csv_rows.c add the rows, csv_result.c ends it. */
#ifndef TARE_EXCHANGE_CSV_TABLE_H
#define TARE_EXCHANGE_CSV_TABLE_H

#include "exchange/columns.h"
#include "exchange/csv_records.h"
#include "exchange/formats.h"
#include "exchange/gather.h"
#include "base/map.h"
#include "exchange/pair_names.h"

enum { CELL_VALUES_MAX = 4096 };

struct csv_series {
	struct gather_series gathered;
	size_t lost;      /* values that are infinite or not numbers */
	uint32_t subject; /* in table.subjects */
	int side;
	const char *metric;
	struct unit_scale unit; /* of the row at hand */
	const char *base;       /* unit of the series, ours */
	const char *unit_text;
	size_t unit_length;
	enum import_better better;     /* as the table says */
	uint32_t align;                /* series with the same number are aligned */
	size_t in_subject, in_metrics; /* where it is in the result, once it is there */
};

struct csv_subject {
	const char *subject, *benchmark, *program; /* or NULL */
	const char **parameters;                   /* by source of ROLE_PARAMETER */
	char *failures;                            /* as its rows say; or NULL */
};

/* A row whose run failed. */
struct csv_exit {
	const struct csv_series *series;
	const char *what;
	int code; /* 0: it is not a number */
	uint64_t
		unsure; /* a word that we do not know said so, which counts if we know others of this column; 0: it counts */
};

struct csv_key {
	struct buffer key; /* subject and metric, as text */
	uint32_t id;       /* in table.keys */
};

struct csv_table {
	struct import *import;
	struct csv_records records;
	struct columns columns;
	struct arena arena;
	struct gather_plan plan;
	size_t header_count;
	struct map keys; /* subject and metric, as text */
	struct map subject_keys, align_keys, orders;
	struct pair_names *names, own_names; /* names: those of the import's options, or own */
	struct csv_subject *subjects;
	size_t subject_room;
	struct csv_series **series; /* [key · values + value column], NULL where no row came */
	size_t series_room, value_count;
	struct buffer key; /* one that is being made */
	struct csv_key recent[2];
	unsigned latest;    /* the one of the row at hand */
	unsigned turns;     /* 1: it was the other one in the row before */
	uint32_t next_pair; /* of a table with a column for each side */
	double *cell[2];    /* values of a cell, and of its partner's */
	size_t skipped, partnerless;
	struct csv_exit *exits;
	size_t exit_count, exit_room;
	uint64_t told_status;       /* the status columns that have words or numbers that we know, a bit for each */
	const char *strange_status; /* the first word of one that means nothing to us, or NULL */
	const char *strange_column;
	uint64_t strange_unsure; /* as that of its row */
	size_t zero_times;       /* and the line of the first */
	long zero_line;
	bool judged; /* tare wrote it: subjects are in the order in which they are compared */
};

static inline const struct column_source *csv_source(const struct csv_table *table, enum role role, size_t i)
{
	return &table->columns.sources[table->columns.first[role] + i];
}

/* The cell of a source in the record that was read last, or the named parts of it. */
struct csv_field csv_cell(const struct csv_table *table, const struct column_source *source);

/* ERROR_INPUT that shows the cell and where it is; returns -1. */
int csv_bad_cell(const struct csv_table *table, size_t column, const char *what);

/* The row's subject and metric become the latest of table->recent. */
int csv_find_key(struct csv_table *table);

/* Machine, build, run, iteration, pair and order of the row. */
int csv_level_keys(struct csv_table *table, struct gather_key *key);

/* The series of the row's subject and metric and of a value column, made when it is new; NULL and err. */
struct csv_series *csv_series_at(struct csv_table *table, size_t value_column);

/* The unit of the row, from the unit column, becomes that of the series at hand. */
int csv_row_unit(struct csv_table *table, struct csv_series *series);

/* Which values are better, as the row says; it must not say the opposite of an earlier one. */
int csv_row_better(struct csv_table *table, struct csv_series *series);

/* Adds the record that was read last. */
int csv_add_row(struct csv_table *table);

/* After the last row: fills the import's result. */
int csv_finish(struct csv_table *table);

/* The runs of a subject that failed, and how its session ended, as its cell says: see columns.h. It is cut up. */
int csv_failures(struct csv_table *table, struct subject *subject, char *cell);

/* The series with rows, one after the other from *index 0 on; NULL behind the last. */
struct csv_series *csv_next_series(const struct csv_table *table, size_t *index);

/* Pairs the series of the result that have partners in the table. */
int csv_pair(struct csv_table *table);

/* Whether a header and its first row are of a table with a column for each subject ("old,new"): no name is one of a
 * role, and all cells are numbers. Such a table is plain columns. */
bool csv_is_wide(const char *header, size_t header_length, const char *row, size_t row_length);

/* Reads a table whose columns have these names and no header. */
int csv_read_named(struct import *import, char delimiter, const char *const *names, size_t count);

#endif
