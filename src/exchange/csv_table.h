/* A table while it is read: csv.c begins it, csv_rows.c adds the rows, csv_result.c ends it. */
#ifndef TARE_EXCHANGE_CSV_TABLE_H
#define TARE_EXCHANGE_CSV_TABLE_H

#include "exchange/columns.h"
#include "exchange/csv_records.h"
#include "exchange/formats.h"
#include "exchange/gather.h"
#include "exchange/names.h"

enum { CELL_VALUES_MAX = 4096 };

struct table_series {
	struct gather_series gathered;
	uint32_t subject; /* in table.subjects */
	int side;
	const char *metric;
	struct unit_scale unit;   /* of the row at hand */
	const char *base;   /* unit of the series, ours */
	const char *unit_text;
	size_t unit_length;
	enum import_better better; /* as the table says */
	uint32_t align;     /* series with the same number are aligned */
};

struct table_subject {
	const char *subject, *benchmark, *program; /* or NULL */
	const char **parameters;                   /* by source of ROLE_PARAMETER */
};

struct table {
	struct import *import;
	struct csv_records records;
	struct columns columns;
	struct arena arena;
	struct gather_plan plan;
	size_t header_count;
	struct names keys;     /* subject and metric, as text */
	struct names subject_keys, align_keys, machines, builds, runs, pairs, orders;
	struct table_subject *subjects;
	size_t subject_room;
	struct table_series **series; /* [key · values + value column], NULL where no row came */
	size_t series_room, value_count;
	struct buffer key;     /* of the row at hand */
	uint32_t key_id;
	struct buffer last_key;
	uint32_t next_pair;    /* of a table with a column for each side */
	double *cell[2];       /* values of a cell, and of its partner's */
	size_t skipped, missing, partnerless;
};

/* Adds the record that was read last. */
int table_add_row(struct table *table);

/* After the last row: fills the import's result. */
int table_finish(struct table *table);

/* Reads a table whose columns have these names and no header. */
int csv_read_named(struct import *import, char delimiter, const char *const *names, size_t count);

#endif
