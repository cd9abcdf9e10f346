/* The tables, and the way from older ones to the present ones. */
#ifndef TARE_STORE_SCHEMA_H
#define TARE_STORE_SCHEMA_H

#include "store/sql.h"

enum { SCHEMA_APPLICATION = 0x54415245 }; /* "TARE", the application_id of a store */

/* The columns that a row's checksum is of (store/sum.h), which is its column `sum`: all but the number that SQLite gives
 * it. NULL in a row that a tare without checksums added while this one brought the store forward. */
#define EXPERIMENT_COLUMNS \
	"key, name, started, elapsed, state, seed, argv, version, design, metric, host, git_commit, git_branch, git_dirty," \
	" rounds, pid, document, pair_order, times"
#define HOST_COLUMNS     "stratum, cpu, cpus, os, kernel, virtual, governor"
#define PROGRAM_COLUMNS  "path, build_id, hash"
#define TAG_COLUMNS      "experiment, tag"
#define SUBJECT_COLUMNS  "experiment, position, name, metric, program"
#define SERIES_COLUMNS   "subject, position, metric, unit, better, levels, n, mean, median, low, high, level, groups"
#define CHUNK_COLUMNS    "series, position, n, data"
#define ROUND_COLUMNS    "experiment, position, at, data"
#define BASELINE_COLUMNS "name, experiment, made"

enum { SCHEMA_WITH_SUMS = 3 }; /* the first that has checksums */

/* Checks that the file is a store that this tare knows; with `write` an empty file gets the tables and an older one
 * is brought forward, in one transaction. */
int schema_prepare(struct store *store, bool write, struct error *err);

#endif
