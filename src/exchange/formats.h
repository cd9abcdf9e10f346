/* What every importer gets and does. One reader per format, behind the tables of import.c. */
#ifndef TARE_EXCHANGE_FORMATS_H
#define TARE_EXCHANGE_FORMATS_H

#include "exchange/import.h"
#include "exchange/input.h"
#include "exchange/json_read.h"
#include "exchange/units.h"

struct import {
	struct input *input;     /* for text formats; for messages (the name) in all */
	const char *name;        /* of a subject that has none in the data */
	const struct import_options *options; /* never NULL */
	struct result *out;      /* empty at the beginning; released by the caller on failure */
	struct error *err;
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

extern const struct text_format csv_format;
extern const struct text_format plain_format;

/* ---- help for readers ---- */

/* ERROR_INPUT about the whole file; returns -1. */
int import_bad(const struct import *import, const char *what, ...) __attribute__((format(printf, 2, 3)));

/* The direction of a metric of this unit, as the options say. */
enum better import_better(const struct import *import, const char *unit);

/* A metric with the given levels (NULL: run, iteration) whose unit is already ours. */
struct measurement *import_metric(struct import *import, struct subject *subject, const char *name, const char *unit,
                                  const enum level *levels, unsigned depth);

#endif
