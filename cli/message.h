/* What the program says besides its results: errors, notes, and where documents go. */
#ifndef TARE_CLI_MESSAGE_H
#define TARE_CLI_MESSAGE_H

#include "base/buffer.h"
#include "base/error.h"
#include "cli/options.h"

/* "tare: …" on standard error, and the exit code for it. */
int message_error(const struct error *err);

/* The same after a status other than 0, for one of several outputs; *code becomes that of the first. */
void message_failure(int status, const struct error *err, int *code);

/* "tare: note: …" on standard error. */
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Each line of the text as a note. */
void message_notes(const struct buffer *lines);

/* Writes all of a buffer to standard output, or to standard error; -1 with err when it cannot. */
int message_print(const struct buffer *text, struct error *err);
int message_print_to(bool to_stderr, const struct buffer *text, struct error *err);

/* The same for documents: no line is broken for a narrow terminal. */
int message_write(bool to_stderr, const struct buffer *text, struct error *err);

/* The end of a text that was made with this status: where that is 0 it is printed, and it is released; the status. */
int message_finish(int status, bool to_stderr, struct buffer *text, struct error *err);

/* What another program has said, line by line to standard error, control characters shown. */
void message_log(const struct buffer *lines);

/* The help of a command on standard output; the exit code. */
int message_help(const struct command *command);

#endif
