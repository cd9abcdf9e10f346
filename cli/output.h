/* Where documents go: files that appear whole or not at all, "-" for standard output. */
#ifndef TARE_CLI_OUTPUT_H
#define TARE_CLI_OUTPUT_H

#include "base/buffer.h"
#include "base/error.h"
#include "report/look.h"

#include <stdbool.h>
#include <stddef.h>

/* Fails when `path` (not NULL, not "-") could not be written: found out before measuring, nothing is left. */
int output_check(const char *path, struct error *err);

/* The documents that a command can write: a table that ends with an option of NULL. None of them may share standard
 * output with another. */
struct output {
	const char *option; /* "--json" */
	size_t offset;      /* of its path in the command's options, a const char *; NULL there: not asked for */
	int (*make)(const void *context, struct buffer *out, struct error *err); /* its text; NULL: it saves itself */
	int (*save)(const void *context, const char *path, struct error *err);
	unsigned when; /* the command's own, where not all are written at once */
};

/* Before anything is done: each can be written, two are not one file by whatever names, and one at most goes to
 * standard output. */
int outputs_check(const struct output *table, const void *options, struct error *err);

/* Whether one of them goes to standard output, so that text must go to standard error. */
bool outputs_on_stdout(const struct output *table, const void *options);

/* Writes one, where it was asked for; all of them, up to the first that fails. */
int output_save(const struct output *output, const void *options, const void *context, struct error *err);
int outputs_save(const struct output *table, const void *options, const void *context, struct error *err);

/* Writes text to a file or, for "-", to standard output. */
int output_write(const char *path, const struct buffer *text, struct error *err);

/* Size, characters and colours for text on standard output (or standard error). `color` is "auto",
 * "always", "never" or NULL; NO_COLOR is honoured. */
struct look output_look(const char *color, bool ascii, bool to_stderr);

size_t output_lines(void); /* of the terminal that standard error is; 24 where that is not known */

bool output_is_stdout(const char *path);

#endif
