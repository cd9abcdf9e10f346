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

/* The same; *replaced: what is there before makes way for the document, as it does not for devices and the like. */
int output_check_place(const char *path, bool *replaced, struct error *err);

/* Writes text to a file or, for "-", to standard output. */
int output_write(const char *path, const struct buffer *text, struct error *err);

/* Size, characters and colours for text on standard output (or standard error). `color` is "auto",
 * "always", "never" or NULL; NO_COLOR is honoured. */
struct look output_look(const char *color, bool ascii, bool to_stderr);

/* Of messages and sentences: what the locale has, unless a look was asked for without Unicode. */
enum text_charset output_charset(void);

/* Of the terminal that it is; 80 where it is none, or too narrow to be meant. */
size_t output_columns(bool to_stderr);
size_t output_lines(void); /* of the terminal that standard error is; 24 where that is not known */

bool output_is_stdout(const char *path);

#endif
