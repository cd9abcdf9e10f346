/* What every importer gets and does. One reader per format, behind the tables of import.c. */
#ifndef TARE_EXCHANGE_FORMATS_H
#define TARE_EXCHANGE_FORMATS_H

#include "exchange/import.h"
#include "exchange/input.h"
#include "exchange/json_read.h"
#include "base/map.h"
#include "exchange/units.h"

struct import {
	struct input *input;                  /* for text formats; for messages (the name) in all */
	const char *name;                     /* of a subject that has none in the data */
	const struct import_options *options; /* never NULL */
	struct result *out;                   /* empty at the beginning; released by the caller on failure */
	bool warmed;                          /* the tool warms up by itself before it keeps a value */
	struct error *err;
	size_t missing; /* values that are infinite or not numbers: told once, at the end */
};

/* Text formats: whether the first bytes look like it (head is NUL-terminated, at most 64 KiB), and
 * reading the whole input. Readers return 0 or -1 with import->err. */
struct text_format {
	const char *name;
	bool (*matches)(const char *head, size_t length, const struct import_options *options);
	int (*read)(struct import *import);
};

/* JSON formats: from the tree. */
struct json_format {
	const char *name;
	bool (*matches)(const struct node *root);
	int (*read)(struct import *import, const struct node *root);
};

extern const struct json_format benchmarkdotnet_format;
extern const struct json_format bmf_format;
extern const struct json_format criterion_format;
extern const struct json_format gbench_format;
extern const struct text_format gbench_csv_format;
extern const struct json_format gha_format;
extern const struct json_format gha_history_format;
extern const struct json_format hyperfine_format;
extern const struct json_format jmh_format;
extern const struct json_format mitata_format;
extern const struct json_format numbers_format;
extern const struct json_format pyperf_format;
extern const struct json_format pytest_format;
extern const struct json_format tinybench_format;
extern const struct text_format catch2_format;
extern const struct text_format csv_format;
extern const struct text_format go_format;
extern const struct text_format nanobench_format;
extern const struct text_format perf_format;
extern const struct text_format plain_format;
extern const struct text_format rebench_format;

/* Whether the text begins with a line of perf stat -j, an object a line: for perf_format to refuse. */
bool perf_is_json(const char *text);

/* A folder: criterion's measurements in and below it. */
int criterion_read_folder(struct import *import, const char *path);

/* ---- help for readers ---- */

/* ERROR_INPUT about the whole file; returns -1. */
int import_bad(const struct import *import, const char *what, ...) __attribute__((format(printf, 2, 3)));

/* The direction of a metric of this unit, as the options say; see units_better. */
enum better import_better(const struct import *import, const char *name, const char *unit);

/* Where the names of all subjects say that higher is better (old_rps, new_rps), and no option has the direction, that is
 * the direction of their first metrics. */
void import_direction_of_names(struct import *import);

/* Subjects of a file by a key of their name and what else tells them apart. Finds the one with this
 * key or adds one with this name; NULL and err when out of memory. The pointer is valid until the
 * next call. */
struct subject_index {
	struct map keys;
};
struct subject *import_subject(struct import *import, struct subject_index *index, const char *key, const char *name);

/* The metric of that name, added with the usual levels (run, iteration) when it is new. The unit is
 * the other tool's; *scale says how to convert. */
struct measurement *import_metric_in(struct import *import, struct subject *subject, const char *name, const char *unit,
                                     struct unit_scale *scale);

/* Appends a value that opens level `open` (exchange's view of series_append). One that is infinite or no number is
 * counted as lost instead. */
int import_value(struct import *import, struct measurement *metric, unsigned open, double value);

/* A copy of text for the result; NULL stays NULL. -1 and err when out of memory. */
int import_text_copy(struct import *import, const char *text, const char **out);

/* A warning; -1 and err when out of memory. */
int import_warn(struct import *import, const char *code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Run number `run` of a subject failed, or gave no value. */
int import_failure(struct import *import, struct subject *subject, const char *what, size_t run);

/* The other tool says that there were so many runs: those behind the first `had` gave no value. */
int import_missing_runs(struct import *import, struct subject *subject, size_t had, double expected);

/* Says how many values are missing or not finite; nothing where none is. */
int import_warn_missing(struct import *import);

/* Says that numbers like 12,345 were read as decimals, where nothing shows that they are; 0: nothing to say. */
int import_warn_comma(struct import *import, long line);

/* Says of which subjects runs failed, and how; nothing where none did. */
int import_warn_failures(struct import *import);

/* A metric with the given levels (NULL: run, iteration) whose unit is already ours. */
struct measurement *import_metric(struct import *import, struct subject *subject, const char *name, const char *unit,
                                  const enum level *levels, unsigned depth);

#endif
