/* What the program says besides its results: errors, notes, and where documents go. */
#ifndef TARE_CLI_MESSAGE_H
#define TARE_CLI_MESSAGE_H

#include "base/buffer.h"
#include "base/error.h"
#include "cli/options.h"

/* "tare: …" on standard error, and the exit code for it. */
int message_error(const struct error *err);

/* "tare: note: …" on standard error. */
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Each line of the text as a note. */
void message_notes(const struct buffer *lines);

/* Writes all of a buffer to standard output, or to standard error; -1 with err when it cannot. */
int message_print(const struct buffer *text, struct error *err);
int message_print_to(bool to_stderr, const struct buffer *text, struct error *err);

/* What another program has said, line by line to standard error, control characters shown. */
void message_log(const struct buffer *lines);

/* The help of a command on standard output; the exit code. */
int message_help(const struct command *command);

#endif
