/* Import: measurements of any tool into a result, the format recognised by content.
 *
 * An argument is a path, "label=path", or "-" for standard input; a path that exists is
 * taken as it is, whatever is in it. gzip is unpacked (exchange/input.h has the limits).
 *
 * Several files may be read into one result. A label names the subject where the file has
 * one, and comes before the names as "label/name" where it has more. A subject that is there
 * already (same name, program and parameters) gets the values of the new file as further
 * runs, provided unit and levels agree; pairs are then given up.
 *
 * Times come in seconds, sizes in bytes, other units as they are. What a file holds and tare
 * has no place for is said once, as a warning "unmapped". Errors name file, line and column
 * and what to do: ERROR_INPUT for what cannot be read or is malformed, ERROR_NO_DATA for
 * a file without a usable value, ERROR_USAGE for bad options. A failure leaves the result as it was. */
#ifndef TARE_EXCHANGE_IMPORT_H
#define TARE_EXCHANGE_IMPORT_H

#include "model/result.h"

enum import_better { IMPORT_BETTER_BY_UNIT, IMPORT_BETTER_LOWER, IMPORT_BETTER_HIGHER };

struct pair_names;

struct import_options {
	const char *columns; /* roles of a table's columns (exchange/columns.h), or NULL */
	const char *unit;    /* of values that come without one, or NULL */
	const char *format;  /* one of import_format_names(), or NULL: recognise */
	enum import_better better;
	/* What a framework reports of one process that tare ran: what failed is kept although nothing has a value, and the mean of
	 * a benchmark that has only aggregates is its value. */
	bool one_process;
	/* Not NULL: values that have a pair key and no partner in their file keep it in their series, numbered alike in
	 * all files that are read with these names; where `columns` names the pair column, all do. */
	struct pair_names *pair_names;
};

/* `options` may be NULL. 0, or -1 and err. */
int import_file(const char *argument, const struct import_options *options, struct result *out, struct error *err);

/* The same from memory; `name` is used in messages and for a subject that has none. */
int import_memory(const void *bytes, size_t length, const char *name, const struct import_options *options,
                  struct result *out, struct error *err);

/* NULL-terminated: "tare", "hyperfine", … */
const char *const *import_format_names(void);

#endif
