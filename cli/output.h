/* Where documents go: files that appear whole or not at all, "-" for standard output. */
#ifndef TARE_CLI_OUTPUT_H
#define TARE_CLI_OUTPUT_H

#include "base/buffer.h"
#include "base/error.h"
#include "report/look.h"

#include <stdbool.h>

/* Fails when `path` (not NULL, not "-") could not be written: found out before measuring, nothing is left. */
int output_check(const char *path, struct error *err);

/* The same for all documents of a command. Two of one name are refused: the second would replace the first. */
struct output_file {
	const char *option, *path; /* "--json"; NULL: not asked for */
};
int output_check_all(const struct output_file *files, size_t count, struct error *err);

/* Writes text to a file or, for "-", to standard output. */
int output_write(const char *path, const struct buffer *text, struct error *err);

/* Size, characters and colours for text on standard output (or standard error). `color` is "auto",
 * "always", "never" or NULL; NO_COLOR is honoured. */
struct look output_look(const char *color, bool ascii, bool to_stderr);

/* Whether a document goes to standard output, so that tables must go to standard error. */
bool output_is_stdout(const char *path);

#endif
