/* Histories that others keep: tables with a row for each result, and github-action-benchmark's data.js.
 *
 * The columns of a table have roles, found by their names or given as "time=when,value=mean_ms" (by header, or by
 * number from 1; an empty name: nobody plays this role):
 *   time     when it was measured (base/moment.h)
 *   commit   what was measured
 *   subject  which benchmark; without it the metric's name
 *   metric, unit  of the value
 *   value    the estimate; several times: several metrics; without one every column of numbers that has no other role
 *   low, high  its interval
 *   machine  where it was measured
 * Rows without a time are numbered from 0 in the order of the file, for each subject and metric. */
#ifndef TARE_EXCHANGE_HISTORY_READ_H
#define TARE_EXCHANGE_HISTORY_READ_H

#include "exchange/import.h"

struct history_record {
	bool timed;
	int64_t when;                        /* ms since 1970; not timed: its number */
	const char *commit, *machine;        /* "" where not known */
	const char *subject, *metric, *unit; /* unit as in struct metric */
	enum better better;
	double value, low, high; /* NaN where not known */
};

typedef int (*history_take)(void *context, const struct history_record *record, struct error *err);

/* Calls `take` for every record; it returns 0 to go on, or -1 and err. 0; 1 when the file is another kind of JSON,
 * text of a tool or a table of one result's samples, which import_file reads; -1 and err. Of `options` columns, unit and
 * better are used. */
int history_read(const char *path, const struct import_options *options, history_take take, void *context,
                 struct error *err);

/* The same from memory; `name` is used in messages. */
int history_read_memory(const void *bytes, size_t length, const char *name, const struct import_options *options,
                        history_take take, void *context, struct error *err);

/* Records that are kept: by history_keep, a history_take whose context is a struct history_records. */
struct history_kept {
	struct history_record what;
	size_t number; /* in the file */
};

struct history_records {
	struct arena arena;
	struct history_kept *items;
	size_t count, capacity;
};

int history_keep(void *context, const struct history_record *record, struct error *err);
void history_records_release(struct history_records *records);

/* Whether the first line has numbers and no names: readings in the order in which they were taken, which history_read
 * refuses. */
bool history_is_of_numbers(const char *path);

#endif
